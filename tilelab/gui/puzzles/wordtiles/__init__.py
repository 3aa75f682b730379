"""The page of word tiles."""
