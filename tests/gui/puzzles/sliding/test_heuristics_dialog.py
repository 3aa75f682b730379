"""All heuristics of a board side by side: their values, what they draw, and the true distance."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.gui.pixels import grabbed, is_colour
from tests.gui.tiles_by_hand import take
from tilelab.core.registry import HEURISTICS
from tilelab.gui.boards.heuristic_marks import group_colour
from tilelab.gui.puzzles.sliding.heuristics_dialog import Estimate, HeuristicsDialog, estimating
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.theme import contrast, load_theme
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics.choice import titles
from tilelab.puzzles.sliding.heuristics.pattern_database import partition_named, tables
from tilelab.puzzles.sliding.heuristics.pattern_slots import (
    open_places,
    open_spots,
    open_sum,
    pattern_sums,
)
from tilelab.puzzles.sliding.play import Position

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def position_of(tiles, side, goal=Goal.BLANK_LAST):
    params = SlidingParams(rows=side, cols=side, goal=goal)
    return Position.of(params, tiles, None, "by hand")


@pytest.fixture
def dialog(qapp, qtbot):
    make_application([], "light")
    made = HeuristicsDialog()
    qtbot.addWidget(made)

    def show(position):
        made.show_position(position)
        qtbot.waitUntil(lambda: not made._job.is_busy)
        return {one._estimate.title: one for one in made.cards}

    made.shown = show
    return made


def test_every_heuristic_says_what_its_definition_says(dialog):
    tiles = [1, 2, 3, 4, 0, 6, 7, 5, 8]
    cards = dialog.shown(position_of(tiles, 3))
    goal = [*range(1, 9), 0]
    for key, title in titles().items():
        spec = HEURISTICS[key]
        assert cards[title]._estimate.moves == spec.oracle(tiles, goal, 3) / spec.scale
    assert len(cards) == len(titles())
    assert dialog._said.text() == "Exact distance: 2 moves, proven by a search."
    assert cards["Manhattan distance"].words == "Manhattan distance: 2, exact, never overestimates"
    assert cards["Zero"].words == "Zero: 0, 2 too few, never overestimates"
    # Noticed: 7.47 for a distance of 7.4787, without a reason.
    assert "rounded down to hundredths" in cards["Euclidean distance"].words


def test_those_that_never_overestimate_come_first_and_none_of_them_does(dialog):
    goal = goal_board(3, 3, Goal.BLANK_LAST)
    dialog.shown(position_of(scrambled(goal, 3, 3), 3))
    kinds = [one._estimate.is_admissible for one in dialog.cards]
    assert kinds == sorted(kinds, reverse=True)
    assert any("too many" in one.words for one in dialog.cards)
    for one in dialog.cards:
        assert "too many" not in one.words or "may overestimate" in one.words


def test_pattern_databases_are_drawn_as_groups_with_their_numbers(dialog):
    goal = goal_board(4, 4, Goal.BLANK_LAST)
    tiles = goal.copy()
    tiles[[14, 15]] = tiles[[15, 14]]
    card = dialog.shown(position_of(tiles, 4))["Pattern database 5-5-5"]
    groups = pattern_sums("5-5-5", tiles, goal).larger
    assert sum(group.moves for group in groups) == 1
    said = [f"{letter} {group.moves}" for letter, group in zip("abc", groups, strict=True)]
    assert card._estimate.parts == " + ".join(said)
    picture, theme = grabbed(card), load_theme("light")
    for group in range(3):
        assert is_colour(picture, group_colour(group, theme).name()).sum() > 100


@pytest.mark.parametrize("name", ["light", "dark"])
def test_numbers_can_be_read_on_every_group(name):
    theme = load_theme(name)
    colours = [group_colour(group, theme) for group in range(4)]
    assert all(contrast(colour, theme.tile_ink) >= 4.5 for colour in colours)
    assert len({colour.name() for colour in colours}) == 4


def test_a_board_that_cannot_be_solved_has_estimates_and_no_distance(dialog):
    # The distance of the board before is not that of this one.
    dialog.shown(position_of([1, 2, 3, 4, 5, 6, 7, 0, 8], 3))
    assert dialog._said.text().startswith("Exact distance: 1 move")
    cards = dialog.shown(position_of([2, 1, 3, 4, 5, 6, 7, 8, 0], 3))
    assert cards["Manhattan distance"]._estimate.moves == 2
    assert "not known" in dialog._said.text()
    assert cards["Manhattan distance"].words == "Manhattan distance: 2, never overestimates"


def test_large_boards_have_the_heuristics_that_fit_them():
    position = position_of(goal_board(6, 6, Goal.BLANK_LAST), 6)
    found = [one for one in estimating(position) if isinstance(one, Estimate)]
    assert "Walking distance" not in [one.title for one in found]
    assert "Manhattan distance" in [one.title for one in found]
    assert 0 in list(estimating(position))


def test_the_keyboard_goes_from_card_to_card_and_out(dialog):
    dialog.shown(position_of([1, 2, 3, 4, 0, 6, 7, 5, 8], 3))
    dialog.activateWindow()
    dialog.cards[0].setFocus()
    QTest.keyClick(dialog.cards[0], Qt.Key.Key_Tab)
    # Whether the window is the active one is the system's affair.
    assert dialog.focusWidget() is dialog.cards[1]
    assert dialog.cards[1].accessibleName() == dialog.cards[1].words
    QTest.keyClick(dialog.cards[1], Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_page_shows_them_of_the_board_that_is_shown(sliding, qtbot):
    take(sliding, [1, 2, 3, 4, 0, 6, 7, 5, 8])
    sliding.page.face.heuristics.click()
    sliding.window.findChild(QPushButton, "compare_heuristics").click()
    side_by_side = sliding.page.face.side_by_side
    qtbot.waitUntil(lambda: not side_by_side._job.is_busy)
    assert side_by_side.isVisible()
    assert "2 moves" in side_by_side._said.text()
    sliding.window.show_puzzle("boggle")
    assert not side_by_side.isVisible()


@pytest.mark.parametrize("goal", [Goal.BLANK_FIRST, Goal.BLANK_LAST])
def test_the_sum_of_the_groups_is_what_the_search_looks_up(goal):
    target, parts = goal_board(4, 4, goal), partition_named("5-5-5")
    for seed in range(5):
        cells = scrambled(target, 4, seed)
        sums = pattern_sums("5-5-5", cells, target)
        spots = open_spots(parts, target)
        for side, groups in enumerate(sums):
            places = open_places(parts, target, cells, side)
            expected = open_sum(places, spots, tables("5-5-5"))
            assert sum(group.moves for group in groups) == expected
        tiles = sorted(tile for group in sums.larger for tile in group.tiles)
        assert tiles == list(range(1, 16))
        assert sums.larger in tuple(sums)
        assert np.sum([group.moves for group in sums.larger]) == max(
            sum(group.moves for group in groups) for groups in sums
        )


def test_tables_that_are_in_memory_are_not_made_again(monkeypatch):
    position = position_of(goal_board(4, 4, Goal.BLANK_LAST), 4)
    assert any(isinstance(one, Estimate) and one.parts for one in estimating(position))

    def refused(name):
        raise AssertionError(name)

    monkeypatch.setattr("tilelab.gui.puzzles.sliding.heuristics_dialog.building", refused)
    assert any(isinstance(one, Estimate) and one.parts for one in estimating(position))
