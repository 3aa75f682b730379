"""What is known of one record: the board, who has reached it, and how."""

import shlex

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.boards.tile_pictures import BoardPicture, scene_of
from tilelab.gui.widgets.fact_table import FactTable
from tilelab.gui.widgets.parts import column_layout, push_button, row_layout, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.runs.history.record import RunRecord
from tilelab.runs.records import (
    BestKnown,
    BuiltinRecord,
    command_of,
    counted_text,
    rules_text,
    size_text,
)

_FACTS = {
    "by": marked("By"),
    "proven": marked("Proven"),
    "own": marked("Yours"),
    "solver": marked("Solver"),
    "seed": marked("Seed"),
}
_NOTHING = marked("Choose a record to see its board and how it was reached.")
_LEAST_PICTURE = 180


def run_of(known: BestKnown) -> RunRecord:
    """Return the run that has reached the best known value; raises TileLabError."""
    record = known.best.record
    return record.as_run() if isinstance(record, BuiltinRecord) else record


class RecordCard(QWidget):
    """Shows one record, and opens it."""

    board_asked = Signal(object)
    """RunRecord: open its board on its page."""
    again_asked = Signal(object)
    """RunRecord: run the same once more."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._run: RunRecord | None = None
        self._command = ""
        self.title = text_label("title", self, tr("Record"))
        self.title.setObjectName("record_title")
        self.said = QLabel(self)
        self.said.setObjectName("record_said")
        self.said.setWordWrap(True)
        set_role(self.said, "muted")
        self.value = text_label("large", self)
        self.value.setObjectName("record_value")
        self._picture = BoardPicture(self)
        self._picture.setMinimumHeight(_LEAST_PICTURE)
        self._facts = FactTable(_FACTS, self)
        tip = tr("Show this board on its page")
        self.open_button = push_button(tr("Open board"), "record_open", tip, self)
        tip = tr("Run the same again: with its seed it comes to the same board")
        self.again_button = push_button(tr("Run again"), "record_again", tip, self)
        tip = tr("Copy the command that reaches this value")
        self.copy_button = push_button(tr("Copy command"), "record_copy", tip, self)
        self.open_button.clicked.connect(self._open)
        self.again_button.clicked.connect(self._again)
        self.copy_button.clicked.connect(self._copy)
        for label in (self.title, self.value):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()
        self.show_record(None)

    @property
    def run(self) -> RunRecord | None:
        """The run that has reached what is shown; None where nothing is."""
        return self._run

    def show_record(self, known: BestKnown | None) -> None:
        """Show what is known of a category; None: of nothing."""
        self._run = None
        if known is not None:
            try:
                self._run = run_of(known)
            except TileLabError:  # of a plug-in that is not there any more
                known = None
        for part in (self.value, self._picture, self._facts):
            part.setVisible(known is not None)
        if known is None or self._run is None:
            self.title.setText(tr("Record"))
            self.said.setText(tr(_NOTHING))
            self._command = ""
            self._allow()
            return
        best, category = known.best, known.category
        record = best.record
        words = record.command if isinstance(record, BuiltinRecord) else command_of(record)
        self._command = shlex.join(words)
        self.title.setText(f"{one_line(known.title)}, {size_text(category)}")
        rules = rules_text(category)
        self.said.setText(", ".join(filter(None, (counted_text(category), rules))))
        self.value.setText(best.value_text)
        self._picture.show_scene(scene_of(self._run))
        self._picture.setAccessibleName(tr("The board: ") + " / ".join(best.board))
        self._facts.show_fact("by", tr(best.by))
        self._facts.show_fact("proven", "yes" if best.is_proven else tr("not known"))
        self._facts.show_fact("own", "" if known.own is None else known.own.value_text)
        self._facts.show_fact("solver", tr(self._run.solver_title))
        self._facts.show_fact("seed", str(self._run.seed) if self._run.solver else "")
        self._allow()

    def _allow(self) -> None:
        self.open_button.setEnabled(self._run is not None)
        self.again_button.setEnabled(bool(self._command))
        self.copy_button.setEnabled(bool(self._command))

    @Slot()
    def _open(self) -> None:
        if self._run is not None:
            self.board_asked.emit(self._run)

    @Slot()
    def _again(self) -> None:
        if self._run is not None:
            self.again_asked.emit(self._run)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)

    def _lay_out(self) -> None:
        whole = column_layout(self, 16, 8)
        whole.addWidget(self.title)
        whole.addWidget(self.said)
        whole.addWidget(self.value)
        whole.addWidget(self._picture, 1)
        whole.addWidget(self._facts)
        buttons = row_layout(spacing=8)
        for button in (self.open_button, self.again_button, self.copy_button):
            buttons.addWidget(button, 1)
        whole.addLayout(buttons)
        whole.setAlignment(Qt.AlignmentFlag.AlignTop)
