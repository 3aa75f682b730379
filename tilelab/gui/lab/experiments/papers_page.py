"""The tables of the papers: a click repeats one, and shows it next to the printed one."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QCheckBox, QHeaderView, QProgressBar, QStackedWidget, QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import about, capital, labelled
from tilelab.experiments.chart_values import Chart
from tilelab.experiments.papers import (
    Comparison,
    PaperTable,
    Picture,
    TableRun,
    Verdict,
    compare_results,
    in_a_sentence,
    lines_of,
    tables,
)
from tilelab.experiments.workers import StopRequest
from tilelab.gui.charts.chart_plot import ChartPlot
from tilelab.gui.lab.experiments.control import (
    ChooseWorkers,
    OpenWorkers,
    Remark,
    SweepPreparation,
    get_ready,
)
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_model import Column, text_columns
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    Segments,
    column_layout,
    named,
    parted,
    push_button,
    row_of,
    text_label,
)
from tilelab.gui.widgets.theme import current_theme, keep_scaled, set_role
from tilelab.gui.widgets.window_place import scrolled
from tilelab.runs.history.schema import default_file

_COLUMNS: tuple[Column[PaperTable], ...] = (
    Column(
        marked("Paper"),
        0,
        lambda table: table.source,
        lambda table: table.source,
        is_number=False,
    ),
    Column(
        marked("Table"),
        200,
        lambda table: tr(table.title),
        lambda table: tr(table.title),
        is_number=False,
        stretches=True,
    ),
    Column(
        marked("Takes"),
        80,
        lambda table: about(table.seconds),
        lambda table: table.seconds,
        header_tip=marked("Processor time of the whole table, on one core of a small machine"),
    ),
)
_TOKENS: Mapping[str, str] = {Verdict.AGREES: "accent", Verdict.DIFFERS: "stop"}
"""Colour tokens of the verdicts."""
_SMALL, _LARGE = 240, 420  # heights of the list and of the result
_VERDICT, _NUMBERS = 2, (0, 1, 3)  # columns after the labels: printed, here, verdict, interval
_WIDEST = 190
_NOTHING = marked("Choose a table and make it to compare the printed figures with yours.")


class TableProgress(NamedTuple):
    """Progress of the runs of a table."""

    n_over: int
    n_runs: int


def make_table(
    table: PaperTable, folder: Path, open_for: OpenWorkers, request: StopRequest, *, small: bool
) -> Iterator[TableProgress | SweepPreparation | Remark | Comparison]:
    """Do the runs that the folder lacks; yields a Comparison when all are done.

    Raises TileLabError, or RunError for a failed run, without which the table is incomplete.
    """
    with TableRun(table, folder, small=small, resume=True) as making:
        n_runs, n_left = making.n_runs, making.n_left
        yield TableProgress(n_runs - n_left, n_runs)
        if n_left:
            with open_for(making.n_at_a_time) as workers:
                yield from get_ready(workers, making.kinds, request)
                for progress in making.steps(workers, request):
                    n_left = n_left if progress is None else progress.n_left
                    yield TableProgress(n_runs - n_left, n_runs)
        if not making.is_done():
            return
    yield compare_results(table, folder, small=small)


class PaperDrawings(QStackedWidget):
    """Shows one part of a comparison at a time: its table, a chart or a picture."""

    def __init__(self, table: QWidget, parent: QWidget) -> None:
        """table: the widget that is always there and shown first."""
        super().__init__(parent)
        self.addWidget(table)
        self.switch = Segments(tr("What is shown of the table"), parent)
        self.switch.chosen.connect(self.setCurrentIndex)
        self._pages: list[QWidget] = []
        self.show_comparison(None)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show the table of another comparison, and buttons for its charts and pictures."""
        self.switch.clear()
        for page in self._pages:
            self.removeWidget(page)
            page.deleteLater()
        self._pages = []
        kinds: dict[str, Sequence[Chart | Picture]] = {}
        if comparison is not None:
            kinds = {tr("Chart"): comparison.charts, tr("Picture"): comparison.pictures}
        self.switch.setVisible(any(kinds.values()))
        if not any(kinds.values()):
            return
        self.switch.add(tr("Table"), "paper_shown_0", tr("The printed figures and ours"))
        for kind, drawings in kinds.items():
            for number, drawing in enumerate(drawings, 1):
                self._pages.append(_page(drawing, self))
                self.addWidget(self._pages[-1])
                word = kind if len(drawings) == 1 else f"{kind} {number}"
                name = f"paper_shown_{len(self.switch.buttons)}"
                self.switch.add(word, name, tool_tip(drawing.title))


class _PictureView(QWidget):
    """Draws a picture as large as fits, on its own background."""

    def __init__(self, picture: Picture, parent: QWidget) -> None:
        super().__init__(parent, accessibleName=tr("Picture: {title}", title=picture.title))
        self._drawn = QSvgRenderer(picture.svg.encode(), self)
        self._drawn.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._drawn.render(painter, self.rect())


def _page(drawing: Chart | Picture, parent: QWidget) -> QWidget:
    """Return a page with a picture, or with a chart between its title and its description."""
    if isinstance(drawing, Picture):
        return _PictureView(drawing, parent)
    page = QWidget(parent)
    title = text_label("muted", page, drawing.title)
    chart = ChartPlot(page)
    chart.show_chart(drawing)
    caption = text_label("small", page, drawing.caption, wraps=True)
    column_layout(page, 0, 6, title, (chart, 1), caption)
    return page


class PapersPage(Card):
    """The list of tables, and the table that was made last."""

    def __init__(self, choose: ChooseWorkers, parent: QWidget) -> None:
        super().__init__(parent, title=tr("Papers' tables"))
        self._choose_workers = choose
        self._request = StopRequest()
        self._made: PaperTable | None = None  # table that was made last
        self.comparison: Comparison | None = None  # comparison of the last table
        self._has_shown = False
        self.tables = ItemTable(
            "paper_tables", tr("Tables"), _COLUMNS, lambda table: table.key, self, selects_many=True
        )
        self.tables.current_changed.connect(self._chosen)
        self.tables.open_requested.connect(self.make)
        tip = tr("Do the runs of this table; finished runs are not repeated")
        self.make_button = push_button(tr("MAKE"), "paper_make", tip, self, self.make)
        set_role(self.make_button, "primary")
        tip = tr("Finish the current runs; the results are kept")
        self.stop_button = push_button(tr("STOP"), "paper_stop", tip, self, self.stop)
        set_role(self.stop_button, "stop")
        self.small = QCheckBox(tr("Small version"), self)
        named(self.small, "paper_small", tip=tr("Only a few of the runs, to try it out"))
        self._progress = QProgressBar(self, textVisible=False)
        self._progress.setAccessibleName(tr("Runs done"))
        self._progress.hide()
        keep_scaled(self._progress, width=120)
        self._how_far = ElidedLabel(self, role="muted")
        self._title = ElidedLabel(self, role="title")
        self.rows: ItemTable[Sequence[str]] = ItemTable(
            "paper_rows", tr("Printed figures and ours"), (), None, self
        )
        self.notes = text_label("small", self, tr(_NOTHING), "paper_notes", wraps=True)
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self._making = TaskRunner(self, self._reported, failed=self._failed, ended=self._ended)
        self._listing = TaskRunner(self, self.tables.show_items)
        self._listing.start(one_step(tables))
        self._allow()

    @Slot()
    def make(self) -> None:
        """Make the chosen table."""
        table = self.tables.current
        if table is None or self._making.is_busy:
            return
        is_small = self.small.isChecked()
        self._request = StopRequest()
        self.comparison = None
        self._name(table)
        self._how_far.setText(tr("getting ready"))
        self._progress.setValue(0)
        self._progress.show()
        self.notes.setText("")
        self._show_rows()
        name = f"{table.key}-small" if is_small else table.key
        folder = default_file().parent / "papers" / name
        open_for = self._choose_workers(0, "")
        self._making.start(make_table(table, folder, open_for, self._request, small=is_small))
        self._allow()

    def take_over(self, before: "PapersPage") -> None:
        """Show the table that another page has made last."""
        if before._made is not None and before.comparison is not None:
            self._name(before._made)
            self._reported(before.comparison)

    def _name(self, table: PaperTable) -> None:
        self._made = table
        self._title.setText(labelled(table.source, tr(table.title)))

    @Slot()
    def stop(self) -> None:
        """Start no more runs."""
        self._request.stop()
        self._how_far.setText(tr("stopping…"))

    @Slot(object)
    def _reported(self, step: TableProgress | SweepPreparation | Remark | Comparison) -> None:
        if isinstance(step, Comparison):
            self.comparison = step
            self.notes.setText("\n\n".join([in_a_sentence(step), *step.notes]))
            self._show_rows()
        elif isinstance(step, Remark):
            self.notes.setText(step.text)
        elif self._request.is_stopped():
            return
        elif isinstance(step, SweepPreparation):
            if step.what:
                self._how_far.setText(tr("making {step}", step=step.what))
        else:
            self._progress.setRange(0, max(step.n_runs, 1))
            self._progress.setValue(step.n_over)
            self._how_far.setText(
                tr(
                    "{n_done} of {n_runs} runs",
                    n_done=figures(step.n_over, ","),
                    n_runs=figures(step.n_runs, ","),
                )
            )

    @Slot()
    def _ended(self) -> None:
        is_whole = self.comparison is not None
        self._how_far.setText(tr("finished") if is_whole else tr("stopped; MAKE continues"))
        self._allow()

    @Slot(str)
    def _failed(self, why: str) -> None:
        self._how_far.setText(tr("failed"))
        self.notes.setText(why)
        self._allow()

    @Slot()
    def _chosen(self) -> None:
        table = self.tables.current
        if table is not None and not self._making.is_busy:
            self._how_far.setText(
                tr("takes about {time} of processor time", time=about(table.seconds))
            )
            self._progress.hide()
        self._allow()

    @Slot()
    def _allow(self) -> None:
        is_busy = self._making.is_busy
        self.make_button.setEnabled(not is_busy and self.tables.current is not None)
        self.stop_button.setEnabled(is_busy)
        self.small.setEnabled(not is_busy)

    @Slot()
    def _show_rows(self) -> None:
        comparison = self.comparison
        self.drawings.show_comparison(comparison)
        self.rows.setVisible(comparison is not None)
        if comparison is not None and not self._has_shown:
            self._has_shown = True
            self._parts.setSizes([_SMALL, _LARGE])
        if comparison is None:
            return
        n_labels = len(comparison.columns)
        headings, *lines = (_in_order(line, n_labels) for line in lines_of(comparison))
        numbers, verdict = [n_labels + each for each in _NUMBERS], n_labels + _VERDICT
        columns = list(text_columns(list(map(capital, headings)), numbers))
        colour = partial(_verdict_colour, verdict)
        columns[verdict] = dataclasses.replace(columns[verdict], colour=colour)
        self.rows.set_columns(columns)
        self.rows.show_items(lines)
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.rows.resizeColumnsToContents()
        for column in range(len(columns)):
            self.rows.setColumnWidth(column, min(self.rows.columnWidth(column) + 8, _WIDEST))

    def _lay_out(self) -> None:
        set_manual_place(self, "papers")
        above, below = QWidget(self), QWidget(self)
        title = text_label("title", self, tr("Papers' tables"))
        heading = row_of(title, ManualButton(tr("Papers' tables"), self), STRETCH)
        tools = (self.make_button, self.stop_button, self.small, self._progress)
        buttons = row_of(*tools, (self._how_far, 1), spacing=12)
        column_layout(above, (0, 0, 0, 8), 8, heading, (self.tables, 1), buttons)
        self.rows.horizontalHeader().setStretchLastSection(True)
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, (0, 0, 8, 0)).addWidget(self.notes)
        numbers = QWidget(self)
        column_layout(numbers, 0, 8, (self.rows, 3), (scrolled(ground, self), 2))
        self.drawings = PaperDrawings(numbers, self)
        made = row_of((self._title, 1), self.drawings.switch)
        column_layout(below, (0, 8, 0, 0), 8, made, (self.drawings, 1))
        parts = parted(Qt.Orientation.Vertical, self, (above, 0), (below, 0), gap=0)
        self._parts = named(parts, "paper_parts")
        # Until there is a result, the list has all the room; the user can move the line.
        self._parts.setSizes([_LARGE, _SMALL])
        column_layout(self, (16, 12, 16, 12), 0, self._parts)


def _verdict_colour(column: int, line: Sequence[str]) -> QColor | None:
    token = _TOKENS.get(line[column])
    return None if token is None else QColor(getattr(current_theme(), token))


def _in_order(line: Sequence[str], n_labels: int) -> list[str]:
    """Put the verdict before the interval, where it is visible even in a narrow window."""
    *known, interval, verdict = line[: n_labels + 4]
    return [*known, verdict, interval, *line[n_labels + 4 :]]
