"""Which board is looked at: the one in play, or the best of the run."""

import enum
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.parts import SegmentButton, row_layout
from tilelab.gui.widgets.theme import set_role


class PageView(enum.StrEnum):
    """What the middle of the page shows."""

    PLAY = "play"
    BEST = "best"


_TITLES = {
    PageView.PLAY: (marked("Play"), marked("The board in play; the next run begins with it")),
    PageView.BEST: (marked("Best"), marked("The best board of the run")),
}


class ViewSwitch(QFrame):
    """Segments, of which only those that a run has something for are seen."""

    view_asked = Signal(object)
    """A PageView was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What is shown"))
        set_role(self, "segments")
        row = row_layout(self, 2, 0)
        self._buttons = {view: self._button(view) for view in PageView}
        for button in self._buttons.values():
            row.addWidget(button)
        # The board below stays where it is when a choice comes.
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.offer(frozenset())

    def offer(self, views: frozenset[PageView]) -> None:
        """Offer some views; fewer than two are no choice."""
        for view, button in self._buttons.items():
            button.setVisible(view in views)
        self.setVisible(len(views) > 1)

    def show_view(self, view: PageView) -> None:
        """Mark the view that is shown."""
        for other, button in self._buttons.items():
            button.setChecked(other is view)

    def _button(self, view: PageView) -> QPushButton:
        title, tip = (tr(text) for text in _TITLES[view])
        button = SegmentButton(title, self)
        button.setObjectName(f"view_{view}")
        button.setToolTip(tip)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        button.clicked.connect(partial(self._clicked, view))
        return button

    def _clicked(self, view: PageView, _checked: bool = False) -> None:
        # The page says what is shown; a click on what is shown already must not unmark it.
        self._buttons[view].setChecked(True)
        self.view_asked.emit(view)
