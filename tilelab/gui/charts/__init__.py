"""The chart of a run: curves, view, legend, export."""
