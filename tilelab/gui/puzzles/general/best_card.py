"""The card at the right of the general page: what the best is worth, and the metrics."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.wording import capital, metric_title, number
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.widgets.fact_table import FactTable
from tilelab.gui.widgets.parts import text_label

_MOST_SHOWN = 2_000
"""Letters of words and moves."""


class GeneralCard(BestCard):
    """Says of a best what its puzzle says of it, and of a run its metrics."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Best of breed"), parent)
        self._title.setText(tr("Best of breed"))
        self._text = text_label("muted", self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._names: tuple[str, ...] = ()
        self._metrics = FactTable({}, self)
        self._whole = self._begin_layout()
        self._whole.addWidget(self._text)
        self._whole.addStretch(1)
        self._whole.addWidget(self._metrics)
        self.clear()

    def clear(self) -> None:
        """Show that there is no best yet."""
        self._best_seconds = None
        self._show_worth("", tr("none yet"))
        self._text.setText("")
        self._age.setText("")

    def set_metrics(self, names: tuple[str, ...]) -> None:
        """Have a line for each metric."""
        self._whole.removeWidget(self._metrics)
        self._metrics.deleteLater()
        titles = {name: capital(metric_title(name)) for name in names}
        self._names, self._metrics = names, FactTable(titles, self)
        self._whole.addWidget(self._metrics)

    def show_metrics(self, metrics: Mapping[str, float]) -> None:
        """Show the metrics of a unit, as far as they are known."""
        for name in self._names:
            self._metrics.show_fact(name, number(metrics[name]) if name in metrics else "")

    def show_best(self, puzzle: Puzzle, best: Best, seconds: float | None) -> None:
        """Show a best; seconds: the running time at which it was found, where that is known."""
        self._best_seconds = seconds
        text, worth = puzzle.best_text(best), puzzle.worth(best)
        figures = worth if text.value.startswith(worth) else ""
        self._show_worth(figures, text.value.removeprefix(figures).strip())
        parts = (", ".join(text.words), text.path, text.moves)
        self._text.setText("\n".join(part for part in parts if part)[:_MOST_SHOWN])
