"""The papers' algorithms by their own names, and all of a paper's run on one puzzle."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tilelab import catalog
from tilelab.core.errors import SOLVER_ERRORS, RunError, sentence_of
from tilelab.core.files.resources import resource
from tilelab.core.parameters import Params
from tilelab.core.plain import Value
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.wording import limit_word
from tilelab.runs.actions import State
from tilelab.runs.history.record import RunRecord, now, record_of_session
from tilelab.runs.making import made_first
from tilelab.runs.outcome import status_word
from tilelab.runs.session import Limits, Session
from tilelab.runs.warm_up import warm_up

Record = Callable[[RunRecord], object]
"""Takes the record of a run."""


class Preset(BaseModel):
    """A solver with parameters, under the name that a paper gives it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    solver: str
    params: dict[str, Value]
    """Those that differ from the defaults."""


class Paper(BaseModel):
    """A source and its algorithms."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    presets: tuple[Preset, ...]


@functools.cache
def papers(puzzle_key: str) -> tuple[Paper, ...]:
    """Return the papers on a puzzle; none is no error."""
    file = resource("presets", f"{puzzle_key}.json")
    if not file.is_file():
        return ()
    return TypeAdapter(tuple[Paper, ...]).validate_json(file.read_text("utf-8"))


@dataclass(frozen=True)
class RaceComparison:
    """How one algorithm stands, as in the papers' tables."""

    place: int
    """Which of the presets it is, from 0."""
    status: str
    n_expanded: int = 0
    """Boards expanded."""
    n_generated: int = 0
    length: int | None = None
    """Moves of its path, or None while there is none."""
    optimal: bool | None = None
    seconds: float = 0.0
    error: str = ""
    """Why it cannot run on this puzzle."""


def compare(
    puzzle: Puzzle,
    presets: Sequence[Preset],
    limits: Limits,
    record: Record | None = None,
    tags: str = "",
) -> Iterator[RaceComparison]:
    """Run presets one after the other in short slices; yields after each slice.

    All are warmed up before the first one's clock runs, so that no figure depends on the order.
    limits: of each preset. One that cannot run on the puzzle is reported, and the others follow.
    record: is given what the history shall keep of each run that has begun, with these tags.
    """
    able: list[tuple[int, str, Params]] = []
    for place, preset in enumerate(presets):
        yield RaceComparison(place, tr("getting ready"))
        try:
            params = catalog.solver_params(puzzle.spec.key, preset.solver, preset.params)
            work = functools.partial(warm_up, puzzle, preset.solver, params)
            for making in made_first(work):
                yield RaceComparison(place, str(making))
        except SOLVER_ERRORS as error:
            yield _failed(place, error)
            continue
        able.append((place, preset.solver, params))
        yield RaceComparison(place, "waiting")
    for place, solver, params in able:
        session, begun = Session(), now()
        try:
            session.load(puzzle)
            session.go(solver, params, 0, limits)
            while session.state is State.RUNNING:
                session.tick()
                yield _reported(session, place)
        except SOLVER_ERRORS as error:
            yield _failed(place, error)
        finally:
            # Called off in the middle, too.
            if record is not None and session.solver is not None:
                record(record_of_session(session, begun=begun, tags=tags))


def _failed(place: int, error: Exception) -> RaceComparison:
    return RaceComparison(place, "failed", error=sentence_of(error))


def _reported(session: Session, place: int) -> RaceComparison:
    if session.state is State.FAILED:
        raise RunError(session.message)
    metrics = dict(zip(session.spec.metrics, session.last_row, strict=False))
    moves = None if session.best is None else session.best.moves
    return RaceComparison(
        place,
        limit_word(session.limit_reached, session.spec.unit) or status_word(session),
        int(metrics.get("expanded", 0)),
        int(metrics.get("generated", 0)),
        None if moves is None else len(moves),
        None if session.best is None else session.best.optimal,
        session.seconds,
    )
