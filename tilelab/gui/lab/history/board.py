"""A run's best board with what it is, beside another one or alone."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.gui.boards.record_picture import BoardPicture, scene_of
from tilelab.gui.widgets.parts import column_layout, spotted
from tilelab.gui.widgets.theme import set_role
from tilelab.runs.history.record import RunRecord


class HistoryBoard(QWidget):
    """A run's board with its number, solver and value above."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._title, self._value = QLabel(self), QLabel(self)
        self._title.setProperty("rich", True)
        set_role(self._value, "title")
        # Two boards side by side are alike large, whatever their solvers are called.
        for label in (self._title, self._value):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._named: tuple[RunRecord, QColor] | None = None
        self._picture = BoardPicture(self)
        column = column_layout(self, 0, 2)
        column.addWidget(self._title)
        column.addWidget(self._value)
        column.addWidget(self._picture, 1)

    def show_record(self, record: RunRecord, colour: QColor) -> None:
        """Show a run's board; colour: of its curve."""
        self._named = record, colour
        self._fit_title()
        self._title.setToolTip(tool_tip(tr(record.solver_title)))
        self._value.setText(record.value_text or tr("No board"))
        self._picture.show_scene(scene_of(record))
        self._picture.setToolTip(tool_tip("\n".join(record.board)))
        self.setAccessibleName(
            tr("Run {id}: {value_text}").format(id=record.id, value_text=record.value_text)
        )
        self.setAccessibleDescription(" / ".join(record.board))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_title()

    def _fit_title(self) -> None:
        """Cut the solver's name where it would run into the next board."""
        if self._named is None:
            return
        record, colour = self._named
        metrics = self._title.fontMetrics()
        room = self.width() - metrics.horizontalAdvance(f"●\xa0#{record.id} ")
        solver = metrics.elidedText(tr(record.solver_title), Qt.TextElideMode.ElideRight, room)
        self._title.setText(spotted(f"#{record.id} {solver}", colour))
