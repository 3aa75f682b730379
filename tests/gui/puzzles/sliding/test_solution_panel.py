"""The solution of sliding tiles in words: its moves, and what is known of its length."""

import dataclasses

import pytest
from PySide6.QtWidgets import QLabel

from tests.gui.scrub_by_hand import run_on
from tests.gui.tiles_by_hand import solve, take
from tests.instance_sets import instance_set
from tilelab import catalog
from tilelab.core.solver import Best
from tilelab.gui.puzzles.sliding.solution_panel import SolutionPanel
from tilelab.gui.run.messages import Board
from tilelab.gui.run.run_model import ShownBest
from tilelab.puzzles.sliding.board import Goal, SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")
WITHOUT_ESTIMATE = ("breadth-first", "uniform-cost", "depth-first", "iterative-deepening")


def test_the_moves_of_a_solution_are_told_by_the_tile_that_slides(sliding):
    # The 7 and the 8 slide to the left, the blank to the right.
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    solve(sliding)
    panel = sliding.page.face.best_panel
    assert sliding.page.run.best.moves == "RR"
    assert panel._list_model.stringList() == [
        "1.   ←   tile 7",
        "2.   ←   tile 8",
    ]
    memory = sliding.window.findChild(QLabel, "metric_megabytes")
    assert memory.text().endswith((" KB", " MB"))
    # The 6 slides up: the blank has stood above it.
    take(sliding, [1, 2, 3, 4, 5, 0, 7, 8, 6])
    solve(sliding)
    assert panel._list_model.stringList() == ["1.   ↑   tile 6"]
    assert panel._of.text() == "move, proven to be shortest"


@pytest.mark.parametrize(
    ("optimal", "bound", "said"),
    [
        (True, 2, "2 moves, proven to be shortest"),
        (False, 1, "2 moves, at least 1 needed"),
        (False, 0, "2 moves, not proven to be shortest"),
        (False, 2, "2 moves, not proven to be shortest"),
    ],
)
def test_what_is_known_of_the_length_is_said(qtbot, optimal, bound, said):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 4, 5, 6, 0, 7, 8])
    panel = SolutionPanel()
    qtbot.addWidget(panel)
    best = Best(puzzle.goal, 0.0, 4, "RR", optimal)
    panel.show_solution(puzzle, best, bound, 1.0)
    assert f"{panel._value.text()} {panel._of.text()}" == said
    # As when a page for another language shows the run: noticed as "Nearest board, 2 moves".
    panel.name_metrics(catalog.solver("sliding", "a-star").spec.metric_titles)
    assert panel._title.text() == "Solution"


def test_only_what_is_proven_is_called_needed(sliding):
    # The heuristic of this search may say too much: its lowest f is 60, and 56 moves suffice.
    board = instance_set("korf100").puzzle(4)
    take(sliding, board.start.tolist(), 4, 4, Goal.BLANK_FIRST)
    sliding.page.choose_solver("bidirectional-a-star")
    sliding.set(heuristic="hybrid", ties="fifo", burst_counts="generated")
    solve(sliding, "bidirectional-a-star")
    page = sliding.page
    assert len(page.run.best.moves) == 62
    assert page.face._bound == 60
    shown = Board.of(page.run.started.puzzle, page.run.best.cells)
    page.face.show_best(ShownBest(page.run.best, shown, 1.0))  # as after looking back
    assert page.face.best_panel._of.text() == "moves, not proven to be shortest"
    # Of a search that proves its bound the same number is reported.
    proving = dataclasses.replace(page.run.started.solver, proves_bound=True)
    page.run.started = dataclasses.replace(page.run.started, solver=proving)
    page.face.show_best(ShownBest(page.run.best, shown, 1.0))
    assert page.face.best_panel._of.text() == "moves, at least 60 needed"


def test_two_searches_prove_how_many_moves_are_needed():
    specs = [cls.spec for cls in catalog.solvers("sliding").values()]
    assert {spec.key for spec in specs if spec.proves_bound} == {"anytime", "bae-star"}


def test_a_search_without_an_estimate_shows_none(sliding):
    """Noticed: a curve 'lowest h' at 0, and the limit of a depth-first search as its f."""
    specs = [cls.spec for cls in catalog.solvers("sliding").values()]
    has_none = {spec.key for spec in specs if spec.metric_titles.get("nearest") == ""}
    assert has_none == set(WITHOUT_ESTIMATE)
    page, nearest = sliding.page, sliding.window.findChild(QLabel, "metric_nearest")
    for solver, bound, curves in (
        ("depth-first", "Limit", "limit, path length"),
        ("a-star", "Lowest f", "f, lowest h, depth"),
        ("breadth-first", "Lowest f", "f, depth"),
    ):
        take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
        page.choose_solver(solver)
        assert page.face.best_panel._metrics._titles["bound"].text() == bound, "before the run"
        solve(sliding, solver)
        page.chart.refresh()
        assert page.chart._legend.accessibleDescription() == curves
        assert page.face.best_panel._metrics._titles["bound"].text() == bound
        assert nearest.isHidden() is (solver != "a-star")
        if nearest.isHidden():
            assert page.run.newest_row[page.run.trace.names.index("nearest")] == 0


@pytest.mark.parametrize("solver", WITHOUT_ESTIMATE)
def test_a_search_without_an_estimate_calls_no_board_the_nearest(sliding, solver):
    """Noticed: after boards with 18 the start board is "nearest", with 21."""
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    page, panel = sliding.page, sliding.page.face.best_panel
    page.choose_solver(solver)
    assert panel._empty.text() == "The solution will be shown here."
    sliding.set(expansions_per_update=1_000)
    run_on(sliding, 2)
    assert page.run.best.moves is None
    assert (panel._title.text(), panel._age.text()) == ("Start board", "")
    assert panel._nearest.accessibleName() == "Start board"
    assert "goal" not in f"{page.status.text} {page.status.run_words('Test')}"
    puzzle = page.run.started.puzzle
    assert puzzle.notes(page.run.best)["board"] == "the start board"
    text = puzzle.best_text(page.run.best).value
    assert text == "Not solved; this is the start board, at least 21 moves to the goal"
    page.choose_solver("a-star")
    sliding.set(expansions_per_update=1_000)
    sliding.click(Action.START_AGAIN)
    sliding.state(State.FINISHED)
    assert panel._nearest.accessibleName() == panel._title.text() == "Nearest board"


@pytest.mark.parametrize(("solver", "is_explained"), [("a-star", True), ("ida-star", False)])
def test_entries_with_repeats_are_not_called_boards(qtbot, solver, is_explained):
    """Noticed: a queue of 381,910 next to 371,621 boards that are open, without a word.

    Also "Lowest f 12" next to open boards that all have 14, and "Depth 13" of a path of 14 moves.
    """
    panel = SolutionPanel()
    qtbot.addWidget(panel)
    panel.name_metrics(catalog.solver("sliding", solver).spec.metric_titles)
    value = panel.findChild(QLabel, "metric_frontier")
    assert value.toolTip().startswith("Entries of the open list.") is is_explained
    value = panel.findChild(QLabel, "metric_bound")
    assert value.toolTip().startswith("Smallest f of the board that") is is_explained
    value = panel.findChild(QLabel, "metric_depth")
    assert value.toolTip().startswith("Depth of the board that was expanded last.") is is_explained
    titles = [label.text() for label in panel.findChildren(QLabel)]
    assert ("Queue entries" in titles) is is_explained
