"""A page of the manual: its text, tables and pictures in the colours of the window."""

from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

from PySide6.QtCore import QRegularExpression, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QPixmap,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextListFormat,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from tilelab.gui.learn.prose import blocks, parts, write_markdown
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_themed,
    mix,
    scaled,
    set_role,
    text_font,
    text_pixels,
    tokens,
)
from tilelab.manual.book import ManualPage, page, search_patterns, slug
from tilelab.manual.places import folder

WIDEST = 820
"""Largest width of a line of text in pixels at the usual size; longer lines are hard to read."""
_SIDE, _ABOVE = 28, 8
_LINE_PERCENT = 136
_HEADINGS = {1: "large", 2: "title", 3: "body", 4: "body"}  # sizes of headings by their level
_MARGINS_ABOVE = {1: 8, 2: 26, 3: 18, 4: 14}
_MARGINS_BELOW = {1: 12, 2: 8, 3: 6, 4: 6}
_PADDING, _MANY_COLUMNS = 6, 10
"""Pixels around the text of a cell, half as many in tables with many columns."""
_LONGEST = 900  # largest preferred width of a column, in pixels


def apply_style(document: QTextDocument) -> None:
    """Style a document that was read from Markdown like the window."""
    document.setDefaultFont(text_font())
    cursor = QTextCursor(document)
    # Lay out only once, at the end.
    cursor.beginEditBlock()
    for table in _tables(document):
        _style_table(table)
    for block in blocks(document):
        cursor.setPosition(block.position())
        _style_block(cursor, block)
        _style_parts(cursor, block)
    cursor.endEditBlock()


def _style_block(cursor: QTextCursor, block: QTextBlock) -> None:
    theme = current_theme()
    looks = QTextBlockFormat()
    level = block.blockFormat().headingLevel()
    # Taller lines of code would have gaps in their background; pictures need no extra space.
    is_picture = any(part.looks.isImageFormat() for part in parts(block)[:1])
    percent = 100 if is_code(block) or is_picture else _LINE_PERCENT
    looks.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    in_table = cursor.currentTable() is not None
    in_list = block.textList() is not None
    if in_list:
        _style_list(block)
    if level:
        looks.setTopMargin(scaled(_MARGINS_ABOVE.get(level, 12)))
        looks.setBottomMargin(scaled(_MARGINS_BELOW.get(level, 6)))
    elif is_code(block):
        looks.setBackground(theme.grid)
        looks.setLeftMargin(scaled(8))
        looks.setNonBreakableLines(False)
        looks.setTopMargin(0)
        looks.setBottomMargin(0 if is_code(block.next()) else scaled(12))
    else:
        below = 0 if in_table else 4 if in_list and block.next().textList() is not None else 10
        looks.setTopMargin(0)
        looks.setBottomMargin(scaled(below))
    cursor.mergeBlockFormat(looks)


def _style_list(block: QTextBlock) -> None:
    items = block.textList()
    looks = items.format()
    if looks.style() == QTextListFormat.Style.ListCircle:
        looks.setStyle(QTextListFormat.Style.ListDisc)
        items.setFormat(looks)


def is_code(block: QTextBlock) -> bool:
    """Return whether a paragraph is a line of code."""
    looks = block.blockFormat()
    return any(
        looks.hasProperty(kind.value)
        for kind in (QTextFormat.Property.BlockCodeLanguage, QTextFormat.Property.BlockCodeFence)
    )


def _style_parts(cursor: QTextCursor, block: QTextBlock) -> None:
    """Set fonts; the program's font has a single bold weight, and Qt would smear others."""
    theme, level = current_theme(), block.blockFormat().headingLevel()
    for part in parts(block):
        before, looks = part.looks, QTextCharFormat()
        if before.isImageFormat():
            continue
        if level:
            looks.setFont(text_font(_HEADINGS.get(level, "body"), strong=True))
        elif before.fontFixedPitch() or is_code(block):
            looks.setFont(_code_font())
            if not is_code(block):
                looks.setBackground(mix(theme.card, theme.grid, 0.7))
        elif part.is_strong:
            looks.setFontWeight(tokens()["weights"]["strong"])
        if before.isAnchor():
            looks.setForeground(theme.selection)
            looks.setFontUnderline(True)
        else:
            looks.setForeground(theme.text)
        part.select(cursor)
        cursor.mergeCharFormat(looks)


def _code_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(text_pixels("small"))
    return font


def fit_tables(document: QTextDocument, room: int) -> None:
    """Give the columns of all tables their widths; room: width of a line in pixels."""
    for table in _tables(document):
        looks = table.format()
        fixed = QTextLength.Type.FixedLength
        widths = shared(_columns(table), room - 1)
        looks.setWidth(QTextLength(fixed, sum(widths)))
        looks.setColumnWidthConstraints([QTextLength(fixed, width) for width in widths])
        table.setFormat(looks)


def shared(columns: list[tuple[float, float]], room: float) -> list[float]:
    """Share the room among columns, each with a minimum and a preferred width.

    Each column gets at least its minimum, even beyond the room. The rest is shared in proportion to
    what columns lack; the last column gets any surplus.
    """
    least = [one for one, _ in columns]
    lacks = [wished - one for one, wished in columns]
    left = max(room - sum(least), 0)
    if sum(lacks) <= left:
        return [*(wished for _, wished in columns[:-1]), columns[-1][1] + left - sum(lacks)]
    return [one + left * lack / sum(lacks) for one, lack in zip(least, lacks, strict=True)]


def _padding(table: QTextTable) -> int:
    return scaled(_PADDING if table.columns() < _MANY_COLUMNS else _PADDING / 2)


def _columns(table: QTextTable) -> list[tuple[float, float]]:
    """Return the widths of each column's longest word and of its longest text."""
    found = []
    around = 2 * _padding(table) + 2
    # It does not matter which words are code or bold: the wider font counts.
    fonts = [QFontMetricsF(font) for font in (_code_font(), text_font(strong=True))]
    for col in range(table.columns()):
        texts = [_text(table, row, col) for row in range(table.rows())]
        words = [word for text in texts for word in text.split()]
        least = max((font.horizontalAdvance(word) for word in words for font in fonts), default=0)
        longest = max(min(fonts[-1].horizontalAdvance(text), scaled(_LONGEST)) for text in texts)
        found.append((least + around, max(longest, least) + around))
    return found


def _tables(document: QTextDocument) -> list[QTextTable]:
    return [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]


def _style_table(table: QTextTable) -> None:
    theme = current_theme()
    looks = table.format()
    looks.setBorderCollapse(True)
    looks.setBorder(0)
    looks.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
    looks.setCellPadding(_padding(table))
    looks.setCellSpacing(0)
    looks.setBottomMargin(scaled(14))
    looks.setTopMargin(scaled(2))
    table.setFormat(looks)
    for row in range(table.rows()):
        for col in range(table.columns()):
            cell = table.cellAt(row, col)
            cell_looks = cell.format().toTableCellFormat()
            cell_looks.setBottomBorder(1)
            cell_looks.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            cell_looks.setBottomBorderBrush(QBrush(theme.outline if row == 0 else theme.line))
            cell.setFormat(cell_looks)


def _text(table: QTextTable, row: int, col: int) -> str:
    cell = table.cellAt(row, col)
    cursor = cell.firstCursorPosition()
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


class PageBrowser(QTextBrowser):
    """A browser that shows a page and reports links; it keeps no history."""

    link_followed = Signal(str)
    """Emitted with ``page#anchor``, or the address of anything that is not a page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual_page")
        set_role(self, "prose")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        # Words are never cut; a table that is too wide scrolls.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.anchorClicked.connect(self._follow)
        self.highlighted.connect(self._name_link)
        self.page: ManualPage | None = None  # page that is shown
        self._words: list[QRegularExpression] = []
        self._flag = ""  # flag of the parameter whose line was requested, or ''
        keep_themed(self, self._write)

    def show_page(self, name: str, anchor: str = "", words: str = "") -> None:
        """Show a page at one of its places.

        words: words of the search to highlight; the first of them is in view.
        """
        if self.page is None or self.page.name != name:
            self.page = page(name)
            self.setAccessibleName(self.page.title)
            self._write()
        ignoring = QRegularExpression.PatternOption.CaseInsensitiveOption
        self._words = [QRegularExpression(each, ignoring) for each in search_patterns(words)]
        self._flag = anchor if anchor.startswith("--") else ""
        self._mark()
        self.go_to(anchor)
        self._show_found(self._block_of(anchor) or self.document().begin())

    def go_to(self, anchor: str) -> None:
        """Scroll to a heading, or to the line of a table whose flag this is; '' for the top."""
        block = self._block_of(anchor)
        self._scroll_to(0 if block is None else block.position())

    def _show_found(self, heading: QTextBlock) -> None:
        """Bring the first word of the search in a section into view."""
        after = heading.next()
        while after.isValid() and not after.blockFormat().headingLevel():
            after = after.next()
        end = after.position() if after.isValid() else self.document().characterCount()
        found = [self.document().find(word, heading.position()) for word in self._words]
        starts = [cursor for cursor in found if 0 <= cursor.selectionStart() < end]
        if not starts:
            return
        place = self.cursorRect(min(starts, key=QTextCursor.selectionStart))
        if place.bottom() > self.viewport().height():
            bar, above = self.verticalScrollBar(), self.viewport().height() // 4
            bar.setValue(bar.value() + place.top() - above)

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        # The document calls this for each picture of the page.
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
        """Return the position of the first visible text; 0 at the top of the page."""
        if not self.verticalScrollBar().value():
            return 0
        return self.cursorForPosition(self.viewport().rect().topLeft()).position()

    def _scroll_to(self, position: int) -> None:
        """Show the paragraph at a position of the text at the top."""
        block = self.document().findBlock(position)
        # Qt keeps the cursor in view.
        self.setTextCursor(QTextCursor(block))
        top = self.document().documentLayout().blockBoundingRect(block).top() - _ABOVE
        self.verticalScrollBar().setValue(round(top) if block.position() else 0)

    @property
    def _room(self) -> int:
        """Return the width of a line in pixels."""
        return min(self.viewport().width() - 2 * _SIDE, scaled(WIDEST))

    def _write(self) -> None:
        if self.page is None:
            return
        place = self._first_shown
        # Each page has its own document: clearing a document with tables can crash.
        self.setExtraSelections([])
        document = QTextDocument(self)
        write_markdown(document, self.page.markdown)
        apply_style(document)
        # Qt deletes the previous document, which belongs to this browser.
        self.setDocument(document)
        self._fit()
        self._mark()
        self._scroll_to(place)
        # Otherwise the scroll bars may keep their previous state.
        super().resizeEvent(QResizeEvent(self.size(), self.size()))

    def _fit(self) -> None:
        """Set the width of the text, and limit pictures to it."""
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
        for block in blocks(document):
            self._fit_picture(block)
        # Otherwise Qt may leave out the end of a long page.
        document.markContentsDirty(0, document.characterCount())

    def _fit_picture(self, block: QTextBlock) -> None:
        """Limit the first picture of a paragraph to the width of a line."""
        part = next((part for part in parts(block) if part.looks.isImageFormat()), None)
        if part is None:
            return
        fitted = QTextImageFormat(part.looks.toImageFormat())
        size = self._size_of(fitted.name())
        # Qt would shrink the picture of another room without smoothing.
        kind, url = QTextDocument.ResourceType.ImageResource.value, QUrl(fitted.name())
        self.document().addResource(kind, url, self.loadResource(kind, url))
        fitted.setWidth(size.width())
        fitted.setHeight(size.height())
        cursor = QTextCursor(block)
        part.select(cursor)
        cursor.setCharFormat(fitted)

    def _size_of(self, name: str) -> QSize:
        file = self._file(name)
        image = QImage() if file is None else QImage.fromData(file.read_bytes())
        if image.width() <= self._room:
            return image.size()
        return QSize(self._room, round(image.height() * self._room / image.width()))

    def _file(self, name: str) -> Traversable | None:
        """Return a file in the folder of the page, or None if there is none."""
        assert self.page is not None
        path = normpath(join(dirname(self.page.name), name))
        file = folder().joinpath(*path.split("/"))
        return file if file.is_file() else None

    def _block_of(self, anchor: str) -> QTextBlock | None:
        if not anchor:
            return None
        for block in blocks(self.document()):
            text = block.text()
            is_heading = block.blockFormat().headingLevel() > 0
            is_line = anchor.startswith("--") and text.endswith(f" {anchor}")
            if is_line or (is_heading and slug(text) == anchor):
                return block
        return None

    def _mark(self) -> None:
        """Highlight the words of the search, and the requested flag."""
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
        """Show the target of a link that leaves the manual."""
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
    theme, made, looks = current_theme(), QTextEdit.ExtraSelection(), QTextCharFormat()
    looks.setBackground(mix(theme.card, theme.tile_heat, 0.35))
    made.cursor, made.format = cursor, looks
    return made
