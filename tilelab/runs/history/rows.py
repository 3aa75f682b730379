"""Rows of the history as lines and records, whatever stands in them.

SQLite takes a value of any kind in any column, and what a bad disk has changed is of any kind, too:
what does not fit a column counts as not there.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np
from pydantic import JsonValue

from tilelab.runs.history.curves import unpack
from tilelab.runs.history.record import RunLine, RunRecord
from tilelab.runs.session import LiveChange

Columns = dict[str, Any]
"""Values by column; SQLite has no types for them."""
Row = Mapping[str, Any]
JSON_COLUMNS = ("instance", "puzzle_params", "params", "limits", "origin")
_MOST_WHOLE = 2**63
_FORMER_UNITS = {"block": "iteration", "step": "update"}
"""What a solver's unit was called in records of earlier versions; of random walks, both."""


def text_of(value: object) -> str:
    """Return the text in a column of texts; bytes in it are read as UTF-8 as far as they are."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return "" if value is None else str(value)


def _whole_of(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_WHOLE:
        return int(value)
    return value if isinstance(value, int) else None


def _number_of(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def bytes_of(value: object) -> bytes | None:
    """Return the bytes in a column of bytes."""
    return value if isinstance(value, bytes) else None


_READERS: Mapping[Any, Callable[[object], Any]] = {
    str: text_of,
    int: lambda value: _whole_of(value) or 0,
    float: lambda value: _number_of(value) or 0.0,
    int | None: _whole_of,
    float | None: _number_of,
}
_LINE = {part.name: _READERS[part.type] for part in dataclasses.fields(RunLine)}


def line_of(row: Row) -> RunLine:
    """Make what the list shows of a run; row: its columns by name."""
    return RunLine(**_line(row))


def record_of_row(row: Row) -> RunRecord:
    """Make all that is kept of a run; row: the columns of both tables by name."""
    cells, optimal = bytes_of(row["cells"]), _whole_of(row["optimal"])
    board, moves, run_file = (row[name] for name in ("board", "moves", "run_file"))
    objects: Columns = {name: _plain(row[name]) for name in JSON_COLUMNS}
    return RunRecord(
        **_line(row),
        **objects,
        cells=None if cells is None else np.frombuffer(cells, np.uint8),
        board=tuple(text_of(board).split("\n")) if board else (),
        moves=None if moves is None else text_of(moves),
        optimal=None if optimal is None else bool(optimal),
        curves=unpack(text_of(row["metrics"]), bytes_of(row["curves"])),
        thumbnail=bytes_of(row["thumbnail"]),
        journal=_journal(row["journal"]),
        run_file=None if run_file is None else text_of(run_file),
    )


def _line(row: Row) -> dict[str, Any]:
    line = {name: read(row[name]) for name, read in _LINE.items()}
    if line["unit"] in _FORMER_UNITS:
        walks = line["solver"] == "random-walk"
        line["unit"] = "iteration" if walks else _FORMER_UNITS[line["unit"]]
    return line


def _journal(value: object) -> tuple[LiveChange, ...]:
    try:
        return tuple(LiveChange(int(unit), str(name), value) for unit, name, value in _json(value))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return ()


def _plain(value: object) -> dict[str, JsonValue]:
    try:
        values = _json(value)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _json(value: object) -> Any:
    return json.loads(text_of(value), parse_constant=_refuse_constant)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
