"""The window of all recorded runs."""
