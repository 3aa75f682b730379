"""The window of the best known values."""
