"""Tables of three papers: what is printed, what is compared, and the state graph."""

from xml.etree import ElementTree

import numpy as np
import pytest

from tests.workers_here import made_small
from tilelab.core.registry import HEURISTICS
from tilelab.experiments.papers import paper_table, plans_of, printed
from tilelab.puzzles.sliding.board import goal_board
from tilelab.puzzles.sliding.flags import tile_set
from tilelab.puzzles.sliding.papers import damodaran, deepcubea, henriques
from tilelab.puzzles.sliding.papers.damodaran import layers, state_graph
from tilelab.runs.presets import papers
from tilelab.slides.moves import replay


def test_henriques_means_are_of_what_is_printed(tmp_path):
    result = made_small(paper_table("henriques"), tmp_path)
    found = {row.labels: row for row in result.rows}
    # Of three boards: 56, 219, 713.
    assert found["uniform cost", "boards expanded"].printed == "329.3"
    assert found["A*, misplaced tiles", "boards expanded"].printed == "34"
    assert found["A*, Manhattan distance", "boards expanded"].printed == "34.5"
    assert found["greedy, Manhattan distance", "boards generated"].printed == "123.8"
    less = found["A*, misplaced tiles, less A*, Manhattan distance", "boards expanded"]
    assert less.printed == "-0.5"
    assert less.ours == pytest.approx(
        found["A*, misplaced tiles", "boards expanded"].ours
        - found["A*, Manhattan distance", "boards expanded"].ours
    )


def test_misplaced_tiles_are_run_with_and_without_the_blank():
    (plan,) = henriques.plans(False).values()
    assert plan.instances.random == 40
    used = {(table.solver, table.params.get("heuristic")) for table in plan.solvers}
    for solver in ("greedy", "a-star"):
        assert {(solver, "misplaced"), (solver, "misplaced-with-blank")} <= used


def test_misplaced_tiles_count_the_blank_where_that_is_asked_for():
    goal = goal_board(4, 4, "blank-last")
    board = replay(goal, 4, "UU")
    plain, blank = (
        HEURISTICS[key].oracle(board.tolist(), goal.tolist(), 4)
        for key in ("misplaced", "misplaced-with-blank")
    )
    assert (plain, blank) == (2, 3)


def test_damodarans_first_run_agrees_and_lengths_are_real(tmp_path):
    result = made_small(paper_table("damodaran"), tmp_path)
    rows = {(run, *labels): row for row in result.rows for run, _, *labels in [row.labels]}
    first = rows["1", "breadth first", "iterations"]
    assert (first.printed, first.ours, first.verdict) == ("16", 16, "agrees")
    informed = rows["1", "A*, summed heuristic", "iterations"]
    assert (informed.printed, informed.ours, informed.verdict) == ("3", 3, "agrees")
    in_order = [rows[run, damodaran.IN_ORDER, "iterations"].verdict for run in "123"]
    assert in_order == ["agrees", "differs", "agrees"]
    for run, moves in (("1", 3), ("2", 8), ("3", 12)):
        row = rows[run, "breadth first", "length"]
        assert (row.ours, row.verdict) == (moves, "not compared")
        assert row.further == (str(moves), str(moves + 1))


def counts_by_depth(start, cols, depth):
    """Breadth-first search in sets."""
    seen = layer = {tuple(start)}
    counts = [1]
    for _ in range(depth):
        layer = {
            tuple(replay(np.array(board, np.uint8), cols, move))
            for board in layer
            for move in moves(board, cols)
        } - seen
        seen = seen | layer
        counts.append(len(layer))
    return counts


def moves(board, cols):
    row, col = divmod(board.index(0), cols)
    rows = len(board) // cols
    allowed = {"U": row > 0, "D": row < rows - 1, "L": col > 0, "R": col < cols - 1}
    return [letter for letter, is_allowed in allowed.items() if is_allowed]


@pytest.mark.parametrize(
    ("run", "expanded", "low", "high"), [(1, 16, 10, 19), (2, 168, 153, 268), (3, 2144, 1426, 2389)]
)
def test_the_note_says_what_breadth_first_search_can_expand(run, expanded, low, high):
    (instance,) = (each for each in tile_set("damodaran").instances() if each.number == run)
    counts = counts_by_depth(instance.tiles, 3, instance.optimal)
    # All nearer boards, the goal itself, and at most all as far away.
    assert (sum(counts[:-1]) + 1, sum(counts)) == (low, high)
    assert low <= damodaran.expanded_in_order(instance.tiles, 3) == expanded <= high
    notes = " ".join(damodaran.NOTES)
    assert f"{expanded:,}" in notes
    assert run != 2 or f"{low} to {high} boards" in notes


@pytest.mark.exhaustive
def test_deepcubeas_lengths_are_next_to_ours(tmp_path):
    result = made_small(paper_table("deepcubea"), tmp_path)
    assert [row.labels for row in result.rows] == [(f"{n}-puzzle", "1") for n in (15, 24, 35, 48)]
    # The nearest boards of the sets.
    assert [row.printed for row in result.rows] == ["36.00", "64.00", "91.00", "144.00"]
    first = dict(zip(result.further, result.rows[0].further, strict=True))
    assert (first["lower bound"], first["shortest"]) == ("36.00 (100%)", "100.0%")
    for row, shortest in zip(result.rows, (36, 64, 77, 120), strict=True):
        assert row.ours >= shortest
        assert float(row.further[3].split()[0]) <= row.ours
    assert [row.further[-1] for row in result.rows] == ["", "", "", "253.35"]


def test_deepcubeas_figures_are_of_the_boards_with_a_path():
    (known,) = (row for row in printed("deepcubea") if row["set"] == "deepcubea24")
    boards = tile_set("deepcubea24")
    (longer,) = (each for each in boards.instances() if each.found != each.optimal)
    assert [boards.instance(number).optimal for number in (1, 2)] == [100, 94]

    def run(number, moves, value=0):
        figures = {"value": value, "moves": moves, "optimal": None, "seconds": 20.0}
        return {"instance": number, "metrics": {"bound": 80}, **figures}

    runs = [run(1, 104), run(2, 94), run(longer.number, longer.found), run(3, 50, 7)]
    row = deepcubea._row(boards, known, runs)
    assert row.labels == ("24-puzzle", "3 of 4")
    assert row.ours == pytest.approx((104 + 94 + longer.found) / 3)
    gap, *times, bound, shortest, _ = row.further
    assert gap.startswith("+1.33 (")
    assert times == ["22.94", "20.00"]
    assert (bound.split()[0], shortest) == ("80.00", "33.3%")
    assert deepcubea._row(boards, known, [run(3, None, 7)]).ours is None


def test_each_board_has_deepcubeas_mean_seconds():
    limits = {key: plan.limits.seconds for key, plan in deepcubea.plans(False).items()}
    assert limits == {
        "deepcubea15": 8.82,
        "deepcubea24": 22.94,
        "deepcubea35": 45.39,
        "deepcubea48": 144.08,
    }
    shorter = plans_of(paper_table("deepcubea"), small=False, seconds=5.0)
    assert {plan.limits.seconds for plan in shorter.values()} == {5.0}


def test_informed_search_is_a_star():
    (paper,) = (each for each in papers("sliding") if each.paper == "Damodaran")
    assert {preset.title: preset.solver for preset in paper.presets} == {
        "Uninformed search": "breadth-first",
        "Informed search": "a-star",
    }


def test_the_state_graph_has_every_board_once_and_every_edge_downwards():
    start = np.array(tile_set("damodaran").tiles(1), np.uint8)
    nodes = layers(start, 3, 5)
    assert [sum(node.depth == depth for node in nodes) for depth in range(6)] == (
        counts_by_depth(start.tolist(), 3, 5)
    )
    assert len({node.cells for node in nodes}) == len(nodes)
    for node in nodes[1:]:
        assert node.edges
        for above, letter in node.edges:
            before = nodes[above]
            assert before.depth == node.depth - 1
            assert tuple(replay(np.array(before.cells, np.uint8), 3, letter)) == node.cells
    # Two paths around a square of four cells come together after six moves.
    corner = layers(np.array(goal_board(2, 2, "blank-last")), 2, 6)
    assert max(len(node.edges) for node in corner) == 2


def test_the_drawing_shows_all_boards_and_frames_the_goal():
    start = np.array(tile_set("damodaran").tiles(1), np.uint8)
    drawing = state_graph(start, 3, 3, goal_board(3, 3, "blank-last"), "A < B")
    root = ElementTree.fromstring(drawing)
    kinds = [element.get("class") for element in root.iter()]
    assert (kinds.count("blank"), kinds.count("tile")) == (19, 19 * 8)
    assert (kinds.count("goal"), kinds.count("edge")) == (1, 18)
    assert [text.text for text in root.iter() if text.text == "A < B"]
    letters = [element.text for element in root.iter() if element.get("class") == "move"]
    assert sorted(set(letters)) == ["D", "L", "R", "U"]
    assert len(letters) == 18
