"""Iterative deepening A*: depth-first below a threshold that rises to the smallest f cut off."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import ParameterError, RunError
from tilelab.core.parameters import parameter, replaced
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import Arrays, Progress, RemoteWorkers, Snapshot, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.detours import STRAIGHT_BACK
from tilelab.puzzles.sliding.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding.heuristics.choice import (
    AUTOMATIC,
    NO_TABLES,
    TableChoice,
    Tables,
    tables_parameter,
)
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.deepening import (
    PATH_TITLES,
    AnyDescent,
    Deepening,
    DeepeningParams,
    deepening_pseudocode,
)
from tilelab.puzzles.sliding.solvers.descent import Descent
from tilelab.puzzles.sliding.solvers.packed_descent import (
    PACKED_SIDE,
    STEP_BY_STEP,
    PackedDescent,
    PatternDescent,
)
from tilelab.puzzles.sliding.solvers.rounds_elsewhere import Crew, RoundsElsewhere, do_shares
from tilelab.puzzles.sliding.solvers.search import sliding_spec
from tilelab.puzzles.sliding.solvers.subtrees import Subtrees, Team
from tilelab.solvers.slices import WAIT_SECONDS

UNIT_TIMES = 20
"""Factor for the boards in a unit of several threads, because a round ends with its unit."""
SLICE_SECONDS = 0.02  # time after which several threads return, even within a unit
MIN_UNIT = 50_000_000
"""Minimum number of boards in a unit for several machines; otherwise rounds are too short."""
BEST_DETOUR = 8
"""Default length of detours; longer ones omit a little more, but their tables take longer."""


class IdaStarParams(DeepeningParams):
    heuristic: TableChoice = parameter(
        AUTOMATIC,
        marked("Heuristic"),
        help=marked(
            "The estimate of the remaining moves; the best for the shape are pattern databases "
            "on 4×4 and 5×5, including the large ones once they are built."
        ),
        source="Korf 1985; Korf & Felner 2002; Hasan et al. 2023",
    )
    tables: Tables = tables_parameter()
    detour: int | None = parameter(
        None,
        marked("Pruning of detours"),
        automatic=True,
        low=STRAIGHT_BACK,
        high=12,
        unit="moves",
        help=marked(
            "Prune paths of up to this many moves that end where a shorter or earlier path "
            "ends, on boards of up to 4×4 or with pattern databases. Automatic: 8 with the "
            "best heuristic for the shape, otherwise 2, which only prunes moving straight back."
        ),
        source="Taylor & Korf 1993",
        group=marked("Search"),
    )
    threads: int = parameter(
        1,
        marked("Threads"),
        low=1,
        high=64,
        help="How many cores search at the same time. The solution is the same, and so is the "
        "number of boards below each threshold except the last. Counts and curves are updated "
        f"{UNIT_TIMES} times less often.",
        group=marked("Search"),
    )


@register_solver
class IdaStar(Deepening[IdaStarParams]):
    """Keeps only its path; shortest with an admissible heuristic."""

    spec = sliding_spec(
        key="ida-star",
        title="IDA*",
        source="Korf 1985",
        step=marked("generated board"),
        metric_titles=PATH_TITLES,
        views=(ViewKind.TREE, ViewKind.THRESHOLDS, ViewKind.FRONTIER),
        pseudocode=deepening_pseudocode(
            "g(n) + h(n)",
            "h(start)",
            "Korf 1985, Depth-First Iterative-Deepening, IDA*",
            "fail",
            detour=" or by a detour",
        ),
        params=IdaStarParams,
        purpose=marked("Finds shortest solutions with almost no memory; for the 15-puzzle."),
        peer="a-star",
    )

    _has_estimate = True
    _subtrees: Subtrees | None = None
    """Subtrees for several threads; ``_descent`` then stays at the start, with all counts."""
    _team: Team | None = None
    _elsewhere: RoundsElsewhere | None = None  # rounds on other machines, if any

    @classmethod
    def resolved(cls, puzzle: SlidingPuzzle, params: IdaStarParams) -> IdaStarParams:
        """Choose heuristic, tables and detours if they are open; raises ParameterError."""
        key, wanted, detour = params.heuristic, params.tables, params.detour
        if key != AUTOMATIC and not HEURISTICS[key].needs_tables:
            if wanted not in (AUTOMATIC, NO_TABLES):
                raise ParameterError(
                    "tables",
                    tr(
                        "tables: {wanted} does not go with the heuristic {key}",
                        wanted=wanted,
                        key=key,
                    ),
                )
            partition = ""
        elif key == AUTOMATIC:
            partition = chosen_tables(puzzle, wanted)
        elif wanted == NO_TABLES:
            raise ParameterError("tables", tr("tables: the heuristic {key} needs them", key=key))
        else:
            name = "" if wanted == AUTOMATIC else wanted
            partition = patterns.require_partition(puzzle.shape, puzzle.goal, name)
        if detour is None:
            detour = BEST_DETOUR if key == AUTOMATIC else STRAIGHT_BACK
        if key == AUTOMATIC:
            key = automatic_heuristic(puzzle, partition)
        settled = replaced(params, heuristic=key, tables=partition or NO_TABLES, detour=detour)
        return super().resolved(puzzle, settled)

    def prepare(self) -> None:
        params, puzzle = self._params, self._puzzle
        assert params.detour is not None
        self._spec = HEURISTICS[params.heuristic]
        if self._spec.needs_tables:
            self._descent = descent_with_tables(puzzle, params.tables, params.detour)
        elif self._spec.key in STEP_BY_STEP and max(puzzle.shape) <= PACKED_SIDE:
            self._descent = PackedDescent(puzzle, self._spec, params.detour)
        else:
            self._descent = AnyDescent(puzzle, self._spec, None)
        if params.threads > 1:
            self._subtrees = Subtrees(puzzle, self._descent, params.threads)

    def do_units(self, units: int) -> NDArray[np.float64]:
        if self._subtrees is None or self._status is not Status.RUNNING:
            return super().do_units(units)
        with self._start_team() as self._team:
            rows = super().do_units(units)
        self._team = None
        return rows

    @property
    def _unit_boards(self) -> int:
        times = 1 if self._params.threads == 1 else UNIT_TIMES
        return times * self._params.expansions_per_update

    def work(self, units: int) -> Progress:
        """Do units; return within a unit that takes longer than a slice."""
        is_long = units > 1 and self._elsewhere is None
        if self._subtrees is None or is_long or self._status is not Status.RUNNING:
            return super().work(units)
        with self._start_team(SLICE_SECONDS) as self._team:
            progress = self.step(self._n_left)
        self._team = None
        return replace(progress, steps=0)

    def _start_team(self, seconds: float | None = None) -> Team:
        if self._elsewhere is None:
            return Team(self._params.threads, seconds)
        waits = None if seconds is None else WAIT_SECONDS
        return Crew(self._elsewhere, self._params.threads, waits)

    def work_elsewhere(self, workers: RemoteWorkers) -> bool:
        if self._subtrees is None:
            return False
        if self._unit_boards < MIN_UNIT:
            raise RunError.tr(
                "updates of {n_boards} boards are too short for several machines; "
                "{minimum} expansions per update are the least",
                n_boards=figures(self._unit_boards, ","),
                minimum=figures(MIN_UNIT // UNIT_TIMES, ","),
            )
        self._elsewhere = RoundsElsewhere(workers, self._puzzle, self.snapshot())
        return True

    @classmethod
    def do_part(cls, puzzle: SlidingPuzzle, part: Snapshot) -> Snapshot:
        """Let subtrees do their shares of a round for another machine."""
        params = replaced(cls._params_of(puzzle, part), threads=1)
        return replace(part, arrays=do_shares(cls.create(puzzle, params, 0)._descent, part.arrays))

    def _go(self, most: int) -> int:
        if self._subtrees is None:
            return super()._go(most)
        if self._elsewhere is not None and self._team is None:
            self._elsewhere.drop()  # what is under way is done here instead
        return self._subtrees.go(most, self._n_left, self._team)

    def _front(self) -> Descent:
        return super()._front() if self._subtrees is None else self._subtrees.front()

    def _row(self) -> tuple[float, ...]:
        row = super()._row()
        if self._subtrees is None:
            return row
        depth, n_bytes = self._subtrees.depth, self._subtrees.n_bytes
        return (*row[:2], depth + 1.0, float(depth), *row[4:6], row[6] + n_bytes / 2**20)

    def arrays(self) -> Arrays:
        subtrees = {} if self._subtrees is None else self._subtrees.arrays()
        return {**super().arrays(), **subtrees}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        if self._subtrees is not None:
            self._subtrees.restore(snapshot.arrays, self._n_left)

    def _is_shortest(self) -> bool:
        return self._spec.admissible


def chosen_tables(puzzle: SlidingPuzzle, wanted: str) -> str:
    """Return the partition for a puzzle by the value of the parameter, or "" for none.

    Raises ParameterError for one that does not fit.
    """
    if wanted == NO_TABLES:
        return ""
    if wanted == AUTOMATIC:
        return patterns.ready_partition(puzzle.shape, puzzle.goal)
    return patterns.require_partition(puzzle.shape, puzzle.goal, wanted)


def automatic_heuristic(puzzle: SlidingPuzzle, partition: str) -> str:
    """Return the key of the fastest exact heuristic for a puzzle.

    partition: the available pattern databases for it, or "".
    """
    if partition:
        return "pattern-database"
    return "larger" if max(puzzle.shape) <= PACKED_SIDE else "linear-conflict"


def descent_with_tables(puzzle: SlidingPuzzle, partition: str, detour: int) -> Descent:
    """Return the descent for the layout of the pattern databases."""
    if patterns.partition_named(partition).is_opened:
        return PackedDescent(puzzle, patterns.SPEC, detour, partition)
    return PatternDescent(puzzle, partition, detour)
