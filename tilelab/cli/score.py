"""``tilelab score``: what a grid is worth, whoever made it."""

import sys

import click

from tilelab import catalog
from tilelab.cli.completion import completes_files
from tilelab.cli.flags import flags, own_flags
from tilelab.cli.output import print_best, print_json
from tilelab.cli.saying import say
from tilelab.core.errors import GridError
from tilelab.core.files.grid_file import MAX_BYTES, GridFile, parse_grid, read_grid
from tilelab.core.flags import path_of
from tilelab.core.plain import Value
from tilelab.core.text.language import figures, tr


def score_command(puzzle_key: str) -> click.Command:
    """Make the command that scores boards of one puzzle, which must be able to."""
    puzzle_class = catalog.puzzle(puzzle_key)

    def score(grid: str, as_json: bool, **values: Value) -> int:
        scored = puzzle_class.scored(_read(grid).rows, values)
        for line in scored.reported:
            say(line, err=True)
        if as_json:
            best = {"puzzle": puzzle_key, "params": scored.params, "best": scored.best}
            print_json({**best, **scored.further})
        else:
            print_best(scored.text)
            for remark in scored.remarks:
                say(remark)
        return 0

    return click.Command(
        puzzle_key,
        callback=score,
        params=[
            click.Argument(["grid"], metavar="GRID", shell_complete=completes_files),
            *own_flags(catalog.lexicon_flags(puzzle_class)),
            *own_flags(puzzle_class.score_flags()),
            *flags([puzzle_class.spec.params]),
            click.Option(["--json", "as_json"], is_flag=True, help=tr("Print one JSON object.")),
        ],
        help=tr(
            "Score a grid: a file with rows of letters, or - for standard input. "
            "{title} ({source}).",
            title=puzzle_class.spec.title,
            source=puzzle_class.spec.source,
        ),
    )


def _read(name: str) -> GridFile:
    if name != "-":
        return read_grid(path_of("GRID", name))
    if sys.stdin is None:
        raise GridError(tr("standard input is closed"))
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise GridError(
            tr(
                "standard input is larger than a grid can be ({max_bytes} bytes)",
                max_bytes=figures(MAX_BYTES, ","),
            )
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise GridError(tr("standard input is not UTF-8 text"))
    return parse_grid(text, tr("standard input"))
