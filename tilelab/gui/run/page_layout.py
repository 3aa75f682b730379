"""The layout of all pages: parameters, board over chart, best of breed, status line.

Where these columns have no room side by side, as in large type, the board has one neighbour:
parameters, result or chart. A strip at the edge has a button for each of the others.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer, Slot
from PySide6.QtWidgets import QCheckBox, QSplitter, QStackedWidget, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.boards.letter_view import NO_BOARD, BoardView
from tilelab.gui.charts.curves import ChartCurve
from tilelab.gui.charts.run_chart import RunChart
from tilelab.gui.parameters.panel import PANEL_WIDTH, ControlPanel
from tilelab.gui.run.messages import Board
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.status_bar import StatusLine
from tilelab.gui.views.view_stack import ViewStack
from tilelab.gui.widgets.elided import ElidedTitle, FittingLabel, TitleComboBox
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.notice_bar import NoticeBar, NoticeShelf, SavingNotice
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    StripButton,
    column_layout,
    heading_of,
    named,
    offer_items,
    row_layout,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, scaled, set_role
from tilelab.gui.widgets.window_place import scrolled

SPACE = 16
_ABOVE_TITLES = 2 * SPACE + 2  # height above the titles of the cards
PANEL_WIDTHS = (PANEL_WIDTH, 612, 296)
"""Widths of parameters, middle and best of breed in a window of 1280 pixels."""
BOARD_HEIGHTS = (476, 204)
_CODE_SHARE = 0.4  # part of the chart's height for the pseudocode, and for the frontier
MIN_RESULT_WIDTH = 248
_PLACE = "00/000"  # widest short heading: a move of a solution and their number
READING_WIDTH = 376  # width of text to read next to the board, if there is room


class PageFrame(QWidget):
    """The frame of a page, with the parts of all puzzles and places for a puzzle's own."""

    def __init__(self, source_card: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice = NoticeBar(self)
        self.saving_notice = SavingNotice(self)
        self.panel = ControlPanel(source_card, self)
        self.board_title = ElidedTitle(tr("Board"), _PLACE, self)
        self.board_detail = FittingLabel(self)
        set_role(self.board_detail, "small")
        self.board_detail.setContentsMargins(0, 0, 8, 0)  # apart from a legend at its right
        self._board_switches: list[QCheckBox] = []
        """Check boxes that change the board only; hidden while a view is shown."""
        self._heading: tuple[str, Sequence[str], str] = tr("Board"), (), ""
        """Heading of the board, a detail in a long and a short wording, and a short heading."""
        self.chart = RunChart(self, self.notice)
        self.chart.setObjectName("fitness_chart")
        manual = ManualButton(tr("The chart"), self.chart)
        self.chart.put_next_to_title(manual, yields=True)
        self.chart_choice = ChartChoice(self.chart, self)
        self.run = RunModel(self)  # model of the run
        self.status = StatusLine(self.run, self)
        ground = QWidget(self)
        set_role(ground, "page")
        self.columns = QSplitter(Qt.Orientation.Horizontal, ground)
        self.strip = Card(ground)
        """Buttons of the parts that have no room, at the right."""
        row_layout(ground, (SPACE, SPACE, SPACE, 0), SPACE, (self.columns, 1), self.strip)
        self.scroll_area = scrolled(ground, self)
        self.middle = QSplitter(Qt.Orientation.Vertical, self.columns)
        self.side = QStackedWidget(self.columns)
        """Column at the right: the result, or a widget in its place."""
        self._board_card, self._chart_card = Card(self), Card(self)
        self.presented_text: QWidget | None = None
        """Text at the side that a presentation shows, too."""
        self.wants_chart = False
        """Whether the chart is next to the board, rather than the result, if only one has room."""
        self._is_narrow = False
        # Whether the parameters are folded only for a text at the side, or for another neighbour.
        self._unfolds_later = self._unfolds_when_wide = False
        self.keeps_parameters = False
        """Whether the user has unfolded the parameters while a text is at the side.

        The text must then do without their room.
        """
        self.comes_back = False
        """Whether its parts are just being shown again, as they were left."""
        # Sizes of the usual layout: of its columns, and of board and chart.
        self._kept_columns, self._kept_middle = QByteArray(), QByteArray()
        self._make_strip()
        # Not at once: parts are moved, while Qt may be going through all widgets to style them.
        self._arranging = QTimer(self, singleShot=True, interval=0)
        self._arranging.timeout.connect(self._arrange_with_text)
        for watched in (ground, self.scroll_area):
            watched.installEventFilter(self)

    def lay_out(
        self,
        board: QWidget,
        next_to_title: Sequence[QWidget],
        best_panel: BestCard,
        board_place: str,
    ) -> None:
        """Lay everything out; call it once.

        board_place: page of the manual about actions on the board.

        The outer parts are already in place, because moving a widget styles all its children again.
        """
        manual = ManualButton(tr("The board"), self, board_place)
        self.view_stack = ViewStack(board, self)
        title = self.board_title, manual, (self.board_detail, 1)
        heading = heading_of(*title, *next_to_title, spacing=2)
        self._board_switches = [part for part in next_to_title if isinstance(part, QCheckBox)]
        if self._board_switches:
            heading.addWidget(self.view_stack.captions)
        column_layout(self._board_card, SPACE, 8, heading, (self.view_stack, 1))
        self.view_stack.turned.connect(self._keep_columns)
        self.view_stack.turned.connect(self._show_heading)
        self.view_stack.pseudocode.clicked.connect(self._give_code_room)
        self.view_stack.frontier_turned.connect(self._give_code_room)
        self._show_heading()
        set_manual_place(self._board_card, board_place)
        set_manual_place(self.view_stack.tabs, "watching#views")
        set_manual_place(self.view_stack.captions, "watching#views")
        set_manual_place(self.view_stack.pseudocode, "watching#pseudocode")
        set_manual_place(self.view_stack.small_switch, "watching#pseudocode")
        set_manual_place(self._chart_card, "window#the-chart")
        set_manual_place(best_panel, "window#the-result")
        set_manual_place(self.status, "window#the-line-at-the-bottom")
        column_layout(self._chart_card, SPACE, None, self.chart)
        for part in (self._board_card, self._chart_card):
            self.middle.addWidget(part)
        self.columns.insertWidget(0, self.panel)
        self.panel.width_changed.connect(self._give_room)
        self.side.addWidget(best_panel)
        best_panel.needed.connect(self.reveal_result)
        best_panel.copied.connect(self.notice.show_done)
        self._share_room()
        # The Tab order follows the eye; the chart was created before the board.
        QWidget.setTabOrder(board, self.chart)
        column_layout(self, 0, 0, (self.scroll_area, 1), self.status)
        notices = self.saving_notice, self.notice
        self.notice_shelf = NoticeShelf(self, *notices, free=_ABOVE_TITLES)

    @Slot(str, object, str)
    def set_heading(self, title: str, detail: Sequence[str] = (), short: str = "") -> None:
        """Set the heading of the board and a detail; a view in its place has its own name.

        detail: a long and a short wording. short: heading without room for the title; '': "Board".
        """
        self._heading = title, detail, short
        self._show_heading()

    def show_waiting(self, board: QWidget, settings: Settings, *, is_waiting: bool) -> None:
        """Say in place of a view or the board that it will be shown, or else how to begin."""
        self.view_stack.set_waiting(is_waiting)
        if isinstance(board, BoardView):
            words = tr("The first board will be shown here.") if is_waiting else tr(NO_BOARD)
            if settings.bytes("geometry") and not is_waiting:  # not the first start
                words += "\n" + tr("Earlier runs are in the history (Ctrl+H).")
            board.set_empty_text(words)

    def head_start(self, start: Board | None) -> None:
        """Set the heading of the board that a run begins from; None for none yet."""
        self.set_heading(tr("Board") if start is None else tr("Start board"))

    @Slot()
    def _show_heading(self) -> None:
        shown = self.view_stack.shown
        title, detail, short = self._heading if shown is None else (tr(shown.label), (), "")
        self.board_title.show_title(title, short)
        self.board_title.setToolTip(next(iter(detail), ""))
        self.board_detail.show_wordings(*detail, "")
        for switch in self._board_switches:
            switch.setVisible(shown is None)

    @property
    def sizes_to_keep(self) -> tuple[QByteArray, QByteArray]:
        """Splitter states of the columns, and of board and chart, in the usual layout."""
        columns = self._kept_columns
        return (
            self.columns.saveState() if columns.isEmpty() else columns,
            self.middle.saveState() if self._has_chart_below else self._kept_middle,
        )

    @property
    def folds_parameters(self) -> bool:
        """Whether the user has folded the parameters, not another part that needs their room."""
        return self.panel.is_folded and not (self._unfolds_later or self._unfolds_when_wide)

    def show_at_side(self, reading: QWidget, title: str) -> None:
        """Show a text to read in place of the result; it gets room from the board.

        title: name of the button that brings it back where it has no room.
        """
        self._result_button.setText(title)
        self._kept_columns, _ = self.sizes_to_keep
        self.side.addWidget(reading)
        self.side.setCurrentWidget(reading)
        # A text may need more room than the result; it scrolls if there is too little.
        self.side.setMinimumWidth(max(reading.minimumWidth(), scaled(MIN_RESULT_WIDTH)))
        self.reveal_text()
        left, middle, right, *more = self.columns.sizes()
        wanted = max(scaled(READING_WIDTH) - right, 0)
        self.columns.setSizes([left, middle - wanted, right + wanted, *more])

    def show_result(self) -> None:
        """Show the result again; the widget in its place is hidden until the window is deleted."""
        reading = self.side.currentWidget()
        assert reading is not None
        self.side.removeWidget(reading)
        self.presented_text = None
        reading.setParent(self.window())
        self._result_button.setText(tr("Result"))
        self.side.setMinimumWidth(scaled(MIN_RESULT_WIDTH))
        if self._unfolds_later or (self._unfolds_when_wide and not self._is_narrow):
            self.panel.set_folded(False)
        self._unfolds_later = self.keeps_parameters = False
        self._restore_columns()

    def reveal_text(self) -> None:
        """Show the text at the side, which comes before a chart or parameters shown earlier."""
        self.wants_chart = False
        if self._is_narrow:
            self._give_parameters_room()
        else:
            self._show_neighbour()

    def _give_parameters_room(self) -> None:
        """Show the text at the side in the room of the parameters, which come back after it."""
        self._unfolds_later = self._unfolds_later or not self.panel.is_folded
        self.reveal_result()

    @Slot()
    def reveal_result(self) -> None:
        """Show the result next to the board, if it is hidden for lack of room."""
        if self.side.isHidden():
            self._put_next_to_board(wants_chart=False)

    @Slot()
    def _reveal_chart(self) -> None:
        self._put_next_to_board(wants_chart=True)

    def _put_next_to_board(self, *, wants_chart: bool) -> None:
        self.wants_chart = wants_chart
        self._unfolds_when_wide = self._unfolds_when_wide or not self.panel.is_folded
        self.panel.set_folded(True)
        self._show_neighbour()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and not self.comes_back:
            self._arrange()  # perhaps in a size that is no longer true
        if event.type() in (QEvent.Type.Show, QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._arranging.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _arrange_with_text(self) -> None:
        """Arrange the parts, and show a text at the side unless the user has hidden it."""
        self._arrange()
        is_hidden_by_user = self.keeps_parameters or self.wants_chart
        if self._is_narrow and self.side.count() > 1 and not is_hidden_by_user:
            self._give_parameters_room()

    def _arrange(self) -> None:
        """Choose between the usual layout and the one with a single neighbour of the board."""
        # In a presentation, the parts are elsewhere.
        if not self.scroll_area.isVisible() or not self.side.count():
            return
        wanted, room = self._room_wanted(), self.scroll_area.size()
        room += QSize(0, self.contentsMargins().top())  # which a notice takes for a while
        is_short = wanted.height() > room.height()
        if is_short:
            wanted += QSize(self.strip.sizeHint().width() + SPACE, 0)
            if self.wants_chart:  # which is in place of the side
                wanted += QSize(max(self._chart_least.width() - self._side_least, 0), 0)
        is_narrow = wanted.width() > room.width()
        has_chart_below = not is_short
        if (is_narrow, has_chart_below) == (self._is_narrow, self._has_chart_below):
            return
        self._kept_columns, self._kept_middle = self.sizes_to_keep
        self._is_narrow = is_narrow
        if has_chart_below != self._has_chart_below:
            (self.middle if has_chart_below else self.columns).addWidget(self._chart_card)
        if not is_narrow and self._unfolds_when_wide and self.side.count() == 1:
            self.panel.set_folded(False)
        self._show_neighbour()
        self._restore_columns()
        if not is_narrow and self.panel.is_folded:
            self._fit_parameters()  # they had another width before
        if has_chart_below:
            self.middle.restoreState(self._kept_middle)

    @property
    def _has_chart_below(self) -> bool:
        return self.middle.indexOf(self._chart_card) >= 0

    def _room_wanted(self) -> QSize:
        """Return the least room for three columns, with the chart below the board."""
        board, chart = self._board_card.minimumSizeHint(), self._chart_least
        middle = max(board.width(), chart.width())
        return QSize(
            scaled(PANEL_WIDTH) + middle + self._side_least + 4 * SPACE,
            board.height() + chart.height() + 2 * SPACE,
        )

    @property
    def _chart_least(self) -> QSize:
        return self._chart_card.minimumSizeHint()

    @property
    def _side_least(self) -> int:
        """The least width of the result, or of the text in its place."""
        return max(self.side.minimumWidth(), self.side.minimumSizeHint().width())

    def _show_neighbour(self) -> None:
        """Show all parts, or without room, only one of parameters, result and chart."""
        is_free = not self._is_narrow or self.panel.is_folded
        has_chart = self._has_chart_below or (is_free and self.wants_chart)
        has_side = is_free and (self._has_chart_below or not self.wants_chart)
        self._chart_card.setVisible(has_chart)
        self.side.setVisible(has_side)
        self._chart_button.setVisible(not has_chart)
        self._result_button.setVisible(not has_side)
        self.strip.setVisible(not (has_chart and has_side))
        if self._is_narrow:
            left, _, right = map(scaled, PANEL_WIDTHS)
            left = self.panel.minimumWidth()
            self.columns.setSizes([left, self.columns.width() - left - right, right, right])

    def _restore_columns(self) -> None:
        """Restore the widths of the columns, if all are shown, with the result."""
        if not (self._is_narrow or self._kept_columns.isEmpty() or self.side.count() > 1):
            self.columns.restoreState(self._kept_columns)
            self._kept_columns = QByteArray()

    def _make_strip(self) -> None:
        tip = tr("Show it next to the board")
        self._result_button = StripButton(tr("Result"), "show_result", tip, self.strip)
        self._chart_button = StripButton(tr("Chart"), "show_chart", tip, self.strip)
        self._result_button.clicked.connect(self.reveal_result)
        self._chart_button.clicked.connect(self._reveal_chart)
        buttons = self._result_button, self._chart_button
        column_layout(self.strip, (6, 10, 6, 10), 8, *buttons, STRETCH)
        self.strip.hide()

    @Slot()
    def _give_room(self) -> None:
        """Give the room of folded parameters to the board, or take it back."""
        self.keeps_parameters = self.side.count() > 1 and not self.panel.is_folded
        self._unfolds_later = self._unfolds_later and self.panel.is_folded
        self._unfolds_when_wide = self._unfolds_when_wide and self.panel.is_folded
        if self._is_narrow:
            self._show_neighbour()
        else:
            self._fit_parameters()

    def _fit_parameters(self) -> None:
        """Give the parameters, folded or not, the room that they need, the rest to the board."""
        left, middle, *others = self.columns.sizes()
        wanted = self.panel.minimumWidth()
        self.columns.setSizes([wanted, middle + left - wanted, *others])

    @Slot()
    def _keep_columns(self) -> None:
        """Keep the columns as they are, which another view could leave narrower than the board."""
        if self._has_chart_below and not self._is_narrow:
            self.columns.setSizes(self.columns.sizes())

    @Slot(bool)
    def _give_code_room(self, is_open: bool) -> None:
        """Give the pseudocode, or the frontier, a part of the chart's room, or return it."""
        if not self._has_chart_below:
            return
        board, chart = self.middle.sizes()
        share = 1 - _CODE_SHARE
        given = chart - round(chart * share if is_open else chart / share)
        self.middle.setSizes([board + given, chart - given])

    def _share_room(self) -> None:
        least = self.panel.minimumWidth()
        # In large type, a splitter would keep the larger minimum widths for the usual type, too.
        for part in (self.panel, self.side):
            part.setMinimumWidth(1)
        for splitter, sizes in ((self.middle, BOARD_HEIGHTS), (self.columns, PANEL_WIDTHS)):
            splitter.setHandleWidth(SPACE)
            splitter.setChildrenCollapsible(False)
            splitter.setSizes(list(sizes))
        # The board gets all extra room of a larger window.
        self.middle.setStretchFactor(0, 1)
        self.middle.setStretchFactor(1, 0)
        for place, stretch in enumerate((0, 1, 0)):
            self.columns.setStretchFactor(place, stretch)
        self.panel.setMinimumWidth(least)
        keep_scaled(self.side, least_width=MIN_RESULT_WIDTH)


class ChartChoice(TitleComboBox):
    """A list of sets of curves; hidden without a choice."""

    def __init__(self, chart: RunChart, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "chart_choice", tr("Curves"), tr("What the chart shows"))
        self._chart = chart
        self._sets: dict[str, tuple[ChartCurve, ...]] = {}
        chart.put_next_to_title(self)
        self.currentIndexChanged.connect(self._chosen)
        self.hide()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def curves_of(self, metrics: Sequence[str]) -> tuple[ChartCurve, ...] | None:
        """Return the chosen curves whose metrics a solver has; None for the usual ones."""
        chosen = self._sets.get(self.currentData(), ())
        return tuple(curve for curve in chosen if curve.metric in metrics) or None

    def draw_run(self, run: RunModel, sets: Mapping[str, tuple[ChartCurve, ...]]) -> None:
        """Draw the chosen curves of a run, of which these sets can be chosen."""
        started, trace = run.started, run.trace
        if started is not None:
            self._chart.set_unit(started.solver.unit, started.solver.step)
            self.offer(sets)
        own_value = None if started is None else started.puzzle.own_value
        self._chart.set_trace(trace, self.curves_of(trace.names), own_value)
        self._chart.set_steps(*run.step_curve())

    def take_over(self, before: "ChartChoice") -> None:
        """Offer and draw the same curves and the same view as another chart."""
        self.offer(before._sets)
        self.setCurrentIndex(max(self.findData(before.currentData()), 0))
        self._chart.take_over(before._chart)

    def offer(self, sets: Mapping[str, tuple[ChartCurve, ...]]) -> None:
        """Offer sets of curves; the choice stays if possible."""
        self._sets = dict(sets)
        offer_items(self, {title: tr(title) for title in sets})
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
