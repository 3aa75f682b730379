"""All windows in all their states: walked once, for all checks that look at each of them."""

import dataclasses
from collections import defaultdict

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from tests.gui.access_names import access_faults, unnamed
from tests.gui.all_windows import fresh_windows, states
from tests.gui.clipped import clipped_texts, cut_cells, scrolled_sideways
from tests.gui.forgotten_texts import BracketCatalogue, forgotten_texts
from tests.history_records import made
from tilelab.core.text import language
from tilelab.gui.lab.race.dialog import RaceDialog
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.window_place import Dialog
from tilelab.runs.history.store import History

_STATUSES = (
    "running",
    "paused",
    "solved",
    "exhausted",
    "limit",
    "failed",
    "interrupted",
    "given up",
)
_IN_ENGLISH = ("lessons", "manual", "ChooserDialog", "booklet")
"""Lessons and manual are in English, and so are names of boards and words to find."""


@pytest.fixture
def longer(monkeypatch):
    """A language whose texts are longer by two fifths, with each piece of them in brackets."""
    monkeypatch.setenv(language.VARIABLE, language.LONGER)
    language.use(language.LONGER)
    language._shown = dataclasses.replace(language._shown, catalogue=BracketCatalogue())
    yield
    language.use(language.ENGLISH)


def _fill_history():
    """Have something in all tables: runs of each status in the history."""
    with History() as history:
        for seed, status in enumerate(_STATUSES):
            texts = {"tags": "a tag", "note": "a note", "board": ("123", "456")}
            history.put(made(seed=seed, status=status, **texts))
        history.put(made(puzzle="sliding", solver="ida-star", solver_title="IDA*", unit="expansion",
                         title="3×3", value=-2.0, value_text="nearest: 2+ to goal",
                         board=("12", "30"), puzzle_params={}, params={}))  # fmt: skip


def _cut_texts(window, size):
    """Look for cut texts; a dialog has the size that it asks for."""
    if not isinstance(window, QDialog) or isinstance(window, RaceDialog):
        window.resize(*size)
    return [*clipped_texts(window), *scrolled_sideways(window)]


# What has room here has it in a larger window, too.
@pytest.mark.long
@pytest.mark.usefixtures("with_style_sheet")
@pytest.mark.parametrize(
    "size", [(1024, 700), pytest.param((1280, 800), marks=pytest.mark.exhaustive)], ids=str
)
def test_no_window_has_a_fault_in_any_state(longer, driver, tmp_path, qapp, size):
    QGuiApplication.clipboard().setText("q q\nq q")
    driver.page.face.making.paste()
    driver.settled()
    driver.page.face.best_panel.refresh()
    _fill_history()
    faults, seen = defaultdict(dict), set()

    def look(name, window):
        seen.add(type(window))
        found = {"no name or no key": access_faults(window)}
        if name not in _IN_ENGLISH:
            found["not in the catalogues"] = forgotten_texts(window)
        for check, faulty in found.items():
            faults[check].update(dict.fromkeys(faulty, name))

    for name, window in fresh_windows(driver, tmp_path):
        faults["cut"].update(dict.fromkeys(_cut_texts(window, size), name))
        look(name, window)
    # To style them is half of what the states cost.
    qapp.setStyleSheet("")
    for name, window in states(driver, tmp_path):
        faults["cut"].update(dict.fromkeys(cut_cells(window), name))
        look(name, window)
    # All faults at once, each after the name of its check.
    lines = [f"{check}: {name}: {it}" for check in faults for it, name in faults[check].items()]
    assert not lines, "\n".join(lines)
    # A dialog that nobody walks would go unseen.
    assert set(_dialogs_below(QDialog)) <= seen


def _dialogs_below(kind):
    for below in kind.__subclasses__():
        yield from _dialogs_below(below)
        if below.__module__.startswith("tilelab.") and below is not Dialog:
            yield below


def test_the_check_finds_a_control_without_a_name(qapp, qtbot):
    make_application([], "light")
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for text in ("", "GO"):
        column.addWidget(QPushButton(text, window))
    (fault,) = unnamed(window)
    assert fault.startswith("QPushButton")
