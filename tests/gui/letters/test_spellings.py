"""What the panel says of a grid's strings: their spelling."""

from PySide6.QtGui import QGuiApplication

from tilelab.gui.letters.word_list import STRING
from tilelab.gui.letters.word_panel import WordPanel
from tilelab.gui.run.messages import Board
from tilelab.gui.shell.qt_application import make_application
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle

_WORDS = "Cat and Rat\nÉté\ndog".encode()


def test_the_word_list_shows_spellings_and_reports_strings(qtbot):
    make_application([], "light")
    puzzle = BogglePuzzle(parse_lexicon(_WORDS, "pets"), BoggleParams(rows=1, cols=3))
    panel = WordPanel()
    qtbot.addWidget(panel)
    panel.show_board(Board.of(puzzle, puzzle.parse(["dog"])))
    panel.refresh()
    panel._missing.click()
    model = panel._list.words
    rows = [model.index(row) for row in range(model.rowCount())]
    assert [index.data() for index in rows] == ["Cat and Rat", "Été"]
    assert [index.data(STRING) for index in rows] == ["catandrat", "été"]
    for wanted in ("and r", "andr"):
        panel._filter.setText(wanted)
        assert model.rowCount() == 1, wanted
    with qtbot.waitSignal(panel.word_shown) as shown:
        panel._list.setCurrentIndex(model.index(0))
    assert shown.args == ["catandrat"]
    panel.copy_words()
    assert QGuiApplication.clipboard().text() == "Cat and Rat\n"
