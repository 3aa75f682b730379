"""Does a run of an experiment again in the main window, as it was."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, tr
from tilelab.experiments.cell_run import Row
from tilelab.experiments.jobs import Job, puzzle_of
from tilelab.gui.run.messages import LoadContext
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe


@dataclass(frozen=True, eq=False)
class JobRequest:
    """The instance of a run."""

    job: Job

    def build(self) -> Puzzle:
        """Read what must be read and make the puzzle; raises TileLabError."""
        return puzzle_of(self.job)


class JobOpener(QObject):
    """Brings the runs of experiments into the pages of their puzzles."""

    taken = Signal()
    """The main window has taken over."""
    refused = Signal(str)
    """What was asked for cannot be done; the sentence says why."""
    locked = Signal(object)
    """The page can take nothing now; a function that returns why, or '' as soon as it can."""

    def __init__(self, show_page: Callable[[str], PuzzlePage], parent: QObject) -> None:
        """show_page: shows the page of a puzzle, by its key, and returns the one that is shown."""
        super().__init__(parent)
        self._show_page = show_page

    @Slot(object, object)
    def run(self, job: Job, row: Row) -> None:
        """Begin a run that is the same, and ends with the same unit."""
        try:
            params = catalog.solver_params(job["puzzle"], job["solver"], job["params"])
        except TileLabError as error:
            self.refused.emit(str(error))
            return
        # By units it ends there again, whatever clock or count has ended it there.
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
                    "it is the same run.",
                    number=figures(job["place"] + 1, ","),
                    seed=job["seed"],
                )
            )

        name = tr("Board of run {number} of an experiment", number=job["place"] + 1)
        if page.control.ask_puzzle(JobRequest(job), LoadContext(run_name=name, then=then)):
            self.taken.emit()
