"""What a board is; never how it is solved."""
