"""The thresholds of iterative deepening as a stair, its boards, and its current path."""

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, labelled, number
from tilelab.core.views import Thresholds
from tilelab.gui.boards.scene import MIN_PITCH, BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, paint_texts
from tilelab.gui.charts.ticks import log_place, whole_range
from tilelab.gui.views.spot_view import (
    SmallPlot,
    Spot,
    SpotPicture,
    SpotView,
    in_line,
    legend_growth,
    paint_legend,
    part_of,
)
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme, pixel_font

_APART, _LINE, _PIXELS = 12.0, 18.0, 12
_MIN_LEGEND = 48.0  # smallest width of the legend of a path
_PATH_TITLE = marked("The current path")
_MIN_TEXT_STEP = 30.0  # smallest step in pixels with room for its number


@dataclass(frozen=True, eq=False)
class ThresholdsDrawing:
    """The drawing of the iterations, and of the current path and its last board."""

    view: Thresholds
    last: BoardTexts | None  # texts of the board at the end of the path

    @property
    def words(self) -> str:
        if not len(self.view.thresholds):
            return tr("No iteration yet")
        threshold = number(float(self.view.thresholds[-1]))
        newest = self.view.first + len(self.view.thresholds)
        return tr(
            "Iteration {newest}, threshold {threshold}{path_words}",
            newest=figures(newest, ","),
            threshold=threshold,
            path_words=self._path_words,
        )

    @property
    def _path_words(self) -> str:
        if self.last is None:
            return ""
        h = f", h {number(float(self.view.h[-1]))}" if np.isfinite(self.view.h[-1]) else ""
        return tr(" · path of {n_moves}{h}", n_moves=counted(len(self.view.path) - 1, "move"), h=h)

    def at_left(self, rect: QRectF) -> tuple[SmallPlot, ...]:
        """Return the plot of the thresholds, and that of the boards in each iteration."""
        span = whole_range(*_bounds(self.view.thresholds))
        stair = SmallPlot(_left(rect, 0), self._iterations, span)
        top = log_place(float(self.view.expanded.max(initial=1)), 1.0)
        bars = SmallPlot(_left(rect, 1), self._iterations, (0.0, top), knee=1.0)
        return in_line(_with_headroom(stair), _with_headroom(bars))

    def path(self, rect: QRectF) -> SmallPlot:
        """Return the plot of g and h along the current path."""
        g = np.arange(len(self.view.h))
        tops = [g + np.nan_to_num(self.view.h), self.view.thresholds[-1:], np.array([1.0])]
        _, high = whole_range(0.0, float(np.concatenate(tops).max()))
        room, below = _right(rect, 0), _right(rect, 1)
        if not below.isEmpty():
            if self._last_layout(rect) is None:  # its legend is below it
                room.setBottom(below.bottom() - _LINE)
            room.adjust(0, 0, 0, -legend_growth(self._legend, room.width()))
        plot = SmallPlot(room, (0.0, float(max(len(g) - 1, 1))), (0.0, high))
        if below.isEmpty():
            plot = _with_headroom(plot, legend_growth(self._legend, _next_to_title(plot)))
        return plot

    def _last_layout(self, rect: QRectF) -> BoardLayout | None:
        """Return the layout of the board at the end of the path; None without legible tiles."""
        room = _right(rect, 1)
        if self.last is None or room.isEmpty():
            return None
        room.adjust(0, _LINE, 0, -_LINE - 4)
        layout = BoardLayout.fitted(self.last.shape, room, max_pitch=44)
        return layout if layout.pitch >= MIN_PITCH else None

    @property
    def _legend(self) -> list[str]:
        """Words of the legend of the path."""
        has_h = bool(np.isfinite(self.view.h).all())
        return [tr("threshold"), *(["g + h"] if has_h else []), "g"]

    def _number(self, place: int) -> int:
        """Return the number of an iteration, from 1."""
        return self.view.first + place + 1

    @property
    def _iterations(self) -> tuple[float, float]:
        first = self.view.first
        return first + 0.5, first + len(self.view.thresholds) + 0.5

    def spots(self, rect: QRectF) -> list[Spot]:
        if not len(self.view.thresholds):
            return []
        above, bars = self.at_left(rect)
        stair = above.inside
        made = []
        for place, threshold in enumerate(self.view.thresholds.tolist()):
            column = bars.bar(self._number(place), 0, 1, share=1.0)
            column.setTop(stair.top())
            column.setBottom(max(stair.bottom(), bars.inside.bottom()))
            expanded, generated = self.view.expanded[place], self.view.generated[place]
            said = tr(
                "{expanded} expanded, {generated} generated",
                expanded=figures(expanded, ","),
                generated=figures(generated, ","),
            )
            title = tr(
                "Iteration {number}, threshold {threshold}",
                number=figures(self._number(place), ","),
                threshold=number(threshold),
            )
            made.append(Spot(column, labelled(title, said)))
        return made

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if not len(self.view.thresholds):
            return
        stair, bars = self.at_left(rect)
        self._paint_stair(painter, stair, theme)
        has_both = not bars.rect.isEmpty()
        if has_both:
            self._paint_bars(painter, bars, theme)
        if self.last is not None:
            self._paint_path(painter, self.path(rect), theme, has_room=has_both)
            layout = self._last_layout(rect)
            if layout is not None:
                self._paint_last(painter, _right(rect, 1), layout, self.last, theme)

    def _paint_stair(self, painter: QPainter, plot: SmallPlot, theme: Theme) -> None:
        plot.paint_axes(painter, (tr("Threshold, in moves"), ""), theme)
        steps = [
            plot.point(self._number(place) + side, threshold)
            for place, threshold in enumerate(self.view.thresholds.tolist())
            for side in (-0.5, 0.5)
        ]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.selection, 2.5))
        painter.drawPolyline(QPolygonF(steps))
        painter.setPen(QPen(theme.tile_heat, 4.0))
        painter.drawLine(steps[-2], steps[-1])
        text = TextPainter(painter, _PIXELS, theme.text, strong=True)
        for place, threshold in enumerate(self.view.thresholds.tolist()):
            begin, end = steps[2 * place], steps[2 * place + 1]
            if end.x() - begin.x() >= _MIN_TEXT_STEP:
                text.draw((begin + end) / 2 - QPointF(0, 10), number(threshold))

    def _paint_bars(self, painter: QPainter, plot: SmallPlot, theme: Theme) -> None:
        plot.paint_axes(painter, (tr("Expanded, logarithmic"), tr("iteration")), theme)
        text = TextPainter(painter, _PIXELS, theme.text)
        last = len(self.view.expanded) - 1
        for place, count in enumerate(self.view.expanded.tolist()):
            if count < 0:
                continue
            bar = plot.bar(self._number(place), 0.0, float(count))
            painter.fillRect(bar, theme.tile_heat if place == last else theme.accent)
            said = figures(count, ",")
            if text.width(said) < bar.width() / 0.76 - 4:
                text.draw(QPointF(bar.center().x(), bar.top() - 8), said)

    def _paint_path(
        self, painter: QPainter, plot: SmallPlot, theme: Theme, *, has_room: bool
    ) -> None:
        plot.paint_axes(painter, (tr(_PATH_TITLE), tr("moves made: g")), theme)
        g = np.arange(len(self.view.h))
        has_h = bool(np.isfinite(self.view.h).all())
        for values, pen in (
            (g, QPen(theme.accent, 2.0)),
            *(((g + self.view.h, QPen(theme.selection, 2.5)),) if has_h else ()),
        ):
            painter.setPen(pen)
            points = [plot.point(x, y) for x, y in enumerate(values.tolist())]
            painter.drawPolyline(QPolygonF(points))
            painter.setBrush(pen.color())
            painter.drawEllipse(points[-1], 3.0, 3.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        threshold = float(self.view.thresholds[-1])
        edge = QPen(theme.stop, 1.5, Qt.PenStyle.DashLine)
        painter.setPen(edge)
        y = plot.point(0, threshold).y()
        painter.drawLine(QLineF(plot.inside.left(), y, plot.inside.right(), y))
        pens = [QPen(theme.stop, 1.5), QPen(theme.selection, 2.5), QPen(theme.accent, 2.0)]
        if not has_h:
            del pens[1]
        entries = [(word, pen, False) for word, pen in zip(self._legend, pens, strict=True)]
        end, room = QPointF(plot.rect.right() - 2, plot.rect.bottom() + 8), plot.rect.width()
        if not has_room:  # next to the title then
            end.setY(plot.rect.top() + 8)
            room = _next_to_title(plot)
        if room < _MIN_LEGEND:
            return
        paint_legend(painter, end, entries, theme, room)

    def _paint_last(
        self,
        painter: QPainter,
        rect: QRectF,
        layout: BoardLayout,
        last: BoardTexts,
        theme: Theme,
    ) -> None:
        """Draw the board at the end of the path with its numbers."""
        text = TextPainter(painter, 13, theme.text, strong=True)
        paint_texts(painter, layout, last.board(0), theme)
        g, h = len(self.view.path) - 1, float(self.view.h[-1])
        said = f"g {g} + h {number(h)} = f {number(g + h)}" if np.isfinite(h) else f"g = {g}"
        text.draw(QPointF(rect.center().x(), rect.bottom() - _LINE / 2), said)


def _bounds(values: np.ndarray) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _with_headroom(plot: SmallPlot, pixels: float = _LINE - 4) -> SmallPlot:
    """Extend the vertical axis, so that curves leave room for a line of text at the top."""
    low, high = plot.y
    height = max(plot.inside.height(), 2 * (pixels + 4))
    return replace(plot, y=(low, low + (high - low) * height / (height - pixels)))


def _next_to_title(plot: SmallPlot) -> float:
    """Return the width that the title of the path leaves for its legend."""
    title = QFontMetricsF(pixel_font(_PIXELS, strong=True)).horizontalAdvance(tr(_PATH_TITLE))
    return plot.rect.width() - title - 8


def _left(rect: QRectF, part: int) -> QRectF:
    """Return the upper or lower area at the left."""
    width = (rect.width() - _APART) * 0.58
    return part_of(QRectF(rect.left(), rect.top(), width, rect.height()), 0.44, part)


def _right(rect: QRectF, part: int) -> QRectF:
    """Return the upper or lower area at the right."""
    width = (rect.width() - _APART) * 0.42
    return part_of(QRectF(rect.right() - width, rect.top(), width, rect.height()), 0.54, part)


def thresholds_picture(view: Thresholds, puzzle: Puzzle) -> SpotPicture:
    last = BoardTexts.of(puzzle, view.path[-1:]) if len(view.path) else None
    return SpotPicture(ThresholdsDrawing(view, last))


class ThresholdsView(SpotView):
    """A view of the iterations of iterative deepening."""

    name, title = "thresholds_view", marked("Thresholds and boards of each iteration")
