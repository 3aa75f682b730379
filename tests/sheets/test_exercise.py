"""Exercises on paper: the boards of a plain search by hand, and blank frames for them."""

import math
import re

import pytest

from tests import made_sheets
from tests.naive_searches import BACK, ORDER, Side, slid
from tests.solver_views import made_puzzle, plain
from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.registry import HEURISTICS
from tilelab.core.text import language
from tilelab.runs.files.carried import read_carried, svg_with
from tilelab.runs.recipe import Recipe
from tilelab.sheets.exercise import exercise_of
from tilelab.sheets.layout import sheet_pages
from tilelab.sheets.page import Line, Text
from tilelab.sheets.sheet import PaperSize, SheetOptions
from tilelab.sheets.sheet_files import carried_by


def recipe(key, n_slides=16, **params):
    puzzle = made_puzzle(3, 3, 6, n_slides)
    return Recipe(puzzle, key, catalog.solver_params("sliding", key, params), 1)


def found(sheet):
    """The boards of an exercise as plain tuples, with their values."""
    return [
        (tuple(int(sign or 0) for sign in each.signs), dict(each.values))
        for each in sheet.expansions
    ]


def manhattan(puzzle):
    catalog.solver("sliding", "a-star")  # registers the heuristics, too
    oracle, goal = HEURISTICS["manhattan"].oracle, plain(puzzle.goal)
    return lambda board: oracle(board, goal, 3)


def values(g, h):
    return {"g": f"{g}", "h": f"{h:g}", "f": f"{g + h:g}"}


def test_the_boards_of_a_star_are_those_of_a_search_by_hand():
    """Noticed: a board that is only generated, or an order of its own."""
    what = recipe("a-star", heuristic="manhattan")
    side = Side(plain(what.puzzle.start), 3, manhattan(what.puzzle), 1, 1, replaces=True)
    expected = []
    for _ in range(12):
        before = set(side.is_expanded)
        assert side.expand(plain(what.puzzle.goal)) is None
        (board,) = side.is_expanded - before
        expected.append((board, values(len(side.paths[board]), side.estimate(board))))
    assert found(exercise_of(what, 12, "A*")) == expected


def test_the_boards_of_ida_star_begin_again_with_each_threshold():
    """Noticed: a root that is left out in a later iteration, or a step that only prunes."""
    what = recipe("ida-star", 40, heuristic="manhattan")
    estimate, goal, expected = manhattan(what.puzzle), plain(what.puzzle.goal), []

    def search(board, path, threshold):
        expected.append((board, values(len(path), estimate(board))))
        above = math.inf
        for letter in ORDER:
            child = slid(board, 3, letter)
            if child is None or (path and letter == BACK[path[-1]]):
                continue
            f = len(path) + 1 + estimate(child)
            if f > threshold:
                above = min(above, f)
            elif child == goal:
                return 0
            else:
                above = min(above, search(child, path + letter, threshold))
            if above == 0:
                return 0
        return above

    start = plain(what.puzzle.start)
    threshold = estimate(start)
    while threshold and len(expected) < 40:
        threshold = search(start, "", threshold)
    boards = found(exercise_of(what, 40, "IDA*"))
    assert boards == expected[:40]
    assert sum(board == start for board, _ in boards) > 1


def test_a_search_without_estimates_asks_only_for_the_moves():
    sheet = exercise_of(recipe("breadth-first"), 5, "Breadth first")
    assert [names for _, names in found(sheet)] == [{"g": str(g)} for g in (0, 1, 1, 2, 2)]


def test_a_solver_without_a_tree_has_no_exercise():
    with pytest.raises(TileLabError, match="has no exercise on paper"):
        exercise_of(recipe("anytime"), 5, "Anytime")


def test_the_solution_is_on_a_page_of_its_own():
    """Noticed: frames that are filled in on the sheet of the class."""
    sheet = exercise_of(recipe("a-star", heuristic="manhattan"), 7, "By hand")
    first, second = sheet_pages([sheet], SheetOptions(), made_sheets.measure)
    signs = [sign for sign in sheet.signs if sign]
    shown = [mark.text for mark in first.marks if isinstance(mark, Text)]
    assert sorted(text for text in shown if text in signs and text not in "1234567") == ["8"] * 3
    assert shown.count("g") == shown.count("f") == 7
    solved = [mark.text for mark in second.marks if isinstance(mark, Text)]
    assert solved.count("8") >= 7
    for page in (first, second):
        marks = [mark for mark in page.marks if isinstance(mark, Text | Line)]
        lowest = max(mark.y if isinstance(mark, Text) else mark.points[0][1] for mark in marks)
        assert lowest < page.height - 24


def test_a_row_that_nearly_fits_is_not_alone_on_a_page():
    """Noticed: nine boards in large type on Letter, the last three on a second page."""
    options = SheetOptions(paper=PaperSize.LETTER, large=True)
    sheet = exercise_of(recipe("a-star", heuristic="manhattan"), 9, "A* on a small board")
    assert len(sheet_pages([sheet], options, made_sheets.measure)) == 2
    sheet = exercise_of(recipe("a-star", heuristic="manhattan"), 12, "A* on a small board")
    assert len(sheet_pages([sheet], options, made_sheets.measure)) == 3
    assert len(sheet_pages([sheet], SheetOptions(), made_sheets.measure)) == 2


def test_the_sheet_names_the_rules_of_its_values():
    """Noticed: pupils who cannot tell which estimate h is."""
    said = exercise_of(recipe("a-star", heuristic="manhattan"), 3, "A*").instruction
    assert said.endswith(" Heuristic: Manhattan distance. Tie-breaking: first in, first out.")
    said = exercise_of(recipe("ida-star"), 3, "IDA*").instruction
    assert "Heuristic: " in said
    assert "best for the shape" not in said
    assert "Heuristic" not in exercise_of(recipe("breadth-first"), 3, "By breadth").instruction


@pytest.mark.parametrize(("heuristic", "is_said"), [("hybrid", True), ("manhattan", False)])
def test_the_divisor_is_said_of_the_heuristic_that_has_one(heuristic, is_said):
    sheet = exercise_of(recipe("unidirectional-a-star", heuristic=heuristic), 3, "A*")
    assert (" Divisor of HH: 3." in sheet.instruction) == is_said


def test_the_rules_have_the_colon_of_the_language():
    language.use("fr")
    try:
        said = exercise_of(recipe("a-star"), 3, "A*").instruction
    finally:
        language.use(language.ENGLISH)
    assert re.search("Heuristique\\s:", said)


def test_boards_with_the_same_f_have_the_order_that_the_rules_name():
    """Noticed: a sheet that names the rule for ties, and says that another order is right."""
    said = [exercise_of(recipe(key), 3, "By hand").proof for key in ("a-star", "bae-star")]
    assert ["the same f" in each for each in said] == [False, True]


def test_a_file_of_an_exercise_opens_with_its_search(tmp_path):
    """Noticed: a sheet that carries nothing, or only its board."""
    what = recipe("a-star", heuristic="misplaced")
    picture = tmp_path / "a.svg"
    carried = carried_by(exercise_of(what, 3, "A*"))
    picture.write_bytes(svg_with(b"<svg></svg>", carried))
    opened = read_carried(picture).recipe
    assert opened.puzzle.start.tolist() == what.puzzle.start.tolist()
    assert (opened.solver, opened.params.heuristic) == ("a-star", "misplaced")
