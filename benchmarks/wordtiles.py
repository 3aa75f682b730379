"""The bee colony and its evaluations, beside plain Python; ``naz`` prints the published sweep."""

import random
import statistics
import time

from benchmarks.boggle import cut
from benchmarks.plain import slides, word_tile_bees
from benchmarks.table import Row
from tilelab.experiments.naz_sweep import ITERATIONS, sweep, table
from tilelab.puzzles.wordtiles import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles_text import RandomLetters
from tilelab.solvers.bees import Bees, BeesParams
from tilelab.words.builtin import open_lexicon

RUNS = 21
MOST_SECONDS = 0.060
"""For 16 agents, 30 steps and 100 iterations on 4×4 with 22,000 words."""


def bees(rows, cols, wanted, seconds):
    """Boards scored a second by the paper's largest setting, the median of some runs."""
    puzzle = WordTilesPuzzle.create(
        cut("english-small", 22_000), WordTilesParams(rows=rows, cols=cols)
    )
    params = BeesParams()
    Bees.create(puzzle, params, 0).advance(2)
    taken = []
    for seed in range(RUNS):
        began = time.process_time()
        Bees.create(puzzle, params, seed).advance(100)
        taken.append(time.process_time() - began)
    n_boards = params.agents * params.steps * 100
    reference = _plain_rate(puzzle, seconds)
    title = f"bees {rows}×{cols}, 22,000 words: {1000 * statistics.median(taken):.0f} ms a run"
    return Row(title, n_boards / statistics.median(taken), reference, wanted, "boards/s")


def _plain_rate(puzzle, seconds):
    rows, cols = puzzle.shape
    near = slides(rows, cols)
    board, rng = list("".join(puzzle.rows_of(puzzle.start))), random.Random(1)
    began = time.process_time()
    done = 0
    while time.process_time() - began < seconds:
        done += word_tile_bees(board, cols, set(puzzle.values), near, rng)
    return done / (time.process_time() - began)


def rows(seconds):
    """Measure everything; plain Python runs for about ``seconds`` a row."""
    yield bees(4, 4, 16 * 30 * 100 / MOST_SECONDS, seconds)
    yield bees(5, 5, 800_000, seconds)
    yield bees(10, 10, 400_000, seconds)


def naz():
    """Print the sweep of Tables I and III on thirty seeded boards, the paper's averages beside."""
    lexicon = open_lexicon("english-large")
    puzzles = [
        WordTilesPuzzle.create(
            lexicon, WordTilesParams(random_letters=RandomLetters.ENGLISH, letters_seed=seed)
        )
        for seed in range(1, 31)
    ]
    cells = list(sweep(puzzles))
    for iterations in ITERATIONS:
        print(f"{iterations} iterations\n")
        print("\n".join(table(cells, iterations)), end="\n\n")


if __name__ == "__main__":
    naz()
