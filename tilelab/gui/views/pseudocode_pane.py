"""The pseudocode of the solver next to its view; the lines that the last step ran are lit."""

from collections.abc import Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tilelab.core.errors import TileLabError
from tilelab.core.pseudocode import PseudocodeLine
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import labelled
from tilelab.core.views import View
from tilelab.gui.views.asking import next_words
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import column_layout, named, text_label
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_themed,
    legible,
    mix,
    scaled,
    set_role,
    text_font,
    text_pixels,
)

_HOW = marked("Press STEP: the lines that run are lit.")
_INDENT, _MARGIN = 12, 8
_VALUE_GAP = 12  # space between a line and its value
_RIM = 6  # height of a list above and below its lines
_MIN_ROWS, _MIN_ROWS_ALONE = 3, 6  # with the sentence below as one of them
# Above another list, where both would leave a view too little height.
_MIN_ROWS_LOW = 2
_MAX_ROWS_LOW = 5


class _Role(IntEnum):
    """Data of an item."""

    LEVEL = Qt.ItemDataRole.UserRole
    IS_LIT = Qt.ItemDataRole.UserRole + 1
    VALUE = Qt.ItemDataRole.UserRole + 2


class PseudocodePane(QFrame):
    """A list of the lines of a solver's pseudocode; it reads the file when it is first shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pseudocode_pane")
        set_role(self, "well")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._spec: SolverSpec | None = None
        self._names: list[str] = []
        self._lit_rows: list[int] = []
        self._is_alone = False  # whether no other list is below the board
        self._is_low = False  # whether there is one, and little height
        self._title = ElidedLabel(self, role="small")
        self._hint = text_label("muted", self, tr(_HOW), wraps=True)
        self.lines = named(QListWidget(self), "pseudocode", tr("Pseudocode"))
        self.lines.setFrameShape(QFrame.Shape.NoFrame)
        self.lines.setItemDelegate(_LineDelegate(self.lines))
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines.setWordWrap(True)  # else Qt keeps the places of its lines when its width changes
        self.lines.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.lines.verticalScrollBar().rangeChanged.connect(self._reveal)
        self._whole = column_layout(self, _MARGIN, 4, self._title, (self.lines, 1), self._hint)
        keep_themed(self, self._fit)

    @property
    def lit(self) -> dict[str, str]:
        """Values of the lit lines by the names of the lines."""
        items = ((name, self.lines.item(row)) for row, name in enumerate(self._names))
        return {name: item.data(_Role.VALUE) for name, item in items if item.data(_Role.IS_LIT)}

    def set_solver(self, spec: SolverSpec) -> None:
        """Show the pseudocode of another solver, without lit lines."""
        if spec is self._spec:
            return
        self._spec, self._names, self._lit_rows = spec, [], []
        self.lines.clear()
        assert spec.pseudocode is not None
        lines: Sequence[PseudocodeLine] = ()
        try:
            text = spec.pseudocode.read()
        except TileLabError as error:  # a file of a plug-in
            title = str(error)
        else:
            title, lines = f"{text.title} ({text.source})", text.lines
        self._title.setText(title)
        self.lines.setAccessibleDescription(title)
        for number, line in enumerate(lines):
            self.lines.addItem(self._item(number, line))
        self._names = [line.name for line in lines]
        self.lines.setVisible(bool(lines))
        self._show_hint(bool(lines))
        self._fit()

    def set_ended(self, has_ended: bool) -> None:
        """Set whether the run has ended, so that STEP lights no line."""
        self._hint.setText(next_words(has_ended=True) if has_ended else tr(_HOW))

    def set_compact(self, is_compact: bool) -> None:
        """Leave out the title and a part of the margin, where there is little room."""
        self._title.setHidden(is_compact)
        margin = scaled(_MARGIN // 2 if is_compact else _MARGIN)
        self._whole.setContentsMargins(margin, margin, margin, margin)

    def set_alone(self, is_alone: bool, *, is_low: bool) -> None:
        """Take room for more lines if no other list is below the board, or for a few of them.

        is_low: whether there is little height.
        """
        is_low = is_low and not is_alone
        if (is_alone, is_low) != (self._is_alone, self._is_low):
            self._is_alone, self._is_low = is_alone, is_low
            self._fit()

    def show_lines(self, view: View | None) -> None:
        """Light the lines that the step of a view ran; None for no step."""
        ran: Mapping[str, str] = {} if view is None else dict(view.lines)
        for row, name in enumerate(self._names):
            item, value = self.lines.item(row), ran.get(name, "")
            if item.data(_Role.IS_LIT) != (name in ran) or item.data(_Role.VALUE) != value:
                _light(item, row, value, is_lit=name in ran)
        self._show_hint(bool(self._names) and not ran)
        was_lit = bool(self._lit_rows)
        self._lit_rows = [row for row, name in enumerate(self._names) if name in ran]
        self.lines.doItemsLayout()  # lines with values below them are higher
        if was_lit and not self._lit_rows:
            self.lines.scrollToTop()
        self._reveal()

    @Slot()
    def _reveal(self) -> None:
        """Scroll as little as possible so that as many lit lines as possible are visible.

        The first one with a value is among them: it says which board the step is about.
        """
        bar, room = self.lines.verticalScrollBar(), self.lines.viewport().height()
        places = [
            self.lines.visualItemRect(self.lines.item(row)).translated(0, bar.value())
            for row in range(len(self._names))
        ]
        lit = self._lit_rows
        first = next((row for row in lit if self.lines.item(row).data(_Role.VALUE)), None)

        def merit(top: int) -> tuple[bool, int, int]:
            ends = range(top, top + room)
            seen = [
                row for row in lit if places[row].top() in ends and places[row].bottom() in ends
            ]
            return first in seen, len(seen), -abs(top - bar.value())

        tops = {min(place.top(), bar.maximum()) for place in places}
        bar.setValue(max({*tops, bar.value()}, key=merit))

    def _item(self, number: int, line: PseudocodeLine) -> QListWidgetItem:
        item = QListWidgetItem(line.text)
        item.setData(_Role.LEVEL, line.level)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)  # to be read, also by keys, not selected
        _light(item, number, "", is_lit=False)
        return item

    def _show_hint(self, is_shown: bool) -> None:
        if self._hint.isHidden() is is_shown:
            self._hint.setVisible(is_shown)
            self._fit()

    def _fit(self) -> None:
        """Give the list the height of its lines, if there is room.

        Values below lines do not count: the list would change its height from step to step.
        """
        height, least = _row_height(), _MIN_ROWS_LOW if self._is_low else _MIN_ROWS
        least = _MIN_ROWS_ALONE if self._is_alone else least
        least -= not self._hint.isHidden()
        self.lines.setMinimumHeight(min(len(self._names), least) * height + scaled(_RIM))
        most = min(len(self._names), _MAX_ROWS_LOW) if self._is_low else len(self._names)
        self.lines.setMaximumHeight(max(most, 1) * height + scaled(_RIM))
        self.lines.doItemsLayout()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        listed = min(self.lines.sizeHint().height(), self.lines.maximumHeight())
        rest = super().sizeHint().height() - listed
        return QSize(scaled(360), rest + self.lines.maximumHeight())

    def minimumSizeHint(self) -> QSize:
        """Return the size without the title, which needs room of its own.

        If it depended on the room, a page might have two layouts that both fit.
        """
        height = super().minimumSizeHint().height()
        if not self._title.isHidden():
            height -= self._title.sizeHint().height() + self._whole.spacing()
            height -= 2 * (scaled(_MARGIN) - scaled(_MARGIN // 2))
        return QSize(scaled(200), height)

    def hasHeightForWidth(self) -> bool:
        # With the wrapped sentence, a layout would take the usual height as the least one.
        return False


def _light(item: QListWidgetItem, row: int, value: str, *, is_lit: bool) -> None:
    item.setData(_Role.IS_LIT, is_lit)
    item.setData(_Role.VALUE, value)
    text = item.text()
    item.setToolTip(f"{text}\n{value}" if value else text)
    spoken = labelled(f"{row + 1}", text)
    if is_lit:
        spoken = tr("{line}; this line ran. {value}", line=spoken, value=value)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)


def _row_height() -> int:
    return text_pixels("small") + scaled(7)


def _value_height() -> int:
    """Return the additional height of a line with its value below."""
    return text_pixels("small") + scaled(2)


class _LineDelegate(QStyledItemDelegate):
    """Paints a line: number, text, and the value at the end; a lit one bold on a tint.

    A text that has no room is wrapped, and a value that has none after the text is below it.
    """

    def __init__(self, lines: QListWidget) -> None:
        super().__init__(lines)
        self._lines = lines

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        is_below = self._has_value_below(index)
        return QSize(scaled(100), self._text_height(index) + is_below * _value_height())

    def _room(self, metrics: QFontMetrics, index: QModelIndex | QPersistentModelIndex) -> int:
        """Return the width for text and value."""
        # Always without the scroll bar, which comes and goes with the heights of the lines.
        bar = self._lines.verticalScrollBar().sizeHint().width()
        return self._lines.width() - bar - _before_text(metrics, index) - scaled(6)

    def _text_height(self, index: QModelIndex | QPersistentModelIndex) -> int:
        """Return the height of a line without a value below it, which is the same when it is lit.

        A word that is wider than the room is cut.
        """
        metrics = QFontMetrics(text_font("small", strong=True))
        room = QRect(0, 0, max(self._room(metrics, index), 1), 0)
        text = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, index.data())
        return max(_row_height(), text.height() + scaled(4))

    def _has_value_below(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        value = index.data(_Role.VALUE)
        if not value:
            return False
        metrics = QFontMetrics(text_font("small", strong=True))
        needed = metrics.horizontalAdvance(index.data()) + metrics.horizontalAdvance(value)
        return needed + scaled(_VALUE_GAP) > self._room(metrics, index)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme, is_lit = current_theme(), bool(index.data(_Role.IS_LIT))
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = mix(theme.field, theme.accent, 0.14) if is_lit else theme.field
        if is_lit:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(area.adjusted(0, 0.5, 0, -0.5), 4, 4)
        font = text_font("small", strong=is_lit)
        painter.setFont(font)
        metrics = painter.fontMetrics()
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        rest = area.adjusted(_before_text(metrics, index), 0, -scaled(6), 0)
        first = QRectF(rest.left(), rest.top(), rest.width(), _row_height())
        whole = first.adjusted(0, 0, 0, self._text_height(index) - _row_height())
        whole.setWidth(self._room(metrics, index))
        painter.setPen(theme.muted)
        number = QRectF(area.left(), area.top(), _number_width(metrics), first.height())
        painter.drawText(number, right, str(index.row() + 1))
        value = metrics.elidedText(
            index.data(_Role.VALUE), Qt.TextElideMode.ElideRight, int(rest.width())
        )
        painter.setPen(theme.text if is_lit else theme.muted)
        painter.drawText(whole, left | Qt.TextFlag.TextWordWrap, index.data())
        painter.setPen(legible(theme.accent_strong, ground, theme.text))
        if self._has_value_below(index):
            below = first.translated(0, whole.height() - _row_height() + _value_height())
            painter.drawText(below, right, value)
        else:
            painter.drawText(first, right, value)
        painter.restore()


def _number_width(metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance("16") + scaled(4)


def _before_text(metrics: QFontMetrics, index: QModelIndex | QPersistentModelIndex) -> int:
    """Return the width of a line's number and its indent."""
    return _number_width(metrics) + scaled(8) + scaled(_INDENT) * int(index.data(_Role.LEVEL))
