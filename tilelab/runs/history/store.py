"""Every run leaves a record: an SQLite file in the user's data folder, safe for two programs.

SQLite takes a value of any type in any column, and a bad disk may have changed its type, too. A
value that does not fit its column counts as missing.
"""

import dataclasses
import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np

from tilelab import catalog
from tilelab.core.errors import ParameterError
from tilelab.core.files.paths import is_there, path_from
from tilelab.core.parameters import kept_params, validate
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import encodable, quoted, shown_path
from tilelab.core.text.wording import meant
from tilelab.runs.checkpoints.interrupted import find_by_key
from tilelab.runs.checkpoints.run_folder import RUN
from tilelab.runs.history.record import BY_HAND, HAND_TITLE, RunLine, RunRecord, now, pack, unpack
from tilelab.runs.history.schema import (
    DamagedError,
    HistoryError,
    connect,
    default_file,
    errors_reported,
    identity,
    set_aside,
    transaction,
)
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import LiveChange, Recipe
from tilelab.runs.result import TITLES as FIGURES

Columns = dict[str, Any]  # values by column; SQLite declares no types for them
Row = Mapping[str, Any]
JSON_COLUMNS = ("instance", "puzzle_params", "params", "limits", "origin")
_MAX_WHOLE_NUMBER = 2**63


def text_of(value: object) -> str:
    """Return the text in a column of texts; bytes in it are read as UTF-8 as far as possible."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return "" if value is None else str(value)


def _whole_of(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE_NUMBER:
        return int(value)
    return value if isinstance(value, int) else None


def _number_of(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def bytes_of(value: object) -> bytes | None:
    return value if isinstance(value, bytes) else None


_READERS: Mapping[object, Callable[[object], object]] = {
    str: text_of,
    int: lambda value: _whole_of(value) or 0,
    float: lambda value: _number_of(value) or 0.0,
    int | None: _whole_of,
    float | None: _number_of,
}
_LINE = tuple(part.name for part in dataclasses.fields(RunLine) if part.name not in JSON_COLUMNS)
"""Columns of the list's table."""
_LINE_READERS = {
    part.name: _READERS[part.type] for part in dataclasses.fields(RunLine) if part.name in _LINE
}


def line_of(row: Row) -> RunLine:
    """Make the line of a run; row: its columns, and its parameters."""
    return RunLine(**_line(row), params=_plain(row["params"]))


def record_of_row(row: Row) -> RunRecord:
    """Make the whole record of a run; row: the columns of both tables by name."""
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
    line = {name: read(row[name]) for name, read in _LINE_READERS.items()}
    # Earlier versions wrote this title in the language of the window.
    return line | {"solver_title": HAND_TITLE} if line["solver"] == BY_HAND else line


def _journal(value: object) -> tuple[LiveChange, ...]:
    try:
        return tuple(LiveChange(int(unit), str(name), value) for unit, name, value in _json(value))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return ()


def _plain(value: object) -> JsonObject:
    try:
        values = _json(value)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _json(value: object) -> Any:
    return json.loads(text_of(value), parse_constant=_refuse_constant)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


KEPT_DAYS = 30  # days during which a deleted run can be restored
_MAX_AT_ONCE = 500  # values in one statement; SQLite allows some hundreds at least
T = TypeVar("T")
_DETAILS = (
    *JSON_COLUMNS,
    *("cells", "board", "moves", "optimal", "metrics", "curves", "thumbnail"),
    *("journal", "run_file"),
)
_MIN_PHRASE = 3  # words of a search that are looked for as a whole first
_WITH_DETAILS = "FROM runs LEFT JOIN run_details USING (id)"
_KEPT = ("id", "key", "tags")  # columns that a newer record of the same run does not change
_SOLVER_TITLE = f"CASE solver WHEN '{BY_HAND}' THEN '{HAND_TITLE}' ELSE solver_title END"
_EXPRESSIONS = {
    "puzzle": ("puzzle", "title"),
    "size": ("rows * cols",),
    "solver": (_SOLVER_TITLE,),
    "best": ("value", "-n_moves"),
}
# The keys by which a list can be sorted, and the expressions for them.
ORDERS: dict[str, tuple[str, ...]] = {
    name: _EXPRESSIONS.get(name, (name,))
    for name in (
        *("begun", "puzzle", "title", "size", "solver", "seed", "status", "best", "units"),
        *("seconds", "evaluations", "expanded", "generated", "memory", "proven", "tags", "note"),
    )
}


@dataclass(frozen=True)
class Query:
    """A choice of runs; '' does not restrict."""

    puzzle: str = ""
    solver: str = ""
    # Words that must all occur, in any case, in what the list shows of a run. If some runs have
    # three or more of them in this order, such as the numbers of a board, only these are found.
    search: str = ""
    sort: str = "begun"
    descending: bool = True

    def sql(self) -> tuple[str, list[str]]:
        """Return the SQL after ``FROM runs``, and its values; raises ParameterError."""
        if self.sort not in ORDERS:
            known = f"{', '.join(ORDERS)}{meant(self.sort, ORDERS)}"
            raise ParameterError.tr(
                "sort: {sort} is not one of {known}",
                name="sort",
                sort=quoted(self.sort),
                known=known,
            )
        wanted, values = ["deleted IS NULL"], list[str]()
        for column in ("puzzle", "solver"):
            if value := getattr(self, column):
                wanted.append(f"{column} = ?")
                values.append(encodable(value))
        words = encodable(self.search).casefold().split()
        has_all, whole = " AND ".join(["instr(search, ?)"] * len(words)), " ".join(words)
        if len(words) >= _MIN_PHRASE:
            found = f"SELECT 1 FROM runs WHERE {' AND '.join(wanted)} AND instr(search, ?)"
            has_all = f"(instr(search, ?) OR NOT EXISTS ({found}) AND {has_all})"
            values += [whole, *values, whole]
        if words:
            wanted.append(has_all)
            values += words
        direction = "DESC" if self.descending else "ASC"
        # Runs without a best come last in either direction.
        orders = [f"{part} {direction} NULLS LAST" for part in ORDERS[self.sort]]
        return f"WHERE {' AND '.join(wanted)} ORDER BY {', '.join(orders)}, id {direction}", values


class History(AbstractContextManager["History"]):
    """The records of all runs, for one thread; a damaged file is replaced, with a notice."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = default_file() if path is None else path
        self.notice = ""  # a notice for the user about the file, or ''
        self._connection = self._open()

    def close(self) -> None:
        self._connection.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def put(self, record: RunRecord) -> int:
        """Keep a record, or update the one with its key; return its number.

        Its beginning, first parameters and tags stay, as does a note of the user's. A record with
        fewer units changes nothing: the run repeats what it had done. A deleted run that continues
        is restored.
        """
        return self._work(lambda: self._put(record))

    def ids(self, query: Query | None = None, limit: int = -1) -> list[int]:
        """Return the numbers of the requested runs, in order; limit: -1 for all."""
        where, values = (query or Query()).sql()
        statement = f"SELECT id FROM runs {where} LIMIT ?"
        return self._work(lambda: [row["id"] for row in self._rows(statement, (*values, limit))])

    def best_ids(self, puzzle: str, but_run: str = "") -> list[int]:
        """Return, for each kind of instance of a puzzle, the run with the largest value.

        A kind has equal parameters and origins. but_run: the key of a run that does not count. A
        game of words and an edited board do not count either.
        """
        # With max(), SQLite takes the other columns from the row with the maximum.
        statement = (
            "SELECT runs.id AS id, max(value) AS value FROM runs JOIN run_details USING (id) "
            "WHERE deleted IS NULL AND value IS NOT NULL AND puzzle = ? AND key != ? "
            "AND (solver != ? OR moves IS NOT NULL) GROUP BY puzzle_params, origin ORDER BY id"
        )
        values = (encodable(puzzle), encodable(but_run), BY_HAND)
        return self._work(lambda: [int(row["id"]) for row in self._rows(statement, values)])

    def lines(self, ids: Sequence[int]) -> list[RunLine]:
        columns = ", ".join(f"runs.{name}" for name in _LINE)
        statement = f"SELECT {columns}, params {_WITH_DETAILS}"
        found = self._work(lambda: self._by_id(statement, "runs.id", ids))
        return [line_of(found[number]) for number in ids if number in found]

    def records(self, ids: Sequence[int]) -> list[RunRecord]:
        """Return the records of some runs, in that order; missing ones are left out."""
        columns = ", ".join(f"runs.{name}" for name in _LINE)
        details = ", ".join(f"run_details.{name}" for name in _DETAILS)
        statement = f"SELECT {columns}, {details} FROM runs JOIN run_details USING (id)"
        found = self._work(lambda: self._by_id(statement, "runs.id", ids))
        return [record_of_row(found[number]) for number in ids if number in found]

    def record(self, number: int) -> RunRecord:
        """Return the record of a run; raises HistoryError when there is none."""
        for record in self.records([number]):
            return record
        raise HistoryError.tr("there is no run {number} in the history", number=number)

    def filled(self, query: Query) -> set[str]:
        """Return which figures, tags or notes any run of the requested puzzle and solver has."""
        names = (*FIGURES, "tags", "note")
        counts = ", ".join(f"count(nullif({name}, '')) AS {name}" for name in names)
        # The sign prevents an index that has only the runs that are not deleted.
        statement = (
            f"SELECT {counts} FROM runs WHERE +deleted IS NULL "
            "AND ?1 IN ('', puzzle) AND ?2 IN ('', solver)"
        )
        chosen = (encodable(query.puzzle), encodable(query.solver))
        (row,) = self._work(lambda: list(self._rows(statement, chosen)))
        return {name for name, count in row.items() if count}

    def count(self) -> int:
        statement = "SELECT count(*) AS n FROM runs WHERE deleted IS NULL"
        return self._work(lambda: int(next(self._rows(statement))["n"]))

    def solvers(self) -> list[tuple[str, str]]:
        statement = (
            f"SELECT solver, max({_SOLVER_TITLE}) AS title FROM runs WHERE deleted IS NULL "
            "GROUP BY solver ORDER BY title"
        )
        rows = self._work(lambda: list(self._rows(statement)))
        return [(text_of(row["solver"]), text_of(row["title"])) for row in rows]

    def set_tags(self, number: int, tags: str) -> None:
        parts = (" ".join(tag.split()) for tag in tags.split(","))
        self._set(number, "tags", ", ".join(dict.fromkeys(part for part in parts if part)))

    def set_note(self, number: int, note: str) -> None:
        self._set(number, "note", note.strip())

    def thumbnails(self, ids: Sequence[int]) -> dict[int, bytes | None]:
        """Return the pictures of some runs, PNG; None for one that was not made yet."""
        select = "SELECT id, thumbnail FROM run_details"
        found = self._work(lambda: self._by_id(select, "id", ids))
        return {number: bytes_of(row["thumbnail"]) for number, row in found.items()}

    def set_thumbnail(self, number: int, picture: bytes) -> None:
        """Set the picture of a run, PNG; b'' for a run that cannot have any."""
        self._work(lambda: self._update("run_details", number, {"thumbnail": picture}))

    def delete(self, ids: Sequence[int]) -> None:
        """Remove runs from the list; :meth:`restore` brings them back for thirty days."""
        self._mark(ids, now())

    def restore(self, ids: Sequence[int]) -> None:
        """Undo :meth:`delete`."""
        self._mark(ids, None)

    def purge(self, days: float = KEPT_DAYS) -> int:
        """Delete for good what was deleted at least ``days`` ago; return the number of runs."""
        statement = "DELETE FROM runs WHERE deleted IS NOT NULL AND deleted <= ?"
        before = now(days_ago=days)
        return self._work(lambda: self._connection.execute(statement, (before,)).rowcount)

    def _put(self, record: RunRecord) -> int:
        line = {name: getattr(record, name) for name in _LINE if name != "id"}
        with transaction(self._connection):
            row = self._row("key", record.key)
            if row is None:
                line["search"] = _search_text(line, record.params)
                number = self._insert("runs", line)
                self._insert("run_details", {"id": number, **_details(record)})
            else:
                number = int(row["id"])
                self._bring_up_to_date(row, line, record)
            if record.run_file is not None:
                self._give_file(number, record.run_file)
        return number

    def _bring_up_to_date(self, row: Row, line: Columns, record: RunRecord) -> None:
        number, known = int(row["id"]), line_of(row)
        if line["units"] < known.units:
            return
        details, note_before = _details(record), record.note_before
        note = line["note"] if note_before and known.note == note_before else known.note
        line |= {name: getattr(known, name) for name in _KEPT} | {"note": note}
        line["begun"] = min(known.begun, line["begun"])
        is_known = line["units"] == known.units and not record.is_edited_board
        line["deleted"] = row["deleted"] if is_known else None
        line["search"] = _search_text(line, record.params)
        self._update("runs", number, line)
        before = next(self._rows("SELECT * FROM run_details WHERE id = ?", (number,)), None)
        if before is None:  # a bad disk has lost it
            self._insert("run_details", {"id": number, **details})
            return
        # A live parameter that was changed counts from its unit on, and is in the journal.
        details["params"] = before["params"]
        # A run that continues from its file no longer knows where its lexicon was read.
        if text_of(before["origin"]) not in ("", "{}"):
            details["origin"] = before["origin"]
        details["run_file"] = details["run_file"] or before["run_file"]
        if details["thumbnail"] is None and details["cells"] == before["cells"]:
            details["thumbnail"] = before["thumbnail"]
        self._update("run_details", number, details)

    def _update(self, table: str, number: int, values: Row) -> None:
        names = ", ".join(f"{name} = ?" for name in values)
        self._connection.execute(
            f"UPDATE {table} SET {names} WHERE id = ?", (*values.values(), number)
        )

    def _give_file(self, number: int, file: str) -> None:
        """Assign a file to a run: another run that was saved there no longer has it."""
        self._connection.execute(
            "UPDATE run_details SET run_file = NULL WHERE run_file = ? AND id != ?", (file, number)
        )
        self._update("run_details", number, {"run_file": file})

    def _insert(self, table: str, values: Row) -> int:
        marks = ", ".join("?" * len(values))
        cursor = self._connection.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
        )
        return int(cursor.lastrowid or 0)

    def _set(self, number: int, column: str, text: str) -> None:
        def change() -> None:
            with transaction(self._connection):
                row = self._row("id", number)
                if row is None:
                    raise HistoryError.tr("there is no run {number} in the history", number=number)
                search = _search_text({**row, column: text}, _plain(row["params"]))
                self._update("runs", number, {column: text, "search": search})

        self._work(change)

    def _mark(self, ids: Sequence[int], moment: str | None) -> None:
        def change() -> None:
            with transaction(self._connection):
                self._connection.executemany(
                    "UPDATE runs SET deleted = ? WHERE id = ?", [(moment, n) for n in ids]
                )

        self._work(change)

    def _row(self, column: str, value: object) -> Columns | None:
        """Return the columns of a run in the list, and its parameters; None if there is none."""
        statement = f"SELECT runs.*, params {_WITH_DETAILS} WHERE runs.{column} = ?"
        return next(self._rows(statement, (value,)), None)

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Iterator[Columns]:
        cursor = self._connection.execute(statement, values)
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def _by_id(self, select: str, column: str, ids: Sequence[int]) -> dict[int, Columns]:
        found = {}
        for begin in range(0, len(ids), _MAX_AT_ONCE):
            some = ids[begin : begin + _MAX_AT_ONCE]
            statement = f"{select} WHERE {column} IN ({', '.join('?' * len(some))})"
            for row in self._rows(statement, some):
                found[int(row["id"])] = row
        return found

    def _work(self, work: Callable[[], T]) -> T:
        """Do something with the file; if it proves damaged, repeat it with a new file."""
        try:
            with errors_reported(self.path):
                return work()
        except DamagedError:
            self._connection.close()
            self._connection = self._restart()
        try:
            with errors_reported(self.path):
                return work()
        except DamagedError:
            raise HistoryError.tr("The history {path} is damaged", path=self.path) from None

    def _open(self) -> sqlite3.Connection:
        which = identity(self.path)
        try:
            connection = connect(self.path)
        except DamagedError:
            self._which = which
            return self._restart()
        self._which = identity(self.path)
        return connection

    def _restart(self) -> sqlite3.Connection:
        """Set the damaged file aside and begin a new one."""
        kept = set_aside(self.path, self._which)
        if kept is not None:
            self.notice = tr(
                "The history was damaged. It is kept as {kept}, and a new one was started.",
                kept=kept,
            )
        try:
            connection = connect(self.path)
        except DamagedError:
            raise HistoryError.tr(
                "The history {path} is damaged and cannot be moved", path=self.path
            ) from None
        self._which = identity(self.path)
        return connection


def _search_text(line: Row, params: JsonObject) -> str:
    """Return what a search looks at: texts in English, and the solver as the window names it."""
    puzzle, key, title = (str(line[part]) for part in ("puzzle", "solver", "solver_title"))
    heuristic = catalog.parameters(puzzle, key).get(catalog.HEURISTIC)
    named = [tr(title)]
    if heuristic is not None and catalog.HEURISTIC in params:
        value = str(params[catalog.HEURISTIC])
        english = dict(zip(heuristic.choices, heuristic.choice_titles, strict=True)).get(value, "")
        named += [value, english, catalog.solver_title(puzzle, key, title, params)]
    parts = ("title", "puzzle", "solver", "solver_title", "status", "value_text", "tags", "note")
    size, seed = f"{line['rows']}×{line['cols']}", f"seed:{line['seed']}"
    return " ".join([*(str(line[part]) for part in parts), size, seed, *named]).casefold()


def _details(record: RunRecord) -> Columns:
    metrics, curves = pack(record.curves)
    return {
        **{
            name: json.dumps(dict(getattr(record, name)), ensure_ascii=False, default=str)
            for name in JSON_COLUMNS
        },
        "journal": json.dumps(
            [[change.unit, change.name, change.value] for change in record.journal]
        ),
        "run_file": record.run_file,
        "cells": None if record.cells is None else record.cells.astype(np.uint8).tobytes(),
        "board": "\n".join(record.board),
        "moves": record.moves,
        "optimal": record.optimal,
        "metrics": metrics,
        "curves": curves,
        "thumbnail": record.thumbnail,
    }


def puzzle_of(record: RunRecord) -> Puzzle:
    """Make the instance of a run again; raises TileLabError with the missing part."""
    known = catalog.puzzles()
    if record.puzzle not in known:
        raise HistoryError.tr(
            "run {id} is of the puzzle {puzzle}, which is not installed",
            id=record.id,
            puzzle=record.puzzle,
        )
    return known[record.puzzle].from_record(record)


def board_puzzle_of(record: RunRecord) -> Puzzle:
    """Make the instance of a run again, starting with its best board, or that of its path."""
    puzzle = puzzle_of(record)
    if not record.board:
        return puzzle
    best = Best(puzzle.parse(record.board), 0.0, 0, record.moves)
    return puzzle.starting_with(puzzle.saved_cells(best))


def recipe_of(record: RunRecord) -> Callable[[Puzzle], Recipe]:
    """Return a function from instance to recipe; raises TileLabError for what is unreadable."""
    solver = catalog.solver(record.puzzle, record.solver)
    return partial(
        Recipe,
        solver=record.solver,
        params=kept_params(solver.spec.params, record.params),
        seed=record.seed,
        limits=validate(Limits, record.limits),
        changes=record.journal,
    )


def run_file_of(record: RunRecord) -> Path | None:
    """Return the file that continues a run, the newest of several; None when there is none."""
    run = find_by_key(record.key)
    files = [] if run is None else [run.path / RUN]
    if record.run_file is not None and is_there(path_from(record.run_file)):
        files.append(path_from(record.run_file))
    return max(files, key=_modification_time, default=None)


def required_run_file(record: RunRecord) -> Path:
    """Return the file that continues a run; raises HistoryError with the missing part."""
    file = run_file_of(record)
    if file is not None:
        return file
    if record.run_file is not None:
        raise HistoryError.tr(
            "{shown_path}, the file of run {id}, no longer exists",
            shown_path=shown_path(record.run_file or ""),
            id=record.id,
        )
    raise HistoryError.tr(
        "run {id} was neither saved nor interrupted; it can be run again", id=record.id
    )


def _modification_time(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
