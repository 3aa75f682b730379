"""Windows in a language whose texts are longer by two fifths: nothing is cut off or forgotten."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QTableView,
    QWidget,
)

from tests.gui.all_windows import all_windows, dialogs, pages, windows_beside
from tests.gui.clipped import clipped_texts
from tilelab.core import language
from tilelab.gui.widgets.settings import Settings

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


def test_no_page_cuts_a_text(longer):
    faults = list(_faults(pages(longer)))
    assert not faults, "\n".join(faults)


def test_no_window_beside_cuts_a_text(longer):
    faults = list(_faults(windows_beside(longer)))
    assert not faults, "\n".join(faults)


def test_no_dialog_cuts_a_text(longer, tmp_path):
    faults = [
        f"{name}: {fault}"
        for name, dialog in dialogs(longer, tmp_path)
        for fault in clipped_texts(dialog)
    ]
    assert not faults, "\n".join(faults)


_NAMED = re.compile(
    r"(Game titles|English words, small|TileLab|Hasan et al\. 2023|Henriques 2019|Damodaran"
    r"|Genetic, generation 5|Planets, Genetic|picture\.png)(, \d+×\d+)?"
)
"""Names of lexicons, papers and files, and what a test says itself, stay as they are."""
_OF_QT = ("Cancel", "Close", "OK")
"""Qt has them in its own catalogues."""


def test_no_text_of_any_window_is_forgotten(longer, tmp_path):
    """In the language that is made up, each text of the program stands in brackets."""
    forgotten = set()
    for name, window in all_windows(longer, tmp_path):
        # Lessons and manual are in English; the papers' algorithms have the papers' names.
        if name in ("lessons", "manual", "PresetsDialog", "ChooserDialog"):
            continue
        for text in _texts(window):
            if sum(map(str.isalpha, text)) < 3 or "[" in text or "/" in text or text in _OF_QT:
                continue
            if not _NAMED.fullmatch(text):
                forgotten.add((name, text))
    assert forgotten == set()


def _texts(window):
    for part in window.findChildren(QWidget):
        if not part.isVisibleTo(window):
            continue
        if isinstance(part, QLabel | QAbstractButton):
            yield part.text()
            yield part.toolTip()
            yield part.accessibleName()
        if isinstance(part, QComboBox):
            yield from (part.itemText(row) for row in range(part.count()))
        if isinstance(part, QLineEdit):
            yield part.placeholderText()
        if isinstance(part, QTableView):
            model = part.model()
            for col in range(model.columnCount()):
                yield str(model.headerData(col, Qt.Orientation.Horizontal) or "")
