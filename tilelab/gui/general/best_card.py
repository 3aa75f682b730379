"""The card at the right of the general page: what the best is worth, and the metrics."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.wording import about, number
from tilelab.gui.widgets.fact_table import FactTable
from tilelab.gui.widgets.theme import set_role, set_style_property

_MARGIN = 16
_MOST_SHOWN = 2_000
"""Letters of words and moves."""


class BestCard(QFrame):
    """Says of a best what its puzzle says of it, and of a run its metrics."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("best_panel")
        self.setAccessibleName("Best of breed")
        set_style_property(self, "card", True)
        self._found = ""
        self._title, self._value, self._when, self._text = (self._line() for _ in range(4))
        self._title.setText("Best of breed")
        for label, role in (
            (self._title, "title"),
            (self._value, "strong"),
            (self._when, "small"),
            (self._text, "muted"),
        ):
            set_role(label, role)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._metrics = FactTable({}, self)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        self._whole.setSpacing(8)
        for part in (self._title, self._value, self._when, self._text):
            self._whole.addWidget(part)
        self._whole.addStretch(1)
        self._whole.addWidget(self._metrics)
        self.clear()

    @property
    def value(self) -> str:
        """What is said of the best."""
        return self._value.text()

    def clear(self) -> None:
        """Show that there is no best yet."""
        self._found = ""
        self._value.setText("None yet")
        self._when.setText("")
        self._text.setText("")

    def set_metrics(self, names: tuple[str, ...]) -> None:
        """Have a line for each metric."""
        self._whole.removeWidget(self._metrics)
        self._metrics.deleteLater()
        titles = {name: name.replace("_", " ").capitalize() for name in names}
        self._metrics = FactTable(titles, self)
        self._whole.addWidget(self._metrics)

    def show_metrics(self, metrics: Mapping[str, float]) -> None:
        """Show the metrics of a unit."""
        for name, value in metrics.items():
            self._metrics.show_fact(name, number(value))

    def show_best(self, puzzle: Puzzle, best: Best, unit: str, seconds: float | None) -> None:
        """Show a best; seconds: the running time at which it was found, where that is known."""
        text = puzzle.best_text(best)
        self._value.setText(text.value)
        after = "" if seconds is None else f", after {about(seconds)}"
        self._found = f"{unit.capitalize()} {best.unit:,}{after}"
        self._when.setText(self._found)
        parts = (", ".join(text.words), text.path, text.moves)
        self._text.setText("\n".join(part for part in parts if part)[:_MOST_SHOWN])

    def show_moment(self, text: str) -> None:
        """Say when the board was found instead; '' for the best by now."""
        self._when.setText(text or self._found)

    def _line(self) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label
