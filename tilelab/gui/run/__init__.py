"""One run as the window knows it: the page, its worker, its files, its past."""
