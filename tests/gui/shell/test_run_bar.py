"""The bar of buttons under the mouse: nothing moves, and no press reaches another button."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from tests.gui.clipped import clipped_texts
from tests.gui.shell.test_keys import STATUSES, show
from tilelab.core.text import language as language_module
from tilelab.core.text.language import LANGUAGES
from tilelab.gui.lab.race.layout import RaceBar
from tilelab.gui.run import transport
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def quick(driver):
    """Call it with True: whatever follows comes within the time of a double click."""
    application = QApplication.instance()
    before = application.doubleClickInterval()
    yield lambda is_quick: application.setDoubleClickInterval(3_600_000 if is_quick else 0)
    application.setDoubleClickInterval(before)


def places(bar):
    """Where the buttons are that can be seen."""
    return {
        button.objectName(): QRect(button.mapTo(bar, QPoint()), button.size())
        for button in (*bar.findChildren(QPushButton), *bar.findChildren(QToolButton))
        if button.isVisible()
    }


def assert_fixed(places_by_state):
    """Each button has one place, and no two buttons overlap that are seen together."""
    known = {}
    for found in places_by_state:
        for name, rect in found.items():
            assert known.setdefault(name, rect) == rect, name
        rects = list(found.values())
        assert not any(rect.intersects(other) for rect in rects for other in rects if rect != other)


def test_the_tip_of_the_speed_names_a_step_of_the_solver_that_is_shown(driver):
    """Noticed: it says "move" of a solver whose steps are expansions, be it of another puzzle."""
    bar, said = driver.window.bar, []
    for ask in (
        lambda: driver.page.choose_solver("annealing"),
        lambda: driver.window.show_puzzle("sliding"),
        lambda: driver.page.choose_solver("a-star"),
        lambda: driver.window.show_puzzle("boggle"),
    ):
        ask()
        driver.settled()
        said.append(bar.speed.toolTip().rpartition("one ")[2])
    assert said == ["move", "generated board", "expansion", "move"]


# Where its width follows the word, two languages show it.
@pytest.mark.usefixtures("with_style_sheet", "any_language")
@pytest.mark.parametrize(
    "languages", [("en", "de"), pytest.param(tuple(LANGUAGES), marks=pytest.mark.exhaustive)]
)
def test_no_button_moves_in_any_state_or_language(driver, languages):
    """The width of a button once was that of its word."""
    found = {1280: [], 1024: []}
    for language in languages:
        driver.make_again(language)
        bar = driver.window.bar
        assert language_module.language() == language
        for width, by_state in found.items():
            driver.window.resize(width, 700)
            for name in STATUSES:
                show(driver, name)
                QApplication.processEvents()
                by_state.append(places(bar))
            # All are in one line, and no word is cut.
            assert len(bar._arranged[0]) == 1
            assert not [fault for fault in clipped_texts(driver.window) if "Button" in fault]
    for by_state in found.values():
        assert_fixed(by_state)
        shared = {name: rect for by_name in by_state for name, rect in by_name.items()}
        assert shared["go"] == shared["stop"] == shared["resume"]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet", "any_language")
@pytest.mark.parametrize("language", [("fr",), ("en",), ("de",), ("es",)])
def test_large_texts_need_two_lines_in_a_narrow_window(driver, language):
    """It took three of them, a sixth of the height of the window."""
    driver.window.set_text_size(150)
    driver.make_again(language)
    driver.window.resize(1024, 700)
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    bar = driver.window.bar
    assert len(bar._arranged[0]) == 2, language
    assert bar._needs(bar._arranged[0]) <= bar.width() == 1024
    driver.window.set_text_size(100)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_bar_arranges_itself_at_once(driver):
    """START AGAIN was cut at both sides in larger texts until the theme was changed."""
    window = driver.window
    window.resize(1024, 700)
    for percent in (150, 100):
        window.set_text_size(percent)
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        assert window.bar._needs(window.bar._arranged[0]) <= window.bar.width()
        assert not [fault for fault in clipped_texts(window) if "ActionButton" in fault]
        menus, corner = window.menuBar(), window.bar.corner
        last = menus.actionGeometry(menus.actions()[-1])
        assert not last.isEmpty()
        assert corner.isHidden() or last.right() < corner.x()
    assert len(window.bar._arranged[0]) == 1


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_a_passing_size_of_texts_leaves_the_bar_as_it_was(driver):
    """The speed's label kept its width of large type, and the puzzles had no room next to LOAD."""
    window = driver.window
    window.resize(1280, 800)
    driver.settled()
    usual = places(window.bar)
    for percent in (150, 100):
        window.set_text_size(percent)
        QApplication.processEvents()
    driver.until(lambda: places(window.bar) == usual)


@pytest.mark.exhaustive
def test_start_again_says_and_takes_the_seed_that_was_chosen(driver, another_driver):
    """It began with another seed, and said so nowhere."""
    driver.set(seed=5)
    driver.run(units=1)
    again, commands = driver.button(Action.START_AGAIN), driver.window.commands
    assert "next seed" in again.toolTip()
    for name, seed in (("same_seed", 5), ("next_seed", 6), ("same_seed", 6)):
        commands[name].trigger()
        assert name.replace("_", " ") in again.toolTip()
        assert name.replace("_", " ") in again.accessibleDescription()
        assert name.replace("_", " ") in commands["start_again"].text()
        assert commands[name].isChecked()
        driver.click(Action.START_AGAIN)
        driver.state(State.FINISHED)
        assert driver.page.run.started.recipe.seed == seed
    assert not another_driver(driver.window.settings).window.commands["next_seed"].isChecked()


def test_start_again_names_no_seed_if_the_solver_has_none(driver):
    again = driver.window.commands["start_again"]
    for solver, has_seed in (("exact", False), ("annealing", True)):
        driver.page.choose_solver(solver)
        assert ("seed" in again.text()) is has_seed
        assert ("seed" in again.toolTip()) is has_seed


def test_no_button_of_a_race_moves(qtbot):
    bar = RaceBar()
    qtbot.addWidget(bar)
    bar.resize(900, 60)
    bar.show()
    found = []
    for allowed, has_race in (
        ({Action.GO}, False),
        ({Action.STOP}, True),
        ({Action.RESUME, Action.START_AGAIN, Action.SAVE}, True),
        ({Action.START_AGAIN, Action.SAVE}, True),
    ):
        bar.show_allowed(allowed, has_race, has_race)
        QApplication.processEvents()
        found.append(places(bar))
    assert_fixed(found)


def press_at(driver, point):
    """Press and release the left button at a place of the window, whatever is there."""
    QTest.mouseClick(driver.window.windowHandle(), Qt.MouseButton.LeftButton, pos=point)


def middle_of(driver, action):
    button = driver.button(action)
    return button.mapTo(driver.window, button.rect().center())


def test_each_press_of_step_with_the_mouse_is_one_step(sliding, quick):
    """The first press makes a run; the second at the same place is a step, too."""
    quick(False)
    sliding.page.choose_solver("a-star")
    place = middle_of(sliding, Action.STEP)
    press_at(sliding, place)
    sliding.state(State.PAUSED)
    assert (sliding.page.run.status.units, sliding.page.run.status.steps) == (0, 1)
    press_at(sliding, place)
    sliding.settled()
    assert (sliding.page.run.status.units, sliding.page.run.status.steps) == (0, 2)
    assert sliding.page.run.status.state is State.PAUSED


@pytest.mark.exhaustive
def test_a_second_press_is_not_for_the_button_that_has_taken_the_place(driver, quick):
    asked = []
    driver.window.bar.asked.connect(asked.append)
    place = middle_of(driver, Action.GO)
    for pressed in (Action.GO, Action.STOP, Action.RESUME):
        quick(False)
        press_at(driver, place)
        quick(True)
        driver.state(State.PAUSED if pressed is Action.STOP else State.RUNNING)
        assert asked[-1] is pressed
        n_asked = len(asked)
        for _ in range(3):
            press_at(driver, place)
        assert len(asked) == n_asked
    quick(False)
    press_at(driver, place)
    driver.state(State.PAUSED)


def test_only_a_second_press_in_the_same_place_comes_too_early(driver, qtbot, monkeypatch):
    """It does not put off the next one, and what is pressed elsewhere was meant."""
    now, asked, host = [100.0], [], QWidget()
    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=lambda: now[0]))
    interval = QApplication.doubleClickInterval() / 1000
    qtbot.addWidget(host)
    stop, step = (transport.ActionButton(a, "", host) for a in (Action.STOP, Action.STEP))
    step.move(300, 0)
    for button in (stop, step):
        button.clicked.connect(lambda: asked.append(now[0]))
    host.show()
    for button, shares in ((stop, {0.3: 1}), (stop, {0.4: 1, 0.8: 1, 1.2: 2}), (step, {0.4: 3})):
        now[0] += 100.0
        button.setEnabled(False)
        button.setEnabled(True)
        changed = now[0]
        for share, n_asked in shares.items():
            now[0] = changed + share * interval
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            assert len(asked) == n_asked


@pytest.mark.exhaustive
def test_space_on_step_does_not_start_again_what_it_has_ended(driver, quick):
    driver.set(units=1)
    driver.window.bar.findChild(QPushButton, "step").setFocus()
    quick(False)
    QTest.keyClick(driver.window.focusWidget(), Qt.Key.Key_Space)
    quick(True)
    driver.state(State.FINISHED)
    key = driver.page.run.started.key
    assert driver.window.focusWidget() is driver.button(Action.START_AGAIN)
    QTest.keyClick(driver.window.focusWidget(), Qt.Key.Key_Space)
    driver.settled()
    assert driver.page.run.started.key == key


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_puzzles_do_not_go_to_and_fro_between_bar_and_menus(driver):
    """They have one width in both places; else a window in between arranged itself without end."""
    bar, widths = driver.window.bar, set()
    for width in range(1250, 1300, 2):
        driver.window.resize(width, 700)
        QApplication.processEvents()
        widths.add((bar._selector.parentWidget() is bar.corner, bar._selector.width()))
    assert {is_above for is_above, _ in widths} == {True, False}
    assert len({width for _, width in widths}) == 1
