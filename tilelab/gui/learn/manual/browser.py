"""A page of the manual: its text, tables and pictures in the colours of the window."""

from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

from PySide6.QtCore import QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QImage,
    QPixmap,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from tilelab.gui.learn.manual.page_style import apply_style, fit_tables, found_format
from tilelab.gui.widgets.theme import current_theme, keep_themed, scaled, set_role
from tilelab.manual.book import ManualPage, page, slug
from tilelab.manual.places import folder

WIDEST = 820
"""Pixels of a line of text at the usual size; longer ones are hard to read."""
_SIDE, _ABOVE = 28, 8


class PageBrowser(QTextBrowser):
    """Shows a page, and says which link was followed; it keeps no history."""

    link_followed = Signal(str)
    """``page#anchor``, or the address of something that is no page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual_page")
        set_role(self, "prose")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        # No word is cut; a table that is too wide is scrolled.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.anchorClicked.connect(self._follow)
        self.highlighted.connect(self._name_link)
        self.page: ManualPage | None = None
        """The page that is shown."""
        self._words: list[str] = []
        self._flag = ""
        """The parameter whose line was asked for, or ''."""
        keep_themed(self, self._write)

    def show_page(self, name: str, anchor: str = "", words: str = "") -> None:
        """Show a page at one of its places; words: what was searched for, to be marked."""
        if self.page is None or self.page.name != name:
            self.page = page(name)
            self.setAccessibleName(self.page.title)
            self._write()
        self._words = words.casefold().split()
        self._flag = anchor if anchor.startswith("--") else ""
        self._mark()
        self.go_to(anchor)

    def go_to(self, anchor: str) -> None:
        """Scroll to a heading, or to the line of a table whose flag this is; '' for the top."""
        block = self._block_of(anchor)
        self._scroll_to(0 if block is None else block.position())

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        # Asked by the document for each picture of the page.
        if self.page is None or kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, url)
        name = QUrl(url).toString()
        if current_theme().is_dark and self._file(name.replace("-light.", "-dark.")):
            name = name.replace("-light.", "-dark.")
        file = self._file(name)
        if file is None:
            return QPixmap()
        image = QImage.fromData(file.read_bytes())
        return image.scaledToWidth(
            min(round(self._room * self.devicePixelRatioF()), image.width()),
            Qt.TransformationMode.SmoothTransformation,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        place = self._first_shown
        super().resizeEvent(event)
        self._fit()
        self._scroll_to(place)

    @property
    def _first_shown(self) -> int:
        """Where the text that is shown at the top begins; 0 at the top of the page."""
        if not self.verticalScrollBar().value():
            return 0
        return self.cursorForPosition(self.viewport().rect().topLeft()).position()

    def _scroll_to(self, position: int) -> None:
        """Show the paragraph at a position of the text at the top."""
        block = self.document().findBlock(position)
        # Where the cursor stands is what Qt keeps in view.
        self.setTextCursor(QTextCursor(block))
        top = self.document().documentLayout().blockBoundingRect(block).top() - _ABOVE
        self.verticalScrollBar().setValue(round(top) if block.position() else 0)

    @property
    def _room(self) -> int:
        """How many pixels wide a line is."""
        return min(self.viewport().width() - 2 * _SIDE, scaled(WIDEST))

    def _write(self) -> None:
        if self.page is None:
            return
        place = self._first_shown
        features = QTextDocument.MarkdownFeature
        # A document of its own for each page: emptying one with tables in it can crash.
        self.setExtraSelections([])
        document = QTextDocument(self)
        # What looks like HTML is text.
        document.setMarkdown(
            self.page.markdown, features.MarkdownDialectGitHub | features.MarkdownNoHTML
        )
        apply_style(document)
        # The document before is this browser's own, and Qt deletes it.
        self.setDocument(document)
        self._fit()
        self._mark()
        self._scroll_to(place)
        # Else the scroll bars may stay as they were before the page was laid out.
        super().resizeEvent(QResizeEvent(self.size(), self.size()))

    def _fit(self) -> None:
        """Give the text its width, and pictures no more than that."""
        document = self.document()
        side = max((self.viewport().width() - self._room) // 2, _SIDE)
        frame = document.rootFrame()
        looks = frame.frameFormat()
        if looks.leftMargin() == side and document.property("room") == self._room:
            return
        document.setProperty("room", self._room)
        looks.setLeftMargin(side)
        looks.setRightMargin(side)
        looks.setTopMargin(12)
        looks.setBottomMargin(48)
        frame.setFrameFormat(looks)
        fit_tables(document, self._room)
        block = document.begin()
        while block.isValid():
            self._fit_pictures(block)
            block = block.next()

    def _fit_pictures(self, block: QTextBlock) -> None:
        place = block.begin()
        while not place.atEnd():
            part = place.fragment()
            looks = part.charFormat()
            if looks.isImageFormat():
                size = self._size_of(looks.toImageFormat().name())
                fitted = QTextImageFormat(looks.toImageFormat())
                fitted.setWidth(size.width())
                fitted.setHeight(size.height())
                cursor = QTextCursor(block)
                cursor.setPosition(part.position())
                cursor.setPosition(part.position() + part.length(), QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(fitted)
                return
            place += 1

    def _size_of(self, name: str) -> QSize:
        file = self._file(name)
        image = QImage() if file is None else QImage.fromData(file.read_bytes())
        if image.width() <= self._room:
            return image.size()
        return QSize(self._room, round(image.height() * self._room / image.width()))

    def _file(self, name: str) -> Traversable | None:
        """A file beside the page, or None where there is none of that name."""
        assert self.page is not None
        path = normpath(join(dirname(self.page.name), name))
        file = folder().joinpath(*path.split("/"))
        return file if file.is_file() else None

    def _block_of(self, anchor: str) -> QTextBlock | None:
        if not anchor:
            return None
        block = self.document().begin()
        while block.isValid():
            text = block.text()
            is_heading = block.blockFormat().headingLevel() > 0
            is_line = anchor.startswith("--") and text.endswith(f" {anchor}")
            if is_line or (is_heading and slug(text) == anchor):
                return block
            block = block.next()
        return None

    def _mark(self) -> None:
        """Mark every place where one of the words stands, and the flag that was asked for."""
        marks = []
        flag = self._block_of(self._flag)
        if flag is not None:
            cursor = QTextCursor(flag)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            marks.append(_mark(cursor))
        for word in self._words:
            cursor = self.document().find(word)
            while not cursor.isNull():
                marks.append(_mark(cursor))
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marks)

    @Slot(QUrl)
    def _name_link(self, url: QUrl) -> None:
        """Say where a link leads that leaves the manual."""
        self.setToolTip(url.toString() if url.scheme() else "")

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        address = url.toString()
        if url.scheme() or self.page is None:
            self.link_followed.emit(address)
            return
        path, _, anchor = address.partition("#")
        target = normpath(join(dirname(self.page.name), path)) if path else f"{self.page.name}.md"
        self.link_followed.emit(f"{target}#{anchor}".rstrip("#"))


def _mark(cursor: QTextCursor) -> QTextEdit.ExtraSelection:
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = cursor, found_format()
    return made
