"""Beam search, which keeps only the best boards of each depth; for boards of any size."""

from dataclasses import replace
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted
from tilelab.core.views import MAX_NEXT, BeamDepths, CodeLine, Frontier, View, ViewKind
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.search import S, SlidingSearch, sliding_spec
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun
from tilelab.solvers.search_params import SearchParams, expansions_parameter


class BeamParams(SearchParams):
    width: int = parameter(
        4000,
        marked("Beam width"),
        low=1,
        high=1_000_000,
        unit="boards",
        help=marked("How many boards of a depth are kept."),
    )
    expansions_per_update: int = expansions_parameter(2000, 10_000, marked("boards of a depth"))


def beam_depths(run: BeamRun, caption: str, lines: tuple[CodeLine, ...]) -> BeamDepths:
    """Return the depths of a beam; an incomplete depth is the last one."""
    depths, making = list(run.depths), run.making()
    first = run.n_moves + 1 - len(depths)
    if making is not None and making.depth.generated:
        depths.append(making.depth)
    boards, distances = run.best_boards(MAX_NEXT)
    return BeamDepths(
        caption,
        run.width,
        generated=np.array([depth.generated for depth in depths], np.int64),
        kept=np.array([depth.kept for depth in depths], np.int64),
        best=np.array([depth.best for depth in depths], np.float64),
        boards=boards,
        values=distances,
        first=first,
        lines=lines,
    )


def level_of(run: BeamRun) -> Frontier:
    """Return the boards of a beam that are expanded next."""
    level = run.level()
    return Frontier.of(
        tr("Level"),
        ("d",),
        level.boards,
        level.distances,
        n_entries=level.n_boards,
        closed=level.closed,
        n_closed=level.n_closed,
    )


def step_lines(run: BeamRun) -> list[CodeLine]:
    """Return the lines of the pseudocode that a step within a beam ran; none before the first."""
    making = run.making()
    if making is None:
        n_kept = figures(run.n_now, ",")
        return [CodeLine("keep", f"{n_kept} / {n_kept}")] if run.has_layers else []
    generated, kept, _ = making.depth
    if making.n_kept:
        return [CodeLine("keep", f"{figures(making.n_kept, ',')} / {figures(kept, ',')}")]
    done = f"{figures(making.n_expanded, ',')} / {figures(run.n_now, ',')}"
    lines = [CodeLine("expand", done), CodeLine("child", counted(generated, "new board"))]
    if making.n_expanded == run.n_now:
        lines.append(CodeLine("choose", counted(generated, "board")))
    return lines


def step_sentence(run: BeamRun) -> str:
    """Describe the last step of a beam in a sentence; '' before the first."""
    making, depth = run.making(), run.n_moves
    if making is None:
        return _depth_sentence(run) if depth else ""
    generated, kept, _ = making.depth
    if making.n_kept or making.n_expanded == run.n_now:
        return tr(
            "Depth {depth}: {generated}, {n_cut} are "
            "cut; {n_placed} of {kept} that are kept have their place.",
            depth=figures(depth + 1, ","),
            generated=counted(generated, "new board"),
            n_cut=figures(generated - kept, ","),
            n_placed=figures(making.n_kept, ","),
            kept=figures(kept, ","),
        )
    return tr(
        "Board {number} of {n_boards} in depth {depth} is expanded: "
        "{generated} for depth {next_depth} by now.",
        number=figures(making.n_expanded, ","),
        n_boards=figures(run.n_now, ","),
        depth=figures(depth, ","),
        generated=counted(generated, "new board"),
        next_depth=figures(depth + 1, ","),
    )


def _depth_sentence(run: BeamRun) -> str:
    best = tr("the best has distance {distance}", distance=figures(run.distance, ","))
    if not run.depths:
        return tr(
            "Depth {n_moves}: {n_now}; {best}.",
            n_moves=figures(run.n_moves, ","),
            n_now=counted(run.n_now, "board"),
            best=best,
        )
    generated, kept, _ = run.depths[-1]
    cut = (
        tr(
            "{kept} kept, {n_cut} cut",
            kept=figures(kept, ","),
            n_cut=figures(generated - kept, ","),
        )
        if generated > kept
        else tr("all kept")
    )
    return tr(
        "Depth {n_moves}: {generated}, {cut}; {best}.",
        n_moves=figures(run.n_moves, ","),
        generated=counted(generated, "new board"),
        cut=cut,
        best=best,
    )


class BeamSearch(SlidingSearch[S], Generic[S]):
    """A search by successive beams."""

    _run: BeamRun  # current beam
    _before = (0, 0)  # boards expanded and generated by the previous beams

    @property
    def _counts(self) -> tuple[int, int]:
        """Numbers of boards expanded and generated by all beams."""
        expanded, generated = self._before
        return expanded + self._run.n_expanded, generated + self._run.n_generated

    @property
    def state_bytes(self) -> int:
        return self._run.n_bytes

    def view(self, kind: ViewKind) -> View | None:
        if kind is ViewKind.BEAM:
            return beam_depths(self._run, self._beam_caption(), self._lines())
        if kind is ViewKind.FRONTIER:
            return level_of(self._run)
        return super().view(kind)

    def _lines(self) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last step ran."""
        run = self._run
        if self._status is Status.SOLVED:
            assert self._best is not None
            goal = CodeLine("goal", counted(len(self._best.moves or ""), "move"))
            return (CodeLine("keep"), goal) if self._best.moves else (goal,)
        lines = step_lines(run)
        if not lines and run.n_moves:
            lines = [CodeLine("keep"), CodeLine("stage", counted(run.n_moves, "move"))]
        elif not lines:
            width = f"B = {figures(run.width, ',')}"
            lines = [CodeLine("expand"), CodeLine("wider", width)]
            if self._before == (0, 0):
                lines = [CodeLine("start", width)]
        return tuple(lines)

    def _beam_caption(self) -> str:
        """Describe the last step."""
        run = self._run
        if self._status is Status.SOLVED:
            assert self._best is not None
            return tr(
                "The goal is reached in {n_moves}.",
                n_moves=counted(len(self._best.moves or ""), "move"),
            )
        if run.n_moves == 0 and run.making() is None and self._before != (0, 0):
            return tr(
                "The previous beam has ended; one of {width} begins.",
                width=counted(run.width, "board"),
            )
        return step_sentence(run)


@register_solver
class Beam(BeamSearch[BeamParams]):
    """Beam search; paths need not be shortest. A beam that dies out restarts twice as wide."""

    spec = sliding_spec(
        key="beam",
        title=marked("Beam"),
        source="Lowerre 1976",
        step="board",
        metric_titles={"frontier": marked("beam width")},
        views=(ViewKind.BEAM, ViewKind.FRONTIER),
        pseudocode=Pseudocode("sliding/beam.md"),
        params=BeamParams,
        version=2,
        purpose=marked("Finds short solutions of large boards with fixed memory."),
    )

    @classmethod
    def upgraded(cls, puzzle: SlidingPuzzle, snapshot: Snapshot) -> Snapshot:
        """Convert the counts of version 1."""
        if snapshot.version == 1:
            arrays = beam_run.with_counts(snapshot.arrays)
            arrays["before"] = np.append(arrays["before"], arrays["before"])
            snapshot = replace(snapshot, version=2, arrays=arrays)
        return super().upgraded(puzzle, snapshot)

    def prepare(self) -> None:
        self._begin_beam(self._params.width)

    def _begin_beam(self, width: int) -> None:
        puzzle = self._puzzle
        self._run = BeamRun(puzzle.start, puzzle.goal, puzzle.params.cols, width)

    def _search(self, most: int) -> bool:
        code = self._run.step(most)
        self._steps_done += self._run.n_done
        if code == beam_run.RUNNING and self._n_left > 0:
            return False
        if code == beam_run.STUCK:
            self._before = self._counts
            self._begin_beam(2 * self._run.width)
        if code == beam_run.DONE:
            self._end(Status.SOLVED)
        elif self._run.n_bytes > self._max_bytes:
            self._end(Status.LIMIT, "memory")
        return True

    def _row(self) -> tuple[float, ...]:
        expanded, generated = self._counts
        distance = 0.0 if self._status is Status.SOLVED else float(self._run.distance)
        bound = float(self._puzzle.distance(self._puzzle.start))
        return (
            float(expanded),
            float(generated),
            float(self._run.width),
            float(self._run.n_moves),
            bound,
            distance,
            self._run.n_bytes / 2**20,
        )

    def _nearest(self) -> NDArray[np.uint8]:
        return self._run.nearest()

    def _solution(self) -> str:
        return self._run.text()

    def _is_shortest(self) -> bool:
        return len(self._run.path) == self._puzzle.distance(self._puzzle.start)

    def arrays(self) -> Arrays:
        return {**self._run.state(), "before": np.array(self._before, np.int64)}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        expanded, generated = snapshot.array("before", np.int64, 2).tolist()
        self._before = expanded, generated
        self._begin_beam(int(snapshot.arrays["numbers"][1]))
        self._run.set_state(snapshot.arrays)
