"""The one question when a window closes over runs that are going or that are on no disk."""

import enum
from collections.abc import Sequence

from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from tilelab.runs.wording import counted


class Closing(enum.Enum):
    """What shall become of the runs."""

    KEEP = enum.auto()
    """The next start offers them."""
    SAVE_AS = enum.auto()
    DISCARD = enum.auto()
    STAY = enum.auto()
    """The window stays open."""


class ClosingDialog(QMessageBox):
    """Names the runs; Enter keeps them, Esc stays."""

    def __init__(self, window: QWidget, runs: Sequence[str]) -> None:
        super().__init__(window)
        self.setWindowTitle("Close TileLab")
        self.setIcon(QMessageBox.Icon.NoIcon)
        self.setText(f"What shall become of {'the run' if len(runs) == 1 else 'the runs'}?")
        self.setInformativeText("\n".join(runs))
        kinds = QMessageBox.ButtonRole
        self._answers = {
            self._button("Keep for next time", "keep", kinds.AcceptRole): Closing.KEEP,
            self._button("Save as…", "save_as", kinds.YesRole): Closing.SAVE_AS,
            self._button("Discard", "discard", kinds.DestructiveRole): Closing.DISCARD,
        }
        keep, _, discard = self._answers
        keep.setToolTip(f"The next start offers {counted(len(runs), 'run')} to go on with")
        discard.setToolTip("They cannot be got back" if len(runs) > 1 else "It cannot be got back")
        stay = self._button("Cancel", "stay", kinds.RejectRole)
        self.setDefaultButton(keep)
        self.setEscapeButton(stay)

    def answer(self) -> Closing:
        """Ask; returns what was chosen."""
        self.exec()
        clicked = self.clickedButton()
        return next(
            (answer for button, answer in self._answers.items() if button is clicked), Closing.STAY
        )

    def _button(self, text: str, name: str, role: QMessageBox.ButtonRole) -> QPushButton:
        button = self.addButton(text, role)
        button.setObjectName(name)
        return button
