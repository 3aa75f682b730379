"""The window of experiments: a plan, its many runs, and what they have come to."""
