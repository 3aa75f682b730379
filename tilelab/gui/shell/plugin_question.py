"""The question whether plug-ins are to be left out, after one has ended the last start."""

from PySide6.QtWidgets import QMessageBox

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted


def question(name: str) -> QMessageBox:
    """Make the question; name: of the plug-in that was loaded when the last start ended."""
    box = QMessageBox()
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(tr("The last start ended while the plug-in {name} was loaded.", name=quoted(name)))
    box.setInformativeText(
        tr("Without plug-ins everything else works. To leave them out at any start, hold Shift.")
    )
    out = box.addButton(tr("Leave plug-ins out"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Load them"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(out)
    return box


def wants_no_plugins(name: str) -> bool:
    """Ask whether plug-ins are to be left out."""
    box = question(name)
    box.exec()
    return box.clickedButton() is box.defaultButton()
