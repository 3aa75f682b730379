"""Letter grids made for a list of words: by hand, as small as possible, or of a chosen level."""
