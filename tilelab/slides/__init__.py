"""What puzzles with tiles that slide share: moves, a board in play, a path between two boards."""
