"""The text and the pictures of a lesson, as high as their width asks for."""

import math

from PySide6.QtCore import QByteArray, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QImage,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_themed,
    scaled,
    set_role,
    text_font,
    tokens,
)
from tilelab.lessons.lesson import Illustration, Lesson

_LINE_PERCENT, _PARAGRAPH_SPACE = 128, 9
_WIDEST_PICTURE = 440


class LessonText(QTextBrowser):
    """Some paragraphs of Markdown, which do not scroll by themselves."""

    def __init__(self, markdown: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._markdown = markdown
        self.setObjectName("lesson_text")
        set_role(self, "prose")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The keyboard scrolls the whole lesson; a mouse may choose words of it.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Text of the lesson"))
        keep_themed(self, self._write)

    def heightForWidth(self, width: int) -> int:
        # A copy: the document itself is as wide as the text is shown.
        whole = self.document().clone(self)
        whole.setTextWidth(width)
        height = math.ceil(whole.size().height())
        whole.deleteLater()
        return height

    def _write(self) -> None:
        document = self.document()
        document.setDefaultFont(text_font())
        # What looks like HTML in a lesson is text.
        features = QTextDocument.MarkdownFeature
        document.setMarkdown(
            self._markdown, features.MarkdownDialectGitHub | features.MarkdownNoHTML
        )
        _space_lines(document)
        self.updateGeometry()


def _space_lines(document: QTextDocument) -> None:
    """Give lines and paragraphs air, and headings the program's sizes."""
    last = document.lastBlock().blockNumber()
    cursor = QTextCursor(document)
    while True:
        block = cursor.block()
        looks = QTextBlockFormat()
        looks.setLineHeight(
            _LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        )
        looks.setTopMargin(0)
        is_last = block.blockNumber() == last
        looks.setBottomMargin(0 if is_last else scaled(_PARAGRAPH_SPACE))
        cursor.mergeBlockFormat(looks)
        strong = QTextCharFormat()
        strong.setFontWeight(tokens()["weights"]["strong"])
        if block.blockFormat().headingLevel():
            strong.setFont(text_font("title", strong=True))
        for begin, end in _strong_parts(block):
            cursor.setPosition(begin)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(strong)
        cursor.setPosition(block.position())
        if not cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
            break


def _strong_parts(block: QTextBlock) -> list[tuple[int, int]]:
    """Return where the strong letters of a paragraph begin and end; those of headings are strong.

    The program's font has one strong weight, and others are drawn by smearing it.
    """
    parts = []
    place = block.begin()
    while not place.atEnd():
        part = place.fragment()
        if part.charFormat().fontWeight() > QFont.Weight.Medium:
            parts.append((part.position(), part.position() + part.length()))
        place += 1
    return parts


class LessonPicture(QWidget):
    """A picture as wide as the lesson; its dark one on the dark theme."""

    def __init__(self, lesson: Lesson, picture: Illustration, parent: QWidget) -> None:
        super().__init__(parent)
        self._lesson, self._picture = lesson, picture
        self._drawing: QSvgRenderer | QImage = QImage()
        self.setObjectName("lesson_picture")
        self.setAccessibleName(picture.words)
        self.setToolTip(picture.words)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        keep_themed(self, self._read)

    def heightForWidth(self, width: int) -> int:
        return round(self._size(width).height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        size = self._size(self.width())
        place = QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if isinstance(self._drawing, QImage):
            painter.drawImage(place, self._drawing)
        else:
            self._drawing.render(painter, place)
        painter.end()

    def _size(self, width: int) -> QSizeF:
        drawing = self._drawing
        whole = QSizeF(drawing.size() if isinstance(drawing, QImage) else drawing.defaultSize())
        if whole.isEmpty():
            return QSizeF(0, 0)
        return whole * (min(width, scaled(_WIDEST_PICTURE)) / whole.width())

    def _read(self) -> None:
        try:
            data = self._lesson.picture(
                self._picture, "dark" if current_theme().is_dark else "light"
            )
        except OSError:
            data = b""  # it was there when the lesson was read
        is_drawn = self._picture.file.lower().endswith(".svg")
        self._drawing = QSvgRenderer(QByteArray(data)) if is_drawn else QImage.fromData(data)
        self.updateGeometry()
        self.update()
