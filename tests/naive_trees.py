"""Oracles of the trees of searches: what a search has done with each board, in plain Python."""

import copy

from tests.naive_searches import BACK, ORDER, Side, slid

OPEN, EXPANDED, PRUNED, VISITED, LEFT, GOAL = range(6)


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
    if is_solved and len(sides) == 1:
        at = places[0][is_solved]
        rows[at] = *rows[at][:-1], GOAL
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


class Deepening:
    """A search that keeps nothing but its path, and the tree of its present iteration.

    estimate: of a board. limit: the only threshold, or None to deepen. allows: whether the moves of
    a path are tried at all, in letters; those straight back never are.
    """

    def __init__(self, start, goal, cols, estimate, limit=None, allows=None):
        self.start, self.goal, self.cols, self.estimate = start, goal, cols, estimate
        self.limit, self.allows = limit, allows or (lambda letters: True)
        self.iterations, self.rows, self.path, self.is_solved = [], [], [0], False
        """Each iteration's threshold, boards expanded and generated; a board is expanded once its
        first move is to be tried."""

    def run(self):
        """Generate board by board; the state may be looked at between."""
        threshold = self.estimate(self.start) if self.limit is None else self.limit
        while threshold is not None:
            h = self.estimate(self.start)
            self.iterations.append([threshold, 1, 0])
            self.rows, self.path = [[self.start, None, "", 0, h, h, EXPANDED]], [0]
            self.cut = []
            yield from self._down("")
            if self.is_solved:
                return
            threshold = min(self.cut, default=None) if self.limit is None else None

    def _down(self, letters):
        parent = self.path[-1]
        for letter in ORDER:
            longer = letters + letter
            child = slid(self.rows[parent][0], self.cols, letter)
            if child is None or longer[-2:] in ("UD", "DU", "LR", "RL"):
                continue
            if not self.allows(longer):
                continue
            h, threshold = self.estimate(child), self.iterations[-1][0]
            f = len(longer) + h
            fate = PRUNED if f > threshold else GOAL if child == self.goal else EXPANDED
            self.rows.append([child, parent, letter, len(longer), h, f, fate])
            self.iterations[-1][2] += 1
            if fate == PRUNED:
                self.cut.append(f)
                yield
                continue
            self.path.append(len(self.rows) - 1)
            self.is_solved = fate == GOAL
            yield
            self.iterations[-1][1] += not self.is_solved
            if not self.is_solved:
                yield from self._down(longer)
            if self.is_solved:
                return
            self.rows[self.path.pop()][-1] = LEFT

    @property
    def newest(self):
        """The board whose children are generated, and those that it has: (place, places)."""
        parent = self.rows[-1][1]
        return parent, [place for place, row in enumerate(self.rows) if row[1] == parent]

    def excerpt(self):
        """Rows and path without what was below boards that have been left."""
        kept = [
            place
            for place, row in enumerate(self.rows)
            if place in self.path or row[1] in self.path
        ]
        number = {place: index for index, place in enumerate(kept)}
        rows = [list(self.rows[place]) for place in kept]
        for row in rows:
            row[1] = number.get(row[1])
        return rows, [number[place] for place in self.path]
