"""Annealing, hill climbing and tabu search on the neighbourhood of any puzzle.

Annealing (Kirkpatrick, Gelatt & Vecchi 1983) runs in cycles of cooling, each longer than the
previous one by a fixed factor: a run of any length has spent much of its time on one slow cooling.
Hill climbing accepts the first move that is not worse, and restarts after some moves without a
better energy (Russell & Norvig, section 4.1). Tabu search: Glover 1989.
"""

from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import FieldValue, Params, parameter
from tilelab.core.puzzle import Puzzle
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Advice, Arrays, Scalars, Snapshot, SolverSpec
from tilelab.core.text.language import marked
from tilelab.solvers.block_steps import UnitBegin
from tilelab.solvers.local_search import LocalSearch, local_search_spec
from tilelab.solvers.proposed_moves import Proposal, SearchStatus, metropolis_odds

_LONGEST = 2**62


def _temperature(title: str, former: str, what: str, *, rare: bool = False) -> FieldValue:
    return parameter(
        0.0,
        title,
        former=former,
        automatic=True,
        low=0.0,
        high=1e12,
        unit="of the score",
        help=f"{what}; automatic: chosen from the instance.",
        source="Kirkpatrick et al. 1983",
        forkable=True,
        rare=rare,
    )


class CoolingParams(Params):
    initial_temperature: float = _temperature(
        marked("Initial temperature"), "hottest", marked("The temperature at which a cycle begins")
    )
    final_temperature: float = _temperature(
        marked("Final temperature"),
        "coldest",
        marked("The temperature at which a cycle ends"),
        rare=True,
    )
    first_cycle: int = parameter(
        0,
        marked("First cycle"),
        automatic=True,
        low=0,
        high=1_000_000_000,
        unit="iterations",
        help=marked("Length of the first cooling; automatic: chosen from the size of the board."),
        rare=True,
    )
    growth: int = parameter(
        40,
        marked("Growth"),
        low=0,
        high=900,
        unit="%",
        help=marked("How much longer each cycle is than the previous one."),
        forkable=True,
        rare=True,
    )


C = TypeVar("C", bound=CoolingParams)


def annealing_spec(puzzle: str, params: type[CoolingParams], move: str) -> SolverSpec:
    """Return the spec of annealing on a puzzle; move: a proposed move in the pseudocode."""
    source = "Kirkpatrick, Gelatt & Vecchi 1983"
    metrics = "temperature", "accepted", "cycle"
    return local_search_spec(
        "annealing",
        marked("Simulated annealing"),
        source,
        puzzle,
        params,
        *metrics,
        purpose=marked("Usually finds the best boards."),
        peer="tabu",
        advice=Advice(marked("Another seed begins elsewhere."), "annealing"),
        move=move,
    )


P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)


class Drawn(NamedTuple):
    bits: NDArray[np.uint64]  # (block,), random numbers
    temperatures: NDArray[np.float64]  # (block,), temperature of each move

    def part(self, begin: int, end: int) -> "Drawn":
        return Drawn(self.bits[begin:end], self.temperatures[begin:end])


class MetropolisSearch(LocalSearch[P, Q], Generic[P, Q]):
    """A search by Metropolis's rule; temperature 0 climbs hills, an infinite one walks."""

    _drawn: Drawn

    def _draw(self, temperatures: NDArray[np.float64]) -> None:
        self._drawn = Drawn(self._random_bits(np.uint64, self._place.block), temperatures)

    def continue_unit(
        self, begin: UnitBegin, n_done: int, before: SearchStatus
    ) -> tuple[SearchStatus, Proposal]:
        place, here = self._place, self._place.saved()
        bits, temperatures = self._drawn.part(self._n_bits(n_done), self._n_bits(n_done + 1))
        temperature, odds = float(temperatures[-1]), 0.0
        # At an infinite temperature every move is made.
        place.walk(bits, np.full(len(bits), np.inf))
        cells, energy, is_move = place.cells, place.numbers.energy, place.numbers.n_accepted > 0
        place.return_to(here)
        if is_move and 0.0 < temperature < np.inf:
            odds = metropolis_odds(self._judged_gain(bits, energy - before.energy), temperature)
            place.return_to(here)
        with place.continued():
            self._continue(bits, temperatures)
        now = self._status_after(before)
        if is_move and not 0.0 < temperature < np.inf:
            odds = float(now.n_accepted > before.n_accepted)
        return now, Proposal(cells, energy, odds, temperature)

    def _continue(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        """Do one more move of a unit."""
        self._place.walk(bits, temperatures)

    def _judged_gain(self, bits: NDArray[np.uint64], gain: float) -> float:
        """Return the gain by which the next move is judged; gain: its real gain."""
        place = self._place
        if place.estimated_gain is None:
            return gain
        with place.continued():
            place.walk(bits, np.zeros(len(bits)))
        if place.numbers.n_accepted:
            return max(gain, 0.0)
        return place.estimated_gain


class CoolingSearch(MetropolisSearch[P, C], Generic[P, C]):
    def begin(self) -> None:
        super().begin()
        self._choose_temperatures()
        self._n_restarts, self._done = 0, 0
        self._length = self._params.first_cycle or self._place.first_cycle

    def _choose_temperatures(self) -> None:
        params = self._params
        initial, final = self._place.temperatures
        self._initial = params.initial_temperature or initial
        self._final = params.final_temperature or min(final, self._initial)

    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        if self._done == self._length:
            self._n_restarts, self._done = self._n_restarts + 1, 0
            self._length = self._length * (100 + self._params.growth) // 100
            self._restart()
        block = self._place.block
        at = (self._done + np.arange(block) / block) / self._length
        temperatures = self._initial * (self._final / self._initial) ** at
        self._draw(temperatures)
        self._place.walk(*self._drawn.part(0, self._n_bits(n_moves)))
        self._done += 1
        return float(temperatures[-1]), self._share_accepted(), float(self._n_restarts + 1)

    def scalars(self) -> Scalars:
        return {
            **super().scalars(),
            "cycle": self._n_restarts,
            "done": self._done,
            "length": self._length,
            "hottest": self._initial,
            "coldest": self._final,
        }

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        self._n_restarts, self._done = snapshot.count("cycle"), snapshot.count("done")
        self._length = snapshot.count("length")
        if not (0 <= self._done <= self._length <= _LONGEST and self._length):
            raise SnapshotError("the snapshot's cooling is none that can be")
        # Temperatures depend on the parameters, which a fork may have changed.
        self._choose_temperatures()


def tenure_parameter(default: int) -> FieldValue:
    """Declare the parameter for how long a move cannot be undone."""
    return parameter(
        default,
        marked("Tenure"),
        low=0,
        high=1_000,
        unit="moves",
        help=marked(
            "For how many moves a letter must not return to its cell; up to twice as many are "
            "drawn."
        ),
        source="Glover 1989",
        live=True,
    )


class TenureParams(Params):
    tenure: int = tenure_parameter(10)


def tabu_spec(
    puzzle: str, params: type[TenureParams], *metrics: str, moves: str, none: str
) -> SolverSpec:
    """Return the spec of tabu search on a puzzle; metrics: additional ones.

    moves, none: words of the pseudocode, the compared moves and what is done if all are forbidden.
    """
    title, source = marked("Tabu search"), "Glover 1989"
    return local_search_spec(
        "tabu",
        title,
        source,
        puzzle,
        params,
        "forbidden",
        *metrics,
        purpose=marked("Thorough: leaves a local optimum by forbidding recent moves."),
        advice=Advice(
            marked("Simulated annealing usually finds more, or raise the tenure."),
            *("annealing", "tenure", 2.0),
        ),
        moves=moves,
        none=none,
    )


T = TypeVar("T", bound=TenureParams)


class TabuSearch(LocalSearch[P, T], Generic[P, T]):
    def prepare(self) -> None:
        super().prepare()
        self._until = np.zeros(self._place.shape_of_memory, np.int64)
        self._n_steps = 0

    def _make_steps(self, n_steps: int, *shape: int) -> tuple[float, float]:
        """Make the first steps of a unit, each with a row of random bits of a unit's shape.

        Returns the percentage of forbidden moves, and the number of moves compared.
        """
        self._bits = self._random_bits(np.uint64, *shape)
        n_compared = self._compare(self._bits[:n_steps])
        share = 100.0 * self._place.numbers.n_forbidden / max(n_compared, 1)
        return share, float(n_compared)

    def _compare(self, bits: NDArray[np.uint64]) -> int:
        """Make a step for each row of random bits; returns the number of moves compared."""
        n_compared = self._place.tabu(bits, self._n_steps, self._params.tenure, self._until)
        self._n_steps += len(bits)
        return n_compared

    def continue_unit(
        self, begin: UnitBegin, n_done: int, before: SearchStatus
    ) -> tuple[SearchStatus, Proposal]:
        if self._place.can_continue_tabu:
            self._compare(self._bits[n_done : n_done + 1])
            now = self._status_after(before)
        else:
            self._return_to(begin)
            self.do_moves(n_done + 1)
            now = self._search_status
        # The best of all moves is made, even if it is worse, unless all were forbidden.
        return now, Proposal(
            now.cells,
            now.energy,
            float(now.n_accepted > before.n_accepted),
            n_compared=now.n_scored - before.n_scored,
            n_forbidden=now.n_forbidden - before.n_forbidden,
            is_tabu=True,
        )

    def scalars(self) -> Scalars:
        return {**super().scalars(), "n_steps": self._n_steps}

    def arrays(self) -> Arrays:
        return {**super().arrays(), "until": self._until.copy()}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        self._until = snapshot.array("until", np.int64, *self._until.shape).copy()
        self._n_steps = snapshot.count("n_steps")
        require_range("steps", np.array([self._n_steps]), 0, 2**62)
        require_range("tabu list", self._until, 0, 2**62)


def patience_parameter(default: int, moves: str = "moves") -> FieldValue:
    """Declare the parameter for the number of moves without improvement before a restart."""
    return parameter(
        default,
        marked("Patience"),
        low=1,
        high=1_000_000,
        unit=f"{moves} per cell",
        help=f"Restart after this many {moves} per cell without improvement.",
        live=True,
    )


class ClimbParams(Params):
    patience: int = patience_parameter(2_000)


def hill_climbing_spec(puzzle: str, params: type[ClimbParams], move: str) -> SolverSpec:
    """Return the spec of hill climbing on a puzzle; move: as of :func:`annealing_spec`."""
    title, metrics = marked("Hill climbing with restarts"), ("accepted", "restarts")
    return local_search_spec(
        "hill-climbing",
        title,
        "",
        puzzle,
        params,
        *metrics,
        purpose=marked("Quick: climbs to the nearest local optimum, then restarts."),
        advice=Advice(
            marked("Simulated annealing usually finds more, or raise the patience."),
            *("annealing", "patience", 2.0),
        ),
        move=move,
    )


H = TypeVar("H", bound=ClimbParams)


class ClimbingSearch(MetropolisSearch[P, H], Generic[P, H]):
    def begin(self) -> None:
        super().begin()
        self._n_restarts, self._n_idle = 0, 0

    @property
    def _patience(self) -> int:
        return self._params.patience * len(self._place.cells)

    def immigrate(self, boards: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        before = self._place.numbers.value
        super().immigrate(boards, values)
        if self._place.numbers.value > before:
            self._n_idle = 0

    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        self._draw(np.zeros(self._place.block))
        self._continue(*self._drawn.part(0, self._n_bits(n_moves)))
        return self._share_accepted(), float(self._n_restarts)

    def _continue(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        self._n_idle, n_restarts = self._place.climb(bits, self._patience, self._n_idle)
        self._n_restarts += n_restarts

    def scalars(self) -> Scalars:
        counts = {"n_restarts": self._n_restarts, "n_idle": self._n_idle}
        return {**super().scalars(), **counts}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        self._n_restarts, self._n_idle = snapshot.count("n_restarts"), snapshot.count("n_idle")
