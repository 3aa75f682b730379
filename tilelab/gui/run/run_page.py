"""The page of one kind of puzzle: its board, its panel, its worker and its run.

A page keeps its state while another one is shown. What is the same for all puzzles is here: asking
the worker, and taking in its answers. What a puzzle shows is its sub-class's.
"""

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab import catalog
from tilelab.core.errors import ParameterError
from tilelab.core.parameters import validate
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import Best
from tilelab.core.text.language import language, marked, tr
from tilelab.core.text.shown_text import shortened
from tilelab.gui.run.auto_resume import AutoResume
from tilelab.gui.run.fork import Forking
from tilelab.gui.run.history_recorder import HistoryRecorder
from tilelab.gui.run.messages import (
    Begun,
    Loaded,
    News,
    Opened,
    Pending,
    PuzzleRequest,
    ReadyPuzzle,
    RunRequest,
    RunStatus,
    Wish,
)
from tilelab.gui.run.run_client import RunClient
from tilelab.gui.run.run_files import RunFiles
from tilelab.gui.run.run_view import MAX_TITLE, RunView
from tilelab.gui.run.save_best import BestFiles
from tilelab.gui.run.unsaved_changes import UnsavedChanges
from tilelab.gui.run.watching import Watching
from tilelab.gui.threads.task_runner import close_all
from tilelab.gui.widgets.first_paint import after_first_paint
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.settings import Settings
from tilelab.manual.places import page_of
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.limits import Limits
from tilelab.runs.moments import MOST_STEPS
from tilelab.runs.session import Checkpoint, Session


class PuzzlePage(RunView):
    """One puzzle, one solver, one run at a time; nothing here computes."""

    title_changed = Signal()
    solver_set = Signal()
    """Another solver is shown."""
    opening_called_off = Signal()
    """STOP was pressed while something was made for a run that shall be opened."""

    def __init__(
        self,
        puzzle: Puzzle,
        source_card: QWidget,
        settings: Settings,
        parent: QWidget | None = None,
        solver_key: str = "",
    ) -> None:
        super().__init__(source_card, parent)
        session = Session()
        session.load(puzzle)
        self.settings = settings
        self.puzzle_key: str = puzzle.spec.key
        self.language = language()
        """In which the texts of the page are."""
        set_manual_place(self, page_of(self.puzzle_key))
        self.solver_key = solver_key or catalog.default_solver(self.puzzle_key)
        self.client = RunClient(session, self)
        self._path_asked: Path | None = None
        self._is_taken_up = False
        self._allowed_without_run: frozenset[Action] = frozenset()
        self._own_choices: tuple[str, Values] | None = None
        self._borrowed_choices: tuple[str, Values] = ("", {})
        """Solver and values that were shown before a run was taken over, and those of that run."""
        self._is_choosing = False
        """Whether what is asked for was chosen with LOAD or dropped."""
        self._given_up: tuple[str, Callable[[], object]] | None = None
        """What the puzzle that is being loaded takes the place of, and what brings it back."""
        self._source: tuple[Loaded, object] = Loaded(puzzle, None), None
        """The puzzle that was loaded last, and where it comes from."""
        self.recorder = HistoryRecorder(self.run, self)
        self.best_files = BestFiles(self.run, self.to_save, settings, self.notice, self)
        self.run_files = RunFiles(self.run, self.client, settings, self.notice, self)
        self.run_files.title = lambda: self.title
        self.unsaved = UnsavedChanges(
            self.run, self.best_files, self.run_files, lambda: not self.saving_notice.text, self
        )
        self.auto_resume = AutoResume(self.run, self.notice, partial(self.act, Action.RESUME), self)
        self.forking = Forking(
            self.run, self.timeline, self.panel.limits, lambda: self.watching.steps_shown, self
        )
        self.declare()

    def open(self, loaded: Loaded) -> None:
        """Show the first puzzle and warm its kernels up; called when the page has been laid out."""
        self.chart_choice.offer(self.curve_sets())
        self._connect()
        self.watching = Watching(
            self.run,
            self.timeline,
            self.client,
            self.view_stack,
            self.settings,
            self.notice,
            self,
        )
        self._offer_views()
        self._loaded(loaded)
        self._show_status(RunStatus.of(self.client.worker.session))
        self._await(Pending.KERNELS, self.run.status.allowed)
        after_first_paint(self, self._warm_up)

    def take_over(self, before: "PuzzlePage") -> None:
        """Show what another page of the same puzzle shows, and go on with its run.

        That page can only be looked at from then on; what is reported of the run meanwhile waits
        for this one.
        """
        before.timeline.call_off()
        close_all(before)
        self.client.close()
        self.client = before.client
        self.client.setParent(self)
        self.client.leave()
        self._listen()
        self._clear_run()
        self.take_over_board(before)
        opened = before.run.opened()
        if opened is not None:
            self.choose_solver(opened.begun.solver.key)
            self._show_run(opened)
        self.choose_solver(before.solver_key)
        self.panel.take_over(before.panel)
        self.chart_choice.take_over(before.chart_choice)
        self.notice.clear()
        self._path_asked, self._is_taken_up = before._path_asked, before._is_taken_up
        self._replay, self._allowed_without_run = before._replay, before._allowed_without_run
        self._own_choices, self._borrowed_choices = before._own_choices, before._borrowed_choices
        self._show_status(before.run.reported)
        self.auto_resume.take_over(before.auto_resume)
        self.recorder.take_over(before.recorder)
        self.best_files.saved = before.best_files.saved
        self.run_files.take_over(before.run_files, self.client)
        self.unsaved.was_interrupted = before.unsaved.was_interrupted
        self.saving_notice.take_over(before.saving_notice)
        self.timeline.take_over(before.timeline)
        self.watching.take_over(before.watching, self.client)
        self.take_over_look(before)
        self.show_news(News.of(before.run.reported))
        self.title_changed.emit()

    def take_over_board(self, before: Any) -> None:
        """Show the puzzle that another page of this kind shows; its run, if any, comes next."""
        self._source = before._source
        self.show_loaded(*self._source)

    def take_over_look(self, before: Any) -> None:
        """Show the same moment, place or draft as another page of this kind; the run is shown."""

    @Slot()
    def _warm_up(self) -> None:
        """Have the kernels compiled or loaded, unless something was asked that does it anyway."""
        if not self.client.n_asked:
            self.client.warm_up(self._run_request(0))

    # What the user asks for

    def act(self, action: Action) -> None:
        """Do what is asked for, or say why the present state refuses it; LOAD is the window's."""
        if action is Action.LOAD or self.refuses(action):
            return
        self.notice.clear()
        self.panel.commit()
        {
            Action.GO: self._go,
            Action.STEP: self.step,
            Action.START_AGAIN: self._start_again,
            Action.STOP: self._stop,
            Action.RESUME: self._resume,
            Action.SAVE: self.best_files.ask,
            Action.SAVE_RUN: self.run_files.ask,
        }[action]()

    def choose_solver(self, key: str) -> None:
        """Take another solver for the next run."""
        self.solver_key = key
        self.declare()
        self._offer_views()
        self.solver_set.emit()

    def declare(self) -> None:
        """Make the panel for the puzzle and the solver that are chosen."""
        solver = catalog.solver(self.puzzle_key, self.solver_key).spec
        self.panel.solvers.offer(self.puzzle_key, self.solver_key)
        self.panel.declare(catalog.puzzle(self.puzzle_key).spec.params, solver.params, solver.unit)
        self.panel.name_places(self.puzzle_key, self.solver_key)
        self.panel.seed_field.setVisible(solver.uses_seed)

    def _offer_views(self) -> None:
        self.watching.offer(catalog.solver(self.puzzle_key, self.solver_key).spec)

    def may_load(self, what: str = marked("Loading gives up the run")) -> bool:
        """Return whether another board may take the place of this one; says why not, or asks.

        what: says so in half a sentence.
        """
        return not self.refuses(Action.LOAD) and self.unsaved.may_lose(what)

    def ask_puzzle(self, request: PuzzleRequest, wish: Wish) -> bool:
        """Ask the worker for another puzzle; returns whether it was asked.

        The last wish counts: it takes the place of one that is still being loaded.
        """
        if self.run.status.pending is not Pending.PUZZLE and not self.may_load():
            return False
        self._given_up = self._present() if self._is_choosing else None
        self.notice.clear()
        self.panel.clear_errors()
        self.client.load(request, wish)
        self._await(Pending.PUZZLE, frozenset())
        return True

    def open_run(
        self,
        checkpoint: Checkpoint,
        path: Path | None = None,
        folder: RunFolder | None = None,
        what: str = marked("Opening another run gives up this one"),
    ) -> bool:
        """Ask the worker to take a run over; returns whether it was asked.

        path: the file that it comes from, if it is one of the user's own. folder: where it is
        kept, if it was interrupted. what: says in half a sentence that the run before is given up.
        """
        if not self.may_load(what):
            return False
        self.notice.clear()
        self.panel.clear_errors()
        self._path_asked, self._is_taken_up = path, folder is not None
        self.auto_resume.expect("")
        self.client.open(checkpoint, folder)
        self._await(Pending.OPENING, frozenset())
        return True

    def leave_run(self, what: str) -> bool:
        """Give the run up, if there is one, for a board that the worker does not know yet.

        what: says so in half a sentence. Returns False, and nothing has changed, when it stays.
        """
        if not self.may_load(what):
            return False
        self._return_choices()
        if self.run.begun is not None:
            self._clear_run()
            self.client.drop()
            allowed = ALLOWED[State.READY]
            self._show_status(RunStatus(State.READY, allowed, seed=self.run.status.seed))
            self.title_changed.emit()
        return True

    def start_from(self, best: Best, name: str) -> None:
        """Load the board of a best of the run that is there as the start of another one."""
        assert self.run.begun is not None
        puzzle = self.run.begun.puzzle
        # The end of a path is the goal, from which there is nowhere to go.
        self.ask_puzzle(ReadyPuzzle(puzzle, puzzle.saved_cells(best)), Wish(run_name=name))

    def begin(self, request: RunRequest) -> None:
        """Ask the worker for a run."""
        self._replay = request.replay
        self._await_run(steps=request.stands)
        self.client.go(request)

    def end(self, *, keep: bool = False) -> None:
        """Stop the worker; the page is of no use after that.

        keep: whether its run is offered at the next start.
        """
        # Of a run that the worker has just taken up nobody has been notified, nor been asked about
        # it.
        taken_up = self._is_taken_up and self.run.reported.pending is Pending.OPENING
        self.timeline.call_off()
        close_all(self)
        self.client.close(keep=keep or taken_up)
        self.recorder.end()

    def finish_unit(self) -> None:
        """Make all steps that are left of the unit at hand."""
        if self.why_nothing_to_finish():
            self.notice.show_refusal(self.why_nothing_to_finish)
            return
        self.notice.clear()
        self.panel.commit()
        self.step(MOST_STEPS)

    def why_nothing_to_finish(self) -> str:
        """Say why no unit can be finished now, or ''."""
        if reason := self.why_not(Action.STEP):
            return reason
        has_run = self.run.status.has_run
        return "" if has_run else tr("There is nothing to finish yet; STEP begins a run.")

    def step(self, most: int = 1) -> None:
        """Make so many steps at most, and not beyond the unit at hand; before there is a run,
        begin one for that. A run that is going is paused."""
        if self.watching.stepping_back.forward(most) or self.refuses(Action.STEP):
            return
        if self.run.status.pending is Pending.RUN:
            return  # held down: the run that is being made begins with this step
        if not self.run.status.has_run:
            self._ask_for_run(goes_on=False, stands=True)
        elif self.client.n_asked == self.run.reported.n_answered:
            # Of a key that is held down no more is asked for than is answered.
            self.client.step(most)
            if self.run.status.state is State.RUNNING:
                self._await(Pending.STOPPING, frozenset({Action.STEP}))

    def _go(self) -> None:
        self._ask_for_run(goes_on=False)

    def _start_again(self) -> None:
        if self.unsaved.may_lose(tr("START AGAIN gives up the run")):
            self._ask_for_run(goes_on=True)

    def _ask_for_run(self, *, goes_on: bool, stands: bool = False) -> None:
        """Ask the worker for a run when all that the panel says is right.

        goes_on: whether START AGAIN asks for it, which takes the next seed if that is preferred and
        no other one was typed in.
        stands: whether it shall stand still after its first step.
        """
        self.panel.clear_errors()
        solver = catalog.solver(self.puzzle_key, self.solver_key).spec
        try:
            seed = self.panel.seed_field.seed() if solver.uses_seed else 0
            takes_next = goes_on and self.settings.preferences.next_seed
            if takes_next and solver.uses_seed and not self.panel.seed_field.was_edited:
                seed = (seed + 1) % (MAX_SEED + 1)
            request = self._run_request(seed)
        except ParameterError as error:
            self.show_refusal(str(error), error.name)
            return
        self.begin(dataclasses.replace(request, stands=stands))

    def _run_request(self, seed: int) -> RunRequest:
        """Return the run that the panel shows; a value that is not allowed is a ParameterError."""
        validate(catalog.puzzle(self.puzzle_key).spec.params, self.panel.values("puzzle"))
        values, limits = self.panel.values("solver"), self.panel.limits()
        params = catalog.solver_params(self.puzzle_key, self.solver_key, values)
        return RunRequest(self.puzzle_request(), self.solver_key, params, seed, limits)

    def _resume(self) -> None:
        if self.run.status.pending is Pending.CALLED_OFF:
            self._await_run()
        else:
            self._await(Pending.NOTHING, frozenset({Action.STOP}))
        self.client.resume()

    def _stop(self) -> None:
        if self.run.making and self.run.status.pending is Pending.OPENING:
            self.opening_called_off.emit()
        self.client.stop()
        if self.run.status.pending is Pending.RUN:
            # The compiler cannot be broken off, but whatever is asked for next waits in turn.
            self._await(Pending.CALLED_OFF, self._allowed_without_run)
        else:
            # Answered when the slice is done; a unit of a huge instance may take a while.
            self._await(Pending.STOPPING, frozenset())

    def _await_run(self, *, steps: bool = False) -> None:
        """Show that a run will begin, which STOP calls off; steps: STEP has asked for it."""
        # A run that comes with its board follows it at once; there is nothing else to go back to.
        self._allowed_without_run = self.run.status.allowed or ALLOWED[State.READY]
        allowed = {Action.STOP, Action.STEP} if steps else {Action.STOP}
        self._await(Pending.RUN, frozenset(allowed))

    def _await(self, pending: Pending, allowed: frozenset[Action]) -> None:
        """Show at once what has been asked for, until the worker answers."""
        self._show_status(dataclasses.replace(self.run.reported, pending=pending, allowed=allowed))

    # What the worker says

    @Slot(object)
    def _loaded(self, loaded: Loaded) -> None:
        wish, origin = loaded.wish, loaded.wish.origin
        if wish.run_name is not None:
            origin = self.origin_of_run(loaded.puzzle, wish.run_name)
        self._clear_run()
        self._return_choices()
        if wish.run_name is not None:
            self._own_choices = self._choices()
        self._source = loaded, origin
        self.show_loaded(loaded, origin)
        self.title_changed.emit()
        if wish.then is not None:
            wish.then(loaded.puzzle)
        if self._given_up is not None:
            (given_up, bring_back), self._given_up = self._given_up, None
            said = (self.loaded_words(), given_up, self.notice.text)
            self.notice.show_note(" ".join(filter(None, said)), undo=bring_back)
        self._borrowed_choices = self._choices()

    def _present(self) -> tuple[str, Callable[[], object]]:
        """Say what is given up when another puzzle is loaded; returns what brings it back, too."""
        (loaded, origin), run = self._source, self.client.snapshot()
        if run is not None:
            words = self.words.replace(self.title, shortened(self.title, MAX_TITLE), 1)
            text = tr("Given up: {run}.", run=words)
            return text, partial(self.open_run, run, what=marked("Undo gives up this run"))
        start = None if loaded.start is None else loaded.start.cells
        request = ReadyPuzzle(loaded.puzzle, start)
        text = tr("It takes the place of {title}.", title=shortened(self.title, MAX_TITLE))
        return text, partial(self.ask_puzzle, request, Wish(origin))

    @Slot(bool)
    def _set_choosing(self, is_choosing: bool) -> None:
        self._is_choosing = is_choosing

    def _choices(self) -> tuple[str, Values]:
        """Return the solver and the values that are shown; those of the puzzle are its own."""
        values = {**self.panel.values("solver"), **self.panel.values("limits")}
        return self.solver_key, values

    @property
    def own_solver_key(self) -> str:
        """The solver that the user has chosen, where a run that was taken over shows another."""
        own, borrowed = self._own_choices, self._borrowed_choices
        return self.solver_key if own is None or self.solver_key != borrowed[0] else own[0]

    def _return_choices(self) -> None:
        """Show the user's own solver and values again after a run that was taken over.

        What the user has changed since then stays.
        """
        if self._own_choices is None:
            return
        (own_solver, own), (_, borrowed) = self._own_choices, self._borrowed_choices
        solver, (_, shown) = self.own_solver_key, self._choices()
        self._own_choices = None
        if solver != self.solver_key:
            self.choose_solver(solver)
        names = own if solver == own_solver else Limits.model_fields
        unchanged = [name for name in names if shown.get(name) == borrowed.get(name)]
        self.panel.set_values({name: own[name] for name in unchanged})

    @Slot(object)
    def _begun_now(self, begun: Begun) -> None:
        self._clear_run()
        self.run.begin(begun)
        self._offer_views()
        self._show_begun(begun)

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        """Show a run that was taken over, as if it had been here from its first unit on."""
        begun, news = opened.begun, opened.news

        def take_over(puzzle: Puzzle) -> None:
            self.choose_solver(begun.solver.key)
            limits = news.status.limits.model_dump()
            self.panel.set_values({**puzzle.params.model_dump(), **begun.params, **limits})

        name = "" if self._path_asked is None else self._path_asked.name
        self._loaded(Loaded(begun.puzzle, opened.start, Wish(run_name=name, then=take_over)))
        self._show_run(opened)
        self.unsaved.was_interrupted = self._is_taken_up
        self.run_files.begin(begun.key, self._path_asked, news.status.units, news.best)
        self.recorder.go_on(news.status)
        if self._path_asked is not None:
            self.notice.show_done(tr("Opened {path_asked}", path_asked=self._path_asked))

    def _show_run(self, opened: Opened) -> None:
        """Show a run that has gone on elsewhere until now, with all that it has found."""
        news = opened.news
        self.run.open(opened)
        self.chart.set_steps(*self.run.step_curve())
        self._offer_views()
        self._show_begun(opened.begun)
        self.status.show_news(news)
        row = news.inside or self.run.trace.last_row
        if row:
            self._show_row(row, news.status)
        self.show_news(news)
        self.run.show_newest(news)
        self.run.take(dataclasses.replace(News.of(news.status), views=news.views))

    def _show_begun(self, begun: Begun) -> None:
        """Show that a run is there; what it has found comes after that."""
        self.run_files.begin(begun.key)
        self.panel.seed_field.set_seed(begun.seed)
        in_force = {**begun.puzzle.params.model_dump(), **begun.params}
        self.panel.set_in_force(in_force, begun.asked)
        solver = begun.solver
        self.status.begin(solver.unit, solver.uses_seed, solver.smallest_step)
        if begun.start is not None:
            self.show_nothing_found(begun.start)
        self.show_begun(begun)
        self.title_changed.emit()

    def _clear_run(self) -> None:
        """Forget the run, and show nothing of it any more: the only place where that is done."""
        self.run.clear()
        self._offer_views()
        self.unsaved.was_interrupted = False
        self.panel.set_in_force(None)
        self.show_no_run()

    @Slot(object)
    def _news(self, news: News) -> None:
        if not self.run.take(news):
            # Reported before the run was given up: it belongs to nothing that is shown.
            return
        if news.inside:
            self.chart.set_steps(*self.run.step_curve())
        if len(news.rows) or news.inside:
            self.chart.schedule()
            if not self.run.is_back:
                self._show_row(news.inside or news.rows[-1].tolist(), news.status)
        self.run.show_newest(news)
        self.show_news(news)
        status = news.status
        if status.n_answered < self.client.n_asked:
            # Reported before the last question arrived: what it will change is shown already.
            asked = self.run.reported
            status = dataclasses.replace(status, pending=asked.pending, allowed=asked.allowed)
        self._show_status(status, news)
        self.recorder.note()

    @Slot(object, str)
    def _open_fork(self, checkpoint: Checkpoint, origin: str) -> None:
        self.recorder.note_origin(checkpoint.key, origin)
        if self.open_run(checkpoint, what=tr("The fork takes the place of the run")):
            self.auto_resume.expect(checkpoint.key)

    @Slot(str, str)
    def _refused(self, text: str, parameter: str) -> None:
        # What a sub-class puts in its place is no slot, and would be run in the worker's thread.
        self.show_refusal(text, parameter)

    def _listen(self) -> None:
        """Take in what the worker of the run says."""
        client = self.client
        self.run.kept = client.worker.keeping
        client.loaded.connect(self._loaded)
        client.begun.connect(self._begun_now)
        client.opened.connect(self._opened)
        client.news.connect(self._news)
        client.refused.connect(self._refused)
        client.saving_error_changed.connect(self.saving_notice.show_error)

    def _connect(self) -> None:
        self._listen()
        self.forking.forked.connect(self._open_fork)
        self.forking.board_asked.connect(self.start_from)
        self.forking.refused.connect(self.notice.show_error)
        self.panel.solvers.chosen.connect(self.choose_solver)
        self.panel.live_changed.connect(self._live_changed)
        self.panel.limits_changed.connect(self._limits_changed)
        self.chart.folder = lambda: self.settings.folder
        self.chart.remember_in(self.settings)
        self.load.refused.connect(self.notice.show_error)
        self.load.choosing.connect(self._set_choosing)
        self.best_panel.copied.connect(self.notice.show_done)
        self.run_files.saved.connect(self._note_file)

    @Slot(object)
    def _note_file(self, path: Path) -> None:
        if self.run_files.path == path:  # and not the file of a run that was there before
            self.recorder.note_file(path)

    @Slot(str, object)
    def _live_changed(self, name: str, value: Value) -> None:
        self.client.set_live(self.solver_key, name, value)

    @Slot()
    def _limits_changed(self) -> None:
        self.client.set_limits(self.panel.limits())
