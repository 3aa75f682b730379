"""``python -m benchmarks [--short] [PART …]``: measure everything, or the parts that are named."""

import contextlib
import faulthandler
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import click

from benchmarks import (
    autosave,
    bees,
    boggle,
    cold,
    history,
    islands,
    optimisers,
    papers,
    sliding,
    slidingpuzzle_package,
    soak,
    sweep,
    threads,
    views,
    window,
    wordtiles,
)
from benchmarks.effort import SHORT, WHOLE, Effort
from benchmarks.table import print_rows


@dataclass(frozen=True)
class Part:
    """Some figures that are measured together."""

    title: str
    minutes: float
    """About how long it takes with compiled kernels."""
    measure: Callable[[Effort], bool]
    """Prints the figures; returns whether all of them are as wanted."""
    in_whole: bool = True


def _table(title, rows):
    return lambda effort: print_rows(rows(effort), title)


PARTS = {
    "boggle": Part("scores and solvers of letter grids", 0.44, _table("Boggle", boggle.rows)),
    "wordtiles": Part("solvers of word tiles", 0.3, _table("Word tiles", wordtiles.rows)),
    "anytime": Part("boards of 5×5 and 6×6 after two seconds", 0.7, sliding.anytime_small),
    "sliding": Part("Korf's hundred, tables", 0.6, _table("Fifteen puzzle", sliding.rows)),
    "package": Part(
        "A* beside a package", 0.1, _table("Beside a package", slidingpuzzle_package.rows)
    ),
    "memory": Part("the steps of A* until 4,000 MB are full", 0.4, sliding.longest_step),
    "window": Part("event loop, STOP and start of the window", 1.5, window.print_window),
    "history": Part("50,000 records", 0.5, history.print_history),
    "autosave": Part("what saving costs", 1.1, autosave.print_autosave),
    "sweep": Part("handing out small runs", 0.2, sweep.measure),
    "views": Part("what watching costs", 0.65, views.measure),
    "cold": Part("compiling, by solver and by kernel", 6.0, cold.print_cold, in_whole=False),
    "exact": Part(
        "Korf's hundred without pattern databases",
        5.5,
        _table("Exact search", sliding.exact_rows),
        in_whole=False,
    ),
    "seven-eight": Part(
        "Korf's hundred with 7-8, in 2 GB",
        1.5,
        _table("Pattern databases 7-8", sliding.seven_eight_rows),
        in_whole=False,
    ),
    "anytime-large": Part(
        "boards of 8×8, 10×10 and 16×16", 3.5, sliding.anytime_large, in_whole=False
    ),
    "papers": Part("the searches with HH", 1.0, papers.measure, in_whole=False),
    "optimisers": Part("the optimisers' tables", 30.0, optimisers.measure, in_whole=False),
    "islands": Part("two islands on two cores", 0.5, islands.measure, in_whole=False),
    "threads": Part("IDA* on two threads", 0.3, threads.measure, in_whole=False),
    "bees": Part("what the bees' figures hang on", 2.5, bees.measure, in_whole=False),
    "compare": Part(
        "what each solver of word tiles reaches", 9.0, wordtiles.compare, in_whole=False
    ),
    "soak": Part("memory over ten minutes", 10.0, soak.measure, in_whole=False),
}
LONGEST_FACTOR, LEAST_MINUTES = 10, 60
"""A part hangs that takes ten times as long as it should, and longer than compiling ever takes."""


@contextlib.contextmanager
def _bounded(part):
    """End the process with all threads' stacks when a part hangs, be it within a kernel."""
    minutes = max(LONGEST_FACTOR * part.minutes, LEAST_MINUTES)
    faulthandler.dump_traceback_later(60 * minutes, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _help():
    lines = ["Measure everything, in less than ten minutes, or the PARTs that are named.", ""]
    for name, part in PARTS.items():
        alone = "" if part.in_whole else ", only when it is named"
        lines.append(f"\b\n{name}: {part.title} (about {part.minutes:g} min{alone})")
    return "\n".join(lines)


@click.command(help=_help())
@click.option(
    "--short", is_flag=True, help="See within a minute that all of it runs; its figures say little."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Take each rate over about so many seconds [default: 1].",
)
@click.argument("parts", nargs=-1, metavar="[PART]...", type=click.Choice(list(PARTS)))
def main(short: bool, seconds: float | None, parts: tuple[str, ...]) -> None:
    effort = SHORT if short else WHOLE
    if seconds is not None:
        effort = Effort(seconds, is_short=short)
    names = parts or [name for name, part in PARTS.items() if part.in_whole]
    missed, began = [], time.monotonic()
    for name in names:
        part_began = time.monotonic()
        with _bounded(PARTS[name]):
            if not PARTS[name].measure(effort):
                missed.append(name)
        print(f"{name}: {time.monotonic() - part_began:.0f} s\n", flush=True)
    print(f"all: {time.monotonic() - began:.0f} s")
    if missed and not short:
        print(f"Less than is wanted, see “missed” above: {', '.join(missed)}")


if __name__ == "__main__":
    main()
