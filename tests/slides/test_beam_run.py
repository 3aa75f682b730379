"""Beams: what is known of their boards, their stages, and going on in the middle of a layer."""

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tilelab.core.errors import SnapshotError
from tilelab.kernels.board_table import board_code
from tilelab.puzzles.sliding.board import Goal, goal_board, scrambled
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun, stages
from tilelab.slides.kernels import beam as kernel
from tilelab.slides.moves import replay


def _run(rows, cols, seed, width=60, goal=Goal.BLANK_LAST, **options):
    target = goal_board(rows, cols, goal)
    return BeamRun(scrambled(target, cols, seed), target, cols, width, **options)


def _plain_inversions(cells, places, cols, axis):
    order = sorted(range(len(cells)), key=lambda cell: divmod(cell, cols)[:: 1 - 2 * axis])
    homes = [divmod(int(places[cells[cell]]), cols)[:: 1 - 2 * axis] for cell in order]
    homes = [home for home, cell in zip(homes, order, strict=True) if cells[cell]]
    return sum(one > two for at, two in enumerate(homes) for one in homes[:at])


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (5, 5), (2, 6)])
def test_inversions_are_those_of_two_plain_loops(rows, cols):
    for seed in range(5):
        run = _run(rows, cols, seed)
        places = np.argsort(goal_board(rows, cols, Goal.BLANK_LAST))
        for axis in range(2):
            expected = _plain_inversions(run.cells, places, cols, axis)
            assert kernel.inversions(run.cells, places, cols, axis) == expected


@pytest.mark.parametrize(
    ("rows", "cols", "goal", "n_layers"),
    [(4, 5, Goal.BLANK_LAST, 40), (6, 6, Goal.BLANK_FIRST, 60), (8, 7, Goal.BLANK_LAST, 900)],
)
def test_what_is_kept_step_by_step_is_what_comes_out_from_scratch(rows, cols, goal, n_layers):
    run = _run(rows, cols, 4, goal=goal)
    seen_stages = set()
    for _ in range(n_layers):
        code = run.step(2 * run.width)
        if code != beam_run.RUNNING:
            break
        seen_stages.add(run._stage)
        is_whole = run._stages[run._stage].line is None
        for place in range(0, run.n_now, 13):
            board, facts = run._now.boards[place], np.zeros(kernel.N_FACTS, np.int32)
            kernel.board_facts(board, run._here, run._counts, run._cols_here, facts)
            n_facts = kernel.N_FACTS if is_whole else kernel.ROW_INVERSIONS
            facts[kernel.LAST] = run._now.facts[place, kernel.LAST]
            assert np.array_equal(run._now.facts[place, :n_facts], facts[:n_facts])
            assert run._now.codes[place] == board_code(board, run._codes)
    assert len(seen_stages) == (1 if max(rows, cols) <= 6 else 4)


@pytest.mark.parametrize(
    ("rows", "cols", "blank"), [(10, 8, 79), (9, 9, 0), (7, 16, 40), (3, 3, 8)]
)
def test_stages_solve_every_cell_once_and_keep_the_blanks_for_the_last(rows, cols, blank):
    solved = np.zeros(rows * cols, int)
    for stage in stages(rows, cols, blank):
        cells = stage.cells(cols)
        assert not solved[cells].any()
        solved[cells if stage.line is None else cells[stage.line]] += 1
        assert stage.line is None or not solved[blank]
    assert (solved == 1).all()
    assert max(stage.bottom - stage.top, stage.right - stage.left) <= 6


def test_only_shorter_ways_are_looked_for():
    puzzle = instance_set("damodaran").puzzle(3)
    codes = {}
    for longest in (12, 13):
        run = BeamRun(puzzle.start, puzzle.goal, 3, 1000, longest)
        while (code := run.step(100)) == beam_run.RUNNING:
            continue
        codes[longest] = code
        assert code == beam_run.STUCK or len(run.path) == 12
    assert codes == {12: beam_run.STUCK, 13: beam_run.DONE}


def test_a_near_goal_of_a_large_board_is_met_in_one_stage():
    goal = goal_board(9, 9, Goal.BLANK_LAST)
    start = scrambled(goal, 9, 5, n_slides=30)
    run = BeamRun(start, goal, 9, 200, 31, whole=True)
    while (code := run.step(1000)) == beam_run.RUNNING:
        continue
    assert code == beam_run.DONE
    assert np.array_equal(replay(start, 9, run.text()), goal)
    assert len(run.path) <= 30


@pytest.mark.every(3)
@pytest.mark.parametrize("n_boards", [1, 37, 150, 163, 5000])
def test_a_beam_goes_on_from_its_state_wherever_it_was_taken(n_boards):
    whole, again = _run(5, 5, 2), _run(5, 5, 2)
    whole.step(3 * n_boards + 300)
    whole.step(n_boards)
    again.set_state(whole.state())
    assert all(
        np.array_equal(*pair)
        for pair in zip(whole.state().values(), again.state().values(), strict=True)
    )
    while whole.step(n_boards) == beam_run.RUNNING:
        assert again.step(n_boards) == beam_run.RUNNING
    assert again.step(n_boards) == whole.step(n_boards)
    assert whole.text() == again.text()


def test_the_size_of_a_step_changes_nothing():
    paths = []
    for n_boards in (7, 60, 10_000):
        run = _run(5, 4, 8)
        while run.step(n_boards) == beam_run.RUNNING:
            continue
        paths.append(run.text())
    assert paths[0]
    assert len(set(paths)) == 1


def test_a_state_of_another_beam_is_refused():
    run = _run(5, 5, 2)
    run.step(500)
    for other in (_run(5, 5, 2, width=61), _run(4, 4, 2)):
        with pytest.raises(SnapshotError, match="does not fit"):
            other.set_state(run.state())
