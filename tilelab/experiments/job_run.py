"""One run of a plan, the same as `tilelab run` does with the same seed, wherever it runs."""

import shlex
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

from tilelab.core.errors import SOLVER_ERRORS, RunError, sentence_of, solver_errors
from tilelab.core.plain import Value
from tilelab.core.text.wording import plain_number
from tilelab.experiments.checkpoints import (
    MAX_BYTES_AT_END,
    Checkpoints,
    Improvement,
    checkpoint_file,
    resume_from,
)
from tilelab.experiments.jobs import Job, command_of, recipe_of
from tilelab.runs.actions import State
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import complete
from tilelab.runs.result import status_word
from tilelab.runs.session import Session

FAILED = "failed"


class Row(TypedDict):
    solver: str
    params: Mapping[str, Value]  # the solver's in the plan, and the values of the puzzle that vary
    instance: int
    repeat: int  # numbers of the instance and of the repeat, from 1
    seed: int
    status: str  # solved, exhausted, limit or failed
    units: int | None
    evaluations: int | None  # boards scored or generated; None where its solver does not count them
    seconds: float | None
    value: int | float | None  # value of the best board; None where there is none
    limit_reached: str  # key in [limits] of the limit that ended it, or the solver's word, or ''
    moves: int | None  # number of moves of the path to the best board; None where there is none
    optimal: bool | None  # whether it is proven that no path is shorter; None if unknown
    best_unit: int | None  # unit in which the best was found
    metrics: Mapping[str, int | float]  # newest row of the solver's own metrics
    error: str  # the error of a failed run, or ''
    command: str  # the command that makes this run again; '' for a failed run


class Outcome(NamedTuple):
    row: Row
    improvements: tuple[Improvement, ...] = ()


def run_job(job: Job) -> Outcome:
    """Do a run to its end; an error in it becomes a failed row."""
    try:
        with solver_errors():
            session, improvements = session_of(job)
            return Outcome(_row(job, session), improvements)
    except SOLVER_ERRORS as error:
        return Outcome(failed_row(job, sentence_of(error)))


def failed_row(job: Job, error: str) -> Row:
    return Row(
        solver=job["solver"],
        params=job["varied"],
        instance=job["instance"],
        repeat=job["repeat"],
        seed=job["seed"],
        status=FAILED,
        units=None,
        evaluations=None,
        seconds=None,
        value=None,
        limit_reached="",
        moves=None,
        optimal=None,
        best_unit=None,
        metrics={},
        error=error,
        command="",
    )


def session_of(job: Job) -> tuple[Session, tuple[Improvement, ...]]:
    """Do a run to its end; return its session and improvements. Raises what a solver may raise."""
    session, recipe, file = Session(), recipe_of(job), checkpoint_file(job)

    def begin() -> None:
        if not resume_from(file, session, recipe):
            session.begin(recipe)

    complete(begin)  # what it lacks, such as a pattern database, is made before its clock runs
    kept = Checkpoints(session, file)
    while session.state is State.RUNNING:
        kept.note(session.run_slice())
        if status_word(session) == State.RUNNING:
            kept.follow()
    if status_word(session) == FAILED:
        raise RunError(session.message)
    if job["state"]:
        kept.write(MAX_BYTES_AT_END)
    return session, tuple(kept.improvements)


def _row(job: Job, session: Session) -> Row:
    best, metrics = session.best, zip(session.spec.metrics, session.last_row, strict=False)
    # By units it ends there again, whatever clock or count has ended it here.
    is_cut = session.limit_reached in Limits.model_fields
    return {
        **failed_row(job, ""),
        "status": status_word(session),
        "units": session.units,
        "evaluations": session.evaluations,
        "seconds": round(session.seconds, 6),
        "value": None if best is None else plain_number(best.value),
        "limit_reached": session.limit_reached,
        "moves": None if best is None else best.n_moves,
        "optimal": None if best is None else best.optimal,
        "best_unit": None if best is None else best.unit,
        "metrics": {name: plain_number(value) for name, value in metrics},
        "command": shlex.join(command_of(job, session.units if is_cut else None)),
    }
