"""Oracles of the searches with a queue on sliding tiles: from one end, and from both in bursts."""

from collections import deque

ORDER = "ULRD"
"""In which a board's slides are tried (Hasan et al. 2023, Table 6)."""
BACK = dict(zip("UDLR", "DURL", strict=True))


def slid(board, cols, letter):
    """A board, 0 for the blank, after the blank has gone U, D, L or R; None where it cannot."""
    blank = board.index(0)
    row, col = divmod(blank, cols)
    row, col = row + (letter == "D") - (letter == "U"), col + (letter == "R") - (letter == "L")
    if not (0 <= row < len(board) // cols and 0 <= col < cols):
        return None
    cells = list(board)
    other = row * cols + col
    cells[blank], cells[other] = cells[other], 0
    return tuple(cells)


class Buckets:
    """A queue in which equal priorities go by age, the oldest or the newest first."""

    def __init__(self, *, last_first):
        self.last_first, self.buckets = last_first, {}

    def __bool__(self):
        return bool(self.buckets)

    def push(self, priority, item):
        self.buckets.setdefault(priority, deque()).append(item)

    def pop(self):
        lowest = min(self.buckets)
        waiting = self.buckets[lowest]
        item = waiting.pop() if self.last_first else waiting.popleft()
        if not waiting:
            del self.buckets[lowest]
        return item


class JavaHeap:
    """java.util.PriorityQueue, by its methods offer, poll, siftUp and siftDown."""

    def __init__(self):
        self.queue = []

    def __bool__(self):
        return bool(self.queue)

    def push(self, priority, item):
        self.queue.append((priority, item))
        k = len(self.queue) - 1
        while k > 0 and priority < self.queue[(k - 1) >> 1][0]:
            parent = (k - 1) >> 1
            self.queue[k], self.queue[parent] = self.queue[parent], self.queue[k]
            k = parent

    def pop(self):
        first, last = self.queue[0][1], self.queue.pop()
        if self.queue:
            self.queue[0], k = last, 0
            while children := self.queue[2 * k + 1 : 2 * k + 3]:
                # Of two equal children the left one.
                least = min(range(len(children)), key=lambda child: children[child][0])
                if last[0] <= children[least][0]:
                    break
                child = 2 * k + 1 + least
                self.queue[k], self.queue[child] = self.queue[child], self.queue[k]
                k = child
        return first


def queue_of(ties):
    """A queue by the name of its rule."""
    return JavaHeap() if ties == "heap" else Buckets(last_first=ties == "lifo")


class Side:
    """A search from a start on: boards visited, the queue, and what has been counted.

    estimate: of a board. g_weight, h_weight: what a move and the estimate count. replaces: whether
    a shorter path to a board that was visited is taken, expanded or not.
    """

    def __init__(self, start, cols, estimate, g_weight, h_weight, *, replaces, ties="fifo"):
        self.cols, self.estimate, self.weights = cols, estimate, (g_weight, h_weight)
        self.replaces = replaces
        self.paths = {start: ""}
        self.is_expanded = set()
        self.queue = queue_of(ties)
        self.n_expanded = self.n_generated = 0
        self._push(start)

    def _push(self, board):
        path = self.paths[board]
        priority = self.weights[0] * len(path) + self.weights[1] * self.estimate(board)
        self.queue.push(priority, (board, len(path)))

    def _pop(self):
        """The first board of the least priority that still waits; None when nothing does."""
        while self.queue:
            board, length = self.queue.pop()
            if board not in self.is_expanded and len(self.paths[board]) == length:
                return board
        return None

    def expand(self, goal, other=()):
        """Expand a board; returns the goal, or a board that the other side has found, or None."""
        board = self._pop()
        if board == goal:
            return board
        self.is_expanded.add(board)
        self.n_expanded += 1
        path = self.paths[board]
        for letter in ORDER:
            child = slid(board, self.cols, letter)
            if child is None or (path and letter == BACK[path[-1]]):
                continue
            self.n_generated += 1
            if child not in self.paths:
                self.paths[child] = path + letter
                self._push(child)
                if child in other:
                    return child
            elif self.replaces and len(path) + 1 < len(self.paths[child]):
                self.paths[child] = path + letter
                self.is_expanded.discard(child)
                self._push(child)
        return None


def best_first(start, goal, cols, estimate, **rule):
    """Search from one end; returns (boards expanded, boards generated, the moves)."""
    side = Side(start, cols, estimate, **rule)
    while side.expand(goal) is None:
        pass
    return side.n_expanded, side.n_generated, side.paths[goal]


def from_both_ends(start, goal, cols, estimates, bursts, unit="generated", **rule):
    """Search in turns; a turn lasts until the side has expanded or generated so many boards.

    estimates: of the path to the goal, and to the start. bursts: boards of the first turn, and of
    each later one. unit: "expanded" or "generated". Returns (boards expanded, boards generated,
    the moves, turns begun).
    """
    ends = (start, goal)
    sides = [Side(ends[i], cols, estimates[i], **rule) for i in range(2)]
    until, turn, n_turns, met = [bursts[0], bursts[0]], 0, 1, None
    while met is None:
        mine, other = sides[turn], sides[1 - turn]
        if getattr(mine, f"n_{unit}") >= until[turn]:
            until[turn] += bursts[1]
            turn, n_turns = 1 - turn, n_turns + 1
            continue
        met = mine.expand(ends[1 - turn], other.paths)
    path_back = "".join(BACK[letter] for letter in reversed(sides[1].paths[met]))
    n_expanded, n_generated = (
        sum(getattr(side, name) for side in sides) for name in ("n_expanded", "n_generated")
    )
    return n_expanded, n_generated, sides[0].paths[met] + path_back, n_turns
