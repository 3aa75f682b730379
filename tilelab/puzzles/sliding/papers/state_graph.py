"""The boards around a board, layer by layer, as a drawing (Damodaran, Figure 3)."""

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape

from tilelab.core.errors import UsageError
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import tr
from tilelab.slides.moves import letters_of, neighbour

MOST_DEPTH = 6
"""Deeper layers are too wide to be read."""
_CELL, _GAP, _LAYER, _MARGIN, _TITLE = 22, 22, 70, 24, 34
_STYLE = (
    "text { font-family: Inter, sans-serif; text-anchor: middle; fill: #22252A }"
    ".tile { fill: #F5EAD3; stroke: #DCCBA6 } .blank { fill: #EEEAE1; stroke: #DCCBA6 }"
    ".goal { fill: none; stroke: #1F7A6D; stroke-width: 3 }"
    ".edge { stroke: #6B6F76; stroke-width: 1 } .move { font-size: 11px; fill: #6B6F76 }"
)


class Node(NamedTuple):
    """A board of the graph."""

    cells: tuple[int, ...]
    depth: int
    edges: tuple[tuple[int, str], ...]
    """To boards one layer up: their places, and the blank's move from there to here."""


def layers(start: Cells, cols: int, depth: int) -> list[Node]:
    """Return all boards within so many moves, in the order of breadth-first search.

    start: uint8 (cells,), 0 the blank. depth: 0..MOST_DEPTH, or UsageError. A board that several
    boards of the layer above lead to has an edge from each of them.
    """
    if not 0 <= depth <= MOST_DEPTH:
        raise UsageError(
            tr("depth: {depth} is outside 0..{most_depth}").format(
                depth=depth, most_depth=MOST_DEPTH
            )
        )
    nodes = [Node(tuple(int(tile) for tile in start), 0, ())]
    places = {nodes[0].cells: 0}
    for place, node in enumerate(nodes):  # it grows meanwhile
        if node.depth == depth:
            break
        for letter, cells in moved(node.cells, cols):
            known = places.setdefault(cells, len(nodes))
            if known == len(nodes):
                nodes.append(Node(cells, node.depth + 1, ()))
            if nodes[known].depth == node.depth + 1:
                edges = (*nodes[known].edges, (place, letter))
                nodes[known] = nodes[known]._replace(edges=edges)
    return nodes


def state_graph(start: Cells, cols: int, depth: int, goal: Cells, title: str) -> str:
    """Draw all boards within so many moves as SVG; the goal is framed."""
    nodes = layers(start, cols, depth)
    rows = len(start) // cols
    by_depth = [[p for p, node in enumerate(nodes) if node.depth == d] for d in range(depth + 1)]
    step = cols * _CELL + _GAP
    width = max(map(len, by_depth)) * step - _GAP + 2 * _MARGIN
    height = (depth + 1) * (rows * _CELL + _LAYER) - _LAYER + 2 * _MARGIN + _TITLE
    corners = {
        place: (
            (width - len(layer) * step + _GAP) / 2 + index * step,
            _MARGIN + _TITLE + level * (rows * _CELL + _LAYER),
        )
        for level, layer in enumerate(by_depth)
        for index, place in enumerate(layer)
    }
    parts = [f'<text x="{width / 2:g}" y="{_MARGIN + 6}" font-size="15">{escape(title)}</text>']
    middle, bottom = cols * _CELL / 2, rows * _CELL
    for place, node in enumerate(nodes):
        x, y = corners[place]
        for above, letter in node.edges:
            x0, y0 = corners[above]
            ends = x0 + middle, y0 + bottom, x + middle, y
            parts += _edge(*ends, letter)
    for place, node in enumerate(nodes):
        parts += _board(node.cells, cols, *corners[place], is_goal=node.cells == tuple(goal))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    ground = f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            f"<style>{_STYLE}</style>",
            ground,
            *parts,
            "</svg>\n",
        ]
    )


def moved(cells: tuple[int, ...], cols: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the moves of a board's blank, up, down, left, right, and the boards they lead to."""
    blank = cells.index(0)
    for move in range(4):
        other = neighbour(blank, move, len(cells), cols)
        if other >= 0:
            board = list(cells)
            board[blank], board[other] = board[other], 0
            yield letters_of([move]), tuple(board)


def _edge(x0: float, y0: float, x1: float, y1: float, letter: str) -> list[str]:
    # Near its lower end, where the edges of a board are apart.
    x, y = x0 + 0.72 * (x1 - x0), y0 + 0.72 * (y1 - y0)
    return [
        f'<line class="edge" x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}"/>',
        f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="#FFFFFF"/>',
        f'<text class="move" x="{x:g}" y="{y + 4:g}">{letter}</text>',
    ]


def _board(
    cells: tuple[int, ...], cols: int, x: float, y: float, *, is_goal: bool
) -> Iterator[str]:
    for cell, tile in enumerate(cells):
        left, top = x + cell % cols * _CELL, y + cell // cols * _CELL
        kind = "tile" if tile else "blank"
        place = f'x="{left:g}" y="{top:g}" width="{_CELL}" height="{_CELL}"'
        yield f'<rect class="{kind}" {place} rx="3"/>'
        if tile:
            text = f'x="{left + _CELL / 2:g}" y="{top + _CELL / 2 + 5:g}" font-size="13"'
            yield f"<text {text}>{tile}</text>"
    if is_goal:
        rows = len(cells) // cols
        size = f'width="{cols * _CELL + 6}" height="{rows * _CELL + 6}"'
        yield f'<rect class="goal" x="{x - 3:g}" y="{y - 3:g}" {size} rx="5"/>'
