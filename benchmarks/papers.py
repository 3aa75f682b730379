"""``python -m benchmarks.papers``: Hasan's figures in docs/sliding-tiles.md, in about a minute.

None of them depends on the machine.
"""

import statistics

from benchmarks.effort import WHOLE
from benchmarks.sliding import korf, run
from tilelab import catalog
from tilelab.runs.races.presets import papers

ROUNDED = {"heuristic": "hybrid", "ties": "fifo"}
"""The bidirectional search with HH as it is printed, first in, first out."""


def presets(paper):
    """The algorithms of a paper: (title, solver class, parameters)."""
    chosen = next(entry for entry in papers("sliding") if entry.paper == paper)
    return [
        (preset.title, catalog.solver("sliding", preset.solver), preset.params)
        for preset in chosen.presets
    ]


def hasan(numbers=range(1, 101)):
    """Print mean length and boards generated of the searches with HH on Korf's hundred."""
    bidirectional, unidirectional = presets("Hasan et al. 2023")[:2]
    _, solver_class, params = bidirectional
    rounded = ("BA*, HH rounded, first in, first out", solver_class, {**params, **ROUNDED})
    print("| Hasan et al. 2023, Table 6 | mean length | boards generated |\n|---|---|---|")
    for title, solver_class, params in (bidirectional, rounded, unidirectional):
        results = [run(solver_class, korf(number), **params) for number in numbers]
        lengths = statistics.mean(len(best.moves) for best, _, _ in results)
        generated = statistics.mean(metrics["generated"] for _, metrics, _ in results)
        print(f"| {title} | {lengths:.2f} | {generated:,.0f} |", flush=True)


def measure(effort):
    """Print the table."""
    hasan(effort.of(range(1, 101), (12, 79)))
    return True


if __name__ == "__main__":
    measure(WHOLE)
