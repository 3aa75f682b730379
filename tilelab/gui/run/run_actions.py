"""What the actions of a run are called on buttons, their keys, and why one is refused now."""

from tilelab.core.text.language import marked, tr
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.runs.actions import Action, State
from tilelab.runs.races import FEWEST_ENTRIES, MOST_ENTRIES

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
    Pending.RUN: marked("The run is about to begin; STOP calls it off."),
    Pending.CALLED_OFF: marked("The run that STOP has called off is not ended yet."),
    Pending.STOPPING: marked("The run stops when its current iteration is finished."),
}
_NO_RUN = {
    Action.STEP: marked("The run is over; START AGAIN begins another one."),
    Action.STOP: marked("No run is going."),
    Action.GO: marked("There is a run already; START AGAIN begins another one."),
    Action.RESUME: marked("There is no paused run to resume."),
    Action.START_AGAIN: marked("There is no run to start again; GO begins one."),
    Action.SAVE: marked("There is no board to save yet."),
    Action.SAVE_RUN: marked("There is no run to save yet."),
}
_RUNNING = {
    Action.GO: marked("The run is going already."),
    Action.RESUME: marked("The run is going already."),
    Action.LOAD: marked("STOP the run before something else is loaded."),
    Action.START_AGAIN: marked("STOP the run before it is started again."),
}


_NOT_NOW = marked("That is not possible now.")


def why_not(action: Action, status: RunStatus) -> str:
    """Say why an action that the run's status does not allow is refused."""
    if status.pending in _PENDING:
        return tr(_PENDING[status.pending])
    if status.state is State.RUNNING and action in _RUNNING:
        return tr(_RUNNING[action])
    if status.state is State.FAILED and action is Action.SAVE_RUN:
        return tr("A run that has failed cannot be saved; its best board can.")
    return tr(_NO_RUN.get(action, _NOT_NOW))


def why_locked(status: RunStatus) -> str:
    """Say why board and solver cannot be changed now, or ''."""
    if status.pending in (Pending.PUZZLE, Pending.OPENING, Pending.RUN):
        return tr(_PENDING[status.pending])
    running = status.state is State.RUNNING
    return tr("STOP the run before the board is changed.") if running else ""


def why_no_race(action: Action, is_running: bool, n_entries: int) -> str:
    """Say why an action that a race does not allow is refused."""
    if action is Action.STOP:
        return tr("No race is going.")
    if action is Action.SAVE:
        return tr("The selected solver has no best board to save yet.")
    if is_running:
        return tr("STOP the race before it is started again.")
    if not FEWEST_ENTRIES <= n_entries <= MOST_ENTRIES:
        return tr(
            "A race needs {fewest_entries} to {most_entries} solvers.",
            fewest_entries=FEWEST_ENTRIES,
            most_entries=MOST_ENTRIES,
        )
    return tr("There is no race to start again; GO begins one.")
