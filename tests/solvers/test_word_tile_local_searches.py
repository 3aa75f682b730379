"""Annealing, hill climbing and tabu search on word tiles, beside plain Python."""

import numpy as np
import pytest

from tests import naive
from tilelab import catalog
from tilelab.puzzles.wordtiles import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles_text import RandomLetters
from tilelab.runs.outcome import with_way
from tilelab.solvers.bees import Bees, BeesParams
from tilelab.words.builtin import open_lexicon

KEYS = ("annealing", "hill-climbing", "tabu")
DISTINCT = ("ate", "ro.")
EQUAL = ("aten", "tase", "e.rs")
N_BOARDS = 48_000
"""What the bees' default setting scores."""


def _puzzle(*rows, lexicon="english-small", **params):
    params = WordTilesParams(rows=len(rows), cols=len(rows[0]), **params)
    return WordTilesPuzzle.create(open_lexicon(lexicon), params, rows)


def _advanced(key, puzzle, units, seed=1, **params):
    cls = catalog.solver("wordtiles", key)
    solver = cls.create(puzzle, cls.spec.params(**params), seed)
    return solver, solver.advance(units)


def _text(puzzle, cells):
    return "".join(puzzle.rows_of(cells))


def _score(puzzle, text):
    cols = puzzle.shape[1]
    rows = [text[begin : begin + cols] for begin in range(0, len(text), cols)]
    once = puzzle.params.counting == "board"
    return naive.word_tile_score(rows, puzzle.values, once=once)


@pytest.mark.parametrize("rows", [DISTINCT, EQUAL])
@pytest.mark.parametrize(
    ("key", "params"), [*((key, {}) for key in KEYS), ("annealing", {"rearrange": True})], ids=str
)
def test_slides_lead_to_the_best_and_it_is_worth_what_is_said(key, params, rows):
    puzzle = _puzzle(*rows)
    _, progress = _advanced(key, puzzle, 3, **params)
    best = with_way(puzzle, progress.best)
    board = "".join(rows)
    for letter in best.moves:
        board = naive.slide(board, len(rows[0]), letter)
    assert board == _text(puzzle, best.cells)
    assert best.value == _score(puzzle, board) > _score(puzzle, "".join(rows))


def test_annealing_beats_the_bees_on_as_many_boards():
    lexicon = open_lexicon("english-large")
    means = {}
    puzzles = [
        WordTilesPuzzle.create(
            lexicon, WordTilesParams(random_letters=RandomLetters.ENGLISH, letters_seed=seed)
        )
        for seed in range(1, 11)
    ]
    for name, params in {"slides": {}, "swaps": {"rearrange": True}}.items():
        values = []
        for puzzle in puzzles:
            solver, _ = _advanced("annealing", puzzle, 0, **params)
            values.append(solver.advance(N_BOARDS // solver.block).best.value)
        means[name] = np.mean(values)
    bees = [Bees.create(puzzle, BeesParams(), 1).advance(100).best.value for puzzle in puzzles]
    assert means["swaps"] > means["slides"] > np.mean(bees)
