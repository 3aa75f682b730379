"""Export a chart: its plot as a picture, and its rows as a table."""

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.charts.curves import LegendEntry, legend_lines, paint_legend
from tilelab.gui.widgets.text_painter import TextPainter, png_bytes, svg_bytes
from tilelab.gui.widgets.theme import pixel_font, scaled, text_pixels, text_scale
from tilelab.runs.trace import Trace

if TYPE_CHECKING:
    from tilelab.gui.charts.plot import Plot

_RIM, _LINE, _NEAR = 24, 20, 8
_PNG_SCALE = 2.0


def plot_file(
    plot: "Plot", kind: str, title: str, entries: Sequence[LegendEntry] = (), caption: str = ""
) -> bytes:
    """Return the contents of a file of a plot, with title, legend and caption.

    The plot is made for the file only. kind: 'png' of two pixels for each of the plot, or 'svg'
    whose letters are shapes, so that it looks the same everywhere. The SVG exporter of pyqtgraph
    0.14 fails at closed paths, its issue 3495; so the scene is rendered here.
    """
    theme, scale = plot.theme, _PNG_SCALE if kind == "png" else 1.0
    plot.prepare_for_file(scale)
    title = one_line(title)
    inner = QRectF(plot.rect()).translated(scaled(_RIM), scaled(_RIM))
    legend = scaled(_LINE) * len(legend_lines(entries, inner.width())) if entries else 0
    inner.translate(0, scaled(_LINE) * bool(title) + legend)
    height = scaled(2 * _LINE + _NEAR) if caption else 0
    foot = QRectF(inner.left(), inner.bottom(), inner.width(), height)
    size = QSize(plot.width() + scaled(2 * _RIM), round(foot.bottom()) + scaled(_RIM))

    def paint(painter: QPainter) -> None:
        painter.scale(1 / text_scale(), 1 / text_scale())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        heading = TextPainter(painter, text_pixels("title"), theme.text, strong=True)
        heading.draw(QPointF(inner.left(), scaled(_RIM)), title, align=0.0)
        lines = QRectF(inner.left(), inner.top() - legend, inner.width(), legend)
        paint_legend(painter, lines, entries, theme)
        plot.scene().render(painter, inner, QRectF(plot.rect()))
        painter.setFont(pixel_font(text_pixels("small")))
        painter.setPen(theme.muted)
        painter.drawText(
            foot.adjusted(0, scaled(_NEAR), 0, 0), Qt.TextFlag.TextWordWrap, one_line(caption)
        )

    size /= text_scale()
    plot.deleteLater()
    if kind == "png":
        return png_bytes(size, theme.card, paint, scale=scale)
    names = caption or ", ".join(entry.title for entry in entries)
    return svg_bytes(size, theme.card, title or tr("Chart"), names, paint)


def chart_csv(trace: Trace, unit: str) -> str:
    """Write a trace as CSV with a heading.

    A row has a unit and its metrics. In a longer run, a row has the first and last unit of a
    bucket. It also has the smallest and largest value of each metric in the bucket.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    kept, width = trace.buckets(), trace.width
    if width == 1:
        table.writerow([unit, *trace.names])
        for index in range(trace.n_used):
            table.writerow([index, *(_number(value) for value in kept.low[:, index].tolist())])
        return written.getvalue()
    extremes = [f"{name}_{side}" for name in trace.names for side in ("min", "max")]
    table.writerow([f"first_{unit}", f"last_{unit}", *extremes])
    for index in range(trace.n_used):
        pairs = np.column_stack((kept.low[:, index], kept.high[:, index])).ravel()
        last = min((index + 1) * width, trace.n_units) - 1
        table.writerow([index * width, last, *(_number(value) for value in pairs.tolist())])
    return written.getvalue()


def _number(value: float) -> str:
    """Write a number so that it reads back the same; nothing for one that is not finite."""
    if not np.isfinite(value):
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)
