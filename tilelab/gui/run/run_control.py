"""The user's requests of a run: they go to the worker, and the page shows the expected status."""

import dataclasses
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.errors import ParameterError
from tilelab.core.plain import Value
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.gui.run.choices import Choices
from tilelab.gui.run.messages import LoadContext, Pending, PuzzleRequest, Replaced, RunStatus
from tilelab.gui.run.run_actions import why_locked, why_not
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.run_files import UnsavedChanges
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.recipe import LiveChange, Recipe
from tilelab.runs.replay import MAX_STEPS


class RunControl(QObject):
    """Sends requests to the worker of a page, or shows why the current state refuses them."""

    awaited = Signal(object)  # emitted with the RunStatus to show until the worker answers
    refused = Signal(str, str)
    """Emitted with an error about a value, and the name of its parameter or ''."""
    resumed = Signal()  # emitted when RESUME is requested: its progress is at the present
    opening_cancelled = Signal()
    """Emitted when STOP is pressed during preparations for a run to open."""

    def __init__(
        self,
        context: RunContext,
        choices: Choices,
        unsaved: UnsavedChanges,
        request: Callable[[], PuzzleRequest],
    ) -> None:
        """request: returns the request for the puzzle that is shown."""
        super().__init__(context.window)
        self._context, self._run, self._notice = context, context.run, context.notice
        self._choices, self._unsaved = choices, unsaved
        self._request = request
        self.forward: Callable[[int], bool] = lambda most: False
        """Function that goes some steps forward from an earlier moment, or returns False at the
        present.
        """
        self.replaced: Callable[[LoadContext], Replaced | None] = lambda _context: None
        """Function that describes what another puzzle replaces; see :class:`LoadContext`."""
        self.before_going: Callable[[bool], object] = lambda begins: None
        """Function that is called before the run continues, or another one begins in its place."""
        self.return_to_start: Callable[[], object] = lambda: None
        """Function that shows the board that the run started from, before it starts again."""
        self.replay: tuple[LiveChange, ...] = ()
        """Changes of live parameters that the run repeats by itself."""
        self._allowed_without_run: frozenset[Action] = frozenset()
        self._expected = ""
        self._units_known = 0  # length of the expected run in the history
        self._then: Callable[[], object] | None = None
        """Function that is called as soon as the run has stopped."""
        self._run.status_changed.connect(self._lock_panel)
        self._run.status_changed.connect(self._resume_expected)
        self._run.status_changed.connect(self._follow_stop)
        choices.panel.live_changed.connect(self._set_live)
        choices.panel.limits_changed.connect(self._set_limits)

    def take_over(self, before: "RunControl") -> None:
        """Take over the expected status of another page."""
        self.replay, self._allowed_without_run = before.replay, before._allowed_without_run
        self._expected, self._units_known = before._expected, before._units_known

    @property
    def is_busy(self) -> bool:
        """Whether puzzle and solver belong to a run that is going or about to start."""
        return bool(why_locked(self._run.status))

    @property
    def load_refusal(self) -> str:
        """Return why another board cannot be loaded now, or ''."""
        return self.why_not(Action.LOAD)

    def refuses(self, action: Action) -> bool:
        """Return whether the run's status refuses an action, and show why."""
        if action in self._run.status.allowed:
            return False
        self._notice.show_refusal(partial(self.why_not, action))
        return True

    def why_not(self, action: Action) -> str:
        """Return why an action is refused now, or ''."""
        status = self._run.status
        return "" if action in status.allowed else why_not(action, status)

    def act(self, action: Action) -> None:
        """Perform an action, or show why it is refused; the window handles LOAD."""
        if action is Action.LOAD or self.refuses(action):
            return
        self._notice.close_all()
        self._choices.panel.commit()
        calls: dict[Action, Callable[[], object]] = {
            Action.GO: self.begin,
            Action.STEP: self.step,
            Action.START_AGAIN: self._start_again,
            Action.STOP: self._stop,
            Action.RESUME: self._resume,
            Action.SAVE: self._unsaved.best_files.ask,
            Action.SAVE_RUN: self._unsaved.run_files.ask,
        }
        calls[action]()

    # Another board

    def may_load(self, what: str = "") -> bool:
        """Return whether another board may be loaded; asks the user, or shows why not.

        what: the reason as a clause, such as 'Loading ends the run'; '' for the usual one.
        """
        what = what or tr("Loading replaces the run")
        return not self.refuses(Action.LOAD) and self._unsaved.may_lose(what)

    def ask_puzzle(self, request: PuzzleRequest, context: LoadContext, what: str = "") -> bool:
        """Request another puzzle from the worker; returns whether it was requested.

        The last request counts; it replaces one that is still loading. what: as for ``may_load``.
        """
        if self._run.status.pending is not Pending.PUZZLE and not self.may_load(what):
            return False
        context = dataclasses.replace(context, replaced=self.replaced(context))
        self.clear_errors()
        self._context.client.load(request, context)
        self.await_answer(Pending.PUZZLE)
        return True

    def clear_errors(self) -> None:
        """Remove earlier errors about the board and the values."""
        self._notice.close_all()
        self._choices.panel.clear_errors()

    # A run

    def begin(
        self,
        make: Callable[[], Recipe] | None = None,
        *,
        has_next_seed: bool = False,
        one_step: bool = False,
    ) -> None:
        """Request a run from the worker.

        make: makes its recipe in the worker's thread; None for the values in the panel, if all are
        valid. has_next_seed: use the seed after that of the last run, if the user prefers that and
        has not typed another one. one_step: pause after the first step.
        """
        if make is None:
            self._choices.panel.clear_errors()
            try:
                make = self._panel_recipe(is_next=has_next_seed)
            except ParameterError as error:
                self.refused.emit(str(error), error.name)
                return
        self._await_run(steps=one_step)
        self._context.client.go(make, pauses=one_step)

    def warm_up(self) -> None:
        """Request that the kernels be compiled or loaded, unless another request does so."""
        client = self._context.client
        if not client.n_requested:
            client.ask(client.worker.warm_up, self._choices.recipe_maker(self._request(), 0))

    def _panel_recipe(self, *, is_next: bool) -> Callable[[], Recipe]:
        """Return a function that makes the recipe in the panel; raises ParameterError."""
        choices, field, seed = self._choices, self._choices.panel.seed_field, 0
        if choices.solver.uses_seed:
            seed = field.seed()
            takes_next = is_next and self._context.settings.preferences.next_seed
            if takes_next and not field.was_edited:
                seed = (seed + 1) % (MAX_SEED + 1)
        return choices.recipe_maker(self._request(), seed)

    @property
    def unit(self) -> str:
        """Name of the unit of the run, or without one, of the chosen solver."""
        started = self._run.started
        return (self._choices.solver if started is None else started.solver).unit

    def finish_unit(self) -> None:
        """Make all remaining steps of the current unit."""
        if self.why_nothing_to_finish():
            self._notice.show_refusal(self.why_nothing_to_finish)
            return
        self._notice.close_all()
        self._choices.panel.commit()
        self.step(MAX_STEPS)

    def why_nothing_to_finish(self) -> str:
        """Return why no unit can be finished now, or ''."""
        if reason := self.why_not(Action.STEP):
            return reason
        has_run = self._run.status.has_run
        return "" if has_run else tr("There is nothing to finish yet. STEP begins a run.")

    def step(self, most: int = 1) -> None:
        """Make some steps, at most to the end of the current unit; starts a run if there is none.

        A run that is going is paused.
        """
        if self.forward(most) or self.refuses(Action.STEP):
            return
        if self._run.status.pending is Pending.RUN:
            return  # key held down: the run in preparation starts with this step
        if not self._run.status.has_run:
            self.begin(one_step=True)
        elif (client := self._context.client).n_requested == self._run.reported.n_answered:
            # While a key is held down, the next step waits for the answer to the last one.
            self.before_going(False)
            client.ask(client.worker.step, most)
            if self._run.status.state is State.RUNNING:
                self.await_answer(Pending.STOPPING, Action.STEP)

    @Slot(str, object)
    def _set_live(self, name: str, value: Value) -> None:
        client = self._context.client
        client.tell(client.worker.set_live, self._choices.solver_key, name, value)

    @Slot()
    def _set_limits(self) -> None:
        client = self._context.client
        client.tell(client.worker.set_limits, self._choices.panel.limits())

    def resume_when_open(self, key: str, units_known: int = 0) -> None:
        """Resume the run with a key as soon as it is open; '' for none.

        units_known: its length in the history, which is more than that of the file if the user
        saved it early.
        """
        self._expected, self._units_known = key, units_known

    def start_again(self, what: str = "", *, one_step: bool = False) -> None:
        """Start the run again, or show why not now.

        what: the reason as a clause, for a question; '' for the usual one. one_step: pause after
        the first step.
        """
        if not self.refuses(Action.START_AGAIN):
            self._notice.close_all()
            self._choices.panel.commit()
            self._start_again(what, one_step=one_step)

    def _start_again(self, what: str = "", *, one_step: bool = False) -> None:
        if self._unsaved.may_lose(what or tr("START AGAIN replaces the run")):
            self.before_going(True)
            self.return_to_start()
            self.begin(has_next_seed=True, one_step=one_step)

    def _resume(self) -> None:
        self.resumed.emit()
        self.before_going(False)
        if self._run.status.pending is Pending.CALLED_OFF:
            self._await_run()
        else:
            self.await_answer(Pending.NOTHING, Action.STOP)
        self._context.client.ask(self._context.client.worker.resume)

    def after_stop(self, then: Callable[[], object]) -> None:
        """Stop the run if it is going, and call a function as soon as another may begin."""
        self._then = then
        if Action.STOP in self._run.status.allowed:
            self.act(Action.STOP)
        self._follow_stop()

    @Slot()
    def _follow_stop(self) -> None:
        status = self._run.status
        if self._then is not None and not why_locked(status) and Action.LOAD in status.allowed:
            then, self._then = self._then, None
            then()

    def _stop(self) -> None:
        if self._run.making and self._run.status.pending is Pending.OPENING:
            self.opening_cancelled.emit()
        self._context.client.stop()
        if self._run.status.pending is Pending.RUN:
            # The compiler cannot be interrupted, but the next request is queued.
            self.await_answer(Pending.CALLED_OFF, *self._allowed_without_run)
        else:
            # The answer comes after the slice; a unit of a huge instance may take a while.
            self.await_answer(Pending.STOPPING)

    def _await_run(self, *, steps: bool = False) -> None:
        """Show that a run will start, which STOP can cancel; steps: requested by STEP."""
        # A run that comes with its board follows at once; there is no other state to return to.
        self._allowed_without_run = self._run.status.allowed or ALLOWED[State.READY]
        self.await_answer(Pending.RUN, Action.STOP, *([Action.STEP] if steps else []))

    def await_answer(self, pending: Pending, *allowed: Action) -> None:
        """Show the requested status until the worker answers."""
        reported: RunStatus = self._run.reported
        status = dataclasses.replace(reported, pending=pending, allowed=frozenset(allowed))
        self.awaited.emit(status)

    @Slot()
    def _lock_panel(self) -> None:
        status, panel = self._run.status, self._choices.panel
        # While a board is loading, the controls and the focus do not change.
        loading = status.pending in (Pending.PUZZLE, Pending.OPENING)
        panel.set_running(self.is_busy and not loading)
        panel.solvers.setEnabled(not self.is_busy)
        button = tr("START AGAIN") if status.has_run else tr("GO")
        panel.set_hint_action(button, is_paused=status.state is State.PAUSED)

    @Slot()
    def _resume_expected(self) -> None:
        started, status = self._run.started, self._run.status
        if started is None or started.key != self._expected or status.pending:
            return
        self._expected = ""
        said, is_early = self._notice.text, status.units < self._units_known
        if is_early:
            saved, known = (
                counted(units, started.solver.unit) for units in (status.units, self._units_known)
            )
            said = tr(
                "{opened}. It was saved after {saved}. The run in the history went on to "
                "{known}: Run again there repeats them all.",
                opened=said.removesuffix("."),
                saved=saved,
                known=known,
            )
        if status.state is State.PAUSED:
            self.act(Action.RESUME)
        elif status.limit_reached:
            limit = tr("The run has reached its limit. Raise the limit, then RESUME.")
            said = f"{said} {limit}" if is_early else limit
        if said:  # the message about the opening should remain readable
            self._notice.show_note(said, stays=is_early)
