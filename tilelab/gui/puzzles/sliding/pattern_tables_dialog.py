"""The dialog of pattern databases, which builds missing ones in the background."""

import time

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QPushButton, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import about, memory
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.parts import (
    calling,
    close_button,
    column_layout,
    named,
    show_in_front,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, set_style_property
from tilelab.gui.widgets.window_place import Dialog
from tilelab.puzzles.sliding.heuristics import pattern_database as patterns

_INTRODUCTION = marked(
    "With pattern databases, IDA* proves shortest solutions much faster. They are built once "
    "and kept in the cache. “Best for the shape” uses the most exact ones."
)
_EARLY = 0.02  # part of the work after which the remaining time is estimated


class TablesDialog(Dialog):
    """A dialog with a row for each partition; a build continues while it is closed."""

    built = Signal(str)  # emitted with a text when the tables of a partition are ready

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Pattern databases"), place="sliding-tiles#pattern-databases")
        self._building = ""
        self._began = 0.0
        self._background = TaskRunner(self, self._reported, failed=self._failed, ended=self._ended)
        self._states: dict[str, QLabel] = {}
        self._buttons: dict[str, QPushButton] = {}
        self._bar = QProgressBar(self, textVisible=False, minimum=0, maximum=1000)
        self._bar.setAccessibleName(tr("Progress of the tables"))
        self._left = text_label("small", self)
        self._said = text_label("error", self, wraps=True)
        self._lay_out()
        self._show()

    def bring(self) -> None:
        self._show()
        show_in_front(self)

    def turn(self, name: str) -> None:
        """Build the tables of a partition, or cancel that."""
        self._said.clear()
        if self._building:
            self._background.cancel()
            self._building = ""
        else:
            self._building, self._began = name, time.monotonic()
            self._bar.setValue(0)
            self._background.start(patterns.building(name))
        self._show()

    @Slot(object)
    def _reported(self, part: float) -> None:
        self._bar.setValue(round(1000 * part))
        if part > _EARLY:
            seconds = (time.monotonic() - self._began) * (1 - part) / part
            self._left.setText(
                tr(
                    "Making {building}: about {time} left",
                    building=self._building,
                    time=about(seconds),
                )
            )

    @Slot()
    def _ended(self) -> None:
        name, self._building = self._building, ""
        self._show()
        self.built.emit(tr("The pattern databases {name} are ready.", name=name))

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._building = ""
        self._said.setText(text)
        self._show()

    def _show(self) -> None:
        for name, state in self._states.items():
            parts, button = patterns.PARTITIONS[name], self._buttons[name]
            is_there = patterns.is_ready(name)
            ready = tr("made in no time") if parts.is_instant else tr("made")
            state.setText(
                tr("being made")
                if name == self._building
                else ready
                if is_there
                else tr("not made")
            )
            button.setVisible(not is_there)
            button.setText(tr("Cancel") if name == self._building else tr("Make"))
            button.setEnabled(self._building in ("", name))
        self._bar.setVisible(bool(self._building))
        self._left.setText(
            tr("Making {building}…", building=self._building) if self._building else ""
        )

    def _lay_out(self) -> None:
        introduction = text_label("muted", self, tr(_INTRODUCTION), wraps=True)
        keep_scaled(introduction, least_width=440)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        for col, title in enumerate((tr("Tiles"), tr("Board"), tr("Size"), tr("State"))):
            grid.addWidget(text_label("small", self, title), 0, col)
        for row, (name, parts) in enumerate(patterns.PARTITIONS.items(), 1):
            size = memory(sum(parts.sizes) / 2**20)
            for col, text in enumerate((name, f"{parts.side}×{parts.side}", size)):
                grid.addWidget(QLabel(text, self), row, col)
            self._states[name] = QLabel(self)
            button = QPushButton(tr("Make"), self)
            named(button, f"make_{name}", tr("Make {name}", name=name))
            set_style_property(button, "small", True)
            button.clicked.connect(calling(self.turn, name))
            self._buttons[name] = button
            grid.addWidget(self._states[name], row, 3)
            grid.addWidget(button, row, 4)
            grid.setRowMinimumHeight(row, 26)
        grid.setColumnStretch(3, 1)
        below = self._bar, self._left, self._said, close_button(self)
        column_layout(self, (24, 24, 24, 16), 16, introduction, grid, *below)
