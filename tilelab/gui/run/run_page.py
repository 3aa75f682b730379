"""The page of one kind of puzzle: its board, its panel, its worker and its run.

A page keeps its state while another one is shown. What is the same for all puzzles is here: asking
the worker, showing how the run stands, saving the best. What a puzzle shows is its sub-class's.
"""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab import catalog
from tilelab.core.solver import Best
from tilelab.gui.run.auto_resume import RunOn
from tilelab.gui.run.fork import ForkFlow
from tilelab.gui.run.history_recorder import RunRecorder
from tilelab.gui.run.messages import (
    Begun,
    Loaded,
    News,
    Opened,
    Pending,
    PuzzleRequest,
    Refusal,
    RunRequest,
    Standing,
    Wish,
)
from tilelab.gui.run.page_parts import PuzzleParts
from tilelab.gui.run.refusals import refused, why_locked, why_not
from tilelab.gui.run.run_client import RunThread
from tilelab.gui.run.run_files import RunFiles
from tilelab.gui.run.run_request import ask_for_run, next_seed, run_request, shown_seed
from tilelab.gui.run.save_best import BestFiles
from tilelab.gui.run.timeline import LookBack
from tilelab.gui.run.unsaved_changes import Unsaved
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.bests import Bests
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.races.presets import Preset
from tilelab.runs.session import ALLOWED, Action, Checkpoint, Knob, Session, State


class PuzzlePage(PuzzleParts):
    """One puzzle, one solver, one run at a time; nothing here computes."""

    standing_changed = Signal()
    """Other buttons may be pressed now."""
    title_changed = Signal()
    solver_set = Signal()
    """Another solver was chosen on the page."""
    run_saved = Signal(object)
    """The run is in a file; its path."""
    stop_asked = Signal()
    """STOP was pressed."""
    run_file_asked = Signal(object)
    """The path of a run file that shall be opened, on whichever page."""

    def __init__(
        self,
        puzzle: Any,
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
        self.solver_key = solver_key or next(iter(catalog.solvers(self.puzzle_key)))
        self.standing = Standing()
        """How the run stands, as far as the window has been told."""
        self.best: Best | None = None
        """The best that is shown."""
        self.bests = Bests()
        """Each best of the run that the window has been told of."""
        self.run_begun: Begun | None = None
        """The run that is there."""
        self.thread_of_runs = RunThread(session, self)
        self._path_asked: Path | None = None
        self._is_taken_up = False
        self._replay: tuple[Knob, ...] = ()
        self._allowed_without_run: frozenset[Action] = frozenset()
        self.recorder = RunRecorder(self)
        self.best_files = BestFiles(self)
        self.run_files = RunFiles(self)
        self.unsaved = Unsaved(self)
        self.look_back = LookBack(self)
        self.run_on = RunOn(self)
        self.forks = ForkFlow(self)
        self.declare()

    def open(self, loaded: Loaded) -> None:
        """Show the first puzzle and warm its kernels up; called when the page has been laid out."""
        self.chart_choice.offer(self.curve_sets())
        self._connect()
        self._loaded(loaded)
        self._show_standing(Standing.of(self.thread_of_runs.worker.session))
        self.thread_of_runs.warm_up(run_request(self))
        self._await(Pending.KERNELS, self.standing.allowed)

    # What a person asks for

    def act(self, action: Action) -> None:
        """Do what is asked for, or say why the present state refuses it; LOAD is the window's."""
        if action is Action.LOAD or refused(self, action):
            return
        self.notice.clear()
        self.panel.commit()
        {
            Action.GO: self._go,
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

    @Slot(object)
    def set_up(self, preset: Preset) -> None:
        """Choose a paper's algorithm for the next run, its other parameters at their defaults."""
        if self.is_busy:
            self.notice.show_error("STOP the run before another algorithm is set up.")
            return
        self.choose_solver(preset.solver)
        self.panel.set_to(preset.params)
        self.solver_set.emit()

    def declare(self) -> None:
        """Make the panel for the puzzle and the solver that are chosen."""
        solver = catalog.solver(self.puzzle_key, self.solver_key).spec
        self.panel.declare(catalog.puzzle(self.puzzle_key).spec.params, solver.params)
        self.panel.seed_field.setVisible(solver.uses_seed)

    def save_to(self, path: Path) -> None:
        """Write the best board; its kind follows the ending."""
        self.best_files.save(path)

    def save_run_to(self, path: Path) -> None:
        """Write the whole run, which goes on; ``run_saved`` tells when it is on disk."""
        if not refused(self, Action.SAVE_RUN):
            self.run_files.save(path)

    @property
    def load_refusal(self) -> str:
        """Why another board cannot take the place of this one now, or ''."""
        allowed = Action.LOAD in self.standing.allowed
        return "" if allowed else why_not(Action.LOAD, self.standing)

    def may_load(self, what: str = "Loading gives up the run") -> bool:
        """Tell whether another board may take the place of this one; says why not, or asks.

        what: says so in half a sentence.
        """
        if not self.load_refusal:
            return self.unsaved.may_lose(what)
        self.notice.show_error(self.load_refusal)
        return False

    def leave(self) -> None:
        """Put away what belongs to the page when another one is shown."""

    def ask_puzzle(self, request: PuzzleRequest, wish: Wish) -> bool:
        """Ask the worker for another puzzle; returns whether it was asked.

        The last wish counts: it takes the place of one that is still being loaded.
        """
        if self.standing.pending is not Pending.PUZZLE and not self.may_load():
            return False
        self.notice.clear()
        self.panel.clear_faults()
        self.thread_of_runs.load(request, wish)
        self._await(Pending.PUZZLE, frozenset())
        return True

    def open_run(
        self,
        checkpoint: Checkpoint,
        path: Path | None = None,
        folder: RunFolder | None = None,
        what: str = "Opening another run gives up this one",
    ) -> bool:
        """Ask the worker to take a run over; returns whether it was asked.

        path: the file that it comes from, if it is one of the person's own. folder: where it is
        kept, if it was interrupted. what: says in half a sentence that the run before is given up.
        """
        if not self.may_load(what):
            return False
        self.notice.clear()
        self.panel.clear_faults()
        self._path_asked, self._is_taken_up = path, folder is not None
        self.thread_of_runs.open(checkpoint, folder)
        self._await(Pending.OPENING, frozenset())
        return True

    def leave_run(self, what: str) -> bool:
        """Give the run up, if there is one, for a board that the worker is not told of yet.

        what: says so in half a sentence. Returns False, and nothing has changed, when it stays.
        """
        if not self.may_load(what):
            return False
        if self.run_begun is not None:
            self._clear_run()
            self.thread_of_runs.drop()
            allowed = frozenset({Action.LOAD, Action.GO})
            self._show_standing(Standing(State.READY, allowed, seed=self.standing.seed))
            self.title_changed.emit()
        return True

    def begin(self, request: RunRequest) -> None:
        """Ask the worker for a run."""
        self._replay = request.replay
        self._await_run()
        self.thread_of_runs.go(request)

    def end(self, *, keep: bool = False) -> None:
        """Stop the worker; the page is of no use after that.

        keep: whether its run is offered at the next start.
        """
        self.thread_of_runs.close(keep=keep)
        self.forks.close()
        self.look_back.close()
        self.run_files.end()
        self.recorder.end(self.chart.trace)

    def _go(self) -> None:
        ask_for_run(self, shown_seed)

    def _start_again(self) -> None:
        if self.unsaved.may_lose("START AGAIN gives up the run"):
            ask_for_run(self, next_seed)

    def _resume(self) -> None:
        if self.standing.pending is Pending.CALLED_OFF:
            self._await_run()
        self.thread_of_runs.resume()

    def _stop(self) -> None:
        self.stop_asked.emit()
        self.thread_of_runs.stop()
        if self.standing.pending is Pending.RUN:
            # The compiler cannot be broken off, but whatever is asked for next waits in turn.
            self._await(Pending.CALLED_OFF, self._allowed_without_run)
        else:
            # Answered when the slice is done; a unit of a huge instance may take a while.
            self._await(Pending.STOPPING, frozenset())

    def _await_run(self) -> None:
        """Show that a run will begin, which STOP calls off."""
        # A run that comes with its board follows it at once; there is nothing else to go back to.
        self._allowed_without_run = self.standing.allowed or ALLOWED[State.READY]
        self._await(Pending.RUN, frozenset({Action.STOP}))

    def stand(self, standing: Standing) -> None:
        """Show how the page stands while something is made for a run that shall be opened."""
        self._show_standing(standing)

    def _await(self, pending: Pending, allowed: frozenset[Action]) -> None:
        """Show at once what has been asked for, until the worker answers."""
        self._show_standing(dataclasses.replace(self.standing, pending=pending, allowed=allowed))

    # What the worker tells

    @Slot(object)
    def _loaded(self, loaded: Loaded) -> None:
        wish, origin = loaded.wish, loaded.wish.origin
        if wish.run_name is not None:
            origin = self.origin_of_run(loaded.puzzle, wish.run_name)
        self._clear_run()
        self.show_loaded(loaded, origin)
        self.title_changed.emit()
        if wish.then is not None:
            wish.then(loaded.puzzle)

    @Slot(object)
    def _begun_now(self, begun: Begun) -> None:
        self._clear_run()
        self.run_begun = begun
        self.run_files.begin(begun.key)
        self.recorder.begin(begun)
        self.panel.seed_field.set_seed(begun.seed)
        in_force = {**begun.puzzle.params.model_dump(), **begun.params}
        self.panel.set_in_force(in_force, begun.asked)
        self.chart.set_unit(begun.solver.unit)
        self.chart.begin(begun.solver.metrics, self.chart_choice.curves_of(begun.solver.metrics))
        self.status.begin(begun.solver.unit, begun.solver.uses_seed)
        self.show_begun(begun)
        self.title_changed.emit()

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        """Show a run that was taken over, as if it had been here from its first unit on."""
        begun, news = opened.begun, opened.news
        self.choose_solver(begun.solver.key)
        limits = opened.limits.model_dump()
        self.panel.set_values({**begun.puzzle.params.model_dump(), **begun.params, **limits})
        name = "" if self._path_asked is None else self._path_asked.name
        self._loaded(Loaded(begun.puzzle, opened.start, Wish(run_name=name)))
        self._begun_now(begun)
        self.bests, self.unsaved.was_interrupted = opened.bests, self._is_taken_up
        self.run_files.begin(begun.key, self._path_asked, news.standing.units, news.best)
        self.recorder.go_on(opened)
        self.chart.set_trace(opened.trace, self.chart_choice.curves_of(begun.solver.metrics))
        self.status.show_news(news)
        if len(news.rows):
            self._show_row(news.rows[-1], news.standing)
        self.show_news(news)
        if news.best is not None:
            self.best = news.best
            self.show_best(news, begun.solver.unit)
        self.look_back.follow()
        if self._path_asked is not None:
            self.notice.show_done(f"Opened {self._path_asked}")
        self.solver_set.emit()

    def _clear_run(self) -> None:
        """Forget the run, and show nothing of it any more: the only place where that is done."""
        self.look_back.reset()
        self.run_begun, self.best, self.bests = None, None, Bests()
        self.unsaved.was_interrupted = False
        self.recorder.forget()
        self.standing = dataclasses.replace(self.standing, has_run=False, key="")
        self.panel.set_in_force(None)
        self.chart.clear()
        self.show_no_run()

    @Slot(object)
    def _news(self, news: News) -> None:
        if news.standing.key != ("" if self.run_begun is None else self.run_begun.key):
            # Told before the run was given up: it belongs to nothing that is shown.
            return
        if len(news.rows):
            self.chart.append(news.rows)
            if not self.look_back.is_back:
                self._show_row(news.rows[-1], news.standing)
        if news.best is not None and news.board is not None and self.run_begun is not None:
            self.bests.append(news.best, news.best_seconds)
            if not self.look_back.holds(news.best):
                self.best = news.best
                self.show_best(news, self.run_begun.solver.unit)
            self.look_back.follow()
        self.recorder.note(news, self.chart.trace)
        self.show_news(news)
        standing = news.standing
        if standing.n_answered < self.thread_of_runs.n_asked:
            # Told before the last question arrived: what it will change is shown already.
            shown = self.standing
            standing = dataclasses.replace(standing, pending=shown.pending, allowed=shown.allowed)
        self._show_standing(standing, news)

    def show_newest_row(self) -> None:
        """Show the metrics that the run has come to."""
        if self.chart.trace.last is not None:
            self._show_row(self.chart.trace.last, self.standing)

    def _show_row(self, row: NDArray[np.float64], standing: Standing) -> None:
        assert self.run_begun is not None
        metrics = dict(zip(self.run_begun.solver.metrics, row.tolist(), strict=True))
        self.show_metrics(metrics, standing)

    @Slot(object)
    def _refused(self, refusal: Refusal) -> None:
        # What a sub-class puts in its place is no slot, and would be run in the worker's thread.
        self.show_refusal(refusal)

    def show_refusal(self, refusal: Refusal) -> None:
        """Say what cannot be done, beside the control at fault if there is one."""
        if not (refusal.parameter and self.panel.show_fault(refusal.parameter, refusal.message)):
            self.notice.show_error(refusal.message)

    # What is shown

    @property
    def is_busy(self) -> bool:
        """Whether puzzle and solver belong to a run that is going, or about to begin."""
        return bool(why_locked(self.standing))

    def _show_standing(self, standing: Standing, news: News | None = None) -> None:
        before, self.standing = self.standing, standing
        for knob in standing.journal[len(before.journal) :]:
            if knob in self._replay:
                self.panel.set_values({knob.name: knob.value})
        self.status.show_news(news or News.of(standing))
        unchanged = dataclasses.replace(
            standing, units=before.units, seconds=before.seconds, limits=before.limits
        )
        if unchanged == before and news is not None:
            return
        # While a board is being loaded the controls stay as they are, and so does the keyboard.
        loading = standing.pending in (Pending.PUZZLE, Pending.OPENING)
        self.panel.set_running(self.is_busy and not loading)
        self.panel.set_hint_action("START AGAIN" if standing.has_run else "GO")
        if standing.state is State.FAILED and before.state is not State.FAILED:
            self.notice.show_error(f"The solver failed: {standing.message}")
        self.standing_changed.emit()

    def _connect(self) -> None:
        thread = self.thread_of_runs
        self.panel.live_changed.connect(thread.set_live)
        self.panel.limits_changed.connect(self._limits_changed)
        self.chart.folder = lambda: self.settings.folder
        self.chart.view.remember_in(self.settings)
        self.chart.saved.connect(self.notice.show_done)
        self.chart.failed.connect(self.notice.show_error)
        self.run_saved.connect(self._note_file)
        thread.worker.loaded.connect(self._loaded)
        thread.worker.begun.connect(self._begun_now)
        thread.worker.opened.connect(self._opened)
        self.run_files.saved.connect(self.run_saved)
        thread.worker.news.connect(self._news)
        thread.worker.refused.connect(self._refused)
        thread.worker.keeping.fault_changed.connect(self.saving_notice.show_fault)

    @Slot(object)
    def _note_file(self, path: Path) -> None:
        if self.run_files.path == path:  # and not the file of a run that was there before
            self.recorder.note_file(path, self.chart.trace)

    @Slot()
    def _limits_changed(self) -> None:
        self.thread_of_runs.set_limits(self.panel.limits())
