"""The history as a table for spreadsheets and as JSON for programs."""

import dataclasses
import json
from collections.abc import Iterator, Sequence

from tilelab.core.plain import Json
from tilelab.core.text.shown_text import csv_lines
from tilelab.core.text.wording import plain_number
from tilelab.runs.history.record import RunLine, RunRecord
from tilelab.runs.history.store import History
from tilelab.runs.result import Figures

_A_PORTION = 500
_JSON_COLUMNS = ("instance", "puzzle_params", "params", "limits")
_FIGURES = tuple(part.name for part in dataclasses.fields(Figures))
_LINE = tuple(
    part.name
    for part in dataclasses.fields(RunLine)
    if part.name not in (*_FIGURES, *_JSON_COLUMNS)
)
_DETAILS = (*_JSON_COLUMNS, "board", "moves", "optimal", "journal", "run_file")
COLUMNS = (*_LINE, *_DETAILS, *_FIGURES)  # newer ones at the end; '/' separates the rows of a board


def plain_line(line: RunLine) -> dict[str, Json]:
    values = {name: getattr(line, name) for name in (*_LINE, *_FIGURES)}
    if line.value is not None:
        values["value"] = plain_number(line.value)
    return values


def plain_record(record: RunRecord, *, curves: bool = False) -> dict[str, Json]:
    """Return what is kept of a run, ready for JSON; curves: with its curves."""
    values = plain_line(record)
    for name in _JSON_COLUMNS:
        values[name] = dict(getattr(record, name))
    values["board"] = list(record.board)
    values["moves"], values["optimal"] = record.moves, record.optimal
    values["journal"] = [[change.unit, change.name, change.value] for change in record.journal]
    values["run_file"] = record.run_file
    if curves:
        values["curves"] = {
            name: {
                "units": [int(unit) for unit in units],
                "values": [plain_number(value) for value in points.tolist()],
            }
            for name, (units, points) in record.curves.items()
        }
    return values


def csv_parts(history: History, ids: Sequence[int]) -> Iterator[str]:
    yield csv_lines([list(COLUMNS)])
    for records in _portions(history, ids):
        yield csv_lines([_csv_cells(record) for record in records])


def json_parts(history: History, ids: Sequence[int]) -> Iterator[str]:
    """Write runs as one JSON array with an object a line, in portions."""
    before = "["
    for records in _portions(history, ids):
        for record in records:
            yield f"{before}\n{json.dumps(plain_record(record))}"
            before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def _portions(history: History, ids: Sequence[int]) -> Iterator[list[RunRecord]]:
    for begin in range(0, len(ids), _A_PORTION):
        yield history.records(ids[begin : begin + _A_PORTION])


def _csv_cells(record: RunRecord) -> list[object]:
    values = plain_record(record)
    for name in _JSON_COLUMNS:
        values[name] = json.dumps(values[name], ensure_ascii=False)
    values["board"], values["journal"] = "/".join(record.board), json.dumps(values["journal"])
    return [values[name] for name in COLUMNS]
