"""Texts in Markdown, as lessons and the manual show them: their paragraphs, and parts of these."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument


class TextPart(NamedTuple):
    """A part of a paragraph that looks the same: the places where it begins and ends."""

    begin: int
    end: int
    looks: QTextCharFormat

    @property
    def is_strong(self) -> bool:
        """Whether it is bold, as headings are."""
        return self.looks.fontWeight() > QFont.Weight.Medium

    def select(self, cursor: QTextCursor) -> None:
        """Select it with a cursor of its document."""
        cursor.setPosition(self.begin)
        cursor.setPosition(self.end, QTextCursor.MoveMode.KeepAnchor)


def write_markdown(document: QTextDocument, markdown: str) -> None:
    """Replace the text of a document; what looks like HTML is text."""
    features = QTextDocument.MarkdownFeature
    document.setMarkdown(markdown, features.MarkdownDialectGitHub | features.MarkdownNoHTML)


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """Yield the paragraphs, whose looks may be changed meanwhile."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def parts(block: QTextBlock) -> list[TextPart]:
    """Return the parts of a paragraph as they are now."""
    found, place = [], block.begin()
    while not place.atEnd():
        part = place.fragment()
        end = part.position() + part.length()
        found.append(TextPart(part.position(), end, part.charFormat()))
        place += 1
    return found
