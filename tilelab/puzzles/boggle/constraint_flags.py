"""The flags that say what is asked of a letter grid besides its lexicon."""

import re
from collections.abc import Sequence

from tilelab.core.errors import UsageError
from tilelab.core.files.grid_file import parse_grid, read_grid
from tilelab.core.flags import (
    Flag,
    flag_of,
    is_written_out,
    path_of,
    text_of,
    word_of,
    written_out,
)
from tilelab.core.plain import Value, Values
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import quoted, shown_path
from tilelab.core.text.symbols import HOLE, cut_rows
from tilelab.letters.builtin import builtin_lexicons, open_lexicon
from tilelab.letters.lexicon import Accents, Lexicon, parse_lexicon, read_lexicon
from tilelab.letters.lexicon_origin import lexicon_name
from tilelab.puzzles.boggle.constraints import Constraints, holes_in

NOTHING_ELSE = "nothing_else"
LOCK = Flag(
    "lock",
    "CELLS",
    marked('Cells that keep their letters of --start: "ROW,COL ROW,COL …", from 0.'),
)
STRING_FLAGS = (
    Flag(
        "require",
        "FILE",
        marked("A file with strings that must be in, one a line."),
        takes_file=True,
    ),
    Flag(
        "forbid",
        "FILE",
        marked("A file with strings that must not be in, one a line."),
        takes_file=True,
    ),
    Flag(
        NOTHING_ELSE,
        "FILE-or-NAME",
        marked("A lexicon of which no other string of three letters or more may be in."),
        known=lambda: [entry.key for entry in builtin_lexicons()],
        takes_file=True,
    ),
)
SCORE_FLAGS = (
    *STRING_FLAGS,
    Flag(
        "mask", "FILE", marked("A file with the board's shape, where # is a hole."), takes_file=True
    ),
)
CONSTRAINT_FLAGS = (*SCORE_FLAGS, LOCK)

_CELL = re.compile(r"[0-9]{1,3},[0-9]{1,3}")


def grid_rows(values: Values, name: str) -> tuple[str, ...] | None:
    """Read the rows of the grid that a command's values name or write out, or None."""
    given = text_of(values, name)
    if given is None:
        return None
    if is_written_out(given):
        return parse_grid(given, flag_of(name)).rows
    return read_grid(path_of(flag_of(name), given)).rows


def constraints_of(
    values: Values, shape: tuple[int, int], mask: Sequence[str] | None
) -> Constraints:
    """Read what a command's values ask; raises TileLabError. shape: of the board."""
    accents = Accents(word_of(values, "accents", Accents))
    required, forbidden = (_lexicon(values, name, accents) for name in ("require", "forbid"))
    return Constraints(
        required=() if required is None else required.strings,
        forbidden=() if forbidden is None else forbidden.strings,
        nothing_else=_lexicon(values, NOTHING_ELSE, accents),
        locked=_cells(text_of(values, "lock") or "", shape),
        holes=() if mask is None else _holes(mask, shape, values),
        spellings={} if required is None else required.spellings,
    )


def constraint_values(asked: Constraints, shape: tuple[int, int]) -> Values:
    """Return the flags that :func:`constraints_of` reads these from; all files are written out."""
    values: dict[str, Value] = {}
    for name, strings in (("require", asked.required), ("forbid", asked.forbidden)):
        if strings:
            values[name] = written_out(strings)
    if asked.nothing_else is not None:
        values[NOTHING_ELSE] = lexicon_name(asked.nothing_else)
    n_rows, n_cols = shape
    if asked.locked:
        values["lock"] = " ".join(f"{cell // n_cols},{cell % n_cols}" for cell in asked.locked)
    if asked.holes:
        holes = frozenset(asked.holes)
        mask = "".join(HOLE if cell in holes else "." for cell in range(n_rows * n_cols))
        values["mask"] = written_out(cut_rows(mask, n_cols))
    return values


def _lexicon(values: Values, name: str, accents: Accents) -> Lexicon | None:
    """Read the strings that are named or written out; built-in lexicons only of NOTHING_ELSE."""
    given = text_of(values, name)
    if given is None:
        return None
    if is_written_out(given):
        return parse_lexicon(given.encode(), flag_of(name), accents=accents)
    if name == NOTHING_ELSE:
        return open_lexicon(given, accents)
    return read_lexicon(path_of(flag_of(name), given), accents)


def _cells(text: str, shape: tuple[int, int]) -> tuple[int, ...]:
    cells = []
    for word in text.split():
        if not _CELL.fullmatch(word):
            raise UsageError(
                tr("--lock: {word} is not ROW,COL, such as 0,3").format(word=quoted(word))
            )
        row, col = (int(part) for part in word.split(","))
        if row >= shape[0] or col >= shape[1]:
            raise UsageError(
                tr(
                    "--lock: {word} is outside the board; rows are 0..{value}, columns 0..{value_2}"
                ).format(word=quoted(word), value=shape[0] - 1, value_2=shape[1] - 1)
            )
        cells.append(row * shape[1] + col)
    return tuple(cells)


def _holes(mask: Sequence[str], shape: tuple[int, int], values: Values) -> tuple[int, ...]:
    if (len(mask), len(mask[0])) != shape:
        given = str(values["mask"])
        name = "" if is_written_out(given) else f"{shown_path(given)} "
        raise UsageError(
            tr(
                "--mask: {name}has {n_mask} × {len} cells; the board has {value} × {value_2}"
            ).format(
                name=name, n_mask=len(mask), len=len(mask[0]), value=shape[0], value_2=shape[1]
            )
        )
    return holes_in(mask)
