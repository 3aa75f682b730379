"""Lays strings along straight lines of a roomy letter grid, one after the other, by chance."""

import random
from collections.abc import Mapping, Sequence

import numpy as np

from tilelab.core.puzzle import Cells
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.paths import line
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import BoardRules

Step = tuple[int, int]
_TURNS = 20


def steps_of(rules: BoardRules) -> tuple[Step, ...]:
    """Return (down, right) of the straight lines that strings may lie on, bent ones left out."""
    return rules.directions or STEPS[Directions.ALL if rules.king else Directions.SQUARE]


def laid_out(puzzle: BogglePuzzle, wanted: Sequence[Step], seed: int) -> Cells | None:
    """Return a grid, uint8 (cells,), that holds every string on a straight line, or None.

    wanted: (down, right) of the lines; a string for which none of these has room goes another way
    that the rules allow. The longest strings come first; cells that are left get letters as
    frequent as in the strings.
    """
    rng = random.Random(seed)
    allowed = steps_of(puzzle.rules)
    first = [step for step in wanted if step in allowed]
    others = [step for step in allowed if step not in first]
    free = frozenset(puzzle.free_cells().tolist())
    strings = sorted(map(puzzle.lexicon.tiles, puzzle.lexicon.strings), key=len, reverse=True)
    for _ in range(_TURNS):
        letters = _letters(strings, puzzle.rules, (first, others), free, rng)
        if letters is not None:
            cells = grid_of(puzzle, letters, rng)
            if puzzle.is_complete(cells, puzzle.score(cells)):
                return cells
    return None


def grid_of(puzzle: BogglePuzzle, letters: Mapping[int, str], rng: random.Random) -> Cells:
    """Return a grid, uint8 (cells,), with some letters by their cells.

    The other cells get letters as frequent as in the strings; locked cells and holes hold theirs.
    """
    common = "".join(map(puzzle.lexicon.tiles, puzzle.lexicon.strings))
    n_cells = puzzle.params.rows * puzzle.params.cols
    codes = {symbol: code for code, symbol in enumerate(puzzle.lexicon.alphabet)}
    signs = (letters.get(cell) or rng.choice(common) for cell in range(n_cells))
    cells = np.array([codes[sign] for sign in signs], np.uint8)
    puzzle.fix(cells)
    return cells


def _letters(
    strings: Sequence[str],
    rules: BoardRules,
    choices: Sequence[Sequence[Step]],
    free: frozenset[int],
    rng: random.Random,
) -> dict[int, str] | None:
    """Return the letters of the cells that the strings need, or None where one had no room."""
    letters: dict[int, str] = {}
    for string in strings:
        for steps in choices:
            lines = [
                path
                for cell in sorted(free)
                for step in steps
                if len(path := line(rules, cell, step)[: len(string)]) == len(string)
                and all(
                    here in free and letters.get(here, sign) == sign
                    for here, sign in zip(path, string, strict=True)
                )
            ]
            if lines:
                letters.update(zip(rng.choice(lines), string, strict=True))
                break
        else:
            return None
    return letters
