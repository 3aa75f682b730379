"""The walk for cells that are used once a string, against the plain scorer."""

import numpy as np
import pytest

from tests import naive
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.kernels.classic_walk import classic_room, score_grids_classic
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import walked_classic

WORDS = ["a", "ab", "abba", "acid", "bad", "cab", "dab", "dabbed", "dabs", "deaf", "face", "fed"]
WORDS += ["feed", "gag", "hi"]
MANY = [chr(0x4E00 + first) + chr(0x4E00 + (7 * first + 3) % 40) for first in range(40)]


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        (WORDS, {}),
        (WORDS, {"adjacency": "rook", "torus": True}),
        (WORDS, {"rows": 9, "cols": 8}),
        (WORDS, {"rows": 1, "cols": 1}),
        (MANY, {"rows": 6, "cols": 6}),
        ([f"{word}\t{0.1 * place}" for place, word in enumerate(WORDS, 1)], {"fitness": "weight"}),
    ],
)
def test_scores_are_those_of_the_plain_scorer(words, rules):
    values = {"rows": 3, "cols": 4, "reuse": "once", "fitness": "length", **rules}
    lexicon = parse_lexicon("\n".join(words).encode(), "words")
    n_cells = values["rows"] * values["cols"]
    holes = (0, 5) if n_cells > 5 else ()
    puzzle = BogglePuzzle.from_values(lexicon, values, None, Constraints(holes=holes))
    rng = np.random.Generator(np.random.PCG64(4))
    grids = rng.integers(0, len(lexicon.alphabet) + 1, (12, n_cells)).astype(np.uint8)
    grids[grids == len(lexicon.alphabet)] = FOREIGN
    grids[:, list(holes)] = FOREIGN
    scores = np.empty(len(grids))
    puzzle.scorer.score(grids, scores)
    near = naive.neighbours(
        values["rows"],
        values["cols"],
        king=rules.get("adjacency") != "rook",
        torus=rules.get("torus", False),
    )
    for grid, score in zip(grids, scores, strict=True):
        letters = "".join(puzzle.rows_of(grid))
        wanted = naive.grid_score(letters, lexicon.strings, puzzle.values, near, once=True)
        assert score == wanted == puzzle.report(grid).value


def test_marks_begin_anew_when_the_runs_number_is_full():
    puzzle = BogglePuzzle.from_values(
        parse_lexicon("\n".join(WORDS).encode(), "words"), {"rows": 2, "cols": 2, "reuse": "once"}
    )
    walked = walked_classic(puzzle.trie, puzzle.values, puzzle.rules)
    room = classic_room(walked, puzzle.trie.max_level)
    grid = puzzle.parse(("ab", "ad")).reshape(1, -1)
    scores = np.empty(1)
    room[0][:] = 1
    room[1][0] = 2**32 - 1
    score_grids_classic(grid, walked, walked.wide, walked.ends, room, scores)
    assert scores[0] == puzzle.report(grid[0]).value > 0
    assert room[1][0] == 1
