"""Exercises for a class: the boards that a search expands, to be found by hand."""

import dataclasses
import math
from collections.abc import Callable

from tilelab.core.errors import TileLabError
from tilelab.core.parameters import Params, describe
from tilelab.core.puzzle import Best, Cells
from tilelab.core.registry import HEURISTICS
from tilelab.core.text.language import tr
from tilelab.core.text.wording import labelled
from tilelab.core.views import SearchTree, ViewKind
from tilelab.runs.actions import Action
from tilelab.runs.files.carried import CarriedRun
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session
from tilelab.sheets.puzzle_sheets import start_sheet, tile_signs
from tilelab.sheets.sheet import ExpandedBoard, Sheet
from tilelab.sheets.sheet_files import SheetSource

_RULES = ("heuristic", "divisor", "weight", "ties")  # parameters that a search by hand needs


def exercise_of(recipe: Recipe, n_boards: int, title: str) -> Sheet:
    """Make the sheet of a search's first boards, by doing the run step by step.

    recipe: a search that has a tree. n_boards: boards to find; fewer if the search ends before.
    Raises TileLabError for a solver without a tree, or a puzzle without a goal.
    """
    sheet, start = start_sheet(recipe.puzzle), recipe.puzzle.start
    session = Session()
    session.begin(recipe)
    assert session.solver is not None
    if sheet is None or start is None or ViewKind.TREE not in session.spec.views:
        raise TileLabError.tr("{solver} has no exercise on paper.", solver=tr(session.spec.title))
    session.watch(frozenset({ViewKind.TREE}))
    found: list[ExpandedBoard] = []
    n_expanded = 0
    while len(found) < n_boards and session.allows(Action.STEP):
        session.step()
        view = session.solver.view(ViewKind.TREE)
        if not isinstance(view, SearchTree) or view.n_expanded == n_expanded:
            continue  # a step that only prunes boards
        found.append(_expanded_board(view, view.current))
        n_expanded = view.n_expanded
    return dataclasses.replace(
        sheet,
        title=title,
        instruction=tr(
            "Search by hand with {solver}. Each frame is for the board that is expanded next. Fill "
            "in its tiles and the values below it. The first is given.",
            solver=tr(session.spec.title),
        )
        + "".join(f" {rule}." for rule in _rules(session.solver.params).values()),
        expansions=tuple(found[:n_boards]),
        proof=_other_orders(session.solver.params),
        carried=CarriedRun(recipe, 0, Best(start, recipe.puzzle.score(start), 0)),
    )


def _rules(params: Params) -> dict[str, str]:
    """Return what an exercise depends on, by parameters, in words such as "Heuristic: zero"."""
    specs = {spec.name: spec for spec in describe(type(params))}
    heuristic = HEURISTICS.get(getattr(params, "heuristic", ""))
    if heuristic is None or heuristic.divisor is None:
        specs.pop("divisor", None)
    return {
        name: labelled(tr(specs[name].title), specs[name].value_title(getattr(params, name)))
        for name in _RULES
        if name in specs
    }


def _other_orders(params: Params) -> str:
    """Return when another order of boards is right, too: no rule names the order of moves."""
    rules = _rules(params)
    if "heuristic" in rules and "ties" not in rules:
        return tr("If boards have the same f, another order can also be right.")
    return tr("If moves are tried in another order, another order of boards can also be right.")


def source_of_exercise(recipe: Callable[[], Recipe], n_boards: int, title: str) -> SheetSource:
    """Return the source of an exercise; recipe: returns the search when the sheet is made."""
    return SheetSource(title, lambda _: exercise_of(recipe(), n_boards, title))


def _expanded_board(view: SearchTree, node: int) -> ExpandedBoard:
    cells: Cells = view.boards[node]
    values = [("g", float(view.g[node])), ("h", float(view.h[node])), ("f", float(view.f[node]))]
    if math.isnan(values[1][1]):
        del values[1:]  # without estimates there is no f
    return ExpandedBoard(tile_signs(cells), tuple((name, f"{value:g}") for name, value in values))
