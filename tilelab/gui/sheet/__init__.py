"""Drawing sheets: into files, and in a preview before printing."""

KEPT_BOOKLET = "sheet_booklet"
"""Name of the setting with the puzzles of a booklet; here, so that its name loads no dialog."""
