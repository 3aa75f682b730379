"""The states of a session, the actions of the user, and which actions each state allows."""

import enum
from collections.abc import Mapping


class State(enum.StrEnum):
    EMPTY = "empty"
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


class Action(enum.StrEnum):
    LOAD = "load"
    GO = "go"
    STEP = "step"  # take the smallest step and pause; from READY it begins a run
    STOP = "stop"
    RESUME = "resume"
    START_AGAIN = "start_again"
    SAVE = "save"
    SAVE_RUN = "save_run"


# SAVE is allowed with a best; RESUME and STEP also in FINISHED, when a limit was raised.
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
