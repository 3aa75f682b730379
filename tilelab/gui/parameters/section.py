"""A part of a panel that a click on its heading opens and closes."""

from collections.abc import Iterable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import icon, keep_themed, set_role


class Section(QWidget):
    """A heading, and the controls below it while it is open."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading = QPushButton(tr(title), self)
        self._heading.setCheckable(True)
        set_role(self._heading, "section")
        self._heading.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._page = QWidget(self)
        self._stops: list[QWidget] = []
        self._inner = column_layout(self._page, (0, 8, 0, 8), 12)
        whole = column_layout(self, 0, 0)
        line = row_layout(spacing=0)
        line.addWidget(self._heading, 1)
        line.addWidget(ManualButton(title, self))
        whole.addLayout(line)
        whole.addWidget(self._page)
        self._page.hide()
        self._heading.toggled.connect(self._turned)
        keep_themed(self, self._apply_theme)

    @property
    def title(self) -> str:
        """What the heading says."""
        return self._heading.text()

    @property
    def stops(self) -> list[QWidget]:
        """Where the Tab key stops, from the top to the bottom."""
        return [self._heading, *self._stops]

    def add(self, control: QWidget, stops: Iterable[QWidget]) -> None:
        """Put a control at the end; stops: where the Tab key stops in it."""
        self._stops += stops
        self._inner.addWidget(control)

    def is_open(self) -> bool:
        """Return whether the widgets are shown."""
        return self._heading.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Open or close it."""
        self._heading.setChecked(is_open)

    @Slot(bool)
    def _turned(self, is_open: bool) -> None:
        self._page.setVisible(is_open)
        self._apply_theme()

    def _apply_theme(self) -> None:
        turned = "down" if self.is_open() else "right"
        self._heading.setIcon(icon(f"chevron-{turned}", token="muted"))
        self._heading.setAccessibleDescription(tr("open") if self.is_open() else tr("closed"))
        pattern = tr("Hide {section}") if self.is_open() else tr("Show {section}")
        self._heading.setToolTip(pattern.format(section=tr(self.title).lower()))
