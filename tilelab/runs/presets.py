"""The algorithms of papers with their parameters, and runs of them one after the other."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tilelab import catalog
from tilelab.core.errors import SOLVER_ERRORS, RunError, sentence_of
from tilelab.core.files.resources import resource
from tilelab.core.plain import Value
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import marked
from tilelab.runs.actions import State
from tilelab.runs.history.record import now, record_of_session
from tilelab.runs.limits import Limits, limit_name
from tilelab.runs.races import Record
from tilelab.runs.recipe import Recipe, warm_up, with_prerequisites
from tilelab.runs.result import status_word
from tilelab.runs.session import Session


class Preset(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    solver: str
    params: dict[str, Value]  # parameters that differ from the defaults


class Paper(BaseModel):
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
    place: int  # index of the preset, from 0
    status: str
    n_expanded: int = 0  # boards expanded
    n_generated: int = 0
    length: int | None = None  # moves of its path; None while there is none
    optimal: bool | None = None
    seconds: float = 0.0
    error: str = ""  # the reason why it cannot run on this puzzle


def compare(
    puzzle: Puzzle,
    presets: Sequence[Preset],
    limits: Limits,
    record: Record | None = None,
    tags: str = "",
) -> Iterator[RaceComparison]:
    """Run presets one after the other in short slices; yield after each slice.

    All are warmed up before the first one's clock runs. One that cannot run on the puzzle is
    reported. record: takes the history's record of each run that has begun, with these tags.
    """
    able: list[tuple[int, Recipe]] = []
    for place, preset in enumerate(presets):
        yield RaceComparison(place, marked("getting ready"))
        try:
            params = catalog.solver_params(puzzle.spec.key, preset.solver, preset.params)
            recipe = Recipe(puzzle, preset.solver, params, limits=limits)
            for making in with_prerequisites(functools.partial(warm_up, recipe)):
                yield RaceComparison(place, str(making))
        except SOLVER_ERRORS as error:
            yield _failed_comparison(place, error)
            continue
        able.append((place, recipe))
        yield RaceComparison(place, "waiting")
    for place, recipe in able:
        session, begun = Session(), now()
        try:
            session.begin(recipe)
            while session.state is State.RUNNING:
                session.run_slice()
                yield _comparison_of(session, place)
        except SOLVER_ERRORS as error:
            yield _failed_comparison(place, error)
        finally:
            # Also when the caller stops it in the middle.
            if record is not None and session.solver is not None:
                record(record_of_session(session, begun=begun, tags=tags))


def _failed_comparison(place: int, error: Exception) -> RaceComparison:
    return RaceComparison(place, "failed", error=sentence_of(error))


def _comparison_of(session: Session, place: int) -> RaceComparison:
    if session.state is State.FAILED:
        raise RunError(session.message)
    metrics = dict(zip(session.spec.metrics, session.last_row, strict=False))
    moves = None if session.best is None else session.best.moves
    return RaceComparison(
        place,
        limit_name(session.limit_reached, session.spec.unit) or status_word(session),
        int(metrics.get("expanded", 0)),
        int(metrics.get("generated", 0)),
        None if moves is None else len(moves),
        None if session.best is None else session.best.optimal,
        session.seconds,
    )
