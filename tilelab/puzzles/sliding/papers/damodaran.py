"""Breadth-first search and A* on three eight puzzles, and the state graph (Damodaran)."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from tilelab.core.puzzle import Cells
from tilelab.experiments import papers
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.results import Kept
from tilelab.puzzles.sliding.board import goal_board
from tilelab.puzzles.sliding.flags import tile_set
from tilelab.slides.moves import letters_of, neighbour

PAPER = "Damodaran"
SEARCHES = {
    "uninformed": ("breadth first", "breadth-first"),
    "informed": ("A*, summed heuristic", "a-star"),
}
"""Title and solver by the words of the printed table."""
DEPTH = 3
IN_ORDER = "breadth first: up, down, left, right"
NOTES = (
    "Informed search is A* with the sum of misplaced tiles, Manhattan distance and twice the "
    "reversals. It may exceed the true distance, so that its solution need not be a shortest one.",
    "What is printed as iterations is compared with the boards expanded. What is printed as length "
    "is not that of the solution: the three boards have solutions of 3, 8 and 12 moves. A solution "
    "of n moves passes n + 1 boards.",
    "The paper does not say in which order the blank moves. With up, down, left, right "
    "breadth-first search expands 16, 168 and 2,144 boards: what is printed of it in the first and "
    "the third run. In the second, 168 is printed of the informed search, and 515 of breadth-first "
    "search, which no order reaches: 153 to 268 boards are what it can expand there. That line "
    "may be an error. What is printed of it in the third run, 694, is not reproduced.",
    "Seconds are those of another machine and another program, and are not compared.",
)
_CELL, _GAP, _LAYER, _MARGIN, _TITLE = 22, 22, 70, 24, 34
_STYLE = (
    "text { font-family: Inter, sans-serif; text-anchor: middle; fill: #22252A }"
    ".tile { fill: #F5EAD3; stroke: #DCCBA6 } .blank { fill: #EEEAE1; stroke: #DCCBA6 }"
    ".goal { fill: none; stroke: #1F7A6D; stroke-width: 3 }"
    ".edge { stroke: #6B6F76; stroke-width: 1 } .move { font-size: 11px; fill: #6B6F76 }"
)


def plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweep of both searches on the three boards; it is always short."""
    solvers = [
        {"solver": "breadth-first"},
        {"solver": "a-star", "params": {"heuristic": "damodaran"}},
    ]
    puzzle = {"kind": "sliding", "instances": "damodaran"}
    return {"boards": plan_of({"title": PAPER, "puzzle": puzzle, "solvers": solvers})}


def comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare the boards expanded; the lengths are not comparable."""
    found = {(row["solver"], row["instance"]): row for row in kept["boards"].rows}
    rows: list[papers.PrintedRow] = []
    for theirs in papers.printed("damodaran-runs"):
        for word, (title, solver) in SEARCHES.items():
            ours = found[solver, int(theirs["run"])]
            moves = ours["moves"]
            assert moves is not None
            labels = theirs["run"], theirs["tiles"], title
            further = str(moves), str(moves + 1)
            expanded = ours["metrics"]["expanded"]
            iterations, length = theirs[f"{word}_iterations"], theirs[f"{word}_length"]
            rows.append(
                papers.exact((*labels, "iterations"), iterations, expanded, further=further)
            )
            rows.append(papers.bare((*labels, "length"), length, moves, further=further))
        of_order = theirs["run"], theirs["tiles"], IN_ORDER, "iterations"
        start = tuple(map(int, theirs["tiles"].split()))
        count = expanded_in_order(start, 3)
        rows.append(papers.exact(of_order, theirs["uninformed_iterations"], count))
    columns = ("run", "board", "search", "figure")
    further = "moves", "boards on the path"
    return papers.Comparison(columns, tuple(rows), NOTES, further, pictures=(_picture(),))


class Node(NamedTuple):
    """A board of the graph."""

    cells: tuple[int, ...]
    depth: int
    edges: tuple[tuple[int, str], ...]
    """Edges from boards one layer up: their indices, and the blank's moves to this board."""


def layers(start: Cells, cols: int, depth: int) -> list[Node]:
    """Return all boards within ``depth`` moves, in the order of breadth-first search.

    start: uint8 (cells,), 0 the blank. A board that several boards of the layer above lead to has
    an edge from each of them.
    """
    nodes = [Node(tuple(int(tile) for tile in start), 0, ())]
    places = {nodes[0].cells: 0}
    for place, node in enumerate(nodes):  # the list grows during the loop
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
    """Draw all boards within ``depth`` moves as SVG; the goal is framed."""
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


def expanded_in_order(start: tuple[int, ...], cols: int) -> int:
    """Return the number of boards that breadth-first search expands before the goal.

    The blank moves up, down, left, right, in this order; the goal has the blank last.
    """
    goal = (*range(1, len(start)), 0)
    waiting, visited, n_expanded = deque([start]), {start}, 0
    while (board := waiting.popleft()) != goal:
        n_expanded += 1
        for _, after in moved(board, cols):
            if after not in visited:
                visited.add(after)
                waiting.append(after)
    return n_expanded


def _picture() -> papers.Picture:
    boards = tile_set("damodaran")
    start, goal = np.array(boards.tiles(1), np.uint8), goal_board(3, 3, boards.params_of(1).goal)
    title = f"State graph of the first board, {DEPTH} moves deep"
    return papers.Picture("state-graph", title, state_graph(start, 3, DEPTH, goal, title))


papers.register_table(
    papers.PaperTable(
        key="damodaran",
        title="Breadth-first search and A* on three eight puzzles",
        source=PAPER,
        plans=plans,
        compare=comparison,
        seconds=1,
    )
)
