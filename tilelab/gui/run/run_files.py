"""Files of a page's run, its unsaved changes, and the question before they are lost."""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, Signal, Slot

from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem
from tilelab.core.text.wording import without_source
from tilelab.gui.run.load_menu import RECENT
from tilelab.gui.run.messages import RunCopied
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.save_best import BestFiles, ask_before_losing
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.parts import Answer
from tilelab.runs.actions import Action, State
from tilelab.runs.files.store import SUFFIX, write_run
from tilelab.runs.session import Checkpoint

RUN_FILTER = marked("Runs (*.tilelab)")
PICTURE_FILTER = marked("Pictures of runs (*.png *.svg *.pdf)")
_MAX_NAME_LENGTH = 60
_WITHOUT_USER = (
    QEventLoop.ProcessEventsFlag.WaitForMoreEvents
    | QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents
)
"""Events that are handled while a file is written; keys and clicks follow afterwards."""
WORTH_ASKING_SECONDS = 60.0  # running time from which results are not discarded without asking
WORTH_KEEPING_SECONDS = 2.0
"""Seconds for which a paused run was computed or watched, from which it is asked about when the
window closes: nothing brings it back afterwards.
"""


class RunFiles(QObject):
    """Saves the current run: the worker copies it, and a background job writes it.

    The run continues during the write, and is paused only for the copy.
    """

    saved = Signal(object, str)
    """Emitted with the path of a file, and the key of its run, when the run was saved."""
    failed = Signal()  # emitted when the run could not be saved; the notice shows why

    def __init__(
        self, context: RunContext, title: Callable[[], str], is_edited: Callable[[], bool]
    ) -> None:
        """title: title of the puzzle for file names.

        is_edited: returns whether a board changed by hand is shown, which no run begins from.
        """
        super().__init__(context.window)
        self._context, self._run, self._title = context, context.run, title
        self._is_edited = is_edited
        self._settings, self._notice = context.settings, context.notice
        self._target: Path | None = None  # path for the requested copy
        self._wanted = ""  # key of the run to save
        self._request = 0  # number of the request for a copy
        self._key, self._place, self._kept = "", (-1, 0), (-1, 0.0)
        """Key of the run that was saved last, its units and the steps inside the next one, and unit
        and value of its best.
        """
        self.path: Path | None = None  # path that the current run was opened from or saved to
        self._background = TaskRunner(self, self._written, failed=self._failed)
        self._listen()

    @property
    def is_busy(self) -> bool:
        """Whether a run is being saved."""
        return self._target is not None

    def ask(self) -> None:
        """Ask for a file, and save the run there."""
        path = self.ask_for_target()
        if path is not None:
            self.save(path)

    def ask_and_wait(self) -> None:
        """Ask as ``ask``, and return when the run is saved, or could not be."""
        self.ask()
        loop = QEventLoop()
        while self.is_busy:
            loop.processEvents(_WITHOUT_USER)

    def ask_for_target(self) -> Path | None:
        """Ask where to save the run; None if the user cancelled."""
        folder = self._settings.folder if self.path is None else self.path.parent
        return ask_to_save(
            self._context.window, tr("Save the run"), folder / self.file_name(), tr(RUN_FILTER)
        )

    def file_name(self) -> str:
        """Suggest a name, such as ``game-titles-genetic-77.tilelab``."""
        if self.path is not None:
            return self.path.name
        started = self._run.started
        solver = "" if started is None else without_source(tr(started.solver.title))
        words = f"{self._title()} {solver.replace('*', ' star')}".lower()
        stem = "-".join(re.findall(r"\w+", file_stem(words)))[:_MAX_NAME_LENGTH]
        return f"{stem}-{self._run.status.seed}{SUFFIX}"

    def save(self, path: Path) -> None:
        """Save the current state of the run, and show a notice when it is done."""
        started = self._run.started
        assert started is not None
        if self._target is not None:
            text = tr("Still saving the run to {target}.", target=self._target)
            self._notice.show_refusal(lambda: "" if self._target is None else text)
            return
        self._target, self._wanted = path, started.key
        self._notice.show_note(tr("Saving the run to {path}…", path=path))
        self._request = self._context.client.copy_out()

    def take_over(self, before: "RunFiles") -> None:
        """Take over the saved state of another page's run."""
        self._listen()
        self._key, self._place, self._kept = before._key, before._place, before._kept
        self.path = before.path

    def _listen(self) -> None:
        self._context.client.copied.connect(self._write)
        self._context.client.copy_failed.connect(self._not_copied)

    def begin(
        self,
        key: str,
        path: Path | None = None,
        place: tuple[int, int] = (0, 0),
        best: Best | None = None,
    ) -> None:
        """Follow another run; path, place, best: those of the file that it comes from, if any.

        place: units of the run, and steps inside the next one.
        """
        self.path = path
        if path is not None:
            self._note(key, place, best)

    def has(self, key: str, newest: Best | None) -> bool:
        """Return whether the newest best of a run is in a file of the run."""
        if key != self._key or newest is None:
            return False
        unit, value = self._kept
        return newest.unit < unit or (newest.unit, newest.value) == (unit, value)

    def has_some(self, key: str) -> bool:
        """Return whether any state of a run is in a file."""
        return key == self._key

    def is_up_to_date(self, key: str, units: int, steps: int) -> bool:
        """Return whether the state of a run at this many units and steps is in a file."""
        return (key, units, steps) == (self._key, *self._place)

    def _note(self, key: str, place: tuple[int, int], best: Best | None) -> None:
        self._key, self._place = key, place
        self._kept = (-1, 0.0) if best is None else (best.unit, best.value)

    @Slot(object)
    def _write(self, copied: RunCopied) -> None:
        # A copy from before this request is older than the run that is shown.
        is_wanted = copied.checkpoint.key == self._wanted and copied.answers >= self._request
        if self._target is not None and is_wanted and not self._background.is_busy:
            self._background.start(_writing(self._target, copied.checkpoint))

    @Slot(object)
    def _written(self, reported: tuple[Path, Checkpoint]) -> None:
        path, checkpoint = reported
        key = checkpoint.key
        started = self._run.started
        if started is not None and started.key == key:
            self.path = path
        self._note(key, (checkpoint.units, checkpoint.snapshot.steps_done), checkpoint.best)
        self._settings.folder = path.parent
        self._settings.add_recent(path, RECENT)
        self._end()
        said = tr("Saved the run to {path}", path=path)
        if self._is_edited():
            said += ". " + tr("The board changed by hand is not in it; SAVE saves that.")
        self._notice.show_done(said)
        self.saved.emit(path, key)

    @Slot(str)
    def _not_copied(self, text: str) -> None:
        if self._target is not None and not self._background.is_busy:
            self._failed(text)

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._end()
        self._notice.show_error(tr("The run could not be saved: {reason}", reason=text))
        self.failed.emit()

    def _end(self) -> None:
        self._background.cancel()
        self._target = None


def _writing(path: Path, checkpoint: Checkpoint) -> Iterator[object]:
    yield write_run(path, checkpoint).resolve(), checkpoint


class UnsavedChanges:
    """Knows which results are not in a file, and asks before they are lost."""

    def __init__(
        self,
        context: RunContext,
        best_files: BestFiles,
        run_files: RunFiles,
        is_kept: Callable[[], bool],
    ) -> None:
        """is_kept: returns whether the run is kept on disk while it is going."""
        self._run, self._window = context.run, context.window
        self.best_files, self.run_files, self._is_kept = best_files, run_files, is_kept
        self.was_interrupted = False
        """Whether the run was recovered, so that the user wants it however short it is."""

    @property
    def has_best(self) -> bool:
        """Whether the best took long and is not in a file."""
        run, best = self._run, self._run.present
        unsaved = best is not None and best is not self.best_files.saved
        if run.started is not None and run.bests.newest is not None:
            unsaved &= not self.run_files.has(run.started.key, run.bests.newest.best)
        return unsaved and self._is_long(WORTH_ASKING_SECONDS)

    @property
    def has_run(self) -> bool:
        """Whether closing loses a run that is going or can continue, or an unsaved best."""
        state = self._run.status.state
        return (
            state is State.RUNNING
            or self._is_unsaved(WORTH_KEEPING_SECONDS, self._worth_seconds)
            or (state is State.FINISHED and self.has_best)
        )

    @property
    def _worth_seconds(self) -> float:
        """Seconds that the run was watched; one that continues a file is always worth keeping.

        A user who has saved it wants it, however little has come since.
        """
        run = self._run
        from_file = run.started is not None and self.run_files.has_some(run.started.key)
        return math.inf if from_file else run.watched_seconds

    def _is_unsaved(self, min_seconds: float, worth_seconds: float = 0.0) -> bool:
        """Return whether a paused run took long, and its newest state is not in a file.

        worth_seconds: a time that counts, too.
        """
        run = self._run
        if run.status.state is not State.PAUSED or run.started is None:
            return False
        now = run.status
        is_saved = self.run_files.is_up_to_date(run.started.key, now.units, now.steps)
        is_long = self._is_long(min_seconds) or worth_seconds >= min_seconds
        return is_long and not is_saved

    def may_lose(self, what: str) -> bool:
        """Ask before discarding a best or a run that took long; saves it if the user wants that.

        what: the reason as a clause, such as 'Loading ends the run'.
        """
        if not (lost := self._lost()):
            return True
        answer = ask_before_losing(self._window, what, lost)
        if answer != Answer.Save:
            return answer == Answer.Discard
        if Action.SAVE_RUN in self._run.status.allowed:
            self.run_files.ask_and_wait()  # the file has the best, too
        else:
            if self._run.is_back:  # otherwise a board edited by hand would be set aside
                self._run.look_at_present()
            self.best_files.ask_for_best()
        return not self._lost()

    def _lost(self) -> str:
        """Return what would be lost and is worth a question, as a clause, or ''."""
        run = self._run
        if self.has_best:
            assert run.present is not None
            assert run.started is not None
            value = run.started.puzzle.worth(run.present)
            if self._is_kept():
                return tr("only the history keeps it with its best ({value})", value=value)
            return tr("its best ({value}) is not saved", value=value)
        if not self._is_unsaved(WORTH_ASKING_SECONDS):
            return ""
        if run.present is not None and run.present is self.best_files.saved:
            return tr("only its board is saved, so that it cannot be resumed")
        return tr("its newest state is not saved")

    def _is_long(self, min_seconds: float) -> bool:
        seconds = self._run.status.seconds
        # If nothing can be kept, the history has no record either.
        return self.was_interrupted or not self._is_kept() or seconds >= min_seconds
