"""``python -m benchmarks papers``: Hasan's figures in docs/sliding-tiles.md, in about a minute.

None of them depends on the machine.
"""

import statistics

import tilelab
from tilelab.runs.presets import papers

ROUNDED = {"heuristic": "hybrid", "ties": "fifo"}
"""The bidirectional search with HH in its printed form, first in, first out."""


def hasan(numbers=range(1, 101)):
    """Print mean length and boards generated of the searches with HH on Korf's hundred."""
    chosen = next(entry for entry in papers("sliding") if entry.paper == "Hasan et al. 2023")
    printed = [(preset.title, preset.solver, preset.params) for preset in chosen.presets[:2]]
    bidirectional, unidirectional = printed
    _, solver, params = bidirectional
    rounded = ("BA*, HH rounded, first in, first out", solver, {**params, **ROUNDED})
    print("| Hasan et al. 2023, Table 6 | mean length | boards generated |\n|---|---|---|")
    for title, solver, params in (bidirectional, rounded, unidirectional):
        results = [
            tilelab.solve(korf(number), solver, seed=0, **_write_params(params))
            for number in numbers
        ]
        lengths = statistics.mean(len(result.moves) for result in results)
        generated = statistics.mean(result.metrics["generated"] for result in results)
        print(f"| {title} | {lengths:.2f} | {generated:,.0f} |", flush=True)


def _write_params(params):
    return {name.replace("-", "_"): value for name, value in params.items()}


def korf(number):
    """Load one of Korf's hundred boards."""
    return tilelab.load("sliding", instances="korf100", number=number)


def measure(effort):
    """Print the table."""
    hasan(effort.of(range(1, 101), (12, 79)))
    return True
