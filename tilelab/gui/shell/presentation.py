"""Presentation mode for a class: only board or view, counters, sentence and controls.

An open lesson is shown in place of the chart.
"""

from collections.abc import Mapping
from functools import cached_property, partial

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFrame, QMainWindow, QSizePolicy, QSplitter, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.run.large_type import Counters, LargeType, counter_values, large_scale, scale_texts
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.transport import LabelledSpeed, Transport, colour
from tilelab.gui.shell.run_bar import RunBar
from tilelab.gui.widgets.commands import CommandTable
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.gui.widgets.parts import ButtonRow, Card, column_layout, row_layout, row_of
from tilelab.gui.widgets.theme import scaled, set_role, text_scale
from tilelab.runs.actions import Action, State

_BOARD_SHARE, _CHART_SHARE = 3, 2  # parts of the width of board and chart, if a chart is shown
_TEXT_SHARE = 3  # that of a text in place of the chart
_MIN_CHART_UNITS = 10  # smallest number of units for which a chart is shown
_REFRESH_MILLISECONDS = 100
_COUNTER_WIDTH = 60  # smallest width of the counters at the side, in pixels at the usual text size
_HINT_MILLISECONDS = 6_000
_ANY_HEIGHT = 2**24 - 1  # qt's constant for an unlimited height


class PresentationStage(QWidget):
    """The widget that a presentation shows: widgets borrowed from the page, and its own bar."""

    def __init__(self, commands: CommandTable, bar: RunBar, parent: QWidget) -> None:
        super().__init__(parent, accessibleName=tr("Presentation"))
        self.setObjectName("presentation")
        # No content requests more room than there is, so nothing scrolls.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._page: PuzzlePage | None = None
        self._borrowed: list[tuple[QWidget, QBoxLayout, int]] = []
        self._text: QWidget | None = None  # the page's text, such as a lesson
        self.counters = Counters(self)
        self._board, self._chart = Card(self), Card(self)
        # The chart has its share even if its heading needs more.
        self._chart.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._board_room = column_layout(self._board, SPACE, 8)
        self._chart_room = column_layout(self._chart, SPACE, 0)
        self._make_bar(commands, bar)
        self._row = row_of((self._board, _BOARD_SHARE), (self._chart, _CHART_SHARE), spacing=SPACE)
        self._main = row_of(self.counters, (self._row, 1), spacing=SPACE)
        self.counters.set_upright(True)
        column_layout(self, SPACE, SPACE, (self._main, 1), self._bar)
        self._refreshing = QTimer(self, interval=_REFRESH_MILLISECONDS)
        self._refreshing.timeout.connect(self.refresh)
        self._hint_time = QTimer(self, singleShot=True, interval=_HINT_MILLISECONDS)
        self._hint_time.timeout.connect(self.refresh)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the counters at the side of a wide stage, because boards need its height."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_wide = self.width() > self.height()
        direction = directions.LeftToRight if is_wide else directions.TopToBottom
        if direction is not self._main.direction():
            self.counters.setMinimumWidth(0)
            self.counters.set_upright(is_wide)
            self._main.setDirection(direction)

    def begin(self, page: PuzzlePage) -> None:
        """Borrow the widgets of a page and show them."""
        self._page = page
        layout = page.layout()
        assert isinstance(layout, QBoxLayout)
        layout.insertWidget(0, self, 1)
        self._borrow(page.view_stack, self._board_room)
        page.view_stack.set_yielding(True)
        page.notice_shelf.move_contents(self)
        self._borrow(page.chart, self._chart_room)
        page.chart.put_legend_below(True)
        self._text = page.presented_text
        if self._text is not None:
            page.side.removeWidget(self._text)
            self._row.addWidget(self._text, _TEXT_SHARE)
            self._text.show()
        page.run.status_changed.connect(self._show_status)
        self._speed.set_speed(self._speed_of_bar.speed)
        self.counters.setMinimumWidth(0)
        self._hint.show_wordings(tr("Press Esc to leave"), "Esc")
        self._hint_time.start()
        self._show_status()
        self.refresh()
        self._refreshing.start()
        self.show()

    def end(self) -> None:
        """Return the borrowed widgets to the page."""
        assert self._page is not None
        self._refreshing.stop()
        self._hint_time.stop()
        self._page.run.status_changed.disconnect(self._show_status)
        for widget, home, place in self._borrowed:
            home.insertWidget(place, widget, 1)
            widget.show()
        if self._text is not None:
            self._page.side.addWidget(self._text)
            self._page.side.setCurrentWidget(self._text)
        self._page.chart.put_legend_below(False)
        self._page.view_stack.set_yielding(False)
        self._page.notice_shelf.move_contents(None)
        self._borrowed, self._page, self._text = [], None, None
        self.hide()
        self.setParent(self.window())  # pages may be deleted

    @Slot()
    def refresh(self) -> None:
        """Show the current numbers, the result, and the chart if it is useful."""
        assert self._page is not None
        page, run = self._page, self._page.run
        self.counters.show_values(counters(run, page.timeline.metrics))
        if self._main.direction() is QBoxLayout.Direction.LeftToRight:
            # The board changes its size neither with the first number nor with each longer one.
            width = max(self.counters.sizeHint().width(), scaled(_COUNTER_WIDTH))
            self.counters.setMinimumWidth(max(self.counters.minimumWidth(), width))
        if not self._hint_time.isActive():
            has_ended = run.status.state is State.FINISHED
            solver = "" if run.started is None else tr(run.started.solver.title)
            result = page.status.result if has_ended else solver
            # The best is next to the board, too.
            reason = result.partition(" · ")[0]
            wordings: tuple[str, ...] = (result, reason, reason.partition(":")[0], "")
            if has_ended:
                key = self._commands[Action.START_AGAIN].command.shown_keys
                again = (
                    tr("{result} · {key}: start again · Esc: leave", result=words, key=key)
                    for words in wordings[:3]
                )
                leave = tr("Press Esc to leave")
                longer = f"{result} · {leave}", f"{reason} · {leave}"
                wordings = *again, *longer, *(f"{words} · Esc" for words in wordings[:3]), ""
            self._hint.show_wordings(*wordings)
        says_much = run.trace.n_units >= _MIN_CHART_UNITS
        has_room = page.view_stack.shown is None and self._text is None
        self._chart.setVisible(has_room and says_much)

    def _borrow(self, widget: QWidget, room: QBoxLayout) -> None:
        parent = widget.parentWidget()
        home = None if parent is None else parent.layout()
        assert isinstance(home, QBoxLayout)
        self._borrowed.append((widget, home, home.indexOf(widget)))
        room.addWidget(widget, 1)
        widget.show()

    def _make_bar(self, commands: CommandTable, bar: RunBar) -> None:
        """Make the control bar: the transport buttons and the speed."""
        self._bar = QFrame(self)
        self._transport = Transport("show_", self._bar)
        self._transport.follow(commands)
        self._commands = commands
        self._transport.asked.connect(bar.asked)
        speed = LabelledSpeed("show_speed", self._bar)
        self._speed_of_bar, self._speed = bar.speed, speed.control
        self._speed.speed_chosen.connect(bar.speed.set_speed)
        bar.speed.speed_chosen.connect(self._speed.show_speed)  # that of a lesson's run
        self._transport.step_by_page_keys(self)
        self._hint = FittingLabel(self._bar)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_role(self._hint, "muted")
        buttons = ButtonRow(self._transport, speed, spacing=SPACE)
        row_layout(self._bar, 0, SPACE, buttons, (self._hint, 1))

    @Slot()
    def _show_status(self) -> None:
        assert self._page is not None
        status = self._page.run.status
        self._transport.show_status(status)
        colour(self._transport.buttons, status.allowed)


def counters(run: RunModel, past: Mapping[str, float]) -> dict[str, float]:
    """Return the numbers for the counters by their names; {} without a run.

    past: metrics of the shown moment, used if it is an earlier one.
    """
    started = run.started
    if started is None:
        return {}
    newest = dict(zip(started.solver.metrics, run.newest_row, strict=False))
    row = past if run.is_back else newest
    units = run.status.units if run.moment is None else run.moment + 1
    return counter_values(started.solver, units, run.best, started.puzzle, row)


class Presentation(QObject):
    """Shows the stage in place of everything else, and restores everything afterwards."""

    def __init__(self, window: QMainWindow, bar: RunBar, commands: CommandTable) -> None:
        super().__init__(window)
        self._window, self._bar, self._commands = window, bar, commands
        self._page: PuzzlePage | None = None
        self._wanted: PuzzlePage | None = None  # page to present when all queued keys are handled
        self._settling = QTimer(self, singleShot=True, interval=0)
        self._settling.timeout.connect(self._settle)
        self._hidden: list[QWidget] = []
        self._sizes: list[tuple[QSplitter, list[int]]] = []
        self._state, self._place = Qt.WindowState.WindowNoState, window.geometry()
        self._scale = 1.0
        self._leave: QShortcut | None = None
        """Shortcut that ends it; exists only meanwhile, because Escape has other uses."""

    @property
    def is_on(self) -> bool:
        """Whether a page is being presented."""
        return self._page is not None

    @cached_property
    def stage(self) -> PresentationStage:
        """Widget that is shown meanwhile."""
        return PresentationStage(self._commands, self._bar, self._window)

    def turn(self, page: PuzzlePage) -> None:
        """Start or end the presentation of a page; requests in quick succession count once.

        Each takes a moment, so keys that were pressed quickly would queue up.
        """
        self._want(page if self._wanted is None else None)

    @Slot()
    def begin_again(self) -> None:
        """End it, if it is on, and begin it again after the text next to the board has changed."""
        page = self._page
        self.end()
        if page is not None:
            self._want(page)

    def _want(self, page: PuzzlePage | None) -> None:
        self._wanted = page
        if page is not None:
            self._leave = QShortcut(QKeySequence("Esc"), self._window, partial(self._want, None))
        elif self._leave is not None:
            self._leave.setEnabled(False)
            self._leave.deleteLater()
            self._leave = None
        self._settling.start()

    @Slot()
    def _settle(self) -> None:
        if self._wanted is None:
            self.end()
        elif not self.is_on:
            self._begin(self._wanted)

    def _begin(self, page: PuzzlePage) -> None:
        window = self._window
        self._page, self._state, self._place = page, window.windowState(), window.geometry()
        self._scale = text_scale()
        self._sizes = [(each, each.sizes()) for each in (page.columns, page.middle)]
        # Menu keys work only while the menu bar is not hidden.
        window.menuBar().setMaximumHeight(0)
        parts = [self._bar, self._bar.corner, page.scroll_area, page.status]
        self._hidden = [part for part in parts if not part.isHidden()]
        for part in self._hidden:
            part.hide()
        self.stage.begin(page)
        window.showFullScreen()
        scale_texts(large_scale(window.height(), self._scale))
        page.setFocus()

    @Slot()
    def end(self) -> None:
        """End the presentation and restore everything, if a page is presented."""
        if self._wanted is not None:
            self._want(None)
        self._settling.stop()
        page, self._page = self._page, None
        if page is None:
            return
        for in_front in self._window.findChildren(LargeType):
            in_front.end()  # its usual size of texts may be the large one of this presentation
        # The window manager works while the texts are scaled.
        self._window.setWindowState(self._state)
        if not self._state:
            self._window.setGeometry(self._place)
        scale_texts(self._scale)
        self.stage.end()
        self._window.menuBar().setMaximumHeight(_ANY_HEIGHT)
        # Its parts know only after they are shown how much room they need.
        page.comes_back = True
        for part in self._hidden:
            part.show()
        page.comes_back = False
        # The board gets and loses all room when the window changes its size later.
        for splitter, sizes in self._sizes:
            splitter.setSizes(sizes)
