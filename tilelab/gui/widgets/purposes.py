"""Lines of a list: a title, and below it what it is for, such as those of the solvers."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from tilelab.gui.widgets.theme import current_theme, scaled, text_font

PURPOSE = int(Qt.ItemDataRole.UserRole) + 1
"""What a solver is for, in a sentence or ''."""
_SIDE, _HEIGHT = 10, 46
Index = QModelIndex | QPersistentModelIndex


class PurposeDelegate(QStyledItemDelegate):
    """Draws title and purpose; a line without a purpose looks like any other."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, purpose = current_theme(), str(index.data(PURPOSE) or "")
        area, state = QRect(option.rect), option.state
        painter.save()
        marked = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
        if state & marked:
            painter.fillRect(area, theme.wash)
        area.adjust(_SIDE, 0, -_SIDE, 0)
        middle = area.center().y() if purpose else area.bottom()
        is_enabled = bool(state & QStyle.StateFlag.State_Enabled)
        painter.setPen(theme.text if is_enabled else theme.faint)
        painter.setFont(text_font())
        upper = Qt.AlignmentFlag.AlignBottom if purpose else Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            QRect(area.topLeft(), QSize(area.width(), middle - area.top() + 1)),
            Qt.AlignmentFlag.AlignLeft | upper,
            _cut(painter, str(index.data()), area.width()),
        )
        painter.setPen(theme.muted)
        painter.setFont(text_font("small"))
        below = QRect(area.left(), middle + 2, area.width(), area.bottom() - middle - 1)
        purpose = _cut(painter, purpose, area.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, purpose)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        purpose = str(index.data(PURPOSE) or "")
        title = QFontMetrics(text_font()).horizontalAdvance(str(index.data()))
        said = QFontMetrics(text_font("small")).horizontalAdvance(purpose)
        height = scaled(_HEIGHT) if purpose else super().sizeHint(option, index).height()
        return QSize(max(title, said) + 2 * _SIDE, height)


def _cut(painter: QPainter, text: str, width: int) -> str:
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
