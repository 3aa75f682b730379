"""Repeat a run of an experiment in the main window."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, tr
from tilelab.experiments.job_run import Row
from tilelab.experiments.jobs import Job, puzzle_of
from tilelab.gui.run.messages import LoadContext
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe


@dataclass(frozen=True, eq=False)
class JobRequest:
    """Request for the instance of a run."""

    job: Job

    def build(self) -> Puzzle:
        """Read what must be read and make the puzzle; raises TileLabError."""
        return puzzle_of(self.job)


class JobOpener(QObject):
    """Opens runs of experiments on the pages of their puzzles."""

    taken = Signal()  # emitted when the main window has taken over
    refused = Signal(str)  # emitted with the reason when a request is refused
    locked = Signal(object)
    """Emitted when the page cannot load now, with a function that returns the current reason or ''.
    """

    def __init__(self, show_page: Callable[[str], PuzzlePage], parent: QObject) -> None:
        """show_page: shows the page of a puzzle, by its key, and returns the page that is shown."""
        super().__init__(parent)
        self._show_page = show_page

    @Slot(object, object)
    def run(self, job: Job, row: Row) -> None:
        """Start an identical run that ends with the same unit."""
        try:
            params = catalog.solver_params(job["puzzle"], job["solver"], job["params"])
        except TileLabError as error:
            self.refused.emit(str(error))
            return
        # A limit in units ends it there again, even if time or evaluations ended it before.
        is_cut = row["limit_reached"] in Limits.model_fields
        limits = Limits(units=(row["units"] or None) if is_cut else job["limits"]["units"])
        page = self._show_page(job["puzzle"])
        if page.puzzle_key != job["puzzle"]:
            self.refused.emit(tr("The page of this puzzle cannot be shown."))
            return
        if page.control.load_refusal:
            self.locked.emit(lambda: page.control.load_refusal)
            return

        def then(puzzle: Puzzle) -> None:
            page.panel.set_values(puzzle.params.model_dump())
            page.choose_solver(job["solver"])
            page.panel.set_values({**params.model_dump(), **limits.model_dump()})
            page.panel.seed_field.set_seed(job["seed"])
            recipe = Recipe(puzzle, job["solver"], params, job["seed"], limits)
            page.control.begin(lambda: recipe)
            page.notice.show_note(
                tr(
                    "Run {number} of the experiment again: with the seed {seed} "
                    "it is the same run. Ctrl+L shows the experiment.",
                    number=figures(job["place"] + 1, ","),
                    seed=job["seed"],
                )
            )

        name = tr("Board of run {number} of an experiment", number=job["place"] + 1)
        if page.control.ask_puzzle(JobRequest(job), LoadContext(run_name=name, then=then)):
            self.taken.emit()
