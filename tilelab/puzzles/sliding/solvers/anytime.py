"""Anytime search: a fast first path, then shorter ones, and a rising proven lower bound.

Beams of growing width look for paths from either end in turn. After each pair of beams, every
stretch of the best path is searched again by a beam of its own. Meanwhile iterative deepening
raises the proven lower bound. When the bound is equal to the length, the path is shortest.

From 5×5 to 8×8 the first pair of beams is fast and needs no tables. Later ones rank whole boards
by tables of 2×2 squares and 1×4 lines (heuristics.blocks). A beam
that ranks otherwise finds another path, so that many narrow beams with different weights find more
than a wide one. They search random stretches of the path, from either end, and take its place if
they are as long (a large neighbourhood search, Shaw 1998). Runs of 1.0.0 have no tables.
"""

from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, parameter, replaced
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted
from tilelab.core.views import CodeLine, ViewKind
from tilelab.puzzles.sliding.heuristics.blocks import blocks_of, compile_kernels
from tilelab.puzzles.sliding.heuristics.choice import NO_TABLES, Tables, tables_parameter
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.beam import BeamSearch, step_lines
from tilelab.puzzles.sliding.solvers.deepening import AnyDescent
from tilelab.puzzles.sliding.solvers.descent import Descent, restore_descent
from tilelab.puzzles.sliding.solvers.ida_star import (
    BEST_DETOUR,
    automatic_heuristic,
    chosen_tables,
    descent_with_tables,
)
from tilelab.puzzles.sliding.solvers.packed_descent import (
    PACKED_SIDE,
    PackedDescent,
    PatternDescent,
)
from tilelab.puzzles.sliding.solvers.search import sliding_spec
from tilelab.slides import beam_run
from tilelab.slides.beam_run import DEFAULT_WEIGHTS, BeamRun, BlockWeights
from tilelab.slides.moves import OPPOSITE, letters_of, replay
from tilelab.solvers.search_params import SearchParams, expansions_parameter

_GROWTH = 4  # of the width from one pair of beams to the next
_BLOCK_GROWTH = 2  # of the width of beams with blocks
_N_PAIRS, _N_PAIRS_SMALL = 8, 2
"""Pairs of beams with blocks until the width grows; on 5×5, wide beams come near a shortest path.
"""
_MIN_BLOCK_SIDE, _MAX_BLOCK_SIDE = 5, 8  # outside, blocks have not shortened paths
_PROOF = {PackedDescent: 10.0, PatternDescent: 1.5, AnyDescent: 0.05}
"""Number of boards of the proof per board of a beam, so that beams get most of the time."""
_STRETCHES = (60, 120)  # number of moves in the stretches that are searched again, by pass
_N_STRETCHES = 16  # number of random stretches that are searched after a pair of beams with blocks
_MIN_STRETCH, _MAX_STRETCH = 40, 200  # number of moves in a random stretch
_MIN_WEIGHTS = BlockWeights(near=30, far=0, inversion=60, excess=40)
_MAX_WEIGHTS = BlockWeights(near=70, far=70, inversion=190, excess=130)
_MAX_ROUNDS = 512  # maximum number of rounds, in which beams grow; the memory is used up before
_FIRST_BLOCK_ROUND = 2  # the first pair of beams has no tables
_BEAM = -1  # number in place of the pass during a beam for the whole path


class Stretch(NamedTuple):
    """A part of the path that a beam searches again."""

    first: int  # number of moves before it
    last: int  # number of moves up to its end
    is_backward: bool = False
    """Whether the beam begins at its end."""


class Ranking(Choice):
    """How beams rank the boards of a depth."""

    SQUARES = "squares"
    DISTANCE = "distance"


class AnytimeParams(SearchParams):
    earlier: ClassVar = {"ranking": Ranking.DISTANCE.value}

    width: int = parameter(
        250,
        marked("Initial beam width"),
        low=1,
        high=100_000,
        unit="boards",
        help=marked("How many boards of a depth the first beam keeps; later beams keep more."),
    )
    ranking: Ranking = parameter(
        Ranking.SQUARES,
        marked("Ranking"),
        help=marked(
            "How beams rank boards from 5×5 to 8×8. Squares: by tables of the moves that the four "
            "tiles of each 2×2 square and 1×4 line need. Distance: without tables, and large "
            "boards line by line."
        ),
        source="Culberson & Schaeffer 1998",
        group=marked("Search"),
        choice_titles={
            Ranking.SQUARES: marked("by squares and lines of four tiles"),
            Ranking.DISTANCE: marked("by distance"),
        },
    )
    tables: Tables = tables_parameter()
    expansions_per_update: int = expansions_parameter(2000, 10_000, marked("boards of a beam"))


@register_solver
class Anytime(BeamSearch[AnytimeParams]):
    """Anytime search, solved when the proven bound is equal to the length of the best path."""

    spec = sliding_spec(
        key="anytime",
        title=marked("Anytime: beams and a proof"),
        source="Zhou & Hansen 2005; Korf 1985",
        step="board",
        metric_titles={"frontier": marked("beam width")},
        views=(ViewKind.BEAM, ViewKind.FRONTIER),
        pseudocode=Pseudocode("sliding/anytime.md"),
        params=AnytimeParams,
        version=4,
        proves_bound=True,
        purpose=marked("Finds a solution soon, then shorter ones, until the shortest is proven."),
    )

    @classmethod
    def resolved(cls, puzzle: SlidingPuzzle, params: AnytimeParams) -> AnytimeParams:
        """Choose the tables if that is open; raises ParameterError for impossible ones."""
        tables = chosen_tables(puzzle, params.tables) or NO_TABLES
        return super().resolved(puzzle, replaced(params, tables=tables))

    @classmethod
    def upgraded(cls, puzzle: SlidingPuzzle, snapshot: Snapshot) -> Snapshot:
        """Convert version 3, whose beams ranked boards by their distance."""
        if snapshot.version == 3:
            params = {**AnytimeParams.earlier, **snapshot.params}
            snapshot = replace(snapshot, version=4, params=params)
        return super().upgraded(puzzle, snapshot)

    def prepare(self) -> None:
        self._round, self._pass, self._from = 0, _BEAM, 0
        self._only_proves = False
        self._path: str | None = None
        self._ended: tuple[str, ...] = ()
        """Names of the lines about the beam that the last unit has ended, if any."""
        self._new_length: int | None = None
        """Length of the shorter path that the beam of the last unit has found, if any."""
        self._proof = self._make_proof()
        if self._can_use_blocks:
            compile_kernels()
        self._begin_beam()

    @property
    def _can_use_blocks(self) -> bool:
        """Whether later beams rank by blocks."""
        sides = self._puzzle.shape
        has_side = min(sides) >= _MIN_BLOCK_SIDE and max(sides) <= _MAX_BLOCK_SIDE
        return has_side and self._params.ranking is not Ranking.DISTANCE

    def _make_proof(self) -> Descent:
        tables = self._params.tables
        if tables != NO_TABLES:
            return descent_with_tables(self._puzzle, tables, BEST_DETOUR)
        spec = HEURISTICS[automatic_heuristic(self._puzzle, "")]
        if self._is_small:
            return PackedDescent(self._puzzle, spec, BEST_DETOUR)
        return AnyDescent(self._puzzle, spec, None)

    @property
    def _is_small(self) -> bool:
        """Whether a proof ends in reasonable time, with tables or without."""
        return max(self._puzzle.shape) <= PACKED_SIDE

    @property
    def _width(self) -> int:
        if self._only_proves:
            return 1
        n_pairs = self._round // 2
        growth = _GROWTH**n_pairs
        if self._has_blocks:
            is_small = min(self._puzzle.shape) == _MIN_BLOCK_SIDE
            n_alike = _N_PAIRS_SMALL if is_small else _N_PAIRS
            growth = _GROWTH * _BLOCK_GROWTH ** ((n_pairs - 1) // n_alike)
        width: int = self._params.width * growth
        return width

    @property
    def _has_blocks(self) -> bool:
        """Whether the beams of this round rank by blocks."""
        return self._can_use_blocks and self._round >= _FIRST_BLOCK_ROUND

    @property
    def _n_passes(self) -> int:
        """Number of passes over stretches in this round; with blocks, each is one stretch."""
        return _N_STRETCHES if self._has_blocks else len(_STRETCHES)

    def _begin_next(self) -> None:
        """Begin another beam, and keep the counts of the previous one."""
        self._before = self._counts
        self._begin_beam()

    def _begin_beam(self) -> None:
        """Begin the beam of the current round or stretch."""
        blocks, weights = None, DEFAULT_WEIGHTS
        random = np.random.default_rng((self._round, self._pass - _BEAM))
        if self._has_blocks:
            blocks = blocks_of(*self._puzzle.shape)
            if self._round > _FIRST_BLOCK_ROUND + 1 or self._pass != _BEAM:
                drawn = random.integers(_MIN_WEIGHTS, _MAX_WEIGHTS, endpoint=True)
                weights = BlockWeights(*drawn.tolist())
        self._stretch = self._choose_stretch(random)
        first, last, is_backward = self._stretch
        longest = None if self._path is None else last - first
        if blocks is not None and longest is not None:
            longest += 1  # a path that is as long is another one from which to find shorter ones
        here, there, cols = self._puzzle.start, self._puzzle.goal, self._puzzle.params.cols
        if self._pass != _BEAM:
            assert self._path is not None
            here = self._puzzle.replay(self._path[:first])
            there = replay(here, cols, self._path[first:last])
        if is_backward:
            here, there = there, here
        is_near = self._pass != _BEAM
        self._run = BeamRun(
            here, there, cols, self._width, longest, whole=is_near, blocks=blocks, weights=weights
        )

    def _choose_stretch(self, random: np.random.Generator) -> Stretch:
        """Return the stretch of the current round and pass: all of the path, or a part of it."""
        n_moves = len(self._path or "")
        if self._pass == _BEAM:
            return Stretch(0, n_moves, self._round % 2 == 1)
        if not self._has_blocks:
            return Stretch(self._from, min(self._from + _STRETCHES[self._pass], n_moves))
        return _random_stretch(n_moves, random)

    @property
    def bound(self) -> int:
        """Proven lower bound of the length."""
        scalars = self._proof.arrays["scalars"]
        return -(-int(scalars[kernel.THRESHOLD]) // self._proof.scale)

    def _search(self, most: int) -> bool:
        """Do up to ``most`` boards of the beam; the last step of a unit also does the proof."""
        code = beam_run.RUNNING
        if self._only_proves:
            self._steps_done += 1
        else:
            code = self._run.step(most)
            self._steps_done += self._run.n_done
            if code == beam_run.RUNNING and self._n_left > 0:
                return False
        self._end_of_unit(code)
        return True

    def _end_of_unit(self, code: int) -> None:
        """Use the result of the beam, and do a part of the proof."""
        last = "keep" if code == beam_run.DONE else "expand"
        self._ended = () if code == beam_run.RUNNING else (self._phase_line, last)
        self._new_length = None
        if not self._only_proves and not self._look(code):
            if not self._is_small:
                self._end(Status.LIMIT, "memory")
                return
            # The proof needs no further memory.
            self._only_proves = True
            self._round, self._pass, self._from = 0, _BEAM, 0
            self._begin_next()
        if self._prove():
            self._end(Status.SOLVED)

    def _look(self, code: int) -> bool:
        """Begin the next beam if this one has ended; returns False without memory for either."""
        if code == beam_run.DONE:
            self._keep_path()
        if code != beam_run.RUNNING:
            self._continue()
            if beam_run.bytes_of(self._width, len(self._puzzle.goal)) > self._max_bytes:
                return False
            self._begin_next()
        elif self._run.n_bytes > self._max_bytes:
            return False
        return True

    def _continue(self) -> None:
        """Begin the next round, pass or stretch after a beam."""
        if self._pass == _BEAM:
            self._round += 1
            if self._round % 2 or self._path is None:
                return
            self._round -= 1  # the stretches belong to the round of the beams before them
            self._pass, self._from = 0, 0
        elif self._has_blocks:
            self._pass += 1
        else:
            self._from += _STRETCHES[self._pass] // 2
            if self._from + _STRETCHES[self._pass] // 2 >= len(self._path or ""):
                self._pass, self._from = self._pass + 1, 0
        if self._pass == self._n_passes:
            self._round, self._pass, self._from = self._round + 1, _BEAM, 0

    def _keep_path(self) -> None:
        moves, before = self._run.path, self._path or ""
        first, last, is_backward = self._stretch
        if is_backward:
            moves = [OPPOSITE[move] for move in reversed(moves)]
        path = before[:first] + letters_of(moves) + before[last:]
        if self._path is None or len(path) <= len(self._path):
            self._path, self._new_length = path, len(path)

    def _prove(self) -> bool:
        """Raise the bound a little; returns whether it has reached the length of a path."""
        if np.array_equal(self._puzzle.start, self._puzzle.goal):
            self._path = ""
            return True
        n_boards = self._params.expansions_per_update * _PROOF[type(self._proof)]
        if self._proof.go(max(int(n_boards), 1)) == kernel.SOLVED:
            self._path = self._proof.path()
            return True
        return self._path is not None and self.bound >= len(self._path)

    def _path_so_far(self) -> str | None:
        return self._path

    def _is_shortest(self) -> bool:
        return True

    def _beam_caption(self) -> str:
        """Describe the last step, its beam, and the path so far."""
        if self._status is Status.SOLVED:
            return tr(
                "The path of {n_moves} is the shortest.",
                n_moves=counted(len(self._path or ""), "move"),
            )
        known = tr("At least {bound} are needed.", bound=counted(self.bound, "move"))
        if self._path is not None:
            known = tr(
                "The best path has {n_moves}. {known}",
                n_moves=counted(len(self._path), "move"),
                known=known,
            )
        if self._only_proves:
            return tr(
                "There is no memory for a wider beam; only the proof continues. {known}",
                known=known,
            )
        step = super()._beam_caption()
        first, last, is_backward = self._stretch
        if self._pass == _BEAM:
            step = tr("From the goal: {step}", step=step) if is_backward else step
        elif is_backward:
            step = tr(
                "Back from move {from_place} of the best path: {step}",
                from_place=figures(last, ","),
                step=step,
            )
        else:
            step = tr(
                "From move {from_place} of the best path on: {step}",
                from_place=figures(first, ","),
                step=step,
            )
        return f"{step} {known}" if step else ""

    def _lines(self) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last step ran."""
        bound = figures(self.bound, ",")
        if not self._unit and not self._steps_done:
            return (CodeLine("start", tr("bound {bound}", bound=bound)),)
        lines = [CodeLine(name) for name in self._ended]
        if not self._only_proves and (steps := step_lines(self._run)):
            lines = [CodeLine(self._phase_line, self._phase), *steps]
        if self._steps_done:
            return tuple(lines)
        # The last step of a unit also uses the beam's path, and does a part of the proof.
        if self._new_length is not None:
            lines.append(CodeLine("path", counted(self._new_length, "move")))
        lines.append(CodeLine("prove", tr("bound {bound}", bound=bound)))
        if self._status is Status.SOLVED:
            lines.append(CodeLine("done", counted(len(self._path or ""), "move")))
        elif self._only_proves:
            lines.append(CodeLine("only"))
        elif self._run.making() is None and not self._run.n_moves:
            lines.append(CodeLine("next", self._phase))
        return tuple(lines)

    @property
    def _phase_line(self) -> str:
        """Name of the line of the current beam."""
        if self._pass != _BEAM:
            return "stretch"
        return "backward" if self._stretch.is_backward else "forward"

    @property
    def _phase(self) -> str:
        """The current beam in a few words: its width, and the place of a stretch."""
        width = f"B = {figures(self._run.width, ',')}"
        if self._pass == _BEAM:
            return width
        first, last, is_backward = self._stretch
        if is_backward:
            return tr("{width}, back from move {place}", width=width, place=figures(last, ","))
        return tr("{width}, from move {place} on", width=width, place=figures(first, ","))

    def metrics_inside(self) -> tuple[float, ...]:
        expanded, *others = self._row()
        scalars = self._proof.arrays["scalars"]
        # The kernel counts the start before any of its moves is tried.
        if not scalars[kernel.GENERATED]:
            expanded -= float(scalars[kernel.EXPANDED])
        return (expanded, *others)

    def _row(self) -> tuple[float, ...]:
        expanded, generated = self._counts
        scalars = self._proof.arrays["scalars"]
        length = self._run.n_moves if self._path is None else len(self._path)
        return (
            float(expanded + scalars[kernel.EXPANDED]),
            float(generated + scalars[kernel.GENERATED]),
            float(self._run.width),
            float(length),
            float(self.bound),
            0.0 if self._path is not None else float(self._run.distance),
            self._run.n_bytes / 2**20,
        )

    def _nearest(self) -> NDArray[np.uint8]:
        is_from_goal = self._pass == _BEAM and self._stretch.is_backward
        return self._puzzle.start if is_from_goal else self._run.nearest()

    def _solution(self) -> str:
        assert self._path is not None
        return self._path

    def arrays(self) -> Arrays:
        path = "-" if self._path is None else self._path + "."
        expanded, generated = self._before
        rounds = (self._round, self._pass, self._from, generated, self._only_proves, expanded)
        return {
            **{f"beam_{name}": part for name, part in self._run.state().items()},
            **{f"proof_{name}": part.copy() for name, part in self._proof.arrays.items()},
            "rounds": np.array(rounds, np.int64),
            "way": np.frombuffer(path.encode(), np.uint8).copy(),
        }

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        rounds = snapshot.array("rounds", np.int64, 6)
        self._round, self._pass, self._from, generated, only_proves, expanded = rounds.tolist()
        self._before = expanded, generated
        self._only_proves = bool(only_proves)
        path = snapshot.array("way", np.uint8, None).tobytes().decode()
        self._path = None if path == "-" else path[:-1]
        restore_descent(self._proof, snapshot.part("proof_"))
        require_range("round", rounds[:1], 0, _MAX_ROUNDS)
        require_range("pass", rounds[1:2], _BEAM, self._n_passes - 1)
        require_range("stretch", rounds[2:3], 0, len(self._path or ""))
        goal = self._puzzle.goal
        if self._path is not None and not np.array_equal(self._puzzle.replay(self._path), goal):
            raise SnapshotError("the snapshot's path does not lead to the goal")
        self._begin_beam()
        self._run.set_state(snapshot.part("beam_"))


def _random_stretch(n_moves: int, random: np.random.Generator) -> Stretch:
    """Choose a stretch of a path; those at its ends are as likely as others."""
    longest = min(max(2 * n_moves // 3, _MIN_STRETCH), _MAX_STRETCH)
    length = min(int(random.integers(_MIN_STRETCH, longest, endpoint=True)), n_moves)
    rest, outside = n_moves - length, length // 4
    first = int(random.integers(-outside, rest + outside, endpoint=True))
    first = min(max(first, 0), rest)
    return Stretch(first, first + length, bool(random.integers(2)))
