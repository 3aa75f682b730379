"""The dialogs about the program: versions, licences and keyboard shortcuts."""

import contextlib
import platform
from collections.abc import Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QMessageBox, QPlainTextEdit, QWidget

import tilelab
from tilelab.core.licences import licences
from tilelab.core.text.language import marked, tr
from tilelab.gui.shell.qt_application import window_icon
from tilelab.gui.widgets.commands import CommandTable, Menu
from tilelab.gui.widgets.parts import (
    STRETCH,
    close_button,
    column_layout,
    column_of,
    named,
    row_layout,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, scaled, set_role
from tilelab.gui.widgets.window_place import Dialog, scrolled

Sections = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""Sections with a title, each with keys and what they do."""
_AROUND, _WIDTH = 72, 940  # margin of the list of shortcuts and its width, in pixels
PARTS = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "pydantic")
KEYS_OF_PARTS = (
    (marked("Letter boards"), (
        (marked("Arrows, Enter"), marked("Move over the board, choose a cell")),
        (marked("Escape"), marked("Choose no cell")),
        (marked("A letter, an arrow with Ctrl"), marked("Put it into the cell, swap two cells")),
        (marked("Space, #"), marked("Lock the cell, make a hole")),
    )),
    (marked("Sliding and word tiles"), (
        (marked("Arrows"), marked("Slide a tile (Preferences can reverse the direction)")),
        (marked("Arrows with Ctrl"), marked("Read the board cell by cell")),
        ("H", marked("Sliding tiles: show the next move, then make it")),
        ("D", marked("Sliding tiles: distances")),
    )),
    (marked("Solution"), (
        (marked("Space"), marked("Play, pause")),
        (marked("Comma, full stop"), marked("One move back, forward")),
        (marked("Home, End"), marked("To the start, to the end")),
    )),
    (marked("Chart"), (
        (marked("Left, Right"), marked("Pan")),
        ("+, −", marked("Zoom")),
        (marked("Home"), marked("Follow the whole run again")),
        (marked("Shift+Left, Right"), marked("Show the previous or next best")),
        (marked("Escape"), marked("Back to the present")),
    )),
)  # fmt: skip
"""Keys of the focused widget; those of commands are in their table."""


def versions() -> list[tuple[str, str]]:
    """Return names and versions of the libraries and the system."""
    found = [("TileLab", tilelab.__version__), (tr("Python"), platform.python_version())]
    found.append((tr("Qt"), qVersion()))
    for name in PARTS:
        # A frozen program may lack the packages' metadata.
        with contextlib.suppress(PackageNotFoundError):
            found.append((name, version(name)))
    return found


def show_about(parent: QWidget) -> None:
    """Open the About dialog; returns at once."""
    box = named(QMessageBox(parent, iconPixmap=window_icon().pixmap(64, 64)), "about")
    box.setWindowTitle(tr("About TileLab"))
    box.setText(
        tr(
            "<b>TileLab {version}</b><br>A laboratory for letter boards and sliding tiles.",
            version=tilelab.__version__,
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
            "the font Inter under the SIL Open Font License.</p>",
            facts=facts,
            system=system,
        )
    )
    more = box.addButton(tr("Licences"), QMessageBox.ButtonRole.ActionRole)
    more.clicked.connect(partial(show_licences, parent))
    closing = box.addButton(QMessageBox.StandardButton.Ok)
    box.setDefaultButton(closing)
    box.setEscapeButton(closing)  # Qt finds none next to a button that does something else
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def shortcuts(commands: CommandTable) -> Sections:
    """Return the keys of all available commands by menus, then those of parts."""
    by_menu: dict[str, list[tuple[str, str]]] = {}
    for action in commands:
        command = action.command
        if command.key and action.has_keys:
            menu = command.menu[0] if command.menu else Menu.RUN
            line = (command.shown_keys, command.shown_title.rstrip("…"))
            by_menu.setdefault(menu.title, []).append(line)
    parts = [
        (tr(title), [(tr(key), tr(meaning)) for key, meaning in keys])
        for title, keys in KEYS_OF_PARTS
    ]
    return [*by_menu.items(), *parts]


def show_shortcuts(parent: QWidget, commands: CommandTable) -> None:
    """Open the list of keyboard shortcuts; returns at once."""
    dialog = Dialog(parent, tr("Keyboard shortcuts"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    table = QWidget()
    set_role(table, "page")
    sections = shortcuts(commands)
    n_lines = [len(keys) + 2 for _, keys in sections]
    half = min(range(len(sections)), key=lambda n: max(sum(n_lines[:n]), sum(n_lines[n:])))
    parts = (sections[:half], sections[half:])
    row_layout(table, 0, 40, *(column_of(_key_table(part), STRETCH) for part in parts))
    buttons = close_button(dialog)
    column_layout(dialog, (24, 24, 24, 16), 16, (scrolled(table), 1), buttons)
    height = table.sizeHint().height() + _AROUND + buttons.sizeHint().height()
    dialog.resize(max(table.sizeHint().width() + _AROUND, scaled(_WIDTH)), height)
    dialog.open()


def _key_table(sections: Sections) -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    for place, (title, keys) in enumerate(sections):
        if place:
            grid.setRowMinimumHeight(grid.rowCount(), 12)
        grid.addWidget(text_label("title", None, title), grid.rowCount(), 0, 1, 2)
        for key, meaning in keys:
            line = grid.rowCount()
            grid.addWidget(text_label("strong", None, key), line, 0)
            grid.addWidget(QLabel(meaning, wordWrap=True), line, 1)
    return grid


_SIZE = QSize(960, 600)
_LIST_WIDTH = 260


def show_licences(parent: QWidget) -> None:
    """Open the dialog; returns at once."""
    dialog = Dialog(parent, tr("Licences"), "licences")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    found = licences()
    names = QListWidget(dialog)
    names.setAccessibleName(tr("Components"))
    # A long name ends with an ellipsis; a bar would cover half of the last line.
    names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    keep_scaled(names, width=_LIST_WIDTH)
    text = QPlainTextEdit(dialog, readOnly=True)
    text.setAccessibleName(tr("Licence"))
    names.currentRowChanged.connect(
        lambda row: text.setPlainText(f"{found[row].title}\n\n{found[row].text}")
    )
    columns = row_layout(None, 0, 16, names, (text, 1))
    column_layout(dialog, (24, 24, 24, 16), 16, (columns, 1), close_button(dialog))
    dialog.resize(_SIZE)
    dialog.open()
    # Only now, because rows added before the theme reaches the list keep their old height.
    names.addItems([f"{one.part} {one.version}".strip() for one in found])
    names.setCurrentRow(0)
