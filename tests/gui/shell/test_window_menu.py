"""The menu at the right of the bar: each entry does what it says, and nothing else."""

import dataclasses
from functools import partial

import pytest
from PySide6.QtWidgets import QMenu

from tilelab.gui.shell.window_menu import Commands, fill_menu
from tilelab.runs.actions import Action

pytestmark = pytest.mark.usefixtures("without_style_sheet")

ENTRIES = {
    "Open a run…\tCtrl+Shift+O": ("open_run",),
    "Race…\tCtrl+Shift+R": ("race",),
    "Compare in an experiment…": ("compare",),
    "Like the system": ("set_theme", "system"),
    "Light": ("set_theme", "light"),
    "Dark": ("set_theme", "dark"),
    "History…\tCtrl+H": ("show_history",),
    "Experiments…\tCtrl+L": ("show_experiments",),
    "Interrupted runs…": ("show_interrupted",),
    "Manual\tF1": ("show_manual",),
    "First steps": ("show_first_steps",),
    "Keyboard shortcuts\tShift+F1": ("show_shortcuts",),
    "About TileLab": ("show_about",),
    "Quit\tCtrl+Q": ("close",),
}


@pytest.fixture
def called():
    """Which commands were called, each with what it was called with."""
    return []


@pytest.fixture
def commands(called):
    def note(*command):
        called.append(command)

    names = [field.name for field in dataclasses.fields(Commands)]
    return Commands(**{name: partial(note, name) for name in names})


def test_each_entry_is_one_command(driver, commands, called):
    menu = QMenu(driver.window)
    fill_menu(menu, commands, driver.page)
    entries = {entry.text(): entry for entry in menu.actions()}
    for text in ENTRIES:
        entries[text].trigger()
    assert called == list(ENTRIES.values())
    assert not any(entry.isEnabled() for text, entry in entries.items() if _keeps(text))


def test_a_run_that_is_there_can_be_saved(driver, commands, called):
    driver.run(seed=3, limit=3)
    menu = QMenu(driver.window)
    fill_menu(menu, commands, driver.page)
    for entry in menu.actions():
        if _keeps(entry.text()):
            entry.trigger()
    assert called == [("act", Action.SAVE), ("act", Action.SAVE_RUN), ("print_sheet",)]


def _keeps(text):
    return text.startswith(("Save", "Print"))
