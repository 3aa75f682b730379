"""Common parts of puzzles with sliding tiles: moves, a board in play, a path between boards."""
