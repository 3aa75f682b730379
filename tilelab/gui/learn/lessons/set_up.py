"""Setting up the run of a lesson on the page of its puzzle."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from tilelab import catalog
from tilelab.core.puzzle import Puzzle
from tilelab.gui.run.messages import ReadyPuzzle, RunRequest, Wish
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.lessons.lesson import LessonRun


class SetUp(QObject):
    """Loads the board, then chooses solver, parameters, seed, limits, view and speed."""

    done = Signal(object)
    """The LessonRun that is set up."""

    def __init__(
        self,
        show_page: Callable[[str], PuzzlePage],
        set_speed: Callable[[float | None], object],
        parent: QObject,
    ) -> None:
        """show_page: shows the page of a puzzle, by its key, and returns the one that is shown.

        That is another one where the page of the puzzle breaks. set_speed: takes the steps that a
        run makes a second; None: as fast as it can.
        """
        super().__init__(parent)
        self._show_page, self._set_speed = show_page, set_speed

    def ask(self, run: LessonRun) -> None:
        """Set a run up; asks before another one is given up, and the page says what is wrong."""
        block = run.block
        page = self._show_page(block.puzzle)
        if page.puzzle_key != block.puzzle:
            return  # its page breaks, and that has been said

        def then(puzzle: Puzzle) -> None:
            params, limits = block.solver_params(), block.limits()
            page.choose_solver(block.solver_key)
            for part in (puzzle.params, params, limits):
                page.panel.set_values(part.model_dump())
            page.panel.seed_field.set_seed(block.seed)
            page.solver_set.emit()
            page.view_stack.choose(block.view_kind)
            self._set_speed(block.speed)
            self.done.emit(run)
            if block.begins:
                ready = ReadyPuzzle(puzzle)
                page.begin(RunRequest(ready, block.solver_key, params, block.seed, limits))

        page.ask_puzzle(run, Wish(run_name=block.title, then=then))


def described(run: LessonRun) -> str:
    """Say in a line what a button sets up."""
    block = run.block
    puzzle = catalog.puzzle(block.puzzle).spec.title
    solver = catalog.solver(block.puzzle, block.solver_key).spec.title
    return f"{puzzle}, {solver}"
