"""What a command prints: one JSON object for programs, or a few lines for people."""

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tilelab.cli.saying import say
from tilelab.core.symbols import shown_row
from tilelab.core.wording import counted, number, rate
from tilelab.runs.session import Session

WIDTH = 100
MOST_WORDS = 200
"""More words than these are counted, not listed; --json has all of them."""
_TIED = "\N{NO-BREAK SPACE}"
_ENDS = {
    "solved": "Solved",
    "exhausted": "Nothing is left to try",
    "limit": "Limit reached",
    "interrupted": "Interrupted",
    "failed": "Failed",
}


def print_json(value: object) -> None:
    """Print one object on one line of standard output, whatever its encoding is."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not is_unicode))


def print_run(session: Session, result: dict[str, Any], written: Sequence[Path]) -> None:
    """Print the best grid of a run and how it was come by."""
    unit = session.solver.spec.unit
    best = result["best"]
    if best is not None:
        if session.puzzle.spec.uses_lexicon:
            print_best(session.puzzle, best)
        else:
            print_way(session, best)
        say()
    # A search counts the boards that it has generated; its steps only cut it into slices.
    count = result["metrics"].get("generated")
    searches = count is not None
    done = f"{count:,} boards generated" if searches else counted(result["units"], unit)
    per_second = (count if searches else result["units"]) / max(result["seconds"], 1e-9)
    facts = [
        _ENDS.get(result["status"], result["status"].capitalize()),
        f"{done} in {result['seconds']:.1f} s",
        f"{rate(per_second)} a second",
    ]
    if best is not None and not searches:
        facts.append(f"best at {unit} {best['unit']:,}")
    if session.solver.spec.uses_seed:
        facts.append(f"seed {result['seed']}")
    _print_wrapped(" · ".join(fact.replace(" ", _TIED) for fact in facts), _width())
    for file in written:
        say(f"Wrote {file}")


def print_best(puzzle: Any, best: dict[str, Any]) -> None:
    """Print a grid or a board of word tiles, its value, and its words."""
    if puzzle.spec.has_way:
        print_tiles(puzzle, best)
    else:
        print_grid(puzzle, best)


def print_tiles(puzzle: Any, best: dict[str, Any]) -> None:
    """Print a board of word tiles, its value, its words with their lines, and the way to it."""
    for row in best["rows"]:
        say(" ".join(shown_row(row)))
    say()
    say(f"{number(best['value'])} {puzzle.value_title}")
    lines: dict[str, list[str]] = {}
    for word in best["words"]:
        line = f"row {word['row'] + 1}" if "row" in word else f"column {word['column'] + 1}"
        lines.setdefault(word["word"], []).append(line)
    _print_words([f"{word} ({', '.join(places)})" for word, places in lines.items()])
    if best.get("moves") is not None:
        proof = "the fewest" if best["optimal"] else "not proven to be the fewest"
        say(f"{counted(best['length'], 'slide')} from the initial board, {proof}")
        for part in textwrap.wrap(best["moves"], WIDTH):
            say(part)


def print_grid(puzzle: Any, best: dict[str, Any]) -> None:
    """Print a grid, its value, and the strings that it encodes."""
    for row in best["rows"]:
        say(" ".join(shown_row(row)))
    say()
    n_found, n_strings = len(best["words"]), len(best["words"]) + best["missing_count"]
    value = f"{number(best['value'])} {puzzle.value_title}"
    of_all = f"{n_found:,} of {counted(n_strings, 'string')}"
    same = puzzle.value_title == puzzle.spec.value_title
    say(of_all if same else f"{value} · {of_all}")
    _print_words(best["words"])


def print_way(session: Session, best: dict[str, Any]) -> None:
    """Print a board of sliding tiles and the way from it to its goal, as far as it is known."""
    puzzle = session.puzzle
    assert session.best is not None
    cells = puzzle.start if best["moves"] is not None else session.best.cells
    for row in puzzle.rows_of(cells):
        say(row)
    say()
    if best["moves"] is None:
        say(f"Not solved; this board is the nearest, {number(-best['value'])} away")
        return
    proof = "the shortest" if best["optimal"] else "not proven to be the shortest"
    say(f"{counted(best['length'], 'move')}, {proof}")
    for line in textwrap.wrap(best["moves"], WIDTH):
        say(line)


def _print_words(words: Sequence[str]) -> None:
    shown = ", ".join(words[:MOST_WORDS])
    if len(words) > MOST_WORDS:
        shown += f", and {len(words) - MOST_WORDS:,} more"
    _print_wrapped(shown, min(WIDTH, _width()))


def _print_wrapped(text: str, width: int) -> None:
    for line in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False):
        say(line.replace(_TIED, " "))


def _width() -> int:
    """Columns of the terminal; where there is none, lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10 * WIDTH
