"""The manual: its pages, its tables, its contents, and what is found in it."""
