"""The runs that a program was ended with: to look at, to go on with, or to discard."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QWidget,
)

from tilelab.core.errors import RunError
from tilelab.core.wording import counted
from tilelab.gui.history.board import BoardPicture, scene_of
from tilelab.gui.shell.recovery_table import RecoveryTable, about
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import keep_on_screen
from tilelab.runs.checkpoints.interrupted import Claim, InterruptedRun, interrupted
from tilelab.runs.making import Making, made_first
from tilelab.runs.session import Checkpoint

_PICTURE = 220
"""Pixels of the board at the right, and of what stands below it."""


class RecoveryDialog(QDialog):
    """Lists the run that was written last at the top; the best of one is shown at the right."""

    run_taken = Signal(object, object, bool)
    """Checkpoint and Claim of a run that shall be opened, and whether it shall go on at once.

    Whoever takes it lets go of the claim.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("interrupted_runs")
        self.setWindowTitle("Interrupted runs")
        self._runs: Sequence[InterruptedRun] = ()
        self._shows_when_found = False
        self._claim: Claim | None = None
        self._is_making = False
        self._goes_on = False
        self._background = Background("interrupted runs", self)
        self._background.reported.connect(self._reported)
        self._background.failed.connect(self._failed)
        self._introduction = QLabel(self)
        self._introduction.setWordWrap(True)
        self._table = RecoveryTable(self)
        self._picture = BoardPicture(self)
        self._about = QLabel(self)
        self._said = QLabel(self)
        self._buttons = {
            name: QPushButton(title, self)
            for name, title in (
                ("resume", "Resume"),
                ("open", "Open"),
                ("discard", "Discard"),
                ("discard_all", "Discard all"),
                ("later", "Not now"),
            )
        }
        self._set_up()
        self._lay_out()
        self._show()

    @property
    def runs(self) -> Sequence[InterruptedRun]:
        """The runs that are listed."""
        return self._runs

    def button(self, name: str) -> QPushButton:
        """Return a button: resume, open, discard, discard_all or later."""
        return self._buttons[name]

    def text(self, row: int, heading: str) -> str:
        """Return what a cell of the table says."""
        return self._table.text(row, heading)

    @property
    def said(self) -> str:
        """What went wrong, or ''."""
        return self._said.text()

    def offer(self) -> None:
        """Look for interrupted runs, and show the dialog only when there are some."""
        self._look(shows=False)

    @Slot()
    def bring(self) -> None:
        """Show the dialog, in front of the window, with what there is now."""
        self._look(shows=True)

    def choose(self, row: int) -> None:
        """Choose a run."""
        self._table.selectRow(row)

    @Slot()
    def resume(self) -> None:
        """Take the chosen run, and let it go on."""
        run = self._chosen()
        if run is not None:
            self.take(run, goes_on=True)

    @Slot()
    def open_run(self) -> None:
        """Take the chosen run, and let it stand as it is."""
        run = self._chosen()
        if run is not None:
            self.take(run, goes_on=False)

    def take(self, run: InterruptedRun, *, goes_on: bool) -> None:
        """Take a run for this program; it is read in the background and then handed out."""
        if self._claim is not None:
            return
        self._said.clear()
        try:
            claim = run.take()
        except RunError as error:
            self._said.setText(str(error))
            return
        if claim is None:
            self._look(shows=True)
            self._said.setText("Another program has taken that run, or discarded it.")
            return
        self._claim, self._goes_on, self._is_making = claim, goes_on, False
        self._background.start(_read(claim))
        self._show_buttons()

    @Slot()
    def discard(self) -> None:
        """Delete the chosen run for good, after asking."""
        run = self._chosen()
        if run is not None and self._confirms(
            f"Discard the run of {run.solver_title or run.name}?"
        ):
            self._discard([run])

    @Slot()
    def discard_all(self) -> None:
        """Delete all that are listed for good, after asking."""
        if self._confirms(f"Discard {counted(len(self._runs), 'run')}?"):
            self._discard(self._runs)

    def end(self) -> None:
        """End the thread, and let go of a run that nobody has taken over."""
        self._background.close()
        self._let_go()

    def refuse(self, claim: Claim, text: str) -> None:
        """The run that was handed out could not be opened: it is offered again."""
        claim.release()
        self._look(shows=True)
        self._said.setText(text)

    def _look(self, *, shows: bool) -> None:
        self._shows_when_found |= shows
        if self._claim is None:
            self._background.start(_listed())

    def _discard(self, runs: Sequence[InterruptedRun]) -> None:
        self._shows_when_found = True
        self._background.start(_discarded(runs))

    def _confirms(self, question: str) -> bool:
        kinds = QMessageBox.StandardButton
        box = QMessageBox(self)
        box.setWindowTitle("TileLab")
        box.setText(question)
        box.setInformativeText("It cannot be got back.")
        box.setStandardButtons(kinds.Discard | kinds.Cancel)
        box.setDefaultButton(kinds.Cancel)
        chosen = kinds(box.exec())
        box.deleteLater()
        return chosen == kinds.Discard

    @Slot(object)
    def _reported(self, reported: object) -> None:
        if isinstance(reported, Checkpoint):
            claim, self._claim = self._claim, None
            assert claim is not None
            self.accept()
            self.run_taken.emit(reported, claim, self._goes_on)
            return
        if isinstance(reported, str):
            self._said.setText(reported)
            return
        if isinstance(reported, Making):
            self._is_making = True
            self._about.setText(f"The run waits: {reported}. Closing this window stops that.")
            return
        assert isinstance(reported, list)
        self._runs = reported
        self._show()
        if reported or self._shows_when_found:
            self._shows_when_found = False
            self.show()
            self.raise_()
            self.activateWindow()

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._let_go()
        if not self._runs:
            self._introduction.setText("The runs that may be kept cannot be listed.")
            self.show()
        self._said.setText(text)
        self._show_buttons()

    def _let_go(self) -> None:
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    def _chosen(self) -> InterruptedRun | None:
        row = self._table.currentRow()
        return self._runs[row] if 0 <= row < len(self._runs) else None

    def _show(self) -> None:
        n_runs = len(self._runs)
        self._introduction.setText(
            f"{counted(n_runs, 'run')} can go on from where the program was ended."
            if n_runs
            else "There is no interrupted run."
        )
        self._table.show_runs(self._runs)
        self._show_chosen()

    @Slot()
    def _show_chosen(self) -> None:
        run = self._chosen()
        best = None if run is None else run.saved_best
        self._picture.show_scene(None if best is None else scene_of(best.record()))
        self._about.setText("" if run is None else about(run))
        self._show_buttons()

    def _show_buttons(self) -> None:
        run, is_reading = self._chosen(), self._claim is not None
        self._buttons["resume"].setText("Opening…" if is_reading else "Resume")
        self._buttons["resume"].setEnabled(run is not None and not run.error and not is_reading)
        self._buttons["open"].setEnabled(self._buttons["resume"].isEnabled())
        self._buttons["discard"].setEnabled(run is not None and not is_reading)
        self._buttons["discard_all"].setEnabled(len(self._runs) > 1 and not is_reading)
        self._buttons["discard_all"].setVisible(len(self._runs) > 1)

    def reject(self) -> None:
        """Close; a run for which something is being made stays as it is."""
        if self._claim is not None and self._is_making:
            self._background.cancel()
            self._let_go()
            self._show_chosen()
        super().reject()

    def _set_up(self) -> None:
        self._table.itemSelectionChanged.connect(self._show_chosen)
        self._table.itemDoubleClicked.connect(self.resume)
        self._picture.setMinimumSize(_PICTURE, _PICTURE)
        self._picture.setAccessibleName("The best board of the chosen run")
        self._about.setWordWrap(True)
        self._about.setFixedWidth(_PICTURE)
        self._said.setWordWrap(True)
        set_role(self._said, "error")
        set_role(self._buttons["resume"], "primary")
        for name, done in (
            ("resume", self.resume),
            ("open", self.open_run),
            ("discard", self.discard),
            ("discard_all", self.discard_all),
            ("later", self.reject),
        ):
            button = self._buttons[name]
            button.setObjectName(f"interrupted_{name}")
            button.setAutoDefault(name == "resume")
            button.clicked.connect(done)
        self._buttons["resume"].setDefault(True)
        self._buttons["later"].setToolTip("The runs stay where they are, and are offered again")

    def _lay_out(self) -> None:
        shown = column_layout(spacing=8)
        shown.addWidget(self._picture, 1)
        shown.addWidget(self._about)
        middle = row_layout(spacing=16)
        middle.addWidget(self._table, 1)
        middle.addLayout(shown)
        buttons = row_layout(spacing=8)
        buttons.addWidget(self._buttons["discard"])
        buttons.addWidget(self._buttons["discard_all"])
        buttons.addStretch(1)
        buttons.addWidget(self._buttons["later"])
        buttons.addWidget(self._buttons["open"])
        buttons.addWidget(self._buttons["resume"])
        whole = column_layout(self, 16, 12)
        whole.addWidget(self._introduction)
        whole.addLayout(middle, 1)
        whole.addWidget(self._said)
        whole.addLayout(buttons)
        self.resize(1016, 400)
        keep_on_screen(self)


def _listed() -> Iterator[object]:
    yield interrupted()


def _discarded(runs: Sequence[InterruptedRun]) -> Iterator[object]:
    """Delete runs; yields what went wrong, or '', and then the runs that are left."""
    said = ""
    for run in runs:
        try:
            run.discard()
        except RunError as error:
            said = str(error)
    yield said
    yield interrupted()


def _read(claim: Claim) -> Iterator[object]:
    checkpoint = yield from made_first(claim.read)
    yield checkpoint
