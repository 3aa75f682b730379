"""The table of commands: menus, keys, tool tips, the lists and the manual are made from it."""

import importlib.util
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QWidget

from tests.gui.learn.test_manual_window import shown as in_manual
from tilelab.core.text import language
from tilelab.gui.shell.about import shortcuts
from tilelab.gui.widgets.commands import Command, Menu
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")

PUZZLES = ("boggle", "sliding", "wordtiles")
PROGRAM = Path(__file__).parents[3] / "docs" / "scripts" / "commands.py"
RUN = {"load", "go", "stop", "resume", "step", "step_back", "start_again", "save", "save_run"}


@pytest.fixture
def each_page(driver):
    """Show each page in turn."""

    def pages():
        for puzzle in PUZZLES:
            driver.show(puzzle)
            yield driver.page

    return pages


def test_ids_and_keys_are_given_once_and_places_are_in_the_manual(driver, each_page):
    """Noticed: a key that two commands of a page have, which does neither; a page that is gone."""
    for _ in each_page():
        actions = list(driver.window.commands)
        ids = [action.objectName() for action in actions]
        assert len(set(ids)) == len(ids)
        assert set(ids) > RUN
        keys = [key for action in actions if action.has_keys for key in action.command.keys]
        assert len(set(keys)) == len(keys)
        assert [action.text() for action in actions if not in_manual(action.command.place)] == []
        assert all(action.command.shown_tip for action in actions)


def test_the_menus_have_what_the_page_offers_and_nothing_of_the_page_before(driver, each_page):
    for page in each_page():
        wanted = {one.id for one in page.face.commands() if one.menu}
        in_menus = {
            action.objectName()
            for menu in driver.window.commands.menus.values()
            for action in menu.actions()
        }
        assert wanted <= in_menus
        (languages,) = driver.window.commands.menus[Menu.VIEW].findChildren(QMenu)
        shown = [action.text() for action in languages.actions() if action.isChecked()]
        assert (len(languages.actions()), shown) == (5, ["Like the system"])
        assert ("presets" in in_menus) == (page.puzzle_key == "sliding")
        assert ("play_grid" in in_menus) == (page.puzzle_key == "boggle")


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_each_menu_has_a_letter_of_its_own(code):
    """Noticed: a translation without a letter, or two menus that Alt and a letter would open."""
    language.use(code)
    letters = [language.tr(menu.value).partition("&")[2][:1].casefold() for menu in Menu]
    language.use("en")
    assert len(set(letters) - {""}) == len(Menu), letters


def test_the_keyboard_alone_opens_a_menu_and_does_an_entry(driver):
    window = driver.window
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_T, Qt.KeyboardModifier.AltModifier)
    menu = window.commands.menus[Menu.TOOLS]
    driver.until(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    names = []
    while menu.activeAction() is not window.commands["records"]:
        names.append(menu.activeAction().objectName())
        assert len(set(names)) == len(names)
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert window.records.isVisible()


def test_a_menu_that_a_second_click_closes_keeps_no_mouse(driver):
    """Noticed: the next click, in whatever window, which opened a menu of the main window."""
    menu, bar = driver.window.commands.menus[Menu.FILE], driver.window.menuBar()
    place = bar.actionGeometry(menu.menuAction()).center()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    driver.until(menu.isVisible)
    again = menu.mapFromGlobal(bar.mapToGlobal(place))
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=again)
    assert not menu.isVisible()
    QApplication.processEvents()
    assert QWidget.mouseGrabber() is None


def test_a_key_does_the_command_or_says_why_not(driver):
    """Noticed: a disabled action whose key is silent, an enabled one whose key is ambiguous."""
    window, notice = driver.window, driver.page.notice
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert notice.text == "No run is in progress."
    QTest.keyClick(window, Qt.Key.Key_F5)
    driver.state(State.RUNNING)
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert notice.text == "STOP the run before you load something else."
    QTest.keyClick(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    driver.state(State.PAUSED)
    window.menuBar().hide()  # as in a presentation
    QTest.keyClick(window, Qt.Key.Key_F5)
    driver.state(State.RUNNING)


def test_a_key_is_that_of_the_page_that_is_shown(driver, each_page):
    """Noticed: a key of the page before, which makes the same one of this page ambiguous."""
    for page in each_page():
        driver.window.activateWindow()
        page.notice.clear()
        QTest.keyClick(driver.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert page.notice.text == "There is nothing to undo."


def test_button_and_entry_say_why_not(driver):
    save, button = driver.window.commands["save"], driver.button(Action.SAVE)
    for one in (save, button):
        assert not one.isEnabled()
        assert one.toolTip().endswith("(Ctrl+S)\nThere is no board to save yet.")
    driver.run(rows=4, cols=4, seed=1, units=1)
    for one in (save, button):
        assert one.isEnabled()
        assert one.toolTip().endswith("(Ctrl+S)")


@pytest.mark.parametrize(
    "name",
    ["history", "records", "experiments", "race", "manual", "preferences", "about"],
)
def test_what_opens_a_window_opens_it(driver, name):
    before = {one for one in QApplication.topLevelWidgets() if one.isVisible()}
    driver.window.commands[name].trigger()
    (opened,) = {one for one in QApplication.topLevelWidgets() if one.isVisible()} - before
    opened.close()


@pytest.mark.parametrize("name", ["history", "experiments", "race"])
def test_the_program_ends_from_its_other_windows(driver, qtbot, name):
    """Noticed: Ctrl+Q that works in the main window only."""
    before = {one for one in QApplication.topLevelWidgets() if one.isVisible()}
    driver.window.commands[name].trigger()
    (opened,) = {one for one in QApplication.topLevelWidgets() if one.isVisible()} - before
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    QTest.keyClick(opened.windowHandle(), Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not driver.window.isVisible())


def test_the_list_of_keys_has_those_of_all_commands(driver, each_page):
    for _ in each_page():
        listed = {key for _, lines in shortcuts(driver.window.commands) for key, _ in lines}
        assert {one.command.key for one in driver.window.commands if one.command.key} <= listed


@pytest.fixture
def command_list(driver):
    """The list of commands, opened by its key."""
    QTest.keyClick(driver.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    return driver.window.findChild(QDialog, "command_list")


def rows(command_list):
    """The commands that are listed, and whether each can be done."""
    items = (command_list.list.item(row) for row in range(command_list.list.count()))
    enabled = Qt.ItemFlag.ItemIsEnabled
    return {one.text(): bool(one.flags() & enabled) for one in items if not one.isHidden()}


def test_a_command_is_found_by_typing_and_done_by_enter(driver, command_list):
    titles = {one.command.shown_title.rstrip("…") for one in driver.window.commands}
    assert titles <= rows(command_list).keys()
    QTest.keyClicks(command_list.field, "hist")
    assert list(rows(command_list)) == ["History"]
    QTest.keyClick(command_list.field, Qt.Key.Key_Return)
    assert driver.window.history.isVisible()
    assert not command_list.isVisible()


def test_what_load_offers_is_found_and_done(driver, monkeypatch, tmp_path):
    """Noticed: 'type a board' finds only 'Presentation', for its description."""
    driver.page.settings.add_recent(tmp_path / "old.tilelab", "runs")
    driver.show("sliding")
    asked = []
    monkeypatch.setattr(type(driver.page.face.load), "ask_for_board", lambda *_: asked.append(1))
    driver.window.commands["find_command"].trigger()
    (shown,) = driver.window.findChildren(QDialog, "command_list")
    assert "Scramble" in rows(shown)
    assert "old.tilelab" not in rows(shown)
    QTest.keyClicks(shown.field, "type a board")
    assert shown.list.currentItem().text() == "Type or paste a board"
    QTest.keyClick(shown.field, Qt.Key.Key_Return)
    assert asked == [1]


def test_the_arrows_go_through_what_can_be_done(command_list):
    QTest.keyClicks(command_list.field, "text size")
    assert rows(command_list) == {"Preferences": True, "Normal text size": True}
    assert command_list.list.currentItem().text() == "Normal text size"
    QTest.keyClick(command_list.field, Qt.Key.Key_Up)
    assert command_list.list.currentItem().text() == "Preferences"
    command_list.close()


def test_what_can_be_done_is_selected_behind_what_cannot(command_list):
    """Noticed: Enter does nothing, for the first command that was found cannot be done."""
    QTest.keyClicks(command_list.field, "the board")
    (first, can_be_done), *_ = rows(command_list).items()
    assert (first, can_be_done) == ("Save the board", False), rows(command_list)
    assert command_list.list.currentItem().text() == "Fit all words"
    command_list.close()


def test_a_command_is_found_without_its_accents(command_list):
    """Noticed: no command has the words 'franc' and 'espan'."""
    for typed, title in (("franc", "Français"), ("ESPAÑ", "Español"), ("espan", "Español")):
        command_list.field.setText(typed)
        assert list(rows(command_list)) == [title]
    command_list.close()


def test_that_no_command_fits_is_said(command_list):
    assert command_list.nothing.isHidden()
    QTest.keyClicks(command_list.field, "difficult")
    assert not rows(command_list)
    assert command_list.nothing.isVisible()
    command_list.field.setText("film")  # listed, though it cannot be done
    assert command_list.nothing.isHidden()
    command_list.close()


def test_what_cannot_be_done_is_listed_with_the_reason(driver, command_list):
    QTest.keyClicks(command_list.field, "film")
    assert rows(command_list) == {"Film of the run": False}
    (item,) = command_list.list.findItems("Film of the run", Qt.MatchFlag.MatchExactly)
    assert "There is no run to film yet." in item.data(Qt.ItemDataRole.AccessibleTextRole)
    QTest.keyClick(command_list.field, Qt.Key.Key_Return)
    assert command_list.isVisible()
    command_list.close()


def test_a_click_does_the_command_under_it_once_and_nothing_where_it_cannot_be_done(
    driver, command_list
):
    """Noticed: a click on a grey row does the row that is selected; one click does it twice."""
    done = []
    for action in driver.window.commands:
        action.triggered.connect(lambda _=False, action=action: done.append(action.objectName()))
    QTest.keyClicks(command_list.field, "run")
    can_be_done = rows(command_list)
    (grey,) = command_list.list.findItems("Film of the run", Qt.MatchFlag.MatchExactly)
    assert not can_be_done["Film of the run"]
    command_list.list.itemClicked.emit(grey)
    assert command_list.isVisible()
    assert done == []
    (item,) = command_list.list.findItems("History", Qt.MatchFlag.MatchExactly)
    for signal in (command_list.list.itemClicked, command_list.list.itemActivated):
        signal.emit(item)
    assert done == ["history"]


def test_a_command_that_a_page_adds_is_everywhere(driver, monkeypatch):
    done = []
    added = Command(
        "copy_json", "Copy as JSON", lambda: done.append(True), "Ctrl+J", "As text", (Menu.EDIT, 1)
    )
    commands = driver.page.face.commands()
    monkeypatch.setattr(driver.page.face, "commands", lambda: (*commands, added))
    driver.window.commands.set_page(driver.page.face.commands())
    driver.window.commands.refresh()
    QTest.keyClick(driver.window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert done == [True]
    assert added.shown_title in [
        one.text() for one in driver.window.commands.menus[Menu.EDIT].actions()
    ]
    driver.window.commands["shortcuts"].trigger()
    texts = [label.text() for label in driver.window.findChildren(QLabel)]
    assert {"Ctrl+J", "Copy as JSON"} <= set(texts)
    for dialog in driver.window.findChildren(QDialog):
        dialog.close()


def test_the_tables_of_the_manual_are_those_of_the_window(driver):
    spec = importlib.util.spec_from_file_location("commands", PROGRAM)
    commands = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(commands)
    text = commands.PAGE.read_text(encoding="utf-8")
    assert text == commands.with_tables(text, driver.window), "run python docs/scripts/commands.py"
