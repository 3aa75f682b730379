"""All values that users set in a window: read them, and set each of them to another one."""

from collections import Counter

from PySide6.QtCore import QCoreApplication, QEvent, QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QSlider,
    QSplitter,
    QTreeView,
    QWidget,
)
from shiboken6 import isValid

from tilelab.gui.boards.cell_view import CellView
from tilelab.gui.charts.plot import Plot
from tilelab.gui.views.view_stack import ViewTabs

_WIDTH = 790  # less than the screen of the tests
_SIZED = 40  # pixels by which a size is changed
_IS_LIST = (QComboBox, QAbstractSpinBox)


def values_of(window):
    """Return the value of each widget by its place in the window."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return {place: _value(part) for place, part in _parts(window).items()}


def turn(window, leave=lambda place: False):
    """Set each value to another one, as users do; returns the places that could not be changed.

    leave: says whether the value at a place stays, because it would show another page.
    """
    _turn_window(window)
    before, seen = values_of(window), set()
    for kinds, _, change in _KINDS:
        while True:
            found = _parts(window)
            places = (
                place
                for place, part in found.items()
                if isinstance(part, kinds) and place not in seen and not leave(place)
            )
            if (place := next(places, None)) is None:
                break
            seen.add(place)
            if found[place].isEnabled():
                change(found[place])
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    after = values_of(window)
    return {place for place in seen if before.get(place) == after.get(place)}


def _parts(window):
    """Return all widgets with a value by their places."""
    parts, same = {"window": window}, Counter()
    for part in window.findChildren(QWidget):
        if not isinstance(part, _ALL) or part.window() is not window or not _is_own(part):
            continue
        place = _place(part, window)
        same[place] += 1
        parts[f"{place} {same[place]}" if same[place] > 1 else place] = part
    return parts


def _is_own(part):
    """Whether users set the value of a widget itself, not of the list or field around it."""
    above = part.parentWidget()
    while above is not None and not above.isWindow():
        if isinstance(above, _IS_LIST) or type(above).__name__ == "_FirstColumn":
            return False
        above = above.parentWidget()
    if isinstance(part, QAbstractButton):
        # Tabs of the views that another solver has are hidden, and used again.
        is_spare = part.isHidden() and isinstance(part.parent(), ViewTabs)
        return part.isCheckable() and not is_spare
    if isinstance(part, QLineEdit | QPlainTextEdit):
        return not part.isReadOnly()
    if isinstance(part, QHeaderView):
        return isinstance(part.parent(), QAbstractItemView) and part.orientation() is Qt.Horizontal
    if isinstance(part, QScrollBar):
        return False
    return type(part).__name__ != "_FirstColumn"


def _place(part, window):
    names = []
    while part is not window:
        title = getattr(part, "title", "")
        title = title if isinstance(title, str) else ""
        name = part.objectName() or f"{type(part).__name__}{title and ' ' + title}"
        if not name.startswith("qt_") and type(part) is not QWidget:
            names.append(name)
        part = part.parentWidget()
    return "/".join(reversed(names))


def _value(part):
    return next(read for kinds, read, _ in _KINDS if isinstance(part, kinds))(part)


def _read_list(box):
    data = box.currentData()
    return box.currentIndex() if data is None else data


def _turn_list(box):
    place = (box.currentIndex() + 1) % max(box.count(), 1)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def _turn_line(line):
    text = line.text()
    line.selectAll()
    QTest.keyClicks(line, str(int(text) + 1) if text.isdecimal() else "a")
    if isValid(line):
        line.editingFinished.emit()


def _turn_number(box):
    box.stepBy(1)
    if isValid(box):
        box.editingFinished.emit()


def _turn_text(edit):
    edit.setPlainText("a")


def _turn_slider(slider):
    slider.setValue(slider.value() + (1 if slider.value() < slider.maximum() else -1))


def _read_splitter(splitter):
    # One that is not seen has not been laid out.
    return splitter.sizes() if splitter.isVisible() else None


def _turn_splitter(splitter):
    sizes = splitter.sizes()
    for change in (_SIZED, -_SIZED):
        splitter.setSizes([sizes[0] + change, sizes[1] - change, *sizes[2:]])
        if splitter.sizes() != sizes:
            return


def _read_heading(heads):
    places = range(heads.count())
    return (
        [heads.sectionSize(place) for place in places],
        [heads.visualIndex(place) for place in places],
        (heads.sortIndicatorSection(), heads.sortIndicatorOrder()),
    )


def _turn_heading(heads):
    if heads.count() > 1:
        heads.resizeSection(1, heads.sectionSize(1) + _SIZED)
        if heads.sectionsMovable():
            heads.moveSection(1, heads.count() - 1)
        if heads.sectionsClickable() and heads.isSortIndicatorShown():
            heads.setSortIndicator(1, Qt.SortOrder.DescendingOrder)


def _read_rows(view):
    model = view.selectionModel()
    rows = {} if model is None else {one.row() for one in model.selectedIndexes()}
    return sorted(rows)


def _turn_rows(view):
    model, chosen = view.model(), view.selectionModel()
    if model is not None and model.rowCount() > 1 and chosen is not None:
        below = (view.currentIndex().row() + 1) % model.rowCount()
        is_tree = isinstance(view, QTreeView)
        index = view.indexBelow(view.currentIndex()) if is_tree else model.index(below, 0)
        flag = QItemSelectionModel.SelectionFlag
        chosen.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)


def _read_plot(plot):
    view = plot.view
    ends = [] if view.is_whole else [round(end, 3) for end in plot.box.viewRange()[0]]
    return view.is_whole, ends


def _turn_plot(plot):
    plot.view.press(Qt.Key.Key_Plus)


def _read_cells(board):
    return board.scene.selected


def _turn_cells(board):
    if hasattr(board, "_choose"):
        board._choose(2)


def _read_window(window):
    return window.width(), window.height()


def _turn_window(window):
    window.resize(_WIDTH, window.height() - _SIZED)
    QApplication.processEvents()


_KINDS = (
    (CellView, _read_cells, _turn_cells),  # first, because it limits lists
    (QComboBox, _read_list, _turn_list),
    (QAbstractButton, QAbstractButton.isChecked, QAbstractButton.click),
    (QAbstractSpinBox, QAbstractSpinBox.text, _turn_number),
    (QSlider, QSlider.value, _turn_slider),
    (QLineEdit, QLineEdit.text, _turn_line),
    (QPlainTextEdit, QPlainTextEdit.toPlainText, _turn_text),
    (QSplitter, _read_splitter, _turn_splitter),
    (QHeaderView, _read_heading, _turn_heading),
    (QAbstractItemView, _read_rows, _turn_rows),
    (Plot, _read_plot, _turn_plot),
    (QWidget, _read_window, _turn_window),
)
"""Kinds of widgets, each with the functions that read and change its value."""
_ALL = tuple(kind for kind, _, _ in _KINDS[:-1])
