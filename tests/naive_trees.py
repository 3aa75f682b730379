"""Oracles of the trees of searches: what a search has done with each board, in plain Python."""

import copy

from tests.naive_searches import BACK, ORDER, Side, slid

OPEN, EXPANDED, PRUNED, VISITED, LEFT = range(5)


class WatchedSide(Side):
    """A search with a queue that remembers the order in which it has found its boards."""

    def __init__(self, start, *args, **rule):
        self.order, self.parents, self.popped = [], {}, None
        self.last, self.children = None, []
        super().__init__(start, *args, **rule)

    def _push(self, board):
        if board not in self.parents:
            self.order.append(board)
        self.parents[board] = self.popped
        self.pushed = [*getattr(self, "pushed", []), board]
        super()._push(board)

    def _pop(self):
        self.popped = super()._pop()
        return self.popped

    def expand(self, goal, other=()):
        """As the search's, noting the board and its children: (letter, board, was it visited?)."""
        n_before, self.pushed = self.n_expanded, []
        met = super().expand(goal, other)
        if self.n_expanded > n_before:
            self.last, self.children = self.popped, []
            path = self.paths[self.last]
            for letter in ORDER:
                child = slid(self.last, self.cols, letter)
                if child is not None and not (path and letter == BACK[path[-1]]):
                    self.children.append((letter, child, child not in self.pushed))
                    if child == met:
                        break
        return met

    def front(self, most):
        """The boards that it would expand next if they had no children."""
        queue = copy.deepcopy(self)
        boards = (queue._pop() for _ in range(most))
        return [board for board in boards if board is not None]

    def row(self, board, path, fate, places):
        """What a tree says of a board; places: of all boards in the tree."""
        h, (g_weight, h_weight) = self.estimate(board), self.weights
        f = (g_weight * len(path) + h_weight * h) / (g_weight or h_weight)
        parent = None if not path else places[slid(board, self.cols, BACK[path[-1]])]
        return board, parent, path[-1:], len(path), h if h_weight else None, f, fate


def tree_of(sides, turn, expanded_by, is_solved):
    """The rows of the tree, and places: (rows, path, current, children, front).

    sides: of WatchedSide. turn: whose turn it is. expanded_by: who has expanded last.
    """
    offsets = [0, len(sides[0].order)]
    places = [
        {board: offset + index for index, board in enumerate(side.order)}
        for side, offset in zip(sides, offsets, strict=False)
    ]
    rows = [
        side.row(board, side.paths[board], int(board in side.is_expanded), places[number])
        for number, side in enumerate(sides)
        for board in side.order
    ]
    mine, here = sides[expanded_by], places[expanded_by]
    children = []
    for letter, board, was_visited in mine.children:
        children.append(len(rows) if was_visited else here[board])
        if was_visited:
            rows.append(mine.row(board, mine.paths[mine.last] + letter, VISITED, here))
    last = is_solved or mine.last
    path = [] if last is None else _path(mine, last, here)
    if is_solved and len(sides) == 2:
        ends = [_path(side, last, placed) for side, placed in zip(sides, places, strict=True)]
        near, far = ends[turn], ends[1 - turn][:-1]
        path = near + far[::-1] if turn == 0 else far + near[::-1]
    current = -1 if mine.last is None else here[mine.last]
    front = [] if is_solved else sides[turn].front(20)
    return rows, path, current, children, [places[turn][board] for board in front]


def _path(side, board, places):
    path = []
    while board is not None:
        path.append(places[board])
        letters = side.paths[board]
        board = slid(board, side.cols, BACK[letters[-1]]) if letters else None
    return path[::-1]
