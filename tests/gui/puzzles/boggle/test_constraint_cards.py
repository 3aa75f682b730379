"""What the panel says of what must and must not be in a grid."""

from tilelab.gui.puzzles.boggle.constraint_cards import GridPanel
from tilelab.gui.run.messages import Board
from tilelab.gui.shell.qt_application import make_application
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle


def test_the_panel_says_what_is_met_of_what_was_asked(qtbot):
    make_application([], "light")
    lexicon = parse_lexicon(b"dog\ncat\nwolf", "pets")
    asked = Constraints(required=("dog", "cat", "wolf"), forbidden=("cow",))
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=1, cols=6), None, asked)
    panel = GridPanel()
    qtbot.addWidget(panel)
    panel.show_board(Board.of(puzzle, puzzle.parse(["dogcow"])))
    # 1 string, and 10 more for the required one; a forbidden one takes 10 off.
    assert panel._board.report.value == 1
    assert (panel._value.text(), panel._of.text()) == ("1", "of 3 words")
    assert panel._encoded.text() == "1 of 3 required · 1 forbidden · value 1"
    assert panel._encoded.toolTip() == "Missing: cat, wolf\nForbidden: cow"
