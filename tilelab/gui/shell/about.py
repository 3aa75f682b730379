"""What the program is made of, and which keys it knows."""

import contextlib
import platform
from collections.abc import Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

import tilelab
from tilelab.gui.shell.licences_dialog import show_licences
from tilelab.gui.shell.qt_application import window_icon
from tilelab.gui.widgets.parts import column_layout, row_layout, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled

_AROUND = 72
"""Pixels beside the list of shortcuts."""
PARTS = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "pydantic")
SHORTCUTS = (
    ("Runs", (
        ("F5", "The button in colour: GO, STOP, RESUME or START AGAIN"),
        ("Shift+F5", "STOP"),
        ("Ctrl+Shift+F5", "START AGAIN with the next seed"),
        ("F6, Shift+F6", "Make one step, go one step back; held down, they repeat"),
        ("Ctrl+F6", "Do the rest of the generation, iteration or update"),
        ("F11", "Board and chart alone in large type"),
    )),
    ("Files", (
        ("Ctrl+O", "Load a lexicon, a start grid, boards or a run"),
        ("Ctrl+S", "Save the best"),
        ("Ctrl+Shift+S, Ctrl+Shift+O", "Save the run, open a run"),
        ("Ctrl+Shift+R", "Race solvers side by side"),
        ("Ctrl+Shift+C", "Copy the board"),
    )),
    ("Letter boards and words", (
        ("Arrows, Enter", "Move over the board, choose a cell"),
        ("Escape", "Choose no cell"),
        ("Ctrl+F", "Filter the words"),
        ("Ctrl+N, Ctrl+V", "New puzzle, paste words or a grid"),
        ("Ctrl+Shift+N", "Fit all words: the smallest board"),
        ("A letter, an arrow with Ctrl", "Put it into the cell, swap two cells"),
        ("Space, #", "Lock the cell, make a hole"),
        ("F7", "Letter grids: play the grid, find its strings"),
    )),
    ("Sliding and word tiles", (
        ("Arrows", "Slide a tile (the menu has the other sense)"),
        ("Ctrl+Z", "Undo"),
        ("Ctrl+Shift+Z, Ctrl+Y", "Redo"),
        ("Ctrl+R, Ctrl+G", "Restart, scramble or draw letters"),
        ("H", "Sliding tiles: show the next move, then make it"),
        ("D", "Sliding tiles: distances"),
        ("Ctrl+U", "Sliding tiles: heuristics side by side"),
        ("Ctrl+E", "Edit: exchange two cells, type letters"),
        ("Ctrl+V", "Paste a board"),
        ("Ctrl+Shift+P", "Sliding tiles: the papers' algorithms"),
    )),
    ("Solution", (
        ("Space", "Play, pause"),
        (", .", "One move back, forward"),
        ("Home, End", "To the start, to the end"),
    )),
    ("Chart", (
        ("Left, Right", "Pan"),
        ("+, −", "Zoom"),
        ("Home", "Follow the whole run again"),
        ("Shift+Left, Right", "Look at the best before, after"),
        ("Escape", "Back to the present"),
    )),
    ("Window", (
        ("Ctrl+H", "The history of all runs"),
        ("Ctrl+B", "Records: the best known values"),
        ("Ctrl+L", "Experiments: many runs, one table"),
        ("Ctrl+P", "Print the board, or save it as PDF"),
        ("Ctrl+T", "Light or dark"),
        ("F1", "The manual: the page of what has the keyboard"),
        ("Shift+F1", "These shortcuts"),
        ("F2, Escape", "The lessons, the result again"),
        ("Ctrl+Q", "Quit"),
    )),
)  # fmt: skip


def versions() -> list[tuple[str, str]]:
    """Return the names and versions of what the program runs on."""
    found = [("TileLab", tilelab.__version__), ("Python", platform.python_version())]
    found.append(("Qt", qVersion()))
    for name in PARTS:
        # A frozen program may come without the packages' descriptions.
        with contextlib.suppress(PackageNotFoundError):
            found.append((name, version(name)))
    return found


def show_about(parent: QWidget) -> None:
    """Open the About dialog; returns at once."""
    box = QMessageBox(parent)
    box.setObjectName("about")
    box.setWindowTitle("About TileLab")
    box.setIconPixmap(window_icon().pixmap(64, 64))
    box.setText(
        f"<b>TileLab {tilelab.__version__}</b><br>A laboratory for letter grids and sliding tiles."
    )
    facts = "<br>".join(f"{name} {number}" for name, number in versions()[1:])
    system = f"{platform.system()} {platform.release()}"
    box.setInformativeText(
        "<p>Genetic Boggle after Schafer (1999); word tiles after Naz et al. (2016); "
        "sliding tiles after Henriques (2019), Hasan et al. (2023) and Damodaran.</p>"
        f"<p>{facts}<br>{system}</p>"
        "<p>MIT licence. Qt is used under the LGPL 3, "
        "the font Inter under the SIL Open Font License.</p>"
    )
    more = box.addButton("Licences", QMessageBox.ButtonRole.ActionRole)
    more.clicked.connect(partial(show_licences, parent))
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Ok))
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def show_shortcuts(parent: QWidget) -> None:
    """Open the list of keyboard shortcuts; returns at once."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("Keyboard shortcuts")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    table = QWidget()
    set_role(table, "page")
    columns = row_layout(table, 0, 40)
    half = (len(SHORTCUTS) + 1) // 2
    for part in (SHORTCUTS[:half], SHORTCUTS[half:]):
        column = QVBoxLayout()
        column.addLayout(_key_table(part))
        column.addStretch(1)
        columns.addLayout(column)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    whole = column_layout(dialog, (24, 24, 24, 16), 16)
    whole.addWidget(scrolled(table), 1)
    whole.addWidget(buttons)
    dialog.resize(table.sizeHint() + QSize(_AROUND, whole.sizeHint().height()))
    keep_on_screen(dialog)
    dialog.open()


def _key_table(sections: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    line = 0
    for title, keys in sections:
        heading = text_label("title", None, title)
        if line:
            grid.setRowMinimumHeight(line, 12)
            line += 1
        grid.addWidget(heading, line, 0, 1, 2)
        line += 1
        for key, meaning in keys:
            grid.addWidget(text_label("strong", None, key), line, 0)
            grid.addWidget(QLabel(meaning), line, 1)
            line += 1
    return grid
