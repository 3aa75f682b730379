"""Boards on the screen and in files: drawn, played, animated."""
