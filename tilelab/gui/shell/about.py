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
from tilelab.core.text.language import marked, tr
from tilelab.gui.shell.licences_dialog import show_licences
from tilelab.gui.shell.qt_application import window_icon
from tilelab.gui.widgets.parts import column_layout, row_layout, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled

_AROUND = 72
"""Pixels beside the list of shortcuts."""
PARTS = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "pydantic")
SHORTCUTS = (
    (marked("Runs"), (
        ("F5", marked("The button in colour: GO, STOP, RESUME or START AGAIN")),
        ("Shift+F5", marked("STOP")),
        ("Ctrl+Shift+F5", marked("START AGAIN with the next seed")),
        ("F6, Shift+F6", marked("Make one step, go one step back; held down, they repeat")),
        ("Ctrl+F6", marked("Do the rest of the generation, iteration or update")),
        ("F11", marked("Board and chart alone in large type")),
    )),
    (marked("Files"), (
        ("Ctrl+O", marked("Load a lexicon, a start grid, boards or a run")),
        ("Ctrl+S", marked("Save the board")),
        ("Ctrl+Shift+S, Ctrl+Shift+O", marked("Save the run, open a run")),
        ("Ctrl+Shift+R", marked("Race solvers side by side")),
        ("Ctrl+Shift+C", marked("Copy the board")),
    )),
    (marked("Letter boards and words"), (
        (marked("Arrows, Enter"), marked("Move over the board, choose a cell")),
        (marked("Escape"), marked("Choose no cell")),
        ("Ctrl+F", marked("Filter the words")),
        ("Ctrl+N, Ctrl+V", marked("New puzzle, paste words or a grid")),
        ("Ctrl+Shift+N", marked("Fit all words: the smallest board")),
        (marked("A letter, an arrow with Ctrl"), marked("Put it into the cell, swap two cells")),
        (marked("Space, #"), marked("Lock the cell, make a hole")),
        ("F7", marked("Letter grids: play the grid, find its strings")),
    )),
    (marked("Sliding and word tiles"), (
        (marked("Arrows"), marked("Slide a tile (the menu has the other sense)")),
        (marked("Arrows with Ctrl"), marked("Read the board cell by cell")),
        ("Ctrl+Z", marked("Undo")),
        ("Ctrl+Shift+Z, Ctrl+Y", marked("Redo")),
        ("Ctrl+R, Ctrl+G", marked("Restart, scramble or draw letters")),
        ("H", marked("Sliding tiles: show the next move, then make it")),
        ("D", marked("Sliding tiles: distances")),
        ("Ctrl+U", marked("Sliding tiles: heuristics side by side")),
        ("Ctrl+E", marked("Edit: exchange two cells, type letters")),
        ("Ctrl+V", marked("Paste a board")),
        ("Ctrl+Shift+P", marked("Sliding tiles: the papers' algorithms")),
    )),
    (marked("Solution"), (
        (marked("Space"), marked("Play, pause")),
        (", .", marked("One move back, forward")),
        (marked("Home, End"), marked("To the start, to the end")),
    )),
    (marked("Chart"), (
        (marked("Left, Right"), marked("Pan")),
        ("+, −", marked("Zoom")),
        (marked("Home"), marked("Follow the whole run again")),
        (marked("Shift+Left, Right"), marked("Look at the best before, after")),
        (marked("Escape"), marked("Back to the present")),
    )),
    (marked("Window"), (
        ("Ctrl+H", marked("The history of all runs")),
        ("Ctrl+B", marked("Records: the best known values")),
        ("Ctrl+L", marked("Experiments: many runs, one table")),
        ("Ctrl+P", marked("Print the board, or save it as PDF")),
        ("Ctrl+T", marked("Light or dark")),
        ("Ctrl++, Ctrl+=, Ctrl+-, Ctrl+0", marked("Larger texts, smaller ones, the usual size")),
        ("F1", marked("The manual: the page of what has the keyboard")),
        ("Shift+F1", marked("These shortcuts")),
        ("F2, Escape", marked("The lessons, the result again")),
        ("Ctrl+Q", marked("Quit")),
    )),
)  # fmt: skip


def versions() -> list[tuple[str, str]]:
    """Return the names and versions of what the program runs on."""
    found = [("TileLab", tilelab.__version__), (tr("Python"), platform.python_version())]
    found.append((tr("Qt"), qVersion()))
    for name in PARTS:
        # A frozen program may come without the packages' descriptions.
        with contextlib.suppress(PackageNotFoundError):
            found.append((name, version(name)))
    return found


def show_about(parent: QWidget) -> None:
    """Open the About dialog; returns at once."""
    box = QMessageBox(parent)
    box.setObjectName("about")
    box.setWindowTitle(tr("About TileLab"))
    box.setIconPixmap(window_icon().pixmap(64, 64))
    box.setText(
        tr("<b>TileLab {version__}</b><br>A laboratory for letter grids and sliding tiles.").format(
            version__=tilelab.__version__
        )
    )
    facts = "<br>".join(f"{name} {number}" for name, number in versions()[1:])
    system = f"{platform.system()} {platform.release()}"
    box.setInformativeText(
        tr(
            "<p>Genetic Boggle after Schafer (1999); word tiles after Naz et al. (2016); "
            "sliding tiles after Henriques (2019), Hasan et al. (2023) and Damodaran.</p>"
            "<p>{facts}<br>{system}</p>"
            "<p>MIT licence. Qt is used under the LGPL 3, "
            "the font Inter under the SIL Open Font License.</p>"
        ).format(facts=facts, system=system)
    )
    more = box.addButton(tr("Licences"), QMessageBox.ButtonRole.ActionRole)
    more.clicked.connect(partial(show_licences, parent))
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Ok))
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def show_shortcuts(parent: QWidget) -> None:
    """Open the list of keyboard shortcuts; returns at once."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(tr("Keyboard shortcuts"))
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
        heading = text_label("title", None, tr(title))
        if line:
            grid.setRowMinimumHeight(line, 12)
            line += 1
        grid.addWidget(heading, line, 0, 1, 2)
        line += 1
        for key, meaning in keys:
            grid.addWidget(text_label("strong", None, tr(key)), line, 0)
            grid.addWidget(QLabel(tr(meaning)), line, 1)
            line += 1
    return grid
