"""``python -m benchmarks.optimisers``: the tables of docs/optimisers.md, in about half an hour.

Runs have a length in moves, generations or boards, not in seconds, so that every machine
prints the same values.
"""

import math

from benchmarks.effort import WHOLE
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import Genetic, GeneticParams
from tilelab.puzzles.boggle.solvers.local_searches import (
    Annealing,
    AnnealingParams,
    HillClimbing,
    HillClimbingParams,
    Tabu,
    TabuParams,
)

SEEDS = (1, 2, 3)
SIDES = (4, 5, 6, 8, 10, 12)
N_MOVES = 10_000_000
"""Number of moves of a run of annealing on the states of the USA: some ten seconds."""
N_GENERATIONS = 100_000
N_GRIDS = {"game-titles": 5_000_000, "english-small": 200_000}
"""Number of boards that each solver scores in a comparison."""


def run(solver, n_units):
    """Do at most ``n_units`` units; return (best value, units done)."""
    best, done, status = None, 0, Status.RUNNING
    while done < n_units and status is Status.RUNNING:
        progress = solver.advance(min(100, n_units - done))
        best, done, status = progress.best or best, done + progress.units, progress.status
    return best.value, done


def anneal(puzzle, seed, n_moves=N_MOVES):
    """Return the best value of annealing after ``n_moves`` moves."""
    solver = Annealing.create(puzzle, AnnealingParams(), seed)
    return run(solver, n_moves // solver.block)[0]


def states(sides=SIDES, n_moves=N_MOVES, n_generations=N_GENERATIONS):
    """Print the summed length of the states encoded, and their summed population."""
    lexicon = open_lexicon("us-states")
    print(f"| grid | genetic, {n_generations:,} generations | annealing, {n_moves:,} moves |")
    print("|---|---|---|")
    for side in sides:
        puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=side, cols=side, fitness="length"))
        bred = run(Genetic.create(puzzle, GeneticParams(), 1), n_generations)[0]
        found = ", ".join(f"{anneal(puzzle, seed, n_moves):,.0f}" for seed in SEEDS)
        print(f"| {side}×{side} | {bred:,.0f} | {found} |", flush=True)


def populations(sides=SIDES[:3], n_moves=N_MOVES):
    """Print the summed population of the states encoded with one wrong letter allowed."""
    lexicon = open_lexicon("us-states")
    print(f"\n| grid, populations, one wrong letter | annealing, {n_moves:,} moves |\n|---|---|")
    for side in sides:
        params = BoggleParams(rows=side, cols=side, fitness="weight", slips=1)
        puzzle = BogglePuzzle.create(lexicon, params)
        found = ", ".join(f"{anneal(puzzle, seed, n_moves):,.0f}" for seed in SEEDS)
        print(f"| {side}×{side} | {found} |", flush=True)


def digits(n_moves=N_MOVES):
    """Print how many of the integers 1 to N are encoded."""
    print(f"\n| grid, digits | integers | annealing, {n_moves:,} moves |\n|---|---|---|")
    for side, stay, last in ((4, True, 58), (4, True, 59), (6, False, 396), (6, False, 397)):
        numbers = "\n".join(map(str, range(1, last + 1)))
        puzzle = BogglePuzzle.create(
            parse_lexicon(numbers.encode(), f"1 to {last}"),
            BoggleParams(rows=side, cols=side, stay=stay),
        )
        found = ", ".join(f"{anneal(puzzle, seed, n_moves):,.0f}" for seed in SEEDS)
        kind = " with staying put" if stay else ""
        print(f"| {side}×{side}{kind} | 1 to {last} | {found} |", flush=True)


OTHERS = {
    "genetic": (Genetic, GeneticParams()),
    "annealing": (Annealing, AnnealingParams()),
    "annealing, first cycle of 100 blocks": (Annealing, AnnealingParams(first_cycle=100)),
    "tabu": (Tabu, TabuParams()),
    "hill climbing": (HillClimbing, HillClimbingParams()),
}


def others(n_grids=None):
    """Print the strings encoded after ``n_grids`` boards scored, 8×8, seed 1."""
    print("\n| lexicon, 8×8 | grids scored | solver | strings encoded |\n|---|---|---|---|")
    for name, n_scored in (n_grids or N_GRIDS).items():
        puzzle = BogglePuzzle.create(open_lexicon(name), BoggleParams())
        for title, (solver_class, params) in OTHERS.items():
            solver = solver_class.create(puzzle, params, 1)
            n_a_unit = math.comb(params.parents, 2) if solver_class is Genetic else solver.block
            best, _ = run(solver, max(1, n_scored // n_a_unit))
            print(f"| {name} | {n_scored:,} | {title} | {best:,.0f} |", flush=True)


def measure(effort):
    """Print all tables."""
    n_moves = effort.of(N_MOVES, 2_000)
    states(effort.of(SIDES, (4,)), n_moves, effort.of(N_GENERATIONS, 10))
    populations(effort.of(SIDES[:3], (4,)), n_moves)
    digits(n_moves)
    others(effort.of(N_GRIDS, {"game-titles": 200}))
    return True


if __name__ == "__main__":
    measure(WHOLE)
