"""The published sweep of the bee colony: words by agents, steps, iterations (Naz et al. 2016)."""

import csv
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tilelab.core.resources import resource
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.wordtiles.bees import Bees, BeesParams

AGENTS = (2, 4, 8, 12, 16)
STEPS = (10, 20, 30, 40)
ITERATIONS = (100, 200)


@dataclass(frozen=True)
class Cell:
    """One setting, and what the runs with it have come to."""

    iterations: int
    agents: int
    steps: int
    average: float
    maximum: float
    minimum: float


def printed_cells() -> tuple[Cell, ...]:
    """Return the paper's Tables I and III."""
    file = resource("papers", "naz-tables.csv")
    return tuple(
        Cell(
            int(row["iterations"]),
            int(row["agents"]),
            int(row["steps"]),
            float(row["average"]),
            float(row["maximum"]),
            float(row["minimum"]),
        )
        for row in csv.DictReader(file.read_text("utf-8").splitlines())
    )


def sweep(
    puzzles: Sequence[WordTilesPuzzle],
    agents: Sequence[int] = AGENTS,
    steps: Sequence[int] = STEPS,
    iterations: Sequence[int] = ITERATIONS,
) -> Iterator[Cell]:
    """Run every setting once on every board, with the board's place as the seed.

    A run of more iterations goes on from the shorter one with the same seed, so that two settings
    that differ in nothing else are compared run by run.
    """
    for n_agents, n_steps in itertools.product(agents, steps):
        params = BeesParams(agents=n_agents, steps=n_steps, iterations=max(iterations))
        column = Bees.spec.metrics.index("best_ever")
        values = np.array(
            [
                Bees.create(puzzle, params, seed).advance(max(iterations)).trace[:, column]
                for seed, puzzle in enumerate(puzzles)
            ]
        )
        for n_iterations in iterations:
            ends = values[:, n_iterations - 1]
            facts = float(ends.mean()), float(ends.max()), float(ends.min())
            yield Cell(n_iterations, n_agents, n_steps, *facts)


def table(cells: Sequence[Cell], iterations: int) -> list[str]:
    """Write the averages as the lines of a Markdown table, the paper's in brackets."""
    here = {
        (cell.agents, cell.steps): cell.average for cell in cells if cell.iterations == iterations
    }
    printed = {
        (cell.agents, cell.steps): cell.average
        for cell in printed_cells()
        if cell.iterations == iterations
    }
    steps = sorted({n_steps for _, n_steps in here})
    lines = [
        "| agents | " + " | ".join(f"{n_steps} steps" for n_steps in steps) + " |",
        "|---" * (len(steps) + 1) + "|",
    ]
    for n_agents in sorted({n_agents for n_agents, _ in here}):
        entries = []
        for n_steps in steps:
            paper = printed.get((n_agents, n_steps))
            note = "" if paper is None else f" ({paper:.1f})"
            entries.append(f"{here[n_agents, n_steps]:.1f}{note}")
        lines.append(f"| {n_agents} | " + " | ".join(entries) + " |")
    return lines
