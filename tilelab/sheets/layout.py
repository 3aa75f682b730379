"""Puzzles set on pages: the sheets first, then all solutions, each on a page of its own.

Lists are set in columns, which flow over as many pages as they need.
"""

import itertools
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.sheets.page import (
    COLOURS,
    FAINT,
    GREY,
    INK,
    POINTS,
    GridPlace,
    Line,
    Mark,
    Measure,
    Page,
    Ruler,
    apart,
    board_marks,
    column_name,
    is_straight,
    label_marks,
    sign_round,
    steps_of,
    word_marks,
)
from tilelab.sheets.sheet import Sheet, SheetOptions, SheetWord, WordOrder

SIDE, TOP, BOTTOM = 56.0, 50.0, 56.0  # margins; the page number is in the lower one
_HALF_BOTTOM = 46.0  # lower margin of half a page, just above the page number
_ARROWS = {
    (-1, 0): "↑", (1, 0): "↓", (0, -1): "←", (0, 1): "→", (0, 0): "•",
    (-1, -1): "↖", (-1, 1): "↗", (1, -1): "↙", (1, 1): "↘",
}  # fmt: skip
_MIN_GRID = 0.42  # smallest part of a page's height for the board, however many words there are
_MIN_SOLVED = 0.25  # smallest part for that of a solution, if small boards or slides then fit below
_MIN_CELL = 1.3  # smallest side of a cell in half a page, as a part of the usual size of its words
_MAX_CELL = 120.0  # largest side of a cell: a small board grows to the width of the page up to it
_EXERCISE_CELL, _FRAMES_IN_ROW = 32.0, 3  # largest side of a cell in an exercise
_SMALL_CELL, _MAX_SMALL, _SMALL_GAP = 15.0, 19.0, 20.0
"""Usual and largest side of a cell of the small boards in a solution, and the gap between them."""
_MAX_BOARDS = 36  # largest number of small boards; for more, the list of the words has to do
_LEADING = 1.5  # distance from line to line, as a part of the size
_GAP = 1.6  # distance between two columns, as a part of the size
_MAX_COLUMNS = 6
_MIN_FRAME = 0.7  # smallest factor of an exercise's frames that puts them all on a page
_TO_LIST = 24.0  # distance from a board to the list at its right
_MIN_LIST = 6.0  # smallest width of such a list with its heading, as a part of its size
_SMALLER = (1.0, 0.9, 0.8)  # factors of a list's size if it would need another page
_MAX_ALONE = 2  # so few lines of a list are not left for another page alone
_LARGER = (1.4, 1.2)  # factors of a list's size where the page has room for it
_BLANK, _BETWEEN_BLANKS, _BETWEEN_WORDS = 0.72, 0.26, 0.62
"""Widths of blanks for letters, of gaps between them and between words, as parts of the size."""


def sheet_pages(
    sheets: Sequence[Sheet], options: SheetOptions, measure: Measure
) -> tuple[Page, ...]:
    """Set puzzles on pages; measure: the advance of a text of size 1, strong or not."""
    ruler = Ruler(measure)
    puzzles = []
    for number, sheet in enumerate(sheets):
        half = _half_page(sheet, options, ruler) if options.two_on_page else None
        set_pages = _Setter(sheet, options, ruler).puzzle() if half is None else [half]
        is_large = half is None and options.two_on_page
        puzzles += [replace(page, sheet=number, is_large=is_large) for page in set_pages]
    solutions = [
        replace(page, sheet=number)
        for number, sheet in enumerate(sheets)
        if options.solution and sheet.has_solution
        for page in _Setter(sheet, options, ruler).solution()
    ]
    pages = [*_join_halves(puzzles, POINTS[options.paper][1]), *solutions]
    return tuple(_number_pages(pages, ruler)) if len(pages) > 1 else tuple(pages)


def _half_page(sheet: Sheet, options: SheetOptions, ruler: Ruler) -> Page | None:
    """Set a puzzle in half a page; None if it does not fit."""
    pages = _Setter(sheet, options, ruler, is_half=True).puzzle()
    return pages[0] if len(pages) == 1 else None


def _join_halves(puzzles: Sequence[Page], height: float) -> list[Page]:
    """Put each two adjacent halves of a page below each other, with a line to cut them apart."""
    pages: list[Page] = []
    left = list(puzzles)
    while left:
        upper = left.pop(0)
        if upper.height == height:
            pages.append(upper)
            continue
        lower = [left.pop(0)] if left and left[0].height < height else []
        marks: list[Mark] = [
            Line(((SIDE / 2, upper.height), (upper.width - SIDE / 2, upper.height)), 0.5, FAINT)
        ]
        marks += [mark.moved_down(upper.height) for half in lower for mark in half.marks]
        title = ", ".join(half.title for half in (upper, *lower))
        size = upper.width, 2 * upper.height
        lower_sheet = lower[0].sheet if lower else None
        pages.append(Page(*size, (*upper.marks, *marks), title, upper.sheet, lower_sheet))
    return pages


def _number_pages(pages: Iterable[Page], ruler: Ruler) -> Iterable[Page]:
    for number, page in enumerate(pages, 1):
        foot = ruler.text(page.width / 2, page.height - 28, str(number), 9, colour=GREY, align=0.5)
        yield replace(page, marks=(*page.marks, foot))


@dataclass(frozen=True)
class ListItem:
    """An item of a list: a number in front, the item, and a remark."""

    text: str = ""
    lead: str = ""
    tail: str = ""
    blanks: tuple[int, ...] = ()
    """Lengths of the words whose letters are to be filled in; they replace the text."""


@dataclass(frozen=True)
class _Piece:
    x: float
    text: str
    colour: str = INK
    align: float = 0.0


_LineOfPieces = list[_Piece | Line]


def _line_marks(
    lines: Sequence[_LineOfPieces], left: float, top: float, size: float, ruler: Ruler
) -> Iterator[Mark]:
    for number, line in enumerate(lines):
        baseline = top + number * size * _LEADING + size
        for piece in line:
            if isinstance(piece, Line):
                points = tuple((left + x, baseline + y) for x, y in piece.points)
                yield Line(points, piece.width, piece.colour)
            else:
                yield ruler.text(
                    left + piece.x, baseline, piece.text, size,
                    colour=piece.colour, align=piece.align,
                )  # fmt: skip


class Columns:
    """A list that is set in columns, piece by piece."""

    def __init__(
        self, entries: Sequence[ListItem], width: float, size: float, ruler: Ruler
    ) -> None:
        self._ruler, self._size = ruler, size
        self._lead = max((ruler.width(entry.lead, size) for entry in entries), default=0.0)
        self._lead += 0.5 * size if self._lead else 0.0
        gap = _GAP * size
        # An item stays whole in one line, even if a few long ones cost all a column.
        widest = max(map(self._natural_width, entries), default=0.0)
        self.has_whole_items = widest <= width  # whether no item is wider than a column
        n_columns = max(int((width + gap) // (min(widest, width) + gap)), 1)
        self._n_columns = max(min(n_columns, _MAX_COLUMNS, math.ceil(len(entries) / 3)), 1)
        self._pitch = (width + gap) / self._n_columns
        self._left = [self._lines(entry, self._pitch - gap) for entry in entries]

    @property
    def leading(self) -> float:
        return self._size * _LEADING

    @property
    def is_done(self) -> bool:
        return not self._left

    @property
    def height(self) -> float:
        """Height that the rest would need in one place."""
        n_lines = sum(map(len, self._left))
        return self._balance(math.ceil(n_lines / self._n_columns)) * self.leading

    def set(self, left: float, top: float, height: float) -> tuple[list[Mark], float]:
        """Set what fits into a height, at least one line; return its marks, and its lower end."""
        most = max(int(height / self.leading + 1e-6), 1)
        n_lines = sum(map(len, self._left))
        limit = min(self._balance(math.ceil(n_lines / self._n_columns)), most)
        if limit > 2 and 0 < n_lines - limit * self._n_columns <= _MAX_ALONE:
            limit -= 1  # another page gets a few more
        marks: list[Mark] = []
        longest = 0
        for column in range(self._n_columns):
            n_set = 0
            while self._left and (not n_set or n_set + len(self._left[0]) <= limit):
                lines = self._left.pop(0)
                if len(lines) > limit - n_set:
                    # Longer than a whole column: the rest of it begins the next one.
                    self._left.insert(0, lines[limit - n_set :])
                    lines = lines[: limit - n_set]
                x = left + column * self._pitch
                y = top + n_set * self.leading
                marks += _line_marks(lines, x, y, self._size, self._ruler)
                n_set += len(lines)
                if n_set >= limit:
                    break
            longest = max(longest, n_set)
        return marks, top + longest * self.leading

    def _balance(self, limit: int) -> int:
        """Return the fewest lines, at least ``limit``, with which the columns contain the rest."""
        while self._left and not self._fits(limit):
            limit += 1
        return limit

    def _fits(self, limit: int) -> bool:
        columns, n_set = 1, 0
        for lines in self._left:
            if n_set and n_set + len(lines) > limit:
                columns, n_set = columns + 1, 0
            n_set += len(lines)
            if len(lines) > limit:
                return False
        return columns <= self._n_columns

    def _natural_width(self, entry: ListItem) -> float:
        if entry.blanks:
            return (
                self._lead
                + sum(map(self._blanks_width, entry.blanks))
                + (
                    (len(entry.blanks) - 1) * _BETWEEN_WORDS * self._size
                    + self._ruler.width(f"  ({sum(entry.blanks)})", self._size)
                )
            )
        tail = f"   {entry.tail}" if entry.tail else ""
        return self._lead + self._ruler.width(entry.text + tail, self._size) + 0.1

    def _blanks_width(self, count: int) -> float:
        return (count * (_BLANK + _BETWEEN_BLANKS) - _BETWEEN_BLANKS) * self._size

    def _lines(self, entry: ListItem, width: float) -> list[_LineOfPieces]:
        lead = [_Piece(self._lead - 0.5 * self._size, entry.lead, GREY, 1.0)] if entry.lead else []
        lines = (
            self._blank_lines(entry.blanks, width) if entry.blanks else self._texts(entry, width)
        )
        return [[*lead, *lines[0]], *lines[1:]]

    def _texts(self, entry: ListItem, width: float) -> list[_LineOfPieces]:
        ruler, size, left = self._ruler, self._size, self._lead
        texts = ruler.wrap(entry.text, width - left, size)
        lines: list[_LineOfPieces] = [[_Piece(left, text)] for text in texts]
        if not entry.tail:
            return lines
        x = left + ruler.width(texts[-1] + "   ", size)
        if x + ruler.width(entry.tail, size) <= width:
            lines[-1].append(_Piece(x, entry.tail, GREY))
            return lines
        indent = left + size
        tails = ruler.wrap(entry.tail, width - indent, size)
        for tail in tails:
            lines.append([_Piece(indent, tail, GREY)])
        return lines

    def _blank_lines(self, blanks: tuple[int, ...], width: float) -> list[_LineOfPieces]:
        """Return short rules to write letters on, and the number of lines."""
        size = self._size
        lines: list[_LineOfPieces] = [[]]
        x = self._lead
        for count in blanks:
            if lines[-1] and x + self._blanks_width(count) > width:
                lines.append([])
                x = self._lead
            for _ in range(count):
                if lines[-1] and x + _BLANK * size > width:
                    lines.append([])
                    x = self._lead
                rule = ((x, 0.08 * size), (x + _BLANK * size, 0.08 * size))
                lines[-1].append(Line(rule, 0.6))
                x += (_BLANK + _BETWEEN_BLANKS) * size
            x += (_BETWEEN_WORDS - _BETWEEN_BLANKS) * size
        total = f"({sum(blanks)})"
        if x + self._ruler.width(total, size) > width:
            lines.append([])
            x = self._lead
        lines[-1].append(_Piece(x, total, GREY))
        return lines


class _SmallRow(NamedTuple):
    """A row of small boards of a solution, in points."""

    groups: Sequence[Sequence[SheetWord]]  # words of each board
    names: list[list[_LineOfPieces]]  # lines of text below each board
    width: float  # of a board
    cell: float
    height: float  # of the row with its names


class _Setter:
    """A setter of one puzzle, which begins another page whenever one is full."""

    def __init__(
        self, sheet: Sheet, options: SheetOptions, ruler: Ruler, *, is_half: bool = False
    ) -> None:
        self._sheet, self._options, self._ruler = sheet, options, ruler
        self._width, self._height = POINTS[options.paper]
        self._min_board = _MIN_GRID * self._height
        self._is_half = is_half
        if is_half:
            self._height /= 2
        self._floor = self._height - (_HALF_BOTTOM if is_half else BOTTOM)
        # In half a page, larger words must leave the board the room for larger letters.
        self._has_large_words = options.large and not is_half
        self._size = 11.5 if not options.large else 13.5 if is_half else 16.0
        self._pages: list[Page] = []
        self._title = ""
        self._marks: list[Mark] = []
        self._y = TOP

    @property
    def _room(self) -> float:
        return self._width - 2 * SIDE

    def puzzle(self) -> list[Page]:
        """Set the puzzle itself; half a page is too small unless this returns one page."""
        sheet, order = self._sheet, self._options.words
        self._title = sheet.title
        if self._options.name_line:
            self._set_name_line()
        self._set_heading(sheet.title, sheet.instruction)
        words = _drop_repeated(sheet.sort_words(order))
        entries = [
            ListItem(blanks=_blanks(word)) if order is WordOrder.HIDDEN else ListItem(word.spelling)
            for word in words
        ]
        if sheet.goal_is_given:
            self._set_two_boards((tr("Start board"), sheet.signs), (tr("Goal"), sheet.goal))
        elif self._is_half:
            if not self._set_small(entries):
                return []
        else:
            columns = self._columns(entries)
            self._set_board(sheet.signs, columns.height + 2 * self._size if entries else 0.0)
            if entries:
                self._flow(columns, counted(len(entries), "word"))
        self._set_frames(n_given=1)
        return self._finish()

    def _set_small(self, entries: Sequence[ListItem]) -> bool:
        """Set a board with its list below it or at its right, whichever leaves larger cells.

        Returns False, and sets nothing, where neither fits into what is left of the page.
        """
        sheet, usual, height = self._sheet, self._size, self._floor - self._y
        most = min(height / sheet.n_rows, self._room / sheet.cols, _MAX_CELL)
        least = _MIN_CELL * usual
        for factor in _SMALLER if entries else (1.0,):
            size = self._size = factor * usual
            columns, is_next = self._list_of(entries, self._room), False
            below = max(columns.height, 2 * columns.leading) + 1.6 * size + 16 if entries else 0.0
            cell = min(most, (height - below) / sheet.n_rows)
            # The smaller the cells are, the wider is a list next to them.
            sides = range(math.floor(most), math.ceil(max(cell, least)) - 1, -1)
            fits = partial(self._fits_next_to, entries, height)
            at = bisect_left(sides, True, key=fits) if entries else len(sides)
            if at < len(sides):
                cell, is_next = float(sides[at]), True
                columns = self._list_of(entries, self._width_next_to(sides[at]))
            if cell >= least:
                break
        else:
            return False
        left = SIDE if is_next else (self._width - cell * sheet.cols) / 2
        place = GridPlace(left, self._y, cell, sheet.n_rows, sheet.cols)
        self._draw_board(place, sheet.signs)
        if is_next:
            left += cell * sheet.cols + _TO_LIST
        else:
            left, self._y = SIDE, place.bottom + 16
        if entries:
            self._flow(columns, counted(len(entries), "word"), left)
        return True

    def _fits_next_to(self, entries: Sequence[ListItem], height: float, cell: float) -> bool:
        """Return whether a list fits next to a board with cells of a side."""
        width = self._width_next_to(cell)
        if width < _MIN_LIST * self._size:
            return False
        columns = self._list_of(entries, width)
        return columns.has_whole_items and columns.height + 1.6 * self._size <= height

    def _width_next_to(self, cell: float) -> float:
        return self._room - cell * self._sheet.cols - _TO_LIST

    def _list_of(self, entries: Sequence[ListItem], width: float) -> Columns:
        return Columns(entries, width, self._size, self._ruler)

    def solution(self) -> list[Page]:
        sheet = self._sheet
        self._title = tr("Solution: {title}", title=sheet.title)
        self._size = 12.5 if self._options.large else 9.5
        hidden = tr("Hidden message: {message}", message=sheet.message) if sheet.message else ""
        self._set_heading(sheet.title, hidden or sheet.proof, tr("Solution"))
        steps = [
            ListItem(slide.sign, f"{number}.", tr(slide.direction))
            for number, slide in enumerate(sheet.slides or (), 1)
        ]
        places = [
            ListItem(word.spelling, tail=path_text(word.cells, sheet.cols))
            for word in sheet.sort_words(WordOrder.ALPHABETICAL)
        ]
        room = self._floor - self._y - 12 - self._min_board
        columns = self._fitting(places, _SMALLER, room)
        if sheet.words:
            board = sheet.goal or sheet.signs
            groups = self._groups()
            small = self._small_rows(groups) if 1 < len(groups) <= _MAX_BOARDS else []
            below = columns.height + 2 * self._size
            # The board is smaller, where that saves a page for the last small boards or slides.
            below_all = below + 1.2 * self._size + sum(row.height for row in small)
            if steps:
                below_all += self._list_of(steps, self._room).height + 2.6 * self._size
            if (small or steps) and self._floor - self._y - below_all >= _MIN_SOLVED * self._height:
                below, self._min_board = below_all, 0.0
            self._set_board(board, below, sheet.words, groups[0] if len(groups) == 1 else ())
            self._flow(columns, tr("Words"))
            self._set_small_boards(board, small)
        if steps:
            # Somewhat smaller where that saves a page for the last slides.
            self._flow(self._fitting(steps, _SMALLER, self._floor - self._y), tr("Slides"))
        self._set_frames(n_given=len(sheet.expansions))
        return self._finish()

    def _columns(self, entries: Sequence[ListItem]) -> Columns:
        """Return the list in the largest size that leaves the board as wide as the page."""
        sheet = self._sheet
        board = min(self._room / sheet.cols, _MAX_CELL) * sheet.n_rows
        room = self._floor - self._y - board - 12
        return self._fitting(entries, _LARGER, room)

    def _fitting(
        self, entries: Sequence[ListItem], factors: Sequence[float], room: float
    ) -> Columns:
        """Return the list in the first size that fits into a height, or else in the usual one."""
        usual = self._size
        for factor in factors:
            self._size = factor * usual
            columns = Columns(entries, self._room, self._size, self._ruler)
            if columns.height + 2 * self._size <= room:
                return columns
        self._size = usual
        return Columns(entries, self._room, self._size, self._ruler)

    def _set_name_line(self) -> None:
        size = 12.0 if self._options.large else 10.0
        y = self._y + size
        middle = SIDE + 0.62 * self._room
        for label, left, right in (
            (tr("Name"), SIDE, middle - 16),
            (tr("Date"), middle, self._width - SIDE),
        ):
            self._marks.append(self._ruler.text(left, y, label, size, colour=GREY))
            begin = left + self._ruler.width(label, size) + 6
            self._marks.append(Line(((begin, y + 2), (right, y + 2)), 0.5, GREY))
        self._y = y + 22

    def _set_heading(self, title: str, sentence: str, above: str = "") -> None:
        large = self._has_large_words
        if above:
            self._add_lines(above, 11.0, leading=1.5, colour=GREY)
        self._add_lines(title or " ", 28.0 if large else 22.0, strong=True, leading=1.2)
        if sentence:
            self._y += 5
            self._add_lines(sentence, 14.0 if large else 10.5, leading=1.4, colour=GREY)
        self._y += 14

    def _add_lines(
        self, text: str, size: float, *, leading: float, strong: bool = False, colour: str = INK
    ) -> None:
        for line in self._ruler.wrap(text, self._room, size, strong=strong):
            baseline = self._y + size
            self._marks.append(
                self._ruler.text(SIDE, baseline, line, size, strong=strong, colour=colour)
            )
            self._y += size * leading

    def _groups(self) -> list[list[SheetWord]]:
        """Return the words of each board that they are drawn over; straight ones share one."""
        words = [word for word in self._sheet.sort_words(WordOrder.ALPHABETICAL) if word.cells]
        if all(is_straight(word.cells, self._sheet.cols) for word in words):
            return [words]
        return apart(words)

    def _set_board(
        self,
        signs: Sequence[str],
        below: float,
        words: Sequence[SheetWord] = (),
        drawn: Sequence[SheetWord] = (),
    ) -> None:
        """Set a board in the middle; below: the room that is needed under it.

        words: those of a solution, whose rows and columns are named. drawn: those of them that are
        drawn over the board.
        """
        sheet = self._sheet
        margin = 16.0 if words else 0.0
        height = max(self._floor - self._y - below - 12, self._min_board) - margin
        cell = min((self._room - 2 * margin) / sheet.cols, height / sheet.n_rows, _MAX_CELL)
        left = (self._width - cell * sheet.cols) / 2
        place = GridPlace(left, self._y + margin, cell, sheet.n_rows, sheet.cols)
        if words:
            self._marks += label_marks(place, self._ruler)
        self._draw_board(place, signs, words, drawn)
        self._y = place.bottom + 16

    def _draw_board(
        self,
        place: GridPlace,
        signs: Sequence[str],
        words: Sequence[SheetWord] = (),
        drawn: Sequence[SheetWord] = (),
    ) -> None:
        """Draw a board; words: those whose letters are not faint, () for all letters."""
        quiet: set[int] = set()
        if words:
            quiet = set(range(len(signs))).difference(*(word.cells for word in words))
        marks = board_marks(
            place, signs, self._sheet.holes, self._ruler, large=self._options.large, quiet=quiet
        )
        lines = [mark for mark in marks if isinstance(mark, Line)]
        self._marks += [*lines, *word_marks(place, drawn), *marks[len(lines) :]]

    def _small_rows(self, groups: Sequence[Sequence[SheetWord]]) -> list[_SmallRow]:
        """Return rows of small boards, one for each group of words."""
        sheet = self._sheet
        room = self._room + _SMALL_GAP
        n_in_row = max(min(int(room / (_SMALL_CELL * sheet.cols + _SMALL_GAP)), 5), 1)
        width = room / n_in_row - _SMALL_GAP
        cell = min(width / sheet.cols, _MAX_SMALL, (self._floor - TOP) / 2 / sheet.n_rows)
        rows = []
        for first in range(0, len(groups), n_in_row):
            names = [self._names(group, width) for group in groups[first : first + n_in_row]]
            height = cell * sheet.n_rows + (max(map(len, names)) + 1) * _LEADING * self._size
            rows.append(_SmallRow(groups[first : first + n_in_row], names, width, cell, height))
        return rows

    def _set_small_boards(self, signs: Sequence[str], rows: Sequence[_SmallRow]) -> None:
        sheet, size = self._sheet, self._size
        for groups, names, width, cell, height in rows:
            # Rows that fill the page exactly may end a rounding error below it.
            if self._y + height > self._floor + 0.01:
                self._new_page()
            for column, (group, lines) in enumerate(zip(groups, names, strict=True)):
                left = SIDE + column * (width + _SMALL_GAP)
                place = GridPlace(left, self._y, cell, sheet.n_rows, sheet.cols)
                self._draw_board(place, signs, group, group)
                self._marks += _line_marks(lines, left, place.bottom + 4, size, self._ruler)
            self._y += height

    def _names(self, words: Sequence[SheetWord], width: float) -> list[_LineOfPieces]:
        """Return the names of words in lines, each after a dot of its colour."""
        ruler, size = self._ruler, self._size
        indent, x = 0.9 * size, 0.0
        lines: list[_LineOfPieces] = [[]]
        for colour, word in zip(COLOURS, words, strict=False):
            first, *rest = ruler.wrap(word.spelling, width - indent, size)
            if lines[-1] and x + indent + ruler.width(first, size) > width:
                lines.append([])
                x = 0.0
            dot = Line(((x + 0.3 * size, -0.35 * size),), 0.55 * size, colour)
            lines[-1] += [dot, _Piece(x + indent, first)]
            x = x if not rest else 0.0
            lines += [[_Piece(indent, text)] for text in rest]
            x += indent + ruler.width([first, *rest][-1], size) + size
        return lines

    def _set_two_boards(self, *boards: tuple[str, Sequence[str]]) -> None:
        """Set boards side by side, each under its name."""
        sheet = self._sheet
        gap = 36.0
        width = (self._room - gap) / 2
        most = _EXERCISE_CELL if sheet.expansions else _MAX_CELL
        cell = min(width / sheet.cols, (self._floor - self._y - 24) / sheet.n_rows, most)
        size = 11.0
        for number, (name, signs) in enumerate(boards):
            left = SIDE + number * (width + gap) + (width - cell * sheet.cols) / 2
            self._marks.append(self._ruler.text(left, self._y + size, name, size, strong=True))
            place = GridPlace(left, self._y + 1.8 * size, cell, sheet.n_rows, sheet.cols)
            self._marks += board_marks(place, signs, (), self._ruler)
        self._y += 1.8 * size + cell * sheet.n_rows + 16

    def _set_frames(self, n_given: int) -> None:
        """Set the boards of an exercise in rows; those after the given ones are to be filled in."""
        sheet, size = self._sheet, 11.0
        room = self._room / _FRAMES_IN_ROW
        cell = min((room - 40) / sheet.cols, _EXERCISE_CELL)
        n_rows = max(math.ceil(len(sheet.expansions) / _FRAMES_IN_ROW), 1)
        fitting = ((self._floor - self._y) / n_rows - 4.6 * size) / sheet.n_rows
        if fitting >= _MIN_FRAME * cell:  # all rows on this page
            cell = min(cell, fitting)
        width, height = cell * sheet.cols, cell * sheet.n_rows + 4.6 * size
        for number, each in enumerate(sheet.expansions):
            column = number % _FRAMES_IN_ROW
            # Rows that fill the page exactly may end a rounding error below it.
            if not column and self._y + height > self._floor + 0.01:
                self._new_page()
            is_given = number < n_given
            left = SIDE + column * room + (room - width) / 2
            marks = self._ruler.text(left, self._y + size, str(number + 1), size, strong=True)
            place = GridPlace(left, self._y + 1.5 * size, cell, sheet.n_rows, sheet.cols)
            signs = each.signs if is_given else ("",) * len(each.signs)
            self._marks += [marks, *board_marks(place, signs, (), self._ruler)]
            # Small frames leave the values room to be written.
            step = max(width, 3 * _EXERCISE_CELL) / len(each.values)
            for count, (name, value) in enumerate(each.values):
                x, y = left + count * step, place.bottom + 1.6 * size
                label = self._ruler.text(x, y, name, size, colour=GREY)
                begin = x + self._ruler.width(f"{name} ", size)
                text = self._ruler.text(begin, y, value, size, strong=True)
                rule = Line(((begin, y + 2), (x + step - 6, y + 2)), 0.5, GREY)
                self._marks += [label, text if is_given else rule]
            if column == _FRAMES_IN_ROW - 1 or number == len(sheet.expansions) - 1:
                self._y += height

    def _flow(self, columns: Columns, heading: str, left: float = SIDE) -> None:
        """Set a list under a heading, on this page and as many more as it needs."""
        again = heading
        while not columns.is_done:
            if self._floor - self._y < 2 * columns.leading + 1.5 * self._size:
                self._new_page()
            size = self._size
            self._marks.append(self._ruler.text(left, self._y + size, again, size, strong=True))
            top = self._y + 1.6 * size
            marks, self._y = columns.set(left, top, self._floor - top)
            self._marks += marks
            self._y += size
            again = tr("{heading}, continued", heading=heading)
            if not columns.is_done:
                self._new_page()

    def _new_page(self) -> None:
        self._pages.append(Page(self._width, self._height, tuple(self._marks), self._title))
        self._marks, self._y = [], TOP
        self._add_lines(self._title, 11.0, leading=2.0, colour=GREY)

    def _finish(self) -> list[Page]:
        return [*self._pages, Page(self._width, self._height, tuple(self._marks), self._title)]


def _drop_repeated(words: Sequence[SheetWord]) -> list[SheetWord]:
    """Drop repeated words: those that are on the board more than once."""
    return [next(group) for _, group in itertools.groupby(words, key=lambda word: word.string)]


def _blanks(word: SheetWord) -> tuple[int, ...]:
    """Return the letters of each part of a spelling, or of the string where they do not add up."""
    parts = tuple(
        count
        for part in word.spelling.split()
        if (count := sum(symbol.isalnum() for symbol in part))
    )
    return parts if sum(parts) == len(word.string) else (len(word.string),)


def path_text(cells: Sequence[int], cols: int) -> str:
    """Return a path as text: its first cell and its directions; a straight one only once."""
    if not cells:
        return ""
    row, col = divmod(cells[0], cols)
    steps = steps_of(cells, cols)
    arrows = "".join(_ARROWS[sign_round(down), sign_round(right)] for down, right in steps)
    if len(arrows) > 1 and len(set(arrows)) == 1:
        arrows = arrows[0]
    return f"{column_name(col)}{row + 1} {arrows}".rstrip()
