"""``python -m benchmarks.optimisers``: the tables of docs/optimisers.md, in about half an hour.

Runs are as long as a number of moves or generations, not of seconds, so that every machine prints
the same values; only the last table, which compares solvers by processor time, differs.
"""

from benchmarks.effort import WHOLE
from tilelab.core.solver import Status
from tilelab.kernels.clock import processor_seconds
from tilelab.puzzles.boggle import BoggleParams, BogglePuzzle
from tilelab.solvers.annealing import Annealing, AnnealingParams
from tilelab.solvers.genetic import Genetic, GeneticParams
from tilelab.solvers.hill_climbing import HillClimbing, HillClimbingParams
from tilelab.solvers.tabu import Tabu, TabuParams
from tilelab.words.builtin import open_lexicon
from tilelab.words.lexicon import parse_lexicon

SEEDS = (1, 2, 3)
SIDES = (4, 5, 6, 8, 10, 12)
N_MOVES = 30_000_000
"""Of a run of annealing on the states of the USA: 20 to 60 seconds."""
N_GENERATIONS = 200_000


def run(solver, n_units):
    """Do at most so many units; returns (best value, units done)."""
    best, done, status = None, 0, Status.RUNNING
    while done < n_units and status is Status.RUNNING:
        progress = solver.advance(min(100, n_units - done))
        best, done, status = progress.best or best, done + progress.units, progress.status
    return best.value, done


def annealed(puzzle, seed, n_moves=N_MOVES):
    """The best value of annealing after so many moves."""
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
        found = ", ".join(f"{annealed(puzzle, seed, n_moves):,.0f}" for seed in SEEDS)
        print(f"| {side}×{side} | {bred:,.0f} | {found} |", flush=True)


def populations(sides=SIDES[:3], n_moves=N_MOVES):
    """Print the summed population of the states encoded with one wrong letter allowed."""
    lexicon = open_lexicon("us-states")
    print(f"\n| grid, populations, one wrong letter | annealing, {n_moves:,} moves |\n|---|---|")
    for side in sides:
        params = BoggleParams(rows=side, cols=side, fitness="weight", slips=1)
        puzzle = BogglePuzzle.create(lexicon, params)
        found = ", ".join(f"{annealed(puzzle, seed, n_moves):,.0f}" for seed in SEEDS)
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
        found = ", ".join(f"{annealed(puzzle, seed, n_moves):,.0f}" for seed in SEEDS)
        kind = " with staying put" if stay else ""
        print(f"| {side}×{side}{kind} | 1 to {last} | {found} |", flush=True)


OTHERS = {
    "genetic": (Genetic, GeneticParams()),
    "annealing": (Annealing, AnnealingParams()),
    "annealing, first cycle of 100 blocks": (Annealing, AnnealingParams(first_cycle=100)),
    "tabu": (Tabu, TabuParams()),
    "hill climbing": (HillClimbing, HillClimbingParams()),
}


def others(seconds=20.0):
    """Print the strings encoded after some seconds of processor time, 8×8, seed 1."""
    print(f"\n| lexicon, 8×8 | solver | strings after {seconds:g} s |\n|---|---|---|")
    for name in ("game-titles", "english-small"):
        puzzle = BogglePuzzle.create(open_lexicon(name), BoggleParams())
        for title, (solver_class, params) in OTHERS.items():
            solver = solver_class.create(puzzle, params, 1)
            solver.advance(1)
            solver = solver_class.create(puzzle, params, 1)
            best, began = None, processor_seconds()
            while processor_seconds() - began < seconds:
                best = solver.advance(1).best or best
            print(f"| {name} | {title} | {best.value:,.0f} |", flush=True)


def measure(effort):
    """Print all tables."""
    n_moves = effort.of(N_MOVES, 2_000)
    states(effort.of(SIDES, (4,)), n_moves, effort.of(N_GENERATIONS, 10))
    populations(effort.of(SIDES[:3], (4,)), n_moves)
    digits(n_moves)
    others(effort.of(20.0, 0.05))
    return True


if __name__ == "__main__":
    measure(WHOLE)
