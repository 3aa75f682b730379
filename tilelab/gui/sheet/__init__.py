"""Sheets drawn: into files, and before a user who is about to print them."""
