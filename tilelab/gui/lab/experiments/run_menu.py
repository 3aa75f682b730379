"""The runs behind a point of a chart, one of which is chosen."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted, number
from tilelab.experiments.cell_run import Row
from tilelab.gui.widgets.parts import column_layout, text_label
from tilelab.gui.widgets.theme import set_style_property

_MOST_SHOWN = 9
_WIDTH = 320


class RunMenu(QFrame):
    """A list that is open until a run is chosen, or something else is clicked."""

    chosen = Signal(int)
    """The place of a run in the plan."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_style_property(self, "card", True)
        self._title = text_label("small", self)
        self.list = QListWidget(self)
        self.list.setObjectName("experiment_run_menu")
        self.list.setAccessibleName(tr("Runs"))
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(self._choose)
        whole = column_layout(self, 12, 6)
        whole.addWidget(self._title)
        whole.addWidget(self.list, 1)

    def ask(self, rows: Mapping[int, Row], places: Sequence[int], at: QPoint) -> None:
        """Open it; rows: by the places of their runs. at: a point of the screen."""
        self._title.setText(
            tr("{counted}; click one to open it").format(counted=counted(len(places), "run"))
        )
        self.list.clear()
        for place in places:
            item = QListWidgetItem(run_words(rows[place]))
            item.setData(Qt.ItemDataRole.UserRole, place)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        shown = min(len(places), _MOST_SHOWN)
        self.resize(QSize(_WIDTH, 60 + shown * max(self.list.sizeHintForRow(0), 20)))
        screen = self.screen().availableGeometry()
        self.move(
            min(at.x(), screen.right() - self.width()), min(at.y(), screen.bottom() - self.height())
        )
        self.show()
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentItem())
        else:
            super().keyPressEvent(event)

    @Slot(QListWidgetItem)
    def _choose(self, item: QListWidgetItem) -> None:
        self.close()
        self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))


def run_words(row: Row) -> str:
    """Name a run in a line."""
    value = tr("no value") if row["value"] is None else number(row["value"])
    return tr("instance {value}, repeat {value_2}: {value_3}").format(
        value=figures(row["instance"], ","), value_2=figures(row["repeat"], ","), value_3=value
    )
