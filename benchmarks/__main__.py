"""``python -m benchmarks [SECONDS]``: measure everything, each figure for about SECONDS."""

import sys

from benchmarks import boggle, window
from benchmarks.table import print_rows

if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print_rows(boggle.rows(seconds), "Boggle grids")
    window.print_window(seconds)
