"""The page of letter grids."""
