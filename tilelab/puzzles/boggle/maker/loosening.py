"""A board for words that use each cell once, by runs in which cells can be used again.

Near misses guide those runs, but not runs for cells used once, and few words have a path through a
cell twice. So a board with all words is found much sooner, and often they need each cell only once.

In the first run, each repeated letter of a word is a symbol of its own, so that no path can use a
cell twice. Such a board may need more cells. Therefore runs with the plain letters follow.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np

from tilelab.core.parameters import replaced
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.letters.lexicon import MAX_SYMBOLS, Lexicon, ReadingReport
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.parameters import Fitness, Reuse
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.session import Session

_PLAIN_RUNS = 3  # length of all runs with plain letters, in multiples of the first run's
_FIRST_LABEL = 0xE000  # private use, so that it is a letter of no word
Begin = Callable[[Session, BogglePuzzle, int, int], None]


def loosened(puzzle: BogglePuzzle, seed: int, n_units: int, begin: Begin) -> Iterator[Cells | None]:
    """Yield None after each slice and finally, if one is found, a board, uint8 (cells,), with all
    words.

    n_units: length of the first run. begin: begins a run of a session, with its seed and units.
    """
    words, labels = [*map(puzzle.lexicon.tiles, puzzle.lexicon.strings)], dict[str, str]()
    labelled = [_labelled(word, labels) for word in words]
    if labels and len(puzzle.lexicon.alphabet) + len(labels) <= MAX_SYMBOLS:
        loose = _loose(puzzle, labelled)
        session = Session()
        begin(session, loose, seed, n_units)
        yield from _board(puzzle, session, {label: sign[0] for sign, label in labels.items()})
    n_left, loose = _PLAIN_RUNS * n_units, _loose(puzzle, words)
    while n_left > 0:
        session = Session()
        begin(session, loose, seed, min(n_left, n_units))
        yield from _board(puzzle, session, {})
        n_left, seed = n_left - max(session.units, 1), (seed + 1) % (MAX_SEED + 1)


def _labelled(word: str, labels: dict[str, str]) -> str:
    """Return a word whose repeated letters have labels, which are added by letter and number.

    Two of the same letter in a row are in different cells anyway, unless a third follows.
    """
    counts, signs = Counter[str](), list[str]()
    for place, sign in enumerate(word):
        if sign in word[: max(place - 1, 0)]:
            counts[sign] += 1
            key = f"{sign}{counts[sign]}"
            sign = labels.setdefault(key, chr(_FIRST_LABEL + len(labels)))
        signs.append(sign)
    return "".join(signs)


def _loose(puzzle: BogglePuzzle, words: Sequence[str]) -> BogglePuzzle:
    """Return the puzzle of words whose cells can be used again, all of the same value."""
    strings = tuple(sorted(words))
    lexicon = Lexicon("", "", strings, np.ones(len(strings)), ReadingReport())
    # The words are written with tiles.
    loose = {"reuse": Reuse.ANY, "stay": False, "fitness": Fitness.COUNT, "qu_tile": False}
    params = replaced(puzzle.params, **loose)
    # Every word is searched for, so none needs to be required.
    asked = puzzle.constraints
    constraints = Constraints(
        forbidden=asked.forbidden, nothing_else=asked.nothing_else, holes=asked.holes
    )
    return BogglePuzzle.create(lexicon, params, None, constraints)


def _board(
    puzzle: BogglePuzzle, session: Session, letters: dict[str, str]
) -> Generator[Cells | None, None, None]:
    """Do a run; yield its best board at the end if it has all words of the puzzle.

    letters: those of the labels.
    """
    while session.state is State.RUNNING:
        session.run_slice()
        yield None
    loose = session.puzzle
    assert isinstance(loose, BogglePuzzle)
    if session.best is None:
        return
    codes = np.arange(256, dtype=np.uint8)
    for code, sign in enumerate(loose.lexicon.alphabet):
        codes[code] = puzzle.lexicon.alphabet.index(letters.get(sign, sign))
    cells = codes[session.best.cells]
    puzzle.fix(cells)
    if puzzle.is_complete(cells, puzzle.score(cells)):
        yield cells
