"""What stands in place of a plan while there is none: how to begin, with examples."""

import tomllib

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from tilelab.core.files.resources import resource
from tilelab.core.text.language import tr
from tilelab.gui.widgets.parts import calling, column_layout, push_button, text_label

_OWN = """\
title = "Experiment"
seed = 1
repeats = 10

[puzzle]
kind = "boggle"

[[solvers]]
solver = "genetic"

[limits]
units = 100
"""


def examples() -> dict[str, str]:
    """Return the built-in plans by their titles."""
    files = sorted(resource("plans").iterdir(), key=lambda file: file.name)
    texts = [file.read_text(encoding="utf-8") for file in files if file.name.endswith(".toml")]
    return {str(tomllib.loads(text)["title"]): text for text in texts}


class Beginnings(QWidget):
    """A click puts an example into the plan."""

    chosen = Signal(str)
    """The text of a plan."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        said = text_label(
            "muted",
            self,
            tr(
                "A plan says which solvers run on what, how often and how long. Begin with an "
                "example, or write your own."
            ),
        )
        said.setWordWrap(True)
        self.buttons: list[QPushButton] = []
        column = column_layout(self, 0, 10)
        column.addWidget(said)
        for number, (title, text) in enumerate(examples().items(), 1):
            tip = tr(text.splitlines()[0].lstrip("# "))
            button = push_button(tr(title), f"experiment_example_{number}", tip, self)
            button.clicked.connect(calling(self.chosen.emit, text))
            self.buttons.append(button)
            question = text_label("small", self, tip)
            question.setWordWrap(True)
            question.setContentsMargins(2, 0, 0, 6)
            column.addWidget(button)
            column.addWidget(question)
        own = push_button(
            tr("A plan of your own"), "experiment_own", tr("Begin with the least"), self
        )
        own.clicked.connect(calling(self.chosen.emit, _OWN))
        self.buttons.append(own)
        column.addSpacing(8)
        column.addWidget(own)
        column.addStretch(1)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
