"""What a page shows of its run's work: the solver's views, their pictures and films, steps back."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from tilelab.core.solver import SolverSpec
from tilelab.core.views import ViewKind
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.run.step_back import StepBack
from tilelab.gui.run.timeline import Timeline
from tilelab.gui.views.view_stack import ViewStack

if TYPE_CHECKING:
    from tilelab.gui.run.run_film_dialog import RunFilms

CAPTIONS = "run/captions"


class Watching(QObject):
    """Joins the run and the tabs over its board."""

    def __init__(self, context: RunContext, timeline: Timeline, stack: ViewStack) -> None:
        super().__init__(context.window)
        self._context, self._run, self._stack = context, context.run, stack
        run, settings, notice = context.run, context.settings, context.notice
        self.stepping_back = StepBack(run, timeline, self._watched, self)
        self.stepping_back.refused.connect(notice.show_note)
        stack.watched.connect(self._watch)
        stack.watched.connect(self.stepping_back.refresh)
        stack.set_captions(settings.flag(CAPTIONS))
        stack.captions_turned.connect(self._keep_captions)
        run.views_changed.connect(self._show)

    @property
    def steps_shown(self) -> int:
        """Steps that are done of a unit at the moment that is looked at; 0 between two units."""
        place = self.stepping_back.place
        return 0 if place is None else place.steps

    def offer(self, chosen: SolverSpec) -> None:
        """Offer what the run's solver has to show, or without a run the one that is chosen."""
        begun = self._run.begun
        self._stack.offer((chosen if begun is None else begun.solver).views)

    def save_view(self) -> None:
        """Ask for a file, and write the view that is shown into it."""
        from tilelab.gui.run.save_view import save_view

        begun, context = self._run.begun, self._context
        if begun is not None:
            save_view(self._stack, begun.solver, context.settings, context.notice, context.window)

    def ask_for_film(self, saved_kind: type[SavedBest]) -> None:
        """Ask for a film of the run; saved_kind: how a best board of the puzzle is drawn."""
        self.films.ask(saved_kind, self._stack.shown)

    @cached_property
    def films(self) -> "RunFilms":
        """Makes films of the run."""
        # Only now: this loads what writes pictures.
        from tilelab.gui.run.run_film_dialog import RunFilms

        films = RunFilms(self._run, self._context.settings, self._context.window)
        films.flow.done.connect(self._context.notice.show_done)
        films.flow.failed.connect(self._context.notice.show_error)
        return films

    def take_over(self, before: "Watching") -> None:
        """Show the same view and moment as another page."""
        self._stack.take_over(before._stack)
        self.stepping_back.take_over(before.stepping_back)

    @Slot(object)
    def _watch(self, kinds: frozenset[ViewKind]) -> None:
        self._context.client.watch(kinds)

    def _watched(self) -> frozenset[ViewKind]:
        return self._stack.watched_kinds

    @Slot()
    def _show(self) -> None:
        begun = self._run.begun
        puzzle = None if begun is None else begun.puzzle
        seconds = self._stack.show_views(self._run.views, puzzle)
        if seconds and self._run.moment is None:
            self._context.client.views_shown(seconds)

    @Slot(bool)
    def _keep_captions(self, is_on: bool) -> None:
        self._context.settings.set_flag(CAPTIONS, is_on)
