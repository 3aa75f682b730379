"""The page of letter boards."""
