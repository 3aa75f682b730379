"""A board between its parents: the origin of each letter, and the mutations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import HOLE
from tilelab.core.text.wording import counted, number
from tilelab.core.views import Population
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, paint_texts
from tilelab.gui.widgets.text_painter import TextPainter, wrapped
from tilelab.gui.widgets.theme import Theme, curve_colours, pixel_font, tinted

LEFT, RIGHT, DRAWN, MUTATED, NOWHERE = range(5)
"""Origins of a letter: the left parent, the right parent, chance, a mutation, or none for a hole.
"""
_TINT = 0.48  # share of an origin's colour that is mixed into a tile
_CURVES = (0, 1, 6, 3)  # index of each origin's curve colour: blue, orange, none, purple
_ORIGIN_WORDS = (
    marked("row {row}, column {column}: {letter}, from the left parent"),
    marked("row {row}, column {column}: {letter}, from the right parent"),
    marked("row {row}, column {column}: {letter}, from a random draw"),
    marked("row {row}, column {column}: {letter}, from a mutation"),
    marked("row {row}, column {column}: hole"),
)
"""Texts about a letter and its origin, by the origin."""
_SIDE, _MIDDLE = 0.29, 0.36  # widths of a parent and of the child, as parts of the room
_LINE, _SWATCH, _APART, _SMALL = 22.0, 16.0, 18.0, 12


@dataclass(frozen=True, eq=False)
class Lineage:
    """A board of a population, with its parents if it has any."""

    place: int  # rank of the board by fitness, from 0
    child: list[str]
    shape: tuple[int, int]
    value: str
    origins: NDArray[np.uint8]
    """Origin of each cell, uint8 (cells,): LEFT, RIGHT, DRAWN or MUTATED; NOWHERE for a hole."""
    parents: tuple[list[str], ...]  # texts of both parents; () if there are none
    parent_titles: tuple[str, ...]
    is_first: bool  # whether the board is from the first generation, which has no parents

    @property
    def counts(self) -> list[int]:
        """Number of letters of each origin."""
        return [int((self.origins == origin).sum()) for origin in range(4)]

    @property
    def legend(self) -> list[tuple[int, str]]:
        """Return the number of letters of each occurring origin in words."""
        if not self.parents and not self.is_first:
            return [(DRAWN, tr("its parents are not known: the view was closed when it was made"))]
        left, right, drawn, mutated = self.counts
        said = [(DRAWN, tr("{drawn} at random", drawn=figures(drawn, ",")))] if drawn else []
        if self.parents:
            said = [
                (LEFT, tr("{left} from the left", left=figures(left, ","))),
                (RIGHT, tr("{right} from the right", right=figures(right, ","))),
                *said,
            ]
        if mutated:
            said.append((MUTATED, counted(mutated, "mutation")))
        return said

    def words(self) -> str:
        said = [
            tr("Board {grid}: {value}", grid=figures(self.place + 1, ","), value=self.value),
            *self.parent_titles,
        ]
        letters = ", ".join(text for _, text in self.legend)
        return ". ".join([*said, tr("Letters: {letters}", letters=letters)])

    def origin_words(self, cell: int) -> str:
        """Return a cell's letter and its origin in words."""
        row, col = divmod(cell, self.shape[1])
        return tr(
            _ORIGIN_WORDS[int(self.origins[cell])],
            row=row + 1,
            column=col + 1,
            letter=self.child[cell],
        )


def descent_of(view: Population, texts: BoardTexts, parents: BoardTexts, place: int) -> Lineage:
    """Return the descent of a board; texts, parents: those of the view's boards and parents."""
    child = texts.board(place)
    origins = np.where(view.mutated[place], MUTATED, view.origins[place]).astype(np.uint8)
    origins[[sign == HOLE for sign in child]] = NOWHERE
    chosen = view.parents[place].tolist()
    has_parents = min(chosen) >= 0
    titles = tuple(
        tr(
            "{side} parent: board {grid}, {value}",
            side=side,
            grid=figures(parent + 1, ","),
            value=number(float(view.parent_fitness[parent])),
        )
        for side, parent in zip((tr("Left"), tr("Right")), chosen, strict=True)
        if has_parents
    )
    return Lineage(
        place,
        child,
        texts.shape,
        number(float(view.fitness[place])),
        origins,
        tuple(parents.board(parent) for parent in chosen) if has_parents else (),
        titles,
        view.generation == 1,
    )


def origin_colour(origin: int, theme: Theme) -> QColor:
    """Return the colour of a tile by the origin of its letter."""
    if origin in (DRAWN, NOWHERE):
        return theme.tile_face
    return tinted(theme, curve_colours(theme)[_CURVES[origin]], _TINT)


def child_layout(rect: QRectF, descent: Lineage) -> BoardLayout:
    """Return the layout of the child's tiles in an area."""
    return _layouts(rect, descent)[0]


def paint_descent(painter: QPainter, rect: QRectF, descent: Lineage, theme: Theme) -> None:
    """Draw the child in the middle and its parents at both sides, with a legend below."""
    child, *sides = _layouts(rect, descent)
    faces = [origin_colour(origin, theme) for origin in descent.origins.tolist()]
    paint_texts(painter, child, descent.child, theme, faces)
    for cell, origin in enumerate(descent.origins.tolist()):
        paint_mark(painter, child.face(cell), origin, theme)
    strong = TextPainter(painter, 13, theme.text, strong=True)
    _head(
        strong,
        child,
        tr("Board {grid}: {value}", grid=figures(descent.place + 1, ","), value=descent.value),
    )
    plain = TextPainter(painter, 12, theme.muted)
    for side, layout in enumerate(sides):
        passed_on = descent.origins == side
        faces = [origin_colour(side if passed else DRAWN, theme) for passed in passed_on.tolist()]
        paint_texts(painter, layout, descent.parents[side], theme, faces)
        for cell in np.flatnonzero(passed_on).tolist():
            paint_mark(painter, layout.face(cell), side, theme)
        title, _, worth = descent.parent_titles[side].partition(": ")
        _head(strong, layout, title, -1)
        _head(plain, layout, worth)
        _paint_arrow(painter, layout, child, side, theme)
    paint_legend(painter, rect, descent.legend, theme)


def _layouts(rect: QRectF, descent: Lineage) -> list[BoardLayout]:
    room = rect.adjusted(
        0,
        _LINE * (1.8 if descent.parents else 1),
        0,
        -_LINE * (len(_legend_lines(descent.legend, rect.width())) + 0.3),
    )
    if not descent.parents:
        return [BoardLayout.fitted(descent.shape, room)]
    width = room.width()
    middle = QRectF(
        room.left() + width * (1 - _MIDDLE) / 2, room.top(), width * _MIDDLE, room.height()
    )
    left = QRectF(room.left(), room.top(), width * _SIDE, room.height())
    right = left.translated(width * (1 - _SIDE), 0)
    return [BoardLayout.fitted(descent.shape, place) for place in (middle, left, right)]


def _head(lettering: TextPainter, layout: BoardLayout, text: str, line: int = 0) -> None:
    """Write a heading above a board; line: -1 for the upper line."""
    last = layout.cell_rect(layout.n_cols - 1)
    middle = (layout.left + last.right()) / 2
    lettering.draw(QPointF(middle, layout.top - 18 + line * 17), text)


def _paint_arrow(
    painter: QPainter, parent: BoardLayout, child: BoardLayout, side: int, theme: Theme
) -> None:
    """Draw an arrow from a parent to the child, in the gap between them."""
    y = child.top + child.n_rows * child.pitch / 2
    begin = parent.left + parent.n_cols * parent.pitch if side == LEFT else parent.left
    end = child.left if side == LEFT else child.left + child.n_cols * child.pitch
    way = 1.0 if side == LEFT else -1.0
    tail, tip = QPointF(begin + way * 10, y), QPointF(end - way * 10, y)
    if (tip.x() - tail.x()) * way < 8:
        return
    colour = curve_colours(theme)[_CURVES[side]]
    painter.setPen(QPen(colour, 2.0))
    painter.drawLine(tail, tip)
    painter.setBrush(colour)
    back = QPointF(-way * 7, 0)
    painter.drawPolygon([tip, tip + back + QPointF(0, 5), tip + back - QPointF(0, 5)])


def paint_mark(painter: QPainter, face: QRectF, origin: int, theme: Theme) -> None:
    """Mark the origin of a letter by shape: a corner at its parent's side, or a rhombus."""
    side = min(max(face.width() * 0.26, 3.0), 14.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tile_ink)
    inset = face.width() * 0.06
    inner = face.adjusted(inset, inset, -inset, -inset)
    if origin == LEFT:
        corner = inner.topLeft()
        painter.drawPolygon([corner, corner + QPointF(side, 0), corner + QPointF(0, side)])
    elif origin == RIGHT:
        corner = inner.topRight()
        painter.drawPolygon([corner, corner - QPointF(side, 0), corner + QPointF(0, side)])
    elif origin == MUTATED:
        middle = QPointF(inner.center().x(), inner.bottom() - side * 0.45)
        reach = side * 0.55
        points = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
        painter.drawPolygon([middle + QPointF(*point) for point in points])


def _legend_lines(
    entries: Sequence[tuple[int, str]], room: float
) -> list[list[tuple[float, int, str]]]:
    """Split a legend into lines of a width; entries have a width, an origin and a text."""
    advance = QFontMetricsF(pixel_font(_SMALL)).horizontalAdvance
    sized = [(_SWATCH + 6 + advance(text), origin, text) for origin, text in entries]
    lines = wrapped([width for width, _, _ in sized], room, _APART)
    return [[sized[place] for place in line] for line in lines]


def paint_legend(
    painter: QPainter, rect: QRectF, entries: Sequence[tuple[int, str]], theme: Theme
) -> None:
    """Write the legend of colours and marks at the bottom of an area."""
    lettering = TextPainter(painter, _SMALL, theme.muted)
    lines = _legend_lines(entries, rect.width())
    for place, line in enumerate(reversed(lines)):
        x = rect.center().x() - (sum(entry[0] for entry in line) + _APART * (len(line) - 1)) / 2
        y = rect.bottom() - _LINE * (place + 0.5)
        for width, origin, text in line:
            square = QRectF(x, y - _SWATCH / 2, _SWATCH, _SWATCH)
            painter.setPen(QPen(theme.outline, 1.0))
            painter.setBrush(origin_colour(origin, theme))
            painter.drawRoundedRect(square, 3, 3)
            paint_mark(painter, square, origin, theme)
            lettering.draw(QPointF(x + _SWATCH + 6, y), text, align=0.0)
            x += width + _APART
