"""Views of a solver's work: searches, populations, moves, colonies."""
