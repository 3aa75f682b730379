"""What the actions of a run are called on buttons and in menus, and their keys."""

from tilelab.core.text.language import marked
from tilelab.runs.actions import Action

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
FINISH_UNIT_KEY, STEP_BACK_KEY = "Ctrl+F6", "Shift+F6"
PRINT_KEY = "Ctrl+P"
PRINT_ENTRY = marked("Print…\tCtrl+P")
SAVE_ENTRIES = {
    Action.SAVE: marked("Save the board…\tCtrl+S"),
    Action.SAVE_RUN: marked("Save the run…\tCtrl+Shift+S"),
}
"""The menu beside SAVE, and in the window's menu."""
