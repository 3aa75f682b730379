"""Tables of papers about word tiles, made again, a paper a file."""
