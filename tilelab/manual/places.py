"""The places of the manual's pages, and the page for each subject.

They are Markdown files in ``docs/``, installed as ``tilelab/docs``. A page is named by its path
there without the suffix; a place in it, by an anchor behind ``#``: that of a heading as forges make
it, or the flag of a parameter in a table, such as ``solvers/genetic#--mutation``.

Some tables are made from declarations. A comment in a page marks the place of such a table: ``<!--
parameters: boggle genetic -->`` for that of a solver, ``<!-- parameters: boggle -->`` for that of a
puzzle, ``<!-- solvers -->`` for a line of each.
"""

import functools
import re
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from tilelab import catalog
from tilelab.core.parameters import ParameterSpec, Params, describe
from tilelab.core.text.shown_text import markdown_cell

PUZZLES = {"boggle": "letter-grids", "sliding": "sliding-tiles", "wordtiles": "word-tiles"}
"""The page of each puzzle, by key."""


def folder() -> Traversable:
    """Return the folder of the pages: inside the package, or next to it in a checkout."""
    installed = files("tilelab").joinpath("docs")
    return installed if installed.is_dir() else Path(__file__).parents[2] / "docs"


def page_of(puzzle: str, solver: str = "") -> str:
    """Return the page of a puzzle, or of one of its solvers; for a plug-in's, the index."""
    if not solver:
        return PUZZLES.get(puzzle, "index")
    return _solver_pages().get((puzzle, solver), "solvers/index")


@functools.cache
def _solver_pages() -> dict[tuple[str, str], str]:
    """Return the page with the table of parameters of each solver, by puzzle and solver."""
    return {
        (puzzle, solver): f"solvers/{page.name.removesuffix('.md')}"
        for page in folder().joinpath("solvers").iterdir()
        if page.name.endswith(".md")
        for _, puzzle, solver in _MARK.findall(page.read_text("utf-8"))
        if solver
    }


def parameter_place(puzzle: str, solver: str, name: str) -> str:
    """Return the place that explains a parameter of a solver; ``solver=""`` for the puzzle's."""
    return f"{page_of(puzzle, solver)}#--{name.replace('_', '-')}"


_STORABLE = 1e9
_FURTHER: dict[str, Callable[[], str]] = {}
_MARK = re.compile(r"^<!-- (parameters|solvers)(?:: (\S+)(?: (\S+))?)? -->$", re.MULTILINE)


def register_filler(name: str, make: Callable[[], str]) -> None:
    """Register a function of a higher layer that makes the text for a comment ``<!-- name -->``."""
    _FURTHER[name] = make


def fill_tables(markdown: str) -> str:
    """Return a page with the comments that mark tables replaced by them."""
    text = _MARK.sub(_table, markdown)
    for name, make in _FURTHER.items():
        mark = f"<!-- {name} -->"
        if mark in text:
            text = text.replace(mark, make())
    return text


def _table(mark: re.Match[str]) -> str:
    kind, puzzle, solver = mark.groups()
    if kind == "solvers":
        return _solver_table()
    if solver is None:
        return _parameter_table(catalog.puzzle(puzzle).spec.params)
    return _parameter_table(catalog.solver(puzzle, solver).spec.params)


def _solver_table() -> str:
    parts = []
    for key, puzzle in catalog.puzzles().items():
        if key not in PUZZLES:
            continue  # a plug-in's, which has no page here
        rows = ["| solver | what it is for |", "|---|---|"]
        for name, solver in catalog.solvers(key).items():
            page = page_of(key, name).removeprefix("solvers/")
            title, purpose = map(markdown_cell, (solver.spec.title, solver.spec.purpose))
            rows.append(f"| [{title}]({page}.md) | {purpose} |")
        parts.append(f"## {puzzle.spec.title}\n\n" + "\n".join(rows))
    return "\n\n".join(parts)


def _parameter_table(params: type[Params]) -> str:
    specs = list(describe(params))
    if not specs:
        return "It has no parameters."
    rows = ["| parameter | default | allowed | what it says |", "|---|---|---|---|"]
    for spec in specs:
        title = markdown_cell(spec.title) + (", *live*" if spec.live else "")
        help_text = f"{spec.help} ({spec.source})" if spec.source else spec.help
        flag = f"`--{spec.name.replace('_', '-')}`"
        cells = map(markdown_cell, (_default(spec), _bounds(spec), help_text))
        rows.append(f"| {title} {flag} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _default(spec: ParameterSpec) -> str:
    if spec.automatic and not spec.default:
        return "automatic"
    if spec.default is None or spec.default == "":
        return "none" if spec.optional else "–"
    if isinstance(spec.default, bool):
        return "on" if spec.default else "off"
    if isinstance(spec.default, float):
        return f"{spec.default:g}"
    return f"{spec.default:,}" if isinstance(spec.default, int) else str(spec.default)


def _bounds(spec: ParameterSpec) -> str:
    if spec.choices:
        return ", ".join(map(str, spec.choices))
    if spec.kind == "bool":
        return "on, off"
    low = f"above {spec.above:g}" if spec.above is not None else ""
    if spec.low is not None:
        low = f"{spec.low:,g}" if isinstance(spec.low, float) else f"{spec.low:,}"
    # A bound that only keeps numbers storable is none for readers.
    high = "" if spec.high is None or spec.high >= _STORABLE else f"{spec.high:,}"
    if low and high:
        between = f"{low} to {high}"
    else:
        between = f"to {high}" if high else (low if not low or spec.low is None else f"from {low}")
    return " ".join(filter(None, (between, spec.unit)))
