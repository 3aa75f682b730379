"""The page of puzzles that bring none of their own."""
