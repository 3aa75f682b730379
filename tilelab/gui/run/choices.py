"""The solver and the values of the next run, and those of the previous session."""

import contextlib
import json
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tilelab import catalog
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.files.paths import is_there
from tilelab.core.parameters import validate
from tilelab.core.plain import JsonObject, Values
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import language, tr, translated_again
from tilelab.gui.parameters.panel import ControlPanel
from tilelab.gui.run.messages import PuzzleRequest
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import is_builtin, open_lexicon, shown_title
from tilelab.letters.lexicon import Accents, Lexicon
from tilelab.letters.lexicon_puzzle import LexiconPuzzle
from tilelab.letters.puzzle_list import noted_list, noted_words
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe

L = TypeVar("L", bound=LexiconPuzzle)
T = TypeVar("T")
PUZZLE = "puzzle"  # name of the setting with the puzzle that was shown last
_SIZE = ("rows", "cols")
_RULES = TypeAdapter(list[Values])
RUN_NAMES = (
    *("Board of run {number} of an experiment", "Board of run {id}", "Board of the record"),
)
"""Names of boards of earlier runs."""


class KeptGame(BaseModel):
    """A game played by hand, as the settings keep it with its board."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    slides: tuple[str, ...] = ()  # moves of each step from its start; () if they are not known
    seconds: float = Field(default=0.0, ge=0)  # playing time
    key: str = ""  # key of its record; '' before its first slide
    begun: str = ""  # time of its first slide
    best: float | None = None  # value of its record; None if there is none yet
    hints: int = Field(default=0, ge=0)  # number of moves that hints have shown


class KeptBoard(BaseModel):
    """The board in play, or the start of the next run, as the settings keep it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    language: str = Field(default_factory=language)  # language of the name
    rows: tuple[str, ...] = Field(min_length=1)  # the board as its puzzle writes it
    start: tuple[str, ...] = ()  # board at the beginning of a game played by hand
    goal: tuple[str, ...] = ()
    n_moves: int = Field(default=0, ge=0)
    game: KeptGame = KeptGame()
    params: Values = {}
    locked: tuple[int, ...] = ()  # cells that no solver changes


class Choices:
    """The solver chosen for a puzzle, and the values in the panel.

    An opened run shows its own solver and values; the user's return after it. Those of a lesson
    that is open become the user's with the next board.
    """

    def __init__(self, panel: ControlPanel, puzzle_key: str, solver_key: str) -> None:
        self.panel, self.puzzle_key, self.solver_key = panel, puzzle_key, solver_key
        self._own: tuple[str, Values] | None = None
        self._borrowed: tuple[str, Values] = ("", {})
        """The user's solver and values before a run was opened, and those of that run."""
        self._rules: tuple[Values, Values] = {}, {}
        """The user's rules before the puzzle was loaded, and those that were shown with it."""
        self._left: dict[str, Values] = {}  # values of solvers that were shown before, by key
        self.choose(solver_key)

    @property
    def solver(self) -> SolverSpec:
        return catalog.solver(self.puzzle_key, self.solver_key).spec

    def choose(self, solver_key: str) -> None:
        """Choose another solver for the next run, and make the panel for it.

        A solver that was shown before has its values again, so that those of a run stay true.
        """
        before: Values = {}
        if self.solver_key != solver_key:
            before = self._left[self.solver_key] = self.panel.values("solver")
        self.solver_key = solver_key
        puzzle, solver = catalog.puzzle(self.puzzle_key).spec, self.solver
        self.panel.solvers.offer(self.puzzle_key, solver_key)
        self.panel.declare(puzzle.params, solver.params, solver.unit)
        left = self._left.get(solver_key, {})
        self.panel.set_values({name: left[name] for name in left if name not in before})
        self.panel.name_places(self.puzzle_key, solver_key)
        self.panel.seed_field.setVisible(solver.uses_seed)

    def recipe_maker(self, request: PuzzleRequest, seed: int) -> Callable[[], Recipe]:
        """Return a function that makes the recipe in the panel; raises ParameterError.

        The puzzle is made last, because that may take seconds.
        """
        validate(catalog.puzzle(self.puzzle_key).spec.params, self.panel.values("puzzle"))
        key, limits = self.solver_key, self.panel.limits()
        params = catalog.solver_params(self.puzzle_key, key, self.panel.values("solver"))
        return lambda: Recipe(request.build(), key, params, seed, limits)

    @property
    def own_solver_key(self) -> str:
        """Key of the user's solver, even while an opened run shows another."""
        own, borrowed = self._own, self._borrowed
        return self.solver_key if own is None or self.solver_key != borrowed[0] else own[0]

    def keep_own(self) -> None:
        """Remember the user's solver and values before those of a run replace them."""
        self._own, self._borrowed = self._shown(), ("", {})

    def note_borrowed(self) -> None:
        """Remember the values of that run; later differences are changes by the user.

        Those that ``keeper`` has restored are known already.
        """
        if self._own is not None and not self._borrowed[0]:
            self._borrowed = self._shown()

    def give_back(self) -> bool:
        """Restore the user's solver and values; returns whether any of them changes.

        Later changes by the user stay.
        """
        if self._own is None:
            return False
        (own_solver, own), (_, borrowed) = self._own, self._borrowed
        solver, (_, shown) = self.own_solver_key, self._shown()
        self.adopt()
        is_other = solver != self.solver_key
        if is_other:
            self.choose(solver)
        names = own if solver == own_solver else Limits.model_fields
        unchanged = [name for name in names if shown.get(name) == borrowed.get(name)]
        self.panel.set_values({name: own[name] for name in unchanged})
        return is_other or any(own[name] != borrowed.get(name) for name in unchanged)

    def own_rules(self) -> Values:
        """Return the puzzle's values but its size: the user's, for other words than those shown.

        A loaded puzzle may show others, such as the rule of a list or of an opened run.
        """
        own, loaded = self._rules
        shown = self._shown_rules()
        return {
            name: own.get(name, value) if value == loaded.get(name) else value
            for name, value in shown.items()
        }

    def note_rules(self, own: Values) -> None:
        """Remember the user's rules, now that a puzzle was loaded that may show others."""
        self._rules = own, self._shown_rules()

    def recall_rules(self, settings: Settings) -> None:
        """Remember the user's rules of the previous session, if it had any."""
        with contextlib.suppress(ValueError):
            own, loaded = last_list(settings, f"{self.puzzle_key}/own_rules", _RULES)
            if _is_valid(self.puzzle_key, own):
                self._rules = own, loaded

    def adopt(self) -> None:
        """Make the solver and the values that are shown the user's own."""
        self._own, self._borrowed = None, ("", {})

    def keeper(self) -> Callable[["Choices"], None]:
        """Return a function that restores the solver and the values of now, on any page."""
        (solver, values), own, borrowed = self._shown(), self._own, self._borrowed

        def restore(choices: Choices) -> None:
            choices.choose(solver)
            choices.panel.set_values(values)
            choices._own, choices._borrowed = own, borrowed

        return restore

    def take_over(self, before: "Choices") -> None:
        """Take over the user's solver and values from another page."""
        self._own, self._borrowed = before._own, before._borrowed
        self._left, self._rules = before._left, before._rules

    def remember(
        self,
        settings: Settings,
        solver_key: str,
        lexicon: Lexicon | None,
        board: KeptBoard | None,
        constraints: JsonObject,
        pace: float | None,
    ) -> None:
        """Store the puzzle that is shown, and its lexicon, size, rules, board, solver and speed.

        constraints: those of the puzzle that the lexicon's file does not have. pace: steps per
        second; None for full speed.
        """
        if not settings.preferences.remember_choices:
            return
        key, values = self.puzzle_key, self.panel.values("puzzle")
        settings.set_text(PUZZLE, key)
        settings.set_text(f"{key}/solver", solver_key)
        settings.set_text(f"{key}/pace", "" if pace is None else str(pace))
        for name in _SIZE:
            settings.set_text(f"{key}/{name}", str(values.pop(name, "")))
        settings.set_text(f"{key}/rules", json.dumps(values))
        if lexicon is not None:
            keep_list(settings, f"{key}/own_rules", _RULES, [self.own_rules(), values])
            where = _where(lexicon)
            words = "" if where else json.dumps({"lexicon": lexicon.name, **noted_words(lexicon)})
            carried = _carried_words(words)
            if carried is None or carried.digest != lexicon.digest:
                words = ""  # it has weights, for instance
            board = board if where or words else None  # the next start has no such words
            settings.set_text(f"{key}/lexicon", where)
            settings.set_text(f"{key}/words", words)
            settings.set_text(f"{key}/lexicon_digest", lexicon.digest)
        settings.set_text(f"{key}/constraints", json.dumps(constraints))
        settings.set_text(f"{key}/board", "" if board is None else board.model_dump_json())

    def _shown(self) -> tuple[str, Values]:
        """Return the solver and the values that are shown; the puzzle keeps its own values."""
        values = {**self.panel.values("solver"), **self.panel.values("limits")}
        return self.solver_key, values

    def _shown_rules(self) -> Values:
        values = self.panel.values("puzzle")
        return {name: values[name] for name in values if name not in _SIZE}


def last_shown(settings: Settings, puzzles: Collection[str]) -> str:
    """Return which of these puzzles was shown last, or the first."""
    puzzle = _text(settings, PUZZLE)
    return puzzle if puzzle in puzzles else next(iter(puzzles))


def last_solver(settings: Settings, key: str) -> str:
    """Return the solver of the previous session if it still exists, or else the usual one."""
    solver = _text(settings, f"{key}/solver")
    return solver if solver in catalog.solvers(key) else catalog.default_solver(key)


def last_pace(settings: Settings, key: str, paces: Collection[float | None]) -> float | None:
    """Return which of these steps per second the previous session had; None for full speed."""
    text = _text(settings, f"{key}/pace")
    return next((pace for pace in paces if str(pace) == text), None)


def last_size(settings: Settings, key: str) -> Values:
    """Return rows and columns of the previous session; {} if there are no valid ones."""
    values = {name: _text(settings, f"{key}/{name}") for name in _SIZE}
    if not all(value.isdecimal() and len(value) < 5 for value in values.values()):
        return {}
    size = {name: int(value) for name, value in values.items()}
    return size if _is_valid(key, size) else {}


def with_last_values(settings: Settings, key: str, make: Callable[[Values], T]) -> T:
    """Return what is made with the size and the rules of the previous session.

    Rules that are not valid, or that ``make`` refuses with a TileLabError, are left out.
    """
    size = last_size(settings, key)
    with contextlib.suppress(TileLabError, ValidationError):
        rules = TypeAdapter(Values).validate_json(_text(settings, f"{key}/rules"))
        if _is_valid(key, {**rules, **size}):
            return make({**rules, **size})
    return make(size)


def _is_valid(key: str, values: Values) -> bool:
    try:
        validate(catalog.puzzle(key).spec.params, values)
    except ParameterError:
        return False
    return True


def last_board(
    settings: Settings, key: str, names: Sequence[str], make: Callable[[KeptBoard], T]
) -> T | None:
    """Return what is made of the board of the previous session; None if that is not possible.

    names: English texts that the board's name may be a translation of.
    """
    with contextlib.suppress(TileLabError, ValidationError):
        kept = KeptBoard.model_validate_json(_text(settings, f"{key}/board"))
        name = translated_again(kept.name, kept.language, names)
        return make(kept.model_copy(update={"name": name}))
    return None


def last_constraints(settings: Settings, key: str, lexicon: Lexicon) -> dict[str, Any]:
    """Return the constraints of the previous session; {} if it had another lexicon or none."""
    with contextlib.suppress(ValidationError):
        kept = TypeAdapter(dict[str, Any]).validate_json(_text(settings, f"{key}/constraints"))
        if lexicon.digest == _text(settings, f"{key}/lexicon_digest"):
            return kept
    return {}


def last_list(settings: Settings, name: str, kind: TypeAdapter[list[T]]) -> list[T]:
    """Return a list that was kept for another start; [] if it cannot be read."""
    with contextlib.suppress(ValidationError):
        return kind.validate_json(_text(settings, name))
    return []


def keep_list(settings: Settings, name: str, kind: TypeAdapter[list[T]], items: list[T]) -> None:
    """Store a list for :func:`last_list`, as the board that is shown is stored."""
    if settings.preferences.remember_choices:
        settings.set_text(name, kind.dump_json(items).decode())


def last_puzzle(settings: Settings, kind: type[L], otherwise: str) -> tuple[L, str]:
    """Make the letter puzzle of the previous session.

    otherwise: the lexicon if there is none, or it can no longer be read. Returns the puzzle, and a
    sentence about what has changed or ''.
    """
    key = kind.spec.key
    name = _text(settings, f"{key}/lexicon")

    def make(lexicon: Lexicon) -> L:
        return with_last_values(settings, key, partial(kind.from_values, lexicon))

    digest = _text(settings, f"{key}/lexicon_digest")
    if not name:
        carried = _carried_words(_text(settings, f"{key}/words"))
        puzzle = make(carried or open_lexicon(otherwise))
        if carried is not None or not digest:
            return puzzle, ""
        title = shown_title(puzzle.lexicon.title)
        said = tr("The words of the last run were not kept; {title} is loaded.", title=title)
        return puzzle, said
    kinds = [Accents.KEEP, Accents.FOLD]
    if settings.preferences.fold_accents:
        kinds.reverse()
    try:
        puzzles = []
        for accents in kinds:
            # The preference of accents may have changed after the lexicon was read.
            lexicon = open_lexicon(name, accents)
            puzzles.append(make(lexicon))
            if lexicon.digest == digest:  # that of all its words, some of which may not count
                return puzzles[-1], ""
    except TileLabError as error:
        puzzle = make(open_lexicon(otherwise))
        why = str(error) if is_there(Path(name)) else tr("{name} no longer exists", name=name)
        return puzzle, tr(
            "Loaded {title} instead of the last word list: {reason}.",
            title=puzzle.lexicon.title,
            reason=why,
        )
    return puzzles[0], tr("{title} has changed since last time.", title=puzzles[0].lexicon.title)


def _carried_words(notes: str) -> Lexicon | None:
    """Return the stored words of a lexicon without a file; None if there are none."""
    with contextlib.suppress(TileLabError, ValidationError):
        noted = TypeAdapter(dict[str, str]).validate_json(notes)
        words = noted_list(noted)
        return None if words is None else words.lexicon(noted.get("lexicon", ""))
    return None


def _where(lexicon: Lexicon) -> str:
    """Return the path of a lexicon, or '' for one that came with a run and has no file."""
    if lexicon.path is None:
        return lexicon.name if is_builtin(lexicon.name) else ""
    path = str(lexicon.path.absolute())
    # Settings hold text; a file name that is not valid text would change.
    return path if path.encode(errors="replace").decode() == path else ""


def _text(settings: Settings, name: str) -> str:
    return settings.text(name) if settings.preferences.remember_choices else ""
