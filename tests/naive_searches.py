"""Oracles of the searches with a queue on sliding tiles: from one end, and from both in bursts."""

import math
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


class BeamLayer:
    """A layer of a beam, expanded board by board; its children are new boards.

    slides: yields (letter, board) of a board. is_new: whether a child is taken, and is then known.
    """

    def __init__(self, boards, slides, is_new):
        self.boards, self.slides, self.is_new = boards, slides, is_new
        self.n_expanded, self.children = 0, {}  # last moves of the children, in their order

    def expand(self):
        board, last = self.boards[self.n_expanded]
        for letter, child in self.slides(board):
            if (last is None or letter != BACK[last]) and self.is_new(child):
                self.children[child] = letter
        self.n_expanded += 1
        return self.n_expanded == len(self.boards)


class ProvingSide:
    """A side of a search that goes on until no shorter path is possible.

    place: the bucket of a board by its depth and its cells. best: the length of the best path of
    all sides, in a list.
    """

    def __init__(self, start, cols, estimate, place, best, *, last_first):
        self.cols, self.estimate, self.place, self.best = cols, estimate, place, best
        self.depths, self.parents, self.is_expanded = {start: 0}, {}, set()
        self.last_first = last_first
        self.buckets, self.n_expanded, self.n_generated = {}, 0, 0
        self._push(start)

    def _push(self, board):
        depth = self.depths[board]
        self.buckets.setdefault(self.place(depth, board), deque()).append((board, depth))

    def _is_too_long(self, depth, board):
        return depth + self.estimate(board) >= self.best[0]

    def first_of(self, bucket):
        """The board of a bucket that is expanded next, or None; dead ones before it are dropped."""
        waiting = self.buckets.get(bucket, ())
        while waiting:
            board, depth = waiting[-1 if self.last_first else 0]
            is_current = board not in self.is_expanded and self.depths[board] == depth
            if is_current and not self._is_too_long(depth, board):
                return board
            waiting.pop() if self.last_first else waiting.popleft()
        self.buckets.pop(bucket, None)
        return None

    def lowest(self):
        """The lowest bucket with a board to expand, or None."""
        return next((n for n in sorted(self.buckets) if self.first_of(n) is not None), None)

    def n_waiting(self):
        return sum(map(len, self.buckets.values()))

    def expand(self, bucket, others):
        """Expand the first board of a bucket; others: depths of boards from the other side.

        Returns the board, its depth, and what became of each child: (board, word, best before).
        """
        board, fates = self.first_of(bucket), []
        waiting = self.buckets[bucket]
        waiting.pop() if self.last_first else waiting.popleft()
        self.is_expanded.add(board)
        self.n_expanded += 1
        depth = self.depths[board] + 1
        for letter in ORDER:
            child = slid(board, self.cols, letter)
            if child is None or child == self.parents.get(board):
                continue
            self.n_generated += 1
            word = "new" if child not in self.depths else "better"
            if self._is_too_long(depth, child):
                word = "prune"
            elif depth >= self.depths.get(child, 10**9):
                word = "known"
            fates.append((child, word, self.best[0]))
            if word in ("new", "better"):
                self.depths[child], self.parents[child] = depth, board
                self.is_expanded.discard(child)
                self._push(child)
                self.best[0] = min(self.best[0], depth + others.get(child, 10**9))
        return board, depth - 1, fates


def _no_note(*event):
    pass


def bae_star(start, goal, cols, estimate, note=_no_note):
    """BAE* in turns of one bucket; returns (boards expanded, boards generated, length).

    estimate: of a board and an end. A bucket is twice the priority b, which may be a half.
    note: called with each expansion, bound and turn.
    """
    ends, best = (start, goal), [10**9 if start != goal else 0]
    sides = [
        ProvingSide(
            here,
            cols,
            lambda board, there=there: estimate(board, there),
            lambda depth, board, here=here, there=there: (
                2 * depth + estimate(board, there) - estimate(board, here)
            ),
            best,
            last_first=False,
        )
        for here, there in (ends, ends[::-1])
    ]
    blanks = [divmod(end.index(0), cols) for end in ends]
    parity = (sum(blanks[0]) - sum(blanks[1])) % 2

    def proven(lowest):
        bound = math.ceil(sum(lowest) / 2)
        return bound if bound % 2 == parity else bound + 1

    turn, lowest = 0, [estimate(start, goal), estimate(goal, start)]
    while best[0] > proven(lowest):
        if sides[turn].first_of(lowest[turn]) is not None:
            bucket, others = lowest[turn], sides[1 - turn].depths
            note("expand", turn, bucket, sides[turn].expand(bucket, others), best[0])
            continue
        note("last")
        lowest = [side.lowest() for side in sides]
        if None in lowest:
            break
        note("bound", *lowest, proven(lowest))
        if best[0] > proven(lowest):
            turn = int(sides[1].n_waiting() < sides[0].n_waiting())
            note("turn", turn)
    return (*(sum(getattr(side, name) for side in sides) for name in _COUNTS), best[0])


def rectangle(start, goal, cols, estimate, aspect, highest=10**9, note=_no_note):
    """Rectangle search; returns (boards expanded, boards generated, lengths of its paths).

    highest: estimate from which on boards of a depth are in one bucket. note: called with each
    expansion.
    """
    best, lengths = [10**9 if start != goal else 0], []
    side = ProvingSide(
        start,
        cols,
        estimate,
        lambda depth, board: (depth, min(estimate(board), highest)),
        best,
        last_first=True,
    )
    iteration = 0
    while side.lowest() is not None:
        for depth in range(aspect * (iteration + 1)):
            for _ in range(1 if depth < aspect * iteration else iteration + 1):
                here = (bucket for bucket in sorted(side.buckets) if bucket[0] == depth)
                bucket = next((b for b in here if side.first_of(b) is not None), None)
                if bucket is None:
                    break
                note("expand", iteration, depth, side.expand(bucket, {goal: 0}), best[0])
                if best[0] < min(lengths, default=10**9):
                    lengths.append(best[0])
        iteration += 1
    return side.n_expanded, side.n_generated, lengths


_COUNTS = ("n_expanded", "n_generated")
