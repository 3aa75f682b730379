"""Tables of papers about sliding tiles, made again, a paper a file."""
