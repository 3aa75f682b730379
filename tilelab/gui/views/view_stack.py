"""The board, or a view of the solver in its place.

Below or next to it are the pseudocode, the list of what comes next, and a sentence about the step.
"""

import re
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QSizePolicy, QStackedWidget, QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.core.views import BoardPlace, Frontier, View, ViewKind
from tilelab.gui.views.kinds import ViewWidget, make_widget
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    ButtonRow,
    IconButton,
    SegmentButton,
    Segments,
    calling,
    column_layout,
    column_of,
    named,
    row_layout,
    text_label,
)
from tilelab.gui.widgets.theme import keep_themed, scaled

if TYPE_CHECKING:
    from tilelab.gui.views.frontier_pane import FrontierPane
    from tilelab.gui.views.pseudocode_pane import PseudocodePane
    from tilelab.gui.views.tree_view import TreeView

_EMPTY = marked("Press GO or STEP to see it.")
_ENDED = marked("The run has finished. START AGAIN shows it here.")
_MIN_HEIGHTS = 0, 140, 96, 72
"""Minimum height of the board, or of a view, above none, one or two lists and a question.

Without any, it has its own, which is larger.
"""
_MIN_ABOVE_CODE = 104  # that of a board above the pseudocode alone, whose lines are to be read
_BUTTONS = 76  # height of the buttons below a board, which else would be a thumbnail above a list
_LOW = 480  # height below which what comes next has one row, and the pseudocode no title
_LOW_FOR_BOTH = 600  # height below which the pseudocode has few lines above what comes next
_SIDE_BY_SIDE = 660
"""Minimum width for the pseudocode next to the board; below that, it is under the board."""
_WIDE_WINDOW = 1160  # minimum width of a window with a check box for the pseudocode
_LETTER = re.compile(r"\b([a-zA-Z]) (?=[-−+]?\d)")  # such as g or f before its number
_SPACING = 4  # space between the tabs and the switches, and between two switches
_MAX_HEAD = 309
"""Maximum width of tabs and switches for which a column is widened; if more, the check box of the
sentences takes a row of its own.
"""


class ViewTabs(Segments):
    """Tabs of the views; the arrow keys go from one to the next."""

    view_chosen = Signal(object)  # emitted with a ViewKind, or None for the board

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("What is shown"), parent)
        self.setObjectName("view_tabs")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._tabs: dict[ViewKind | None, SegmentButton] = {}
        self._add_tab(None, tr("Board"), tr("The board itself"))

    def offer(self, kinds: Sequence[ViewKind]) -> None:
        """Offer these views in addition to the board."""
        for kind in kinds:
            if kind not in self._tabs:
                self._add_tab(kind, tr(kind.label), tr(kind.tip))
        for tab, button in self._tabs.items():
            button.setVisible(tab is None or tab in kinds)

    def mark(self, kind: ViewKind | None) -> None:
        self._tabs[kind].setChecked(True)

    def _add_tab(self, kind: ViewKind | None, title: str, tip: str) -> None:
        self._tabs[kind] = button = self.add(title, f"view_tab_{kind or 'board'}", tip)
        button.clicked.connect(calling(self.view_chosen.emit, kind))


class ViewStack(QWidget):
    """A stack of the board, the views and the lists; all but the board are made on first use.

    Invisible views are not watched, so a minimised window does not slow a run.
    """

    watched = Signal(object)  # emitted with the frozenset of ViewKinds that are visible from now on
    made = Signal(object, object)  # emitted with the widget of a ViewKind when it is first shown
    turned = Signal()  # emitted when another view or the board is shown
    frontier_turned = Signal(bool)  # emitted when the user opens or closes what comes next

    def __init__(self, board: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds: tuple[ViewKind, ...] = ()
        self._wanted: set[ViewKind] = set()
        """Chosen views, which are shown again when a solver has them."""
        self._keeps_board = False  # whether the board is shown in place of the chosen view
        self.shown: ViewKind | None = None  # view that is shown; None for the board
        self.widgets: dict[ViewKind, ViewWidget] = {}  # widgets of views that have been made
        self._views: Mapping[ViewKind, View] = {}
        self._is_new = True  # whether the step that they show was made just now
        self._drawn: Mapping[ViewKind, View] = {}  # earlier ones while a question is open
        self._puzzle: Puzzle | None = None
        self.watched_kinds: frozenset[ViewKind] = frozenset()  # kinds of views that are visible
        self._is_seen = False
        """Whether users see the stack; Qt calls widgets of a minimised window visible."""
        self.tabs = ViewTabs(self)
        self.tabs.view_chosen.connect(self.choose)
        tip = tr("Write each step as a sentence")
        self.captions = named(QCheckBox(tr("Captions"), self), "captions", tip=tip)
        """Check box next to the tabs, unless the page puts it into a row with its own."""
        tip = tr("Show the algorithm, with the lines that a step runs")
        self.pseudocode = named(QCheckBox(tr("Pseudocode"), self), "show_code", tip=tip)
        self.small_switch = IconButton("code", "show_code_small", tr("Pseudocode"), tip, self)
        """Button in place of the check box where that has no room."""
        self.small_switch.setCheckable(True)
        self.small_switch.hide()
        self.small_switch.clicked.connect(self.pseudocode.click)
        self.pseudocode.toggled.connect(self.small_switch.setChecked)
        for box in (self.captions, self.pseudocode):
            box.toggled.connect(self._refresh)
        self._code: PseudocodePane | None = None
        self._frontier: FrontierPane | None = None
        self._marker: TreeView | None = None  # view whose boards are marked with the list's
        self._is_waiting = False  # whether a run will show what is empty
        self._has_ended = False  # whether the run has, so that no step follows
        self.is_frontier_open = False  # whether it is open for solvers that have one
        self._asks_for_lesson = False  # whether a lesson, and not the user, has it ask
        self._opened_to_ask = False  # whether a question has opened it, so that it closes with it
        self._yields = False  # whether the board or view may be smaller than usual
        self._has_switches = True
        self._spec: SolverSpec | None = None
        self._stack = _Pages(self)
        self._board, self._has_board = board, True
        self._empty = text_label("muted", self, tr(_EMPTY))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for part in (board, self._empty):
            self._stack.addWidget(part)
        self._caption = text_label("caption", self, "", "caption", wraps=True)
        self._caption.setAccessibleName(tr("The last step"))
        self._caption.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._caption.hide()
        self._code_switch, self._switches = QWidget(self), QWidget(self)
        row_layout(self._code_switch, 0, 0, self.pseudocode, self.small_switch)
        row_layout(self._switches, 0, 0, STRETCH, self.captions)
        self._body = column_of((self._stack, 4))
        head = ButtonRow(self.tabs, self._code_switch, self._switches, spacing=_SPACING)
        self._whole = column_layout(self, 0, 8, head, (self._body, 1), self._caption)
        keep_themed(self._stack, self._share_room)
        self.offer(None)

    @property
    def code(self) -> "PseudocodePane":
        """The pseudocode; it is closed when it is made."""
        if self._code is None:
            from tilelab.gui.views.pseudocode_pane import PseudocodePane

            self._code = PseudocodePane(self)
            self._code.hide()
            self._code.set_ended(self._has_ended)
            set_manual_place(self._code, "watching#pseudocode")
            self._body.addWidget(self._code, 4)
            QWidget.setTabOrder(self.pseudocode, self._code.lines)
            self._align_code()
        return self._code

    @property
    def frontier(self) -> "FrontierPane":
        """The list of what comes next; it is closed when it is made."""
        if self._frontier is None:
            from tilelab.gui.views.frontier_pane import FrontierPane

            self._frontier = pane = FrontierPane(self)
            pane.hide()
            pane.set_ended(self._has_ended)
            pane.board_pointed.connect(self._mark_in_tree)
            pane.answered.connect(self._draw)
            set_manual_place(pane, "watching#what-comes-next")
            self._whole.insertWidget(self._whole.indexOf(self._caption), pane)
            pane.follow_in_tab_order(self.pseudocode if self._code is None else self._code.lines)
        return self._frontier

    @property
    def is_asking(self) -> bool:
        """Whether the list asks for the next step."""
        return self._frontier is not None and self._frontier.is_asking

    @property
    def caption(self) -> str:
        """Sentence below; '' without one."""
        return self._caption.text()

    @property
    def has_pseudocode(self) -> bool:
        """Whether the solver has a pseudocode, and views that name its lines."""
        return bool(self._kinds) and self._spec is not None and self._spec.pseudocode is not None

    @property
    def has_frontier(self) -> bool:
        """Whether the solver has a list of what comes next."""
        return ViewKind.FRONTIER in self._kinds

    @property
    def has_picture(self) -> bool:
        """Whether a view is shown and has been drawn."""
        return self.shown is not None and self._stack.currentWidget() is not self._empty

    def offer(self, spec: SolverSpec | None) -> None:
        """Offer the views and the pseudocode of a solver.

        The view chosen before is shown again, unless :meth:`show_board` keeps the board.
        """
        if spec is not self._spec:
            self.forget_answers()
        self._kinds, self._spec = () if spec is None else spec.views, spec
        drawn = [kind for kind in self._kinds if kind.is_drawn]
        self.tabs.offer(drawn)
        self.tabs.setVisible(bool(drawn))
        self.captions.setVisible(bool(self._kinds))
        self._code_switch.setVisible(self.has_pseudocode and self._has_switches)
        self._show_switches()
        self._show(None if self._keeps_board else self.chosen)

    @Slot()
    def forget_answers(self) -> None:
        """Count answers from zero."""
        if self._frontier is not None:
            self._frontier.question.forget()

    def set_waiting(self, is_waiting: bool) -> None:
        """Set the text of an empty view: that it will be shown, or how to start."""
        self._is_waiting = is_waiting
        self._name_empty()

    def set_board_known(self, is_known: bool) -> None:
        """Show the board, or the text of an empty view in its place."""
        if is_known is not self._has_board:
            self._has_board = is_known
            self._draw()

    def choose(self, kind: ViewKind | None) -> None:
        """Show a view; None for the board."""
        self._keeps_board = False
        if kind is None:
            self._wanted -= set(self._kinds)
        elif kind in self._kinds:
            self._wanted = (self._wanted - set(self._kinds)) | {kind}
        self._show(kind if kind in self._kinds else None)

    @property
    def chosen(self) -> ViewKind | None:
        """The view that the user has chosen for this solver; None for the board."""
        drawn = (kind for kind in self._kinds if kind.is_drawn)
        return next((kind for kind in drawn if kind in self._wanted), None)

    def show_board(self) -> None:
        """Show the board that is being changed, until a view is chosen or a run begins."""
        self._keeps_board = True
        self._show(None)

    def begin_run(self) -> None:
        """Let the chosen view be shown again when the views of a new run are offered."""
        self._keeps_board = False

    def take_over(self, before: "ViewStack") -> None:
        """Show the view and the lists of another stack, which watches nothing from now on."""
        before.blockSignals(True)
        self._wanted, self._drawn = before._wanted, before._drawn
        self._keeps_board = before._keeps_board
        self._is_waiting = before._is_waiting
        self.set_ended(before._has_ended)
        self._asks_for_lesson = before._asks_for_lesson
        self._opened_to_ask = before._opened_to_ask
        self.is_frontier_open = before.is_frontier_open  # a closed list would forget its question
        if before._frontier is not None:
            self.frontier.take_over(before._frontier)
        self.pseudocode.setChecked(before.pseudocode.isChecked())
        self._share_room()
        self._show(before.shown)

    def show_views(
        self, views: Mapping[ViewKind, View], puzzle: Puzzle | None, *, is_new: bool = True
    ) -> float:
        """Show the known views of the moment; {} for none.

        is_new: whether the step that they show was made just now. Returns the seconds that drawing
        took; 0 if nothing was drawn.
        """
        self._views, self._puzzle, self._is_new = views, puzzle, is_new
        if self.shown is not None and self.shown in views:
            self._widget(self.shown)  # made only once, so it does not count
        began = time.monotonic()
        self._draw()
        drawn: list[QWidget] = [self._stack] if self.has_picture else []
        if self._frontier is not None and not self._frontier.isHidden():
            drawn.append(self._frontier)
        if not drawn or not self._is_seen:
            return 0.0
        # Repaint now, to measure how long it takes.
        for part in drawn:
            part.repaint()
        return time.monotonic() - began

    def set_ended(self, has_ended: bool) -> None:
        """Set whether the run has ended, so that no step follows the one that is shown."""
        self._has_ended = has_ended
        self._name_empty()
        if self._code is not None:
            self._code.set_ended(has_ended)
        if self._frontier is not None:
            self._frontier.set_ended(has_ended)

    def _name_empty(self) -> None:
        words = tr("It will be shown here.") if self._is_waiting else tr(_EMPTY)
        self._empty.setText(tr(_ENDED) if self._has_ended else words)

    def set_frontier(self, is_on: bool) -> None:
        """Open or close the list of what comes next."""
        self.is_frontier_open, self._opened_to_ask = is_on, False
        if self.is_asking and not is_on:
            self._set_asking(False)
        self._refresh()

    def turn_frontier(self) -> None:
        """Open the list of what comes next, or close it, for the user."""
        self.set_frontier(not self.is_frontier_open)
        self.frontier_turned.emit(self.is_frontier_open)

    @property
    def has_questions(self) -> bool:
        """Whether there can be a question about each step."""
        return self._spec is not None and self._spec.has_questions

    def turn_asking(self) -> None:
        """Ask for each next step, in the list of what comes next, or no longer, for the user."""
        was_open = self.is_frontier_open
        self._set_asking(not self.is_asking)
        if self.is_frontier_open is not was_open:
            self.frontier_turned.emit(self.is_frontier_open)

    def ask_for_lesson(self, *, asks: bool) -> None:
        """Ask for each next step, or end the questions of a lesson, but not those of the user."""
        if asks and not self.is_asking:
            self._set_asking(True)  # the user's own choice of the list stays stored
            self._asks_for_lesson = True
        elif self._asks_for_lesson and not asks:
            self._set_asking(False)

    def _set_asking(self, is_asking: bool) -> None:
        """Begin or end the questions, with the list that they need and leave as it was."""
        if is_asking and not self.is_frontier_open:
            self.set_frontier(True)
            self._opened_to_ask = True
        self._asks_for_lesson = False
        self.frontier.set_asking(is_asking)
        if self._opened_to_ask and not is_asking:
            self.set_frontier(False)
        self._share_room()

    def set_yielding(self, is_yielding: bool) -> None:
        """Let the board or view be as small as it must, for a page that does not scroll."""
        self._yields = is_yielding
        self._share_room()

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        if self._code_switch.isHidden() or not self.has_pseudocode:
            return whole
        # A switch in a row of its own would shrink the board.
        width = _width([self.small_switch, *self._head])
        if width > scaled(_MAX_HEAD):
            width = _width([self.small_switch, *self._head[:1]])
        return whole.expandedTo(QSize(width, 0))

    def hide_switches(self) -> None:
        """Hide the switches, for a window that has its own."""
        self._has_switches = False
        self._code_switch.hide()
        self._switches.hide()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._yields:
            self._share_room()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= scaled(_SIDE_BY_SIDE)
        ways = QBoxLayout.Direction
        self._body.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)
        self._body.setStretch(0, 5 if is_wide else 4)
        self._align_code()
        self._share_room()
        self._show_switches()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._is_seen = True
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._is_seen = False
        self._watch()

    @property
    def _captioned(self) -> ViewKind | None:
        """Return the view with the sentence: the current one, or the solver's first."""
        return self.shown or (self._kinds[0] if self._kinds else None)

    def _show(self, kind: ViewKind | None) -> None:
        is_other, self.shown = kind != self.shown, kind
        self.tabs.mark(kind)
        if is_other:
            self._share_room()
            self.turned.emit()
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        self._draw()
        self._watch()

    @Slot()
    def _draw(self) -> None:
        self._show_frontier()
        if self._frontier is None or not self._frontier.hides_step:
            self._drawn = dict(self._views)  # the run's own mapping changes
        kind = self.shown
        view = None if kind is None else self._drawn.get(kind)
        if kind is None:
            self._stack.setCurrentWidget(self._board if self._has_board else self._empty)
        elif view is None or self._puzzle is None:
            self._stack.setCurrentWidget(self._empty)
        else:
            widget = self._widget(kind)
            widget.show_view(view, self._puzzle)
            assert isinstance(widget, QWidget)
            self._stack.setCurrentWidget(widget)
        if self._marker is not None:
            self._marker.show_next(not self.is_asking)
            self._marker.mark(None if self._frontier is None else self._frontier.pointed)
        self._show_pseudocode()
        captioned = self._captioned
        said = None if captioned is None else self._drawn.get(captioned)
        is_on = self.captions.isChecked() and bool(self._kinds)
        self._caption.setVisible(is_on)
        text = _joined(said.caption) if is_on and said is not None else ""
        if text != self._caption.text():
            height = self._caption.heightForWidth(self.width())
            self._caption.setText(text)
            self._caption.setAccessibleDescription(text)
            if height != self._caption.heightForWidth(self.width()):
                self._share_room()

    @property
    def _is_code_open(self) -> bool:
        return self.pseudocode.isChecked() and self.has_pseudocode

    def _show_pseudocode(self) -> None:
        if self._is_code_open:
            assert self._spec is not None
            self.code.set_solver(self._spec)
            self.code.show_lines(self._drawn.get(self._kinds[0]))
        self._open(self._code, self._is_code_open)

    def _open(self, pane: QWidget | None, is_open: bool) -> None:
        """Show or hide a list, if it has been made."""
        if pane is not None and pane.isHidden() is is_open:
            pane.setVisible(is_open)
            self._share_room()

    def _align_code(self) -> None:
        is_wide = self._body.direction() is QBoxLayout.Direction.LeftToRight
        if self._code is not None:
            top = Qt.AlignmentFlag.AlignTop if is_wide else Qt.AlignmentFlag(0)
            self._body.setAlignment(self._code, top)

    def _show_switches(self) -> None:
        """Show the switch of the pseudocode: a check box, or a small button without room for it.

        The width of the window decides, so that the switch looks the same on the pages of all
        puzzles.
        """
        is_wide = self.window().width() >= scaled(_WIDE_WINDOW)
        has_box = is_wide and _width([self.pseudocode, *self._head]) <= self.width()
        self.pseudocode.setVisible(has_box)
        self.small_switch.setVisible(not has_box)

    @property
    def _head(self) -> list[QWidget]:
        """Return the tabs and the check box of the sentences, as far as they are above the view."""
        captions = [self.captions] if self._switches.isAncestorOf(self.captions) else []
        return [part for part in (self.tabs, *captions) if not part.isHidden()]

    def _show_frontier(self) -> None:
        is_open = self.is_frontier_open and self.has_frontier
        if is_open:
            view = self._views.get(ViewKind.FRONTIER)
            assert view is None or isinstance(view, Frontier)
            self.frontier.show_view(view, self._puzzle, is_new=self._is_new)
        elif self._frontier is not None and self._frontier.view is not None:
            self._frontier.show_view(None, None)  # a question about it would hide other views
        self._open(self._frontier, is_open)

    @Slot(object)
    def _mark_in_tree(self, board: BoardPlace | None) -> None:
        if self._marker is not None:
            self._marker.mark(board)

    @Slot(object)
    def _mark_in_list(self, board: BoardPlace | None) -> None:
        if self._frontier is not None:
            self._frontier.mark(board)

    @Slot(object)
    def _answer(self, board: BoardPlace) -> None:
        if self._frontier is not None:
            self._frontier.answer(board)

    def _share_room(self) -> None:
        """Let the lists take room from what is above them, so that the page need not scroll."""
        is_below = self._body.direction() is QBoxLayout.Direction.TopToBottom
        has_code = self._code is not None and not self._code.isHidden()
        has_frontier = self._frontier is not None and not self._frontier.isHidden()
        n_lists = (is_below and has_code) + has_frontier
        is_low = self.height() < scaled(_LOW)
        if self._code is not None:
            self._code.set_compact(n_lists == 2 or (is_below and is_low))
            self._code.set_alone(
                not has_frontier, is_low=is_below and self.height() < scaled(_LOW_FOR_BOTH)
            )
        if self._frontier is not None:
            self._frontier.set_compact(n_lists == 2)
            self._frontier.set_low(is_low)
        n_parts = n_lists + (self.is_asking and has_frontier)
        has_buttons = n_parts > 0 and self.shown is None
        is_small = n_parts == 1 and has_buttons and not has_frontier
        least = _MIN_ABOVE_CODE if is_small else _MIN_HEIGHTS[n_parts]
        least = scaled(least + _BUTTONS * has_buttons)
        usual, further = 0, 0  # height of two lines of a sentence, and of lines after them
        if n_lists and not self._caption.isHidden():
            # A board that shrank for each sentence of two lines would jump from step to step.
            usual = 2 * self._caption.fontMetrics().lineSpacing()
            # A layout does not count the lines that a sentence has in its width.
            further = max(self._caption.heightForWidth(self.width()) - usual, 0)
        self._caption.setMinimumHeight(usual)
        if self._yields and n_lists:
            others = self.minimumSizeHint().height() - self._stack.minimumHeight()
            least = min(least, max(self.height() - others - further, 1))
        elif is_small:
            least -= min(usual // 2 + further, least // 3)
        self._stack.setMinimumHeight(least)

    def _widget(self, kind: ViewKind) -> ViewWidget:
        if kind not in self.widgets:
            made = make_widget(kind, self)
            assert isinstance(made, QWidget)
            self._stack.addWidget(made)
            self.widgets[kind] = made
            if kind is ViewKind.TREE:
                self._marker = cast("TreeView", made)
                self._marker.board_pointed.connect(self._mark_in_list)
                self._marker.board_chosen.connect(self._answer)
            self.made.emit(kind, made)
        return self.widgets[kind]

    def _watch(self) -> None:
        kinds = {self.shown} if self.shown is not None else set()
        if self.captions.isChecked() and self._captioned is not None:
            kinds.add(self._captioned)
        if self._is_code_open:
            kinds.add(self._kinds[0])  # the views of this kind have the lines
        if self.is_frontier_open and self.has_frontier:
            kinds.add(ViewKind.FRONTIER)
        watched = frozenset(kinds) if self._is_seen else frozenset()
        if watched != self.watched_kinds:
            self.watched_kinds = watched
            self.watched.emit(watched)


class _Pages(QStackedWidget):
    """A stack that needs the room of its shown page only.

    A view that was left would otherwise keep the panels folded that had made room for it.
    """

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        return super().minimumSizeHint() if shown is None else shown.minimumSizeHint()


def _joined(text: str) -> str:
    """Keep letters such as g and h in a line with their numbers."""
    return _LETTER.sub("\\1\N{NO-BREAK SPACE}", text)


def _width(parts: Sequence[QWidget]) -> int:
    """Return the width of parts in one row."""
    return sum(part.sizeHint().width() for part in parts) + _SPACING * (len(parts) - 1)
