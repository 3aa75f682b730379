"""The window of experiments: a plan, its runs, and their results."""
