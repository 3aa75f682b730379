"""The main window and what is around it: start, menu, files, shutdown."""
