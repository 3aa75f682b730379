"""How a page of the manual looks: sizes, air, tables and code in the window's own tokens."""

from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
)

from tilelab.gui.widgets.theme import current_theme, mix, scaled, text_font, text_pixels, tokens

_LINE_PERCENT = 136
_HEADINGS = {1: "large", 2: "title", 3: "body", 4: "body"}
"""The size of a heading by its level."""
_ABOVE = {1: 8, 2: 26, 3: 18, 4: 14}
_BELOW = {1: 12, 2: 8, 3: 6, 4: 6}
_PADDING, _MANY_COLUMNS = 6, 10
"""Pixels around the text of a cell; half of them where a table has many columns."""
_LONGEST = 900
"""Pixels; a longer text wishes for no more."""


def apply_style(document: QTextDocument) -> None:
    """Give a document that was read from Markdown the looks of the window."""
    document.setDefaultFont(text_font())
    cursor = QTextCursor(document)
    # Laid out once, at the end.
    cursor.beginEditBlock()
    for table in _tables(document):
        _style_table(table)
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        _style_block(cursor, block)
        _style_parts(cursor, block)
        block = block.next()
    cursor.endEditBlock()


def found_format() -> QTextCharFormat:
    """Return how a word looks that was searched for."""
    theme = current_theme()
    looks = QTextCharFormat()
    looks.setBackground(mix(theme.card, theme.tile_heat, 0.35))
    return looks


def _style_block(cursor: QTextCursor, block: QTextBlock) -> None:
    theme = current_theme()
    looks = QTextBlockFormat()
    level = block.blockFormat().headingLevel()
    # Between taller lines of code the ground would show through; below a picture is air enough.
    percent = 100 if is_code(block) or _is_picture(block) else _LINE_PERCENT
    looks.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    in_table = cursor.currentTable() is not None
    in_list = block.textList() is not None
    if in_list:
        _style_list(block)
    if level:
        looks.setTopMargin(scaled(_ABOVE.get(level, 12)))
        looks.setBottomMargin(scaled(_BELOW.get(level, 6)))
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


def _is_picture(block: QTextBlock) -> bool:
    place = block.begin()
    return not place.atEnd() and place.fragment().charFormat().isImageFormat()


def is_code(block: QTextBlock) -> bool:
    """Return whether a paragraph is a line of code."""
    looks = block.blockFormat()
    return any(
        looks.hasProperty(kind.value)
        for kind in (QTextFormat.Property.BlockCodeLanguage, QTextFormat.Property.BlockCodeFence)
    )


def _style_parts(cursor: QTextCursor, block: QTextBlock) -> None:
    """Set fonts; the program's own has one strong weight, and others would be smeared."""
    theme, level = current_theme(), block.blockFormat().headingLevel()
    parts, place = [], block.begin()
    while not place.atEnd():
        part = place.fragment()
        parts.append((part.position(), part.length(), part.charFormat()))
        place += 1
    for begin, length, before in parts:
        if before.isImageFormat():
            continue
        looks = QTextCharFormat()
        is_strong = before.fontWeight() > QFont.Weight.Medium
        if level:
            looks.setFont(text_font(_HEADINGS.get(level, "body"), strong=True))
        elif before.fontFixedPitch() or is_code(block):
            looks.setFont(_code_font())
            if not is_code(block):
                looks.setBackground(mix(theme.card, theme.grid, 0.7))
        elif is_strong:
            looks.setFontWeight(tokens()["weights"]["strong"])
        if before.isAnchor():
            looks.setForeground(theme.selection)
            looks.setFontUnderline(True)
        else:
            looks.setForeground(theme.text)
        cursor.setPosition(begin)
        cursor.setPosition(begin + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(looks)


def _code_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(text_pixels("small"))
    return font


def fit_tables(document: QTextDocument, room: int) -> None:
    """Give the columns of all tables their widths; room: pixels of a line."""
    for table in _tables(document):
        looks = table.format()
        fixed = QTextLength.Type.FixedLength
        widths = shared(_columns(table), room - 1)
        looks.setWidth(QTextLength(fixed, sum(widths)))
        looks.setColumnWidthConstraints([QTextLength(fixed, width) for width in widths])
        table.setFormat(looks)


def shared(columns: list[tuple[float, float]], room: float) -> list[float]:
    """Share the room among columns, each with its least and its wished width.

    Each has at least its least, though they be more than the room; what is left goes to those that
    wish for more, the more the more they lack. What nobody wishes for, the last one has.
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
    """The least width of each column, that of its longest word, and that of its longest text."""
    found = []
    around = 2 * _padding(table) + 2
    # Which words are code, or strong, is not asked: the wider font counts.
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
