"""Word tiles: the board, its lexicon, its text, its report."""
