"""Simple widgets and layouts that cards, bars and dialogs are made of."""

import functools
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TypeVar

from PySide6.QtCore import (
    QEvent,
    QObject,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QIcon,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPixmap,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QSplitter,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.widgets.theme import (
    icon,
    keep_themed,
    set_role,
    set_style_property,
    text_font,
    tokens,
)

Margins = int | tuple[int, int, int, int]
"""Margins in pixels, on all four sides, or left, top, right and bottom."""
_Aligned = tuple[QWidget, int, Qt.AlignmentFlag]
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | _Aligned | int | None
"""A widget or a layout, perhaps with stretch and alignment; pixels of space; or STRETCH."""
STRETCH = None
Box = TypeVar("Box", QHBoxLayout, QVBoxLayout)
Named = TypeVar("Named", bound=QWidget)
Receiver = Callable[..., object] | SignalInstance  # what a signal is connected to
_HEADING_HEIGHT = 28  # pixels of a heading with a small button
NOTHING = "–"  # text of an unknown fact
_CLEAR = "_q_qlineeditclearaction"  # object name of Qt's clear button, which has no accessible name
Answer = QMessageBox.StandardButton
_ANSWERS = {
    Answer.Save: marked("Save"),
    Answer.Discard: marked("Discard"),
    Answer.Yes: marked("Yes"),
    Answer.Cancel: marked("Cancel"),
}
"""Titles of the answers to questions; Qt's own translations use other terms."""
_SIDE_BY_SIDE, _STACKED = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


def row_layout(
    parent: QWidget | None = None,
    margins: Margins | None = None,
    spacing: int | None = None,
    *parts: Part,
) -> QHBoxLayout:
    """Make a horizontal layout of some parts; None leaves the style's value."""
    return _filled(QHBoxLayout(), parent, margins, spacing, parts)


def column_layout(
    parent: QWidget | None = None,
    margins: Margins | None = None,
    spacing: int | None = None,
    *parts: Part,
) -> QVBoxLayout:
    """Make a vertical layout of some parts; None leaves the style's value."""
    return _filled(QVBoxLayout(), parent, margins, spacing, parts)


def row_of(*parts: Part, spacing: int | None = 8) -> QHBoxLayout:
    """Make a horizontal layout of some parts, to be part of another layout."""
    return row_layout(None, None, spacing, *parts)


def heading_of(*parts: Part, spacing: int | None = 8) -> QHBoxLayout:
    """Make the heading of a card, as high as others, so that cards in a row have them in line."""
    made = row_of(*parts, spacing=spacing)
    made.addStrut(_HEADING_HEIGHT)
    return made


def column_of(*parts: Part) -> QVBoxLayout:
    """Make a vertical layout of some parts, to be part of another layout."""
    return column_layout(None, None, 8, *parts)


def _filled(
    layout: Box,
    parent: QWidget | None,
    margins: Margins | None,
    spacing: int | None,
    parts: Sequence[Part],
) -> Box:
    if parent is not None:
        parent.setLayout(layout)
    if margins is not None:
        left, top, right, bottom = (margins,) * 4 if isinstance(margins, int) else margins
        layout.setContentsMargins(left, top, right, bottom)
    if spacing is not None:
        layout.setSpacing(spacing)
    for each in parts:
        part, stretch = each[:2] if isinstance(each, tuple) else (each, 0)
        if isinstance(each, tuple) and len(each) == 3:
            layout.addWidget(*each)
        elif isinstance(part, QWidget):
            layout.addWidget(part, stretch)
        elif isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        elif part is None:
            layout.addStretch(1)
        else:
            layout.addSpacing(part)
    return layout


def parted(
    orientation: Qt.Orientation, parent: QWidget, *parts: tuple[QWidget, int], gap: int = 16
) -> QSplitter:
    """Make a splitter of widgets and their stretch, none of which can be dragged to nothing.

    gap: space between them in pixels; 0 for the style's.
    """
    made = QSplitter(orientation, parent, childrenCollapsible=False)
    if gap:
        made.setHandleWidth(gap)
    for place, (part, stretch) in enumerate(parts):
        made.addWidget(part)
        made.setStretchFactor(place, stretch)
    return made


def named(widget: Named, name: str, title: str = "", tip: str = "") -> Named:
    """Set the object name, the accessible name and the tool tip of a widget, which is returned."""
    widget.setObjectName(name)
    if title:
        widget.setAccessibleName(title)
    if tip:
        widget.setToolTip(tip)
    return widget


def text_label(
    role: str, parent: QWidget | None, text: str = "", name: str = "", *, wraps: bool = False
) -> QLabel:
    """Make a label styled by its role. name: its object name; wraps: into several lines."""
    made = named(QLabel(text, parent, wordWrap=wraps), name)
    set_role(made, role)
    return made


def label_over(view: QAbstractScrollArea, name: str = "") -> QLabel:
    """Make a hidden label in the middle of a list, which says why the list is empty."""
    made = text_label("muted", view.viewport(), "", name, wraps=True)
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    made.hide()
    QVBoxLayout(view.viewport()).addWidget(made)
    return made


class Card(QFrame):
    """A frame on the window's background, with an object name and an accessible name."""

    def __init__(self, parent: QWidget | None = None, name: str = "", title: str = "") -> None:
        super().__init__(parent)
        named(self, name, title)
        set_style_property(self, "card", True)


def rule_line(parent: QWidget) -> QFrame:
    """Make a horizontal separator line."""
    made = QFrame(parent)
    set_role(made, "rule")
    return made


def push_button(
    text: str, name: str, tip: str, parent: QWidget, clicked: Receiver | None = None
) -> QPushButton:
    """Make a button; name: its object name. clicked: receiver of this signal."""
    made = named(QPushButton(text, parent), name, tip=tip)
    if clicked is not None:
        made.clicked.connect(clicked)
    return made


def allow(button: QPushButton, tip: str, why_not: str) -> None:
    """Enable a button unless there is a reason against it, which is then its tool tip."""
    button.setEnabled(not why_not)
    button.setToolTip(why_not or tip)


def small_button(
    text: str, name: str, tip: str, parent: QWidget, clicked: Receiver | None = None
) -> QPushButton:
    """Make a small button, which Enter elsewhere in a dialog does not press."""
    made = push_button(text, name, tip, parent, clicked)
    made.setAutoDefault(False)
    set_style_property(made, "small", True)
    return made


def show_in_front(window: QWidget) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


class FactTable(QWidget):
    """A table of facts by name; the object name of a value is ``metric_`` and its name."""

    def __init__(self, titles: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, QLabel] = {}
        self._titles: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (name, text) in enumerate(titles.items()):
            title, value = text_label("muted", self, tr(text)), QLabel(NOTHING, self)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setWordWrap(True)
            value.setObjectName(f"metric_{name}")
            grid.addWidget(title, row, 0)
            grid.addWidget(value, row, 1)
            self._titles[name], self._values[name] = title, value

    def show_fact(self, name: str, text: str) -> None:
        """Set the value of a fact; '' for none."""
        self._values[name].setText(text or NOTHING)

    def show_title(self, name: str, text: str, tip: str = "") -> None:
        """Set the title of a fact that has another one in this case, and explain it."""
        self._titles[name].setText(text)
        for part in (self._titles[name], self._values[name]):
            part.setToolTip(tip)

    def show_line(self, name: str, is_shown: bool) -> None:
        """Show or hide the line of a fact."""
        for part in (self._titles[name], self._values[name]):
            part.setVisible(is_shown)


class IconButton(QToolButton):
    """A button that is an icon, in the colours of the theme."""

    def __init__(
        self,
        icon_name: str,
        name: str,
        title: str,
        tip: str,
        parent: QWidget,
        look: str = "plain",
        token: str = "text",
    ) -> None:
        """title: the accessible name; look: plain, small, question or gutter.

        token: the colour.
        """
        super().__init__(parent)
        self._icon_name, self._token = icon_name, token
        named(self, name, title, tip)
        set_style_property(self, look, True)
        keep_themed(self, self._draw)

    def show_icon(self, icon_name: str) -> None:
        self._icon_name = icon_name
        self._draw()

    def _draw(self) -> None:
        self.setIcon(icon(self._icon_name, token=self._token))


class StripButton(QToolButton):
    """A button of a narrow strip, with its text from top to bottom after an arrow to the left."""

    def __init__(self, text: str, name: str, tip: str, parent: QWidget) -> None:
        super().__init__(parent, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setText(text)
        named(self, name, tip=tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(self, "plain", True)
        keep_themed(self, self._apply_theme)

    def sizeHint(self) -> QSize:
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.rect = option.rect.transposed()
        painter.translate(self.width(), 0)
        painter.rotate(90)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        painter.end()

    def _apply_theme(self) -> None:
        self.setFont(text_font())
        self.setIcon(icon("chevron-down"))  # turned like the text, it points to the left


def ok_cancel(dialog: QDialog, accept: Callable[[], object] | None = None) -> QDialogButtonBox:
    """Make the buttons of a dialog; accept: called by OK instead of accepting the dialog."""
    kinds = QDialogButtonBox.StandardButton
    buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, dialog)
    set_role(buttons.button(kinds.Ok), "primary")
    buttons.accepted.connect(accept or dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def click_with_enter(dialog: QDialog, button: QPushButton) -> None:
    """Let Ctrl+Enter click a button of a dialog in whose text Enter begins a line."""
    for key in ("Ctrl+Return", "Ctrl+Enter"):
        QShortcut(QKeySequence(key), dialog, button.click)


def close_button(dialog: QDialog) -> QDialogButtonBox:
    """Make the button that closes a dialog."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.reject)
    return buttons


def ask(
    window: QWidget, text: str, answers: Answer, default: Answer = Answer.Cancel, more: str = ""
) -> Answer:
    """Ask a question and return the answer; default: the answer of Enter. more: a second text."""
    box = QMessageBox(window, informativeText=more, standardButtons=answers)
    box.setWindowTitle("TileLab")
    box.setText(text)
    box.setDefaultButton(default)
    for answer, title in _ANSWERS.items():
        if answer & answers:
            box.button(answer).setText(tr(title))
    answer = Answer(box.exec())
    box.deleteLater()
    return answer


def accepted(dialog: QDialog) -> bool:
    """Show a dialog once, and return whether it was accepted."""
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return is_accepted


def is_confirmed(window: QWidget, question: str) -> bool:
    """Ask a question; returns whether the answer is Yes, which is not the default."""
    return ask(window, question, Answer.Yes | Answer.Cancel) == Answer.Yes


def offer_items(box: QComboBox, titles: Mapping[str, str], chosen: object = None) -> None:
    """Offer other items by their keys, without a signal; the choice stays if it is still offered.

    chosen: key of an item to choose instead. If there is no such item, the first one is chosen.
    """
    chosen = box.currentData() if chosen is None else chosen
    offered = [(box.itemData(row), box.itemText(row)) for row in range(box.count())]
    with QSignalBlocker(box):
        if offered != list(titles.items()):
            box.clear()
            for key, title in titles.items():
                box.addItem(title, key)
            box.updateGeometry()
        box.setCurrentIndex(max(box.findData(chosen), 0))


def calling(done: Callable[..., object], *args: object) -> Callable[..., object]:
    """Return a slot that calls a function and ignores the signal's arguments."""
    return lambda *_: done(*args)


def shown_key(key: str) -> str:
    """Return a key as the platform and the language write it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def untinted_icon(pixmap: QPixmap) -> QIcon:
    """Make an icon that looks the same on a selected row."""
    made = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected, QIcon.Mode.Disabled):
        made.addPixmap(pixmap, mode)
    return made


@functools.cache
def spot_icon(colour: str, side: int, inset: int) -> QIcon:
    """Make an icon of a coloured spot; side, inset: pixels of the icon, and around the spot."""
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawEllipse(inset, inset, side - 2 * inset, side - 2 * inset)
    return untinted_icon(pixmap)


def spotted(text: str, colour: QColor) -> str:
    """Return a text as unbroken rich text, with a coloured spot before it."""
    # A name broken into two lines is hard to distinguish from the next one.
    unbroken = escape(one_line(text)).replace(" ", "\xa0").replace("-", "\u2011")
    return f'<span style="color:{colour.name()}">●</span>\xa0{unbroken}'


class SegmentButton(QPushButton):
    """A checkable button with room for its word in bold letters.

    Qt measures the current letters, but the word of a checked button is bold and wider.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._growth(), 0)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() + QSize(self._growth(), 0)

    def _growth(self) -> int:
        heavy = QFont(self.font())
        heavy.setWeight(QFont.Weight(tokens()["weights"]["strong"]))
        wide = QFontMetrics(heavy).horizontalAdvance(self.text())
        return max(wide - self.fontMetrics().horizontalAdvance(self.text()), 0) + 1


class Segments(QFrame):
    """Buttons next to each other, of which one is chosen."""

    chosen = Signal(int)  # emitted with the place of a button that was clicked

    def __init__(self, title: str, parent: QWidget) -> None:
        """title: accessible name."""
        super().__init__(parent)
        self.setAccessibleName(title)
        set_role(self, "segments")
        self.buttons: list[SegmentButton] = []
        self._row = row_layout(self, 2, 0)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)

    def add(self, title: str, name: str, tip: str) -> SegmentButton:
        """Add a button at the end; the first one is chosen. name: its object name."""
        button = named(SegmentButton(title, self), name, tip=tip)
        self._group.addButton(button, len(self.buttons))
        button.setChecked(not self.buttons)
        self._row.addWidget(button)
        self.buttons.append(button)
        return button

    def clear(self) -> None:
        for button in self.buttons:
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.buttons = []


class SearchField(QLineEdit):
    """A line edit with a magnifying glass before the text, and a clear button after it."""

    def __init__(self, name: str, title: str, placeholder: str, parent: QWidget) -> None:
        """name: object name. title: accessible name."""
        super().__init__(parent, placeholderText=placeholder, clearButtonEnabled=True)
        named(self, name, title)
        self._glass = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self._glass.setText(tr("Search"))
        cross = self.findChild(QAction, _CLEAR)
        if cross is not None:
            cross.setText(tr("Clear"))
        keep_themed(self, self._draw)

    def _draw(self) -> None:
        self._glass.setIcon(icon("search", token="muted"))


class ButtonRow(QBoxLayout):
    """A layout in as few lines as possible, which requests no more width than its widest part.

    A text that can be cut is whole if the layout is as wide as the text.
    """

    def __init__(self, *parts: QWidget | QLayout, spacing: int = 8) -> None:
        super().__init__(_SIDE_BY_SIDE)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for part in parts:
            if isinstance(part, QLayout):
                self.addLayout(part)
            else:
                self.addWidget(part)

    def minimumSize(self) -> QSize:
        items = self._items()
        if not items:
            return QSize()
        width = max(item.minimumSize().width() for item in items)
        return QSize(width, max(size.height() for size in self._sizes()))

    def sizeHint(self) -> QSize:
        """Return the size of a single line, even while there are several."""
        sizes = self._sizes()
        if not sizes:
            return QSize()
        width = sum(size.width() for size in sizes) + self.spacing() * (len(sizes) - 1)
        return QSize(width, max(size.height() for size in sizes))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        heights = [max(size.height() for size in line) for line in self._lines(width)]
        return sum(heights) + self.spacing() * max(len(heights) - 1, 0)

    def minimumHeightForWidth(self, width: int) -> int:
        return self.heightForWidth(width)

    def setGeometry(self, rect: QRect) -> None:
        lines = self._lines(rect.width())
        direction = _STACKED if len(lines) > 1 else _SIDE_BY_SIDE
        if direction != self.direction():
            self.setDirection(direction)
        super().setGeometry(rect)
        if 1 < len(lines) < sum(map(len, lines)):
            self._place(rect, lines)

    def _place(self, rect: QRect, lines: list[list[QSize]]) -> None:
        """Place the parts line by line; a last part that is alone or stretches has the rest."""
        items, top, parent = iter(self._items()), rect.top(), self.parentWidget()
        assert parent is not None
        for line in lines:
            left, height = rect.left(), max(size.height() for size in line)
            for number, (size, item) in enumerate(zip(line, items, strict=False), 1):
                width = size.width()
                has_rest = len(line) == 1 or self.stretch(self.indexOf(item)) > 0
                if number == len(line) and has_rest:
                    width = rect.left() + rect.width() - left
                place = QRect(left, top, width, height)
                item.setGeometry(QStyle.visualRect(parent.layoutDirection(), rect, place))
                left += width + self.spacing()
            top += height + self.spacing()

    def _lines(self, width: int) -> list[list[QSize]]:
        """Return the sizes of the parts of each line."""
        lines: list[list[QSize]] = []
        left = 0
        for size in self._sizes():
            left += self.spacing() + size.width()
            if not lines or left > width:
                lines.append([])
                left = size.width()
            lines[-1].append(size)
        return lines

    def _sizes(self) -> list[QSize]:
        return [item.sizeHint() for item in self._items()]

    def _items(self) -> list[QLayoutItem]:
        items = (self.itemAt(place) for place in range(self.count()))
        return [item for item in items if item is not None and not item.isEmpty()]


class _FirstPaint(QObject):
    def __init__(self, widget: QWidget, then: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget, self._then = widget, then
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._widget.removeEventFilter(self)
            QTimer.singleShot(0, self._widget, self._then)
            self.deleteLater()
        return False


def after_first_paint(widget: QWidget, then: Callable[[], object]) -> None:
    """Call ``then`` from the event loop after the first paint of the widget."""
    _FirstPaint(widget, then)
