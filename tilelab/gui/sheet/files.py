"""Sheets as files: PDF with vector text, and each page as a PNG or SVG picture."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSize, QSizeF
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.sheet.painter import UNITS, paint_page, paint_pages, text_width
from tilelab.gui.widgets.text_painter import png_bytes, svg_bytes
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.carried import picture_with, xmp_with
from tilelab.sheets.drawing import SheetTargets
from tilelab.sheets.layout import sheet_pages
from tilelab.sheets.page import Page
from tilelab.sheets.sheet import PaperSize, Sheet, SheetOptions

PNG_DOTS_PER_POINT = 150 / 72
_PAPERS = {
    PaperSize.A4: QPageSize.PageSizeId.A4,
    PaperSize.LETTER: QPageSize.PageSizeId.Letter,
}


def write_sheets(
    sheets: Sequence[Sheet], options: SheetOptions, targets: SheetTargets
) -> tuple[Path, ...]:
    """Draw sheets into files, and return those written; raises TileLabError."""
    pages = laid_out(sheets, options)
    written = []
    if targets.pdf is not None:
        data = pdf_bytes(pages, options, targets.title, targets.carried)
        written.append(write_atomically(targets.pdf, data))
    for path, drawn in ((targets.png, page_png), (targets.svg, page_svg)):
        if path is not None:
            for number, page in enumerate(pages, 1):
                target = numbered_path(path, number, len(pages))
                picture = picture_with(drawn(page), target.suffix.lower(), targets.carried)
                written.append(write_atomically(target, picture))
    return tuple(written)


def laid_out(sheets: Sequence[Sheet], options: SheetOptions) -> tuple[Page, ...]:
    """Set sheets on pages in the program's font, which must be loaded."""
    return sheet_pages(sheets, options, text_width)


def page_layout(options: SheetOptions) -> QPageLayout:
    """Return paper without margins: those are the page's own."""
    paper = QPageSize(_PAPERS[options.paper])
    return QPageLayout(paper, QPageLayout.Orientation.Portrait, QMarginsF())


def pdf_bytes(pages: Sequence[Page], options: SheetOptions, title: str, carried: str = "") -> bytes:
    """Write pages as one PDF file, its text as text, its fonts embedded.

    carried: what it carries of the run that made it.
    """
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(72 * UNITS)
    writer.setPageLayout(page_layout(options))
    writer.setTitle(one_line(title))
    writer.setCreator("TileLab")
    if carried:
        writer.setDocumentXmpMetadata(QByteArray(xmp_with(carried)))
    paint_pages(writer, pages)
    buffer.close()
    return bytes(written.data())


def page_png(page: Page) -> bytes:
    """Return a page as a PNG picture, 150 pixels to the inch."""
    size = QSizeF(page.width, page.height).toSize()
    return png_bytes(
        size, QColor("white"), lambda painter: paint_page(painter, page, 1.0), PNG_DOTS_PER_POINT
    )


def page_svg(page: Page) -> bytes:
    """Return a page as an SVG picture; its texts are shapes, so it looks alike everywhere."""
    size = QSize(round(page.width), round(page.height))

    def paint(painter: QPainter) -> None:
        paint_page(painter, page, 1.0, outlines=True)

    return svg_bytes(size, QColor("white"), tr("Sheet"), page.title, paint)


def numbered_path(path: Path, number: int, n_pages: int) -> Path:
    """Return the file of a page, counted from 1: of several, the number ends its name."""
    return path if n_pages == 1 else path.with_stem(f"{path.stem}-{number}")
