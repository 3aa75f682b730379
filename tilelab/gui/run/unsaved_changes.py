"""What of a run is in no file of the user's, and the question before it is given up."""

from collections.abc import Callable

from tilelab.core.text.language import tr
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.run_files import RunFiles
from tilelab.gui.run.save_best import Answer, BestFiles, ask_before_losing
from tilelab.runs.actions import State

WORTH_ASKING_SECONDS = 60.0
"""What took longer than this is not thrown away without asking."""


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
            answer = ask_before_losing(window, what, tr("it is in no file as it stands"))
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
