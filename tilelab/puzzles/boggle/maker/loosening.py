"""A board for words that use each cell once, by runs in which cells can be used again.

Near misses guide those runs, but not runs for cells used once, and few words have a path through a
cell twice. So a board with all words is found much sooner, and often they need each cell only once.

In the first run, each repeated letter of a word is a symbol of its own, so that no path can use a
cell twice. Such a board may need more cells. Therefore runs with the plain letters follow. Where
many words are still missing early in the first run, it ends, and no others follow.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np

from tilelab.core.parameters import replaced
from tilelab.core.puzzle import Best, Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.letters.lexicon import MAX_SYMBOLS, Lexicon, ReadingReport
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.parameters import Fitness, Reuse
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.session import Session

_PLAIN_RUNS = 3  # length of all runs with plain letters, in multiples of the first run's
_EARLY = 8  # the first run continues after this part of its units, and others follow, if few words
_FEW, _PART = 2, 16  # are missing: at most this number, or this part of all words
_LOOK = 32  # number of units from one look at the best board to the next; equal in equal runs
_FIRST_LABEL = 0xE000  # private use, so that it is a letter of no word
Begin = Callable[[Session, BogglePuzzle, int, int], None]


def loosened(puzzle: BogglePuzzle, seed: int, n_units: int, begin: Begin) -> Iterator[Cells | None]:
    """Yield boards, uint8 (cells,), each with more words of the puzzle than the one before.

    Yields None after a slice without one. There may be others after one that is complete.
    n_units: length of the first run. begin: begins a run of a session, with its seed and units.
    """
    words, labels = [*map(puzzle.lexicon.tiles, puzzle.lexicon.strings)], dict[str, str]()
    labelled = [_labelled(word, labels) for word in words]
    has_labels = bool(labels) and len(puzzle.lexicon.alphabet) + len(labels) <= MAX_SYMBOLS
    letters = {label: sign[0] for sign, label in labels.items()} if has_labels else {}
    first, loose = _loose(puzzle, labelled if has_labels else words), _loose(puzzle, words)
    session = Session()
    begin(session, first, seed, n_units)
    early = max(n_units // _EARLY // _LOOK, 1) * _LOOK
    most = yield from _boards(puzzle, session, letters, -1, early)
    if session.state is State.RUNNING:
        return
    n_left = _PLAIN_RUNS * n_units
    if not has_labels:
        n_left, seed = n_left - max(session.units, 1), _next(seed)
    while n_left > 0:
        session = Session()
        begin(session, loose, seed, min(n_left, n_units))
        most = yield from _boards(puzzle, session, {}, most)
        n_left, seed = n_left - max(session.units, 1), _next(seed)


def _next(seed: int) -> int:
    return (seed + 1) % (MAX_SEED + 1)


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


def _boards(
    puzzle: BogglePuzzle, session: Session, letters: dict[str, str], most: int, early: int = 0
) -> Generator[Cells | None, None, int]:
    """Do a run; yield its boards with more than ``most`` words of the puzzle, and return the most.

    letters: those of the labels. early: number of units after which a run far from all words ends.
    """
    loose = session.puzzle
    assert isinstance(loose, BogglePuzzle)
    n_words = len(loose.lexicon.strings)
    codes = np.arange(256, dtype=np.uint8)
    for code, sign in enumerate(loose.lexicon.alphabet):
        codes[code] = puzzle.lexicon.alphabet.index(letters.get(sign, sign))
    seen: Best | None = None
    n_missing = n_words
    while session.state is State.RUNNING:
        session.run_slice(_LOOK - session.units % _LOOK)
        board = None
        is_due = session.state is not State.RUNNING or session.units % _LOOK == 0
        if is_due and session.best is not None and session.best is not seen:
            seen = session.best
            n_missing = len(loose.report(seen.cells).missing_indices)
            cells = codes[seen.cells]
            puzzle.fix(cells)
            n_found = len(puzzle.report(cells).found_indices)
            if n_found > most:
                most, board = n_found, cells
        yield board
        if session.units == early and n_missing > max(_FEW, n_words // _PART):
            break
    return most
