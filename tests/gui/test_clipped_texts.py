"""Every text of the window is whole, or cut on purpose: with long names and in either font."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from tests.gui.all_windows import PUZZLES, past
from tests.gui.clipped import clipped_texts
from tilelab import catalog
from tilelab.gui.puzzles.boggle.fit_dialog import FitDialog
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.boggle.new_puzzle_dialog import NewPuzzleDialog
from tilelab.gui.puzzles.sliding.board_dialog import ChooserDialog, ScrambleDialog, board_dialog
from tilelab.gui.puzzles.sliding.pattern_tables_dialog import TablesDialog
from tilelab.gui.run.fork import ForkDialog
from tilelab.gui.shell.qt_application import load_fonts, make_application
from tilelab.gui.shell.shutdown import ShutdownDialog
from tilelab.gui.widgets import theme
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.theme import apply_theme
from tilelab.puzzles.sliding.board import Goal
from tilelab.runs.races import MAX_ENTRIES

LONG = "averylongname" * 9 + "abc"
assert len(LONG) == 120
FALLBACK = "DejaVu Sans"
"""What Debian shows where Inter is missing; where this is missing, too, Qt takes what there is."""
SIZES = ((1280, 800), (1024, 700))


def apply_theme_again(app):
    for name in ("dark", "light"):
        apply_theme(app, name)


# The fallback's letters are wider; in Inter the same windows are walked with longer texts.
@pytest.fixture(params=[FALLBACK, pytest.param("Inter", marks=pytest.mark.exhaustive)])
def font(request, qapp, monkeypatch):
    make_application([], "light")
    load_fonts()
    monkeypatch.setattr(theme, "FAMILY", request.param)
    apply_theme_again(qapp)
    yield request.param
    monkeypatch.undo()
    # A window that was closed is deleted by the next event loop, and would be styled until then.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    apply_theme_again(qapp)


@pytest.fixture
def named(font, driver, tmp_path):
    """The window of the user who gives everything long names."""
    lexicon = tmp_path / f"{LONG}.txt"
    lexicon.write_text("abc\ndef\ngea\n", encoding="utf-8")
    driver.window.page.face.load.open(lexicon)
    driver.settled()
    driver.window.show_puzzle("wordtiles")
    driver.settled()
    driver.window.page.face.load.open(lexicon)
    driver.settled()
    driver.window.show_puzzle("boggle")
    driver.settled()
    return driver


def at_all_sizes(widget, sizes=SIZES):
    for size in sizes:
        widget.resize(*size)
        for fault in clipped_texts(widget):
            yield f"{size[0]}: {fault}"


@pytest.mark.exhaustive
def test_no_text_is_cut(named):
    """In one window for all, because to change the font styles all widgets again."""
    faults = [*_of_panels(named), *_of_races(named), *_of_history_and_dialogs(named)]
    assert not faults, "\n".join(faults)


def _of_panels(named):
    for puzzle in PUZZLES:
        named.window.show_puzzle(puzzle)
        named.settled()
        for solver in catalog.solvers(puzzle):
            named.page.choose_solver(solver)
            named.page.panel.set_open_sections(list(named.page.panel._form.sections))
            # What has room here has it in a larger window, too.
            yield from (f"{solver}, {fault}" for fault in at_all_sizes(named.window, SIZES[-1:]))


def _of_races(named):
    for puzzle in PUZZLES:
        named.window.show_puzzle(puzzle)
        named.settled()
        race = named.window.race
        race.bring()
        while len(race.entries.drafts) < MAX_ENTRIES:
            race.add()
        for place, solver in enumerate(catalog.solvers(puzzle)):
            race.frame.table.selectRow(place % MAX_ENTRIES)
            race.choose_solver(solver)
            for section in race.frame.form.parameters.sections.values():
                section.set_open(True)
            yield from (f"race, {solver}, {fault}" for fault in at_all_sizes(race, SIZES[-1:]))
        race.hide()


def _of_history_and_dialogs(named):
    window = named.window
    window.show_puzzle("sliding")
    named.settled()
    window.history.bring()
    yield from at_all_sizes(window.history)
    genetic = catalog.solver("boggle", "genetic").spec
    rows = [(LONG, "4×4", "50 moves")]
    dialogs = [
        window.recovery,
        TablesDialog(window),
        ShutdownDialog(window, lambda: [f"{LONG}: Genetic, 5 generations", "Planets, Genetic"]),
        ForkDialog(genetic, past(11_445), genetic.moment(11_445), window),
        FitDialog(window),
        NewPuzzleDialog(window.page.settings, window),
        GameWindow(window.page.settings, window),
        board_dialog("Type a board", Goal.BLANK_LAST, window, "1 2 3/4 5 6/7 8 0"),
        ScrambleDialog(5, window),
        ChooserDialog("Boards", ("Board", "Size", "Shortest"), rows, window),
    ]
    for dialog in dialogs:
        dialog.show()
        named.qtbot.waitUntil(dialog.isVisible)
        yield from (f"{type(dialog).__name__}, {fault}" for fault in clipped_texts(dialog))
        dialog.hide()


# The check itself must be able to find something.


@pytest.fixture
def box(qapp, qtbot):
    make_application([], "light")
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(200, 200)
    return made


def test_the_check_finds_a_label_that_reaches_out_and_one_that_is_cut(box):
    label = QLabel(LONG, box)
    label.resize(label.sizeHint())
    assert "reaches out of the window" in clipped_texts(box)[0]
    label.resize(100, 20)
    assert "pixels wanted, 100 given" in clipped_texts(box)[0]
    label.setText("short")
    assert clipped_texts(box) == []


def test_the_check_finds_buttons_lists_and_wrapped_texts(box):
    column = QVBoxLayout(box)
    button, words, wrapped = QPushButton(LONG[:30], box), QComboBox(box), QLabel(box)
    for part in (button, words, wrapped):
        column.addWidget(part)
    words.addItem("a choice that is long")
    wrapped.setWordWrap(True)
    wrapped.setText("several words " * 20)
    button.setFixedWidth(60)
    words.setFixedWidth(60)
    wrapped.setFixedHeight(20)
    kinds = [fault.split()[0] for fault in clipped_texts(box)]
    assert sorted(kinds) == ["QComboBox", "QLabel", "QPushButton"]


def test_the_check_accepts_what_is_cut_on_purpose(box):
    label = ElidedLabel(box)
    label.setText(LONG)
    label.resize(100, 20)
    assert label.shown_text.endswith("…")
    assert clipped_texts(box) == []


@pytest.mark.exhaustive
def test_a_long_heading_of_the_board_asks_for_no_more_room(driver):
    """Noticed: a hint, and each move of a solution, folded the result away at 1024 pixels."""

    def least_width(page, text):
        title = page.board_title
        page.set_heading(text, [text])
        card = title.parentWidget()
        card.layout().activate()
        return card.minimumSizeHint().width()

    for puzzle in PUZZLES:
        driver.window.show_puzzle(puzzle)
        driver.settled()
        long = least_width(driver.page, f"Best board, {LONG}")
        assert driver.page.board_title.shown_text == "Board"
        assert long == least_width(driver.page, "Board"), puzzle
