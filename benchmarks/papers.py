"""``python -m benchmarks.papers``: the papers' figures in docs/sliding-tiles.md, in about a minute.

None of them depends on the machine.
"""

import statistics

from benchmarks.effort import WHOLE
from benchmarks.sliding import korf, run
from tilelab import catalog
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.races.presets import papers

HENRIQUES_PRINTED = (329, 269, 83, 34, 34.5)
"""Mean boards expanded of four boards; uniform cost solved only three of them."""
N_BOARDS, N_SLIDES = 40, 12
AS_WORDED = {"reopen": False, "first_burst": 75_000}
"""The bidirectional search as the paper words it."""


def presets(paper):
    """The algorithms of a paper: (title, solver class, parameters)."""
    chosen = next(entry for entry in papers("sliding") if entry.paper == paper)
    return [
        (preset.title, catalog.solver("sliding", preset.solver), preset.params)
        for preset in chosen.presets
    ]


def henriques(n_boards=N_BOARDS):
    """Print the mean boards expanded on seeded fifteen puzzles, beside the printed means."""
    goal = goal_board(4, 4, Goal.BLANK_LAST)
    boards = [
        SlidingPuzzle.create(SlidingParams(), scrambled(goal, 4, seed, n_slides=N_SLIDES))
        for seed in range(n_boards)
    ]
    print(
        f"| Henriques 2019, {n_boards} boards, {N_SLIDES} slides | printed | here |\n|---|---|---|"
    )
    for (title, solver_class, params), printed in zip(
        presets("Henriques 2019"), HENRIQUES_PRINTED, strict=True
    ):
        counts = [run(solver_class, board, **params)[1]["expanded"] for board in boards]
        print(f"| {title} | {printed:g} | {statistics.mean(counts):,.0f} |", flush=True)


def hasan(numbers=range(1, 101)):
    """Print mean length and boards generated of the searches with HH on Korf's hundred."""
    bidirectional, unidirectional = presets("Hasan et al. 2023")[:2]
    _, solver_class, params = bidirectional
    worded = ("BA* as worded", solver_class, {**params, **AS_WORDED})
    print("\n| Hasan et al. 2023, Table 6 | mean length | boards generated |\n|---|---|---|")
    for title, solver_class, params in (bidirectional, worded, unidirectional):
        results = [run(solver_class, korf(number), **params) for number in numbers]
        lengths = statistics.mean(len(best.moves) for best, _, _ in results)
        generated = statistics.mean(metrics["generated"] for _, metrics, _ in results)
        print(f"| {title} | {lengths:.2f} | {generated:,.0f} |", flush=True)


def measure(effort):
    """Print the tables of both papers."""
    henriques(effort.of(N_BOARDS, 2))
    hasan(effort.of(range(1, 101), (12, 79)))
    return True


if __name__ == "__main__":
    measure(WHOLE)
