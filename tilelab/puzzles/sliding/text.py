"""Boards of sliding tiles as text, with spaces, commas, bars or brackets."""

import math
import re
from typing import NamedTuple

from tilelab.core.errors import GridError
from tilelab.core.text.language import marked
from tilelab.core.text.shown_text import quoted
from tilelab.puzzles.sliding.board import MAX_SIDE, MIN_SIDE

BLANKS = frozenset({"_", ".", "x", "X", "-"})  # signs for the blank, in addition to 0
_TOKEN = re.compile(r"[^\s,;|/()\[\]{}]+")
_ROW_END = re.compile(r"[;|/()\[\]{}]")  # in a board of one line; some have them between all tiles
_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST = 10_000  # signs of a written board, at most
_RULER_SIGNS = frozenset("-+=| \t")


class Tiles(NamedTuple):
    """A board that was read and is not checked yet."""

    tiles: tuple[int, ...]  # tiles, row-major, 0 for the blank
    rows: int
    cols: int


def parse_board(
    text: str,
    rows: int | None = None,
    cols: int | None = None,
    usual: tuple[int, int] | None = None,
) -> Tiles:
    """Read one board; its shape is the given one, or that of its rows, or square.

    Lines are rows; in a single line, bars, slashes and brackets end them. usual: rows and columns
    in place of a square, for a board with as many cells.

    Raises GridError with the first error. That every tile is there once is checked by
    :func:`tilelab.puzzles.sliding.board.board_from_tiles`.
    """
    lines = _lines(text)
    tokens = [token for line in lines for token in _TOKEN.findall(line)]
    if len(tokens) == 1 and tokens[0].isdigit() and 4 <= len(tokens[0]) <= 10:
        # Boards with one digit per tile are often written without separators.
        tokens = list(tokens[0])
    if not tokens:
        raise _without_board(text)
    tiles = tuple(_tile(token) for token in tokens)
    if rows is None and cols is None:
        rows, cols = _shape_of_rows(lines)
        if rows is None and usual is not None and math.prod(usual) == len(tiles):
            rows, cols = usual
    return Tiles(tiles, *_shape(len(tiles), rows, cols, has_blank=0 in tiles))


def parse_boards(text: str, rows: int | None = None, cols: int | None = None) -> list[Tiles]:
    """Read many boards: one per line, perhaps after a number, or separated by blank lines."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if _lines(block)]
    if len(blocks) > 1:
        return [parse_board(block, rows, cols) for block in blocks]
    boards = []
    for line in _lines(text):
        tokens = _TOKEN.findall(line)
        whole = _whole_board(tokens)
        if whole is None:
            return [parse_board(text, rows, cols)]
        is_alone = len(whole) == len(tokens)  # without a number before it
        shape = _shape_of_rows([line]) if is_alone and rows is cols is None else (rows, cols)
        boards.append(Tiles(whole, *_shape(len(whole), *shape)))
    if not boards:
        raise _without_board(text)
    return boards


def holds_board(text: str) -> bool:
    """Return whether a text is a board of numbers, even one with a mistake, or begins with one.

    Raises GridError if it cannot be read. A list with one number per line is no board, nor are
    numbers that are too large for mistakes, such as years with weights.
    """
    lines = [_TOKEN.findall(line) for line in _lines(text[:_LONGEST])[:MAX_SIDE]]
    tokens = [token for line in lines for token in line]
    is_grid = lines and all(len(line) > 1 and all(map(_is_tile, line)) for line in lines)
    if is_grid and 0 < max(map(_tile, tokens)) < 2 * len(tokens):
        return True
    if lines and len(lines[0]) > 1 and _whole_board(lines[0]) is not None:
        return True
    tiles = parse_board(text).tiles if len(text) < _LONGEST else ()
    return len(tiles) > 0 and sorted(tiles) == list(range(len(tiles)))


def _without_board(text: str) -> GridError:
    if not text.strip():
        return GridError.tr("the text is empty; it has no board")
    line = " ".join(text.split())  # a quoted line break would be a sign that was not typed
    return GridError.tr(
        "{text} is no board; its tiles are numbers, and 0 or _ is the blank", text=quoted(line)
    )


def _lines(text: str) -> list[str]:
    """Return the lines with tokens; rulers, comments, headings and blank lines are skipped."""
    found: list[str] = []
    for line in text.splitlines():
        if line.lstrip().startswith("#") or _is_ruler(line):
            continue
        tokens = _TOKEN.findall(line)
        heading = tokens and not any(_is_tile(token) for token in tokens) and not found
        if tokens and not (heading and len(tokens) > 1):
            found.append(line)
    return found


def _shape_of_rows(lines: list[str]) -> tuple[int, int] | tuple[None, None]:
    """Return the numbers of rows and columns if lines, or the parts of one line, are equal rows."""
    parts = lines if len(lines) > 1 else _ROW_END.split(lines[0])
    widths = [width for part in parts if (width := len(_TOKEN.findall(part)))]
    is_split = len(lines) > 1 or widths[0] > 1  # one tile each: bars or brackets separate tiles
    if len(widths) > 1 and len(set(widths)) == 1 and is_split:
        return len(widths), widths[0]
    return None, None


def _is_ruler(line: str) -> bool:
    """Return whether a line is only a separator, such as +--+--+."""
    return _RULER_SIGNS.issuperset(line) and any(two in line for two in ("--", "==", "+-", "-+"))


def _is_tile(token: str) -> bool:
    return token in BLANKS or _NUMBER.fullmatch(token) is not None


def _tile(token: str) -> int:
    if token in BLANKS:
        return 0
    if len(token) > 6 or not _NUMBER.fullmatch(token):
        raise GridError.tr(
            "{token} is not a tile; tiles are numbers, and 0 or _ is the blank", token=quoted(token)
        )
    return int(token)


def _whole_board(line: list[str]) -> tuple[int, ...] | None:
    """Return the tiles of a line with a complete board, without its number, or None."""
    if not all(_is_tile(token) for token in line):
        return None
    tiles = [_tile(token) for token in line]
    for board in (tiles, tiles[1:]):
        if len(board) >= MIN_SIDE**2 and sorted(board) == list(range(len(board))):
            return tuple(board)
    return None


def _shape(
    n_cells: int, rows: int | None, cols: int | None, *, has_blank: bool = True
) -> tuple[int, int]:
    if n_cells > MAX_SIDE**2:
        raise GridError.tr(
            "{n_cells} cells are too many; a board has at most {side}×{side}",
            n_cells=n_cells,
            side=MAX_SIDE,
        )
    if rows is None and cols is None:
        side = math.isqrt(n_cells)
        if side * side != n_cells and not has_blank:
            raise GridError.tr("the board has no blank; one tile must be 0 or _")
        if all(n_cells % width for width in range(MIN_SIDE, side + 1)):
            raise GridError.tr(
                "{n_cells} cells, with that of the blank, make no board of equal rows",
                n_cells=n_cells,
            )
        if side * side != n_cells:
            raise GridError.tr(
                "{n_cells} cells, with that of the blank, make no square; say how many columns the "
                "board has",
                n_cells=n_cells,
            )
        rows = cols = side
    elif rows is None:
        assert cols is not None
        rows = -(-n_cells // cols)
    elif cols is None:
        cols = -(-n_cells // rows)
    for text, count in (
        (marked("{count} rows are outside {min_side}..{max_side}"), rows),
        (marked("{count} columns are outside {min_side}..{max_side}"), cols),
    ):
        if not MIN_SIDE <= count <= MAX_SIDE:
            raise GridError.tr(text, count=count, min_side=MIN_SIDE, max_side=MAX_SIDE)
    return rows, cols
