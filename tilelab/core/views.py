"""What a solver shows of its work while somebody watches: plain values, bounded in size.

A solver says in ``spec.views`` which views it feeds, notes what they need only after
:meth:`tilelab.core.solver.Solver.watch`, and makes one when it is asked. Nobody changes a view once
it is made, so that another thread may draw it.
"""

import enum
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.text.language import marked

MAX_NODES = 3000
"""Boards in a search tree; a larger search is shown by depth and f."""
MAX_BOARDS = 1000
"""Boards of a population."""
MAX_NEXT = 20
"""Boards of the open list's front."""

Boards = NDArray[np.uint8]
"""(n, cells)."""
Reals = NDArray[np.float64]
Counts = NDArray[np.int64]


class ViewKind(enum.StrEnum):
    """What of a solver's work a view shows: its key, its title and its tip.

    Each has a class of its own below, and a file in :mod:`tilelab.gui.views`.
    """

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
    DEPTHS = (
        "depths",
        marked("By depth"),
        marked("How many boards of each depth and f there are"),
    )
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
    MOVE = (
        "move",
        marked("Move"),
        marked("The last proposed move, accepted or rejected"),
    )
    AGENTS = (
        "agents",
        marked("Agents"),
        marked("The boards of the bees, and who follows whom"),
    )
    BEAM = (
        "beam",
        marked("Beam"),
        marked("The boards kept and cut in each depth, and the best"),
    )


@dataclass(frozen=True, eq=False)
class View:
    """What all views have."""

    kind: ClassVar[ViewKind]
    caption: str
    """The step just done in one or two plain sentences; '' before the first."""


class Fate(enum.IntEnum):
    """What a search has done with a board."""

    OPEN = 0
    """Generated, not yet expanded."""
    EXPANDED = 1
    PRUNED = 2
    """Generated and cut off: f is above the threshold, or the beam was full."""
    VISITED = 3
    """Generated once more, by a path that is no better; it is in the tree elsewhere."""
    LEFT = 4
    """Searched, and left again by a depth-first search."""


@dataclass(frozen=True, eq=False)
class SearchTree(View):
    """The boards of a search, while they are few; n of them in the order of their generation.

    Of a search from both ends those from the goal stand behind those from the start. Boards that
    the last expansion has generated once more stand at the end.
    """

    kind = ViewKind.TREE

    boards: Boards
    parents: NDArray[np.int32]
    """(n,), places in this tree; -1 at a root, and where the parent is not shown. A parent stands
    behind its child where a shorter path to the child was found later."""
    moves: NDArray[np.int8]
    """(n,), the blank's move to the board as an index into 'UDLR'; -1 at a root."""
    g: NDArray[np.int32]
    """(n,), moves from the root."""
    h: Reals
    """(n,), the estimate in moves; NaN where the search has none."""
    f: Reals
    """(n,), the priority in moves; what is expanded next has the least."""
    fates: NDArray[np.uint8]
    """(n,), a ``Fate`` each."""
    sides: NDArray[np.uint8]
    """(n,), 0: searched from the start, 1: from the goal."""
    path: NDArray[np.int32]
    """Places of the boards on the path at hand, or on the solution once it is found; root first."""
    current: int
    """Place of the board that was expanded last; -1 before the first, and where nobody watched it.
    Of a depth-first search: of the board whose children are being generated."""
    children: NDArray[np.int32]
    """Places of what that expansion generated; some may be pruned, or visited before."""
    front: NDArray[np.int32]
    """Places of the boards that are expanded next, in that order, at most ``MAX_NEXT``."""
    threshold: float
    """Boards of a larger f are pruned; infinity where there is no threshold."""
    n_expanded: int
    n_generated: int
    """As the metrics have them, of the whole run."""
    is_whole: bool
    """Whether all boards in memory are in ``boards``; else only the path, the last expansion and
    the front are."""


@dataclass(frozen=True, eq=False)
class SideByDepth:
    """The boards of one side of a search by depth and f."""

    expanded: Counts
    """(rows, len(f)), boards expanded."""
    open: Counts
    """(rows, len(f)), boards that wait."""


@dataclass(frozen=True, eq=False)
class ByDepth(View):
    """How many boards a search has in each depth, and of which f."""

    kind = ViewKind.DEPTHS

    f: Reals
    """(columns,), ascending; the least f of each column, in moves."""
    sides: tuple[SideByDepth, ...]
    """From the start, and from the goal if the search goes from both ends."""
    meeting: tuple[int, int] | None
    """The depths on both sides of the board where they have met; None before."""
    depth_step: int = 1
    """How many depths share a row: the row r begins with the depth r * depth_step."""


@dataclass(frozen=True, eq=False)
class Thresholds(View):
    """The iterations of a search that deepens, and its present path."""

    kind = ViewKind.THRESHOLDS

    thresholds: Reals
    """(iterations,), in moves, of the newest ones; the last one is the present one. Those that an
    older program has stored without them are left out."""
    expanded: Counts
    """(iterations,), boards expanded in each; -1 where a stored run did not say."""
    generated: Counts
    """(iterations,), boards generated in each; -1 where a stored run did not say."""
    path: Boards
    """The boards of the present path, the start first."""
    h: Reals
    """(boards of the path,), the estimate of each in moves."""
    first: int = 0
    """The number of the first iteration here, from 0: of a run that an older program has stored,
    those before are not known."""


@dataclass(frozen=True, eq=False)
class Population(View):
    """The grids of a generation and where each of their letters comes from."""

    kind = ViewKind.POPULATION

    generation: int
    """Its number, from 1."""
    grids: Boards
    """Fittest first."""
    fitness: Reals
    """(n,)."""
    parents: NDArray[np.int32]
    """(n, 2), places in ``parent_grids``; -1 for a grid that was drawn at random, or
    whose breeding was not watched."""
    parent_grids: Boards
    """The grids of the generation before that were chosen to breed, fittest first."""
    parent_fitness: Reals
    origins: NDArray[np.uint8]
    """(n, cells), by which parent a letter came: 0 the first, 1 the second, 2 none, it was drawn
    at random (as all are where a mutation fell, or nothing is known of the parents)."""
    mutated: NDArray[np.bool_]
    """(n, cells), where a mutation fell."""
    shares: Reals
    """(cells, symbols), how often each letter stands in each cell, of 1."""


@dataclass(frozen=True, eq=False)
class ProposedMove(View):
    """The move that a local search has just proposed, and whether it was made."""

    kind = ViewKind.MOVE

    before: Boards
    """(cells,)."""
    after: Boards
    """(cells,), the board that was proposed; as before where none was."""
    energy_before: float
    energy_after: float
    """What the search climbs: the score and the worth of near misses."""
    what: str
    """What that is called: 'energy', or 'value' where it is the score alone."""
    accepted: bool
    odds: float
    """With which probability the move was accepted, 0 to 1; 0 where what was drawn changes nothing.

    A move of several letters is judged by an estimate, and by its energy only once it is made."""
    temperature: float
    """0 where there is none."""
    n_compared: int
    """How many moves it was the best of; 1: it was the only one."""
    n_forbidden: int
    """How many of them the tabu list forbade."""


@dataclass(frozen=True, eq=False)
class Agents(View):
    """The agents of a colony after a slide: who stays loyal to its board, who follows whom."""

    kind = ViewKind.AGENTS

    slide: int
    """Of the trip, from 1."""
    boards: Boards
    """(agents, cells), after the slide and before anybody follows."""
    values: Reals
    """(agents,)."""
    loyal: NDArray[np.bool_]
    """(agents,)."""
    chances: Reals
    """(agents,), with which probability each was loyal, 0 to 1."""
    follows: NDArray[np.int32]
    """(agents,), whose board each goes on from; itself where it is loyal."""


@dataclass(frozen=True, eq=False)
class BeamDepths(View):
    """What a beam search has kept and cut in each depth."""

    kind = ViewKind.BEAM

    width: int
    generated: Counts
    """(depths,), different boards generated."""
    kept: Counts
    """(depths,)."""
    best: Reals
    """(depths,), the best estimate or value in each depth."""
    boards: Boards
    """The best boards of the newest depth, best first, at most ``MAX_NEXT``."""
    values: Reals
    """Of these boards."""
    first: int = 0
    """The depth of the first entry: of those before nothing is known, or they are too many."""
