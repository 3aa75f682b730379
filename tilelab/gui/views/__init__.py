"""What a solver shows of its work, drawn: searches, populations, moves, colonies."""
