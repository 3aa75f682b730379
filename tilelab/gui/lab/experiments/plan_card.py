"""The card at the left: the plan as a form and as text, its errors, and where it runs."""

import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QShowEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QTextEdit,
    QWidget,
)

from tilelab.core.files.paths import path_text
from tilelab.core.files.resources import resource
from tilelab.core.text.language import figures, moment_text, tr
from tilelab.core.text.shown_text import file_stem, shortened, tool_tip
from tilelab.core.text.wording import counted
from tilelab.experiments.jobs import Runs
from tilelab.experiments.pilot import TimeEstimate
from tilelab.experiments.results import ResultsSummary
from tilelab.experiments.workers import MAX_WORKERS, StopRequest, default_workers, worker_count
from tilelab.gui.lab.experiments.control import SweepPreparation, try_runs
from tilelab.gui.lab.experiments.draft import Change, CheckedDraft, changed, checked, own_plan
from tilelab.gui.lab.experiments.plan_form import PlanForm
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    Segments,
    calling,
    column_layout,
    named,
    push_button,
    row_layout,
    row_of,
    rule_line,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import current_theme, keep_themed, mix, set_role
from tilelab.gui.widgets.window_place import scrolled

HEADING_HEIGHT = 36
_TYPING_MILLISECONDS = 200
_MOST = 32  # largest length of a title on a button


def examples() -> dict[str, str]:
    """Return the built-in plans by their titles."""
    files = sorted(resource("plans").iterdir(), key=lambda file: file.name)
    texts = [file.read_text(encoding="utf-8") for file in files if file.name.endswith(".toml")]
    return {str(tomllib.loads(text)["title"]): text for text in texts}


class PlanExamples(QWidget):
    """Links to examples, and to earlier results; a click puts one into the plan."""

    chosen = Signal(str)  # emitted with the text of the chosen example
    results_chosen = Signal(object)  # emitted with the folder of the chosen results
    shown = Signal()

    def __init__(self, puzzle: Callable[[], str], parent: QWidget) -> None:
        """puzzle: returns the kind of the puzzle of a plan that the user begins."""
        super().__init__(parent)
        words = tr(
            "A plan says which solvers run on which boards, how often and for how long. "
            "Begin with an example, or write your own."
        )
        said = text_label("muted", self, words, wraps=True)
        set_role(self, "page")
        self.buttons: list[QPushButton] = []
        parts: list[QWidget] = []
        for number, (title, text) in enumerate(examples().items(), 1):
            tip, done = tr(text.splitlines()[0].lstrip("# ")), calling(self.chosen.emit, text)
            button = push_button(tr(title), f"experiment_example_{number}", tip, self, done)
            self.buttons.append(button)
            question = text_label("small", self, tip, wraps=True)
            question.setContentsMargins(2, 0, 0, 6)
            parts += [button, question]
        own, tip = tr("A plan of your own"), tr("Begin with an empty plan")
        self.buttons.append(push_button(own, "experiment_own", tip, self, self._begin_own))
        self._puzzle = puzzle
        self._list = QWidget(self)
        self.earlier: list[QPushButton] = []  # buttons of earlier results
        self.found: Sequence[ResultsSummary] = ()  # these results
        lines = said, *parts, 8, self.buttons[-1], self._list, STRETCH
        self._column = column_layout(self, 0, 10, *lines)
        self._column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.show_earlier(())

    @Slot(object)
    def show_earlier(self, found: Sequence[ResultsSummary]) -> None:
        """List earlier results below the examples."""
        before, self._list, self.earlier = self._list, QWidget(self), []
        self.found = found
        lines: list[QWidget] = [text_label("title", self._list, tr("Earlier experiments"))]
        for number, each in enumerate(found, 1):
            title = each.plan.title or each.folder.name
            done = calling(self.results_chosen.emit, each.folder)
            name, tip = f"experiment_earlier_{number}", tool_tip(str(each.folder))
            button = push_button(shortened(title, _MOST), name, tip, self._list, done)
            when = moment_text(datetime.fromtimestamp(each.written))
            facts = text_label("small", self._list, f"{when} · {counted(each.n_done, 'run')}")
            facts.setContentsMargins(2, 0, 0, 6)
            self.earlier.append(button)
            lines += [button, facts]
        column_layout(self._list, (0, 12, 0, 0), 10, *lines)
        self._list.setVisible(bool(found))
        self._column.replaceWidget(before, self._list)
        before.hide()
        before.deleteLater()

    @Slot()
    def _begin_own(self) -> None:
        self.chosen.emit(own_plan(self._puzzle()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()


class PlanText(QPlainTextEdit):
    """The editor of a plan's text. A change by the form is one step of undo."""

    edited = Signal()  # emitted when the text has changed

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tabChangesFocus=True)
        named(self, "experiment_text", tr("Plan as TOML"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text = ""
        self._error_line: int | None = None
        self.textChanged.connect(self._changed)
        keep_themed(self, self._mark)

    @property
    def text(self) -> str:
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace the text; Ctrl+Z brings the previous text back."""
        if text == self.text:
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_error(self, line: int | None) -> None:
        """Mark the line of an error, from 1; None for no line."""
        self._error_line = line
        self._mark()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._mark()

    @Slot()
    def _changed(self) -> None:
        # Qt reports a marked line as a change.
        if self.text != self._text:
            self._text = self.text
            self.edited.emit()

    def _mark(self) -> None:
        marks = []
        if self._error_line is not None:
            theme, mark = current_theme(), QTextEdit.ExtraSelection()
            mark.format.setBackground(QColor(mix(theme.field, theme.stop, 0.18)))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            mark.cursor = QTextCursor(self.document().findBlockByNumber(self._error_line - 1))
            marks.append(mark)
        self.setExtraSelections(marks)


class PilotRow(QWidget):
    """A sentence about the runs, and a button that estimates their time."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._runs: Runs | None = None
        self.estimate: TimeEstimate | None = None
        """Estimate for the runs that are shown; None until it is known."""
        self._request = StopRequest()
        self._background = TaskRunner(self, self._reported, failed=self.show_error)
        self._n_workers = 0
        self.said = named(QLabel(self, wordWrap=True), "experiment_said")
        self._tip = tr("Try some of the runs for two seconds to estimate the time of all")
        self.button = small_button(tr("How long?"), "experiment_pilot", self._tip, self, self._try)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # it goes; what is next gets no focus
        row_layout(self, 0, 8, (self.said, 1), self.button)
        self.show_error("")

    @Slot(str)
    def show_error(self, text: str) -> None:
        self._forget(None)
        self._say(text, "error")
        self.button.hide()

    def show_runs(self, runs: Runs, n_workers: int) -> None:
        """Show the number of runs. n_workers: 0 for one per core."""
        self._n_workers, _ = worker_count(n_workers or None, len(runs))
        if runs is not self._runs:
            self._forget(runs)
        if not self._background.is_busy:
            self._show()

    def show_why_not(self, reason: str) -> None:
        """Show in the tool tip why the time cannot be estimated now; '' if it can."""
        self.button.setToolTip(f"{self._tip}\n{reason}" if reason else self._tip)

    def end(self) -> None:
        """Cancel the pilot."""
        self._request.stop()
        self._background.cancel()

    def _forget(self, runs: Runs | None) -> None:
        if self._background.is_busy:
            self.end()
        self._runs, self.estimate = runs, None

    def _show(self) -> None:
        assert self._runs is not None
        n_settings = len(self._runs.settings)
        settings = ""
        if n_settings > 1:
            settings = tr(" in {n_settings}", n_settings=counted(n_settings, "setting"))
        text = f"{counted(len(self._runs), 'run')}{settings}"
        if self.estimate is not None:
            text = f"{self.estimate.sentence(self._n_workers)}."
        self._say(text, "muted")
        self.button.setVisible(self.estimate is None)
        self.button.setEnabled(True)

    def _say(self, text: str, role: str) -> None:
        set_role(self.said, role)
        self.said.setText(text)
        self.said.setVisible(bool(text))

    @Slot()
    def _try(self) -> None:
        if self._runs is not None:
            self._request = StopRequest()
            self.button.setEnabled(False)
            self._say(tr("Getting ready…"), "muted")
            self._background.start(try_runs(self._runs, self._request))

    @Slot(object)
    def _reported(self, item: SweepPreparation | TimeEstimate) -> None:
        if isinstance(item, SweepPreparation):
            self._say(
                tr("Getting ready: {step}", step=item.what) if item.what else tr("Trying…"), "muted"
            )
        else:
            self._background.cancel()
            self.estimate = item
            self._show()


class PlanCard(Card):
    """The card of a plan, whose text is checked in the background shortly after a change."""

    checked = Signal()  # emitted when the check of the text starts or ends

    def __init__(self, puzzle: Callable[[], str], parent: QWidget) -> None:
        """puzzle: as for PlanExamples."""
        super().__init__(parent, title=tr("Plan"))
        self.folder: Path | None = None  # folder in which the plan's files are looked for
        self._found: CheckedDraft | None = None
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MILLISECONDS)
        self._typing.timeout.connect(self._check)
        self._background = TaskRunner(self, self._reported)
        self.text = PlanText(self)
        self.text.edited.connect(self._edited)
        self.beginnings = PlanExamples(puzzle, self)
        self.beginnings.chosen.connect(self.text.set_text)
        self.form = PlanForm(self)
        self.form.changes_requested.connect(self._change)
        self.shows_text = False  # whether the text is shown instead of the form
        self._switch = Segments(tr("How the plan is shown"), self)
        self._switch.add(tr("Form"), "experiment_as_form", tr("The plan as a form"))
        tip = tr("The plan as tilelab sweep reads it (TOML)")
        self._switch.add(tr("Text"), "experiment_as_text", tip)
        self._switch.chosen.connect(lambda place: self.show_as(text=bool(place)))
        self._stack = QStackedWidget(self)
        self._beginnings_area = scrolled(self.beginnings, self)
        for part in (self._beginnings_area, self.form, self.text):
            self._stack.addWidget(part)
        self.pilot = PilotRow(self)
        self._make_places()
        self._lay_out()
        self._show()

    @property
    def found(self) -> CheckedDraft | None:
        """Result of the check of the text; None until it is known."""
        known = self._found
        is_new = known is None or (known.text, known.folder) != (self.text.text, self.folder)
        return None if is_new else known

    def show_plan(self, text: str, folder: Path | None) -> None:
        """Show another plan. folder: where its files are looked for."""
        self.folder = folder
        if text != self.text.text:
            self.form.forget_turned()
        self.text.set_text(text)
        self.form.verticalScrollBar().setValue(0)
        self._check()

    def show_as(self, *, text: bool) -> None:
        """Show the plan as text, or as a form."""
        self.shows_text = text
        self._show()

    def lock(self, reason: str) -> None:
        """Lock the plan while its runs are going; reason: why, '' to unlock it."""
        self.text.setReadOnly(bool(reason))
        self.pilot.show_why_not(reason)
        for part in (
            self.beginnings,
            self.form,
            self.pilot,
            self.scheduler,
            self.workers,
            self.change_folder,
        ):
            part.setEnabled(not reason)

    def show_target(self, folder: Path) -> None:
        """Show the folder of the next results."""
        self.target.setText(path_text(folder))
        self.target.setToolTip(tool_tip(path_text(folder)))

    def _make_places(self) -> None:
        self.scheduler = QLineEdit(self, placeholderText=tr("this machine"))
        tip = tr("This machine, or the address of a Dask scheduler, such as tcp://10.0.0.1:8786")
        named(self.scheduler, "experiment_scheduler", tr("Runs on"), tip)
        self.workers = QSpinBox(self, minimum=0, maximum=MAX_WORKERS)
        self.workers.setSpecialValueText(tr("automatic"))
        self.workers.setAlignment(Qt.AlignmentFlag.AlignRight)
        tip = tr(
            "Number of runs at a time. Automatic: one for each core ({default_workers} on "
            "this machine), or one for each thread of the cluster",
            default_workers=default_workers(),
        )
        named(self.workers, "experiment_workers", tr("Runs at a time"), tip)
        self.target = named(ElidedLabel(self, Qt.TextElideMode.ElideLeft), "experiment_target")
        self.workers.valueChanged.connect(self._show)
        tip = tr("Choose the folder that results are kept in")
        self.change_folder = small_button(tr("Change…"), "experiment_folder", tip, self)

    def _lay_out(self) -> None:
        set_manual_place(self, "experiments#the-plan")
        plan = text_label("title", self, tr("Plan"))
        heading = row_of(plan, ManualButton(tr("The plan"), self), STRETCH, self._switch)
        heading.addStrut(HEADING_HEIGHT)
        whole = column_layout(
            self, (16, 12, 16, 12), 10, heading, (self._stack, 1), self.pilot, rule_line(self)
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (title, part) in enumerate(
            (
                (tr("Runs on"), self.scheduler),
                (tr("At a time"), self.workers),
                (tr("Results in"), self.target),
            )
        ):
            label = QLabel(title, self)
            label.setBuddy(part)
            grid.addWidget(label, row, 0)
            grid.addWidget(part, row, 1, 1, 1 if part is self.target else 2)
        grid.addWidget(self.change_folder, 2, 2)
        whole.addLayout(grid)

    @Slot()
    def _edited(self) -> None:
        self._typing.start()
        self._show()
        self.checked.emit()

    @Slot()
    def _check(self) -> None:
        self._typing.stop()
        self._background.start(one_step(checked, self.text.text, self.folder))

    @Slot(object)
    def _reported(self, found: CheckedDraft) -> None:
        self._found = found
        self._show()
        self.checked.emit()

    @Slot(object)
    def _change(self, changes: list[Change]) -> None:
        """Change the text by changes from the form."""
        with suppress(ValueError, RecursionError):  # the text is not valid
            self.text.set_text(changed(self.text.text, changes))
            self._check()

    @Slot()
    def _show(self) -> None:
        """Show the result of the last check of the text."""
        is_empty = not self.text.text.strip()
        found = self.found
        is_broken = self._found is not None and self._found.values is None
        # Keep showing the text while the user repairs it, even when it is valid again.
        self.shows_text = self.shows_text or (is_broken and not is_empty)
        as_form, as_text = self._switch.buttons
        (as_text if self.shows_text else as_form).setChecked(True)
        as_form.setEnabled(not is_broken)
        shown = self.text if self.shows_text else self.form
        self._stack.setCurrentWidget(
            self._beginnings_area if is_empty and not self.shows_text else shown
        )
        if is_empty:
            self.pilot.show_error("")
        elif found is not None:
            self._show_found(found)

    def _show_found(self, found: CheckedDraft) -> None:
        problem = found.problem
        place = "" if found.values is None else self.form.show_values(found.values, problem)
        self.text.show_error(None if problem is None else problem.line)
        if problem is None and found.runs is not None:
            self.pilot.show_runs(found.runs, self.workers.value())
        elif problem is not None and place and not self.shows_text:
            self.pilot.show_error(tr("The plan has an error at “{place}”.", place=place))
        elif problem is not None:
            where = (
                "" if problem.line is None else tr("Line {line}: ", line=figures(problem.line, ","))
            )
            self.pilot.show_error(f"{where}{problem.text}")


def free_folder(parent: Path, title: str) -> Path:
    """Return a new folder name made of the title of a plan."""
    name = file_stem(title).lower()
    for number in range(1, 10_000):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return folder
    return parent / name
