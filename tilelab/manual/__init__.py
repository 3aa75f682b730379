"""The manual: its pages, its tables, its contents, and its search."""
