"""The licences of all that the program is made of, one beside the list of them."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QPlainTextEdit, QWidget

from tilelab.core.licences import licences
from tilelab.core.text.language import tr
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import keep_scaled
from tilelab.gui.widgets.window_place import keep_on_screen

_SIZE = QSize(960, 600)
_LIST_WIDTH = 260


def show_licences(parent: QWidget) -> None:
    """Open the dialog; returns at once."""
    dialog = QDialog(parent)
    dialog.setObjectName("licences")
    dialog.setWindowTitle(tr("Licences"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    found = licences()
    names = QListWidget()
    names.setAccessibleName(tr("Parts of the program"))
    keep_scaled(names, width=_LIST_WIDTH)
    text = QPlainTextEdit(readOnly=True)
    text.setAccessibleName(tr("Licence"))
    names.currentRowChanged.connect(
        lambda row: text.setPlainText(f"{found[row].title}\n\n{found[row].text}")
    )
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    whole = column_layout(dialog, (24, 24, 24, 16), 16)
    beside = row_layout(None, 0, 16)
    beside.addWidget(names)
    beside.addWidget(text, 1)
    whole.addLayout(beside, 1)
    whole.addWidget(buttons)
    dialog.resize(_SIZE)
    keep_on_screen(dialog)
    dialog.open()
    # Only now: rows that are there before the theme reaches the list keep the height they had.
    names.addItems([f"{one.part} {one.version}".strip() for one in found])
    names.setCurrentRow(0)
