"""Boards of a search in each depth, by f as a heat map or, without estimates, as bars."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import number
from tilelab.core.views import ByDepth
from tilelab.gui.charts.ticks import tick_text
from tilelab.gui.views.spot_view import Spot, SpotPicture, SpotView, legend_growth, paint_legend
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme, mix

_LEFT, _BELOW, _TOP, _RIGHT = 62.0, 36.0, 4.0, 4.0
_GAP_OF_SIDES = 22.0  # gap between the sides, with room for their names
_LARGEST = (64.0, 26.0)
_PIXELS, _LINE = 12, 15.0
_COUNT = 52.0  # pixels of a count next to a bar
_SHORTEST = 1.5  # pixels of a bar of few boards


@dataclass(frozen=True, eq=False)
class DepthsDrawing:
    """The drawing of one or both sides; the goal's side is upside down below the other."""

    view: ByDepth

    @property
    def words(self) -> str:
        expanded = sum(int(side.expanded.sum()) for side in self.view.sides)
        waiting = sum(int(side.open.sum()) for side in self.view.sides)
        met = ""
        if self.view.meeting is not None:
            depth, other = self.view.meeting
            met = tr(
                " · joined at depth {depth} from the start, {other} from the goal",
                depth=figures(depth, ","),
                other=figures(other, ","),
            )
        return tr(
            "{expanded} expanded, {waiting} open{note}",
            expanded=figures(expanded, ","),
            waiting=figures(waiting, ","),
            note=met,
        )

    @property
    def _legend(self) -> list[str]:
        """Words of the legend; the last ones are for open boards."""
        if self.is_plain:
            return [tr("expanded"), tr("open")]
        most = tr("up to {maximum}", maximum=figures(self._most, ","))
        return [tr("few boards"), most, tr("some open")]

    @property
    def is_plain(self) -> bool:
        """Whether f equals the depth, so that bars say more than a map."""
        totals = [side.expanded + side.open for side in self.view.sides]
        if not all((np.count_nonzero(total, axis=1) <= 1).all() for total in totals):
            return False
        # The start's f is its estimate, which is 0 without a heuristic.
        return all(not (total[:1, self.view.f > 0] > 0).any() for total in totals)

    def rows(self, rect: QRectF) -> Iterator[tuple[int, int, QRectF]]:
        """Return side, row and area of all rows from the top."""
        below = _BELOW + legend_growth(self._legend, rect.width() - _RIGHT)
        room = rect.adjusted(_LEFT, _TOP, -_RIGHT, -below)
        counts = [len(side.expanded) for side in self.view.sides]
        gap = _GAP_OF_SIDES * (len(counts) - 1)
        height = min((room.height() - gap) / max(sum(counts), 1), _LARGEST[1])
        y = room.top()
        for side, count in enumerate(counts):
            for row in reversed(range(count)) if side else range(count):
                yield side, row, QRectF(room.left(), y, room.width(), height)
                y += height
            y += gap

    def cells(self, rect: QRectF) -> Iterator[tuple[int, int, int, QRectF]]:
        """Return side, row, column and area of all cells with boards."""
        n_columns = max(len(self.view.f), 1)
        for side, row, room in self.rows(rect):
            counts = self.view.sides[side].expanded[row] + self.view.sides[side].open[row]
            if self.is_plain:
                if counts.any():
                    yield side, row, int(counts.argmax()), room
                continue
            width = min(room.width() / n_columns, _LARGEST[0])
            for column in np.flatnonzero(counts).tolist():
                yield (
                    side,
                    row,
                    column,
                    QRectF(room.left() + column * width, room.top(), width, room.height()),
                )

    def spots(self, rect: QRectF) -> list[Spot]:
        return [
            Spot(place, self.cell_words(side, row, column))
            for side, row, column, place in self.cells(rect)
        ]

    def cell_words(self, side: int, row: int, column: int) -> str:
        """Return the number of boards in a cell in words."""
        step = self.view.depth_step
        depth = (
            figures(row * step, ",")
            if step == 1
            else tr(
                "{low} to {high}",
                low=figures(row * step, ","),
                high=figures((row + 1) * step - 1, ","),
            )
        )
        f = "" if self.is_plain else f", f {number(float(self.view.f[column]))}"
        side_words = (tr("From the start, depth"), tr("From the goal, depth"))[side]
        said = side_words if len(self.view.sides) > 1 else tr("Depth")
        counts = self.view.sides[side]
        expanded, waiting = int(counts.expanded[row, column]), int(counts.open[row, column])
        return tr(
            "{side} {depth}{f}: {expanded} expanded, {waiting} open",
            side=said,
            depth=depth,
            f=f,
            expanded=figures(expanded, ","),
            waiting=figures(waiting, ","),
        )

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if self.is_plain:
            self._paint_bars(painter, rect, theme)
        else:
            self._paint_map(painter, rect, theme)
        self._paint_depths(painter, rect, theme)
        self._paint_meeting(painter, rect, theme)

    @property
    def _most(self) -> int:
        return max(int((side.expanded + side.open).max(initial=1)) for side in self.view.sides)

    def _paint_map(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        text = TextPainter(painter, _PIXELS, theme.text)
        scale, shows_open = math.log1p(self._most), False
        for side, row, column, place in self.cells(rect):
            counts = self.view.sides[side]
            waiting = int(counts.open[row, column])
            total = int(counts.expanded[row, column]) + waiting
            gap = min(0.5, 0.1 * place.height())  # lines of one pixel would fade
            face = place.adjusted(0.5, gap, -0.5, -gap)
            painter.fillRect(face, heat(math.log1p(total) / scale, theme))
            if waiting and min(place.width(), place.height()) >= 5:
                shows_open = True
                painter.setPen(QPen(theme.accent, 1.3))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(face.adjusted(1, 1, -1, -1))
            said = tick_text(float(total), max(10.0 ** (len(str(total)) - 3), 1.0))
            if place.height() >= _LINE and text.width(said) < place.width() - 6:
                text.draw(place.center(), said)
        self._paint_f(painter, rect, theme)
        looks = [(QPen(heat(0.15, theme)), True), (QPen(heat(1.0, theme)), True)]
        if shows_open:
            looks.append((QPen(theme.accent, 1.3), False))
        self._paint_legend(painter, rect, looks, theme)

    def _paint_bars(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        text = TextPainter(painter, _PIXELS, theme.text)
        for side, row, column, place in self.cells(rect):
            counts = self.view.sides[side]
            expanded, waiting = int(counts.expanded[row, column]), int(counts.open[row, column])
            a_board = (place.width() - _COUNT) / self._most
            gap = min(place.height() * 0.12, 2.0)
            bar = place.adjusted(0, gap, 0, -gap)
            bar.setWidth(max((expanded + waiting) * a_board, _SHORTEST))
            painter.setPen(QPen(theme.accent, 1.0))
            painter.setBrush(theme.card)
            painter.drawRect(bar)
            if expanded:  # never less than its line, which alone would say that boards are open
                bar.setWidth(max(expanded * a_board, _SHORTEST))
                painter.fillRect(bar, theme.accent)
            if place.height() >= _LINE - 2:
                end = QPointF(place.left() + (expanded + waiting) * a_board + 6, place.center().y())
                text.draw(end, figures(expanded + waiting, ","), align=0.0)
        looks = [(QPen(theme.accent), True), (QPen(theme.accent, 1.0), False)]
        self._paint_legend(painter, rect, looks, theme)

    def _paint_legend(
        self, painter: QPainter, rect: QRectF, looks: Sequence[tuple[QPen, bool]], theme: Theme
    ) -> None:
        """Explain colours at the foot; looks: pen and fill flag of the words that are needed."""
        room = rect.width() - _RIGHT
        foot = QPointF(rect.right() - _RIGHT, rect.bottom() - 7 - legend_growth(self._legend, room))
        entries = [(word, *look) for word, look in zip(self._legend, looks, strict=False)]
        paint_legend(painter, foot, entries, theme, room)

    def _paint_depths(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        plain = TextPainter(painter, _PIXELS, theme.muted)
        rows = list(self.rows(rect))
        every = max(math.ceil(_LINE / max(rows[0][2].height(), 0.1)), 1) if rows else 1
        if len(self.view.sides) > 1:
            # Between the sides, where the words hide no cells.
            goal = next(place for side, _, place in rows if side)
            middle, words = (
                goal.top() - _GAP_OF_SIDES / 2,
                (tr("from the start"), tr("from the goal")),
            )
            upper, lower = f"↑ {words[0]}", f"↓ {words[1]}"
            if plain.width(upper) + plain.width(lower) + _LINE <= goal.width():
                plain.draw(QPointF(goal.left(), middle), upper, align=0.0)
                plain.draw(QPointF(goal.right(), middle), lower, align=1.0)
        bottom = rows[-1][2].bottom() if rows and not self.is_plain else math.inf
        for _, row, place in rows:
            # The last row is close to the axis of f.
            if row % every == 0 and bottom - place.center().y() >= _LINE / 2:
                left = QPointF(place.left() - 8, place.center().y())
                plain.draw(left, figures(row * self.view.depth_step, ","), align=1.0)
        if len(self.view.sides) > 1:
            return
        middle = (rows[0][2].top() + rows[-1][2].bottom()) / 2 if rows else rect.center().y()
        if plain.width(tr("depth")) / 2 > middle - rect.top():
            return
        painter.save()
        painter.translate(rect.left() + 8, middle)
        painter.rotate(-90)
        plain.draw(QPointF(0, 0), tr("depth"))
        painter.restore()

    def _paint_f(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        plain = TextPainter(painter, _PIXELS, theme.muted)
        rows = list(self.rows(rect))
        if not rows or not len(self.view.f):
            return
        width = min(rows[0][2].width() / len(self.view.f), _LARGEST[0])
        y = rows[-1][2].bottom() + 10
        widest = max(plain.width(number(f)) for f in self.view.f.tolist()) + 8
        every = max(math.ceil(widest / width), 1)
        for column in range(0, len(self.view.f), every):
            x = rows[0][2].left() + (column + 0.5) * width
            plain.draw(QPointF(x, y), number(float(self.view.f[column])))
        plain.draw(QPointF(rows[0][2].left() - 8, y), "f", align=1.0)

    def _paint_meeting(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw a line between the depths at which both sides met."""
        if self.view.meeting is None or len(self.view.sides) < 2:
            return
        painter.setPen(QPen(theme.tile_heat, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for side, row, place in self.rows(rect):
            if row == self.view.meeting[side] // self.view.depth_step:
                painter.drawRect(place.adjusted(-2, 0, 1, 0))


def heat(share: float, theme: Theme) -> QColor:
    """Return the colour of a share of 1; texts can be read on all of them."""
    return mix(theme.grid, theme.path, 0.95 * share)


def depths_picture(view: ByDepth, puzzle: Puzzle) -> SpotPicture:
    return SpotPicture(DepthsDrawing(view))


class DepthsView(SpotView):
    """Shows boards by depth and f."""

    name, title = "depths_view", marked("Boards by depth")
