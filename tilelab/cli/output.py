"""What a command prints: one JSON object for programs, or a few lines for people."""

import json
import shutil
import sys
import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from tilelab.cli.saying import say, say_cells
from tilelab.core.puzzle import BestText
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import counted, number, rate
from tilelab.runs.session import Session

WIDTH = 100
MOST_WORDS = 200
"""More words than these are counted, not listed; --json has all of them."""
_TIED = "\N{NO-BREAK SPACE}"
_ENDS = {
    "solved": marked("Solved"),
    "exhausted": marked("Nothing is left to try"),
    "limit": marked("Limit reached"),
    "interrupted": marked("Interrupted"),
    "failed": marked("Failed"),
}


def print_json(value: object) -> None:
    """Print one object on one line of standard output, whatever its encoding is."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not is_unicode))


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    bold: str,
    numbers: Collection[str] = (),
    whole: str = "",
    wraps: bool = False,
) -> None:
    """Print rows for whoever reads them: people on a terminal, elsewhere programs, with tabs.

    bold, numbers, whole: headings of columns that stand out, that stand at the right, and that is
    never cut. wraps: whether the others get several lines instead.
    """
    if not sys.stdout.isatty():
        for row in rows:
            say_cells(row)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading, cells in zip(headings, zip(*rows, strict=True), strict=True):
        is_whole = heading == whole
        table.add_column(
            tr(heading),
            justify="right" if heading in numbers else "left",
            no_wrap=is_whole or not wraps,
            overflow="ellipsis",
            min_width=max(map(len, cells)) if is_whole else None,
            style="bold" if heading == bold else None,
        )
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    Console().print(table)


def print_run(session: Session, status: str, written: Sequence[Path], end: str = "") -> None:
    """Print the best grid of a run and how it was found.

    status: a word. end: what is printed of it; '': what has ended the run.
    """
    unit = session.spec.unit
    if not end and status == "limit" and session.limit_reached:
        end = session.limits.end_text(session.limit_reached, unit)
    best = session.best
    if best is not None:
        print_best(session.puzzle.best_text(session.puzzle.with_path(best)))
        say()
    # A search counts the boards that it has generated; its steps only cut it into slices.
    metrics = dict(zip(session.spec.metrics, session.last_row, strict=False))
    n_generated = metrics.get("generated")
    searches = n_generated is not None
    count = session.units if n_generated is None else int(n_generated)
    done = (
        tr("{count} boards generated", count=figures(count, ","))
        if searches
        else counted(count, unit)
    )
    facts = [
        end or tr(_ENDS.get(status, status.capitalize())),
        tr("{done} in {seconds} s", done=done, seconds=figures(session.seconds, ".1f")),
        tr("{rate} a second", rate=rate(count / max(session.seconds, 1e-9))),
    ]
    if best is not None and not searches:
        facts.append(tr("best at {unit} {number}", unit=tr(unit), number=figures(best.unit, ",")))
    if best is not None and session.spec.bounds_value and "bound" in metrics:
        most = number(metrics["bound"])
        facts.append(
            tr("proven: none is better")
            if best.optimal
            else tr("proven: at most {most}", most=most)
        )
    if session.spec.uses_seed:
        facts.append(tr("seed {seed}", seed=session.seed))
    n_islands = sum(name.startswith("island_") for name in session.spec.metrics)
    if n_islands:
        facts.append(counted(n_islands, "island"))
    _print_wrapped(" · ".join(fact.replace(" ", _TIED) for fact in facts), _width())
    for file in written:
        say(tr("Wrote {file}", file=file))


def print_best(text: BestText) -> None:
    """Print a board, its value, what stands on it, and the moves that lead there."""
    for row in text.rows:
        say(row)
    say()
    say(text.value)
    _print_words(text.words)
    if text.path:
        say(text.path)
    for part in textwrap.wrap(text.moves, WIDTH):
        say(part)


def _print_words(words: Sequence[str]) -> None:
    shown = ", ".join(words[:MOST_WORDS])
    if len(words) > MOST_WORDS:
        shown += tr(", and {n_more} more", n_more=figures(len(words) - MOST_WORDS, ","))
    _print_wrapped(shown, min(WIDTH, _width()))


def _print_wrapped(text: str, width: int) -> None:
    for line in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False):
        say(line.replace(_TIED, " "))


def _width() -> int:
    """Columns of the terminal; where there is none, lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10 * WIDTH
