"""The result of a run for people and programs: its JSON object, its saved board, and its cost."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tilelab.core.errors import RunError, solver_errors
from tilelab.core.parameters import with_former_names
from tilelab.core.plain import Json
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import memory, plain_number
from tilelab.runs.actions import State
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.session import Session
from tilelab.runs.trace import Trace

# Titles of the figures, by the fields of Figures.
TITLES = {
    "evaluations": marked("Evaluations"),
    "expanded": marked("Expanded"),
    "generated": marked("Generated"),
    "memory": marked("Memory"),
    "proven": marked("Proven"),
}


def status_word(session: Session) -> str:
    if session.state is State.FINISHED:
        return session.status.value
    return session.state.value


@solver_errors()
def outcome(session: Session) -> dict[str, Json]:
    """Return the result of a session's run in plain values; 'metrics' is the newest row."""
    if session.solver is None:
        raise RunError.tr("there is no run to describe")
    puzzle, spec = session.puzzle, session.solver.spec
    params = {
        **puzzle.instance(),
        **puzzle.params.model_dump(mode="json"),
        **with_former_names(spec.params, session.solver.params.model_dump(mode="json")),
    }
    metrics: dict[str, Json] = {
        name: plain_number(value)
        for name, value in zip(spec.metrics, session.last_row, strict=False)
    }
    result: dict[str, Json] = {
        "puzzle": puzzle.spec.key,
        "solver": spec.key,
        "params": params,
        "seed": session.seed,
        "status": status_word(session),
        "units": session.units,
        "seconds": round(session.seconds, 6),
        "best": None,
        "metrics": metrics,
    }
    if session.evaluations is not None:
        metrics["evaluations"] = session.evaluations
    if session.journal:
        result["journal"] = [dataclasses.asdict(change) for change in session.journal]
    if session.limit_reached:
        result["limit_reached"] = session.limit_reached
    if session.best is not None:
        best = puzzle.with_path(session.best)
        result["best"] = {**puzzle.outcome(best), "optimal": best.optimal, "unit": best.unit}
    boards = session.solver.archived()
    if boards is not None:
        result["archive_size"] = len(boards)
        result["archive"] = [list(puzzle.rows_of(cells)) for cells in boards]
    return result


@solver_errors()
def grid_text(puzzle: Puzzle, best: Best, unit: str, seed: int | None) -> str:
    """Return a run's best board as text, with notes.

    unit: the solver's own step. seed: None for a solver that uses none.
    """
    notes = {**puzzle.notes(puzzle.with_path(best)), unit: best.unit}
    if seed is not None:
        notes["seed"] = seed
    return puzzle.saved_text(best, notes)


def save_grid(session: Session, path: str | Path) -> Path:
    """Write the best board of a session to a text file, atomically; RunError when there is none."""
    if session.best is None:
        raise RunError.tr("there is no board to save yet")
    spec = session.spec
    seed = session.seed if spec.uses_seed else None
    return write_atomically(path, grid_text(session.puzzle, session.best, spec.unit, seed))


@dataclass(frozen=True, kw_only=True, eq=False)
class Figures:
    """Figures by which runs of different solvers are compared; unknown ones are None."""

    evaluations: int | None = None  # boards scored or generated
    expanded: int | None = None  # boards expanded
    generated: int | None = None  # boards generated
    memory: float | None = None  # largest memory that the boards have taken, in MB
    proven: int | None = None  # lower bound of the moves; a best with as many is shortest


UNKNOWN = Figures()  # the figures of a run of which none is known


def figures_of(
    solver: SolverSpec,
    trace: Trace,
    newest: Mapping[str, float],
    evaluations: int | None,
    best: Best | None,
) -> Figures:
    """Read the figures of a run from what it has reported.

    trace: of that solver's metrics. newest: their newest values, inside a unit where known.
    """

    def highest(metric: str) -> float | None:
        extremes = trace.extremes(metric) if metric in trace.names else None
        # Inside a unit the trace does not know them yet.
        known = [*(extremes or ()), newest.get(metric, math.nan)]
        return max(filter(math.isfinite, known), default=None)

    def count(metric: str) -> int | None:
        value = highest(metric)
        return None if value is None else int(value)

    megabytes = highest("megabytes")
    proven = count("bound") if solver.proves_bound else None
    if best is not None and best.optimal:
        proven = best.n_moves
    return Figures(
        evaluations=evaluations,
        expanded=count("expanded"),
        generated=count("generated"),
        memory=None if megabytes is None else round(megabytes, 3),
        proven=proven,
    )


def figure_texts(found: Figures, n_moves: int | None) -> dict[str, str]:
    """Return figures as texts, '' for unknown ones; n_moves: of the best."""
    counts = {name: getattr(found, name) for name in ("evaluations", "expanded", "generated")}
    texts = {name: "" if count is None else figures(count, ",") for name, count in counts.items()}
    texts["memory"] = "" if found.memory is None else memory(found.memory)
    if found.proven is None:
        texts["proven"] = ""
    elif n_moves is not None and n_moves <= found.proven:
        texts["proven"] = tr("shortest")
    else:
        texts["proven"] = tr("{proven} or more", proven=f"{figures(found.proven, ',')}")
    return texts
