"""Paint pages on paper and the screen, and into PDF, PNG and SVG files."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPdfWriter,
    QPen,
)

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.widgets.text_painter import is_svg, png_bytes, svg_bytes
from tilelab.gui.widgets.theme import pixel_font
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.carried import picture_with, xmp_with
from tilelab.sheets.layout import sheet_pages
from tilelab.sheets.page import Capsule, Line, Page, Text
from tilelab.sheets.sheet import PaperSize, Sheet, SheetOptions, SheetTargets

UNITS = 20  # units of a painter per point, because fonts have integer sizes
POINTS_PER_INCH = 72
PNG_DOTS_PER_POINT = 150 / POINTS_PER_INCH
_PAPERS = {PaperSize.A4: QPageSize.PageSizeId.A4, PaperSize.LETTER: QPageSize.PageSizeId.Letter}


def paint_page(painter: QPainter, page: Page, scale: float) -> None:
    """Paint a page; scale: the painter's units for each point."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale / UNITS, scale / UNITS)
    for mark in page.marks:
        if isinstance(mark, Text):
            _paint_text(painter, mark)
        elif isinstance(mark, Line):
            _paint_line(painter, mark)
        else:
            _paint_capsule(painter, mark)
    painter.restore()


def paint_pages(device: QPagedPaintDevice, pages: Sequence[Page]) -> bool:
    """Paint pages onto paper, each on its own sheet; returns whether the device takes any."""
    painter = QPainter()
    if not painter.begin(device):
        return False
    for number, page in enumerate(pages):
        if number:
            device.newPage()
        paint_page(painter, page, device.logicalDpiX() / POINTS_PER_INCH)
    painter.end()
    return True


def text_width(text: str, strong: bool) -> float:
    """Return the advance of a text of size 1."""
    size = 100 * UNITS
    return QFontMetricsF(_font(size, strong)).horizontalAdvance(text) / size


@cache
def _font(units: int, strong: bool) -> QFont:
    font = pixel_font(units, strong=strong)
    # Glyphs substituted by a font feature cannot be read back from a PDF.
    font.clearFeatures()
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _paint_text(painter: QPainter, mark: Text) -> None:
    font = _font(max(round(mark.size * UNITS), 1), mark.strong)
    start = QPointF(mark.x, mark.y) * UNITS
    if is_svg(painter):
        shape = QPainterPath()
        shape.addText(start, font, mark.text)
        painter.fillPath(shape, QColor(mark.colour))
        return
    painter.setFont(font)
    painter.setPen(QColor(mark.colour))
    painter.drawText(start, mark.text)


def _pen(width: float, colour: str) -> QPen:
    return QPen(
        QColor(colour), width * UNITS, Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin,
    )  # fmt: skip


def _paint_line(painter: QPainter, mark: Line) -> None:
    points = [QPointF(*point) * UNITS for point in mark.points]
    path = QPainterPath(points[0])
    for point in points[1:] or (points[0] + QPointF(0.01, 0.0),):
        path.lineTo(point)
    painter.strokePath(path, _pen(mark.width, mark.colour))


def _paint_capsule(painter: QPainter, mark: Capsule) -> None:
    begin, end = QPointF(*mark.begin) * UNITS, QPointF(*mark.end) * UNITS
    path = QPainterPath(begin)
    path.lineTo(end if end != begin else begin + QPointF(0.01, 0.0))
    around = QPainterPathStroker()
    around.setWidth(2 * mark.reach * UNITS)
    around.setCapStyle(Qt.PenCapStyle.RoundCap)
    outline = around.createStroke(path).simplified()
    painter.strokePath(outline, _pen(mark.width, mark.colour))


def write_sheets(
    sheets: Sequence[Sheet], options: SheetOptions, targets: SheetTargets
) -> tuple[Path, ...]:
    """Draw sheets into files, and return those written; raises TileLabError."""
    pages = laid_out(sheets, options)
    written = []
    if targets.pdf is not None:
        carried = targets.carried[0] if len(targets.carried) == 1 else ""
        data = pdf_bytes(pages, options, targets.title, carried)
        written.append(write_atomically(targets.pdf, data))
    for path, drawn in ((targets.png, page_png), (targets.svg, page_svg)):
        if path is not None:
            for number, page in enumerate(pages, 1):
                target = numbered_path(path, number, len(pages))
                carried = targets.carried[page.sheet] if targets.carried else ""
                picture = picture_with(drawn(page), target.suffix.lower(), carried)
                written.append(write_atomically(target, picture))
    return tuple(written)


def laid_out(sheets: Sequence[Sheet], options: SheetOptions) -> tuple[Page, ...]:
    """Lay out sheets on pages in the program's font, which must be loaded."""
    return sheet_pages(sheets, options, text_width)


def page_layout(options: SheetOptions) -> QPageLayout:
    """Return a page layout without margins, because pages have their own."""
    paper = QPageSize(_PAPERS[options.paper])
    return QPageLayout(paper, QPageLayout.Orientation.Portrait, QMarginsF())


def pdf_bytes(pages: Sequence[Page], options: SheetOptions, title: str, carried: str = "") -> bytes:
    """Write pages as one PDF file, its text as text, its fonts embedded.

    carried: the run that the file carries.
    """
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(POINTS_PER_INCH * UNITS)
    writer.setPageLayout(page_layout(options))
    writer.setTitle(one_line(title))
    writer.setCreator("TileLab")
    if carried:
        writer.setDocumentXmpMetadata(QByteArray(xmp_with(carried)))
    paint_pages(writer, pages)
    buffer.close()
    return bytes(written.data())


def page_png(page: Page) -> bytes:
    """Return a page as a PNG picture, 150 pixels per inch."""
    size = QSizeF(page.width, page.height).toSize()
    return png_bytes(
        size,
        QColor("white"),
        lambda painter: paint_page(painter, page, 1.0),
        PNG_DOTS_PER_POINT,
        POINTS_PER_INCH,
    )


def page_svg(page: Page) -> bytes:
    """Return a page as an SVG picture; its texts are shapes, so it looks the same everywhere."""
    size = QSize(round(page.width), round(page.height))
    return svg_bytes(
        size,
        QColor("white"),
        tr("Sheet"),
        page.title,
        lambda painter: paint_page(painter, page, 1.0),
        POINTS_PER_INCH,
    )


def numbered_path(path: Path, number: int, n_pages: int) -> Path:
    """Return the path of a page, from 1; with several pages the number ends its name."""
    return path if n_pages == 1 else path.with_stem(f"{path.stem}-{number}")
