"""What a command prints: one JSON object for programs, or a few lines for people."""

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tilelab.runs.session import Session
from tilelab.runs.wording import counted, number, rate

WIDTH = 100
MOST_WORDS = 200
"""More words than these are counted, not listed; --json has all of them."""
_ENDS = {
    "solved": "Solved: every string is encoded",
    "exhausted": "Nothing is left to try",
    "limit": "Limit reached",
    "interrupted": "Interrupted",
    "failed": "Failed",
}


def print_json(value: object) -> None:
    """Print one object on one line of standard output."""
    click.echo(json.dumps(value, ensure_ascii=False))


def print_run(session: Session, result: dict[str, Any], written: Path | None) -> None:
    """Print the best grid of a run and how it was come by."""
    unit = session.solver.spec.unit
    best = result["best"]
    if best is not None:
        print_grid(session.puzzle, best)
        click.echo()
    per_second = result["units"] / result["seconds"] if result["seconds"] else 0.0
    facts = [
        _ENDS.get(result["status"], result["status"].capitalize()),
        f"{counted(result['units'], unit)} in {result['seconds']:.1f} s",
        f"{rate(per_second)} a second",
    ]
    if best is not None:
        facts.append(f"best at {unit} {best['unit']:,}")
    facts.append(f"seed {result['seed']}")
    click.echo(" · ".join(facts))
    if written is not None:
        click.echo(f"Wrote {written}")


def print_grid(puzzle: Any, best: dict[str, Any]) -> None:
    """Print a grid, its value, and the strings that it encodes."""
    for row in best["rows"]:
        click.echo(" ".join(_upper(symbol) for symbol in row))
    click.echo()
    n_found, n_strings = len(best["words"]), len(best["words"]) + best["missing_count"]
    value = f"{number(best['value'])} {puzzle.value_title}"
    of_all = f"{n_found:,} of {counted(n_strings, 'string')}"
    same = puzzle.value_title == puzzle.spec.value_title
    click.echo(of_all if same else f"{value} · {of_all}")
    _print_words(best["words"])


def _print_words(words: Sequence[str]) -> None:
    shown = ", ".join(words[:MOST_WORDS])
    if len(words) > MOST_WORDS:
        shown += f", and {len(words) - MOST_WORDS:,} more"
    for line in textwrap.wrap(shown, WIDTH):
        click.echo(line)


def _upper(symbol: str) -> str:
    upper = symbol.upper()
    return upper if len(upper) == 1 else symbol
