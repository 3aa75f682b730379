"""What the history keeps of a run: a line for the list, and the details."""

import json
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from inspect import getattr_static
from typing import NotRequired, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from tilelab import catalog
from tilelab.core.parameters import Params
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import Best, Cells, Puzzle
from tilelab.core.solver import SolverSpec, Status
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import boards_expanded, counted, number_again
from tilelab.core.version import VERSION
from tilelab.runs.actions import State
from tilelab.runs.recipe import LiveChange, Recipe
from tilelab.runs.result import UNKNOWN, Figures, figures_of, status_word
from tilelab.runs.session import Session
from tilelab.runs.trace import Trace

BY_HAND = "by-hand"  # the solver's key in the record of a game played by hand
HAND_TITLE = marked("By hand")  # the solver's title in it, in any language
GIVEN_UP = "given up"  # status of a game whose rest was revealed
_EDITED_UNIT = "board"  # unit of a board that was edited by hand
NO_RERUN = marked("A game by hand cannot be run again; open its board to play it.")
MAX_POINTS = 200
MAX_METRICS = 32
Points = tuple[NDArray[np.float64], NDArray[np.float64]]
Curves = Mapping[str, Points]  # units and values of each metric, both float64 (points,)


def now(*, days_ago: float = 0.0) -> str:
    """Return the time in UTC as the history writes it: ``2026-03-01T09:30:00.125Z``."""
    moment = datetime.now(UTC) - timedelta(days=days_ago)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, kw_only=True, eq=False)
class RunLine(Figures):
    id: int = 0  # its number in the history; 0 before it is kept
    key: str = field(default_factory=lambda: uuid.uuid4().hex)  # the same run has the same key
    puzzle: str
    title: str  # the instance in a few words: its lexicon or its board
    rows: int
    cols: int
    solver: str
    solver_title: str
    seed: int
    status: str  # running, paused, solved, exhausted, limit, failed, interrupted or given up
    unit: str
    units: int
    seconds: float
    value: float | None = None  # value of the best board; None when there is none
    value_text: str = ""  # the value as text: 33, 46 moves, nearest: 12+ to goal
    n_moves: int | None = None
    best_unit: int | None = None
    best_seconds: float | None = None  # running time at which the best was found
    begun: str  # time of the beginning in UTC, as now writes it
    ended: str
    program: str = VERSION
    tags: str = ""  # words separated by commas
    note: str = ""
    params: JsonObject = field(default_factory=dict)  # the solver's parameters

    @property
    def solver_words(self) -> str:
        """Title of the solver in the current language, with its heuristic."""
        # Without one, the solver is not imported, which takes long.
        if catalog.HEURISTIC not in self.params:
            return tr(self.solver_title)
        return catalog.solver_title(self.puzzle, self.solver, self.solver_title, self.params)

    @property
    def shown_seed(self) -> str:
        """Seed as text; '' for a game by hand, which has none."""
        return "" if self.solver == BY_HAND else str(self.seed)

    @property
    def is_search(self) -> bool:
        """Whether a search has made it, whose units say nothing; by its figures without solver."""
        solver = catalog.solvers(self.puzzle).get(self.solver)
        return self.expanded is not None if solver is None else solver.spec.is_search

    @property
    def done(self) -> str:
        """How far it went in words: boards expanded of a search, units of another run."""
        if self.expanded is not None:
            return boards_expanded(self.expanded)
        return counted(self.units, self.unit)

    @property
    def shown_value(self) -> str:
        """Value as text in the current language."""
        puzzle = catalog.puzzles().get(self.puzzle)
        if puzzle is None:
            return self.value_text
        if self.value is None or not puzzle.spec.value_is_distance:
            # The value may have terms that guide a solver. A puzzle's own words are not read.
            own, usual = (getattr_static(one, "value_text") for one in (puzzle, Puzzle))
            is_number = own is usual
            return number_again(self.value_text) if is_number else self.value_text
        return puzzle.value_text(self.value, self.n_moves)


def thin_trace(trace: Trace) -> dict[str, Points]:
    """Thin a trace to at most 200 points a metric, each a row that the run had."""
    reach = float(trace.n_units)
    return {
        name: trace.points(name, 0.0, reach, MAX_POINTS // 2) for name in trace.names[:MAX_METRICS]
    }


def pack(curves: Curves) -> tuple[str, bytes]:
    """Write curves: names and counts as JSON, then zlib of doubles, units before values."""
    counts = [[name, len(units)] for name, (units, _) in curves.items()]
    parts = [part for points in curves.values() for part in points]
    whole = np.concatenate(parts) if parts else np.empty(0)
    return json.dumps(counts), zlib.compress(whole.astype("<f8").tobytes())


def unpack(names: str | None, data: bytes | None) -> dict[str, Points]:
    """Read what :func:`pack` wrote, in bounded memory; {} for other data."""
    counts = _counts(names)
    n_bytes = 16 * sum(count for _, count in counts)
    if not counts or not data:
        return {}
    try:
        raw = zlib.decompressobj().decompress(data, n_bytes + 1)
    except zlib.error:
        return {}
    if len(raw) != n_bytes:
        return {}
    whole, curves, begin = np.frombuffer(raw, "<f8").astype(np.float64), {}, 0
    for name, count in counts:
        middle, end = begin + count, begin + 2 * count
        curves[name] = (whole[begin:middle], whole[middle:end])
        begin = end
    return curves


def _counts(names: str | None) -> Sequence[tuple[str, int]]:
    try:
        entries = json.loads(names or "[]")
        counts = [(str(name), int(count)) for name, count in entries]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return ()
    is_sound = len(counts) <= MAX_METRICS and all(0 <= n <= MAX_POINTS + 2 for _, n in counts)
    return counts if is_sound else ()


@dataclass(frozen=True, kw_only=True, eq=False)
class RunRecord(RunLine):
    instance: JsonObject = field(default_factory=dict)  # the result of puzzle.instance()
    puzzle_params: JsonObject = field(default_factory=dict)
    limits: JsonObject = field(default_factory=dict)
    cells: Cells | None = None
    board: tuple[str, ...] = ()  # the best board, or the start without one, as text a row
    moves: str | None = None
    optimal: bool | None = None
    curves: Curves = field(default_factory=dict)
    thumbnail: bytes | None = None  # a small PNG picture; None while none was made
    journal: tuple[LiveChange, ...] = ()  # the live parameters that were changed during the run
    origin: JsonObject = field(default_factory=dict)  # the result of puzzle.origin()
    run_file: str | None = None  # file that the user saved the run in, as path_text writes it
    note_before: str = ""  # note of an earlier record, which this one's replaces if it is unchanged

    @property
    def sets_no_record(self) -> bool:
        """Whether the value is that of words a player found, an edited board, or the start."""
        is_of_start = not self.optimal and self.origin.get("start") == list(self.board)
        return is_of_start or (self.solver == BY_HAND and self.moves is None)

    @property
    def is_edited_board(self) -> bool:
        """Whether a player has made the board by hand, without a game on it."""
        return self.solver == BY_HAND and self.unit == _EDITED_UNIT


class RecordFacts(TypedDict):
    """Fields of a record that come from neither the recipe nor the solver nor the best."""

    status: str
    begun: str
    ended: str
    key: NotRequired[str]
    best_seconds: NotRequired[float | None]
    curves: NotRequired[Curves]
    run_file: NotRequired[str | None]
    tags: NotRequired[str]
    note: NotRequired[str]
    note_before: NotRequired[str]


def record_of(
    recipe: Recipe,
    solver: SolverSpec,
    *,
    best: Best | None = None,
    start: Cells | None = None,
    origin: JsonObject | None = None,
    units: int,
    seconds: float,
    figures: Figures = UNKNOWN,
    **facts: Unpack[RecordFacts],
) -> RunRecord:
    """Make the record of a run; units, seconds: its current length.

    recipe: with the current limits and changes. start: board of a run without a best; None for
    the puzzle's own. origin: None for the puzzle's own.
    """
    puzzle = recipe.puzzle
    rows, cols = puzzle.shape
    cells = (puzzle.start if start is None else start) if best is None else best.cells
    return RunRecord(
        puzzle=puzzle.spec.key,
        title=puzzle.title,
        rows=int(rows),
        cols=int(cols),
        # A number of numpy's would be kept as bytes.
        units=int(units),
        seconds=float(seconds),
        value=None if best is None else float(best.value),
        value_text="" if best is None else puzzle.worth(best),
        n_moves=None if best is None else best.n_moves,
        best_unit=None if best is None else int(best.unit),
        cells=None if cells is None else cells.copy(),
        board=() if cells is None else tuple(puzzle.rows_of(cells)),
        moves=None if best is None else best.moves,
        optimal=None if best is None or best.optimal is None else bool(best.optimal),
        instance=dict(puzzle.instance()),
        origin=puzzle.origin() if origin is None else origin,
        puzzle_params=puzzle.params.model_dump(mode="json"),
        solver=solver.key,
        solver_title=solver.title,
        params=recipe.plain_params,
        seed=recipe.seed,
        unit=solver.unit,
        limits=recipe.limits.model_dump(mode="json", exclude_none=True),
        journal=recipe.changes,
        **asdict(figures),
        **facts,
    )


def record_of_session(
    session: Session,
    *,
    begun: str,
    status: str = "",
    best: Best | None = None,
    tags: str = "",
    run_file: str | None = None,
) -> RunRecord:
    """Make the record of a session's run; best: replaces the session's.

    status: a word, or '' for the session's own; a run that is going is then interrupted.
    """
    is_going, best = session.state is State.RUNNING, best or session.best
    return record_of(
        replace(session.recipe, changes=tuple(session.journal)),
        session.spec,
        best=best,
        units=session.units,
        seconds=session.seconds,
        figures=figures_of(session.spec, session.trace, session.metrics, session.evaluations, best),
        status=status or ("interrupted" if is_going else status_word(session)),
        begun=begun,
        ended=now(),
        key=session.key,
        best_seconds=session.best_seconds,
        curves=thin_trace(session.trace),
        tags=tags,
        run_file=run_file,
    )


def record_by_hand(
    puzzle: Puzzle,
    best: Best,
    *,
    key: str,
    begun: str,
    unit: str,
    units: int,
    seconds: float,
    is_solved: bool,
    is_given_up: bool = False,
    note: str = "",
    note_before: str = "",
) -> RunRecord:
    """Make the record of a game, which replaces that of the same key.

    unit: what a player does one by one. seconds: playing time. note_before: that of the record
    before, which the note replaces unless the user has changed it.
    """
    player = SolverSpec(
        key=BY_HAND,
        title=HAND_TITLE,
        source="",
        puzzles=(puzzle.spec.key,),
        params=Params,
        unit=unit,
        metrics=(),
        version=1,
    )
    status = Status.SOLVED.value if is_solved else State.PAUSED.value
    return record_of(
        Recipe(puzzle, BY_HAND, Params()),
        player,
        best=best,
        units=units,
        seconds=seconds,
        status=GIVEN_UP if is_given_up else status,
        begun=begun,
        ended=now(),
        key=key,
        note=note,
        note_before=note_before,
    )


def record_of_edits(puzzle: Puzzle, best: Best) -> RunRecord:
    """Make the record of a board that was edited by hand.

    The same board under the same rules has one record.

    puzzle: the puzzle that starts with that board. best: the board with its value.
    """
    params = puzzle.params.model_dump(mode="json")
    board = json.dumps([puzzle.instance(), params, puzzle.rows_of(best.cells)], sort_keys=True)
    return record_by_hand(
        puzzle,
        best,
        key=uuid.uuid5(uuid.NAMESPACE_OID, board).hex,
        begun=now(),
        unit=_EDITED_UNIT,
        units=1,
        seconds=0.0,
        is_solved=False,
    )
