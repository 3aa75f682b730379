"""Repeat a run of an experiment in the main window."""

from functools import partial

from PySide6.QtCore import Slot

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, tr
from tilelab.experiments.job_run import Row
from tilelab.experiments.jobs import Job, puzzle_of
from tilelab.gui.run.page_opener import PageOpener, begin_recipe
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe


class JobOpener(PageOpener):
    """Opens runs of experiments."""

    @Slot(object, object)
    def run(self, job: Job, row: Row) -> None:
        """Start an identical run that ends with the same unit."""
        try:
            params = catalog.solver_params(job.puzzle, job.solver, job.params)
        except TileLabError as error:
            self.notice.show_error(str(error))
            return
        # A limit in units ends it there again, even if time or evaluations ended it before.
        is_cut = row["limit_reached"] in Limits.model_fields
        limits = Limits(units=(row["units"] or None) if is_cut else job.limits["units"])

        def begin(page: PuzzlePage, puzzle: Puzzle) -> None:
            note = tr(
                "Run {number} of the experiment again: with the seed {seed} "
                "it is the same run. Ctrl+L shows the experiment.",
                number=figures(job.place + 1, ","),
                seed=job.seed,
            )
            begin_recipe(page, Recipe(puzzle, job.solver, params, job.seed, limits), note)

        name = tr("Board of run {number} of an experiment", number=job.place + 1)
        self.load(job.puzzle, partial(puzzle_of, job), name, begin)
