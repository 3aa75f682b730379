"""The puzzle of last time, and the lexicon, the size and the solver that each begins with again."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tilelab import catalog
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.files.paths import is_there
from tilelab.core.parameters import validate
from tilelab.core.text.language import tr
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import is_builtin, open_lexicon
from tilelab.letters.lexicon import Accents, Lexicon
from tilelab.letters.lexicon_puzzle import LexiconPuzzle

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage

L = TypeVar("L", bound=LexiconPuzzle)
PUZZLE = "puzzle"
"""The setting: which puzzle was shown last."""
_SIZE = ("rows", "cols")


def remember_choices(page: "PuzzlePage", settings: Settings) -> None:
    """Note the page that is shown, and the lexicon, the size and the solver that it shows."""
    if not settings.preferences.remember_choices:
        return
    key, values = page.puzzle_key, page.panel.values("puzzle")
    settings.set_text(PUZZLE, key)
    settings.set_text(f"{key}/solver", page.own_solver_key)
    for name in _SIZE:
        settings.set_text(f"{key}/{name}", str(values.get(name, "")))
    lexicon = page.lexicon
    if lexicon is not None:
        settings.set_text(f"{key}/lexicon", _where(lexicon))
        settings.set_text(f"{key}/lexicon_digest", lexicon.digest)


def last_shown(settings: Settings, puzzles: Collection[str]) -> str:
    """Return which of some puzzles was shown last; the first where none was."""
    puzzle = _text(settings, PUZZLE)
    return puzzle if puzzle in puzzles else next(iter(puzzles))


def last_solver(settings: Settings, key: str) -> str:
    """Return the solver of last time, if there still is such a one; else the puzzle's usual."""
    solver = _text(settings, f"{key}/solver")
    return solver if solver in catalog.solvers(key) else catalog.default_solver(key)


def last_size(settings: Settings, key: str) -> Mapping[str, int]:
    """Return rows and columns of last time; {} when there are none, or none that are allowed."""
    values = {name: _text(settings, f"{key}/{name}") for name in _SIZE}
    if not all(value.isdecimal() and len(value) < 5 for value in values.values()):
        return {}
    size = {name: int(value) for name, value in values.items()}
    try:
        validate(catalog.puzzle(key).spec.params, size)
    except ParameterError:
        return {}
    return size


def last_puzzle(settings: Settings, kind: type[L], otherwise: str) -> tuple[L, str]:
    """Make the puzzle of letters of last time.

    otherwise: the lexicon when there is none, or one that cannot be read any more. Returns the
    puzzle and a sentence about what is not as it was, or ''.
    """
    key = kind.spec.key
    size, name = last_size(settings, key), _text(settings, f"{key}/lexicon")
    if not name:
        return kind.from_values(open_lexicon(otherwise), size), ""
    digest = _text(settings, f"{key}/lexicon_digest")
    kinds = [Accents.KEEP, Accents.FOLD]
    if settings.preferences.fold_accents:
        kinds.reverse()
    try:
        puzzles = []
        for accents in kinds:
            # The choice about accents may have been changed after the lexicon was read.
            puzzles.append(kind.from_values(open_lexicon(name, accents), size))
            if puzzles[-1].lexicon.digest == digest:
                return puzzles[-1], ""
    except TileLabError as error:
        puzzle = kind.from_values(open_lexicon(otherwise), size)
        why = str(error) if is_there(Path(name)) else tr("{name} is gone", name=name)
        return puzzle, tr(
            "{title} is loaded: the last lexicon cannot be, as {why}.",
            title=puzzle.lexicon.title,
            why=why,
        )
    return puzzles[0], tr("{title} has changed since last time.", title=puzzles[0].lexicon.title)


def _where(lexicon: Lexicon) -> str:
    """Where a lexicon can be read again, or '': one that came with a run is in no file."""
    if lexicon.path is None:
        return lexicon.name if is_builtin(lexicon.name) else ""
    path = str(lexicon.path.absolute())
    # The settings hold text; a name that is none would come back as another one.
    return path if path.encode(errors="replace").decode() == path else ""


def _text(settings: Settings, name: str) -> str:
    return settings.text(name) if settings.preferences.remember_choices else ""
