"""A beam search by depth: boards kept and cut, best value, and best boards of the newest depth."""

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import BeamDepths
from tilelab.gui.boards.tile_pictures import BoardTexts, TilePictures
from tilelab.gui.charts.ticks import whole_range
from tilelab.gui.views.boards_picture import BoardPlaces
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
from tilelab.gui.widgets.theme import Theme

_APART, _TITLE, _PIXELS = 16.0, 20.0, 12
_FOOT_WIDTH = 34.0
_TWO_PLOTS = 184.0  # smallest height for two plots whose ticks do not touch


@dataclass(frozen=True, eq=False)
class BeamDrawing:
    """The drawing of a beam: depths at the left, best boards at the right."""

    view: BeamDepths
    texts: BoardTexts
    pictures: TilePictures = field(default_factory=TilePictures)

    @property
    def words(self) -> str:
        n_depths = len(self.view.kept)
        if not n_depths:
            return tr("A beam of {width}; no depth yet", width=counted(self.view.width, "board"))
        return self.depth_words(n_depths - 1)

    def depth_words(self, place: int) -> str:
        """Return what was kept and cut in a depth; place: index among the shown depths."""
        generated, kept = int(self.view.generated[place]), int(self.view.kept[place])
        best = float(self.view.best[place])
        said = tr(", best {best}", best=number(best)) if np.isfinite(best) else ""
        depth = self.view.first + place
        cut = generated - kept
        return tr(
            "Depth {depth}: {generated}, {kept} kept, {cut} cut{note}",
            depth=figures(depth, ","),
            generated=counted(generated, "board"),
            kept=figures(kept, ","),
            cut=figures(cut, ","),
            note=said,
        )

    def _at_left(self, rect: QRectF) -> tuple[SmallPlot, ...]:
        """Return the plot of the boards by depth, and that of the best values."""
        most = max(int(self.view.generated.max(initial=1)), 1)
        _, high = whole_range(0.0, float(most))
        room = _left(rect, 0)
        room.adjust(0, 0, 0, -legend_growth(self._legend(high), room.width()))
        known = self.view.best[np.isfinite(self.view.best)]
        span = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        below = _left(rect, 1)
        return in_line(
            SmallPlot(room, self._depths, (0.0, high)),
            SmallPlot(below, self._depths, whole_range(*span), smallest=0.0),
        )

    def _legend(self, high: float) -> list[str]:
        """Return the words of the legend; high: end of the axis of the boards."""
        words = [tr("kept"), tr("cut")]
        if self.view.width <= high:
            words.append(tr("width {width}", width=figures(self.view.width, ",")))
        return words

    @property
    def _depths(self) -> tuple[float, float]:
        return self.view.first - 0.5, self.view.first + max(len(self.view.kept), 1) - 0.5

    def spots(self, rect: QRectF) -> list[Spot]:
        bars, best = self._at_left(rect)
        below = max(bars.inside.bottom(), best.inside.bottom())
        made = []
        for place in range(len(self.view.kept)):
            column = bars.bar(self.view.first + place, 0, bars.y[1], share=1.0)
            column.setBottom(below)
            made.append(Spot(column, self.depth_words(place)))
        places = self._places(_right(rect))
        for board in range(places.n_shown):
            value = number(float(self.view.values[board]))
            said = tr(
                "Board {number}, value {value}: {words}",
                number=board + 1,
                value=value,
                words=self.texts.words(board),
            )
            made.append(Spot(places.place(board), said))
        return made

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        bars, plot = self._at_left(rect)
        self._paint_bars(painter, bars, theme)
        self._paint_boards(painter, _right(rect), theme)
        if plot.rect.isEmpty():
            return
        plot.paint_axes(painter, (tr("Best value"), tr("depth")), theme)
        points = [
            plot.point(self.view.first + place, value)
            for place, value in enumerate(self.view.best.tolist())
            if np.isfinite(value)
        ]
        painter.setPen(QPen(theme.selection, 2.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        if points:
            painter.setBrush(theme.selection)
            painter.drawEllipse(points[-1], 3.0, 3.0)

    def _paint_bars(self, painter: QPainter, plot: SmallPlot, theme: Theme) -> None:
        plot.paint_axes(painter, (tr("Boards by depth"), ""), theme)
        for place, generated in enumerate(self.view.generated.tolist()):
            depth, kept = self.view.first + place, int(self.view.kept[place])
            painter.fillRect(plot.bar(depth, 0, kept), theme.accent)
            if generated > kept:
                cut = plot.bar(depth, kept, generated)
                painter.setPen(QPen(theme.stop, 1.0))
                painter.setBrush(QBrush(theme.stop, Qt.BrushStyle.BDiagPattern))
                painter.drawRect(cut)
        inside = plot.inside
        width = plot.point(self.view.first, self.view.width).y()
        words = self._legend(plot.y[1])
        if len(words) > 2:
            painter.setPen(QPen(theme.text, 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(inside.left(), width, inside.right(), width))
        looks = [
            (QPen(theme.accent), True),
            (QPen(theme.stop, 1.0), False),
            (QPen(theme.text, 1.6), False),
        ]
        entries = [(word, *look) for word, look in zip(words, looks, strict=False)]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        end = QPointF(plot.rect.right(), plot.rect.bottom() - 8)
        paint_legend(painter, end, entries, theme, plot.rect.width())

    def _paint_boards(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        places = self._places(rect)
        strong = TextPainter(painter, _PIXELS, theme.text, strong=True)
        title = QPointF(rect.left(), rect.top() + 8)
        strong.draw(title, tr("Best now"), align=0.0)
        layouts = [places.layout(board) for board in range(places.n_shown)]
        self.pictures.paint(painter, layouts, self.texts, theme)
        plain = TextPainter(painter, _PIXELS, theme.muted)
        for board, layout in enumerate(layouts):
            last = layout.cell_rect(layout.n_rows * layout.n_cols - 1)
            point = QPointF((layout.left + last.right()) / 2, last.bottom() + 11)
            plain.draw(point, number(float(self.view.values[board])))

    def _places(self, rect: QRectF) -> BoardPlaces:
        room = rect.adjusted(0, _TITLE, 0, 0)
        return BoardPlaces.found(room, self.texts.shape, len(self.texts), 1, _FOOT_WIDTH)


def _left(rect: QRectF, part: int) -> QRectF:
    """Return the upper or lower area at the left."""
    width = (rect.width() - _APART) * 0.6
    column = QRectF(rect.left(), rect.top(), width, rect.height())
    return part_of(column, 0.56, part, _TWO_PLOTS)


def _right(rect: QRectF) -> QRectF:
    width = (rect.width() - _APART) * 0.4
    return QRectF(rect.right() - width, rect.top(), width, rect.height())


def beam_picture(view: BeamDepths, puzzle: Puzzle) -> SpotPicture:
    return SpotPicture(BeamDrawing(view, BoardTexts.of(puzzle, view.boards)))


class BeamView(SpotView):
    """Shows the depths of a beam search."""

    name, title = "beam_view", marked("Beam by depth")
