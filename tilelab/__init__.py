"""TileLab: a desktop laboratory for letter grids and sliding tiles."""

__version__ = "0.1.0"
