"""Finds texts that a window shows cut off: what they need is more than what they have.

What is cut on purpose (an ellipsis, the whole text in the tool tip) is fine, and so is what can be
scrolled to.
"""

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QTableView,
    QToolButton,
    QWidget,
)

from tilelab.gui.run.page_layout import ChartChoice
from tilelab.gui.shell.puzzle_tab import PuzzleTab
from tilelab.gui.widgets.elided import ElidedComboBox, ElidedLabel
from tilelab.gui.widgets.parts import SearchField, StripButton
from tilelab.gui.widgets.theme import text_scale

_OFF = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
_ROUNDS = 6
"""A text that is wrapped may ask for another height when its width is known."""
_LINE_PADDING = 12
"""Pixels of border and padding at either side of a line edit's text, by the style sheet."""
_LINE_EDGES = 2
"""Pixels that a line edit keeps free at either side of its text."""


def clipped_texts(window):
    """Return a sentence for each text of a window that is shown cut."""
    fit_contents(window)
    parts = [part for part in window.findChildren(QWidget) if part.isVisibleTo(window)]
    return [
        f"{_named(part)}: {fault}" for part in parts for fault in _faults(part, window) if fault
    ]


def cut_cells(window):
    """Return a sentence for each cut cell or heading of the visible tables of a window."""
    fit_contents(window)
    tables = [table for table in window.findChildren(QTableView) if table.isVisibleTo(window)]
    return [f"{_named(table)}: {fault}" for table in tables for fault in _table(table)]


def scrolled_sideways(window):
    """Return a sentence for each visible form of a window that scrolls sideways."""
    areas = [area for area in window.findChildren(QScrollArea) if area.isVisibleTo(window)]
    wanted = [area.widget().minimumSizeHint().width() for area in areas]
    return [
        f"{_named(area)}: {fault}"
        for area, width in zip(areas, wanted, strict=True)
        if (fault := _more(width, area.viewport().width()))
    ]


def fit_contents(window):
    """Let all layouts take their places, without drawing anything."""
    window.show()
    for _ in range(_ROUNDS):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.sendPostedEvents()


def _faults(part, window):
    if part.isWindow() or not _says_something(part):
        return
    yield _beyond(part, window)
    if isinstance(part, ElidedLabel):
        return
    if isinstance(part, QLabel):
        yield _label(part)
    elif isinstance(part, QCheckBox | QRadioButton):
        yield _more(part.sizeHint().width(), part.width())
    elif isinstance(part, QAbstractButton):
        yield _button(part)
    elif isinstance(part, QComboBox):
        yield from _combo_box(part)
    elif isinstance(part, QAbstractSpinBox):
        yield _spin_box(part)
    elif isinstance(part, QLineEdit):
        yield _placeholder(part)
    elif isinstance(part, QTableView):
        yield from _table(part)


def _says_something(part):
    if isinstance(part, QToolButton) and not part.icon().isNull():
        # Where it shows an icon alone, its text is for those who do not see it.
        return part.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonIconOnly
    if isinstance(part, QLabel | QAbstractButton):
        return bool(part.text())
    return isinstance(part, QComboBox | QAbstractSpinBox | QLineEdit | QTableView)


def _named(part):
    said = part.text() if isinstance(part, QLabel | QAbstractButton | QLineEdit) else ""
    return f"{type(part).__name__} {part.objectName()} {said!r}"


def _more(wanted, given):
    return f"{wanted} pixels wanted, {given} given" if wanted > given else ""


def _beyond(part, window):
    """Whether a part reaches out of what it stands in, where nobody can scroll to it."""
    area = QRect(part.mapTo(window, QPoint(0, 0)), part.size())
    around = part.parentWidget()
    while around is not None and not around.isWindow():
        holder = around.parentWidget()
        if isinstance(holder, QAbstractScrollArea) and holder.viewport() is around:
            across = holder.horizontalScrollBarPolicy() != _OFF
            if across:
                return ""
            if area.left() < _left(around, window) or area.right() > _right(around, window):
                return "reaches out of what is scrolled"
            # Up and down it can be scrolled; what remains is whether it is too wide further out.
            top = around.mapTo(window, QPoint(0, 0)).y()
            area.moveTop(top)
            area.setHeight(min(area.height(), around.height()))
        elif not QRect(around.mapTo(window, QPoint(0, 0)), around.size()).contains(area):
            return f"reaches out of {type(around).__name__} {around.objectName()}"
        around = holder
    return "" if window.rect().contains(area) else "reaches out of the window"


def _left(around, window):
    return around.mapTo(window, QPoint(0, 0)).x()


def _right(around, window):
    return _left(around, window) + around.width() - 1


def _label(label):
    if label.textFormat() == Qt.TextFormat.RichText or not label.pixmap().isNull():
        return _more(label.minimumSizeHint().width(), label.width())
    room = label.contentsRect().width() - 2 * label.margin() - max(label.indent(), 0)
    if not label.wordWrap():
        lines = label.text().split("\n")
        return _more(max(map(label.fontMetrics().horizontalAdvance, lines)), room)
    words = label.text().replace("\n", " ").replace("-", "- ").split(" ")
    wide = max(map(label.fontMetrics().horizontalAdvance, words))
    high = label.heightForWidth(label.width())
    return _more(wide, room) or (
        f"{high} pixels high wanted, {label.height()} given" if high > label.height() else ""
    )


def _button(button):
    font = QFont(button.font())
    if button.isCheckable():
        # The chosen one of several stands in heavy letters.
        font.setWeight(QFont.Weight.DemiBold)
    text = button.text().replace("&", "")
    rim = button.style().pixelMetric(QStyle.PixelMetric.PM_DefaultFrameWidth, None, button)
    icon = button.iconSize().width() + 4 if not button.icon().isNull() else 0
    wanted = QFontMetrics(font).horizontalAdvance(text) + icon + 2 * rim
    area = button.contentsRect()
    room = area.height() if isinstance(button, StripButton) else area.width()
    return _more(wanted, room - _padding(button))


def _padding(button):
    """The least padding of any kind of button in the style sheet, at both sides together."""
    is_tight = button.property("tight") or isinstance(button, PuzzleTab)
    return 8 if is_tight else 6 if button.property("role") == "section" else 14


def _combo_box(box):
    option = ElidedComboBox.text_area(box) if isinstance(box, ElidedComboBox) else None
    if option is not None:
        # Its tool tip has the whole text; a short form that fits is not cut at all.
        is_whole = "…" not in box.shown_text
        wanted = box.fontMetrics().horizontalAdvance(box.shown_text) if is_whole else 60
        yield _more(wanted, option.width())
        return
    is_resized = isinstance(box, ChartChoice)  # another choice gives it another width
    titles = [box.currentText()] if is_resized else map(box.itemText, range(box.count()))
    wanted = max(map(box.fontMetrics().horizontalAdvance, titles), default=0)
    # What the box itself asks for is rounded down by up to one pixel in large type.
    yield _more(wanted, _edit_width(box) + 1)


def _edit_width(box):
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    return (
        box.style()
        .subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            box,
        )
        .width()
    )


def _spin_box(box):
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    area = box.style().subControlRect(
        QStyle.ComplexControl.CC_SpinBox, option, QStyle.SubControl.SC_SpinBoxEditField, box
    )
    line = box.lineEdit()
    margins = line.textMargins()
    room = min(area.width(), line.width()) - margins.left() - margins.right() - 2 * _LINE_EDGES
    return _more(line.fontMetrics().horizontalAdvance(line.text()), room)


def _placeholder(line):
    """Compare the text of an empty field with the room between its icons.

    The text may be cut if the tool tip has the whole of it, perhaps that of the list around it. In
    large type, the magnifying glass of a field for a search is enough.
    """
    if line.text() or (isinstance(line, SearchField) and text_scale() >= 1.5):
        return ""
    icons = [part for part in line.findChildren(QToolButton) if part.isVisibleTo(line)]
    is_inside = isinstance(line.parentWidget(), QComboBox | QAbstractSpinBox)
    edges = 2 * (_LINE_EDGES + (0 if is_inside else _LINE_PADDING))
    room = line.width() - edges - sum(icon.width() for icon in icons)
    tips = line.toolTip(), line.parentWidget().toolTip() if is_inside else ""
    if any(line.placeholderText() in tip for tip in tips):
        return ""
    return _more(line.fontMetrics().horizontalAdvance(line.placeholderText()), room)


def _table(table):
    """A heading that is cut, or a cell that is cut and has no tool tip, or cannot be made wider."""
    model, heads = table.model(), table.horizontalHeader()
    for col in range(model.columnCount()):
        if table.isColumnHidden(col) or not heads.isVisible():
            continue
        text = str(model.headerData(col, Qt.Orientation.Horizontal) or "")
        wide = heads.fontMetrics().horizontalAdvance(text)
        if fault := _more(wide, heads.sectionSize(col)):
            yield f"heading {text!r}: {fault}"
        is_fixed = col and heads.sectionResizeMode(col) == QHeaderView.ResizeMode.Fixed
        for row in range(min(model.rowCount(), 20)):
            index = model.index(row, col)
            text = str(index.data() or "")
            wide = table.fontMetrics().horizontalAdvance(text)
            fault = _more(wide, table.columnWidth(col))
            if fault and (is_fixed or not index.data(Qt.ItemDataRole.ToolTipRole)):
                yield f"cell {text!r}: {fault}"
