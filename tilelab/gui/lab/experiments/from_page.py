"""The beginning of a plan from what the main window shows: puzzle, solver, parameters, limits."""

from collections.abc import Mapping
from typing import Any

import tomlkit

from tilelab import catalog
from tilelab.core.flags import is_written_out
from tilelab.core.parameters import ParameterSpec, Params, describe
from tilelab.core.plain import Value
from tilelab.gui.run.messages import FlagRequest
from tilelab.gui.run.run_page import PuzzlePage

_REPEATS, _SECONDS = 10, 10.0
"""Of a run that would go on for ever."""


def plan_of_page(page: PuzzlePage) -> str:
    """Write a plan of one setting, the one that the page shows; more are added to it."""
    solver = catalog.solver(page.puzzle_key, page.choices.solver_key).spec
    params = _unusual(solver.params, page.panel.values("solver"))
    table: dict[str, Any] = {
        "title": f"{page.face.title}: {solver.title.partition(' (')[0].lower()}",
        "repeats": _REPEATS,
        "puzzle": _puzzle(page),
        "solvers": [{"solver": solver.key, **({"params": params} if params else {})}],
        "limits": page.panel.limits().model_dump(exclude_none=True) or {"seconds": _SECONDS},
    }
    return tomlkit.dumps(table)


def _puzzle(page: PuzzlePage) -> dict[str, Value]:
    """Return what makes the puzzle that is shown, in the words of its flags."""
    request = page.face.puzzle_request()
    flags = request.flag_values() if isinstance(request, FlagRequest) else {}
    model = catalog.puzzle(page.puzzle_key).spec.params
    values = {**flags, **_unusual(model, page.panel.values("puzzle")), **flags}
    words = {name: _in_lines(value) for name, value in values.items() if value is not None}
    return {"kind": page.puzzle_key, **words}


def _in_lines(value: Value) -> Value:
    """Write a text of several lines between the marks of a TOML text, each in its own line."""
    is_file = isinstance(value, str) and is_written_out(value)
    return tomlkit.string(f"\n{value}", multiline=True) if is_file else value


def _unusual(model: type[Params], values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values that are not the defaults."""

    def is_unusual(spec: ParameterSpec) -> bool:
        return spec.name in values and values[spec.name] not in (None, spec.default)

    return {spec.name: values[spec.name] for spec in describe(model) if is_unusual(spec)}
