"""Letter grids: the board, its paths and its scores."""
