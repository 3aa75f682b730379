"""Which board of word tiles a command is about: typed in, from a file, or drawn from a seed."""

from collections.abc import Mapping
from typing import Any

import click

from tilelab import catalog
from tilelab.cli.flags import checked, lexicon_flags, opened_lexicon, path_of, tell
from tilelab.core.errors import TileLabError
from tilelab.core.grid_file import read_grid
from tilelab.puzzles.wordtiles.play import board_shape
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams
from tilelab.puzzles.wordtiles.text import split_rows


def word_board_flags() -> list[click.Parameter]:
    """The flags that choose a lexicon and a board."""
    return [
        *lexicon_flags(),
        click.Option(
            ["--letters"],
            metavar="TILES",
            help="The board, row after row, . or _ for the blank [default: random letters].",
        ),
        click.Option(["--board"], metavar="FILE", help="The board from a text file."),
    ]


def chosen_word_board(puzzle_key: str, values: Mapping[str, Any]) -> Any:
    """Make the puzzle that a command is about."""
    if values["letters"] is not None and values["board"] is not None:
        raise TileLabError("one of --letters, --board says which board; both were given")
    rows: tuple[str, ...] | None = None
    if values["letters"] is not None:
        given = checked(WordTilesParams, values)
        shape = (
            getattr(given, name) if values.get(name) is not None else None
            for name in ("rows", "cols")
        )
        rows = split_rows(values["letters"], *shape)
    elif values["board"] is not None:
        rows = read_grid(path_of("--board", values["board"])).rows
    params = checked(WordTilesParams, values if rows is None else _shaped(values, rows))
    lexicon = opened_lexicon(values)
    puzzle = catalog.puzzle(puzzle_key).create(lexicon, params, rows)
    tell(lexicon, puzzle)
    return puzzle


def _shaped(values: Mapping[str, Any], rows: tuple[str, ...]) -> dict[str, Any]:
    """Take rows and columns from a board where no flag gives them."""
    shape = board_shape(rows)
    return {**values, **{name: n for name, n in shape.items() if values.get(name) is None}}
