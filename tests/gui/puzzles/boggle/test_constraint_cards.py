"""What the panel says of what must and must not be in a grid."""

from tilelab.gui.puzzles.boggle.constraint_cards import ConstraintPanel
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
    panel = ConstraintPanel()
    qtbot.addWidget(panel)
    panel.show_board(Board.of(puzzle, puzzle.parse(["dogcow"])))
    # 1 string, and 10 more for the required one; a forbidden one takes 10 off.
    assert panel._board.report.value == 1
    assert (panel._value.text(), panel._of.text()) == ("1", "of 3 words")
    assert panel._encoded.text() == "1 of 3 required · 1 forbidden · value 1"
    *errors, value = panel._encoded.toolTip().splitlines()
    assert errors == ["Missing: cat, wolf", "Forbidden: cow"]
    assert "the fitness, 10 more for each required word" in value


def test_missing_words_without_room_are_counted_where_they_are_listed(qtbot):
    """Noticed: a run goes on for words that no board of its shape, or none allowed, can have."""
    make_application([], "light")
    lexicon = parse_lexicon(b"dog\njalapeno\ncats", "pets")
    for values, holes, said in (
        ({"adjacency": "straight"}, (), "1 word cannot be on any board of this shape: its longest "
         "line has 4 cells."),
        ({"adjacency": "straight"}, (0, 5, 10, 12, 15), "2 words cannot"),
        ({"reuse": "once"}, tuple(range(9)), "1 word cannot be on any board of this shape: it has "
         "7 cells, and a word uses each once."),
        ({"reuse": "once"}, (), ""),
        ({}, (), ""),
        ({"forbidden": ("cat",)}, (), "'cats' cannot be on the board without 'cat'"),
    ):  # fmt: skip
        forbidden = values.pop("forbidden", ())
        params = BoggleParams(rows=4, cols=4, **values)
        asked = Constraints(holes=holes, forbidden=forbidden)
        puzzle = BogglePuzzle.create(lexicon, params, None, asked)
        panel = ConstraintPanel()
        qtbot.addWidget(panel)
        rows = "".join("#" if cell in holes else "x" for cell in range(16))
        board = puzzle.parse([rows[at : at + 4] for at in range(0, 16, 4)], foreign=True)
        panel.show_board(Board.of(puzzle, board))
        panel.refresh()
        assert panel._no_room.isHidden()
        panel._missing.click()
        assert panel._no_room.text().startswith(said)
        assert panel._no_room.isHidden() == (not said)
