"""``tilelab score``: what a grid is worth, whoever made it."""

import sys
from typing import Any

import click

from tilelab import catalog
from tilelab.cli.flags import checked, flags, lexicon_flags, opened_lexicon, path_of, tell
from tilelab.cli.output import print_best, print_json
from tilelab.cli.run import with_shape
from tilelab.core.errors import GridError
from tilelab.core.grid_file import MAX_BYTES, GridFile, parse_grid, read_grid
from tilelab.core.parameters import Params
from tilelab.core.solver import Best
from tilelab.core.symbols import folded_row
from tilelab.core.wording import plain_number
from tilelab.words.lexicon import Lexicon


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
    puzzle, best = _SCORES.get(puzzle_key, _scored_grid)(puzzle_class, lexicon, params, grid)
    tell(lexicon, puzzle)
    if values["as_json"]:
        plain = {"lexicon": lexicon.name, **params.model_dump(mode="json")}
        print_json({"puzzle": puzzle_key, "params": plain, "best": best})
    else:
        print_best(puzzle, best)
    return 0


def _scored_grid(
    puzzle_class: type[Any], lexicon: Lexicon, params: Params, grid: GridFile
) -> tuple[Any, dict[str, Any]]:
    puzzle = puzzle_class.create(lexicon, params)
    # Letters that no string has are allowed in other people's grids: they encode nothing.
    report = puzzle.report(puzzle.parse(grid.rows, foreign=True))
    return puzzle, {
        "value": plain_number(report.value),
        "rows": [folded_row(row) for row in grid.rows],
        "words": list(report.found),
        "missing_count": len(report.missing_indices),
    }


def _scored_tiles(
    puzzle_class: type[Any], lexicon: Lexicon, params: Params, grid: GridFile
) -> tuple[Any, dict[str, Any]]:
    puzzle = puzzle_class.create(lexicon, params, grid.rows)
    best = puzzle.outcome(Best(puzzle.start, puzzle.score(puzzle.start), 0))
    return puzzle, {name: best[name] for name in ("value", "rows", "words")}


_SCORES = {"wordtiles": _scored_tiles}


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
