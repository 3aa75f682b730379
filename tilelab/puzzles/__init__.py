"""The puzzles, with their kernels, heuristics and solvers; one folder for each puzzle."""
