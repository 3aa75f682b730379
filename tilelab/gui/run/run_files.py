"""The files of a page's run, what of it is in none, and the question before that is given up."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem
from tilelab.gui.run.messages import RunCopied
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.save_best import Answer, BestFiles, ask_before_losing
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.runs.actions import State
from tilelab.runs.files.carried import SUFFIXES
from tilelab.runs.files.store import SUFFIX, write_run
from tilelab.runs.session import Checkpoint

RECENT = "runs"
"""The kind under which the settings keep the recent run files."""
RUN_PATTERNS = " ".join(f"*{suffix}" for suffix in (SUFFIX, *SUFFIXES))
"""Files that hold a run, or carry one."""
RUN_FILTER = marked("Runs (*.tilelab)")
PICTURE_FILTER = marked("Pictures of runs (*.png *.svg *.pdf)")
_MAX_NAME_LENGTH = 60
WORTH_ASKING_SECONDS = 60.0
"""What took longer than this is not thrown away without asking."""


def is_run_file(path: Path) -> bool:
    """Say by its name whether a file holds a run, or may carry one."""
    return path.suffix.lower() in (SUFFIX, *SUFFIXES)


def is_picture(path: Path) -> bool:
    """Say by its name whether a file is a picture, which may carry a run."""
    return path.suffix.lower() in SUFFIXES


class RunFiles(QObject):
    """Saves the run that is there: copied out by the worker, written beside it.

    The run goes on while it is written; it holds still only for the copy.
    """

    saved = Signal(object)
    """The run is in a file; its path."""
    failed = Signal()
    """It is not, and the notice says why."""

    def __init__(self, context: RunContext, title: Callable[[], str]) -> None:
        """title: what the puzzle is called, for the names of files."""
        super().__init__(context.window)
        self._context, self._run, self._title = context, context.run, title
        self._settings, self._notice = context.settings, context.notice
        self._target: Path | None = None
        """Where the copy that was asked for shall go."""
        self._wanted = ""
        """The run that shall go there."""
        self._request = 0
        """The number of the copy that was asked for."""
        self._key, self._units, self._kept = "", -1, (-1, 0.0)
        """The run that was saved last, its units, and unit and value of its best."""
        self.path: Path | None = None
        """Where the run that is there was opened from, or saved to."""
        self._background = TaskRunner(self)
        self._background.reported.connect(self._written)
        self._background.failed.connect(self._failed)
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

    def ask_for_target(self) -> Path | None:
        """Ask where the run shall be saved; None when that was called off."""
        folder = self._settings.folder if self.path is None else self.path.parent
        return ask_to_save(
            self._context.window, tr("Save the run"), folder / self.file_name(), tr(RUN_FILTER)
        )

    def file_name(self) -> str:
        """Suggest a name, such as ``game-titles-genetic-77.tilelab``."""
        if self.path is not None:
            return self.path.name
        begun = self._run.begun
        words = f"{self._title()} {begun.solver.key if begun else ''}".lower()
        stem = "-".join(re.findall(r"\w+", file_stem(words)))[:_MAX_NAME_LENGTH]
        return f"{stem}-{self._run.status.seed}{SUFFIX}"

    def save(self, path: Path) -> None:
        """Save the run as it stands; says so in the notice when it is done."""
        begun = self._run.begun
        assert begun is not None
        if self._target is not None:
            self._notice.show_error(tr("Still saving the run to {target}.", target=self._target))
            return
        self._target, self._wanted = path, begun.key
        self._notice.show_note(tr("Saving the run to {path}…", path=path))
        self._request = self._context.client.copy_out()

    def take_over(self, before: "RunFiles") -> None:
        """Know what is in the files of another page's run."""
        self._listen()
        self._key, self._units, self._kept = before._key, before._units, before._kept
        self.path = before.path

    def _listen(self) -> None:
        self._context.client.copied.connect(self._write)
        self._context.client.copy_failed.connect(self._not_copied)

    def begin(
        self, key: str, path: Path | None = None, units: int = 0, best: Best | None = None
    ) -> None:
        """Follow another run; path, units, best: the file that it was opened from, if from any."""
        self.path = path
        if path is not None:
            self._note(key, units, best)

    def has(self, key: str, newest: Best | None) -> bool:
        """Return whether the newest best of a run is in a file of the run."""
        if key != self._key or newest is None:
            return False
        unit, value = self._kept
        return newest.unit < unit or (newest.unit, newest.value) == (unit, value)

    def is_up_to_date(self, key: str, units: int) -> bool:
        """Return whether a run of so many units is in a file as it stands."""
        return (key, units) == (self._key, self._units)

    def _note(self, key: str, units: int, best: Best | None) -> None:
        self._key, self._units = key, units
        self._kept = (-1, 0.0) if best is None else (best.unit, best.value)

    @Slot(object)
    def _write(self, copied: RunCopied) -> None:
        # Others ask for copies, too; one from before this request is older than what is shown.
        is_wanted = copied.checkpoint.key == self._wanted and copied.answers >= self._request
        if self._target is not None and is_wanted and not self._background.is_busy:
            self._background.start(_writing(self._target, copied.checkpoint))

    @Slot(object)
    def _written(self, reported: tuple[Path, Checkpoint]) -> None:
        path, checkpoint = reported
        key = checkpoint.key
        begun = self._run.begun
        if begun is not None and begun.key == key:
            self.path = path
        self._note(key, checkpoint.units, checkpoint.best)
        self._settings.folder = path.parent
        self._settings.add_recent(path, RECENT)
        self._end()
        self._notice.show_done(tr("Saved the run to {path}", path=path))
        self.saved.emit(path)

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
    """Says what would be lost."""

    def __init__(
        self,
        context: RunContext,
        best_files: BestFiles,
        run_files: RunFiles,
        is_kept: Callable[[], bool],
    ) -> None:
        """is_kept: says whether the run is kept on disk while it goes on."""
        self._run, self._window = context.run, context.window
        self.best_files, self.run_files, self._is_kept = best_files, run_files, is_kept
        self.was_interrupted = False
        """Whether the run was taken up again: somebody wants it, however short it is."""

    @property
    def has_best(self) -> bool:
        """Whether the best took long and is in no file."""
        run, best = self._run, self._run.present
        unsaved = best is not None and best is not self.best_files.saved
        if run.begun is not None and run.bests.newest is not None:
            unsaved &= not self.run_files.has(run.begun.key, run.bests.newest.best)
        return unsaved and self._is_long

    @property
    def has_run(self) -> bool:
        """Whether a run is going, or would go on from where no file has it, or has such a best."""
        run, state = self._run, self._run.status.state
        if state is State.RUNNING:
            return True
        if state is State.PAUSED and run.begun is not None and self._is_long:
            return not self.run_files.is_up_to_date(run.begun.key, run.status.units)
        return state is State.FINISHED and self.has_best

    def may_lose(self, what: str) -> bool:
        """Ask before a best, or a run that would go on, is given up that took long.

        what: the half sentence that says why it would be lost.
        """
        run, window = self._run, self._window
        if self.has_best:
            run.look_at_present()
            assert run.best is not None
            assert run.begun is not None
            lost = tr("its best ({worth}) is not saved", worth=run.begun.puzzle.worth(run.best))
            answer = ask_before_losing(window, what, lost)
            if answer is Answer.SAVE:
                self.best_files.ask()
                return run.best is self.best_files.saved
            return answer is Answer.GIVE_UP
        if run.status.state is State.PAUSED and self.has_run:
            answer = ask_before_losing(window, what, tr("it has changed since it was saved"))
            if answer is Answer.SAVE:
                # Written beside the window; what was asked for can be asked for again after that.
                self.run_files.ask()
            return answer is Answer.GIVE_UP
        return True

    @property
    def _is_long(self) -> bool:
        seconds = self._run.status.seconds
        # While nothing can be kept, the history has no record either.
        return self.was_interrupted or not self._is_kept() or seconds >= WORTH_ASKING_SECONDS
