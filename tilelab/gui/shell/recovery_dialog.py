"""The dialog of interrupted runs: show, resume or discard them."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from tilelab.core.errors import RunError
from tilelab.core.text.language import marked, moment_text, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import counted, duration
from tilelab.gui.boards.tile_pictures import BoardPicture, scene_of
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.item_model import Column
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.parts import (
    STRETCH,
    Answer,
    ask,
    column_layout,
    column_of,
    push_button,
    row_of,
    show_in_front,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, scaled, set_role
from tilelab.gui.widgets.window_place import Dialog
from tilelab.letters.builtin import shown_title
from tilelab.runs.checkpoints.interrupted import Claim, InterruptedRun, list_interrupted
from tilelab.runs.recipe import PrerequisiteProgress, with_prerequisites
from tilelab.runs.session import Checkpoint

_PICTURE = 204  # width of the board at the right and of the text below it, in pixels
_MAX_TITLE = 40
_MIN_WIDTH = 72


def _column(
    heading: str, text: Callable[[InterruptedRun], str], *, is_number: bool = True
) -> Column[InterruptedRun]:
    return Column(
        heading, 0, text, is_number=is_number, tip=lambda run: tool_tip(run.error or text(run))
    )


_COLUMNS = (
    _column(
        marked("Puzzle"),
        lambda run: tr(run.puzzle_title) if run.puzzle else run.name,
        is_number=False,
    ),
    _column(marked("Solver"), lambda run: tr(run.solver_title), is_number=False),
    _column(marked("Done"), lambda run: run.done or "–"),
    _column(marked("Best"), lambda run: run.value_text or "–"),
    _column(marked("Running time"), lambda run: duration(run.seconds) if run.puzzle else "–"),
    dataclasses.replace(
        _column(marked("Last saved"), lambda run: _when(run.written), is_number=False),
        stretches=True,
    ),
)


class RecoveryDialog(Dialog):
    """A dialog that lists interrupted runs, newest first, and shows the selected one's best."""

    run_taken = Signal(object, object, bool)
    """Emitted with Checkpoint and Claim of a run to open, and whether to resume it at once.

    The receiver releases the claim.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            parent, tr("Interrupted runs"), "interrupted_runs", "run-file#interrupted-runs"
        )
        self.runs: Sequence[InterruptedRun] = ()  # runs that are listed
        self._shows_when_found = False
        self._claim: Claim | None = None
        self._taken: InterruptedRun | None = None  # run that is claimed, or was claimed last
        self._is_making = False
        self._resumes = False
        self._background = TaskRunner(self, self._reported, failed=self._failed)
        self._introduction = QLabel(self, wordWrap=True)
        self.table = ItemTable(
            "interrupted_table", tr("Interrupted runs"), _COLUMNS, lambda run: run.path, self
        )
        self.table.horizontalHeader().setMinimumSectionSize(_MIN_WIDTH)
        self.table.current_changed.connect(self._show_chosen)
        self._picture = BoardPicture(self)
        self._picture.setMinimumSize(_PICTURE, _PICTURE)
        self._picture.setAccessibleName(tr("The best board of the chosen run"))
        self._about = QLabel(self, wordWrap=True)
        keep_scaled(self._about, width=_PICTURE)
        self.said = text_label("error", self, wraps=True)  # label of an error
        self._make_buttons()
        self._lay_out()
        self._show()

    @Slot()
    def offer(self) -> None:
        """Look for interrupted runs, and show the dialog if there are any."""
        if self._claim is None:
            self._background.start(one_step(list_interrupted))

    @Slot()
    def bring(self) -> None:
        """Show the dialog in front of the window, with the current runs."""
        self._shows_when_found = True
        self.offer()

    def take(self, run: InterruptedRun, *, resumes: bool) -> None:
        """Claim a run for this program, read it in the background, and emit it."""
        if self._claim is not None:
            return
        self.said.clear()
        try:
            claim = run.take()
        except RunError as error:
            self.said.setText(str(error))
            return
        if claim is None:
            self.bring()
            self.said.setText(tr("Another program has opened or discarded that run."))
            return
        self._claim, self._resumes, self._is_making = claim, resumes, False
        self._taken = run
        self._background.start(_read(claim))
        self._show_buttons()

    @Slot()
    def discard(self) -> None:
        """Delete the chosen run for good, after asking."""
        run = self.table.current
        if run is not None and self._confirms(
            tr("Discard the run of {solver}?", solver=tr(run.solver_title) or run.name)
        ):
            self._discard([run])

    @Slot()
    def discard_all(self) -> None:
        """Delete all listed runs for good, after asking."""
        if self._confirms(tr("Discard {n_runs}?", n_runs=counted(len(self.runs), "run"))):
            self._discard(self.runs)

    def take_over(self, before: "RecoveryDialog") -> None:
        """Claim the run that another window's dialog was reading."""
        if before._claim is not None and before._taken is not None:
            before.end()
            self.take(before._taken, resumes=before._resumes)

    def refuse(self, claim: Claim, text: str) -> None:
        """Offer a run again that could not be opened."""
        claim.release()
        self.bring()
        self.said.setText(text)

    def _take_chosen(self, _checked: bool = False, *, resumes: bool) -> None:
        if self.table.current is not None:
            self.take(self.table.current, resumes=resumes)

    def _discard(self, runs: Sequence[InterruptedRun]) -> None:
        self._shows_when_found = True
        self._background.start(_discarded(runs))

    def _confirms(self, question: str) -> bool:
        more = tr("This cannot be undone.")
        return ask(self, question, Answer.Discard | Answer.Cancel, more=more) == Answer.Discard

    @Slot(object)
    def _reported(self, reported: object) -> None:
        if isinstance(reported, Checkpoint):
            claim, self._claim = self._claim, None
            assert claim is not None
            self.accept()
            self.run_taken.emit(reported, claim, self._resumes)
        elif isinstance(reported, PrerequisiteProgress):
            self._is_making = True
            self._about.setText(
                tr(
                    "The run is waiting: {reported}. Closing this window stops it.",
                    reported=reported,
                )
            )
        elif isinstance(reported, str):
            self.said.setText(reported)
        elif isinstance(reported, list):
            self.runs = reported
            self._show()
            window = self.parentWidget()
            active = QApplication.activeModalWidget() or QApplication.activeWindow()
            if self._shows_when_found or (reported and active in (None, self, window)):
                self._shows_when_found = False
                show_in_front(self)
            elif reported and window is not None:
                # The user has opened another window since the start, and will return.
                window.installEventFilter(self)

    @Slot(str)
    def _failed(self, text: str) -> None:
        self.end()
        if not self.runs:
            self._introduction.setText(tr("The interrupted runs cannot be listed."))
            self.show()
        self.said.setText(text)
        self._show_buttons()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            watched.removeEventFilter(self)
            self.offer()
        return super().eventFilter(watched, event)

    def end(self) -> None:
        """Release a run that was claimed and not taken over; its job has already ended."""
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    def _show(self) -> None:
        n_runs = len(self.runs)
        self._introduction.setText(
            tr("{n_runs} can be continued.", n_runs=counted(n_runs, "run"))
            if n_runs
            else tr("There is no interrupted run.")
        )
        self.buttons["later"].setText(tr("Not now") if n_runs else tr("Close"))
        if self.table.isHidden() is bool(n_runs):
            self.resize(scaled(1016 if n_runs else 480), scaled(400 if n_runs else 0))
        parts = (self.buttons[name] for name in ("resume", "open", "discard"))
        for part in (self.table, self._picture, self._about, *parts):
            part.setVisible(n_runs > 0)
        self.table.show_items(self.runs)
        self.table.selectRow(0)
        self._show_chosen()

    @Slot()
    def _show_chosen(self) -> None:
        run = self.table.current
        best = None if run is None else run.saved_best
        self._picture.show_scene(None if best is None else scene_of(best.record()))
        self._about.setText("" if run is None else _description(run))
        self._show_buttons()

    def _show_buttons(self) -> None:
        run, is_reading = self.table.current, self._claim is not None
        resume, opens, discard, discard_all, _ = self.buttons.values()
        resume.setText(tr("Opening…") if is_reading else tr("Resume"))
        for button in (resume, opens):
            button.setEnabled(run is not None and not run.error and not is_reading)
        discard.setEnabled(run is not None and not is_reading)
        discard_all.setEnabled(not is_reading)
        discard_all.setVisible(len(self.runs) > 1)

    def reject(self) -> None:
        """Close the dialog; a run in preparation is not affected."""
        if self._claim is not None and self._is_making:
            self._background.cancel()
            self.end()
            self._show_chosen()
        super().reject()

    def _make_buttons(self) -> None:
        later = tr("Keep the runs and ask again at the next start")
        self.buttons: dict[str, QPushButton] = {}
        for name, title, tip, done in (
            ("resume", tr("Resume"), "", partial(self._take_chosen, resumes=True)),
            ("open", tr("Open"), "", partial(self._take_chosen, resumes=False)),
            ("discard", tr("Discard"), "", self.discard),
            ("discard_all", tr("Discard all"), "", self.discard_all),
            ("later", tr("Not now"), later, self.reject),
        ):
            self.buttons[name] = button = push_button(title, f"interrupted_{name}", tip, self, done)
            button.setAutoDefault(name == "resume")
        set_role(self.buttons["resume"], "primary")
        self.buttons["resume"].setDefault(True)
        self.table.doubleClicked.connect(self.buttons["resume"].click)

    def _lay_out(self) -> None:
        shown = column_of((self._picture, 1), self._about)
        middle = row_of((self.table, 1), shown, spacing=16)
        resume, opens, *discard, later = self.buttons.values()
        buttons = row_of(*discard, STRETCH, later, opens, resume)
        column_layout(self, 16, 12, self._introduction, (middle, 1), self.said, buttons)


def _discarded(runs: Sequence[InterruptedRun]) -> Iterator[object]:
    """Delete runs; yields an error or '', and then the remaining runs."""
    said = ""
    for run in runs:
        try:
            run.discard()
        except RunError as error:
            said = str(error)
    yield said
    yield list_interrupted()


def _read(claim: Claim) -> Iterator[object]:
    checkpoint = yield from with_prerequisites(claim.read)
    yield checkpoint


def _description(run: InterruptedRun) -> str:
    """Return the text below a run's board: the instance, and the best or why there is none."""
    best, size, found = run.saved_best, "", tr("No best yet")
    # For a large board, the size says more than the numbers of its first tiles.
    title = shown_title(run.title) if len(run.title) <= _MAX_TITLE else ""
    if best is not None:
        size = f"{best.rows}×{best.cols}"
        found = tr("Best: {value}", value=run.value_text)
    return "\n".join(filter(None, (", ".join(filter(None, (title, size))), run.error or found)))


def _when(moment: float) -> str:
    written = datetime.fromtimestamp(moment)
    is_today = written.date() == datetime.now().date()
    if is_today:
        return tr("today {time}", time=f"{written:%H:%M}")
    return moment_text(written)
