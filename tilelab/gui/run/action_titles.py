"""What the actions of a run are called on buttons and in menus, and their keys."""

from tilelab.runs.actions import Action

TITLES = {
    Action.LOAD: "LOAD",
    Action.GO: "GO",
    Action.START_AGAIN: "START AGAIN",
    Action.STEP: "STEP",
    Action.STOP: "STOP",
    Action.RESUME: "RESUME",
    Action.SAVE: "SAVE",
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
FINISH_UNIT_KEY, STEP_BACK_KEY = "Ctrl+F6", "Shift+F6"
PRINT_KEY = "Ctrl+P"
PRINT_ENTRY = f"Print…\t{PRINT_KEY}"
SAVE_ENTRIES = {
    Action.SAVE: f"Save the best…\t{KEYS[Action.SAVE]}",
    Action.SAVE_RUN: f"Save the run…\t{KEYS[Action.SAVE_RUN]}",
}
"""The menu beside SAVE, and in the window's menu."""
