"""The one question when a window closes over runs that are going or that are on no disk."""

import enum
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.parts import column_layout, row_layout, text_label
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import keep_on_screen

_OFFERED_ONE = marked("Kept for next time, the next start offers it to go on with.")
_OFFERED = marked("Kept for next time, the next start offers them to go on with.")


class Closing(enum.Enum):
    """What shall become of the runs."""

    KEEP = "keep"
    """The next start offers them."""
    SAVE_AS = "save_as"
    DISCARD = "discard"
    STAY = "stay"
    """The window stays open."""


class ShutdownDialog(QDialog):
    """Names the runs; Enter keeps them, Esc stays."""

    def __init__(self, window: QWidget, runs: Sequence[str]) -> None:
        super().__init__(window)
        self.setObjectName("closing_dialog")
        self.setWindowTitle(tr("Close TileLab"))
        self._answer = Closing.STAY
        asked, offered = tr("What shall become of these runs?"), _OFFERED
        if len(runs) == 1:
            asked, offered = tr("What shall become of the run?"), _OFFERED_ONE
        question = text_label("title", self, asked)
        names = [ElidedLabel(self, Qt.TextElideMode.ElideMiddle) for _ in runs]
        for named, run in zip(names, runs, strict=True):
            named.setText(run)
            keep_scaled(named, least_width=420)
        kept = text_label(
            "muted",
            self,
            tr(offered),
        )
        buttons = {
            Closing.DISCARD: self._button(tr("Discard"), Closing.DISCARD),
            Closing.STAY: self._button(tr("Cancel"), Closing.STAY),
            Closing.SAVE_AS: self._button(tr("Save as…"), Closing.SAVE_AS),
            Closing.KEEP: self._button(tr("Keep for next time"), Closing.KEEP),
        }
        set_role(buttons[Closing.KEEP], "primary")
        buttons[Closing.KEEP].setDefault(True)
        buttons[Closing.KEEP].setFocus()
        row = row_layout(spacing=8)
        for answer, button in buttons.items():
            row.addWidget(button)
            if answer is Closing.DISCARD:
                row.addStretch(1)
        keep_on_screen(self)
        bind_manual_key(self, "window#closing")
        whole = column_layout(self, (24, 20, 24, 20), 8)
        for label in (question, *names, kept):
            whole.addWidget(label)
        whole.addSpacing(12)
        whole.addLayout(row)

    def answer(self) -> Closing:
        """Ask once; returns what was chosen."""
        self.exec()
        self.deleteLater()
        return self._answer

    def _button(self, text: str, answer: Closing) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(f"closing_{answer.value}")
        button.setAutoDefault(answer is Closing.KEEP)

        def choose() -> None:
            self._answer = answer
            self.accept()

        button.clicked.connect(choose)
        return button
