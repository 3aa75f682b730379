"""Word tiles: the board, its lexicon, its text and its report."""
