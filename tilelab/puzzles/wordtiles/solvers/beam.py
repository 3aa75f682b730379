"""Beam search on word tiles: for each number of slides, it keeps only the best boards."""

from collections import deque
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range, require_same_tiles, slid
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number, worth
from tilelab.core.views import (
    MAX_CLOSED,
    MAX_ENTRIES,
    MAX_NEXT,
    BeamDepth,
    BeamDepths,
    CodeLine,
    Frontier,
    View,
    ViewKind,
)
from tilelab.kernels.board_table import board_code
from tilelab.puzzles.wordtiles.kernels import searches as kernel
from tilelab.puzzles.wordtiles.solvers.search import WordTileSearch, word_tile_spec

_VISITED_LAYERS, _VISITED_BITS = 64, 16
"""Approximate number of layers remembered as visited, and binary logarithm of the least number of
boards."""
_MAX_DEPTHS = 1000  # maximum number of layers to show; a longer run shows the newest


class WordTileBeamParams(Params):
    width: int = parameter(
        100,
        marked("Beam width"),
        low=1,
        high=1_000_000,
        unit="boards",
        help=marked("How many boards of a layer are kept."),
    )


class _Layer(NamedTuple):
    """Boards of one depth in the kernel's form, the best one first."""

    boards: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    lasts: NDArray[np.int8]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, width: int, n_cells: int) -> Self:
        return cls(
            np.empty((width, n_cells), np.uint8),
            np.empty(width, np.uint64),
            np.empty(width, np.int8),
            np.empty(width),
        )


class _Children(NamedTuple):
    """Different boards one slide after a layer, in the order in which they are found."""

    parents: NDArray[np.int32]
    moves: NDArray[np.int8]
    codes: NDArray[np.uint64]
    losses: NDArray[np.float64]

    @classmethod
    def of(cls, n_boards: int) -> Self:
        most = 4 * n_boards
        return cls(
            np.empty(most, np.int32),
            np.empty(most, np.int8),
            np.empty(most, np.uint64),
            np.empty(most),
        )


@register_solver
class WordTileBeam(WordTileSearch[WordTileBeamParams]):
    """A beam search whose unit is a layer, one slide deeper than the previous one.

    The search ends when all boards of a layer were visited before.
    """

    spec = word_tile_spec(
        key="beam",
        title=marked("Beam"),
        source="Lowerre 1976",
        params=WordTileBeamParams,
        unit="layer",
        metrics=("best_of_layer", "mean", "worst", "best_ever", "boards", "generated"),
        uses_seed=False,
        step="expansion",
        views=(ViewKind.BEAM, ViewKind.FRONTIER),
        pseudocode=Pseudocode("wordtiles/beam.md"),
        purpose=marked("Keeps the best boards after each slide: finds much with few slides."),
        peer="annealing",
    )

    def prepare(self) -> None:
        super().prepare()
        width, start = self._params.width, self._puzzle.start
        self._now, self._next = (_Layer.of(width, len(start)) for _ in range(2))
        n_bits = max((_VISITED_LAYERS * width).bit_length(), _VISITED_BITS)
        self._visited = np.zeros(1 << n_bits, np.uint64)
        now = self._now
        now.boards[0], now.lasts[0] = start, -1
        now.codes[0] = board_code(now.boards[0], self._zobrist)
        self._start_value = float(self._puzzle.score(start))
        now.values[0] = self._start_value
        kernel.mark_visited(now.codes[0], self._visited)
        self._n_now, self._n_generated = 1, 0
        self._children, self._n_children = _Children.of(width), 0
        """Children of the current layer, after some of its boards are expanded."""
        self._depths = deque([BeamDepth(1, 1, float(now.values[0]))], _MAX_DEPTHS)
        """Layers so far, the newest last."""

    def do_steps(self, most: int | None) -> tuple[float, ...] | None:
        first, n_now = self._steps_done, self._n_now
        until = n_now if most is None else min(first + most, n_now)
        self._n_children, n_generated, n_next = kernel.next_layer(
            first,
            until,
            n_now,
            self._n_children,
            self._target,
            self._puzzle.words,
            self._zobrist,
            self._visited,
            *self._now,
            *self._next,
            *self._children,
        )
        self._n_generated += int(n_generated)
        self._steps_done = until
        if until < n_now:
            return None
        self._offer_start()
        if n_next == 0:
            self._end(Status.EXHAUSTED)
        else:
            self._now, self._next, self._n_now = self._next, self._now, int(n_next)
            best = float(self._now.values[0])
            self._depths.append(BeamDepth(self._n_children, self._n_now, best))
            self._offer(self._now.boards[0], best)
        self._n_children = 0
        return self._row()

    def current_cells(self) -> NDArray[np.uint8]:
        cells: NDArray[np.uint8] = self._now.boards[0].copy()
        return cells

    def metrics_inside(self) -> tuple[float, ...]:
        return self._row()

    def view(self, kind: ViewKind) -> View:
        return self._level() if kind is ViewKind.FRONTIER else self._beam_depths()

    def _level(self) -> Frontier:
        """Return the boards of the current layer that are not expanded yet."""
        n_done, n_now = self._steps_done, self._n_now
        if self._status is not Status.RUNNING:
            n_done = n_now
        shown = slice(n_done, min(n_now, n_done + MAX_ENTRIES))
        return Frontier.of(
            tr("Layer"),
            ("v",),
            self._now.boards[shown].copy(),
            self._now.values[shown],
            n_entries=n_now - n_done,
            closed=self._now.boards[max(n_done - MAX_CLOSED, 0) : n_done][::-1].copy(),
            n_closed=n_done,
        )

    def _beam_depths(self) -> BeamDepths:
        """Return the layers; a layer that is partly expanded is shown as if it were complete."""
        depths, n_shown = list(self._depths), min(self._n_now, MAX_NEXT)
        if self._n_children:
            best = -float(self._children.losses[: self._n_children].min())
            kept = min(self._n_children, self._params.width)
            depths.append(BeamDepth(self._n_children, kept, best))
        return BeamDepths(
            self._caption(),
            self._params.width,
            np.array([depth.generated for depth in depths], np.int64),
            np.array([depth.kept for depth in depths], np.int64),
            np.array([depth.best for depth in depths]),
            self._now.boards[:n_shown].copy(),
            self._now.values[:n_shown].copy(),
            self._n_layers - len(self._depths),
            lines=self._lines(),
        )

    def _lines(self) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last step ran."""
        if self._status is Status.EXHAUSTED:
            return CodeLine("expand"), CodeLine("end")
        if self._steps_done:
            done = f"{figures(self._steps_done, ',')} / {figures(self._n_now, ',')}"
            return (
                CodeLine("expand", done),
                CodeLine("child", counted(self._n_children, "new board")),
            )
        if not self._unit:
            return (CodeLine("start", f"v = {number(self._now.values[0])}"),)
        generated, kept, _ = self._depths[-1]
        lines = [
            CodeLine("expand"),
            CodeLine("child", counted(generated, "new board")),
            CodeLine("keep", f"{figures(kept, ',')} / {figures(generated, ',')}"),
        ]
        best = self._best
        if best is not None and best.unit == self._unit - 1 and best.value > self._start_value:
            lines.append(CodeLine("best", f"v = {number(best.value)}"))
        return tuple(lines)

    @property
    def _n_layers(self) -> int:
        """Number of layers so far, with the start; the last unit of a search makes none."""
        return self._unit + (self._status is not Status.EXHAUSTED)

    def _caption(self) -> str:
        if self._steps_done:
            return tr(
                "Board {steps_done} of {n_now} in layer {unit} is expanded: {n_children} for "
                "the next layer so far.",
                steps_done=figures(self._steps_done, ","),
                n_now=figures(self._n_now, ","),
                unit=figures(self._unit, ","),
                n_children=counted(self._n_children, "new board"),
            )
        if self._status is Status.EXHAUSTED:
            return tr("All neighbours of this layer were visited before: the search has ended.")
        if not self._unit:
            return ""
        newest = self._depths[-1]
        return tr(
            "Layer {unit}: {generated}, {cut}; the best has {value}.",
            unit=figures(self._unit, ","),
            generated=counted(newest.generated, "new board"),
            cut=newest.cut_text,
            value=worth(newest.best, self._puzzle.value_title),
        )

    def _row(self) -> tuple[float, ...]:
        values = self._now.values[: self._n_now]
        return (
            float(values[0]),
            float(values.mean()),
            float(values[-1]),
            float(values[0]) if self._best is None else self._best.value,
            float(self._n_now),
            float(self._n_generated),
        )

    @property
    def n_evaluated(self) -> int:
        return self._n_generated

    @property
    def state_bytes(self) -> int:
        n_bytes = sum(self._n_now * part.strides[0] for part in self._now) + self._visited.nbytes
        return n_bytes + sum(self._n_children * part.itemsize for part in self._children)

    def arrays(self) -> Arrays:
        return {
            **{name: part[: self._n_now].copy() for name, part in self._now._asdict().items()},
            "met": self._visited.copy(),
            "generated": np.array([self._n_generated], np.int64),
            **self._depth_arrays(),
            **self._children_arrays(),
        }

    def _depth_arrays(self) -> Arrays:
        """Return the layers, unless there is only the first one."""
        return {"depths": np.array([*self._depths])} if self._unit else {}

    def _children_arrays(self) -> Arrays:
        if not self._steps_done:
            return {}
        children = self._children._asdict().items()
        return {f"child_{name}": part[: self._n_children].copy() for name, part in children}

    def set_state(self, snapshot: Snapshot) -> None:
        boards = snapshot.array("boards", np.uint8, None, len(self._puzzle.start))
        n_now = len(boards)
        if not 1 <= n_now <= self._params.width:
            raise SnapshotError(f"the snapshot's layer of {n_now} boards does not fit this beam")
        layer = _Layer(
            boards,
            snapshot.array("codes", np.uint64, n_now),
            snapshot.array("lasts", np.int8, n_now),
            snapshot.array("values", np.float64, n_now),
        )
        require_same_tiles("boards", boards, self._puzzle.start)
        require_range("lasts", layer.lasts, -1, 3)
        for part, given in zip(self._now._asdict().values(), layer, strict=True):
            part[:n_now] = given
        self._n_now = n_now
        self._n_generated = int(snapshot.array("generated", np.int64, 1)[0])
        self._visited[:] = snapshot.array("met", np.uint64, len(self._visited))
        if self._unit:
            self._set_depths(snapshot)
        if "steps_done" in snapshot.scalars:
            self._set_children(snapshot)

    def _set_depths(self, snapshot: Snapshot) -> None:
        n_depths = min(self._n_layers, _MAX_DEPTHS)
        depths = snapshot.array("depths", np.float64, n_depths, len(BeamDepth._fields))
        require_range("depths", depths[:, :2], 0, 2**62)
        self._depths.clear()
        self._depths.extend(BeamDepth(int(row[0]), int(row[1]), row[2]) for row in depths.tolist())

    def _set_children(self, snapshot: Snapshot) -> None:
        """Continue within a layer that is partly expanded."""
        parents = snapshot.array("child_parents", np.int32, None)
        n_done, n_now, n_children = self._steps_done, self._n_now, len(parents)
        if not (0 < n_done < n_now and n_children <= 4 * n_done):
            raise SnapshotError(
                f"the snapshot has {n_children} children of {n_done} of {n_now} boards"
            )
        given = _Children(
            parents,
            snapshot.array("child_moves", np.int8, n_children),
            snapshot.array("child_codes", np.uint64, n_children),
            snapshot.array("child_losses", np.float64, n_children),
        )
        require_range("child_parents", parents, 0, n_done - 1)
        slid(self._now.boards[parents], given.moves, self._target)
        self._n_children = n_children
        for part, values in zip(self._children._asdict().values(), given, strict=True):
            part[:n_children] = values
