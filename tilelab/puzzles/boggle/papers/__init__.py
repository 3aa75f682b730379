"""Tables of papers about letter grids, made again, a paper a file."""
