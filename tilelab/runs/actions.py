"""Where a session stands, what can be asked of it, and which of both go together."""

import enum
from collections.abc import Mapping


class State(enum.StrEnum):
    """Where the session stands."""

    EMPTY = "empty"
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


class Action(enum.StrEnum):
    """What the user can ask for."""

    LOAD = "load"
    GO = "go"
    STEP = "step"
    """Make the smallest step and stand still; it begins a run in READY and pauses a RUNNING one."""
    STOP = "stop"
    RESUME = "resume"
    START_AGAIN = "start_again"
    SAVE = "save"
    SAVE_RUN = "save_run"


ALLOWED: Mapping[State, frozenset[Action]] = {
    State.EMPTY: frozenset({Action.LOAD}),
    State.READY: frozenset({Action.LOAD, Action.GO, Action.STEP}),
    State.RUNNING: frozenset({Action.STEP, Action.STOP, Action.SAVE_RUN}),
    State.PAUSED: frozenset(
        {Action.LOAD, Action.STEP, Action.RESUME, Action.START_AGAIN, Action.SAVE_RUN}
    ),
    State.FINISHED: frozenset({Action.LOAD, Action.START_AGAIN, Action.SAVE_RUN}),
    State.FAILED: frozenset({Action.LOAD, Action.START_AGAIN}),
}
"""Which actions a state allows.

Besides, SAVE is allowed in every state that has a best grid, and RESUME and STEP in FINISHED when a
limit ended the run and has been raised since.
"""
