"""What the pages of letter puzzles share: their words, their lexicon, their menu of LOAD."""
