"""The board, or a view of the solver in its place, with a sentence about the step below."""

import time
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QFrame,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.core.views import View, ViewKind
from tilelab.gui.views.kinds import ViewWidget, make_widget
from tilelab.gui.views.pseudocode_pane import PseudocodePane
from tilelab.gui.widgets.parts import (
    ButtonRow,
    SegmentButton,
    column_layout,
    row_layout,
    text_label,
)
from tilelab.gui.widgets.theme import keep_themed, scaled, set_role

_EMPTY = marked("Press GO or STEP to see it.")
_MIN_ABOVE_CODE = 140
"""Minimum height of the board, or of a view, above the pseudocode; the usual one is larger."""
_SIDE_BY_SIDE = 660
"""Minimum width for the pseudocode next to the board; below that, it is under the board."""
_GAP = 12  # pixels between the tabs and the check boxes next to them


class ViewTabs(QFrame):
    """Tabs of the views; the arrow keys go from one to the next."""

    chosen = Signal(object)  # emitted with a ViewKind, or None for the board

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("view_tabs")
        self.setAccessibleName(tr("What is shown"))
        set_role(self, "segments")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._row = row_layout(self, 2, 0)
        self._group = QButtonGroup(self)
        self._buttons: dict[ViewKind | None, SegmentButton] = {}
        self._add(None, tr("Board"), tr("The board itself"))

    def offer(self, kinds: Sequence[ViewKind]) -> None:
        """Offer these views in addition to the board."""
        for kind in kinds:
            if kind not in self._buttons:
                self._add(kind, tr(kind.label), tr(kind.tip))
        for tab, button in self._buttons.items():
            button.setVisible(tab is None or tab in kinds)

    def mark(self, kind: ViewKind | None) -> None:
        """Mark the tab of the current view."""
        self._buttons[kind].setChecked(True)

    def _add(self, kind: ViewKind | None, title: str, tip: str) -> None:
        button = SegmentButton(title, self)
        button.setObjectName(f"view_tab_{kind or 'board'}")
        button.setToolTip(tip)
        button.setCheckable(True)
        button.clicked.connect(partial(self._clicked, kind))
        self._group.addButton(button)
        self._row.addWidget(button)
        self._buttons[kind] = button

    def _clicked(self, kind: ViewKind | None, _checked: bool = False) -> None:
        self.chosen.emit(kind)


class ViewStack(QWidget):
    """A stack of the board and the views, each of which is made on first use.

    Invisible views are not watched, so a minimised window does not slow a run.
    """

    watched = Signal(object)  # emitted with the frozenset of ViewKinds that are visible from now on
    made = Signal(object, object)  # emitted with the widget of a ViewKind when it is first shown
    turned = Signal()  # emitted when another view or the board is shown
    captions_turned = Signal(bool)  # emitted when the user turns the sentences on or off
    pseudocode_turned = Signal(bool)  # emitted when the user opens or closes the pseudocode

    def __init__(self, board: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds: tuple[ViewKind, ...] = ()
        self._wanted: set[ViewKind] = set()
        """Chosen views, which are shown again when a solver has them."""
        self._shown: ViewKind | None = None
        self._widgets: dict[ViewKind, ViewWidget] = {}
        self._views: Mapping[ViewKind, View] = {}
        self._puzzle: Puzzle | None = None
        self._watched: frozenset[ViewKind] = frozenset()
        self._is_seen = False
        """Whether users see the stack; Qt calls widgets of a minimised window visible."""
        self.tabs = ViewTabs(self)
        self.tabs.chosen.connect(self.choose)
        self.captions = QCheckBox(tr("Captions"), self)
        """Check box next to the tabs, unless the page puts it into a row with its own."""
        self.captions.setObjectName("captions")
        self.captions.setToolTip(tr("Write each step as a sentence"))
        self.captions.toggled.connect(self._captions_toggled)
        self.pseudocode = QCheckBox(tr("Pseudocode"), self)
        self.pseudocode.setObjectName("show_code")
        self.pseudocode.setToolTip(tr("Show the algorithm, with the lines that a step runs"))
        self.pseudocode.toggled.connect(self._pseudocode_toggled)
        self.code = PseudocodePane(self)
        self.code.hide()
        self._spec: SolverSpec | None = None
        self._stack = QStackedWidget(self)
        self._board = board
        self._empty = text_label("muted", self, tr(_EMPTY))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for part in (board, self._empty):
            self._stack.addWidget(part)
        self._caption = QLabel(self)
        self._caption.setObjectName("caption")
        self._caption.setWordWrap(True)
        self._caption.setAccessibleName(tr("The last step"))
        set_role(self._caption, "caption")
        self._caption.hide()
        switches = self._switches = QWidget(self)
        row = row_layout(switches, 0, _GAP)
        row.addStretch(1)
        row.addWidget(self.pseudocode)
        row.addWidget(self.captions)
        self._body = column_layout(spacing=8)
        self._body.addWidget(self._stack, 4)
        self._body.addWidget(self.code, 4)
        whole = column_layout(self, 0, 8)
        whole.addLayout(ButtonRow(self.tabs, switches, spacing=_GAP))
        whole.addLayout(self._body, 1)
        whole.addWidget(self._caption)
        keep_themed(self._stack, self._share_room)
        self.offer(None)

    @property
    def shown(self) -> ViewKind | None:
        """View that is shown; None for the board."""
        return self._shown

    @property
    def watched_kinds(self) -> frozenset[ViewKind]:
        """Kinds of views that are visible."""
        return self._watched

    @property
    def caption(self) -> str:
        """Sentence below; '' without one."""
        return self._caption.text()

    @property
    def has_pseudocode(self) -> bool:
        """Whether the solver has a pseudocode, and views that name its lines."""
        return bool(self._kinds) and self._spec is not None and self._spec.pseudocode is not None

    @property
    def has_picture(self) -> bool:
        """Whether a view is shown and has been drawn."""
        return self._shown is not None and self._stack.currentWidget() is not self._empty

    @property
    def widgets(self) -> Mapping[ViewKind, ViewWidget]:
        """Widgets of views that have been made."""
        return self._widgets

    def offer(self, spec: SolverSpec | None) -> None:
        """Offer the views and the pseudocode of a solver; the view chosen before is shown again."""
        self._kinds, self._spec = () if spec is None else spec.views, spec
        drawn = [kind for kind in self._kinds if kind.is_drawn]
        self.tabs.offer(drawn)
        self.tabs.setVisible(bool(drawn))
        self.captions.setVisible(bool(self._kinds))
        self._fit_switches()
        shown = next((kind for kind in drawn if kind in self._wanted), None)
        self._show(shown)

    def set_waiting(self, is_waiting: bool) -> None:
        """Set the text of an empty view: that it will be shown, or how to start."""
        self._empty.setText(tr("It will be shown here.") if is_waiting else tr(_EMPTY))

    def choose(self, kind: ViewKind | None) -> None:
        """Show a view; None for the board."""
        if kind is None:
            self._wanted -= set(self._kinds)
        elif kind in self._kinds:
            self._wanted = (self._wanted - set(self._kinds)) | {kind}
        self._show(kind if kind in self._kinds else None)

    def take_over(self, before: "ViewStack") -> None:
        """Show the view of another stack, which watches nothing from now on."""
        before.blockSignals(True)
        self._wanted = before._wanted
        self._show(before._shown)

    def show_views(self, views: Mapping[ViewKind, View], puzzle: Puzzle | None) -> float:
        """Show the known views of the moment; {} for none.

        Returns the seconds that drawing took; 0 if nothing was drawn.
        """
        self._views, self._puzzle = views, puzzle
        if self._shown is not None and self._shown in views:
            self._widget(self._shown)  # made only once, so it does not count
        began = time.monotonic()
        self._draw()
        drawn = self._stack.currentWidget()
        if drawn is None or not self.has_picture or not self._is_seen:
            return 0.0
        # Repaint now, to measure how long it takes.
        drawn.repaint()
        return time.monotonic() - began

    def set_captions(self, is_on: bool) -> None:
        """Turn sentences about steps on or off."""
        with QSignalBlocker(self.captions):
            self.captions.setChecked(is_on)
        self._draw()
        self._watch()

    def set_pseudocode(self, is_on: bool) -> None:
        """Open or close the pseudocode."""
        with QSignalBlocker(self.pseudocode):
            self.pseudocode.setChecked(is_on)
        self._draw()
        self._watch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= scaled(_SIDE_BY_SIDE)
        ways = QBoxLayout.Direction
        self._body.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)
        self._body.setStretch(0, 5 if is_wide else 4)
        top = Qt.AlignmentFlag.AlignTop if is_wide else Qt.AlignmentFlag(0)
        self._body.setAlignment(self.code, top)
        self._share_room()

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
        return self._shown or (self._kinds[0] if self._kinds else None)

    @Slot(bool)
    def _captions_toggled(self, is_on: bool) -> None:
        self.captions_turned.emit(is_on)
        self._draw()
        self._watch()

    @Slot(bool)
    def _pseudocode_toggled(self, is_on: bool) -> None:
        self.pseudocode_turned.emit(is_on)
        self._draw()
        self._watch()

    def _show(self, kind: ViewKind | None) -> None:
        is_other, self._shown = kind != self._shown, kind
        self.tabs.mark(kind)
        if is_other:
            self.turned.emit()
        self._draw()
        self._watch()

    def _draw(self) -> None:
        kind = self._shown
        view = None if kind is None else self._views.get(kind)
        if kind is None:
            self._stack.setCurrentWidget(self._board)
        elif view is None or self._puzzle is None:
            self._stack.setCurrentWidget(self._empty)
        else:
            widget = self._widget(kind)
            widget.show_view(view, self._puzzle)
            assert isinstance(widget, QWidget)
            self._stack.setCurrentWidget(widget)
        self._show_pseudocode()
        captioned = self._captioned
        said = None if captioned is None else self._views.get(captioned)
        is_on = self.captions.isChecked() and bool(self._kinds)
        self._caption.setVisible(is_on)
        text = said.caption if is_on and said is not None else ""
        if text != self._caption.text():
            self._caption.setText(text)
            self._caption.setAccessibleDescription(text)

    @property
    def _is_code_open(self) -> bool:
        return self.pseudocode.isChecked() and self.has_pseudocode

    def _show_pseudocode(self) -> None:
        if self._is_code_open:
            assert self._spec is not None
            self.code.set_solver(self._spec)
            self.code.show_lines(self._views.get(self._kinds[0]))
        if self.code.isHidden() is self._is_code_open:
            self.code.setVisible(self._is_code_open)
            self._share_room()

    def _fit_switches(self) -> None:
        """Hide the pseudocode's check box, which is also in the menus, if the row has no room.

        A second row would make the board smaller.
        """
        own = (part for part in (self.captions,) if part.parentWidget() is self._switches)
        parts = [part for part in (self.tabs, *own) if not part.isHidden()]
        wanted = sum(part.sizeHint().width() + _GAP for part in parts)
        has_room = wanted + self.pseudocode.sizeHint().width() <= self.width()
        is_on = self.pseudocode.isChecked()
        self.pseudocode.setVisible(self.has_pseudocode and (has_room or is_on))

    def _share_room(self) -> None:
        """Let the pseudocode take room from what is above it, so that the page need not scroll."""
        self._fit_switches()
        is_below = self._body.direction() is QBoxLayout.Direction.TopToBottom
        is_shared = is_below and not self.code.isHidden()
        self._stack.setMinimumHeight(scaled(_MIN_ABOVE_CODE) if is_shared else 0)

    def _widget(self, kind: ViewKind) -> ViewWidget:
        if kind not in self._widgets:
            made = make_widget(kind, self)
            assert isinstance(made, QWidget)
            self._stack.addWidget(made)
            self._widgets[kind] = made
            self.made.emit(kind, made)
        return self._widgets[kind]

    def _watch(self) -> None:
        kinds = {self._shown} if self._shown is not None else set()
        if self.captions.isChecked() and self._captioned is not None:
            kinds.add(self._captioned)
        if self._is_code_open:
            kinds.add(self._kinds[0])  # the views of this kind have the lines
        watched = frozenset(kinds) if self._is_seen else frozenset()
        if watched != self._watched:
            self._watched = watched
            self.watched.emit(watched)
