"""Puzzles with their bests, made without a search, and what a text is wide without a font."""

import numpy as np

from tilelab.core.puzzle import Best
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.sheets.page import CAP_HEIGHT, Capsule, Line, Text
from tilelab.sheets.sheet import Sheet, SheetWord

ROWS = ("CAT#", "DNAE", "RXRA", "TAND")
"""Reads "cat and rat" as a winding string; the upper right corner is a hole."""
LEXICON = "Cat\nDNA\nÉtan\nRat\nant\nzebra\n"


def letters(rows=ROWS, lexicon=LEXICON, **params):
    """Return a letter puzzle and its best: these rows."""
    words = parse_lexicon(lexicon.encode(), "words.txt", title="Two words, and more")
    shape = {"rows": len(rows), "cols": len(rows[0])}
    holes = tuple(cell for cell, sign in enumerate("".join(rows)) if sign == "#")
    constraints = Constraints(holes=holes)
    puzzle = BogglePuzzle.create(words, BoggleParams(**shape, **params), None, constraints)
    cells = puzzle.parse(rows, foreign=True)
    return puzzle, Best(cells, puzzle.score(cells), 7)


def large_tiles():
    """Return the same with numbers of one and of two digits."""
    return tiles(side=4)


def tiles(moves="LURD", side=3):
    """Return a sliding puzzle whose goal those moves lead to, and its best."""
    goal = SlidingPuzzle.create(SlidingParams(rows=side, cols=side))
    back = {"U": "D", "D": "U", "L": "R", "R": "L"}
    start = goal.replay("".join(back[move] for move in reversed(moves)))
    puzzle = goal.starting_with(start)
    return puzzle, Best(puzzle.goal, 0.0, 3, moves, optimal=True)


def word_tiles():
    """Return a word-tile puzzle that one slide solves, and its best."""
    words = parse_lexicon(b"cat\nden\n", "words.txt", title="Pets")
    params = WordTilesParams(rows=3, cols=3)
    puzzle = WordTilesPuzzle.create(words, params, ("CA.", "DET", "NNA"))
    moves = "DD"
    cells = puzzle.replay(moves)
    return puzzle, Best(cells, puzzle.score(cells), 1, moves, optimal=True)


def many_words(n_words, cols=16, seed=5):
    """Return a sheet with so many words on winding paths."""
    draw = np.random.default_rng(seed)
    words = []
    for _ in range(n_words):
        length = int(draw.integers(2, 24))
        path = tuple(draw.integers(0, cols * cols, length).tolist())
        string = "".join(draw.choice(list("abcdefghijklmnopqrstuvwxyzäß"), length).tolist())
        words.append(SheetWord(string, string.capitalize(), path))
    signs = tuple(draw.choice(list("ABCDEFGHW"), cols * cols).tolist())
    return Sheet("Many words", "boggle", cols, signs, "Find them.", tuple(words), holes=(0, 1))


def measure(text, strong):
    """Return a width as an ordinary font would have it."""
    return sum(0.35 if sign in " .,il•" else 0.95 if sign in "WM→↗" else 0.62 for sign in text)


def extent(mark, ruler):
    """The left, top, right and bottom of a mark."""
    if isinstance(mark, Text):
        right = mark.x + ruler.width(mark.text, mark.size, strong=mark.strong)
        return mark.x, mark.y - mark.size * CAP_HEIGHT, right, mark.y + mark.size * 0.25
    points = mark.points if isinstance(mark, Line) else (mark.begin, mark.end)
    out = mark.width / 2 + (mark.reach if isinstance(mark, Capsule) else 0.0)
    xs, ys = zip(*points, strict=True)
    return min(xs) - out, min(ys) - out, max(xs) + out, max(ys) + out
