"""Letter grids: the grid, its paths, its scores."""
