"""A plan being written: the text is authoritative, and a form changes one value at a time."""

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.flags import is_written_out
from tilelab.core.parameters import ParameterSpec, Params, describe
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.core.text.wording import labelled, without_source
from tilelab.experiments.jobs import Runs, runs_of
from tilelab.experiments.plan import Plan, parse_plan_toml, plan_of
from tilelab.gui.run.messages import FlagRequest
from tilelab.gui.run.run_page import PuzzlePage

Key = tuple[str | int, ...]
"""Path of a value: ``("solvers", 0, "axes", "mutation")``; indices count from 0."""
Change = tuple[Key, object]  # key and its new value; None removes it

_KEY = re.compile(r"[a-z_]+(\[\d+\])?(\.[\w-]+)*(?=:|\s)")  # French: " :"
_HEAD = re.compile(r"\s*\[(\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_LINE = re.compile(r"\s*([\w.\"'-]+)\s*=")
_AT_LINE = re.compile(r"\(at line (\d+)")
USUAL_BOARDS = 10  # number of random boards of a puzzle that has no board of its own
USUAL_RUNS: Mapping[str, object] = {"repeats": 10, "limits": {"units": 100}}
"""Repeats and limits of a plan if chance decides in its solver; other solvers need none."""
_SECONDS = 10.0  # limit of the runs of a plan made from a page that has none


@dataclass(frozen=True)
class DraftProblem:
    """Error in the text of a plan."""

    text: str  # sentence with the key, the value and what is allowed
    key: Key  # key of the wrong value; () if there is none
    line: int | None  # line number, from 1


@dataclass(frozen=True)
class CheckedDraft:
    """Text of a plan and its meaning."""

    text: str
    folder: Path | None  # folder in which the plan's files are looked for
    values: Mapping[str, object] | None  # values of the text; None if it is not TOML
    runs: Runs | None  # runs of the plan; None if the text is empty or has an error
    problem: DraftProblem | None


def checked(text: str, folder: Path | None) -> CheckedDraft:
    """Read the text of a plan."""
    if not text.strip():
        return CheckedDraft(text, folder, {}, None, None)
    try:
        values = parse_plan_toml(text, tr("The plan"))
    except TileLabError as error:
        found = _AT_LINE.search(str(error))
        # A value missing at the end of the document has no line.
        last = text.rstrip().count("\n") + 1 if "at end of document" in str(error) else None
        line = int(found[1]) if found else last
        return CheckedDraft(text, folder, None, None, DraftProblem(str(error), (), line))
    try:
        return CheckedDraft(text, folder, values, runs_of(plan_of(values), folder), None)
    except TileLabError as error:
        return CheckedDraft(text, folder, values, None, _problem(text, str(error)))


def title_of_plan(board: str, kind: str, solvers: Sequence[str]) -> str:
    """Return the title of a plan that its user has not named: its board and its solvers."""
    known = catalog.solvers(kind)
    titles = [tr(known[key].spec.title) if key in known else key for key in solvers]
    return labelled(board, ", ".join(map(without_source, titles)))


def text_of(plan: Plan) -> str:
    """Write a plan without values that are at their defaults."""
    return tomlkit.dumps(plan.model_dump(mode="json", exclude_defaults=True))


def changed(text: str, changes: Sequence[Change]) -> str:
    """Change values of a TOML text; comments and order stay."""
    wanted = copy.deepcopy(tomllib.loads(text))
    document = tomlkit.parse(text)
    for key, value in changes:
        _set(wanted, key, value)
        _set(document, key, _inline(value))
    made = tomlkit.dumps(document)
    # Values matter more than comments: a table that cannot keep both is rewritten.
    return made if _says(made, wanted) else tomlkit.dumps(wanted)


def line_of(text: str, key: Key) -> int | None:
    """Return the line of a key, from 1, or of the nearest table around it."""
    best, nearest = 0, None
    for line, place in _places(text):
        depth = len(place)
        if place == key[:depth] and depth > best:
            best, nearest = depth, line
    return nearest


def _says(text: str, wanted: object) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _set(table: Any, key: Key, value: object) -> None:
    """Set a value in nested tables, which are created or, when empty, removed."""
    name, *rest = key
    if not rest:
        if value is None:
            if isinstance(table, MutableMapping):
                table.pop(str(name), None)
            else:
                del table[name]
        elif isinstance(table, list) and name == len(table):
            table.append(value)
        else:
            table[name] = value
        return
    if isinstance(table, MutableMapping) and name not in table:
        if value is None:
            return
        table[name] = [] if isinstance(rest[0], int) else {}
    _set(table[name], tuple(rest), value)
    if isinstance(table, MutableMapping) and not table[name]:
        del table[name]


def _inline(value: object) -> object:
    """Write a range as an inline table."""
    if not isinstance(value, Mapping) or "from" not in value:
        return value
    table = tomlkit.inline_table()
    table.update(dict(value))
    return table


def _problem(text: str, sentence: str) -> DraftProblem:
    found = _KEY.match(sentence)
    key = () if found is None else _parts(found[0])
    if key and key[0] not in Plan.model_fields and line_of(text, key) is None:
        key = ()  # a word at the beginning of a sentence
    return DraftProblem(sentence, key, line_of(text, key) if key else None)


def key_text(key: Key) -> str:
    """Write a key as error messages do; the inverse of :func:`_parts`."""
    parts = (f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in key)
    return "".join(parts).removeprefix(".")


def _parts(name: str) -> Key:
    """Split a key as error messages write it: ``solvers[1].axes.mutation``."""
    parts: list[str | int] = []
    for part in name.split("."):
        word, _, number = part.rstrip("]").partition("[")
        parts += [word, int(number) - 1] if number else [word]
    return tuple(parts)


def _places(text: str) -> Iterator[tuple[int, Key]]:
    """Return the lines that begin a table or a value, and their keys."""
    table: Key = ()
    n_tables: dict[str, int] = {}
    for line, content in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(content):
            name = head[2]
            if head[1]:
                n_tables[name] = n_tables.get(name, 0) + 1
            table = _within(name, n_tables)
            yield line, table
        elif found := _LINE.match(content):
            yield line, (*table, *(part.strip("\"'") for part in found[1].split(".")))


def _within(name: str, n_tables: Mapping[str, int]) -> Key:
    parts: list[str | int] = []
    so_far = ""
    for part in (part.strip(" \"'") for part in name.split(".")):
        so_far = f"{so_far}.{part}" if so_far else part
        parts.append(part)
        if so_far in n_tables:
            parts.append(n_tables[so_far] - 1)
    return tuple(parts)


def needs_board(kind: str) -> bool:
    """Return whether a puzzle needs a board from the user."""
    puzzle = catalog.puzzle(kind)
    try:
        return not any(True for _ in catalog.instances(puzzle, {}))
    except TileLabError:
        return True


def usual_runs(kind: str) -> dict[str, object]:
    """Return repeats and limits for the default solver of a puzzle; None for those it lacks."""
    has_chance = catalog.solver(kind, catalog.default_solver(kind)).spec.uses_seed
    return {name: value if has_chance else None for name, value in USUAL_RUNS.items()}


def own_plan(kind: str) -> str:
    """Write the plan with which the user's own begins: the default solver of a puzzle."""
    usual = usual_runs(kind)
    table = {
        "title": "Experiment",
        "seed": 1,
        "repeats": usual["repeats"],
        "puzzle": {"kind": kind},
        "instances": {"random": USUAL_BOARDS} if needs_board(kind) else None,
        "solvers": [{"solver": catalog.default_solver(kind)}],
        "limits": usual["limits"],
    }
    return tomlkit.dumps({name: value for name, value in table.items() if value is not None})


def plan_of_page(page: PuzzlePage) -> str:
    """Write a plan with the single setting that the page shows."""
    solver = catalog.solver(page.puzzle_key, page.choices.solver_key).spec
    params = _unusual(solver.params, page.panel.values("solver"))
    table: dict[str, Any] = {
        "title": title_of_plan(page.face.title, page.puzzle_key, [solver.key]),
        **({"repeats": USUAL_RUNS["repeats"]} if solver.uses_seed else {}),
        "puzzle": _puzzle(page),
        "solvers": [{"solver": solver.key, **({"params": params} if params else {})}],
        "limits": page.panel.limits().model_dump(exclude_none=True) or {"seconds": _SECONDS},
    }
    return tomlkit.dumps(table)


def _puzzle(page: PuzzlePage) -> dict[str, Value]:
    """Return the values of the puzzle that is shown, by its flags."""
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
