"""The layout of all pages: parameters, board over chart, best of breed, status line."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QByteArray, QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QSplitter, QStackedWidget, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import ChartCurve
from tilelab.gui.charts.run_chart import RunChart
from tilelab.gui.parameters.panel import PANEL_WIDTH, ControlPanel
from tilelab.gui.run.messages import Board
from tilelab.gui.run.status_bar import StatusLine
from tilelab.gui.views.view_stack import ViewStack
from tilelab.gui.widgets.elided import ElidedLabel, FittingLabel
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.notice_bar import NoticeBar, NoticeShelf, SavingNotice
from tilelab.gui.widgets.parts import card, column_layout, row_layout
from tilelab.gui.widgets.theme import keep_scaled, scaled, set_role
from tilelab.gui.widgets.window_place import scrolled

SPACE = 16
PANEL_WIDTHS = (PANEL_WIDTH, 612, 296)
"""Widths of parameters, middle and best of breed in a window of 1280 pixels."""
BOARD_HEIGHTS = (476, 204)
_CODE_SHARE = 0.4  # part of the chart's height for the pseudocode
MIN_RESULT_WIDTH = 248
READING_WIDTH = 376  # width of text to read next to the board, if there is room


class PageFrame(QWidget):
    """The frame of a page, with the parts of all puzzles and places for a puzzle's own."""

    def __init__(self, source_card: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice = NoticeBar(self)
        self.saving_notice = SavingNotice(self)
        self.panel = ControlPanel(source_card, self)
        self.board_title = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        set_role(self.board_title, "title")
        self.board_detail = FittingLabel(self)
        set_role(self.board_detail, "small")
        self._board_switches: list[QCheckBox] = []
        """Check boxes that change the board only; hidden while a view is shown."""
        self._heading: tuple[str, Sequence[str]] = tr("Board"), ()
        """Heading of the board, and a detail in a long and a short wording."""
        self.chart = RunChart(self)
        self.chart.setObjectName("fitness_chart")
        self.chart.saved.connect(self.notice.show_done)
        self.chart.failed.connect(self.notice.show_error)
        self.chart.put_next_to_title(ManualButton(tr("The chart"), self.chart))
        self.chart_choice = ChartChoice(self.chart, self)
        self.status = StatusLine(self)
        ground = QWidget(self)
        set_role(ground, "page")
        self.columns = QSplitter(Qt.Orientation.Horizontal, ground)
        body = column_layout(ground, (SPACE, SPACE, SPACE, 0))
        body.addWidget(self.columns)
        self.scroll_area = scrolled(ground, self)
        self.middle = QSplitter(Qt.Orientation.Vertical, self.columns)
        self.side = QStackedWidget(self.columns)
        """Column at the right: the result, or a widget in its place."""
        self._columns_before = QByteArray()  # column widths before a widget replaced the result

    def lay_out(
        self,
        board: QWidget,
        next_to_title: Sequence[QWidget],
        best_panel: QWidget,
        board_place: str,
    ) -> None:
        """Lay everything out; call it once.

        board_place: page of the manual about actions on the board.

        The outer parts are already in place, because moving a widget styles all its children again.
        """
        heading = row_layout(spacing=6)
        heading.addWidget(self.board_title)
        heading.addWidget(ManualButton(tr("The board"), self, board_place))
        heading.addWidget(self.board_detail, 1)
        self.view_stack = ViewStack(board, self)
        for part in next_to_title:
            heading.addWidget(part)
        self._board_switches = [part for part in next_to_title if isinstance(part, QCheckBox)]
        if self._board_switches:
            heading.addWidget(self.view_stack.captions)
        board_card = card(self)
        board_layout = column_layout(board_card, SPACE, 8)
        board_layout.addLayout(heading)
        self.view_stack.turned.connect(self._show_heading)
        self.view_stack.code_shown.connect(self._give_code_room)
        self._show_heading()
        board_layout.addWidget(self.view_stack, 1)
        set_manual_place(board_card, board_place)
        set_manual_place(self.view_stack.tabs, "watching#views")
        set_manual_place(self.view_stack.captions, "watching#views")
        set_manual_place(self.view_stack.pseudocode, "watching#pseudocode")
        set_manual_place(self.view_stack.code, "watching#pseudocode")
        chart_card = card(self)
        set_manual_place(chart_card, "window#the-chart")
        set_manual_place(best_panel, "window#the-result")
        set_manual_place(self.status, "window#the-line-at-the-bottom")
        chart_layout = column_layout(chart_card, SPACE)
        chart_layout.addWidget(self.chart)
        for part in (board_card, chart_card):
            self.middle.addWidget(part)
        self.columns.insertWidget(0, self.panel)
        self.panel.width_changed.connect(self._give_room)
        self.side.addWidget(best_panel)
        self._share_room()
        # The Tab order follows the eye; the chart was created before the board.
        QWidget.setTabOrder(board, self.chart)
        whole = column_layout(self, 0, 0)
        whole.addWidget(self.scroll_area, 1)
        whole.addWidget(self.status)
        NoticeShelf(self, self.saving_notice, self.notice)

    @Slot(str, object)
    def set_heading(self, title: str, detail: Sequence[str] = ()) -> None:
        """Set the heading of the board and a detail; a view in its place has its own name.

        detail: a long and a short wording.
        """
        self._heading = title, detail
        self._show_heading()

    def head_start(self, start: Board | None) -> None:
        """Set the heading of the board that a run begins from; None for none yet."""
        self.set_heading(tr("Board") if start is None else tr("Start board"))

    @Slot()
    def _show_heading(self) -> None:
        shown = self.view_stack.shown
        title, detail = self._heading if shown is None else (tr(shown.label), ())
        self.board_title.setText(title)
        self.board_title.setToolTip(next(iter(detail), ""))
        self.board_detail.show_wordings(*detail, "")
        for switch in self._board_switches:
            switch.setVisible(shown is None)

    @property
    def columns_state(self) -> QByteArray:
        """Splitter state of the columns while the result is shown."""
        before = self._columns_before
        return self.columns.saveState() if before.isEmpty() else before

    def show_at_side(self, reading: QWidget) -> None:
        """Show a text to read in place of the result; it gets room from the board."""
        self._columns_before = self.columns_state
        self.side.addWidget(reading)
        self.side.setCurrentWidget(reading)
        left, middle, right = self.columns.sizes()
        # A text may need more room than the result; it scrolls if there is too little.
        self.side.setMinimumWidth(max(reading.minimumWidth(), scaled(MIN_RESULT_WIDTH)))
        wanted = max(scaled(READING_WIDTH) - right, 0)
        self.columns.setSizes([left, middle - wanted, right + wanted])

    def show_result(self) -> None:
        """Show the result again; the widget in its place is hidden until the window is deleted."""
        reading = self.side.currentWidget()
        assert reading is not None
        self.side.removeWidget(reading)
        reading.setParent(self.window())
        self.side.setMinimumWidth(scaled(MIN_RESULT_WIDTH))
        self.columns.restoreState(self.columns_state)
        self._columns_before = QByteArray()

    @Slot()
    def _give_room(self) -> None:
        """Give the room of folded parameters to the board, or take it back."""
        left, middle, right = self.columns.sizes()
        wanted = self.panel.minimumWidth()
        self.columns.setSizes([wanted, middle + left - wanted, right])

    @Slot(bool)
    def _give_code_room(self, is_open: bool) -> None:
        """Give the pseudocode a part of the chart's room, or return it."""
        board, chart = self.middle.sizes()
        share = 1 - _CODE_SHARE
        given = chart - round(chart * share if is_open else chart / share)
        self.middle.setSizes([board + given, chart - given])

    def _share_room(self) -> None:
        for splitter, sizes in ((self.middle, BOARD_HEIGHTS), (self.columns, PANEL_WIDTHS)):
            splitter.setHandleWidth(SPACE)
            splitter.setChildrenCollapsible(False)
            splitter.setSizes(list(sizes))
        # The board gets all extra room of a larger window.
        self.middle.setStretchFactor(0, 1)
        self.middle.setStretchFactor(1, 0)
        for place, stretch in enumerate((0, 1, 0)):
            self.columns.setStretchFactor(place, stretch)
        keep_scaled(self.side, least_width=MIN_RESULT_WIDTH)


class ChartChoice(QComboBox):
    """A list of sets of curves; hidden without a choice."""

    def __init__(self, chart: RunChart, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chart_choice")
        self.setAccessibleName(tr("Curves"))
        self.setToolTip(tr("What the chart shows"))
        self._chart = chart
        self._sets: dict[str, tuple[ChartCurve, ...]] = {}
        chart.put_next_to_title(self)
        self.currentIndexChanged.connect(self._chosen)
        self.hide()

    def curves_of(self, metrics: Sequence[str]) -> tuple[ChartCurve, ...] | None:
        """Return the chosen curves whose metrics a solver has; None for the usual ones."""
        chosen = self._sets.get(self.currentData(), ())
        return tuple(curve for curve in chosen if curve.metric in metrics) or None

    def take_over(self, before: "ChartChoice") -> None:
        """Draw the same curves and the same view as another chart."""
        self.setCurrentIndex(max(self.findData(before.currentData()), 0))
        self._chart.take_over(before._chart)

    def offer(self, sets: Mapping[str, tuple[ChartCurve, ...]]) -> None:
        """Offer sets of curves; the choice stays if possible."""
        chosen = self.currentData()
        self._sets = dict(sets)
        with QSignalBlocker(self):
            self.clear()
            for title in sets:
                self.addItem(tr(title), title)
            self.setCurrentIndex(max(self.findData(chosen), 0))
        self.setVisible(len(sets) > 1)
        self._name_chart()

    def _name_chart(self) -> None:
        """Name the chart, also for its files; a list of several sets shows the name itself."""
        self._chart.set_title(self.currentText())
        self._chart.show_title(self.count() < 2)

    @Slot()
    def _chosen(self) -> None:
        self._name_chart()
        names = self._chart.trace.names
        if names:
            self._chart.set_curves(self.curves_of(names))
