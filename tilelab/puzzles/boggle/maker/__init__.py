"""Letter grids made for a list of words: by hand, as small as can be, or as hard as is wanted."""
