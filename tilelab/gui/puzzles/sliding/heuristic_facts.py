"""What the heuristics say of the board that is shown, below it."""

from collections.abc import Iterator

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.gui.boards.heuristic_marks import HeuristicMarks
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.parts import column_layout, row_layout, small_button, text_label
from tilelab.puzzles.sliding.heuristics.breakdown import (
    Breakdown,
    breakdown,
    conflicting_pairs,
    line_counts,
)
from tilelab.puzzles.sliding.heuristics.walking_distance import has_table
from tilelab.puzzles.sliding.play import Position

_TIP = marked(
    "<p>Manhattan: the small numbers on the tiles, added up.</p>"
    "<p>Linear conflict: two tiles in their goal line that stand in the wrong order, "
    "joined by a bow, must pass each other: two moves more for each tile that must leave the "
    "line; after Hasan for each tile with a smaller one behind it.</p>"
    "<p>Walking distance: the slides that are needed when all tiles of a goal row, or of "
    "a goal column, look alike: those up and down, and those to the left and right.</p>"
    "<p>Hybrid HH: the walking distance, Hasan's conflicts, and a third of Manhattan.</p>"
)
_COUNTS = marked("Beside a line: how many tiles belong to line 1, 2, …")
_TOO_LARGE = marked("Walking distance and HH: for boards of up to 4×4.")


def heuristic_marks(position: Position) -> HeuristicMarks:
    """Return what is drawn on a board."""
    board = position.cells, position.goal, position.cols
    pairs = conflicting_pairs(*board)
    if not has_table(position.params.rows, position.params.cols):
        return HeuristicMarks(pairs, None, None)
    return HeuristicMarks(pairs, line_counts(*board, 0), line_counts(*board, 1))


class HeuristicFacts(QWidget):
    """The estimates of a board, computed beside the window's work."""

    compare_asked = Signal()
    """All heuristics of the board shall be shown side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(tr(_TIP))
        self.said = text_label("", self)
        """The estimates, as rich text."""
        self.said.setObjectName("heuristic_facts")
        self.said.setProperty("rich", True)
        self.said.setWordWrap(True)
        self._note = text_label("small", self)
        self._note.setWordWrap(True)
        whole = column_layout(self, 0, 2)
        tip = tr("Show all heuristics side by side, each with what it sees (Ctrl+U)")
        compare = small_button(tr("Compare…"), "compare_heuristics", tip, self)
        compare.clicked.connect(self.compare_asked)
        whole.addWidget(self.said)
        foot = row_layout(spacing=8)
        foot.addWidget(self._note, 1)
        foot.addWidget(compare)
        whole.addLayout(foot)
        self._job = Background(self)
        self._job.reported.connect(self._show)
        self._job.failed.connect(self.said.setText)

    def show_position(self, position: Position) -> None:
        """Compute what is said of a board; the newest one counts."""
        self._job.start(_estimating(position))

    @Slot(object)
    def _show(self, said: Breakdown) -> None:
        facts = [
            _fact(tr("Manhattan"), f"{figures(said.manhattan, ',')}"),
            _fact(tr("Linear conflict"), f"{figures(said.linear_conflict, ',')}"),
            _fact(tr("after Hasan"), f"{figures(said.linear_conflict_hasan, ',')}"),
        ]
        if said.walk is not None:
            rows, cols, whole = said.walk
            facts.append(_fact(tr("Walking distance"), f"{rows + cols}", f" = {rows} + {cols}"))
            facts.append(_fact(tr("Hybrid HH"), f"{whole}"))
        self.said.setText("&nbsp;&nbsp; ".join(facts))
        self._note.setText(tr(_TOO_LARGE) if said.walk is None else tr(_COUNTS))


def _fact(title: str, value: str, more: str = "") -> str:
    """Write a fact in rich text, unbroken."""
    return f"{title} <b>{value}</b>{more}".replace(" ", "\xa0")


def _estimating(position: Position) -> Iterator[Breakdown]:
    yield breakdown(position.cells, position.goal, position.cols)
