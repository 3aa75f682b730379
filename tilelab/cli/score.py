"""``tilelab score``: what a grid is worth, whoever made it."""

import sys
from typing import Any

import click

from tilelab import catalog
from tilelab.cli.flags import checked, flags, lexicon_flags, opened_lexicon, path_of, tell
from tilelab.cli.output import print_grid, print_json
from tilelab.cli.run import with_shape
from tilelab.core.errors import GridError
from tilelab.core.symbols import folded_row
from tilelab.runs.grid_file import MAX_BYTES, GridFile, parse_grid, read_grid
from tilelab.runs.outcome import plain_number


def score_command(puzzle_key: str) -> click.Command:
    """Make the command that scores grids of one puzzle, which must use a lexicon."""
    puzzle_class = catalog.puzzle(puzzle_key)

    def score(**values: Any) -> int:
        return _score(puzzle_key, values)

    return click.Command(
        puzzle_key,
        callback=score,
        params=[
            click.Argument(["grid"], metavar="GRID"),
            *lexicon_flags(),
            *flags([puzzle_class.spec.params]),
            click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object."),
        ],
        help=f"Score a grid: a file with rows of letters, or - for standard input. "
        f"{puzzle_class.spec.title} ({puzzle_class.spec.source}).",
    )


def _score(puzzle_key: str, values: dict[str, Any]) -> int:
    puzzle_class = catalog.puzzle(puzzle_key)
    grid = _read(values["grid"])
    params = checked(puzzle_class.spec.params, with_shape(values, grid))
    lexicon = opened_lexicon(values)
    puzzle = puzzle_class.create(lexicon, params)
    # Letters that no string has are allowed in other people's grids: they encode nothing.
    cells = puzzle.parse(grid.rows, foreign=True)
    tell(lexicon)
    report = puzzle.report(cells)
    best = {
        "value": plain_number(report.value),
        "rows": [folded_row(row) for row in grid.rows],
        "words": list(report.found),
        "missing_count": len(report.missing_indices),
    }
    if values["as_json"]:
        plain = {"lexicon": lexicon.name, **params.model_dump(mode="json")}
        print_json({"puzzle": puzzle_key, "params": plain, "best": best})
    else:
        print_grid(puzzle, best)
    return 0


def _read(name: str) -> GridFile:
    if name != "-":
        return read_grid(path_of("GRID", name))
    if sys.stdin is None:
        raise GridError("standard input is closed")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise GridError(f"standard input is larger than a grid can be ({MAX_BYTES:,} bytes)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise GridError("standard input is not UTF-8 text")
    return parse_grid(text, "standard input")
