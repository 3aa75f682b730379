"""The pseudocode of beams and of A* from both ends: lines and values, next to plain Python."""

import pytest

from tests.naive_searches import BeamLayer, slid
from tests.naive_trees import WatchedSide
from tests.solver_lines import FIFTEEN, HARD_EIGHT, SEVEN, shown_lines
from tests.solver_views import made_puzzle, plain
from tilelab import catalog
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Status
from tilelab.core.text.wording import counted, number
from tilelab.core.views import ViewKind

catalog.solver("sliding", "a-star")  # registers the heuristics, too


class Beam:
    """A beam, step by step. The solver chooses which children it keeps.

    wanted: tiles that a stage brings to their places, and cells: those of the blank; None: all.
    most: length that a path must be shorter than, or None.
    """

    def __init__(self, start, goal, cols, width, wanted=None, cells=None, most=None):
        self.goal, self.cols, self.width, self.most = goal, cols, width, most
        self.wanted = set(goal) - {0} if wanted is None else wanted
        self.cells = range(len(goal)) if cells is None else cells
        self.visited, self.depth = set(), 0
        self._begin_layer([(start, None)])

    def _begin_layer(self, boards):
        self.layer, self.n_kept = BeamLayer(boards, self._slides, self._is_new), 0

    def _slides(self, board):
        found = ((letter, slid(board, self.cols, letter)) for letter in "UDLR")
        return [
            (letter, child) for letter, child in found if child and child.index(0) in self.cells
        ]

    def _is_new(self, child):
        # Tiles of later stages may be anywhere.
        seen = tuple(tile if tile in self.wanted or not tile else -1 for tile in child)
        estimate = HEURISTICS["linear-conflict"].oracle
        if seen in self.visited or (
            self.most is not None
            and self.depth + 1 + estimate(child, self.goal, self.cols) >= self.most
        ):
            return False
        self.visited.add(seen)
        return True

    def is_done(self, board):
        return all(board[self.goal.index(tile)] == tile for tile in self.wanted)

    def step(self, solver):
        """Return the lines of a step, and whether it ends the beam, with True for the goal."""
        layer = self.layer
        if layer.n_expanded < len(layer.boards):
            is_last, n_children = layer.expand(), len(layer.children)
            done = f"{layer.n_expanded} / {len(layer.boards)}"
            lines = {"expand": done, "child": counted(n_children, "new board")}
            lines |= {"choose": counted(n_children, "board")} if is_last else {}
            return lines, False if is_last and not n_children else None
        n_all = min(self.width, len(layer.children))
        self.n_kept += 1
        lines = {"keep": f"{self.n_kept} / {n_all}"}
        if self.n_kept < n_all:
            return lines, None
        self.depth += 1
        if any(map(self.is_done, layer.children)):
            return lines, True
        kept = [plain(board) for board in solver.view(ViewKind.FRONTIER).boards]
        assert len(kept) == n_all
        self._begin_layer([(board, layer.children[board]) for board in kept])
        return lines, None


def first_beam(puzzle, board, width):
    """The beam of the first stage that is not solved, on a board of up to 6 × 6 or of 7 × 7."""
    goal, side = plain(puzzle.goal), puzzle.shape[1]
    cells, top, left = set(range(len(goal))), set(range(7)), set(range(7, 49, 7))
    stages = [(top, cells), (left, cells - top), (cells - top - left,) * 2]
    for line, where in stages if side == 7 else [(cells, cells)]:
        beam = Beam(board, goal, side, width, {goal[cell] for cell in line} - {0}, where)
        if not beam.is_done(board):
            break
    return beam


@pytest.mark.parametrize(
    ("puzzle", "width", "wanted"),
    [
        (made_puzzle(2, 3, 1, 30), 1, {"wider", "goal"}),
        (made_puzzle(3, 3, 4, 24), 4, {"goal"}),
        (SEVEN, 50, {"stage"}),
    ],
    ids=["dies out", "whole", "in stages"],
)
def test_the_lines_of_a_beam_are_the_oracles(puzzle, width, wanted):
    """Noticed: a child counted twice, a board that was cut lit as kept, a wrong stage or width."""
    here, n_moves, names = plain(puzzle.start), 0, set()
    beam = first_beam(puzzle, here, width)
    steps = shown_lines(puzzle, "beam", {"width": width}, 199)
    assert next(steps)[1] == {"start": f"B = {width}"}
    for solver, ran in steps:
        lines, is_done = beam.step(solver)
        if is_done is False:
            lines = {"expand": "", "wider": f"B = {2 * width}"}
            here, n_moves, width = plain(puzzle.start), 0, 2 * width
        elif is_done:
            n_moves += beam.depth
            is_over = solver._status is Status.SOLVED
            lines = {"keep": "", "goal" if is_over else "stage": counted(n_moves, "move")}
            here = plain(puzzle.goal if is_over else solver.view(ViewKind.FRONTIER).boards[0])
            assert beam.is_done(here)
        assert ran == lines
        names |= set(ran)
        if is_done is not None:
            beam = first_beam(puzzle, here, width)
    assert names >= wanted


def beams_of(puzzle, width, paths):
    """The beams of an anytime search: phase and place in the path, and the beam.

    paths: the paths that have been found so far, in moves.
    """
    start, goal, cols = plain(puzzle.start), plain(puzzle.goal), puzzle.shape[1]
    while True:
        for phase, *ends in (("forward", start, goal), ("backward", goal, start)):
            most = len(paths[-1]) if paths else None
            yield phase, None, Beam(*ends, cols, width, most=most)
        for length in (60, 120) if paths else ():
            place = 0
            while place == 0 or place + length // 2 < len(paths[-1]):
                stretch = paths[-1][place : place + length]
                here = replayed(start, cols, paths[-1][:place])
                there = replayed(here, cols, stretch)
                yield "stretch", place, Beam(here, there, cols, width, most=len(stretch))
                place += length // 2
        width *= 4


def replayed(board, cols, moves):
    for letter in moves:
        board = slid(board, cols, letter)
    return board


@pytest.mark.parametrize(
    ("puzzle", "optimum", "width", "n_boards"),
    [(HARD_EIGHT, 31, 3, 20), (HARD_EIGHT, 31, 1, 2000), (made_puzzle(3, 4, 28, 200), 32, 1, 40)],
    ids=["beams", "proof", "stretches"],
)
def test_the_lines_of_an_anytime_search_are_the_oracles(puzzle, optimum, width, n_boards):
    """Noticed: a wrong phase, a path of the proof as one of a beam, a bound that is too high."""
    params = {"width": width, "tables": "none", "expansions_per_update": n_boards}
    start, goal, cols = plain(puzzle.start), plain(puzzle.goal), puzzle.shape[1]
    paths, n_steps, names = [], 0, set()
    beams = beams_of(puzzle, width, paths)
    phase, place, beam = next(beams)
    steps = shown_lines(puzzle, "anytime", params, 3000, 3000)
    bound = HEURISTICS["walking-distance"].oracle(start, goal, cols)
    assert next(steps)[1] == {"start": f"bound {bound}"}
    for solver, ran in steps:
        lines, is_done = beam.step(solver)
        n_steps += 1
        expected = {phase: title_of(beam, place), **lines}
        if is_done is not None:
            expected = {phase: "", "keep" if is_done else "expand": ""}
        if n_steps == n_boards or is_done is not None:
            n_steps = 0
            is_over, path = solver._status is Status.SOLVED, solver._path
            length = beam.depth
            if place is not None:
                length += len(paths[-1]) - beam.most
            if is_done and (not paths or length < len(paths[-1])):
                expected["path"] = f"{length} moves"
                if not is_over:
                    assert len(path) == length
                    assert replayed(start, cols, path) == goal
                    paths.append(path)
            before, bound = bound, int(ran["prove"].removeprefix("bound "))
            assert before <= bound <= optimum
            assert (optimum - bound) % 2 == 0
            expected["prove"] = f"bound {bound}"
            if is_over:
                assert bound == optimum
                expected["done"] = f"{optimum} moves"
            elif is_done is not None:
                phase, place, beam = next(beams)
                expected["next"] = title_of(beam, place)
        assert ran == expected
        names |= set(ran)
    assert "done" in names


def title_of(beam, place):
    title = f"B = {beam.width}"
    return title if place is None else f"{title}, from move {place} on"


def test_without_memory_for_a_beam_only_the_proof_is_lit():
    params = {"width": 100_000, "memory": 16, "tables": "none", "expansions_per_update": 20}
    for turn, (_, ran) in enumerate(shown_lines(FIFTEEN, "anytime", params, 60)):
        assert (set(ran) == {"prove", "only"}) == ("only" in ran) == (turn >= 20)


@pytest.mark.parametrize("unit", ["expanded", "generated"])
@pytest.mark.parametrize(
    ("heuristic", "scale", "reopen", "ties"),
    [("manhattan", 1, True, "fifo"), ("hybrid-unrounded", 3, False, "heap")],
)
def test_the_lines_of_a_search_from_both_ends_are_the_oracles(unit, heuristic, scale, reopen, ties):
    """Noticed: a sum of the other side, a burst that ends too late, a wrong length of the path."""
    puzzle, cols = made_puzzle(3, 3, 2, 40), 3
    ends = plain(puzzle.start), plain(puzzle.goal)

    def h(board, side):
        return HEURISTICS[heuristic].oracle(board, ends[1 - side], cols) / scale

    def total(board, g, side):
        f = f"f = {g} + {number(h(board, side))} = {number(g + h(board, side))}"
        return f"from the {('start', 'goal')[side]}: {f}"

    sides = [
        WatchedSide(ends[n], cols, lambda b, n=n: h(b, n), 1, 1, replaces=reopen, ties=ties)
        for n in range(2)
    ]
    until, turn, names = [30, 30], 0, set()
    params = {"heuristic": heuristic, "first_burst": 30, "burst": 20, "reopen": reopen}
    params |= {"ties": ties, "burst_counts": unit}
    steps = shown_lines(puzzle, "bidirectional-a-star", params, 600, 600)
    assert next(steps)[1] == {"start": total(ends[0], 0, 0).partition(": ")[2]}
    for solver, ran in steps:
        side, known = sides[turn], {board: len(path) for board, path in sides[turn].paths.items()}
        met = side.expand(ends[1 - turn], sides[1 - turn].paths)
        g, fates = len(side.paths[side.last]), {"new": [], "better": [], "known": []}
        for _, board, was_known in side.children:
            fate = "known" if was_known else "better" if board in known else "new"
            fates[fate].append(total(board, g + 1, turn).partition(": ")[2])
        expected = {"while": "", "close": "", "select": total(side.last, g, turn)}
        expected["each"] = counted(len(side.children), "board")
        expected |= {name: "; ".join(fates[name]) for name in ("new", "better") if fates[name]}
        expected |= {"known": counted(len(fates["known"]), "board")} if fates["known"] else {}
        if met:
            n_moves = sum(len(side.paths[met]) for side in sides)
            expected["meet"] = counted(n_moves, "move")
        before = turn
        while not met and getattr(sides[turn], f"n_{unit}") >= until[turn]:
            until[turn] += 20
            turn = 1 - turn
        if turn != before:
            expected["turn"] = f"from the {('start', 'goal')[turn]}"
        assert ran == expected
        assert (met is not None) == (solver._status is Status.SOLVED)
        names |= set(ran)
    assert names >= {"meet", "turn"} | ({"better"} if reopen else set())
