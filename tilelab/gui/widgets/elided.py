"""Texts of any length where there is little room: cut, shorter or in several lines."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from tilelab.gui.widgets.theme import set_role

_MIN_LETTERS = 4
_POPUP_EDGES = 24  # room around the texts of a list, in pixels


class ElidedLabel(QLabel):
    """A line of plain text that never requests more room than there is."""

    def __init__(
        self,
        parent: QWidget | None = None,
        where: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        role: str = "",
    ) -> None:
        super().__init__(parent)
        self._where = where
        if role:
            set_role(self, role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def shown_text(self) -> str:
        """Visible text, with an ellipsis where it is cut."""
        return self._cut(self.text())

    def _cut(self, text: str) -> str:
        room = self.contentsRect().width() - 2 * self.margin()
        return self.fontMetrics().elidedText(text, self._where, room)

    def minimumSizeHint(self) -> QSize:
        least = self.fontMetrics().horizontalAdvance("…" + "n" * _MIN_LETTERS)
        whole = super().minimumSizeHint()
        return QSize(min(least, whole.width()), whole.height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            return _shows_tip(self, event, self.text(), self.shown_text) or super().event(event)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            area = self.contentsRect().adjusted(self.margin(), 0, -self.margin(), 0)
            self.style().drawItemText(
                painter,
                area,
                self.alignment(),
                self.palette(),
                self.isEnabled(),
                self.shown_text,
                self.foregroundRole(),
            )


class ElidedTitle(ElidedLabel):
    """A title that changes during a run, which must not move its neighbours.

    It always has room for its usual text and a short one, which it shows where it needs more.
    """

    def __init__(self, usual: str, short: str, parent: QWidget | None = None) -> None:
        """short: a short wording that is as wide as any."""
        super().__init__(parent, Qt.TextElideMode.ElideMiddle, "title")
        self._usual = self._short = usual
        self._widest = short

    def show_title(self, text: str, short: str = "") -> None:
        """Show a title, or where it has no room its short wording; '' for the usual text."""
        self._short = short or self._usual
        self.setText(text)

    @property
    def shown_text(self) -> str:
        """Visible text: the title, or its short wording."""
        whole = super().shown_text
        return whole if whole == self.text() else self._cut(self._short)

    def minimumSizeHint(self) -> QSize:
        least = max(map(self.fontMetrics().horizontalAdvance, (self._usual, self._widest)))
        return QSize(least, super().minimumSizeHint().height())


class FittingLabel(QLabel):
    """A label that shows the longest wording with room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wordings: tuple[str, ...] = ("",)
        self._measured: Sequence[str] = self._wordings
        self.setTextFormat(Qt.TextFormat.PlainText)
        # Its neighbours keep their size if there is little room.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_wordings(self, *wordings: str, measured: Sequence[str] = ()) -> None:
        """Show the first of these wordings that fits, or else the last; the longest comes first.

        measured: as many texts that must fit in their place.
        """
        measured = measured or wordings
        if (wordings, measured) == (self._wordings, self._measured):
            return  # figures come many times a second, and mostly without a change
        self._wordings, self._measured = wordings, measured
        self.setAccessibleName(wordings[0])
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        width, room = self.fontMetrics().horizontalAdvance, self.contentsRect().width()
        pairs = zip(self._wordings, self._measured, strict=True)
        fitting = (words for words, text in pairs if width(text) <= room)
        self.setText(next(fitting, self._wordings[-1]))


class WrappedButton(QPushButton):
    """A button whose title takes several lines where one has no room."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._title = title
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        widest = max(map(self._width, self._title.split()), default=0)
        return QSize(widest + self._rim, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._wrap()

    def _wrap(self) -> None:
        lines = [""]
        for word in self._title.split():
            longer = f"{lines[-1]} {word}".lstrip()
            if lines[-1] and self._width(longer) > self.width() - self._rim:
                lines.append(word)
            else:
                lines[-1] = longer
        self.setText("\n".join(lines))

    @property
    def _rim(self) -> int:
        """Width of all but the title."""
        return self.sizeHint().width() - max(map(self._width, self.text().split("\n")))

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)


class ElidedComboBox(QComboBox):
    """A combo box that cuts its selected text with an ellipsis; its list shows all of it."""

    @property
    def shown_text(self) -> str:
        """Visible text of the field, with an ellipsis where it is cut."""
        return self._cut(self.currentText())

    def _cut(self, text: str) -> str:
        where, room = Qt.TextElideMode.ElideRight, self.text_area().width()
        return self.fontMetrics().elidedText(text, where, room)

    def text_area(self) -> QRect:
        """Return the area of the selected text."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + _POPUP_EDGES)
        super().showPopup()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and _shows_tip(
            self, event, self.currentText(), self.shown_text, self.toolTip()
        ):
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


class TitleComboBox(ElidedComboBox):
    """A combo box as wide as its current text, so that the rest of its row has more room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Otherwise Qt keeps the width of the texts at first, and longer ones are cut.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.currentIndexChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        hint, advance = super().sizeHint(), self.fontMetrics().horizontalAdvance
        widest = max((advance(self.itemText(place)) for place in range(self.count())), default=0)
        # Qt measures up to 2 px less.
        return hint - QSize(widest - advance(self.currentText()) - 2, 0)


def _shows_tip(widget: QWidget, event: QEvent, whole: str, shown: str, more: str = "") -> bool:
    """Show the whole text if it is cut, above the usual tool tip."""
    if whole == shown or not isinstance(event, QHelpEvent):
        return False
    # Rich text, so that long texts are wrapped.
    lines = [f"<p>{escape(whole)}</p>", more]
    QToolTip.showText(event.globalPos(), "".join(lines), widget)
    return True
