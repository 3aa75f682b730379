"""The lessons of the window, shown next to the board of the current page."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.gui.learn.lessons.panel import LessonPanel
from tilelab.gui.run.messages import Lender, LoadContext, PuzzleLoaded
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.settings import Settings
from tilelab.lessons.lesson import LessonRun
from tilelab.lessons.lesson_files import read_lessons


class LessonReader(QObject):
    """Shows the panel in place of the result of the current page."""

    closing = Signal()  # emitted before the panel is taken away from the board
    comparison_requested = Signal(str, str)
    """Emitted with the solver to show next to the window's run, and the lesson's words about it."""

    def __init__(
        self,
        show_page: Callable[[str], PuzzlePage],
        settings: Settings,
        parent: QObject,
    ) -> None:
        """show_page: shows the page of a puzzle, by its key, and returns the page that is shown.

        That is another page if the page of the puzzle fails.
        """
        super().__init__(parent)
        self._show_page = show_page
        self._page: PuzzlePage | None = None
        """Page next to whose board the lessons are shown; None while they are closed."""
        self.panel = LessonPanel(read_lessons(), settings)
        self.panel.run_requested.connect(self._ask_for_run)
        self.panel.closed.connect(self.close)
        self._source: PuzzleLoaded | None = None  # puzzle of the run that was set up last
        self._solver = ""  # key of its solver
        self._lent: set[PuzzlePage] = set()  # pages with a run of an open lesson

    @property
    def is_open(self) -> bool:
        return self._page is not None

    def open(self, page: PuzzlePage, file: Path | None = None) -> None:
        """Show the lessons next to a page's board, and give the keyboard to them.

        file: a lesson from another file; None for the lesson that was read last.
        """
        if file is not None:
            self.panel.add(file)
        if self._page is None:
            self._show_at(page)
        else:
            self._page.reveal_text()
        self.panel.take_focus()

    def take_over(self, page: PuzzlePage, before: "LessonReader") -> None:
        """Show the lesson of another reader, with the choices of its questions."""
        lesson, file = before.panel.lesson, None
        if lesson is not None and lesson.is_own:
            file = lesson.source
        self.open(page, file)
        self.panel.take_over(before.panel)

    @Slot(object)
    def follow(self, page: PuzzlePage) -> None:
        """Move the lessons to another page, if they are open."""
        if self._page is None or self._page is page:
            return
        self._page.show_result()
        self._page.run.status_changed.disconnect(self._follow_status)
        self._page.solver_set.disconnect(self._follow_status)
        self._show_at(page)

    def _show_at(self, page: PuzzlePage) -> None:
        self._page = page
        page.show_at_side(self.panel, tr("Lesson"))
        page.presented_text = self.panel
        page.run.status_changed.connect(self._follow_status)
        page.solver_set.connect(self._follow_status)
        self._follow_status()

    @Slot()
    def _follow_status(self) -> None:
        """Show the state of a run that is set up, while its puzzle and solver are shown."""
        page = self._page
        if page is None:
            return
        solver = page.choices.solver_key
        if page.run.started is not None:
            solver = page.run.started.solver.key
        is_here = page.source is self._source and solver == self._solver
        self.panel.show_state(page.run.status.state if is_here else None)

    @Slot(object)
    def _ask_for_run(self, run: LessonRun) -> None:
        focused = self.panel.window().focusWidget()
        self._set_up(run)
        # A new page takes the keyboard when it is shown, but the user is still reading.
        if focused is not None and self.panel.isAncestorOf(focused):
            focused.setFocus()

    def _set_up(self, run: LessonRun) -> None:
        """Load the board, then choose solver, parameters, seed, limits, view and speed.

        Asks before another run is discarded; the page shows errors.
        """
        block = run.block
        page = self._show_page(block.puzzle)
        if page.puzzle_key != block.puzzle:
            return  # its page failed, which is already reported

        def then(puzzle: Puzzle) -> None:
            params, limits = block.solver_params(), block.limits()
            page.choose_solver(block.solver_key)
            for part in (puzzle.params, params, limits):
                page.panel.set_values(part.model_dump())
            page.panel.seed_field.set_seed(block.seed)
            page.lend_look(block.view_kind, block.speed, with_pseudocode=block.pseudocode)
            page.view_stack.ask_for_lesson(asks=block.asks)
            self._note_set_up(run, page.source)
            if block.begins:
                recipe = block.recipe(puzzle)
                page.control.begin(lambda: recipe)

        self._lent.add(page)
        context = LoadContext(run_name=block.title, lender=Lender.LESSON, then=then)
        page.face.load.choose(page.control.ask_puzzle, run, context)

    def _note_set_up(self, run: LessonRun, source: PuzzleLoaded) -> None:
        self._source, self._solver = source, run.block.solver_key
        self.panel.set_up(run)
        self._follow_status()
        if run.block.compare is not None:
            lesson = self.panel.lesson
            words = "" if lesson is None else lesson.words_after(run)
            self.comparison_requested.emit(run.block.compare, words)

    @Slot()
    def close(self) -> None:
        """Show the result in its place again."""
        page, self._page = self._page, None
        if page is not None:
            self.closing.emit()
            page.run.status_changed.disconnect(self._follow_status)
            page.solver_set.disconnect(self._follow_status)
            for each in {page, *self._lent}:
                each.in_lesson = False
            self._lent.clear()
            page.show_result()
            page.face.take_focus()
