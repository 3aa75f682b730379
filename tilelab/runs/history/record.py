"""What the history keeps of a run: a line for the list, and the rest for whoever looks closer."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import tilelab
from tilelab.core.path_text import path_text
from tilelab.core.puzzle import Cells
from tilelab.core.solver import Best, SolverSpec
from tilelab.core.wording import counted, number
from tilelab.runs.history.curves import Curves, thinned
from tilelab.runs.outcome import status_word
from tilelab.runs.session import Knob, Limits, Session


def now() -> str:
    """Return the time in UTC as the history writes it: ``2026-03-01T09:30:00.125Z``."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, kw_only=True, eq=False)
class RunLine:
    """What a list of runs shows."""

    id: int = 0
    """Its number in the history; 0 before it is kept."""
    key: str = field(default_factory=lambda: uuid.uuid4().hex)
    """The run itself: a record with the same key takes the place of the one before."""
    puzzle: str
    title: str
    """The instance in a few words: the lexicon or the board."""
    rows: int
    cols: int
    solver: str
    solver_title: str
    seed: int
    status: str
    """running, paused, solved, exhausted, limit, failed or interrupted."""
    unit: str
    units: int
    seconds: float
    value: float | None = None
    """Of the best board; None when there is none."""
    value_text: str = ""
    """The same as people read it: ``33``, ``46 moves``, ``12 away``."""
    n_moves: int | None = None
    best_unit: int | None = None
    best_seconds: float | None = None
    """Running time at which the best was met."""
    begun: str
    """UTC, as :func:`now` writes it."""
    ended: str
    program: str = tilelab.__version__
    tags: str = ""
    """Words with a comma between."""
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunRecord(RunLine):
    """Everything that is kept of a run."""

    instance: Mapping[str, Any] = field(default_factory=dict)
    """What ``puzzle.instance()`` says."""
    puzzle_params: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    """Of the solver."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    cells: Cells | None = None
    board: tuple[str, ...] = ()
    """The best board as text, one string a row."""
    moves: str | None = None
    optimal: bool | None = None
    curves: Curves = field(default_factory=dict)
    thumbnail: bytes | None = None
    """A small PNG picture, where somebody has made one."""
    journal: tuple[Knob, ...] = ()
    """The live parameters that were turned while the run was going."""
    origin: Mapping[str, Any] = field(default_factory=dict)
    """What it takes to make the instance again; see :func:`origin_of`."""
    run_file: str | None = None
    """Where a person has saved the run, as ``path_text`` writes it."""


def record_of(
    puzzle: Any,
    solver: SolverSpec,
    params: Mapping[str, Any],
    *,
    best: Best | None = None,
    limits: Limits | None = None,
    units: int,
    seconds: float,
    **facts: Any,
) -> RunRecord:
    """Make the record of a run; facts: the other fields of :class:`RunRecord`.

    params: the solver's in the first unit, as plain values. units, seconds: how long the run is
    by now.
    """
    found: dict[str, Any] = {}
    if best is not None:
        found = {
            "value": float(best.value),
            "value_text": value_text(puzzle, best),
            "n_moves": None if best.moves is None else len(best.moves),
            "best_unit": int(best.unit),
            "cells": best.cells.copy(),
            "board": tuple(puzzle.rows_of(best.cells)),
            "moves": best.moves,
            "optimal": best.optimal,
        }
    instance = puzzle.instance()
    rows, cols = puzzle.shape
    return RunRecord(
        puzzle=puzzle.spec.key,
        title=instance_title(puzzle),
        rows=int(rows),
        cols=int(cols),
        # A number of numpy's would be kept as bytes.
        units=int(units),
        seconds=float(seconds),
        instance=instance,
        origin=origin_of(puzzle),
        puzzle_params=puzzle.params.model_dump(mode="json"),
        solver=solver.key,
        solver_title=solver.title,
        params=params,
        unit=solver.unit,
        limits={} if limits is None else limits.model_dump(mode="json", exclude_none=True),
        **found,
        **facts,
    )


def record_of_session(session: Session, *, status: str = "", **facts: Any) -> RunRecord:
    """Make the record of a session's run.

    status: a word, or '' for how the session stands. facts: as for :func:`record_of`.
    """
    trace = session.trace
    known: dict[str, Any] = {
        "best": session.best,
        "best_seconds": session.best_seconds,
        "curves": {} if trace is None else thinned(trace),
        "ended": now(),
    }
    return record_of(
        session.puzzle,
        session.solver.spec,
        session.first_params,
        limits=session.limits,
        seed=session.seed,
        status=status or status_word(session),
        units=session.units,
        seconds=session.seconds,
        journal=tuple(session.journal),
        key=session.key,
        **{**known, **facts},
    )


def origin_of(puzzle: Any) -> dict[str, Any]:
    """Say what it takes to make an instance again, besides what ``instance()`` tells.

    Of a lexicon its name, file, digest and number of strings; of letters the start board.
    """
    lexicon = getattr(puzzle, "lexicon", None)
    if lexicon is None:
        return {}
    start = getattr(puzzle, "start", None)
    return {
        "lexicon": lexicon.name,
        "file": None if lexicon.path is None else path_text(lexicon.path.absolute()),
        "digest": lexicon.digest,
        "n_strings": len(lexicon.strings),
        "start": None if start is None else list(puzzle.rows_of(start)),
    }


def instance_title(puzzle: Any) -> str:
    """Say in a few words which instance a puzzle is: its lexicon or its board."""
    lexicon = getattr(puzzle, "lexicon", None)
    return str(puzzle.instance().get("board", "")) if lexicon is None else str(lexicon.title)


def value_text(puzzle: Any, best: Best) -> str:
    """Write what a best is worth as people read it: ``33``, ``46 moves``, ``12 away``."""
    if puzzle.spec.uses_lexicon:
        return number(best.value)
    if best.moves is None:
        return f"{number(-best.value)} away"
    return counted(len(best.moves), "move")
