"""Windows in a language whose texts are longer by two fifths: nothing is cut off or forgotten."""

import dataclasses
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QTableView,
    QWidget,
)

from tests.gui.all_windows import PUZZLES, all_windows, dialogs, pages, windows_beside
from tests.gui.clipped import clipped_texts
from tests.history_records import made
from tilelab.core.text import language
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import Action, State
from tilelab.runs.history.store import History

SIZES = ((1280, 800), (1024, 700))


@pytest.fixture
def longer(another_driver, tmp_path, monkeypatch):
    monkeypatch.setenv(language.VARIABLE, language.LONGER)
    language.use(language.LONGER)
    yield another_driver(Settings(tmp_path / "window.ini"))
    language.use(language.ENGLISH)


def _faults(shown):
    for name, window in shown:
        for size in SIZES:
            window.resize(*size)
            for fault in clipped_texts(window):
                yield f"{name}, {size[0]}: {fault}"


def test_no_window_cuts_a_text(longer, tmp_path):
    faults = [
        *_faults(pages(longer)),
        *_faults(windows_beside(longer)),
        *(
            f"{name}: {fault}"
            for name, dialog in dialogs(longer, tmp_path)
            for fault in clipped_texts(dialog)
        ),
    ]
    assert not faults, "\n".join(faults)


_NAMED = re.compile(
    r"(Hasan et al\. 2023|Henriques 2019|Damodaran|English|Deutsch|Français|Español|picture\.png"
    r"|Genetic, generation 5|Planets, Genetic|a note|a tag|Small|Type a board|2 to goal"
    r"|Genetic algorithm|[a-z.\n]{16,25}"
    # Values are written in a plan as the command line has them.
    r"|all|any|automatic|count|game-titles|keep|king|none|off)(, \d+×\d+)?"
)
"""Names of papers, files and languages, and what a test says itself, stay as they are."""
_OF_QT = ("Cancel", "Close", "OK", "Apply", "Reset", "Save", "Discard", "Show Details...")
"""Qt has them in its own catalogues."""
_STATUSES = ("running", "paused", "solved", "exhausted", "limit", "failed", "interrupted")
PLAN = """\
title = "Small"
[puzzle]
kind = "boggle"
lexicon = "planets"
rows = 3
cols = 3
[[solvers]]
solver = "annealing"
[limits]
units = 2
"""


class _Catalogue:
    """The made-up language, of texts that the catalogues have; all others stay as they are."""

    def __init__(self):
        self._longer = language._shown.catalogue
        made = language._made("de").catalogue._catalog
        self._known = {key if isinstance(key, str) else key[0] for key in made}

    def gettext(self, message):
        return self._longer.gettext(message) if message in self._known else message

    def ngettext(self, one, many, n):
        return self._longer.ngettext(one, many, n) if one in self._known else many


def _with_runs(driver):
    """Have something in all tables: a run, and others of each status in the history."""
    with History() as history:
        for seed, status in enumerate(_STATUSES):
            history.put(made(seed=seed, status=status, tags="a tag", note="a note"))
        history.put(made(puzzle="sliding", solver="ida-star", solver_title="IDA*", unit="expansion",
                         title="3×3", value=-2.0, value_text="2 to goal"))  # fmt: skip
    for puzzle in PUZZLES:
        driver.window.show_puzzle(puzzle)
        driver.settled()
        if puzzle != "sliding":
            driver.set(units=3)
        driver.click(Action.GO)
        driver.state(State.FINISHED, State.FAILED)
    experiments = driver.window.experiments
    experiments.show_plan(PLAN)
    driver.until(lambda: experiments.plan.found is not None)


@pytest.mark.usefixtures("without_style_sheet")
def test_no_text_of_any_window_is_forgotten(longer, tmp_path):
    """In the language that is made up, each text of the program stands in brackets.

    A text that is shown without the catalogue, and one that the catalogue does not have.
    """
    language._shown = dataclasses.replace(language._shown, catalogue=_Catalogue())
    driver = longer
    QGuiApplication.clipboard().setText("q q\nq q")
    driver.page.face.making.paste()
    driver.settled()
    driver.page.face.best_panel.refresh()
    forgotten = {f"a start: {text}" for text in _texts(driver.window) if not _is_done(text)}
    _with_runs(driver)
    for name, window in all_windows(driver, tmp_path):
        # Lessons and manual are in English; the papers' algorithms have the papers' names.
        if name in ("lessons", "manual", "PresetsDialog", "ChooserDialog"):
            continue
        for text in _texts(window):
            if not _is_done(text):
                forgotten.add(f"{name}: {text}")
    assert not forgotten, "\n".join(sorted(forgotten))


_INNERMOST = re.compile(
    r"\[[^\[\]]*\]|<[^>]*>|&nbsp;|TileLab \d[\w.]+|TileLab|Ctrl|Shift|Esc(ape)?|Del|Enter|IDA\*"
    r"|PNG|SVG|CSV|PDF|JSON|TOML|\(Language\)|\([^()]*20\d\d[^()]*\)|\(Schafer 1999\)|\[[^\[\]]*…$"
)
"""A text in brackets, markup, keys, kinds of files, and the papers."""


def _is_done(text):
    words, n_found = text, 1
    while n_found:
        words, n_found = _INNERMOST.subn("", words)
    is_said = sum(map(str.isalpha, words)) < 3 or "/" in words
    return is_said or text in _OF_QT or bool(_NAMED.fullmatch(text.strip()))


def _texts(window):
    yield window.windowTitle()
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
        for entry in menu.actions():
            yield entry.text()
    for part in window.findChildren(QWidget):
        if not part.isVisibleTo(window):
            continue
        if isinstance(part, QLabel | QAbstractButton):
            yield part.text()
            yield part.accessibleName()
        yield part.toolTip()
        if isinstance(part, QComboBox):
            yield from (part.itemText(row) for row in range(part.count()))
        if isinstance(part, QTabBar):
            yield from (part.tabText(place) for place in range(part.count()))
        if isinstance(part, QLineEdit):
            yield part.placeholderText()
        if isinstance(part, QAbstractSpinBox):
            yield part.text()
        if isinstance(part, QTableView):
            yield from _cells(part)


def _cells(table):
    model = table.model()
    for col in range(model.columnCount()):
        yield str(model.headerData(col, Qt.Orientation.Horizontal) or "")
        for row in range(min(model.rowCount(), 20)):
            yield str(model.index(row, col).data() or "")
