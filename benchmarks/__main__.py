"""``python -m benchmarks``: measure this tree, or compare it with another release."""

import contextlib
import faulthandler
import fnmatch
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import click

from benchmarks import (
    bees,
    history,
    islands,
    optimisers,
    papers,
    soak,
    speed_page,
    threads,
    views,
    window,
    wordtiles,
)
from benchmarks.against import compare
from benchmarks.effort import SHORT, WHOLE, Effort
from benchmarks.rows import ROWS
from benchmarks.sides import HERE, RefusedError, Side, release
from benchmarks.table import Table, figure, show

N_TIMES = 3
"""Number of measurements of a row; their median counts."""
SHORT_ROWS = ("a-star",)
ROW_SECONDS = 60.0
"""Default time for comparing a row."""


@dataclass(frozen=True)
class Part:
    """A group of figures that are measured together."""

    title: str
    minutes: float
    """Approximate duration with compiled kernels."""
    measure: Callable[[Effort], bool]
    """A function that prints the figures, and returns whether all of them are good enough."""
    in_whole: bool = False


PARTS = {
    "window": Part("event loop, STOP and start of the window", 1.5, window.print_window, True),
    "views": Part("what watching costs", 1.0, views.measure, True),
    "history": Part("50,000 records", 0.5, history.print_history),
    "islands": Part("two islands on two cores", 0.5, islands.measure),
    "threads": Part("IDA* on two threads", 0.3, threads.measure),
    "soak": Part("memory over ten minutes", 10.0, soak.measure),
    # Tables of the manual, which are the same on every machine
    "papers": Part("the searches with HH", 1.0, papers.measure),
    "optimisers": Part("the optimisers' tables", 30.0, optimisers.measure),
    "bees": Part("what the bees' figures hang on", 2.5, bees.measure),
    "compare": Part("what each solver of word tiles reaches", 9.0, wordtiles.compare),
}
MAX_FACTOR, MIN_MINUTES = 10, 60
"""A part hangs when it takes ten times its usual duration, and longer than compiling ever takes."""


@contextlib.contextmanager
def _limit_time(part):
    """End the process with all threads' stacks when a part hangs, even within a kernel."""
    minutes = max(MAX_FACTOR * part.minutes, MIN_MINUTES)
    faulthandler.dump_traceback_later(60 * minutes, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def measure_rows(names, effort):
    """Measure rows of this tree, and print them; return (cells of the table, rows missed)."""
    table, missed = [], []
    with Side(HERE) as side:
        for name in names:
            row = ROWS[name]
            try:
                side.measure(row)
                n_times = effort.of(1 if row.is_cold else N_TIMES, 1)
                rate = statistics.median(side.measure(row) for _ in range(n_times))
            except RefusedError as refusal:
                raise click.ClickException(f"{name}: {refusal}") from None
            cells = [name, f"{figure(rate)} {row.title}", "", ""]
            if row.plain is not None:
                reference = row.plain(effort.seconds)
                is_missed = rate < row.floor * reference
                cells[2:] = figure(reference), f"×{rate / reference:,.0f}"
                if is_missed:
                    missed.append(name)
                    cells[3] += f" (missed: ×{row.floor:g} wanted)"
            table.append(cells)
            print(" | ".join(filter(None, cells)), flush=True)
    show(Table("row", "in a CPU second", "plain Python", "ratio", title="Speed"), table)
    return table, missed


def compare_rows(names, commit, seconds):
    """Compare rows with a commit, and print them; return (cells of the table, rows lost)."""
    old, table, lost = release(commit), [], []
    for name in names:
        row = ROWS[name]
        try:
            compared = compare(row, old, seconds)
        except RefusedError as refusal:
            # A row that this tree cannot do is not left out.
            is_lost = refusal.release is HERE
            lost += [name] if is_lost else []
            cells = [name, *5 * [""], f"{'lost' if is_lost else 'left out'}: {refusal}"]
        else:
            ratio, low, high, n_pairs = compared.verdict
            if compared.verdict.is_lost:
                lost.append(name)
            ends = f"{low:.3f} … {high:.3f}" if high < 1000 else ""
            rates = f"{figure(compared.old)}", f"{figure(compared.new)} {row.title}"
            cells = [name, *rates, f"{ratio:.3f}", ends, str(n_pairs), compared.verdict.result]
        table.append(cells)
        print(" | ".join(filter(None, cells)), flush=True)
    columns = "row", commit, "here, in a CPU second", "ratio", "95 % interval", "pairs", "result"
    show(Table(*columns, title=f"Compared with {commit}"), table)
    return table, lost


def _choose(patterns):
    """Return the names of rows for comma-separated names or patterns such as ``genetic*``."""
    names = []
    for pattern in patterns.split(","):
        found = fnmatch.filter(ROWS, pattern)
        if not found:
            raise click.BadParameter(f"{pattern!r} is no row; allowed are {', '.join(ROWS)}")
        names += [name for name in found if name not in names]
    return names


def _help():
    lines = ["Measure all rows and what watching costs, or the PARTs that are named.", ""]
    for name, part in PARTS.items():
        alone = "" if part.in_whole else ", only when it is named"
        lines.append(f"\b\n{name}: {part.title} (about {part.minutes:g} min{alone})")
    lines += ["", f"Rows: {', '.join(ROWS)}."]
    return "\n".join(lines)


@click.command(help=_help())
@click.option(
    "--against",
    metavar="COMMIT",
    help="Compare the rows with a commit, such as v1.0.0, in turn; status 1 if one is lost.",
)
@click.option("--rows", metavar="NAME,…", help="Only these rows, such as a-star,genetic*.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Compare a row for up to this long [default: 60]; take other rates over this long [1].",
)
@click.option("--write-docs", is_flag=True, help="Write the rows' table into docs/speed.md.")
@click.option("--short", is_flag=True, help="See that all of it runs; its figures say little.")
@click.argument("parts", nargs=-1, metavar="[PART]...", type=click.Choice(list(PARTS)))
def main(
    against: str | None,
    rows: str | None,
    seconds: float | None,
    write_docs: bool,
    short: bool,
    parts: tuple[str, ...],
) -> None:
    if parts and (rows or against or write_docs):
        raise click.UsageError(f"--rows, --against and --write-docs are not for {parts[0]}")
    effort = SHORT if short else WHOLE if seconds is None else Effort(seconds)
    names = _choose(rows) if rows else SHORT_ROWS if short else list(ROWS)
    began, failed = time.monotonic(), []
    if against is not None:
        table, failed = compare_rows(names, against, seconds or ROW_SECONDS)
        if write_docs:
            speed_page.write("against", speed_page.format_compared(table, against))
    elif not parts:
        table, failed = measure_rows(names, effort)
        if write_docs:
            speed_page.write("rows", speed_page.format_measured(table))
    is_whole = not (parts or rows or against or write_docs)
    for name in [name for name, part in PARTS.items() if part.in_whole] if is_whole else parts:
        part_began = time.monotonic()
        with _limit_time(PARTS[name]):
            if not PARTS[name].measure(effort):
                failed.append(name)
        print(f"{name}: {time.monotonic() - part_began:.0f} s\n", flush=True)
    print(f"all: {time.monotonic() - began:.0f} s")
    if failed and against:
        print(f"Lost: {', '.join(failed)}")
        sys.exit(1)
    if failed and not short:
        print(f"Less than is wanted, see “missed” above: {', '.join(failed)}")


if __name__ == "__main__":
    main()
