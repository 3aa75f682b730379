"""Results in the data format of IOHprofiler (de Nobel et al. 2024), for analysis with its tools.

A folder for each solver with its parameters has a JSON file for each kind of instances, and a data
file for each number of cells, with a block for each run: the value reached by each number of
evaluations. The row at evaluation 1 has a value that every board reaches.
"""

import dataclasses
import json
import os
import shutil
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tilelab import catalog
from tilelab.core.errors import TileLabError, errors_as, reason
from tilelab.core.files.paths import expanded
from tilelab.core.plain import JsonObject, Value
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import shown_path
from tilelab.core.text.wording import plain_number
from tilelab.core.version import VERSION
from tilelab.experiments.job_run import Row
from tilelab.experiments.jobs import puzzle_of_command
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import SettingRuns, settings_of

_VERSION = "0.3.3"  # IOHexperimenter that first described its runs in this format
_HEADING = "evaluations raw_y"
_SHAPE = ("rows", "cols")

Points = Mapping[int, float]  # values reached by numbers of evaluations, the first of them 1


def write_iohprofiler(kept: Kept, folder: str | Path) -> Path:
    """Write results into a new folder, all or nothing; return it. Raises TileLabError."""
    target = expanded(folder)
    if os.path.lexists(target):
        raise TileLabError.tr(
            "{target} already exists; name a new folder", target=shown_path(target)
        )
    files = iohprofiler_files(kept)
    with errors_as(
        lambda error: TileLabError.tr(
            "{target} cannot be written: {reason}", target=shown_path(target), reason=reason(error)
        )
    ):
        target.parent.mkdir(parents=True, exist_ok=True)
        made = target.with_name(f".tilelab-{uuid.uuid4().hex}")
        try:
            made.mkdir()
            for name, text in files.items():
                (made / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).write_text(text, "utf-8")
            made.rename(target)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return target


def iohprofiler_files(kept: Kept) -> dict[str, str]:
    """Return the files that describe results, by their paths; raises TileLabError."""
    if not kept.rows:
        raise TileLabError.tr("There are no finished runs to export")
    instances = _instances(kept)
    shapes = {instance.shape for instance in instances}
    # Boards of 2×8 and of 4×4 cells are not the same problem.
    by_size = len({rows * cols for rows, cols in shapes}) == len(shapes)
    datasets: dict[tuple[str, str], list[SettingRuns]] = {}
    for setting in settings_of(kept):
        key = _algorithm(kept, setting).title, _function(kept, setting, by_size=by_size)
        datasets.setdefault(key, []).append(setting)
    algorithms, functions = (list(dict.fromkeys(names)) for names in zip(*datasets, strict=True))
    files = {}
    for (algorithm, function), settings in datasets.items():
        number, function_id = algorithms.index(algorithm) + 1, functions.index(function) + 1
        folder = f"{number:0{len(str(len(algorithms)))}}-{settings[0].solver}"
        spec = catalog.solver(kept.plan.puzzle.kind, settings[0].solver).spec
        params, scenarios = _algorithm(kept, settings[0]).params, []
        for dimension, indices in _by_dimension(settings, instances).items():
            path = f"data_f{function_id}/IOHprofiler_f{function_id}_DIM{dimension}.dat"
            runs = [(kept.rows[index], _points(kept, index, instances)) for index in indices]
            files[f"{folder}/{path}"] = "".join(_block(points) for _, points in runs)
            described = [_describe_run(row, points) for row, points in runs]
            scenarios.append({"dimension": dimension, "path": path, "runs": described})
        about = {
            "version": _VERSION,
            "suite": "TileLab",
            "function_id": function_id,
            "function_name": function,
            "maximization": True,
            "algorithm": {"name": algorithm, "info": f"{spec.title}; TileLab {VERSION}"},
            # As Python writes them: their reader evaluates them.
            "experiment_attributes": [{name: repr(value)} for name, value in params.items()],
            "run_attributes": ["repeat", "seed", "seconds"],
            "attributes": _HEADING.split(),
            "scenarios": scenarios,
        }
        files[f"{folder}/IOHprofiler_f{function_id}.json"] = json.dumps(about, indent=1) + "\n"
    return files


class _Instance(NamedTuple):
    """The facts about an instance that the format needs."""

    shape: tuple[int, int]
    least: float  # least value that a run has, from its first board on


def _instances(kept: Kept) -> list[_Instance]:
    """Return the instance of each row; raises TileLabError if one cannot be recreated."""
    known: dict[str, _Instance] = {}
    made = []
    for row in kept.rows:
        of_puzzle, _, _ = row["command"].partition(" --solver ")
        if of_puzzle not in known:
            puzzle = puzzle_of_command(row["command"])
            least = 0.0 if puzzle.start is None else puzzle.score(puzzle.start)
            known[of_puzzle] = _Instance(puzzle.shape, least)
        made.append(known[of_puzzle])
    return made


def _algorithm(kept: Kept, setting: SettingRuns) -> SettingRuns:
    """Return a setting with the parameters of its solver alone."""
    axes = kept.plan.puzzle.axes
    own = {name: value for name, value in setting.params.items() if name not in axes}
    return dataclasses.replace(setting, params=own)


def _function(kept: Kept, setting: SettingRuns, *, by_size: bool) -> str:
    """Name the kind of instances; by_size: the dimension distinguishes boards of all shapes."""
    puzzle = kept.plan.puzzle
    varied = {name: setting.params[name] for name in puzzle.axes}
    values: dict[str, Value] = {**puzzle.values, **varied}
    named = {name: value for name, value in values.items() if not (by_size and name in _SHAPE)}
    return dataclasses.replace(setting, solver=puzzle.kind, params=named).title


def _by_dimension(
    settings: Sequence[SettingRuns], instances: Sequence[_Instance]
) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for index in (index for setting in settings for index in setting.indices):
        rows, cols = instances[index].shape
        found.setdefault(rows * cols, []).append(index)
    return found


def _points(kept: Kept, index: int, instances: Sequence[_Instance]) -> Points:
    """Return the points of a run; raises TileLabError where they are not known."""
    row, improvements = kept.rows[index], kept.improvements[index]
    total = row["evaluations"]
    named = tr(
        "run {number} ({solver})", number=figures(kept.places[index] + 1, ","), solver=row["solver"]
    )
    if total is None or any(found.evaluations is None for found in improvements):
        raise TileLabError.tr(
            "The evaluations of {named} are not known; IOHprofiler needs them", named=named
        )
    if row["value"] is not None and not improvements:
        raise TileLabError.tr(
            "The improvements of {named} were not kept; do the sweep again",
            named=named,
        )
    values = [found.value for found in improvements]
    points = {1: min([instances[index].least, *values[:1]])}
    points |= {max(found.evaluations or 0, 1): found.value for found in improvements}
    points.setdefault(max(total, *points), [*points.values()][-1])
    return points


def _block(points: Points) -> str:
    lines = [f"{evaluations} {plain_number(value)}" for evaluations, value in points.items()]
    return "\n".join([_HEADING, *lines, ""])


def _describe_run(row: Row, points: Points) -> JsonObject:
    """Describe a run; its best board is not kept."""
    best = max(points.values())
    found_by = next(evaluations for evaluations, value in points.items() if value == best)
    return {
        "instance": row["instance"],
        "evals": max(points),
        "best": {"evals": found_by, "y": best, "x": []},
        "repeat": row["repeat"],
        "seed": row["seed"],
        "seconds": row["seconds"],
    }
