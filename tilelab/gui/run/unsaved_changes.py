"""What of a page's run is in no file of the person's, and the question before it is given up."""

from typing import TYPE_CHECKING

from tilelab.gui.run.save_best import Answer, ask_before_losing
from tilelab.runs.history.record import value_text
from tilelab.runs.session import State

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage

WORTH_ASKING_SECONDS = 60.0
"""What took longer than this is not thrown away without asking."""


class Unsaved:
    """Tells what a page would lose."""

    def __init__(self, page: "PuzzlePage") -> None:
        self._page = page
        self.was_interrupted = False
        """Whether the run was taken up again: somebody wants it, however short it is."""

    @property
    def has_best(self) -> bool:
        """Whether the best took long and is in no file."""
        page, best = self._page, self._page.look_back.present
        unsaved = best is not None and best is not page.best_files.saved
        if page.run_begun is not None and page.bests.newest is not None:
            unsaved &= not page.run_files.has(page.run_begun.key, page.bests.newest.best)
        return unsaved and self._is_long

    @property
    def has_run(self) -> bool:
        """Whether a run is going, or would go on from where no file has it, or has such a best."""
        page, state = self._page, self._page.standing.state
        if state is State.RUNNING:
            return True
        if state is State.PAUSED and page.run_begun is not None and self._is_long:
            return not page.run_files.is_up_to_date(page.run_begun.key, page.standing.units)
        return state is State.FINISHED and self.has_best

    @property
    def words(self) -> str:
        """The run in a line, for who decides what shall become of it."""
        page = self._page
        if page.run_begun is None:
            return page.title
        solver, newest = page.run_begun.solver, page.look_back.present
        best = "" if newest is None else f", {page.status.best_words(newest)}"
        return f"{page.title}: {solver.title}, {solver.unit} {page.standing.units:,}{best}"

    def may_lose(self, what: str) -> bool:
        """Ask before a best, or a run that would go on, is given up that took long.

        what: the half sentence that says why it would be lost.
        """
        page = self._page
        if self.has_best:
            page.look_back.end()
            assert page.best is not None
            assert page.run_begun is not None
            lost = f"its best ({value_text(page.run_begun.puzzle, page.best)}) is not saved"
            answer = ask_before_losing(page, what, lost)
            if answer is Answer.SAVE:
                page.best_files.ask()
                return page.best is page.best_files.saved
            return answer is Answer.GIVE_UP
        if page.standing.state is State.PAUSED and self.has_run:
            answer = ask_before_losing(page, what, "it is in no file as it stands")
            if answer is Answer.SAVE:
                # Written beside the window; what was asked for can be asked for again after that.
                page.run_files.ask()
            return answer is Answer.GIVE_UP
        return True

    @property
    def _is_long(self) -> bool:
        seconds = self._page.standing.seconds
        # While nothing can be kept, the history has no record either.
        is_kept = not self._page.saving_notice.text
        return self.was_interrupted or not is_kept or seconds >= WORTH_ASKING_SECONDS
