"""``python -m benchmarks [SECONDS]``: measure everything, each figure for about SECONDS."""

import sys

from benchmarks import autosave, boggle, history, sliding, slidingpuzzle_package, window, wordtiles
from benchmarks.table import print_rows

if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print_rows(boggle.rows(seconds), "Boggle grids")
    print_rows(wordtiles.rows(seconds), "Word tiles")
    print_rows(sliding.rows(seconds), "Fifteen puzzle")
    print_rows(slidingpuzzle_package.rows(), "Beside a package")
    for side, limit_seconds, wanted in ((5, 2, 113), (6, 2, 217), (8, 10, 600), (10, 20, 2667)):
        sliding.anytime(side, limit_seconds, wanted)
    sliding.longest_step(4000)
    window.print_window(seconds)
    history.print_history()
    autosave.print_autosave(10 * seconds)
