"""The pseudocode next to the board: open or closed, lit at each step and at earlier moments."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.gui.runs_by_hand import opened, saved
from tilelab import catalog
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.views import CodeLine, Step, ViewKind
from tilelab.gui.run import watching
from tilelab.gui.views.pseudocode_pane import PseudocodePane
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def code(driver):
    """The pane of the page, opened."""
    driver.page.view_stack.pseudocode.click()
    return driver.page.view_stack.code


def generation(driver):
    return driver.page.run.views[ViewKind.POPULATION].generation


def step(driver, qtbot):
    driver.settled()
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    driver.settled()


def test_a_closed_pane_costs_nothing(driver, qtbot, monkeypatch):
    """Noticed: a closed pane that reads its file, watches the run, or lights lines."""
    read = []
    monkeypatch.setattr(Pseudocode, "read", lambda code: read.append(code) or _fail())
    stack = driver.page.view_stack
    step(driver, qtbot)
    assert not driver.page.run.views
    assert stack.watched_kinds == frozenset()
    assert stack.code.lines.count() == 0
    assert not read


def _fail():
    raise AssertionError


def test_each_step_lights_its_lines_and_an_earlier_moment_lights_them_again(driver, qtbot, code):
    shown = []
    for _ in range(4):
        step(driver, qtbot)
        qtbot.waitUntil(lambda: "score" in code.lit)
        qtbot.waitUntil(
            lambda: driver.page.run.views[ViewKind.POPULATION].generation == len(shown) + 1
        )
        shown.append(code.lit)
    assert "start" in shown[0]
    assert "pair" not in shown[0]
    assert {"parents", "pair", "cross", "mutate"} <= set(shown[3])
    back = driver.page.watching.stepping_back
    back.back()
    qtbot.waitUntil(lambda: driver.page.run.is_back and code.lit == shown[2])
    driver.page.timeline.end()
    qtbot.waitUntil(lambda: code.lit == shown[3])


def begin_a_star(driver, qtbot, n_steps):
    """Make some steps of A* on the page of sliding tiles, with the pane closed."""
    page = driver.choose("sliding", "a-star")
    for n_done in range(1, n_steps + 1):
        driver.settled()
        page.control.step()
        qtbot.waitUntil(lambda n=n_done: page.run.reported.steps == n)
    driver.settled()
    return page


def test_a_pane_opened_in_a_pause_lights_the_newest_step(driver, qtbot):
    """Noticed: no lit line until the next step; lines that go with a report of the worker."""
    page = begin_a_star(driver, qtbot, 2)
    page.view_stack.pseudocode.click()
    code = page.view_stack.code
    qtbot.waitUntil(lambda: bool(code.lit))
    assert code._hint.isHidden()
    second = code.lit
    page.client.tell(page.client.worker.set_limits, page.panel.limits())
    driver.settled()
    assert code.lit == second
    page.control.step()
    qtbot.waitUntil(lambda: page.run.reported.steps == 3)
    assert "select" in code.lit
    assert code.lit != second
    back = page.watching.stepping_back
    back.back()
    qtbot.waitUntil(lambda: page.run.is_back and code.lit == second)
    assert back.forward()
    qtbot.waitUntil(lambda: not page.run.is_back)
    assert code.lit.keys() == second.keys()


def test_a_run_that_is_opened_lights_its_newest_step(driver, another_driver, qtbot, tmp_path):
    """Noticed: "Press STEP" next to a run that has stopped at its third step."""
    page = begin_a_star(driver, qtbot, 3)
    page.view_stack.pseudocode.click()
    qtbot.waitUntil(lambda: "select" in page.view_stack.code.lit)
    file = saved(driver, tmp_path / "run.tilelab")
    other = opened(another_driver(page.settings), file)
    stack = other.page.view_stack
    other.until(lambda: stack.code.lit == page.view_stack.code.lit)
    assert stack.code._hint.isHidden()
    assert stack.shown is None


def test_a_long_run_is_not_computed_again_for_a_pane(driver, qtbot, monkeypatch):
    """Noticed: minutes of work behind a click, or a pane that neither lights nor explains."""
    monkeypatch.setattr(watching, "MAX_RENEWAL_SECONDS", 0.0)
    page = begin_a_star(driver, qtbot, 2)
    page.view_stack.pseudocode.click()
    driver.settled()
    qtbot.waitUntil(lambda: ViewKind.TREE in page.run.views)
    assert not page.watching.stepping_back._renewal.is_busy
    assert not page.view_stack.code.lit
    assert page.view_stack.code._hint.isVisible()


def test_a_run_that_goes_on_ends_the_computation_for_a_pane(driver, qtbot, monkeypatch):
    """Noticed: a run that shares the processor with its own past for seconds."""
    closed = Event()

    def endless(_request):
        while not closed.wait(0.01):
            yield 0

    monkeypatch.setattr(watching, "moment_at", endless)
    page = driver.page
    driver.settled()
    page.control.step()
    driver.settled()
    page.view_stack.pseudocode.click()
    renewal = page.watching.stepping_back._renewal
    assert renewal.is_busy
    driver.click(Action.RESUME)
    qtbot.waitUntil(lambda: not renewal.is_busy)
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    closed.set()


def test_a_line_is_read_out_with_its_value(driver, qtbot, code):
    step(driver, qtbot)
    qtbot.waitUntil(lambda: "start" in code.lit)
    role = Qt.ItemDataRole.AccessibleTextRole
    spoken = [code.lines.item(row).data(role) for row in range(code.lines.count())]
    assert spoken[0] == "1: population ← random boards; this line ran. 105 boards"
    assert spoken[1].startswith("2: parents ← ")
    assert "ran" not in spoken[1]
    assert "105 boards" in code.lines.item(0).toolTip()


def test_the_pane_is_remembered_and_needs_a_solver_with_pseudocode(driver, code):
    stack = driver.page.view_stack
    assert driver.page.settings.flag("run/pseudocode")
    assert not code.isHidden()
    assert not code.lit
    stack.offer(replace(driver.page.choices.solver, pseudocode=None))
    assert code.isHidden()
    assert not stack.has_pseudocode
    assert stack.watched_kinds == frozenset()


def test_three_starts_and_another_language_keep_the_open_pane_and_its_sizes(
    driver, another_driver, code
):
    """Noticed: each start gives the pane more of the chart's room, or begins with it closed."""

    def sizes(page):
        heights = page.middle.sizes(), page.view_stack.code.height()
        return page.view_stack.code.isVisible(), page.columns.sizes(), heights

    driver.window.resize(1280, 800)
    driver.settled()
    driver.page.middle.setSizes([430, 200])
    driver.settled()
    before = sizes(driver.page)

    def is_same(now):
        return sizes(now.page) == before

    driver.make_again()
    driver.until(partial(is_same, driver))
    for _ in range(3):
        driver.window.close()
        driver = another_driver(driver.window.settings)
        # The screen of tests is smaller than the window.
        driver.window.resize(1280, 800)
        driver.until(partial(is_same, driver))


@pytest.fixture
def pane(qtbot):
    """The pane of A*, without a page around it, and the names of its lines."""
    spec, made = catalog.solver("sliding", "a-star").spec, PseudocodePane()
    qtbot.addWidget(made)
    made.set_solver(spec)
    made.show()
    return made, [line.name for line in spec.pseudocode.read().lines]


def test_as_many_lit_lines_as_possible_are_visible(pane, qtbot):
    """Noticed: only the first lit line was visible, and those after it were out of sight.

    Or 'while' above the half of the line with the numbers of the board, or lines of its children.
    """
    pane, names = pane
    pane.setFixedWidth(500)
    values = {}

    def visible(*rows, n_rows):
        """The lit rows that are seen where n rows have room."""
        lines = tuple(CodeLine(names[row], values.get(row, "")) for row in rows)
        pane.show_lines(Step("", lines=lines))
        bar, area = pane.lines.verticalScrollBar(), pane.lines
        height = n_rows * area.sizeHintForRow(1)
        area.setFixedHeight(height)
        qtbot.waitUntil(lambda: area.viewport().height() == height and bar.maximum() > 0)
        boxes = [area.visualItemRect(area.item(row)) for row in rows]
        ground = area.viewport().rect()
        return [row for row, box in zip(rows, boxes, strict=True) if ground.contains(box)]

    assert visible(0, 5, 6, 7, n_rows=3) == [5, 6, 7]
    assert visible(1, 2, 8, n_rows=3) == [1, 2]
    assert visible(1, 2, 4, 5, n_rows=5) == [1, 2, 4, 5]
    pane.setFixedWidth(284)
    values[2] = "f = 4 + 36 = 40"  # below its line
    assert visible(1, 2, 4, 5, n_rows=3) == [2]


def test_a_line_without_room_is_wrapped_and_its_value_is_below_it(pane, qtbot):
    """Noticed: words of a line that end in '…'; a pane that jumps."""
    pane, names = pane
    pane.setFixedWidth(284)

    def shown():
        """Heights by the places of the lines: Qt knows the height of each even out of date."""
        tops = [pane.lines.visualItemRect(pane.lines.item(row)).top() for row in range(4)]
        return [below - top for top, below in pairwise(tops)]

    def heights(value):
        pane.show_lines(Step("", lines=tuple(CodeLine(name, value) for name in names[:3])))
        return shown()

    wrapped, line, height = heights(""), pane.lines.sizeHintForRow(1), pane.sizeHint().height()
    assert wrapped[0] > line
    assert heights("f = 4 + 36 = 40")[2] > wrapped[2]
    assert pane.sizeHint().height() == height
    # Noticed: a value over the next line, or a gap, from a change of the width to the next step.
    pane.setFixedWidth(700)
    qtbot.waitUntil(lambda: shown() == [line] * 3)
    pane.setFixedWidth(284)
    qtbot.waitUntil(lambda: shown()[2] > wrapped[2])


@pytest.mark.usefixtures("with_style_sheet")
def test_above_a_list_the_pseudocode_leaves_a_view_its_height(stack, qtbot):
    """Noticed: at 1024×700 a tree of 120 pixels above eight lines and the open list."""
    stack.offer(catalog.solver("sliding", "a-star").spec)
    stack.captions.setChecked(True)
    stack.set_frontier(True)
    stack.pseudocode.setChecked(True)
    stack.setFixedSize(284, 502)
    stack.show()
    qtbot.waitUntil(lambda: stack._stack.height() >= 170)
    assert stack.code.lines.height() >= 4 * stack.code.lines.sizeHintForRow(0)
    assert stack.frontier._title.isVisible()


def test_the_first_kind_is_watched_whatever_is_shown(driver, code):
    """Noticed: lines that are not lit while another view than the first is shown."""
    stack = driver.page.view_stack
    views = ViewKind.TREE, ViewKind.DEPTHS
    stack.offer(replace(driver.page.choices.solver, views=views))
    stack.choose(ViewKind.DEPTHS)
    assert stack.watched_kinds == {ViewKind.TREE, ViewKind.DEPTHS}
    stack.pseudocode.click()
    assert stack.watched_kinds == {ViewKind.DEPTHS}


@pytest.mark.usefixtures("with_style_sheet")
def test_the_switch_never_takes_a_row_of_its_own(driver, qtbot):
    """Noticed: a switch that takes a row from the board of a narrow window, or is missing there."""
    stack = driver.page.view_stack
    for size, has_room in (((1024, 700), False), ((1800, 900), True), ((1024, 700), False)):
        driver.window.resize(*size)
        driver.settled()
        assert stack.pseudocode.isVisible() is has_room
        assert stack.small_switch.isVisible() is not has_room
        assert stack.captions.isVisible()
        for is_open in (True, False):
            (stack.pseudocode if has_room else stack.small_switch).click()
            assert stack.code.isVisible() is stack.small_switch.isChecked() is is_open
        qtbot.waitUntil(lambda: stack.captions.mapTo(stack, QPoint()).y() < stack.tabs.height())


@pytest.mark.usefixtures("with_style_sheet")
def test_six_lines_can_be_read_in_a_usual_window(driver, qtbot):
    """Noticed: two lines of the pseudocode, next to a chart and under a board with room.

    Also a sixth line that was cut at its foot.
    """
    driver.window.resize(1280, 800)
    for key in ("boggle", "sliding", "wordtiles"):
        driver.window.show_puzzle(key)
        page = driver.page
        page.view_stack.pseudocode.setChecked(True)  # as at a start, which changes no sizes
        page.view_stack.captions.setChecked(True)
        driver.settled()
        page.control.step()
        qtbot.waitUntil(lambda page=page: bool(page.view_stack.code.lit))
        lines = page.view_stack.code.lines
        wanted = min(lines.count(), 6) * lines.sizeHintForRow(0)
        qtbot.waitUntil(lambda lines=lines, wanted=wanted: lines.viewport().height() >= wanted)
        rim = lines.height() - lines.viewport().height()
        assert lines.minimumHeight() - rim >= wanted
        assert page.scroll_area.verticalScrollBar().maximum() == 0
        assert page.chart.isVisible()


@pytest.mark.usefixtures("with_style_sheet")
@pytest.mark.parametrize("width", [1012, 1024, 1048])
def test_the_small_switch_does_not_change_the_room_that_it_depends_on(sliding, qapp, width):
    """Noticed: columns that come and go for ever, as the switch widens the board and is hidden."""
    stack = sliding.page.view_stack
    sliding.window.resize(width, 700)
    sliding.settled()
    widths = []
    for _ in range(100):
        qapp.processEvents()
        widths.append(stack.width())
    assert len(set(widths[50:])) == 1
    assert stack.small_switch.isVisible()
    stack.small_switch.click()
    assert stack.code.isVisible()


@pytest.mark.usefixtures("with_style_sheet")
def test_in_a_narrow_column_the_pane_leaves_the_board_its_height(stack, qtbot):
    """Noticed: the pane over the buttons of a board, without a switch that closes it."""
    stack.offer(catalog.solver("wordtiles", "bees").spec)
    stack.pseudocode.setChecked(True)
    width = stack.tabs.sizeHint().width() + stack.captions.sizeHint().width()
    stack.setFixedSize(width, 440)  # too narrow for both in one row
    stack.show()
    area = stack._stack
    qtbot.waitUntil(lambda: stack.captions.mapTo(stack, QPoint()).y() > stack.tabs.height())
    qtbot.waitUntil(lambda: stack.code.y() > area.geometry().bottom())
    assert area.height() >= area.minimumHeight() > 0
    assert stack.small_switch.isVisible()


@pytest.mark.usefixtures("with_style_sheet")
def test_the_board_keeps_its_height_while_sentences_have_one_line_or_two(stack):
    """Noticed: a board that shrinks for each longer sentence, and jumps from step to step."""
    stack.offer(catalog.solver("sliding", "a-star").spec)
    stack.captions.setChecked(True)
    stack.pseudocode.setChecked(True)
    stack.setFixedSize(400, 520)
    stack.show()
    heights = []
    for text in ("Generated a board.", "Generated a board: it is pruned. " * 2, "It is pruned."):
        stack._caption.setText(text)
        stack._share_room()
        stack.layout().activate()
        heights.append(stack._stack.height())
    assert len(set(heights)) == 1, heights


@pytest.mark.usefixtures("with_style_sheet")
def test_a_long_caption_takes_its_lines_from_the_board(stack, qtbot):
    """Noticed: in a presentation, a board that reaches into the pane below it."""
    stack.offer(catalog.solver("sliding", "a-star").spec)
    stack.captions.setChecked(True)
    stack.pseudocode.setChecked(True)
    stack.set_frontier(True)
    stack.set_yielding(True)
    least = stack.minimumSizeHint().height() - stack._stack.minimumHeight()
    line = stack._caption.fontMetrics().height()
    stack.setFixedSize(600, least + 6 * line)
    stack.show()
    stack._caption.setText("Generated a board: it is pruned. " * 8)

    def fits():
        rows = [part.geometry() for part in (stack._stack, stack.code, stack.frontier)]
        rows.append(stack._caption.geometry())
        is_apart = all(upper.bottom() < lower.top() for upper, lower in pairwise(rows))
        return (
            stack._caption.height() >= 3 * line and is_apart and rows[-1].bottom() < stack.height()
        )

    qtbot.waitUntil(fits)
