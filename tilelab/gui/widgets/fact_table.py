"""A few facts below a list: what at the left, how much at the right."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.theme import set_role

NOTHING = "–"


class FactTable(QWidget):
    """Lines of facts by name; the object name of a value is ``metric_`` and its name."""

    def __init__(self, titles: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, QLabel] = {}
        self._titles: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for row, (name, text) in enumerate(titles.items()):
            title, value = QLabel(tr(text), self), QLabel(NOTHING, self)
            set_role(title, "muted")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setObjectName(f"metric_{name}")
            grid.addWidget(title, row, 0)
            grid.addWidget(value, row, 1)
            self._titles[name], self._values[name] = title, value

    def show_fact(self, name: str, text: str) -> None:
        """Show a fact; '' for none."""
        self._values[name].setText(text or NOTHING)

    def show_line(self, name: str, is_shown: bool) -> None:
        """Show the line of a fact, or leave it out."""
        for part in (self._titles[name], self._values[name]):
            part.setVisible(is_shown)
