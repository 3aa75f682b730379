"""Charts of the results, and what can be said of them, side by side; their files."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem, shown_path
from tilelab.experiments.report import report_html
from tilelab.experiments.results import Kept, rows_csv
from tilelab.gui.lab.experiments.chart_card import ChartCard
from tilelab.gui.lab.experiments.chart_painter import chart_file
from tilelab.gui.lab.experiments.said_card import SaidCard
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import load_theme
from tilelab.runs.files.atomic import write_atomically

_SPACE = 16
_WIDE = 760
"""From here on there is room for both beside each other."""
_SHARES = {Qt.Orientation.Horizontal: (560, 320), Qt.Orientation.Vertical: (430, 150)}
FILTERS = {
    ".png": marked("Chart as picture (*.png)"),
    ".svg": marked("Chart as drawing (*.svg)"),
    ".csv": marked("All runs as table (*.csv)"),
    ".html": marked("Report (*.html)"),
}


class LookPage(QWidget):
    """Shows the same results in both cards."""

    run_chosen = Signal(int)
    """The place in the plan of a run that shall be opened."""
    done = Signal(str)
    """A sentence that says what was written."""
    failed = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._kept: Kept | None = None
        self.chart, self.said = ChartCard(self), SaidCard(self)
        self._parts = QSplitter(Qt.Orientation.Horizontal, self)
        self._parts.setHandleWidth(_SPACE)
        self._parts.setChildrenCollapsible(False)
        self._parts.addWidget(self.chart)
        self._parts.addWidget(self.said)
        self._parts.setSizes(list(_SHARES[Qt.Orientation.Horizontal]))
        column_layout(self, 0).addWidget(self._parts)
        self._reporting = Background(self)
        self._reporting.reported.connect(self._reported)
        self._reporting.failed.connect(self.failed)
        self.chart.run_chosen.connect(self.run_chosen)
        self.chart.figure_changed.connect(self.said.show_figure)
        self.said.export_asked.connect(self._ask_to_export)
        self.said.copied.connect(self.done)
        self.said.failed.connect(self.failed)

    def show_kept(self, kept: Kept | None) -> None:
        """Show other results, or more of the same."""
        self._kept = kept
        self.chart.show_kept(kept)
        self.said.show_kept(kept)

    def resizeEvent(self, event: QResizeEvent) -> None:
        kinds = Qt.Orientation
        kind = kinds.Horizontal if event.size().width() >= _WIDE else kinds.Vertical
        if self._parts.orientation() is not kind:
            self._parts.setOrientation(kind)
            self._parts.setSizes(list(_SHARES[kind]))
        super().resizeEvent(event)

    def export(self, path: Path) -> None:
        """Write what the ending of a file says; raises TileLabError.

        A report takes some seconds, and is written in the background.
        """
        kind, kept = path.suffix.lower(), self._kept
        if kept is None:
            raise TileLabError(tr("There are no results to write."))
        if kind not in FILTERS:
            raise TileLabError(
                tr("a file ends with {join}; {name} does not").format(
                    join=", ".join(FILTERS), name=path.name
                )
            )
        if kind == ".html":
            self.done.emit(tr("Making the report…"))
            self._reporting.start(_reporting(kept, path))
            return
        write_atomically(path, rows_csv(kept.rows) if kind == ".csv" else self._chart_file(kind))
        self.done.emit(_wrote(path))

    def _chart_file(self, kind: str) -> bytes:
        chart = self.chart.chart
        if chart is None:
            raise TileLabError(tr("There is no chart to write; choose another kind."))
        return chart_file(chart, kind[1:], load_theme("light"))

    @Slot(object)
    def _reported(self, sentence: str) -> None:
        self.done.emit(sentence)

    @Slot()
    def _ask_to_export(self) -> None:
        if self._kept is None:
            return
        name = f"{file_stem(self._kept.plan.title or 'experiment')}.png"
        path = ask_to_save(
            self, tr("Export"), self._settings.folder / name, ";;".join(map(tr, FILTERS.values()))
        )
        if path is None:
            return
        self._settings.folder = path.absolute().parent
        try:
            self.export(path)
        except TileLabError as error:
            self.failed.emit(str(error))


def _reporting(kept: Kept, path: Path) -> Iterator[str]:
    """Write a report; yields a sentence that says so. Raises TileLabError."""
    write_atomically(path, report_html(kept))
    yield _wrote(path)


def _wrote(path: Path) -> str:
    return tr("Wrote {path}.").format(path=shown_path(path))
