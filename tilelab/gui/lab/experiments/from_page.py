"""The beginning of a plan from what the main window shows: puzzle, solver, parameters, limits."""

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit

from tilelab import catalog
from tilelab.core.files.paths import path_text
from tilelab.core.parameters import ParameterSpec, Params, describe
from tilelab.core.plain import Value
from tilelab.core.text.symbols import cut_rows
from tilelab.gui.run.messages import LetterRequest
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.letters.lexicon import Accents, Lexicon
from tilelab.puzzles.boggle.constraints import HOLE
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.sliding.board import Goal, text_of
from tilelab.puzzles.sliding.play import Position

_REPEATS, _SECONDS = 10, 10.0
"""Of a run that would go on for ever."""


def plan_of_page(page: PuzzlePage) -> str:
    """Write a plan of one setting, the one that the page shows; more are added to it."""
    solver = catalog.solver(page.puzzle_key, page.solver_key).spec
    limits = page.panel.limits()
    ends = {"units": limits.limit, "seconds": limits.seconds}
    params = _unusual(solver.params, page.panel.values("solver"))
    table: dict[str, Any] = {
        "title": f"{page.title}: {solver.title.partition(' (')[0].lower()}",
        "repeats": _REPEATS,
        "puzzle": _puzzle(page),
        "solvers": [{"solver": solver.key, **({"params": params} if params else {})}],
        "limits": {name: end for name, end in ends.items() if end is not None}
        or {"seconds": _SECONDS},
    }
    return tomlkit.dumps(table)


def _puzzle(page: PuzzlePage) -> dict[str, Value]:
    """Return what makes the puzzle that is shown, in the words of its flags."""
    puzzle, request = catalog.puzzle(page.puzzle_key), page.puzzle_request()
    known = [flag.name for flag in puzzle.flags()]
    values: dict[str, Value] = {"kind": page.puzzle_key}
    if isinstance(request, LetterRequest):
        lexicon, accents = request.lexicon, request.accents
        if isinstance(lexicon, str):
            values["lexicon"] = lexicon
        else:
            values["lexicon"], accents = _named(lexicon), lexicon.accents
        if accents is not Accents.KEEP:
            values["accents"] = accents.value
        if request.start_rows is not None and "letters" in known:
            values["letters"] = "".join(request.start_rows)
        elif request.start_rows is not None:
            values["start"] = _lines(request.start_rows)
        values |= _asked(request)
    values |= _unusual(puzzle.spec.params, page.panel.values("puzzle"))
    if isinstance(request, Position):
        values["board"] = text_of(request.cells)
        if request.params.goal is Goal.BOARD:
            del values["goal"]
            values["goal_board"] = text_of(request.goal)
    return values


def _asked(request: LetterRequest) -> dict[str, Value]:
    """Return the constraints of a letter grid; strings and grids are written out."""
    asked, values = request.constraints, dict[str, Value]()
    for name, strings in (("require", asked.required), ("forbid", asked.forbidden)):
        if strings:
            values[name] = _lines(strings)
    if asked.nothing_else is not None:
        values["nothing_else"] = _named(asked.nothing_else)
    params = BoggleParams.model_validate(request.params) if asked else BoggleParams()
    n_cols = params.cols
    if asked.locked:
        values["lock"] = " ".join(f"{cell // n_cols},{cell % n_cols}" for cell in asked.locked)
    if asked.holes:
        holes = frozenset(asked.holes)
        cells = range(params.rows * n_cols)
        mask = "".join(HOLE if cell in holes else "." for cell in cells)
        values["mask"] = _lines(cut_rows(mask, n_cols))
    return values


def _named(lexicon: Lexicon) -> str:
    return lexicon.name if lexicon.path is None else path_text(lexicon.path.absolute())


def _lines(lines: Sequence[str]) -> str:
    """Write lines between the marks of a TOML text, each in a line of its own."""
    return tomlkit.string("\n" + "".join(f"{line}\n" for line in lines), multiline=True)


def _unusual(model: type[Params], values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values that are not the defaults."""

    def is_unusual(spec: ParameterSpec) -> bool:
        return spec.name in values and values[spec.name] not in (None, spec.default)

    return {spec.name: values[spec.name] for spec in describe(model) if is_unusual(spec)}
