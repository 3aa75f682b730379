"""The tabs over the board: the board itself, and what the solver has to show of its work."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QWidget

from tilelab.core.text.language import tr
from tilelab.core.views import ViewKind
from tilelab.gui.views.kinds import KINDS
from tilelab.gui.widgets.parts import row_layout
from tilelab.gui.widgets.segments import SegmentButton
from tilelab.gui.widgets.theme import set_role


class ViewTabs(QFrame):
    """Segments; the arrow keys go from one to the next."""

    chosen = Signal(object)
    """A ViewKind, or None for the board."""

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
        """Offer these views besides the board."""
        for kind in kinds:
            if kind not in self._buttons:
                self._add(kind, tr(KINDS[kind].title), tr(KINDS[kind].tip))
        for tab, button in self._buttons.items():
            button.setVisible(tab is None or tab in kinds)

    def mark(self, kind: ViewKind | None) -> None:
        """Mark what is shown."""
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
