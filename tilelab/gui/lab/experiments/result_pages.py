"""The pages of results in the window of experiments: tables, charts, tuning and papers."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem, shown_path
from tilelab.experiments.chart_values import figure_title
from tilelab.experiments.remarks import Remarks, remarks_on
from tilelab.experiments.report import report_html
from tilelab.experiments.results import Kept, rows_csv
from tilelab.experiments.tables import FORMATS, by_setting, comma_separated
from tilelab.gui.lab.experiments.chart_card import ChartCard
from tilelab.gui.lab.experiments.control import ChooseWorkers, PlanResults
from tilelab.gui.lab.experiments.papers_page import PapersPage
from tilelab.gui.lab.experiments.results_card import ResultsCard
from tilelab.gui.lab.experiments.tune_page import TunePage
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.file_dialog import ask_to_save_as
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    Segments,
    calling,
    column_layout,
    named,
    parted,
    row_of,
    rule_line,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import load_theme, set_role
from tilelab.gui.widgets.window_place import scrolled
from tilelab.runs.files.atomic import write_atomically

_LATER_MILLISECONDS = 1_000  # milliseconds between two redraws of charts while results arrive
_TITLES = {
    "tables": (marked("Tables"), marked("The settings, and the runs of each of them")),
    "charts": (marked("Charts"), marked("Charts of the results, and what they show")),
    "tune": (marked("Tune"), marked("Search for the best parameters of a solver")),
    "papers": (
        marked("Papers"),
        marked("The tables of the papers, made again next to the printed figures"),
    ),
}
_WIDE = 760  # width from which both cards fit next to each other
_SHARES = {Qt.Orientation.Horizontal: (560, 320), Qt.Orientation.Vertical: (390, 190)}
FILTERS = {
    ".png": marked("Chart as picture (*.png)"),
    ".svg": marked("Chart as drawing (*.svg)"),
    ".csv": marked("All runs as table (*.csv)"),
    ".html": marked("Report (*.html)"),
}
_SUMMARY = marked("Settings as table (*.csv)")  # table of a figure, a line for each setting
_CHARTS = (".png", ".svg")
_NOTHING = marked("When runs have finished, this says what they show and what they do not.")
_REMARK_TITLES = {"markdown": marked("Markdown"), "latex": "LaTeX"}


class RemarksCard(Card):
    """The remarks of the statistical tests about a figure, and a button to copy its table."""

    def __init__(self, notice: NoticeBar, parent: QWidget) -> None:
        """notice: the bar that says that the table was copied, or why it was not."""
        super().__init__(parent, title=tr("Findings"))
        self._notice = notice
        self._kept: Kept | None = None
        self._figure = "value"
        self._title = ElidedLabel(self, role="title")
        self.said = _text("experiment_said", "", self)
        self.unsupported = _text("experiment_unsupported", "muted", self)
        self._rule = rule_line(self)
        self._describing = TaskRunner(self, self._show, failed=self._show_why_not)
        self._copying = TaskRunner(self, self._copy, failed=notice.show_error)
        self._buttons = [
            small_button(
                tr("Copy as {title}", title=title),
                f"experiment_copy_{form}",
                tr("Copy the table of this figure to the clipboard as {title}", title=title),
                self,
                calling(self._write, form),
            )
            for form, title in _REMARK_TITLES.items()
        ]
        self._lay_out()
        self.show_kept(None)

    def show_kept(self, kept: Kept | None) -> None:
        """Show other results, or more of the same."""
        self._kept = kept
        for button in self._buttons:
            button.setEnabled(kept is not None and bool(kept.rows))
        if kept is None or not kept.rows:
            self._describing.cancel()
            self._show_why_not(tr(_NOTHING))
            return
        if self.said.text() == tr(_NOTHING):
            self.said.setText(tr("Comparing the runs…"))
        self._describing.start_next(one_step(remarks_on, kept, self._figure))

    @Slot(str)
    def show_figure(self, name: str) -> None:
        """Show another figure of the runs."""
        if name != self._figure:
            self._figure = name
            self.show_kept(self._kept)

    @Slot(object)
    def _show(self, remarks: Remarks) -> None:
        self._title.setText(
            tr("Findings about the {metric_title}", metric_title=figure_title(self._figure))
        )
        self.said.setText("\n\n".join(remarks.said))
        self.unsupported.setText("\n\n".join(remarks.unsupported))
        for part in (self._rule, self.unsupported):
            part.setVisible(bool(remarks.unsupported))

    @Slot(str)
    def _show_why_not(self, why: str) -> None:
        self._show(Remarks((why,), ()))
        self._title.setText(tr("Findings"))

    def _write(self, form: str) -> None:
        if self._kept is not None:
            self._copying.start(_writing(self._kept, self._figure, form))

    @Slot(object)
    def _copy(self, written: tuple[str, str]) -> None:
        form, text = written
        QGuiApplication.clipboard().setText(text)
        self._notice.show_done(tr("Copied the table as {format}.", format=tr(_REMARK_TITLES[form])))

    def _lay_out(self) -> None:
        inner = QWidget(self)
        set_role(inner, "page")
        column_layout(inner, (0, 0, 8, 0), 12, self.said, self._rule, self.unsupported, STRETCH)
        area = scrolled(inner, self)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setAccessibleName(tr("Findings"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        copies = row_of(*self._buttons, STRETCH)
        heading = row_of(
            self._title, ManualButton(tr("Findings"), self, "experiments#tables-and-tests"), STRETCH
        )
        column_layout(self, (16, 12, 8, 12), 8, heading, (area, 1), copies)


def _text(name: str, role: str, parent: QWidget) -> QLabel:
    label = text_label(role, parent, "", name, wraps=True)
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return label


def _writing(kept: Kept, name: str, form: str) -> Iterator[tuple[str, str]]:
    yield form, FORMATS[form](by_setting(kept, name, kept.plan.limits.target))


class AppearancePage(QWidget):
    """The page of charts: the same results in two cards."""

    def __init__(self, notice: NoticeBar, parent: QWidget) -> None:
        """notice: the bar that says what was written, or why it was not."""
        super().__init__(parent)
        self._notice = notice
        self._kept: Kept | None = None
        self.chart, self.said = ChartCard(self), RemarksCard(notice, self)
        parts = parted(Qt.Orientation.Horizontal, self, (self.chart, 0), (self.said, 0))
        self._parts = named(parts, "experiment_look")
        self._parts.setSizes(list(_SHARES[Qt.Orientation.Horizontal]))
        column_layout(self, 0, None, self._parts)
        self._reporting = TaskRunner(self, notice.show_done, failed=notice.show_error)
        self.chart.figure_changed.connect(self.said.show_figure)

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

    def export(self, path: Path, figure: str = "") -> None:
        """Write a file whose kind follows its name; raises TileLabError.

        A report takes a few seconds and is written in the background.
        figure: writes the table of this figure, a line for each setting, instead of all runs.
        """
        kind, kept = path.suffix.lower(), self._kept
        if kept is None:
            raise TileLabError.tr("There are no results to export.")
        if kind not in FILTERS:
            raise TileLabError.tr(
                "a file ends with {endings}; {name} does not",
                endings=", ".join(FILTERS),
                name=path.name,
            )
        if kind == ".html":
            self._notice.show_done(tr("Making the report…"))
            self._reporting.start(_reporting(kept, path))
            return
        if kind != ".csv":
            content: str | bytes = self._chart_file(kind)
        elif figure:
            lines = by_setting(kept, figure, kept.plan.limits.target, plain=True)
            content = f"{comma_separated(lines)}\n"
        else:
            content = rows_csv(kept.rows)
        write_atomically(path, content)
        self._notice.show_done(_wrote(path))

    def _chart_file(self, kind: str) -> bytes:
        if self.chart.view.chart is None:
            raise TileLabError.tr("There is no chart to export. Choose another kind.")
        return self.chart.view.file(kind[1:], load_theme("light"))


def _reporting(kept: Kept, path: Path) -> Iterator[str]:
    """Write a report; yields a sentence about it. Raises TileLabError."""
    write_atomically(path, report_html(kept))
    yield _wrote(path)


def _wrote(path: Path) -> str:
    return tr("Wrote {path}.", path=shown_path(path))


class ResultPages(QWidget):
    """The pages of results; charts are made when they are first shown."""

    def __init__(
        self, choose: ChooseWorkers, settings: Settings, notice: NoticeBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._settings, self._notice = settings, notice
        self.results, self.look = ResultsCard(self), AppearancePage(notice, self)
        self.tune, self.papers = TunePage(settings, choose, self), PapersPage(choose, self)
        self._is_stale = False
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MILLISECONDS)
        self._timer.timeout.connect(self._draw)
        self.stack = QStackedWidget(self)  # the pages, below their tabs
        for page in (self.results, self.look, self.tune, self.papers):
            self.stack.addWidget(page)
        switch = Segments(tr("What is shown"), self)
        self.buttons = {
            name: switch.add(tr(title), f"experiment_{name}", tr(tip))
            for name, (title, tip) in _TITLES.items()
        }
        """Buttons of the pages, by their names."""
        switch.chosen.connect(self._show_page)
        tip = tr("Write the chart, the rows or a report into a file")
        self.export = small_button(
            tr("Export…"), "experiment_export", tip, self, self._ask_to_export
        )
        above = row_of(switch, STRETCH, self.export, spacing=None)
        column_layout(self, 0, 8, above, (self.stack, 1))
        self._allow_export()
        self.look.chart.run_chosen.connect(self.results.open_run)

    def show_outcomes(self, outcomes: PlanResults | None) -> None:
        self.results.show_outcomes(outcomes)
        self._is_stale = True
        self._draw()
        self._allow_export()

    def take_over(self, before: "ResultPages") -> None:
        """Show the tuning and the paper's table of other pages, and offer their choices."""
        self.results.take_over(before.results)
        self.look.chart.take_over(before.look.chart)
        self.tune.take_over(before.tune)
        self.papers.take_over(before.papers)

    @Slot(object)
    def note(self, settings: Iterable[int]) -> None:
        """Update the pages for settings with new results."""
        self.results.note(settings)
        self._is_stale = True
        self._allow_export()
        if not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    @Slot(int)
    def _show_page(self, place: int) -> None:
        self.stack.setCurrentIndex(place)
        self._draw()
        self._allow_export()

    @Slot()
    def _draw(self) -> None:
        if self._is_stale and self.look.isVisible():
            self._show_newest()

    def _show_newest(self) -> None:
        self._is_stale = False
        outcomes = self.results.outcomes
        self.look.show_kept(None if outcomes is None else outcomes.kept())

    def _allow_export(self) -> None:
        """Offer the export where results are shown, if there are any."""
        outcomes = self.results.outcomes
        self.export.setVisible(self.stack.currentWidget() in (self.results, self.look))
        self.export.setEnabled(outcomes is not None and bool(outcomes.rows))

    @Slot()
    def _ask_to_export(self) -> None:
        """Ask for a file and write it; a chart only where one is shown."""
        outcomes, is_chart = self.results.outcomes, self.look.isVisible()
        if outcomes is None:
            return
        kinds = [kind for kind in FILTERS if is_chart or kind not in _CHARTS]
        name = f"{file_stem(outcomes.runs.plan.title or 'experiment')}{kinds[0]}"
        titles = [tr(FILTERS[kind]) for kind in kinds]
        titles.insert(kinds.index(".csv") + 1, tr(_SUMMARY))
        suggested = self._settings.folder / name
        path, chosen = ask_to_save_as(self, tr("Export"), suggested, ";;".join(titles))
        if path is None:
            return
        self._settings.folder = path.absolute().parent
        self._show_newest()
        try:
            figures = self.look.chart.figure if is_chart else self.results.figure
            is_summary = chosen == tr(_SUMMARY)
            self.look.export(path, figures.currentData() if is_summary else "")
        except TileLabError as error:
            self._notice.show_error(str(error))
