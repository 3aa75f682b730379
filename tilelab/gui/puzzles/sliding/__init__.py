"""The page of sliding tiles."""
