"""Breadth-first search beside A* on three eight puzzles, and the state graph (Damodaran)."""

from collections import deque
from collections.abc import Mapping

import numpy as np

from tilelab.experiments.papers.base import (
    Comparison,
    PaperTable,
    Picture,
    Row,
    bare,
    exact,
    printed,
    register_table,
)
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.results import Kept
from tilelab.puzzles.sliding.board import goal_board
from tilelab.puzzles.sliding.flags import tile_set
from tilelab.puzzles.sliding.papers.state_graph import moved, state_graph

PAPER = "Damodaran"
SEARCHES = {
    "uninformed": ("breadth first", "breadth-first"),
    "informed": ("A*, summed heuristic", "a-star"),
}
"""By the words of the printed table: title, solver."""
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
    "search, which no order comes to: 153 to 268 boards are what it can expand there. That line "
    "may be an error. What is printed of it in the third run, 694, is not reproduced.",
    "Seconds are those of another machine and another program, and are not compared.",
)


def plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweep: both searches on the three boards; it is over in a moment as it is."""
    solvers = [
        {"solver": "breadth-first"},
        {"solver": "a-star", "params": {"heuristic": "damodaran"}},
    ]
    puzzle = {"kind": "sliding", "instances": "damodaran"}
    return {"boards": plan_of({"title": PAPER, "puzzle": puzzle, "solvers": solvers})}


def comparison(kept: Mapping[str, Kept]) -> Comparison:
    """Compare the boards expanded; the lengths are not of the same thing."""
    found = {(row["solver"], row["instance"]): row for row in kept["boards"].rows}
    rows: list[Row] = []
    for theirs in printed("damodaran-runs"):
        for word, (title, solver) in SEARCHES.items():
            ours = found[solver, int(theirs["run"])]
            moves = ours["moves"]
            assert moves is not None
            labels = theirs["run"], theirs["tiles"], title
            beside = str(moves), str(moves + 1)
            expanded = ours["metrics"]["expanded"]
            iterations, length = theirs[f"{word}_iterations"], theirs[f"{word}_length"]
            rows.append(exact((*labels, "iterations"), iterations, expanded, beside=beside))
            rows.append(bare((*labels, "length"), length, moves, beside=beside))
        of_order = theirs["run"], theirs["tiles"], IN_ORDER, "iterations"
        start = tuple(map(int, theirs["tiles"].split()))
        count = expanded_in_order(start, 3)
        rows.append(exact(of_order, theirs["uninformed_iterations"], count))
    columns = ("run", "board", "search", "figure")
    beside = "moves", "boards on the path"
    return Comparison(columns, tuple(rows), NOTES, beside, pictures=(_picture(),))


def expanded_in_order(start: tuple[int, ...], cols: int) -> int:
    """Return how many boards breadth-first search expands before it comes to the goal.

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


def _picture() -> Picture:
    boards = tile_set("damodaran")
    start, goal = np.array(boards.tiles(1), np.uint8), goal_board(3, 3, boards.params_of(1).goal)
    title = f"State graph of the first board, {DEPTH} moves deep"
    return Picture("state-graph", title, state_graph(start, 3, DEPTH, goal, title))


register_table(
    PaperTable(
        key="damodaran",
        title="Breadth-first search and A* on three eight puzzles",
        source=PAPER,
        plans=plans,
        compare=comparison,
        seconds=1,
    )
)
