"""The run of a page: the page, its worker, its files, its past."""
