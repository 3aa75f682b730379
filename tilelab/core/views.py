"""Views of a solver's work: plain values, bounded in size.

A solver lists its views in ``spec.views``. It collects their data only after
:meth:`tilelab.core.solver.Solver.watch`, and makes a view on request. A view never changes, so that
another thread can draw it.
"""

import enum
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.text.language import marked

MAX_NODES = 3000
"""Maximum number of boards in a search tree; a larger search is shown by depth and f."""
MAX_BOARDS = 1000
"""Maximum number of boards of a population."""
MAX_NEXT = 20
"""Maximum number of boards from the front of the open list."""

Boards = NDArray[np.uint8]
"""Array of boards, uint8 (n, cells)."""
Reals = NDArray[np.float64]
Counts = NDArray[np.int64]


class ViewKind(enum.StrEnum):
    """Kind of view: its key, its title and its tip.

    Each kind has a class of its own below and a file in :mod:`tilelab.gui.views`.
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
    """Base class of all views."""

    kind: ClassVar[ViewKind]
    caption: str
    """The last step in one or two plain sentences; '' before the first."""


class Fate(enum.IntEnum):
    """State of a board in a search."""

    OPEN = 0
    """Generated, not yet expanded."""
    EXPANDED = 1
    PRUNED = 2
    """Generated and cut off: f is above the threshold, or the beam was full."""
    VISITED = 3
    """Generated again, by a path that is no better; the tree has this board already."""
    LEFT = 4
    """Searched and left by a depth-first search."""


@dataclass(frozen=True, eq=False)
class SearchTree(View):
    """The n boards of a small search, in the order of their generation.

    In a search from both ends, boards from the goal follow those from the start. Boards that the
    last expansion generated again are at the end.
    """

    kind = ViewKind.TREE

    boards: Boards
    parents: NDArray[np.int32]
    """(n,), index of each parent in this tree; -1 at a root, and if the parent is not shown. A
    parent follows its child if a shorter path to the child was found later."""
    moves: NDArray[np.int8]
    """(n,), the blank's move that leads to each board, as an index into 'UDLR'; -1 at a root."""
    g: NDArray[np.int32]
    """(n,), number of moves from the root."""
    h: Reals
    """(n,), the heuristic's estimate in moves; NaN if the search has none."""
    f: Reals
    """(n,), the priority in moves; the board with the smallest is expanded next."""
    fates: NDArray[np.uint8]
    """(n,), the ``Fate`` of each board."""
    sides: NDArray[np.uint8]
    """(n,), 0 for a board searched from the start, 1 from the goal."""
    path: NDArray[np.int32]
    """Indices of the boards on the current path, or on the solution if found; root first."""
    current: int
    """Index of the board that was expanded last; -1 before the first, and if the view was closed.
    In a depth-first search: index of the board whose children are being generated."""
    children: NDArray[np.int32]
    """Indices of the boards that this expansion generated; some may be pruned or visited."""
    front: NDArray[np.int32]
    """Indices of the boards to be expanded next, in that order, at most ``MAX_NEXT``."""
    threshold: float
    """Boards with a larger f are pruned; infinity if there is no threshold."""
    n_expanded: int
    n_generated: int
    """Boards generated in the whole run, as in the metrics."""
    is_whole: bool
    """Whether ``boards`` has all boards in memory; if not, it has only the path, the last expansion
    and the front."""


@dataclass(frozen=True, eq=False)
class SideByDepth:
    """Number of boards on one side of a search, by depth and f."""

    expanded: Counts
    """(rows, len(f)), number of boards expanded."""
    open: Counts
    """(rows, len(f)), number of boards that are generated and not yet expanded."""


@dataclass(frozen=True, eq=False)
class ByDepth(View):
    """Number of boards of a search by depth and f."""

    kind = ViewKind.DEPTHS

    f: Reals
    """(columns,), the smallest f of each column in moves, ascending."""
    sides: tuple[SideByDepth, ...]
    """The side from the start and, if the search goes from both ends, the side from the goal."""
    meeting: tuple[int, int] | None
    """Depths, on both sides, of the board where the two sides joined; None before."""
    depth_step: int = 1
    """Number of depths in a row: row r begins with the depth r * depth_step."""


@dataclass(frozen=True, eq=False)
class Thresholds(View):
    """The iterations of an iterative-deepening search, and its current path."""

    kind = ViewKind.THRESHOLDS

    thresholds: Reals
    """(iterations,), thresholds of the newest iterations in moves; the last one is the current one.
    Iterations that an older program stored without thresholds are left out."""
    expanded: Counts
    """(iterations,), boards expanded in each; -1 if a stored run does not have the number."""
    generated: Counts
    """(iterations,), boards generated in each; -1 if a stored run does not have the number."""
    path: Boards
    """The boards of the current path, the start first."""
    h: Reals
    """(boards of the path,), the heuristic's estimate for each in moves."""
    first: int = 0
    """Number of the first iteration in this view, from 0. Earlier ones are unknown if an older
    program stored the run."""


@dataclass(frozen=True, eq=False)
class Population(View):
    """The boards of a generation and the origin of each of their letters."""

    kind = ViewKind.POPULATION

    generation: int
    """Number of the generation, from 1."""
    grids: Boards
    """Boards of the generation, fittest first."""
    fitness: Reals
    """(n,), fitness of each board."""
    parents: NDArray[np.int32]
    """(n, 2), indices of each board's parents in ``parent_grids``; -1 for a board that was drawn at
    random, or that was bred while the view was closed."""
    parent_grids: Boards
    """Boards of the previous generation that were chosen to breed, fittest first."""
    parent_fitness: Reals
    origins: NDArray[np.uint8]
    """(n, cells), the parent that each letter comes from: 0 the first, 1 the second, 2 none. A
    letter of no parent was drawn at random, by a mutation or because the parents are unknown."""
    mutated: NDArray[np.bool_]
    """(n, cells), whether a cell was mutated."""
    shares: Reals
    """(cells, symbols), share of the boards that have each letter in each cell, 0 to 1."""


@dataclass(frozen=True, eq=False)
class ProposedMove(View):
    """The last move that a local search proposed, and whether it was made."""

    kind = ViewKind.MOVE

    before: Boards
    """(cells,), the board before the move."""
    after: Boards
    """(cells,), the proposed board; equal to ``before`` if no move was proposed."""
    energy_before: float
    energy_after: float
    """Energy of the proposed board: its score plus the value of near misses."""
    what: str
    """Name of the energy: 'search value', or 'value' if it is the score alone."""
    accepted: bool
    odds: float
    """Probability of acceptance, 0 to 1; 0 if the proposed move changes nothing.

    A move of several letters is judged by an estimate, and by its energy only after it is made."""
    temperature: float
    """Current temperature; 0 if the search has none."""
    n_compared: int
    """Number of moves that were compared, of which this is the best; 1 if there was no other."""
    n_forbidden: int
    """Number of compared moves that the tabu list forbade."""


@dataclass(frozen=True, eq=False)
class Agents(View):
    """The agents of a colony after a slide: which are loyal to their board, and which follow."""

    kind = ViewKind.AGENTS

    slide: int
    """Number of the slide within the trip, from 1."""
    boards: Boards
    """(agents, cells), board of each agent after the slide, before recruitment."""
    values: Reals
    """(agents,), value of each board."""
    loyal: NDArray[np.bool_]
    """(agents,), whether each agent is loyal to its board."""
    chances: Reals
    """(agents,), loyalty of each agent: its probability to keep its board, 0 to 1."""
    follows: NDArray[np.int32]
    """(agents,), index of the agent whose board each continues from; its own if it is loyal."""


@dataclass(frozen=True, eq=False)
class BeamDepths(View):
    """Number of boards that a beam search kept and cut in each depth."""

    kind = ViewKind.BEAM

    width: int
    generated: Counts
    """(depths,), number of different boards generated."""
    kept: Counts
    """(depths,), number of boards kept."""
    best: Reals
    """(depths,), best estimate or value in each depth."""
    boards: Boards
    """Best boards of the newest depth, best first, at most ``MAX_NEXT``."""
    values: Reals
    """Estimate or value of each of these boards."""
    first: int = 0
    """Depth of the first entry; earlier depths are unknown, or there are too many of them."""
