"""Run files: a run with its puzzle, its solver's state and its curve, to be continued later.

The format is described in docs/run-file.md. Everything is checked on fresh objects before any of it
is returned. Puzzles and snapshots for other machines are zips, too: the same version reads them.
"""

import functools
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from tilelab import catalog
from tilelab.core.errors import RunFileError, SnapshotError
from tilelab.core.files.paths import expanded, open_ordinary
from tilelab.core.parameters import Params, current_name, current_names, describe, validate
from tilelab.core.plain import Arrays, Described, Json, JsonObject, Values
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.solver import Snapshot, Solver
from tilelab.core.version import VERSION
from tilelab.runs.bests import Bests
from tilelab.runs.files.array_zip import read_zip, write_zip
from tilelab.runs.files.atomic import write_with
from tilelab.runs.files.header import (
    FORMAT,
    FORMAT_VERSION,
    PuzzlePart,
    RunHeader,
    SolverPart,
    header_of,
    run_file_errors,
)
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import LiveChange, Recipe
from tilelab.runs.session import Checkpoint, Session
from tilelab.runs.trace import Trace
from tilelab.solvers.islands import with_islands

SUFFIX = ".tilelab"
_ARRAY = "array"
_MAX_KEPT = 4  # puzzles that were read from bytes
_BESTS = "bests."
_TRACE = "trace."
_SOLVER = "solver."
_CLOSE = 1e-9  # tolerance between a value and its score: sums of weights depend on their order
_MAX_MAGNITUDE = 2**62  # upper bound of every count and score


def write_run(path: str | Path, checkpoint: Checkpoint, *, mode: int | None = None) -> Path:
    """Write a run atomically, in any thread; return the path. mode: None for the usual rights."""
    header, arrays = _take_apart(checkpoint)
    return write_with(path, lambda file: write_zip(file, header, arrays), mode=mode)


def save_run(session: Session, path: str | Path) -> Path:
    """Write the run of a session; raises TileLabError when there is none to write."""
    return write_run(path, session.snapshot())


def read_run(path: str | Path) -> Checkpoint:
    """Read a run file; raises RunFileError with one sentence, or NotMadeError."""
    source = expanded(path)
    stream = open_ordinary(source, RunFileError)
    with run_file_errors(source):
        with stream:
            raw, arrays = read_zip(stream)
        return _put_together(header_of(raw), arrays)


def _take_apart(run: Checkpoint) -> tuple[JsonObject, Arrays]:
    arrays: Arrays = {}
    recipe, snapshot, best, trace = run.recipe, run.snapshot, run.best, run.trace
    header: JsonObject = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "program_version": VERSION,
        "key": run.key,
        "puzzle": describe_puzzle(recipe.puzzle, arrays),
        "solver": {
            "key": snapshot.solver,
            "version": snapshot.version,
            "params": snapshot.params,
            "scalars": snapshot.scalars,
        },
        "seed": recipe.seed,
        "units": run.units,
        "seconds": run.seconds,
        "evaluations": run.evaluations,
        "limits": recipe.limits.model_dump(),
        "status": run.status.value,
        "limit_reached": run.limit_reached,
        "journal": [asdict(change) for change in recipe.changes],
        "first_params": recipe.plain_params,
        "left_open": recipe.left_open,
        "best": None
        if best is None
        else {"value": float(best.value), "unit": best.unit, "optimal": best.optimal},
        "trace": {
            "names": trace.names,
            "n_units": trace.n_units,
            "n_buckets": trace.n_buckets,
            "width": trace.width,
        },
    }
    for prefix, part in (
        (_BESTS, run.bests.to_plain()),
        (_TRACE, trace.to_plain()),
        (_SOLVER, snapshot.arrays),
    ):
        arrays |= {prefix + name: array for name, array in part.items()}
    return header, arrays


def require_like_fresh(given: Snapshot, fresh: Snapshot) -> None:
    """Raise SnapshotError unless a snapshot has the parts of a fresh one, types too, no NaN."""
    for kind, mine, others in (
        ("scalars", given.scalars, fresh.scalars),
        ("arrays", given.arrays, fresh.arrays),
    ):
        missing = others.keys() - mine.keys()
        if missing:
            raise SnapshotError(f"its {kind} lack the solver's {min(missing)[:60]}")
    for name, value in given.scalars.items():
        _require_scalar(name, value, fresh.scalars.get(name))
    for name, array in given.arrays.items():
        other = fresh.arrays.get(name, array)
        if array.dtype != other.dtype or array.ndim != other.ndim:
            raise SnapshotError(
                f"its {name} is an array of {array.dtype} in {array.ndim} dimensions; the solver's "
                f"is of {other.dtype} in {other.ndim}"
            )
        if array.dtype.kind == "f" and bool(np.isnan(array).any()):
            raise SnapshotError(f"its {name} holds NaN")
        if array.dtype.kind == "b" and bool((array.view(np.uint8) > 1).any()):
            raise SnapshotError(f"its {name} holds something else than true and false")


def require_known(given: Snapshot, fresh: Snapshot, restored: Solver) -> None:
    """Raise SnapshotError for what neither a fresh solver nor the restored one would write."""
    extra = given.arrays.keys() - fresh.arrays.keys() | given.scalars.keys() - fresh.scalars.keys()
    if extra:
        kept = restored.snapshot()
        extra -= kept.arrays.keys() | kept.scalars.keys()
    if extra:
        raise SnapshotError(f"its {min(extra)[:60]} is nothing that the solver keeps")


def _require_scalar(name: str, value: object, other: object) -> None:
    if value is None or other is None:
        return
    kinds = (int, float) if type(other) is float else (type(other),)
    if type(value) not in kinds:
        raise SnapshotError(f"its {name} is {str(value)[:60]!r}, not a {type(other).__name__}")
    if isinstance(value, (int, float)) and not abs(value) <= _MAX_MAGNITUDE:
        raise SnapshotError(f"its {name} is {str(value)[:60]}, which is more than can be")
    if isinstance(value, int) and isinstance(other, int) and value < 0 <= other:
        raise SnapshotError(f"its {name} is {value}; it counts from 0 up")


def _put_together(header: RunHeader, arrays: Arrays) -> Checkpoint:
    left = dict(arrays)
    solver_class = catalog.solver(header.puzzle.key, header.solver.key)
    puzzle = read_puzzle(header.puzzle.key, header.puzzle.description, left)
    bests = _bests(header, _part(left, _BESTS), puzzle)
    trace_arrays = _part(left, _TRACE)
    given = Snapshot(
        solver=header.solver.key,
        version=header.solver.version,
        params=current_names(solver_class.spec.params, header.solver.params),
        scalars=header.solver.scalars,
        arrays=_part(left, _SOLVER),
    )
    if left:
        raise RunFileError.tr("it has an unknown array {name}", name=min(left)[:60])
    snapshot = solver_class.upgraded(puzzle, given)
    params = validate(solver_class.spec.params, snapshot.params)
    run_class = with_islands(solver_class, params)
    trace = _trace(header, trace_arrays, run_class.spec.metrics)
    recipe = Recipe(
        puzzle=puzzle,
        solver=header.solver.key,
        params=_first_params(header, given.params, params),
        seed=header.seed,
        limits=Limits(**header.limits.model_dump()),
        changes=_changes(header, params, is_inside=snapshot.steps_done > 0),
        left_open=_left_open(header, params),
    )
    checkpoint = Checkpoint(
        key=header.key,
        recipe=recipe,
        snapshot=snapshot,
        units=header.units,
        seconds=header.seconds,
        evaluations=header.evaluations,
        status=header.status,
        limit_reached=header.limit_reached,
        bests=bests,
        trace=trace,
    )
    snapshot.require(solver_class.spec)
    fresh = run_class.create(puzzle, params, header.seed).snapshot()
    require_like_fresh(snapshot, fresh)
    trial = Session()
    trial.restore(checkpoint)
    assert trial.solver is not None
    require_known(snapshot, fresh, trial.solver)
    return checkpoint


def _part(arrays: Arrays, prefix: str) -> Arrays:
    """Take out the arrays whose names begin with a prefix; it is removed from their names."""
    names = [name for name in arrays if name.startswith(prefix)]
    return {name.removeprefix(prefix): arrays.pop(name) for name in names}


def _bests(header: RunHeader, arrays: Arrays, puzzle: Puzzle) -> Bests:
    """Make the best boards; check that each is a board with the value that the file claims."""
    bests = Bests.from_plain(arrays)
    given, newest = header.best, bests.newest
    if (given is None) != (newest is None):
        raise RunFileError.tr("its header and its best boards do not belong together")
    if given is None or newest is None:
        return bests
    last = newest.best
    if (given.value, given.unit, given.optimal) != (last.value, last.unit, last.optimal):
        raise RunFileError.tr("its header and its best boards do not belong together")
    if last.unit > header.units:
        raise RunFileError.tr(
            "its best was found in iteration {unit} of {units}", unit=last.unit, units=header.units
        )
    for found in bests:
        require_true(puzzle, found.best)
    return bests


def require_true(puzzle: Puzzle, best: Best) -> None:
    """Raise TileLabError unless a best is a board of its puzzle with the stated value."""
    puzzle.require(best.cells)
    value = puzzle.score(best.cells)
    if not math.isclose(value, best.value, rel_tol=_CLOSE, abs_tol=_CLOSE):
        raise RunFileError.tr(
            "the value of its best board is {actual}, but {stated} is stated",
            stated=best.value,
            actual=value,
        )
    if best.moves is not None and not np.array_equal(puzzle.replay(best.moves), best.cells):
        raise RunFileError.tr("the moves of its best do not lead to the board")


def _trace(header: RunHeader, arrays: Arrays, metrics: tuple[str, ...]) -> Trace:
    part = header.trace
    if tuple(part.names) != metrics:
        raise RunFileError.tr("its trace has not the metrics {metrics}", metrics=", ".join(metrics))
    if part.n_units != header.units:
        raise RunFileError.tr(
            "its trace has {n_units} rows, its run {units} iterations",
            n_units=part.n_units,
            units=header.units,
        )
    return Trace.from_plain(**part.model_dump(), arrays=arrays)


def _first_params(header: RunHeader, given: Values, params: Params) -> Params:
    """Return the first unit's parameters; one that was left open has its current value."""
    turned = {current_name(type(params), change.name) for change in header.journal}
    if header.first_params is None:
        return params
    now = params.model_dump(mode="json")
    wrote = validate(type(params), header.first_params).model_dump(mode="json")
    old = validate(type(params), given).model_dump(mode="json")
    first = {name: now[name] if value == old[name] else value for name, value in wrote.items()}
    for name in first.keys() - turned:
        if first[name] != now[name]:
            raise RunFileError.tr(
                "its {name} has changed, and its journal does not say when", name=name
            )
    return validate(type(params), first)


def _left_open(header: RunHeader, params: Params) -> Values:
    """Return the chosen values that the solver settled; raises ParameterError."""
    model = type(params)
    left_open = current_names(model, header.left_open)
    validate(model, {**params.model_dump(mode="json"), **left_open})
    return left_open


def _changes(header: RunHeader, params: Params, *, is_inside: bool) -> tuple[LiveChange, ...]:
    """Return the changes; is_inside: inside a unit, where a change may wait for the next."""
    model = type(params)
    turned = {spec.name for spec in describe(model) if spec.forkable}
    journal = tuple(
        LiveChange(change.unit, current_name(model, change.name), change.value)
        for change in header.journal
    )
    unit = 0
    for change in journal:
        if change.name not in turned:
            raise RunFileError.tr(
                "its journal changes {name}, which cannot be changed", name=change.name
            )
        if not unit <= change.unit <= header.units + is_inside:
            raise RunFileError.tr(
                "its journal is out of order at iteration {unit}", unit=change.unit
            )
        unit = change.unit
        validate(model, {**params.model_dump(), change.name: change.value})
    return journal


def describe_puzzle(puzzle: Puzzle, arrays: Arrays) -> JsonObject:
    """Return the description of a puzzle; its arrays are added to ``arrays``."""
    description = _without_arrays(puzzle.describe(), "puzzle", arrays)
    return {"key": puzzle.spec.key, "description": description}


def read_puzzle(key: str, description: JsonObject, arrays: Arrays) -> Puzzle:
    """Make the puzzle again; its arrays are taken out of ``arrays``. Raises TileLabError."""
    puzzle_class = catalog.puzzle(key)
    described = {name: _with_arrays(part, arrays) for name, part in description.items()}
    return puzzle_class.from_description(described)


def _without_arrays(value: Described, name: str, arrays: Arrays) -> Json:
    """Set the arrays of a description aside; each is replaced by its name."""
    if isinstance(value, np.ndarray):
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, Mapping):
        return {key: _without_arrays(part, f"{name}.{key}", arrays) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_without_arrays(part, name, arrays) for part in value]
    return value


def _with_arrays(value: Json, used: Arrays) -> Described:  # takes them out of used
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {_ARRAY}:
        name = str(value[_ARRAY])
        if name not in used:
            raise RunFileError.tr("its array {name} is missing", name=name[:60])
        return used.pop(name)
    return {key: _with_arrays(part, used) for key, part in value.items()}


def pack_puzzle(puzzle: Puzzle) -> bytes:
    """Write a puzzle; the same one gives the same bytes."""
    arrays: Arrays = {}
    return _pack(describe_puzzle(puzzle, arrays), arrays)


@functools.lru_cache(maxsize=_MAX_KEPT)
def unpack_puzzle(data: bytes) -> Puzzle:
    """Inverse of :func:`pack_puzzle`; the last few are kept."""
    header, arrays = read_zip(io.BytesIO(data))
    part = PuzzlePart.model_validate(header)
    return read_puzzle(part.key, part.description, arrays)


def pack_snapshot(snapshot: Snapshot) -> bytes:
    header: JsonObject = {
        "key": snapshot.solver,
        "version": snapshot.version,
        "params": dict(snapshot.params),
        "scalars": dict(snapshot.scalars),
    }
    return _pack(header, snapshot.arrays)


def unpack_snapshot(data: bytes) -> Snapshot:
    header, arrays = read_zip(io.BytesIO(data))
    part = SolverPart.model_validate(header)
    return Snapshot(part.key, part.version, part.params, part.scalars, arrays)


def _pack(header: JsonObject, arrays: Arrays) -> bytes:
    stream = io.BytesIO()
    write_zip(stream, header, arrays)
    return stream.getvalue()
