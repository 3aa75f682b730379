"""The page of puzzles without their own page."""
