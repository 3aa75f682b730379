"""Views of a solver's work: plain values, bounded in size.

A solver lists its views in ``spec.views``, and collects their data only after
:meth:`tilelab.core.solver.Solver.watch`. A view never changes, so that a thread can draw it.
"""

import enum
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.text.language import figures, marked, tr

MAX_NODES = 3000  # of a search tree; a larger search is shown by depth and f
MAX_BOARDS = 1000  # maximum number of boards of a population
MAX_NEXT = 20  # maximum number of boards from the front of the open list
MAX_ENTRIES = 50  # maximum number of entries of a frontier
MAX_CLOSED = 10  # maximum number of boards expanded last

Boards = NDArray[np.uint8]  # array of boards, uint8 (n, cells)
Reals = NDArray[np.float64]
Counts = NDArray[np.int64]


class ViewKind(enum.StrEnum):
    """Kind of view: key, title and tip; a class below and a file in :mod:`tilelab.gui.views`."""

    label: str
    tip: str

    def __new__(cls, key: str, label: str = "", tip: str = "") -> Self:
        kind = str.__new__(cls, key)
        kind._value_, kind.label, kind.tip = key, label, tip
        return kind

    TREE = (
        "tree",
        marked("Tree"),
        marked("The boards of the search by depth, and what comes next"),
    )
    DEPTHS = ("depths", marked("By depth"), marked("How many boards of each depth and f there are"))
    THRESHOLDS = (
        "thresholds",
        marked("Thresholds"),
        marked("The thresholds as steps, and the current path"),
    )
    POPULATION = (
        "population",
        marked("Population"),
        marked("The boards of the generation, their parents and their letters"),
    )
    MOVE = ("move", marked("Move"), marked("The last proposed move, accepted or rejected"))
    AGENTS = (
        "agents",
        marked("Agents"),
        marked("The boards of the bees, and which bee each one follows"),
    )
    BEAM = ("beam", marked("Beam"), marked("The boards kept and cut in each depth, and the best"))
    STEP = ("step",)
    FRONTIER = ("frontier",)

    @property
    def is_drawn(self) -> bool:
        """Whether there is a picture of it, with a tab; a frontier is a list next to any view."""
        return bool(self.label)


class CodeLine(NamedTuple):
    """A line of the solver's pseudocode that the last step ran."""

    name: str  # name of the line in the file of the pseudocode
    value: str = ""  # the values with which it ran, such as 'f = 3 + 35 = 38', or ''


@dataclass(frozen=True, eq=False)
class View:
    kind: ClassVar[ViewKind]
    caption: str  # the last step in one or two plain sentences; '' before the first
    # Lines that the last step ran, in their order; only in views of the solver's first kind.
    lines: tuple[CodeLine, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, eq=False)
class Step(View):
    """The last step in words, of a solver without a picture."""

    kind = ViewKind.STEP


class BoardPlace(NamedTuple):
    """A board of a search, as several views have it."""

    cells: bytes
    side: int  # 0 for a board searched from the start, 1 from the goal

    @classmethod
    def of(cls, boards: Boards, place: int, side: int) -> Self:
        return cls(boards[place].tobytes(), side)


class Fate(enum.IntEnum):
    OPEN = 0  # generated, not yet expanded
    EXPANDED = 1
    PRUNED = 2  # generated and cut off: f is above the threshold, or the beam was full
    VISITED = 3  # generated again, by a path that is no better; the tree has this board already
    LEFT = 4  # searched and left by a depth-first search
    GOAL = 5  # the goal with which the search has ended


@dataclass(frozen=True, eq=False)
class SearchTree(View):
    """The n boards of a small search, in the order of their generation.

    In a search from both ends, boards from the goal follow those from the start. Boards that the
    last expansion generated again are at the end.
    """

    kind = ViewKind.TREE

    boards: Boards
    # (n,), index of each parent here, perhaps later than its child; -1 at a root or if not shown.
    parents: NDArray[np.int32]
    moves: NDArray[np.int8]  # (n,), the blank's move to each board: index into 'UDLR'; -1 at a root
    g: NDArray[np.int32]  # (n,), number of moves from the root
    h: Reals  # (n,), the heuristic's estimate in moves; NaN if the search has none
    f: Reals  # (n,), the priority in moves; the board with the smallest is expanded next
    fates: NDArray[np.uint8]  # (n,), the Fate of each board
    sides: NDArray[np.uint8]  # (n,), 0 for a board searched from the start, 1 from the goal
    path: NDArray[np.int32]  # boards on the current path, or on the solution; root first
    # Index of the board that was expanded last, or whose children are generated; -1 before.
    current: int
    children: NDArray[np.int32]  # boards that this expansion generated, pruned and visited ones too
    front: NDArray[np.int32]  # boards to be expanded next, in that order, at most MAX_NEXT
    threshold: float  # boards with a larger f are pruned; infinity if there is no threshold
    n_expanded: int
    n_generated: int  # boards generated in the whole run, as in the metrics
    is_whole: bool  # whether all boards are here, not only some with path, last expansion and front

    @property
    def newest(self) -> int:
        """Index of the goal that ended the search, or else of ``current``."""
        goals = np.flatnonzero(self.fates == Fate.GOAL)
        return int(goals[0]) if len(goals) else self.current


@dataclass(frozen=True, eq=False)
class SideByDepth:
    expanded: Counts  # (rows, len(f)), number of boards expanded
    open: Counts  # (rows, len(f)), number of boards that are generated and not yet expanded


@dataclass(frozen=True, eq=False)
class ByDepth(View):
    kind = ViewKind.DEPTHS

    f: Reals  # (columns,), the smallest f of each column in moves, ascending
    sides: tuple[SideByDepth, ...]  # from the start and, in a search from both ends, from the goal
    meeting: tuple[int, int] | None  # depths on both sides of the common board; None before
    depth_step: int = 1  # number of depths in a row: row r begins with the depth r * depth_step


@dataclass(frozen=True, eq=False)
class Thresholds(View):
    """The iterations of an iterative-deepening search, and its current path."""

    kind = ViewKind.THRESHOLDS

    thresholds: Reals  # (iterations,), in moves, the last one current
    expanded: Counts  # (iterations,), boards expanded
    generated: Counts  # (iterations,), boards generated
    path: Boards  # the boards of the current path, the start first
    h: Reals  # (boards of the path,), the heuristic's estimate for each in moves
    # Number of the first iteration here, from 0; earlier ones are left out if there are too many.
    first: int = 0


@dataclass(frozen=True, eq=False)
class Population(View):
    """The boards of a generation and the origin of each of their letters."""

    kind = ViewKind.POPULATION

    generation: int  # number of the generation, from 1
    grids: Boards  # boards of the generation, fittest first
    fitness: Reals  # (n,), fitness of each board
    # (n, 2), indices of parents in ``parent_grids``; -1: drawn, or bred while it was closed.
    parents: NDArray[np.int32]
    parent_grids: Boards  # boards of the previous generation that bred, fittest first
    parent_fitness: Reals
    # (n, cells), the parent that each letter comes from: 0 the first, 1 the second, 2 none.
    origins: NDArray[np.uint8]
    mutated: NDArray[np.bool_]  # (n, cells), whether a cell was mutated
    shares: Reals  # (cells, symbols), share of the boards with that letter there, 0 to 1


@dataclass(frozen=True, eq=False)
class ProposedMove(View):
    kind = ViewKind.MOVE

    before: Boards  # (cells,), the board before the move
    after: Boards  # (cells,), the proposed board; equal to before if no move was proposed
    energy_before: float
    energy_after: float  # energy of the proposed board: its score plus the value of near misses
    what: str  # name of the energy: 'search value', or 'value' if it is the score alone
    accepted: bool
    # Probability of acceptance, 0 to 1; 0 for no change. Moves of several letters are estimated.
    odds: float
    temperature: float  # current temperature; 0 if the search has none
    n_compared: int  # moves compared, of which this is the best; 1 if no other was
    n_forbidden: int  # number of compared moves that the tabu list forbade


@dataclass(frozen=True, eq=False)
class Agents(View):
    """The agents of a colony after a slide: which are loyal to their board, and which follow."""

    kind = ViewKind.AGENTS

    slide: int  # number of the slide within the trip, from 1
    boards: Boards  # (agents, cells), board of each agent after the slide, before recruitment
    values: Reals  # (agents,), value of each board
    loyal: NDArray[np.bool_]  # (agents,), whether each agent is loyal to its board
    chances: Reals  # (agents,), loyalty of each agent: its probability to keep its board, 0 to 1
    follows: NDArray[np.int32]  # (agents,), whose board each continues from; its own if loyal


class BeamDepth(NamedTuple):
    generated: int  # number of different boards generated
    kept: int
    best: float  # best estimate or value of the boards that are kept

    @property
    def cut_text(self) -> str:
        """Number of boards kept and cut, as a part of a sentence."""
        if self.generated <= self.kept:
            return tr("all kept")
        n_cut = figures(self.generated - self.kept, ",")
        return tr("{kept} kept, {n_cut} cut", kept=figures(self.kept, ","), n_cut=n_cut)


@dataclass(frozen=True, eq=False)
class BeamDepths(View):
    """Number of boards that a beam search kept and cut in each depth."""

    kind = ViewKind.BEAM

    width: int
    generated: Counts  # (depths,), number of different boards generated
    kept: Counts  # (depths,), number of boards kept
    best: Reals  # (depths,), best estimate or value in each depth
    boards: Boards  # best boards of the newest depth, best first, at most MAX_NEXT
    values: Reals  # estimate or value of each of these boards
    # Number of the first depth here, from 0; earlier ones are left out if there are too many.
    first: int = 0


class EntryState(enum.IntEnum):
    """What a frontier says of a board; words for it in :data:`ENTRY_WORDS`."""

    WAITING = 0  # will be expanded
    DONE = 1  # all its moves have been tried
    ACCEPTED = 2
    REJECTED = 3
    PARENT = 4  # will breed
    LEFT = 5  # was still to be expanded when the search ended


ENTRY_WORDS = {
    EntryState.WAITING: "",
    EntryState.DONE: marked("no move left"),
    EntryState.ACCEPTED: marked("accepted"),
    EntryState.REJECTED: marked("rejected"),
    EntryState.PARENT: "",
    EntryState.LEFT: "",
}


OLDEST_FIRST = marked("the oldest of equal boards comes first")  # rule for ties of a queue


@dataclass(frozen=True, eq=False)
class Frontier(View):
    """What a search expands next, in that order: open list, stack or level.

    The next board is the first one in the state WAITING. A local search has its last moves here,
    and a genetic algorithm its next parents.
    """

    kind = ViewKind.FRONTIER

    title: str  # what the entries are, such as 'Open list'
    columns: tuple[str, ...]  # names of the values, such as 'g'; the last one decides the order
    boards: Boards  # board of each entry, at most MAX_ENTRIES
    values: Reals  # (n, columns); NaN for an unknown value
    ties: Counts  # (n,), the same number for entries that only a rule for ties puts in order
    states: NDArray[np.uint8]  # (n,), the EntryState of each
    side: int  # 0 if the boards are searched from the start, 1 from the goal
    n_entries: int  # number of all entries, also of those that are not here
    closed: Boards  # boards expanded last, newest first, at most MAX_CLOSED
    n_closed: int  # number of all expanded boards; -1 if the search does not keep them
    on_path: bool = False  # whether the entries are the current path
    short_title: str = ""  # title where there is little room; '' for the same
    tie_rule: str = ""  # clause that says which of tied entries is first; '' if there is none

    @classmethod
    def of(
        cls,
        title: str,
        columns: tuple[str, ...],
        boards: Boards,
        values: NDArray[Any],
        *,
        ties: Counts | None = None,
        states: NDArray[np.uint8] | EntryState = EntryState.WAITING,
        n_entries: int | None = None,
        closed: Boards | None = None,
        n_closed: int = -1,
        side: int = 0,
        on_path: bool = False,
        short_title: str = "",
        tie_rule: str = "",
    ) -> Self:
        """Return a frontier with the usual values of what is not given.

        values: (n, columns), or (n,) for one column. ties: without them, entries are tied if their
        last values are equal. states: one for all entries, or one for each.
        """
        rows = (values if values.ndim == 2 else values[:, np.newaxis]).astype(np.float64)
        return cls(
            "",
            title,
            columns,
            boards,
            rows,
            tie_numbers(rows[:, -1]) if ties is None else ties,
            np.full(len(boards), states, np.uint8),
            side,
            len(boards) if n_entries is None else n_entries,
            boards[:0] if closed is None else closed,
            n_closed,
            on_path,
            short_title,
            tie_rule,
        )

    @property
    def next_place(self) -> int | None:
        """Return the place of the entry that comes next; None if there is none."""
        waiting = np.flatnonzero(self.states == EntryState.WAITING)
        return int(waiting[0]) if len(waiting) else None


def tie_numbers(*keys: NDArray[Any]) -> Counts:
    """Number the entries, (n,), so that neighbours with equal keys have the same number."""
    differs = [column[1:] != column[:-1] for column in keys if len(column)]
    if not differs:
        return np.zeros(0, np.int64)
    return np.concatenate([[0], np.cumsum(np.any(differs, axis=0))]).astype(np.int64)
