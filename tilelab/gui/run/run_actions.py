"""Actions of a run and of a race: names, keys, and reasons of refusal."""

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import about
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.timeline import MAX_SECONDS
from tilelab.runs.actions import Action, State
from tilelab.runs.races import MAX_ENTRIES, MIN_ENTRIES

TITLES = {
    Action.LOAD: marked("LOAD"),
    Action.GO: marked("GO"),
    Action.START_AGAIN: marked("START AGAIN"),
    Action.STEP: marked("STEP"),
    Action.STOP: marked("STOP"),
    Action.RESUME: marked("RESUME"),
    Action.SAVE: marked("SAVE"),
}
KEYS = {
    Action.LOAD: "Ctrl+O",
    Action.GO: "F5",
    Action.START_AGAIN: "Ctrl+Shift+F5",
    Action.STEP: "F6",
    Action.STOP: "Shift+F5",
    Action.RESUME: "F5",
    Action.SAVE: "Ctrl+S",
    Action.SAVE_RUN: "Ctrl+Shift+S",
}
_PENDING = {
    Pending.PUZZLE: marked("Another board is being loaded."),
    Pending.OPENING: marked("Another run is being opened."),
    Pending.RUN: marked("The run is about to begin. STOP cancels it."),
    Pending.CALLED_OFF: marked("The cancelled run is still stopping."),
    Pending.STOPPING: marked("The run stops after its current iteration."),
}
_NO_RUN = {
    Action.STEP: marked(
        "The run has finished. ‹ takes its last steps back. "
        "Choose a slower Speed, then START AGAIN to watch it step by step."
    ),
    Action.STOP: marked("No run is in progress."),
    Action.GO: marked("There is already a run. START AGAIN begins another one."),
    Action.RESUME: marked("There is no paused run to resume."),
    Action.START_AGAIN: marked("There is no run to start again. GO begins one."),
    Action.SAVE: marked("There is no board to save yet."),
    Action.SAVE_RUN: marked("There is no run to save yet."),
}
_RUNNING = {
    Action.GO: marked("The run is already in progress."),
    Action.RESUME: marked("The run is already in progress."),
    Action.LOAD: marked("STOP the run before you load something else."),
    Action.START_AGAIN: marked("STOP the run before you start it again."),
}
_NOT_NOW = marked("This is not possible now.")


def why_not(action: Action, status: RunStatus) -> str:
    """Return why the run's status does not allow an action."""
    if status.pending in _PENDING:
        return tr(_PENDING[status.pending])
    if status.state is State.RUNNING and action in _RUNNING:
        return tr(_RUNNING[action])
    if status.state is State.FAILED and action is Action.SAVE_RUN:
        return tr("A failed run cannot be saved, but its best board can.")
    return tr(_NO_RUN.get(action, _NOT_NOW))


def why_locked(status: RunStatus) -> str:
    """Return why board and solver cannot be changed now, or ''."""
    if status.pending in (Pending.PUZZLE, Pending.OPENING, Pending.RUN):
        return tr(_PENDING[status.pending])
    running = status.state is State.RUNNING
    return tr("STOP the run before you change the board.") if running else ""


def why_no_race(action: Action, is_running: bool, n_entries: int) -> str:
    """Return why a race does not allow an action."""
    if action is Action.STOP:
        return tr("No race is in progress.")
    if action is Action.SAVE:
        return tr("The selected solver has no best board to save yet.")
    if is_running:
        return tr("STOP the race before you start it again.")
    if not MIN_ENTRIES <= n_entries <= MAX_ENTRIES:
        return tr(
            "A race needs {fewest_entries} to {most_entries} solvers.",
            fewest_entries=MIN_ENTRIES,
            most_entries=MAX_ENTRIES,
        )
    if action is Action.STEP:
        return tr(_NO_RUN[Action.STEP])
    return tr("There is no race to start again. GO begins one.")


def why_no_step_back(is_running: bool, seconds: float | None) -> str:
    """Return why a race does not allow a step back, or ''.

    seconds: time of the race's runs so far; None if there is no step to take back.
    """
    if is_running:
        return tr("STOP the race before you step back.")
    if seconds is None:
        return tr("There is no step of this race to take back.")
    if seconds <= MAX_SECONDS:
        return ""
    return tr(
        "A step back computes the race again, which takes about {time}. "
        "Choose a speed to watch a race step by step.",
        time=about(seconds),
    )
