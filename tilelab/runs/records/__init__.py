"""The best known values: which there are, where they come from, and how to reach them again."""
