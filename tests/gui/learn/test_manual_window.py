"""The manual in the window: what F1 and the question marks open, links, search."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tilelab.core.text import language
from tilelab.gui.learn.manual.browser import shared
from tilelab.gui.learn.manual.window import ContentsPanel, ManualWindow
from tilelab.gui.learn.prose import blocks, parts
from tilelab.gui.parameters.form import Section
from tilelab.gui.puzzles.sliding.board_dialog import ScrambleDialog, board_dialog
from tilelab.gui.widgets.manual_link import ManualButton, manual_place
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme
from tilelab.manual.book import names, page
from tilelab.manual.places import folder, page_of
from tilelab.puzzles.sliding.board import Goal

pytestmark = pytest.mark.usefixtures("without_style_sheet")

LETTERS = {
    "param_mutation": "solvers/genetic#--mutation",
    "param_rows": "letter-grids#--rows",
    "param_units": "window#limits",
    "seed": "window#seed",
    "solver_selector": "solvers/genetic",
    "puzzle_sliding": "sliding-tiles",
    "go": "window#the-run-bar",
    "speed": "watching#pace",
    "captions": "watching#views",
    "fitness_chart": "window#the-chart",
    "board_view": "window#the-board",
    "filter": "window#the-result",
    "other_words": "letter-grids#lexicons",
}
"""What has the keyboard on the page of letters, by its name -> the place that F1 opens."""


@pytest.fixture
def manual(driver):
    yield driver.window.manual
    driver.window.manual.close()


@pytest.fixture
def alone(qtbot, driver, own_ini):
    """A manual that belongs to a plain window."""
    host = QWidget()
    qtbot.addWidget(host)
    made = ManualWindow(host, own_ini)
    made.bring("")
    qtbot.waitExposed(made)
    return made


def shown(place):
    """Whether a place is there: its page, and its heading or line."""
    name, _, anchor = place.partition("#")
    if name not in names():
        return False
    text = page(name).markdown
    flags = set(re.findall(r"^\|[^|\n]* `(--[\w-]+)` \|", text, re.M))
    return not anchor or anchor in {part.anchor for part in page(name).sections} | flags


def part(window, name):
    found = [one for one in window.findChildren(QWidget, name) if one.isVisibleTo(window)]
    return found[0]


def press_f1(window):
    key = next(key for key in window.children() if getattr(key, "key", None) and _is_f1(key))
    key.activated.emit()


def _is_f1(shortcut):
    try:
        return shortcut.key().toString() == "F1"
    except (AttributeError, TypeError):
        return False


@pytest.mark.usefixtures("any_language")
@pytest.mark.parametrize(("code", "said"), [("en", ""), ("de", "Das Handbuch ist auf Englisch.")])
def test_another_language_says_that_the_manual_is_in_english(qtbot, code, said):
    """Noticed: chapters in English, and a search for German words, without a word about it."""
    language.use(code)
    contents = ContentsPanel(None)
    qtbot.addWidget(contents)
    shown = [text.text() for text in contents.findChildren(QLabel) if text is not contents._count]
    assert shown == ([said] if said else [])


@pytest.mark.exhaustive
def test_f1_opens_the_page_of_what_has_the_keyboard(driver, manual):
    for section in driver.page.panel.findChildren(Section):
        section.set_open(True)
    for name, place in LETTERS.items():
        target = part(driver.window, name)
        assert manual_place(target) == place
        driver.window.focusWidget = lambda target=target: target
        press_f1(driver.window)
        assert manual.place == place
        assert manual.isVisible()
        manual.hide()


@pytest.mark.exhaustive
def test_f1_opens_the_page_of_the_board_that_has_the_keyboard(driver, manual):
    for key, place in (
        ("sliding", "sliding-tiles#in-the-window"),
        ("wordtiles", "word-tiles#in-the-window"),
    ):
        driver.window.show_puzzle(key)
        driver.settled()
        press_f1(driver.window)
        assert manual.place == place


def test_every_place_of_the_window_is_in_the_manual(driver):
    window = driver.window
    window.history.bring()
    window.records.bring()
    letters = window.page
    making = letters.face.making
    beside = [window.history, window.records, making.dialog, making.fitting]
    require_places(*beside, letters.face.game)
    for puzzle in ("boggle", "sliding", "wordtiles"):
        window.show_puzzle(puzzle)
        driver.settled()
        require_places(window, window.race, window.experiments)
        for solver in _solvers(window):
            window.page.choose_solver(solver)
            window._show_solver()
            require_places(window.page, window.bar)


def require_places(*parts):
    places = {manual_place(one) for part in parts for one in (part, *part.findChildren(QWidget))}
    assert [place for place in places if not shown(place)] == []


def _solvers(window):
    box = part(window, "solver_selector")
    return [box.itemData(place) for place in range(box.count())]


def test_every_section_has_a_question_mark_that_opens_its_page(driver, manual):
    sections = driver.page.panel.findChildren(Section)
    assert {section.title for section in sections} >= {"Islands", "Limits"}
    for section in sections:
        (button,) = section.findChildren(ManualButton)
        button.click()
        assert manual.place == manual_place(section)
        assert shown(manual.place)
    headings = driver.page.findChildren(ManualButton)
    assert len(headings) - len(sections) >= 4  # parameters, board, chart, result
    (puzzle,) = (one for one in headings if one.accessibleName() == "Manual: Puzzle")
    puzzle.click()
    assert manual.place == page_of("boggle")  # not that of the solver's parameters


@pytest.mark.exhaustive
def test_windows_beside_have_the_key_and_question_marks(driver, manual):
    window = driver.window
    window.history.bring()
    window.records.bring()
    window.experiments.bring()
    window.show_race()
    for beside, place in (
        (window.history, "history"),
        (window.records, "records"),
        (window.experiments, "experiments"),
        (window.race, "races"),
    ):
        beside.setFocus()
        press_f1(beside)
        assert manual.place.partition("#")[0] == place
        assert beside.findChildren(ManualButton)
        beside.close()


@pytest.mark.exhaustive
def test_the_manual_can_be_used_over_a_dialog_and_outlives_it(driver, manual):
    driver.page.face.making.ask()
    dialog = driver.page.face.making.dialog
    driver.until(lambda: QApplication.activeModalWidget() is dialog)
    press_f1(dialog)
    assert manual.place == "puzzle-maker#words-in"
    assert manual.parentWidget() is dialog
    dialog.reject()
    assert manual.parentWidget() is driver.window
    assert manual.isVisible()


@pytest.mark.exhaustive
def test_links_lead_to_pages_and_outward(alone, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    alone.open("solvers/genetic")
    alone.browser.anchorClicked.emit(QUrl("../islands.md"))
    assert alone.place == "islands"
    alone.browser.anchorClicked.emit(QUrl("experiments.md#on-many-machines"))
    assert alone.place == "experiments#on-many-machines"
    alone.browser.anchorClicked.emit(QUrl("#tuning"))
    assert alone.place == "experiments#tuning"
    alone.browser.anchorClicked.emit(QUrl("https://www.python.org"))
    assert opened.pop().toString() == "https://www.python.org"
    file = "../resources/plans/tuning/game-titles.toml"
    alone.browser.anchorClicked.emit(QUrl(file))
    assert Path(opened.pop().toLocalFile()) == (Path(str(folder())) / file).resolve()
    assert alone.place == "experiments#tuning"


def test_back_and_forward_go_to_where_one_was(alone, qtbot):
    back, forward = (
        alone.findChild(QWidget, "manual_back"),
        alone.findChild(QWidget, "manual_forward"),
    )
    assert not back.isEnabled()
    alone.open("window")
    alone.browser.verticalScrollBar().setValue(300)
    alone.open("glossary")
    back.click()
    assert alone.place == "window"
    assert alone.browser.verticalScrollBar().value() == 300
    forward.click()
    assert alone.place == "glossary"
    assert not forward.isEnabled()
    alone.go_back()
    alone.open("papers")
    assert not forward.isEnabled()
    # What was left by going back is forgotten.
    for place in ("window", "start"):
        back.click()
        assert alone.place == place
    assert not back.isEnabled()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_a_place_is_scrolled_to(alone):
    alone.open("experiments#tuning")
    browser = alone.browser
    assert browser.verticalScrollBar().value() > 0
    assert browser.cursorForPosition(browser.viewport().rect().topLeft()).block().text() in (
        "Tuning",
        "",
    )
    alone.open("solvers/annealing#--growth")
    (mark,) = browser.extraSelections()
    assert mark.cursor.selectedText() == "Growth --growth"


def test_a_search_finds_the_page_and_marks_its_words(alone, qtbot):
    panel = alone.contents
    panel.field.setText("mutation rate")
    qtbot.waitUntil(lambda: panel.found.count() > 0)
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert alone.place == "solvers/genetic#parameters"
    assert {"mutation", "rate"} <= {
        mark.cursor.selectedText().casefold() for mark in alone.browser.extraSelections()
    }
    for place in ("glossary", "solvers/genetic"):
        alone.open(place)
        assert alone.browser.extraSelections() == []
    said = panel.findChild(QWidget, "manual_count")
    panel.field.setText("xyzzy mutations")
    qtbot.waitUntil(lambda: said.text() == "No place has all words; these have some.")
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert alone.browser.extraSelections()[0].cursor.selectedText().casefold() == "mutation"
    panel.field.setText("xyzzy")
    qtbot.waitUntil(lambda: said.text() == "Nothing found.")
    alone._leave()
    assert panel.words == ""
    assert alone.isVisible()
    alone._leave()
    assert not alone.isVisible()


def test_a_found_word_far_below_its_heading_is_in_view(alone):
    """Noticed: the page opened at a heading, and its line with the word was far below."""
    browser = alone.browser
    for place in ("glossary#terms-in-other-languages", "window#the-menus"):
        alone.open(place, "hint")
        seen, marks = browser.viewport().rect(), browser.extraSelections()
        assert any(seen.contains(browser.cursorRect(mark.cursor)) for mark in marks), place
    # A word next to its heading leaves the heading at the top.
    alone.open("window#the-line-at-the-bottom", "status")
    assert browser.cursorForPosition(QPoint(80, 30)).block().text() == "The line at the bottom"


@pytest.mark.exhaustive
def test_the_keyboard_goes_from_the_search_to_what_it_has_found(alone, qtbot):
    panel = alone.contents
    alone.activateWindow()
    for words, below in (("", panel.tree), ("island", panel.found)):
        panel.field.setText(words)
        panel.show_found()
        panel.field.setFocus()
        QTest.keyClick(panel.field, Qt.Key.Key_Down)
        assert QApplication.focusWidget() is below


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_contents_list_every_page_and_open_it_and_none_is_scrolled_sideways(alone):
    tree = alone.contents.tree
    listed = []
    for place in range(tree.topLevelItemCount()):
        chapter = tree.topLevelItem(place)
        for child in range(chapter.childCount()):
            tree.setCurrentItem(chapter.child(child))
            listed.append(alone.place)
            assert alone.browser.document().characterCount() > 100
            assert alone.browser.horizontalScrollBar().maximum() == 0, alone.place
    assert {*listed, "index"} == set(names())
    alone.open("index")
    assert alone.browser.horizontalScrollBar().maximum() == 0
    assert len(listed) == len(set(listed))


@pytest.mark.usefixtures("with_style_sheet")
def test_a_page_has_its_end_in_every_size_of_the_window(alone):
    """Noticed: a heading with nothing under it, because Qt has laid out only a part."""
    alone.open("window")
    document = alone.browser.document()
    for width in (1010, 900, 1200):
        alone.resize(width, 660)
        last = document.documentLayout().blockBoundingRect(document.lastBlock())
        assert last.height() > 0
        assert document.size().height() > last.bottom()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_pictures_fit_the_page_and_follow_the_theme(alone, qtbot):
    alone.open("window")
    for width in (1100, 700):
        alone.resize(width, 700)
        room = alone.browser.viewport().width()
        assert 0 < widest_picture(alone.browser) <= room
        # A picture that is as wide as its place is drawn as it is.
        assert shown_picture(alone.browser).width() == widest_picture(alone.browser)
    light = alone.browser.grab().toImage()
    apply_theme(QApplication.instance(), "dark")
    assert alone.browser.grab().toImage() != light
    assert alone.browser.page.name == "window"


def shown_picture(browser):
    kind = QTextDocument.ResourceType.ImageResource.value
    return browser.document().resource(kind, QUrl("window-light.png"))


def widest_picture(browser):
    looks = [part.looks for block in blocks(browser.document()) for part in parts(block)]
    return max(one.toImageFormat().width() for one in looks if one.isImageFormat())


@pytest.mark.parametrize(
    ("columns", "room", "widths"),
    [
        ([(10, 20), (10, 30)], 100, [20, 80]),  # all that is wished for, and the rest to the last
        ([(10, 50), (10, 90)], 80, [30, 50]),  # what is left, by what each lacks
        ([(60, 90), (50, 50)], 100, [60, 50]),  # no word is cut
    ],
)
def test_columns_share_the_room(columns, room, widths):
    assert shared(columns, room) == widths


@pytest.mark.exhaustive
def test_place_and_size_are_remembered(qtbot, driver, own_ini):
    host = QWidget()
    qtbot.addWidget(host)
    first = ManualWindow(host, own_ini)
    first.resize(777, 555)
    first.bring("")
    first.close()
    second = ManualWindow(host, Settings(own_ini._file))
    assert (second.width(), second.height()) == (777, 555)


@pytest.mark.exhaustive
def test_dialogs_have_the_key(driver):
    driver.window.show_puzzle("sliding")
    page_shown = driver.page
    dialogs = [board_dialog("Type", Goal.BLANK_LAST, page_shown), ScrambleDialog(1, page_shown)]
    dialogs += [page_shown.face.tables, page_shown.face.side_by_side]
    for dialog in dialogs:
        assert shown(manual_place(dialog)), dialog
        assert any(_is_f1(child) for child in dialog.children()), dialog
