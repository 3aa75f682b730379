"""The one frame of the window: bar, parameters, board over chart, best of breed, status line."""

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from tilelab import catalog
from tilelab.gui.best_panel import BestPanel
from tilelab.gui.board_view import BoardView
from tilelab.gui.control_panel import ControlPanel
from tilelab.gui.fitness_chart import FitnessChart
from tilelab.gui.heat_legend import HeatLegend
from tilelab.gui.jobs import Board
from tilelab.gui.notice_bar import NoticeBar
from tilelab.gui.run_bar import RunBar
from tilelab.gui.status_line import StatusLine
from tilelab.gui.theme import set_role, set_style_property

SPACE = 16
PANEL_WIDTHS = (288, 632, 296)
"""Parameters, middle, best of breed, at 1280 pixels."""
BOARD_HEIGHTS = (476, 204)


class WindowFrame(QWidget):
    """Makes the parts of the window and puts them in their places."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice = NoticeBar(self)
        self.bar = RunBar(shown_puzzles(), self)
        self.panel = ControlPanel(self)
        self.board = BoardView(self)
        self.board.setObjectName("board_view")
        self.board_title = QLabel("Best of breed", self)
        set_role(self.board_title, "title")
        self.heat_legend = HeatLegend(self)
        self.chart = FitnessChart(self)
        self.chart.setObjectName("fitness_chart")
        self.best_panel = BestPanel(self)
        self.status = StatusLine(self)
        self.columns = QSplitter(Qt.Orientation.Horizontal, self)
        self.middle = QSplitter(Qt.Orientation.Vertical, self)
        self.shown: Board | None = None
        """The board that is shown, with its words."""
        self.board.cell_clicked.connect(self.best_panel.set_cell)
        self.best_panel.word_shown.connect(self._show_path)
        self.best_panel.cell_dropped.connect(self._drop_cell)
        self._lay_out()

    def show_board(self, board: Board | None, best_seconds: float | None = None) -> None:
        """Show a board and its words; best_seconds: running time at which it was met."""
        self.shown = board
        if board is None:
            self.board.set_board(())
            self.heat_legend.set_most(None)
        else:
            usage = board.report.usage
            self.board.set_board(board.report.rows, usage)
            self.heat_legend.set_most(int(usage.max(initial=0)))
        self.best_panel.show_board(board, best_seconds)

    @Slot(str)
    def _show_path(self, word: str) -> None:
        board = self.shown
        path = board.puzzle.path(board.cells, word) if board is not None and word else None
        self.board.set_path(path)

    @Slot()
    def _drop_cell(self) -> None:
        self.board.set_selected_cell(None)
        self.best_panel.set_cell(None)

    def _lay_out(self) -> None:
        heading = QHBoxLayout()
        heading.addWidget(self.board_title)
        heading.addStretch(1)
        heading.addWidget(self.heat_legend)
        board_card = _card(self)
        board_layout = QVBoxLayout(board_card)
        board_layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        board_layout.setSpacing(8)
        board_layout.addLayout(heading)
        board_layout.addWidget(self.board, 1)
        chart_card = _card(self)
        chart_layout = QVBoxLayout(chart_card)
        chart_layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        chart_layout.addWidget(self.chart)
        for part in (board_card, chart_card):
            self.middle.addWidget(part)
        for part in (self.panel, self.middle, self.best_panel):
            self.columns.addWidget(part)
        for splitter, sizes in ((self.middle, BOARD_HEIGHTS), (self.columns, PANEL_WIDTHS)):
            splitter.setHandleWidth(SPACE)
            splitter.setChildrenCollapsible(False)
            splitter.setSizes(list(sizes))
        # All that a larger window gives goes to the board.
        self.middle.setStretchFactor(0, 1)
        self.middle.setStretchFactor(1, 0)
        for place, stretch in enumerate((0, 1, 0)):
            self.columns.setStretchFactor(place, stretch)
        self.panel.setMinimumWidth(288)
        self.best_panel.setMinimumWidth(248)
        body = QVBoxLayout()
        body.setContentsMargins(SPACE, SPACE, SPACE, 0)
        body.addWidget(self.columns)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.bar)
        whole.addWidget(self.notice)
        whole.addLayout(body, 1)
        whole.addWidget(self.status)


def shown_puzzles() -> dict[str, type[Any]]:
    """Return the puzzles that the window has a board for, by key."""
    return {key: cls for key, cls in catalog.puzzles().items() if cls.spec.uses_lexicon}


def _card(parent: QWidget) -> QFrame:
    card = QFrame(parent)
    set_style_property(card, "card", True)
    return card
