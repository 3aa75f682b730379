"""The list of what comes next: open or closed, at each step, and marked together with the tree."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QLabel

from tests.gui.views.test_tree_view import made
from tilelab import catalog
from tilelab.core.views import BoardPlace, EntryState, Frontier, ViewKind
from tilelab.gui.views.frontier_pane import FrontierPane
from tilelab.gui.views.tree_view import node_of
from tilelab.gui.widgets.theme import apply_theme
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.slides.moves import replay

pytestmark = pytest.mark.usefixtures("without_style_sheet")
EIGHT = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
PATHS = ("U", "L", "R", "UL", "UR")


def frontier(paths=PATHS, ties=(0, 1, 1, 1, 2), **changes):
    """An open list of the boards at the ends of some paths."""
    g = np.array([len(path) for path in paths], float)
    view = Frontier.of(
        "Open list",
        ("g", "h", "f"),
        np.stack([replay(EIGHT.start, 3, path) for path in paths]),
        np.stack([g, g + 20, 2 * g + 20], axis=1),
        ties=np.array(ties),
        n_entries=60,
        closed=EIGHT.start[np.newaxis],
        n_closed=1,
    )
    return replace(view, **changes)


@pytest.fixture
def pane(qtbot):
    made = FrontierPane()
    qtbot.addWidget(made)
    made.resize(700, 200)
    made.show_view(frontier(), EIGHT)
    made.show()
    return made


@pytest.fixture
def searching(driver, qtbot):
    """The page of sliding tiles with A*, its tree, and the open list."""
    page = driver.choose("sliding", "a-star")
    page.view_stack.choose(ViewKind.TREE)
    driver.window.commands["show_frontier"].trigger()
    return page


def step(driver, qtbot, n_expanded):
    driver.settled()
    driver.page.control.step()
    qtbot.waitUntil(lambda: shown(driver) is not None and shown(driver).n_closed == n_expanded)
    driver.settled()


def shown(driver):
    return driver.page.view_stack.frontier.view


def words(part):
    role = Qt.ItemDataRole.AccessibleTextRole
    return [part.rows.data(part.rows.index(row), role) for row in range(part.rows.rowCount())]


def test_a_closed_list_costs_nothing_and_an_open_one_is_remembered(driver, qtbot):
    """Noticed: a closed list that is watched; an open one that is not there after a start."""
    stack = driver.page.view_stack
    assert stack.has_frontier
    assert stack.watched_kinds == frozenset()
    assert stack.frontier.isHidden()
    driver.window.commands["show_frontier"].trigger()
    assert stack.watched_kinds == {ViewKind.FRONTIER}
    assert not stack.frontier.isHidden()
    assert driver.page.settings.flag("run/frontier")
    driver.window.commands["show_frontier"].trigger()
    assert stack.watched_kinds == frozenset()
    assert not driver.page.settings.flag("run/frontier")


def test_each_step_shows_its_list_and_an_earlier_moment_shows_it_again(driver, qtbot, searching):
    lists = []
    for n_expanded in range(1, 5):
        step(driver, qtbot, n_expanded)
        lists.append(words(searching.view_stack.frontier.entries))
    assert len({tuple(one) for one in lists}) == 4
    searching.watching.stepping_back.back()
    entries = searching.view_stack.frontier.entries
    qtbot.waitUntil(lambda: searching.run.is_back and words(entries) == lists[2])
    searching.timeline.end()
    qtbot.waitUntil(lambda: words(entries) == lists[3])


@pytest.mark.exhaustive
def test_pointing_at_a_board_marks_it_in_the_tree_and_the_other_way_round(driver, qtbot, searching):
    """Noticed: another board is marked, or a mark that stays."""
    for n_expanded in range(1, 4):
        step(driver, qtbot, n_expanded)
    stack = searching.view_stack
    tree, entries = stack.widgets[ViewKind.TREE], stack.frontier.entries
    drawn = searching.run.views[ViewKind.TREE]
    for place in (0, 2):
        entries.pointed.emit(place)
        node = tree.canvas._marked
        assert np.array_equal(drawn.boards[node], shown(driver).boards[place])
        assert node == drawn.front[place]
        tree.canvas._mark_hovered(int(drawn.front[place]))
        assert entries.rows.marked == place
    tree.canvas._mark_hovered(drawn.current)
    assert (entries.rows.marked, stack.frontier.closed.rows.marked) == (None, 0)
    entries.pointed.emit(None)
    tree.canvas._mark_hovered(None)
    assert tree.canvas._marked is None
    assert stack.frontier.closed.rows.marked is None


def test_keys_point_at_boards_in_list_and_tree_at_each_step(driver, qtbot, searching):
    """Noticed: a ring that the next step takes away; arrow keys of the tree that mark nothing."""
    step(driver, qtbot, 1)
    stack = searching.view_stack
    entries, canvas = stack.frontier.entries, stack.widgets[ViewKind.TREE].canvas
    driver.window.activateWindow()
    entries.setFocus()
    qtbot.waitUntil(entries.hasFocus)
    qtbot.keyClick(entries, Qt.Key.Key_End)
    pointed = stack.frontier.pointed
    for n_expanded in (2, 3):
        step(driver, qtbot, n_expanded)
        assert stack.frontier.pointed == pointed
        assert canvas._marked == node_of(searching.run.views[ViewKind.TREE], pointed)
        assert canvas._marked is not None
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert stack.frontier.closed.rows.marked == 0  # it begins at the board expanded last


def test_the_title_of_a_narrow_list_is_the_short_one(pane):
    """Noticed: a title that is cut in the middle of a word."""
    pane.resize(230, 200)
    pane.show_view(frontier(title="Open list from the start", short_title="Start"), EIGHT)
    assert pane._title.text() == "Start: 60"
    assert pane._title.toolTip().startswith("Open list from the start: 60")
    pane.resize(600, 200)
    assert pane._title.text().startswith("What comes next · Open list from the start: 60")


def test_the_list_of_a_search_that_has_ended_says_so(pane):
    """Noticed: an empty frame, whose title promised boards."""
    view = frontier()
    rows = {name: getattr(view, name)[:0] for name in ("boards", "values", "ties", "states")}
    pane.show_view(replace(view, **rows), EIGHT)
    shown = {label.text() for label in pane.findChildren(QLabel) if label.isVisible()}
    assert shown == {"What comes next · Open list: 60", "Expanded: 1", "No board comes next."}
    assert pane.entries.isHidden()
    height = pane.sizeHint().height()
    pane.set_low(True)  # noticed: an empty box that left the board above half of its height
    shown = {label.text() for label in pane.findChildren(QLabel) if label.isVisible()}
    assert shown == {"What comes next · Open list: 60 · No board comes next.", "Expanded: 1"}
    pane.layout().activate()
    assert pane.sizeHint().height() < height / 2
    # Noticed: 'none yet' below the number of the expanded boards, which are not known.
    pane.set_low(False)
    assert not pane.closed.isHidden()
    pane.show_view(replace(view, **rows, closed=view.closed[:0]), EIGHT)
    assert pane.closed.isHidden()
    pane.show_view(frontier(), EIGHT)
    assert not pane.entries.isHidden()


def test_a_low_presentation_keeps_the_list_below_the_board(stack, qtbot):
    """Noticed: the list over the buttons below the board."""
    stack.offer(catalog.solver("sliding", "a-star").spec)
    stack.set_frontier(True)
    stack.show_views({ViewKind.FRONTIER: frontier()}, EIGHT)
    least = stack.minimumSizeHint().height()
    stack.set_yielding(True)
    stack.setFixedSize(700, least - 40)
    stack.show()
    qtbot.waitUntil(lambda: stack._stack.geometry().bottom() < stack.frontier.y())
    assert stack.frontier.geometry().bottom() < stack.height()


def test_the_mouse_and_the_keys_point_at_entries(qtbot, pane):
    pointed = []
    pane.board_pointed.connect(pointed.append)
    entries = pane.entries
    middle = entries.visualRect(entries.rows.index(1)).center()
    qtbot.mouseMove(entries.viewport(), middle + QPoint(1, 0))
    qtbot.waitUntil(lambda: bool(pointed) and pointed[-1] == entries.rows.entries[1].board)
    entries.setFocus()
    entries.setCurrentIndex(entries.rows.index(0))
    entries._hover(None)
    assert entries.pointed_place in (0, None)  # without a focused window there are no keys


def test_a_board_at_the_edge_of_a_list_has_no_cut_numbers(pane):
    """Noticed: the half of a 12 at the edge, which reads as a 1; a revealed board left empty."""
    listed = pane.entries
    listed.setWrapping(False)
    listed.setFixedSize(listed.item_size.width() * 5 // 4, listed.item_size.height() + 20)
    pane.grab()

    def has_ink(place):
        area = listed.visualRect(listed.rows.index(place))
        image = listed.viewport().grab(area.adjusted(8, 8, -8, -8)).toImage()
        across, down = range(image.width()), range(image.height())
        return any(image.pixelColor(x, y).lightness() < 90 for x in across for y in down)

    assert [has_ink(0), has_ink(1)] == [True, False]
    listed.horizontalScrollBar().setValue(1)
    assert [has_ink(0), has_ink(1)] == [False, True]
    listed.reveal(3)
    assert [has_ink(2), has_ink(3)] == [False, True]
    # Noticed: a board that was revealed before the list became narrower.
    listed.setFixedWidth(listed.item_size.width() + 2)
    assert has_ink(3)
    listed.setFixedSize(listed.item_size.width() + 20, listed.item_size.height() * 5 // 2)
    listed.reveal(4)
    assert has_ink(4)


def test_each_turn_of_the_wheel_leaves_a_whole_board_in_a_narrow_list(pane, qapp):
    """Noticed: after some turns, two halves of boards, each drawn as an empty square."""
    listed, size = pane.entries, pane.entries.item_size
    listed.setFixedSize(size.width() * 5 // 4, size.height() + 20)
    pane.grab()
    view, notch = listed.viewport(), QPoint(0, -120)
    middle = QPointF(view.rect().center())
    areas = []
    for _ in PATHS:
        areas = [listed.visualRect(listed.rows.index(place)) for place in range(len(PATHS))]
        assert any(view.rect().contains(area) for area in areas)
        still = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        turn = QWheelEvent(
            middle, middle, QPoint(), notch, *still, Qt.ScrollPhase.NoScrollPhase, False
        )
        qapp.sendEvent(view, turn)
    assert view.rect().contains(areas[-1])


def test_entries_are_as_wide_as_their_texts_when_texts_grow(pane, qapp):
    """Noticed: cards over each other, so that 'h 33' reads 'h 3', until the next step."""
    before = pane.entries.item_size.width()
    apply_theme(qapp, "light", 1.5)
    try:
        assert pane.entries.item_size.width() > before
    finally:
        apply_theme(qapp, "light", 1.0)
    assert pane.entries.item_size.width() == before


def test_an_entry_is_read_out_with_its_values_and_ties(pane):
    """Noticed: a tie that only the bracket shows; 'next' at the wrong entry."""
    start = "867, 254, 3.1"
    said = words(pane.entries)
    assert said[0].startswith("1: next, g 1, h 21, f 22; ")
    assert said[1].startswith("2: g 1, h 21, f 22, tied with 2 other boards; ")
    assert said[4].startswith("5: g 2, h 22, f 24; ")
    assert words(pane.closed) == [f"expanded; {start}"]
    assert [entry.is_tied for entry in pane.entries.rows.entries] == [
        (False, False),
        (False, True),
        (True, True),
        (True, False),
        (False, False),
    ]
    assert pane.entries.accessibleDescription() == "Open list: 60; the first 5 are here"


def test_the_next_entry_of_a_stack_is_the_first_with_a_move_left(pane):
    states = np.array([EntryState.DONE, EntryState.WAITING, EntryState.WAITING], np.uint8)
    view = frontier(PATHS[:3], (0, 1, 2), states=states, n_closed=-1, on_path=True)
    pane.show_view(view, EIGHT)
    assert [entry.is_next for entry in pane.entries.rows.entries] == [False, True, False]
    assert "no move left" in words(pane.entries)[0]
    assert pane.closed.isHidden()
    pane.show_view(None, None)
    assert pane.entries.isHidden()


def test_of_equal_boards_the_one_on_the_path_is_marked():
    """Noticed: a board that a depth-first search has left, marked for the one on its path."""
    view = made(("", "U", "D", "DU"), 1, path=np.array([0, 2, 3], np.int32))
    assert node_of(view, BoardPlace.of(view.boards, 0, 0)) == 0
    view = replace(view, path=np.array([3], np.int32))
    assert node_of(view, BoardPlace.of(view.boards, 0, 0)) == 3
    assert node_of(view, BoardPlace.of(view.boards, 0, 1)) is None


@pytest.mark.parametrize("is_code_first", [True, False])
def test_tab_goes_from_the_switches_to_the_lists(searching, is_code_first):
    stack = searching.view_stack
    for opens_code in (is_code_first, not is_code_first):
        if opens_code:
            stack.pseudocode.click()
        else:
            stack.turn_frontier()
    chain = [stack.pseudocode]
    while len(chain) < 200:
        chain.append(chain[-1].nextInFocusChain())
    stops = [part for part in chain if part.focusPolicy() & Qt.FocusPolicy.TabFocus]
    lists = [stack.code.lines, stack.frontier.entries, stack.frontier.closed]
    assert stops[1:4] == lists
