"""The tables of the papers: one is made again with a click, and stands beside what is printed."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QHeaderView,
    QProgressBar,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from tilelab.core.errors import RunError
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import about
from tilelab.experiments.cell_run import FAILED
from tilelab.experiments.chart_values import Chart, capital
from tilelab.experiments.executor import StopRequest
from tilelab.experiments.papers.base import Comparison, PaperTable, Picture, Verdict, tables
from tilelab.experiments.papers.making import compared, in_a_sentence, lines_of, runs_of_table
from tilelab.gui.charts.chart_plot import ChartPlot
from tilelab.gui.lab.experiments.control import MakeHands
from tilelab.gui.lab.experiments.tasks import FormerResults, Getting, Hands, Remark, Step, sweeping
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_table import Column, ItemTable, text_columns
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.parts import (
    SegmentButton,
    column_layout,
    push_button,
    row_layout,
    text_label,
)
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_scaled,
    set_role,
    set_style_property,
)
from tilelab.gui.widgets.window_place import scrolled

_COLUMNS: tuple[Column[PaperTable], ...] = (
    Column(
        marked("Paper"),
        190,
        lambda table: table.source,
        lambda table: table.source,
        is_number=False,
    ),
    Column(
        marked("Table"),
        200,
        lambda table: table.title,
        lambda table: table.title,
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
"""The colours of the verdicts' words."""
_SMALL, _LARGE = 240, 420
"""Heights of the list and of what comes of it."""
_VERDICT, _NUMBERS = 2, (0, 1, 3)
"""Of the columns behind the labels: printed, here, verdict, interval."""
_WIDEST = 190
_NOTHING = marked(
    "Choose a table and make it; what is printed then stands beside what comes of it here."
)


class Made(NamedTuple):
    """How far a table is."""

    n_over: int
    n_runs: int
    getting: str
    """What is being made before the runs begin, or ''."""


def listing() -> Iterator[tuple[PaperTable, ...]]:
    """Yield all tables that there are."""
    yield tables()


def making(
    table: PaperTable, folder: Path, hands: Hands, asked: StopRequest, *, small: bool
) -> Iterator[Made | Remark | Comparison]:
    """Do the runs that are not in the folder yet; yields Made, and a Comparison when all are done.

    Raises TileLabError, and RunError for a run that fails: without it the table is not the paper's.
    """
    plans = runs_of_table(table, small=small)
    n_over, n_runs = 0, sum(map(len, plans.values()))
    for name, runs in plans.items():
        for step in sweeping(runs, folder / name, hands, asked, resume=True):
            if isinstance(step, Remark):
                yield step
                continue
            getting = step.what if isinstance(step, Getting) else ""
            if isinstance(step, FormerResults | Step):
                n_over += len(step.outcomes)
                for _, (row, _) in step.outcomes:
                    if row["status"] == FAILED:
                        raise RunError(tr("A run of the table failed: {error}", error=row["error"]))
            yield Made(n_over, n_runs, getting)
        if asked.is_stopped():
            return
    yield compared(table, folder, small=small)


class PaperDrawings(QStackedWidget):
    """Shows one thing of a comparison at a time: its table, a chart or a picture."""

    def __init__(self, table: QWidget, parent: QWidget) -> None:
        """table: what is seen first, and always there."""
        super().__init__(parent)
        self.addWidget(table)
        self.switch = QFrame(parent)
        self.switch.setAccessibleName(tr("What is shown of the table"))
        set_role(self.switch, "segments")
        self._row = row_layout(self.switch, 2, 0)
        self._group = QButtonGroup(self)
        self.buttons: list[SegmentButton] = []
        self._pages: list[QWidget] = []
        self.show_comparison(None)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show the table of another comparison, and buttons for what it has besides."""
        for button in self.buttons:
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.buttons = []
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
        self._add_button(tr("Table"), tr("The printed figures beside ours"))
        for kind, drawings in kinds.items():
            for number, drawing in enumerate(drawings, 1):
                self._pages.append(_page(drawing, self))
                self.addWidget(self._pages[-1])
                word = kind if len(drawings) == 1 else f"{kind} {number}"
                self._add_button(word, tool_tip(drawing.title))
        self.buttons[0].setChecked(True)

    def _add_button(self, word: str, tip: str) -> None:
        button = SegmentButton(word, self.switch)
        place = len(self.buttons)
        button.setObjectName(f"paper_shown_{place}")
        button.setToolTip(tip)
        button.setCheckable(True)
        button.clicked.connect(partial(self._show_page, place))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons.append(button)

    def _show_page(self, place: int, _checked: bool = False) -> None:
        self.setCurrentIndex(place)


class _PictureView(QWidget):
    """Draws a picture as large as there is room, on its own ground."""

    def __init__(self, picture: Picture, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Picture: {title}", title=picture.title))
        self._drawn = QSvgRenderer(picture.svg.encode(), self)
        self._drawn.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._drawn.render(painter, self.rect())
        painter.end()


def _page(drawing: Chart | Picture, parent: QWidget) -> QWidget:
    """Return a picture, which has its title in it, or a chart between its title and its words."""
    if isinstance(drawing, Picture):
        return _PictureView(drawing, parent)
    page = QWidget(parent)
    column = column_layout(page, 0, 6)
    column.addWidget(text_label("muted", page, drawing.title))
    chart = ChartPlot(page)
    chart.show_chart(drawing)
    column.addWidget(chart, 1)
    caption = text_label("small", page, drawing.caption)
    caption.setWordWrap(True)
    column.addWidget(caption)
    return page


class PapersPage(QFrame):
    """A list of tables, and the one that was made last."""

    def __init__(self, folder: Path, make_hands: MakeHands, parent: QWidget) -> None:
        """folder: where all tables have their folders. make_hands: what does the runs."""
        super().__init__(parent)
        set_style_property(self, "card", True)
        self.setAccessibleName(tr("Papers' tables"))
        self._folder, self._make_hands = folder, make_hands
        self._asked = StopRequest()
        self._comparison: Comparison | None = None
        self._has_shown = False
        self.tables = ItemTable(
            "paper_tables", tr("Tables"), _COLUMNS, lambda table: table.key, self, selects_many=True
        )
        self.tables.current_changed.connect(self._chosen)
        self.tables.open_asked.connect(self.make)
        tip = tr("Do the runs of this table; those that are done already are not done again")
        self.make_button = push_button(tr("MAKE"), "paper_make", tip, self)
        set_role(self.make_button, "primary")
        self.make_button.clicked.connect(self.make)
        tip = tr("Let the runs that are going finish; what is done is kept")
        self.stop_button = push_button(tr("STOP"), "paper_stop", tip, self)
        set_role(self.stop_button, "stop")
        self.stop_button.clicked.connect(self.stop)
        self.small = QCheckBox(tr("Small version"), self)
        self.small.setObjectName("paper_small")
        self.small.setToolTip(tr("A few of the runs only: is it all there?"))
        self._progress = QProgressBar(self)
        self._progress.setAccessibleName(tr("Runs done"))
        self._progress.setTextVisible(False)
        keep_scaled(self._progress, width=120)
        self._how_far = ElidedLabel(self)
        set_role(self._how_far, "muted")
        self._title = ElidedLabel(self)
        set_role(self._title, "title")
        self.rows: ItemTable[Sequence[str]] = ItemTable(
            "paper_rows", tr("Printed figures beside ours"), (), None, self
        )
        self.notes = text_label("small", self, tr(_NOTHING))
        self.notes.setObjectName("paper_notes")
        self.notes.setWordWrap(True)
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self._listing, self._making = Background(self), Background(self)
        self._listing.reported.connect(self.tables.show_items)
        self._making.reported.connect(self._reported)
        self._making.ended.connect(self._ended)
        self._making.failed.connect(self._failed)
        self._listing.start(listing())
        self._allow()

    @property
    def comparison(self) -> Comparison | None:
        """What the last table has come to."""
        return self._comparison

    @Slot()
    def make(self) -> None:
        """Make the table that is chosen."""
        table = self.tables.current
        if table is None or self._making.is_busy:
            return
        is_small = self.small.isChecked()
        self._asked = StopRequest()
        self._comparison = None
        self._title.setText(f"{table.source}: {table.title}")
        self._how_far.setText(tr("getting ready"))
        self._progress.setValue(0)
        self.notes.setText("")
        self._show_rows()
        folder = self._folder / (f"{table.key}-small" if is_small else table.key)
        hands = self._make_hands(0, "")
        self._making.start(making(table, folder, hands, self._asked, small=is_small))
        self._allow()

    @Slot()
    def stop(self) -> None:
        """Let no further run begin."""
        self._asked.stop()
        self._how_far.setText(tr("stopping…"))

    @Slot(object)
    def _reported(self, step: Made | Remark | Comparison) -> None:
        if isinstance(step, Comparison):
            self._comparison = step
            self.notes.setText("\n\n".join([in_a_sentence(step), *step.notes]))
            self._show_rows()
        elif isinstance(step, Remark):
            self.notes.setText(step.text)
        elif not self._asked.is_stopped():
            self._progress.setRange(0, max(step.n_runs, 1))
            self._progress.setValue(step.n_over)
            done = tr(
                "{n_over} of {n_runs} runs",
                n_over=figures(step.n_over, ","),
                n_runs=figures(step.n_runs, ","),
            )
            self._how_far.setText(tr("making {what}", what=step.getting) if step.getting else done)

    @Slot()
    def _ended(self) -> None:
        is_whole = self._comparison is not None
        self._how_far.setText("finished" if is_whole else tr("stopped; MAKE goes on"))
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
            self._progress.reset()
        self._allow()

    @Slot()
    def _allow(self) -> None:
        is_busy = self._making.is_busy
        self.make_button.setEnabled(not is_busy and self.tables.current is not None)
        self.stop_button.setEnabled(is_busy)
        self.small.setEnabled(not is_busy)

    @Slot()
    def _show_rows(self) -> None:
        comparison = self._comparison
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
        beside = row_layout(spacing=12)
        for part in (self.make_button, self.stop_button, self.small, self._progress):
            beside.addWidget(part)
        beside.addWidget(self._how_far, 1)
        above, below = QWidget(self), QWidget(self)
        first, second = column_layout(above, (0, 0, 0, 8), 8), column_layout(below, (0, 8, 0, 0), 8)
        heading = row_layout(spacing=8)
        heading.addWidget(text_label("title", self, tr("Papers' tables")))
        heading.addWidget(ManualButton(tr("Papers' tables"), self))
        heading.addStretch(1)
        set_manual_place(self, "papers")
        first.addLayout(heading)
        first.addWidget(self.tables, 1)
        first.addLayout(beside)
        self.rows.horizontalHeader().setStretchLastSection(True)
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, (0, 0, 8, 0)).addWidget(self.notes)
        numbers = QWidget(self)
        inner = column_layout(numbers, 0, 8)
        inner.addWidget(self.rows, 3)
        inner.addWidget(scrolled(ground, self), 2)
        self.drawings = PaperDrawings(numbers, self)
        title = row_layout(spacing=8)
        title.addWidget(self._title, 1)
        title.addWidget(self.drawings.switch)
        second.addLayout(title)
        second.addWidget(self.drawings, 1)
        parts = QSplitter(Qt.Orientation.Vertical, self)
        parts.setChildrenCollapsible(False)
        parts.addWidget(above)
        parts.addWidget(below)
        # Before there is anything below, the list has the room; each user may move the line.
        parts.setSizes([_LARGE, _SMALL])
        self._parts = parts
        column_layout(self, (16, 12, 16, 12), 0).addWidget(parts)


def _verdict_colour(column: int, line: Sequence[str]) -> QColor | None:
    """Return the colour of a verdict's word in the theme in force."""
    token = _TOKENS.get(line[column])
    return None if token is None else QColor(getattr(current_theme(), token))


def _in_order(line: Sequence[str], n_labels: int) -> list[str]:
    """Put the verdict before the interval, where it is seen in a narrow window, too."""
    *known, interval, verdict = line[: n_labels + 4]
    return [*known, verdict, interval, *line[n_labels + 4 :]]
