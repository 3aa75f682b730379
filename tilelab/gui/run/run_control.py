"""What the user requests of a run: it goes to the worker, and the page shows what it awaits."""

import dataclasses
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.errors import ParameterError
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import marked, tr
from tilelab.gui.run.choices import Choices
from tilelab.gui.run.messages import Pending, PuzzleRequest, RunStatus, Wish
from tilelab.gui.run.run_actions import why_locked, why_not
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.run_files import UnsavedChanges
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.moments import MAX_STEPS
from tilelab.runs.recipe import LiveChange, Recipe


class RunControl(QObject):
    """Asks the worker of a page, or says why the present state refuses it."""

    awaited = Signal(object)
    """The RunStatus that is shown until the worker answers."""
    refused = Signal(str, str)
    """A value is not allowed: a sentence, and the name of the parameter, or ''."""
    loading = Signal()
    """Another puzzle takes the place of what is shown."""
    opening_called_off = Signal()
    """STOP was pressed while something was being made for a run that is to be opened."""

    def __init__(
        self,
        context: RunContext,
        choices: Choices,
        unsaved: UnsavedChanges,
        request: Callable[[], PuzzleRequest],
    ) -> None:
        """request: reads the puzzle that is shown."""
        super().__init__(context.window)
        self._context, self._run, self._notice = context, context.run, context.notice
        self._choices, self._unsaved = choices, unsaved
        self._request = request
        self.forward: Callable[[int], bool] = lambda most: False
        """Goes some steps forward from an earlier moment; returns False at the present."""
        self.replay: tuple[LiveChange, ...] = ()
        """Live parameters that are turned again by the run itself."""
        self._allowed_without_run: frozenset[Action] = frozenset()
        self._expected = ""
        self._run.status_changed.connect(self._resume_expected)

    def take_over(self, before: "RunControl") -> None:
        """Await what the control of another page awaits."""
        self.replay, self._allowed_without_run = before.replay, before._allowed_without_run
        self._expected = before._expected

    @property
    def is_busy(self) -> bool:
        """Whether puzzle and solver belong to a run that is going, or about to begin."""
        return bool(why_locked(self._run.status))

    @property
    def load_refusal(self) -> str:
        """Why another board cannot take the place of this one now, or ''."""
        return self.why_not(Action.LOAD)

    def refuses(self, action: Action) -> bool:
        """Return whether the run's status refuses an action; says why."""
        if action in self._run.status.allowed:
            return False
        self._notice.show_refusal(partial(self.why_not, action))
        return True

    def why_not(self, action: Action) -> str:
        """Why an action is refused now, or ''."""
        status = self._run.status
        return "" if action in status.allowed else why_not(action, status)

    def act(self, action: Action) -> None:
        """Do an action, or say why it is refused now; LOAD is the window's."""
        if action is Action.LOAD or self.refuses(action):
            return
        self._notice.clear()
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

    def may_load(self, what: str = marked("Loading discards the run")) -> bool:
        """Return whether another board may take the place of this one; says why not, or asks.

        what: says so in half a sentence.
        """
        return not self.refuses(Action.LOAD) and self._unsaved.may_lose(what)

    def ask_puzzle(self, request: PuzzleRequest, wish: Wish) -> bool:
        """Ask the worker for another puzzle; returns whether it was asked.

        The last wish counts: it takes the place of one that is still being loaded.
        """
        if self._run.status.pending is not Pending.PUZZLE and not self.may_load():
            return False
        self.loading.emit()
        self.clear_faults()
        self._context.client.load(request, wish)
        self.await_answer(Pending.PUZZLE)
        return True

    def clear_faults(self) -> None:
        """Take away what was said of the board and the values before."""
        self._notice.clear()
        self._choices.panel.clear_errors()

    # A run

    def begin(
        self,
        make: Callable[[], Recipe] | None = None,
        *,
        has_next_seed: bool = False,
        one_step: bool = False,
    ) -> None:
        """Ask the worker for a run.

        make: makes its recipe, in the worker's thread; None: of what the panel says, when all of
        that is right. has_next_seed: use the seed after that of the last run, if the user prefers
        that and has not typed another one. one_step: pause after the first step.
        """
        if make is None:
            self._choices.panel.clear_errors()
            try:
                make = self._panel_recipe(is_next=has_next_seed)
            except ParameterError as error:
                self.refused.emit(str(error), error.name)
                return
        self._await_run(steps=one_step)
        self._context.client.go(make, stands=one_step)

    def warm_up(self) -> None:
        """Have the kernels compiled or loaded, unless something was asked that does it anyway."""
        if not self._context.client.n_asked:
            self._context.client.warm_up(self._choices.recipe_maker(self._request(), 0))

    def _panel_recipe(self, *, is_next: bool) -> Callable[[], Recipe]:
        """Return what makes the recipe that the panel shows; raises ParameterError."""
        choices, field, seed = self._choices, self._choices.panel.seed_field, 0
        if choices.solver.uses_seed:
            seed = field.seed()
            takes_next = is_next and self._context.settings.preferences.next_seed
            if takes_next and not field.was_edited:
                seed = (seed + 1) % (MAX_SEED + 1)
        return choices.recipe_maker(self._request(), seed)

    def finish_unit(self) -> None:
        """Make all steps that are left of the current unit."""
        if self.why_nothing_to_finish():
            self._notice.show_refusal(self.why_nothing_to_finish)
            return
        self._notice.clear()
        self._choices.panel.commit()
        self.step(MAX_STEPS)

    def why_nothing_to_finish(self) -> str:
        """Say why no unit can be finished now, or ''."""
        if reason := self.why_not(Action.STEP):
            return reason
        has_run = self._run.status.has_run
        return "" if has_run else tr("There is nothing to finish yet. STEP begins a run.")

    def step(self, most: int = 1) -> None:
        """Make some steps, at most to the end of the current unit; without a run, begin one.

        A run that is going is paused.
        """
        if self.forward(most) or self.refuses(Action.STEP):
            return
        if self._run.status.pending is Pending.RUN:
            return  # held down: the run that is being made begins with this step
        if not self._run.status.has_run:
            self.begin(one_step=True)
        elif self._context.client.n_asked == self._run.reported.n_answered:
            # While a key is held down, the next step waits for the answer to the last one.
            self._context.client.step(most)
            if self._run.status.state is State.RUNNING:
                self.await_answer(Pending.STOPPING, Action.STEP)

    def resume_when_open(self, key: str) -> None:
        """Press RESUME as soon as the run of a key is there; '': of none."""
        self._expected = key

    def _start_again(self) -> None:
        if self._unsaved.may_lose(tr("START AGAIN discards the run")):
            self.begin(has_next_seed=True)

    def _resume(self) -> None:
        if self._run.status.pending is Pending.CALLED_OFF:
            self._await_run()
        else:
            self.await_answer(Pending.NOTHING, Action.STOP)
        self._context.client.resume()

    def _stop(self) -> None:
        if self._run.making and self._run.status.pending is Pending.OPENING:
            self.opening_called_off.emit()
        self._context.client.stop()
        if self._run.status.pending is Pending.RUN:
            # The compiler cannot be interrupted, but the next request waits in turn.
            self.await_answer(Pending.CALLED_OFF, *self._allowed_without_run)
        else:
            # Answered when the slice is done; a unit of a huge instance may take a while.
            self.await_answer(Pending.STOPPING)

    def _await_run(self, *, steps: bool = False) -> None:
        """Show that a run will begin, which STOP cancels; steps: STEP has requested it."""
        # A run that comes with its board follows it at once; there is nothing else to go back to.
        self._allowed_without_run = self._run.status.allowed or ALLOWED[State.READY]
        self.await_answer(Pending.RUN, Action.STOP, *([Action.STEP] if steps else []))

    def await_answer(self, pending: Pending, *allowed: Action) -> None:
        """Show at once what was requested, until the worker answers."""
        reported: RunStatus = self._run.reported
        status = dataclasses.replace(reported, pending=pending, allowed=frozenset(allowed))
        self.awaited.emit(status)

    @Slot()
    def _resume_expected(self) -> None:
        begun, status = self._run.begun, self._run.status
        if begun is None or begun.key != self._expected or status.pending:
            return
        self._expected = ""
        if status.state is State.PAUSED:
            said = self._notice.text
            self.act(Action.RESUME)
            if said:  # what was said of the opening has still to be read
                self._notice.show_note(said)
        elif status.limit_reached:
            self._notice.show_note(
                tr("The run has reached its limit. Raise the limit, then RESUME.")
            )
