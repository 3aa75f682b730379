"""The bee colony of Naz et al. 2016 on word tiles.

Agents slide at random. After every step an agent with a poorer board may give it up and follow one
with a richer board. The best boards so far are archived, and trips start from them.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, Params, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range, require_same_tiles
from tilelab.core.solver import Advice, Arrays, Scalars, Snapshot, SolverSpec, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import Agents, CodeLine, ViewKind
from tilelab.puzzles.wordtiles.kernels import bees as kernel
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.slides.moves import move_tables
from tilelab.solvers.base import SolverBase
from tilelab.solvers.islands import IslandParams

MAX_SHOWN = 1000  # maximum number of boards of each kind to show in views
_MAX_NAMED = 6  # maximum number of agents to name in a sentence; otherwise it has only their number


class TripStart(Choice):
    ARCHIVE = "archive"
    HIVE = "hive"
    STAY = "stay"


_STARTS = {
    TripStart.ARCHIVE: kernel.ARCHIVE,
    TripStart.HIVE: kernel.HIVE,
    TripStart.STAY: kernel.STAY,
}


_STARTS_TITLES = {
    "archive": marked("a best board"),
    "hive": marked("initial board"),
    "stay": marked("where it is"),
}


class ColonyParams(Params):
    """Parameters of a colony's search; the defaults are the best published ones."""

    agents: int = parameter(
        16,
        marked("Agents"),
        low=1,
        high=1000,
        help=marked("Number of bees."),
        source="Naz et al. 2016",
    )
    steps: int = parameter(
        30,
        marked("Steps"),
        low=1,
        high=1000,
        unit="slides",
        help=marked("Number of slides of each agent in an iteration."),
        source="Naz et al. 2016",
    )
    iterations: int | None = parameter(
        100,
        marked("Iterations"),
        low=1,
        help=marked("End the run after this many iterations."),
        source="Naz et al. 2016",
        forkable=True,
    )
    start: TripStart = parameter(
        TripStart.ARCHIVE,
        marked("Start of a trip"),
        help=marked(
            "Every trip starts from a best board so far, from the initial board, or where the "
            "last one ended."
        ),
        source="Naz et al. 2016",
        choice_titles=_STARTS_TITLES,
        forkable=True,
        rare=True,
    )
    archive: int = parameter(
        1000,
        marked("Archive"),
        low=1,
        high=100_000,
        unit="boards",
        help=marked("How many boards of the best value are kept; later ones are not."),
        rare=True,
    )


class BeesParams(IslandParams, ColonyParams):
    """Parameters of the bee colony."""


def recruiting_sentence(
    slide: int, n_slides: int, follows: Sequence[int], values: Sequence[float]
) -> str:
    """Describe which agents follow others; agents have numbers from 1.

    follows: agent that each agent follows, itself if it is loyal. values: values of their boards
    before the slide's recruitment.
    """
    begins = tr(
        "Slide {slide} of {n_slides}:", slide=figures(slide, ","), n_slides=figures(n_slides, ",")
    )
    leavers = [agent for agent, chosen in enumerate(follows) if chosen != agent]
    if not leavers:
        return tr("{step} all agents continue from their own boards.", step=begins)
    leaders = Counter(follows[agent] for agent in leavers)
    if len(leavers) > _MAX_NAMED:
        (leader, n_followers), *_ = leaders.most_common(1)
        return tr(
            "{step} {n_agents} leave their boards; most, {n_followers}, follow {leader}.",
            step=begins,
            n_agents=counted(len(leavers), "agent"),
            n_followers=figures(n_followers, ","),
            leader=_named(leader, values),
        )
    parts = []
    for leader in leaders:
        names = [str(agent + 1) for agent in leavers if follows[agent] == leader]
        parts.append(f"{_listed(names)} {_named(leader, values)}")
    return f"{begins} {'; '.join(parts)}."


def _named(agent: int, values: Sequence[float]) -> str:
    return tr("agent {agent} ({value})", agent=figures(agent + 1, ","), value=number(values[agent]))


def _listed(names: Sequence[str]) -> str:
    """Return the first part of a sentence about agents that follow another one."""
    if len(names) == 1:
        return tr("agent {agent} leaves its board and follows", agent=names[0])
    return tr(
        "agents {agents} and {last_agent} leave their boards and follow",
        agents=", ".join(names[:-1]),
        last_agent=names[-1],
    )


@register_solver
class Bees(SolverBase[WordTilesPuzzle, BeesParams]):
    """A bee colony whose unit is an iteration: a trip of all agents.

    If all agents are equal, all are loyal. The best agents are always loyal.
    """

    spec = SolverSpec(
        key="bees",
        title=marked("Bee colony (Naz et al. 2016)"),
        source="Naz et al. 2016",
        puzzles=("wordtiles",),
        params=BeesParams,
        unit="iteration",
        metrics=("best_of_iteration", "mean", "worst", "best_ever", "loyal", "archive_size"),
        version=1,
        step="slide",
        views=(ViewKind.AGENTS,),
        pseudocode=Pseudocode("wordtiles/bees.md"),
        purpose=marked("Naz's bee colony: shows how a swarm searches."),
        peer="annealing",
        advice=Advice(marked("Simulated annealing usually finds more."), "annealing"),
    )

    frame = frozenset({"random_state"})
    ends_each_unit = True
    unit_name = "iteration"

    def prepare(self) -> None:
        puzzle, params = self._puzzle, self._params
        n_agents, n_cells = params.agents, len(puzzle.start)
        self._target = move_tables(*puzzle.shape).target
        self._hive_blank = int(np.argmin(puzzle.start))
        self._boards = np.tile(puzzle.start, (n_agents, 1))
        self._blanks = np.full(n_agents, self._hive_blank, np.int64)
        self._lasts = np.full(n_agents, -1, np.int64)
        self._values = np.empty(n_agents)
        self._archive = np.empty((params.archive, n_cells), np.uint8)
        self._slots = np.empty(2 << params.archive.bit_length(), np.int32)
        self._sums = np.empty(kernel.N_SUMS)  # sums over the current trip so far
        self._slide = 0  # number of the last slide in its trip, from 1; 0 if unknown
        self._chances, self._follows = np.empty(n_agents), np.empty(n_agents, np.int64)
        self._left, self._left_values = np.empty_like(self._boards), np.empty(n_agents)

    def begin(self) -> None:
        self._top = self._puzzle.score(self._puzzle.start)
        self._values[:] = self._top
        self._set_archive(self._puzzle.start[np.newaxis])

    def _set_archive(self, boards: NDArray[np.uint8]) -> None:
        self._n_archived = len(boards)
        self._archive[: len(boards)] = boards
        kernel.fill_slots(len(boards), self._archive, self._slots)

    def extras(self) -> Arrays:
        """Return the agents and the archive, at most ``MAX_SHOWN`` boards of each.

        agents, archive: uint8 (n, cells). values: float64 (n,), values of the agents' boards.
        """
        return {
            "agents": self._boards[:MAX_SHOWN].copy(),
            "values": self._values[:MAX_SHOWN].copy(),
            "archive": self._archive[: min(self._n_archived, MAX_SHOWN)].copy(),
        }

    def archived(self) -> NDArray[np.uint8]:
        """Return the first different boards of the best value, uint8 (n, cells)."""
        return self._archive[: self._n_archived].copy()

    def immigrate(self, boards: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        """Let the poorest agents continue from these boards, and archive the best of them."""
        poorest = np.argsort(self._values, kind="stable")[: len(boards)]
        taken = boards[: len(poorest)]
        self._boards[poorest], self._values[poorest] = taken, values[: len(poorest)]
        self._blanks[poorest], self._lasts[poorest] = np.argmin(taken, axis=1), -1
        top = float(values[0])
        kept = self.archived() if top == self._top else boards[:0]
        if top >= self._top:
            several = np.concatenate([kept, boards[values == top]])
            _, firsts = np.unique(several, axis=0, return_index=True)
            self._top = top
            self._set_archive(several[np.sort(firsts)][: len(self._archive)])
            self._offer(boards[0], top)

    def current_cells(self) -> NDArray[np.uint8]:
        cells: NDArray[np.uint8] = self._archive[0].copy()
        return cells

    @property
    def n_evaluated(self) -> int:
        return self._unit * self._params.agents * self._params.steps

    def do_steps(self, most: int | None) -> tuple[float, ...] | None:
        n_agents, n_steps, first = self._params.agents, self._params.steps, self._steps_done
        n_slides = n_steps - first if most is None else min(most, n_steps - first)
        self._top, self._n_archived = kernel.trip(
            first,
            _STARTS[self._params.start],
            self._puzzle.start,
            self._hive_blank,
            self._random_bits(np.uint32, 0 if first else n_agents),
            self._random_bits(np.uint32, n_slides, 3, n_agents),
            self._target,
            self._puzzle.words,
            self._top,
            self._archive,
            self._slots,
            self._n_archived,
            self._boards,
            self._blanks,
            self._lasts,
            self._values,
            self._sums,
            (self._chances, self._follows, self._left, self._left_values),
        )
        self._slide = self._steps_done = first + n_slides
        if self._slide < n_steps:
            return None
        self._offer(self._archive[0], self._top)
        self._end_at(self._unit + 1)
        return self.metrics_inside()

    def metrics_inside(self) -> tuple[float, ...]:
        sums, n_slides = self._sums, self._steps_done
        return (
            sums[kernel.BEST],
            sums[kernel.TOTAL] / (self._params.agents * n_slides),
            sums[kernel.WORST],
            self._top,
            sums[kernel.LOYAL] / n_slides,
            float(self._n_archived),
        )

    def view(self, kind: ViewKind) -> Agents | None:
        """Return the view of the agents after the last slide."""
        if not self._slide:
            return None
        follows = self._follows.astype(np.int32)
        loyal = follows == np.arange(len(follows))
        values = np.where(loyal, self._values, self._left_values)
        return Agents(
            recruiting_sentence(self._slide, self._params.steps, follows.tolist(), values.tolist()),
            self._slide,
            np.where(loyal[:, np.newaxis], self._boards, self._left),
            values,
            loyal,
            self._chances.copy(),
            follows,
            lines=self._lines(values, loyal),
        )

    def _lines(self, values: NDArray[np.float64], loyal: NDArray[np.bool_]) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last slide ran.

        values: of the boards after the slide, before recruitment.
        """
        lowest, highest, n_agents = float(values.min()), float(values.max()), len(values)
        lines = []
        n_before = self._unit - (not self._steps_done)
        if self._slide == 1:
            trip = CodeLine("trip", tr(_STARTS_TITLES[self._params.start]))
            lines = [trip] if n_before else [CodeLine("start"), trip]
        lines.append(CodeLine("slide", f"u = {figures(self._slide, ',')}"))
        if highest >= self._top:
            lines.append(CodeLine("best", f"v = {number(highest)}"))
        n_loyal = int(loyal.sum())
        lines.append(CodeLine("scale", f"v = {number(lowest)} … {number(highest)}"))
        lines.append(CodeLine("loyal", f"{figures(n_loyal, ',')} / {figures(n_agents, ',')}"))
        if n_loyal < n_agents:
            lines.append(CodeLine("recruit", counted(n_agents - n_loyal, "agent")))
        return tuple(lines)

    def _end_at(self, n_done: int) -> None:
        last = self._params.iterations
        if last is not None and n_done >= last:
            self._end(Status.LIMIT, "iterations")

    @property
    def most_units(self) -> int | None:
        return self._params.iterations

    def scalars(self) -> Scalars:
        best = self._best
        scalars: Scalars = {
            "best_value": float(self._top),
            "best_unit": None if best is None else best.unit,
        }
        if self._steps_done and best is not None:
            scalars["offered_value"] = best.value
        return scalars

    def arrays(self) -> Arrays:
        arrays: Arrays = {
            "boards": self._boards.copy(),
            "lasts": self._lasts.copy(),
            "values": self._values.copy(),
            "archive": self.archived(),
        }
        if self._steps_done:
            arrays["sums"] = self._sums.copy()
            # The archive may have better boards already, which are offered after the trip.
            if self._best is not None:
                arrays["offered"] = self._best.cells.copy()
        return arrays

    def set_state(self, snapshot: Snapshot) -> None:
        start = self._puzzle.start
        boards = snapshot.array("boards", np.uint8, *self._boards.shape)
        archive = snapshot.array("archive", np.uint8, None, len(start))
        lasts = snapshot.array("lasts", np.int64, len(boards))
        if not 1 <= len(archive) <= len(self._archive):
            raise SnapshotError(
                f"the snapshot's archive has {len(archive)} boards; 1..{len(self._archive)} "
                "have room"
            )
        require_same_tiles("boards", boards, start)
        require_same_tiles("archive", archive, start)
        require_range("lasts", lasts, -1, 3)
        self._boards[:], self._blanks[:] = boards, np.argmin(boards, axis=1)
        self._lasts[:] = lasts
        self._values[:] = snapshot.array("values", np.float64, len(boards))
        self._set_archive(archive)
        self._top = snapshot.number("best_value")
        self._end_at(self._unit)
        offered, value = archive[0], self._top
        if "steps_done" in snapshot.scalars:
            self._set_trip(snapshot)
        if snapshot.scalars.get("best_unit") is None:
            return
        if self._steps_done:
            offered = snapshot.array("offered", np.uint8, len(start))
            value = snapshot.number("offered_value")
            require_same_tiles("offered", offered[np.newaxis], start)
        self._offer(offered, value, unit=snapshot.count("best_unit"))

    def _set_trip(self, snapshot: Snapshot) -> None:
        """Continue within a trip that is partly done."""
        if not 0 < self._steps_done < self._params.steps:
            raise SnapshotError(
                f"the snapshot has done {self._steps_done} slides of a trip of {self._params.steps}"
            )
        self._sums[:] = snapshot.array("sums", np.float64, kernel.N_SUMS)
