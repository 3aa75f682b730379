"""What a sweep has brought so far: an SQLite file in its folder, and the table ``rows.csv``."""

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, overload

from tilelab import catalog
from tilelab.core.errors import RunError, TileLabError, errors_as, reason
from tilelab.core.language import figures, tr
from tilelab.core.paths import expanded
from tilelab.core.plain import JsonObject
from tilelab.core.shown_text import csv_lines, quoted, shown_path
from tilelab.core.version import VERSION
from tilelab.core.wording import counted
from tilelab.experiments.cell_run import FAILED, Outcome, Row, failed_row
from tilelab.experiments.cells import JobList
from tilelab.experiments.checkpoints import forget
from tilelab.experiments.improvements import Improvement, from_json, to_json
from tilelab.experiments.plan import Plan, plan_of
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.history.schema import transaction

FILE, TABLE, RUNNING = "sweep.sqlite", "rows.csv", "running"
MOST_TRIES = 3
"""Of a run that fails."""
_BATCH = 1_000
"""Rows that are read at a time."""
_VERSION = 2
_N_RUNS = "number of runs"
_TABLES = (
    "CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    # Without a row: a run that has failed so often, lastly with this error.
    "CREATE TABLE runs (place INTEGER PRIMARY KEY, tries INTEGER NOT NULL, error TEXT NOT NULL, "
    "result TEXT, improvements TEXT)",
)
_MIGRATIONS = {1: "ALTER TABLE runs ADD COLUMN improvements TEXT"}
"""What makes the next version of each older one."""


class Counts(NamedTuple):
    """How far a sweep is."""

    n_runs: int
    n_done: int
    n_failed: int


class Results:
    """The results of one plan; a run that is done is never done again, nor its row changed.

    Belongs to the thread that opens it. While it is open, no other program can open the folder.
    Whatever ends the program, a row that was kept is there.
    """

    def __init__(self, folder: str | Path, runs: JobList, *, resume: bool = False) -> None:
        self.folder, self._runs = expanded(folder), runs
        with self._errors():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._connection = _opened(self.folder)
        with contextlib.ExitStack() as undo:
            undo.callback(self._connection.close)
            with self._errors():
                self._prepare(resume=resume)
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def counts(self) -> Counts:
        """How many runs there are, are done, and have failed."""
        with self._errors():
            n_done, n_kept = self._connection.execute(
                "SELECT count(result), count(*) FROM runs"
            ).fetchone()
        return Counts(len(self._runs), n_done, n_kept - n_done)

    def make_checkpoints(self) -> None:
        """Make the folder for runs that are broken off; raises TileLabError."""
        with self._errors():
            self.checkpoints.mkdir(exist_ok=True)

    def left(self) -> list[int]:
        """Return the places of the runs that are to be done, in order."""
        with self._errors():
            over = {
                place
                for (place,) in self._connection.execute(
                    "SELECT place FROM runs WHERE result IS NOT NULL OR tries >= ?", (MOST_TRIES,)
                )
            }
        return [place for place in range(len(self._runs)) if place not in over]

    def keep(self, outcomes: Sequence[tuple[int, Outcome]], n_tries: int = 1) -> None:
        """Keep what some runs have come to, by their places, on disk when this returns.

        n_tries: as how many tries each of them counts.
        """
        with self._errors(), transaction(self._connection):
            for place, (row, improvements) in outcomes:
                result = None if row["status"] == FAILED else json.dumps(row)
                self._connection.execute(
                    "INSERT INTO runs VALUES (?, ?, ?, ?, ?) ON CONFLICT (place) DO UPDATE SET "
                    "tries = tries + excluded.tries, error = excluded.error, "
                    "result = excluded.result, improvements = excluded.improvements "
                    "WHERE result IS NULL",
                    (place, n_tries, row["error"], result, to_json(improvements)),
                )

        for place, _ in outcomes:
            forget(self.checkpoints, place)

    @property
    def checkpoints(self) -> Path:
        """The folder of the runs that are going."""
        return self.folder / RUNNING

    def tries(self, place: int) -> int:
        """Return how often a run has failed or been done."""
        with self._errors():
            found = self._connection.execute(
                "SELECT tries FROM runs WHERE place = ?", (place,)
            ).fetchone()
        return 0 if found is None else int(found[0])

    def row(self, place: int) -> Row | None:
        """Return the row of a run that is done, or that has failed too often; else None."""
        with self._errors():
            found = self._connection.execute(
                "SELECT tries, error, result FROM runs WHERE place = ?", (place,)
            ).fetchone()
        if found is None:
            return None
        tries, error, result = found
        is_over = result is not None or tries >= MOST_TRIES
        return self._row(place, error, result) if is_over else None

    def rows(self) -> Iterator[Row]:
        """Return the rows of the runs that are done and of those that have failed, in order."""
        for place, error, result in self._selected("place, error, result"):
            yield self._row(place, error, result)

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        """Return the same with their places, and how the best of each became better."""
        for place, error, result, known in self._selected("place, error, result, improvements"):
            improvements = () if result is None else from_json(known or "[]")
            yield place, Outcome(self._row(place, error, result), improvements)

    def require_none_failed(self) -> None:
        """Raise RunError when runs have failed, with the error of the first."""
        n_failed = self.counts.n_failed
        if n_failed:
            with self._errors():
                (first,) = self._connection.execute(
                    "SELECT error FROM runs WHERE result IS NULL ORDER BY place LIMIT 1"
                ).fetchone()
            raise RunError(
                tr("{n_failed} failed; the first with: {first}").format(
                    n_failed=counted(n_failed, "run"), first=first
                )
            )

    def write_table(self) -> Path:
        """Write all rows as ``rows.csv``."""
        return write_atomically(self.folder / TABLE, rows_csv(self.rows()))

    def _selected(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Return columns of all runs in order, some at a time: a sweep may have a million."""
        with self._errors():
            found = self._connection.execute(f"SELECT {columns} FROM runs ORDER BY place")
        while True:
            with self._errors():
                some = found.fetchmany(_BATCH)
            if not some:
                return
            yield from some

    def _row(self, place: int, error: str, result: str | None) -> Row:
        if result is None:
            return failed_row(self._runs.job(place), error)
        row: Row = json.loads(result)
        return row

    def _prepare(self, *, resume: bool) -> None:
        connection = self._connection
        # No other program gets in, and none has to share memory: folders of clusters cannot.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        with transaction(connection):
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not version:
                for statement in _TABLES:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {_VERSION}")
                connection.executemany("INSERT INTO sweep VALUES (?, ?)", _identity(self._runs))
                self._note_size()
                return
            while version in _MIGRATIONS:
                connection.execute(_MIGRATIONS[version])
                version += 1
                connection.execute(f"PRAGMA user_version = {version}")
            if version != _VERSION:
                raise TileLabError(
                    tr(
                        "{folder} was written by another TileLab: its version is "
                        "{version}, and this one reads {version_2}"
                    ).format(folder=shown_path(self.folder), version=version, version_2=_VERSION)
                )
            known = dict(connection.execute("SELECT name, value FROM sweep"))
        self._require_same(known)
        self._note_size()
        counts = self.counts
        if not resume and counts.n_done + counts.n_failed:
            raise TileLabError(
                tr(
                    "{folder} has {n_done} of this plan's "
                    "{n_runs} runs already; --resume goes on with them"
                ).format(
                    folder=shown_path(self.folder),
                    n_done=figures(counts.n_done, ","),
                    n_runs=figures(counts.n_runs, ","),
                )
            )

    def _note_size(self) -> None:
        """Keep how many runs there are, for who reads the folder without the plan's files."""
        self._connection.execute(
            "INSERT OR REPLACE INTO sweep VALUES (?, ?)", (_N_RUNS, json.dumps(len(self._runs)))
        )

    def _require_same(self, known: Mapping[str, str]) -> None:
        """Raise unless the folder is that of this plan and these solvers."""
        for name, value in _identity(self._runs):
            if name not in known:  # by an earlier version
                continue
            then, now = (_flat(json.loads(text)) for text in (known[name], value))
            for key in [] if name == "program" else sorted({*then, *now}):
                if then.get(key) != now.get(key):
                    raise TileLabError(
                        tr(
                            "{folder} holds the results of another plan: {key} was "
                            "{quoted} and is "
                            "{quoted_2}; another folder is needed"
                        ).format(
                            folder=shown_path(self.folder),
                            key=key,
                            quoted=quoted(then.get(key, "not there")),
                            quoted_2=quoted(now.get(key, "not there")),
                        )
                    )

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        return _errors_in(self.folder)


class _Improvements(Sequence[tuple[Improvement, ...]]):
    """Read out of their JSON when they are asked for: of a large sweep they take gigabytes."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> tuple[Improvement, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[Improvement, ...]]: ...
    def __getitem__(
        self, place: int | slice
    ) -> tuple[Improvement, ...] | Sequence[tuple[Improvement, ...]]:
        if isinstance(place, slice):
            return _Improvements(self._texts[place])
        return from_json(self._texts[place])


class Kept(NamedTuple):
    """What a folder holds, for whoever reads it."""

    plan: Plan
    rows: tuple[Row, ...]
    """Of the runs that are done, in order."""
    n_failed: int
    places: tuple[int, ...] = ()
    """Of each row, its run's place in the plan."""
    improvements: Sequence[tuple[Improvement, ...]] = ()
    """Of each row, how its run's best became better."""
    errors: tuple[tuple[int, str], ...] = ()
    """Of the runs that failed, place in the plan and error."""
    n_runs: int | None = None
    """Of the whole plan; None where an earlier version has not kept it."""
    program: str = ""
    """The version that has begun the folder."""


def read_results(folder: str | Path) -> Kept:
    """Read the results in a folder, done or not; raises TileLabError."""
    place = expanded(folder)
    if not (place / FILE).is_file():
        raise TileLabError(tr("There are no results in {place}").format(place=shown_path(place)))
    with _errors_in(place), contextlib.closing(_opened(place)) as connection:
        about = {
            name: json.loads(value)
            for name, value in connection.execute("SELECT name, value FROM sweep")
        }
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        column = "improvements" if version >= _VERSION else "NULL"
        kept = connection.execute(
            f"SELECT place, error, result, {column} FROM runs ORDER BY place"
        ).fetchall()
        done = [(at, json.loads(text), known) for at, _, text, known in kept if text is not None]
        return Kept(
            plan_of(about["plan"]),
            rows=tuple(row for _, row, _ in done),
            n_failed=len(kept) - len(done),
            places=tuple(at for at, _, _ in done),
            improvements=_Improvements([known or "[]" for _, _, known in done]),
            errors=tuple((at, error) for at, error, text, _ in kept if text is None),
            n_runs=about.get(_N_RUNS),
            program=about.get("program", ""),
        )


def _opened(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / FILE, timeout=1.0, isolation_level=None)


def _errors_in(folder: Path) -> contextlib.AbstractContextManager[None]:
    def report(error: Exception) -> Exception:
        if isinstance(error, TileLabError):
            return error
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return TileLabError(
                tr("Another program is at work in {folder}").format(folder=shown_path(folder))
            )
        why = str(error) if isinstance(error, sqlite3.Error) else reason(error)
        return TileLabError(
            tr("The results in {folder} cannot be used: {why}").format(
                folder=shown_path(folder), why=why
            )
        )

    return errors_as(report)


def _identity(runs: JobList) -> list[tuple[str, str]]:
    """Say what may not change while runs are added to a folder."""
    kind = runs.plan.puzzle.kind
    versions = {
        table.solver: catalog.solver(kind, table.solver).spec.version for table in runs.plan.solvers
    }
    files = runs.files
    return [
        ("plan", json.dumps(runs.plan.model_dump(mode="json"))),
        ("versions", json.dumps({"version of": versions})),
        ("files", json.dumps({f"contents of {Path(file).name}": _digest(file) for file in files})),
        ("program", json.dumps(VERSION)),
    ]


def _digest(file: str) -> str:
    """Return what tells the contents of a file from others."""
    with Path(file).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


def _flat(value: object, key: str = "") -> dict[str, object]:
    """Return the parts of a plain value by their keys, such as ``limits.units``."""
    parts: Iterable[tuple[str, object]]
    if isinstance(value, Mapping):
        parts = [(f"{key}.{name}" if key else name, part) for name, part in value.items()]
    elif isinstance(value, list):
        parts = [(f"{key}[{place}]", part) for place, part in enumerate(value, 1)]
    else:
        return {key: value}
    return {name: leaf for each, part in parts for name, leaf in _flat(part, each).items()}


def rows_csv(rows: Iterable[Row]) -> str:
    """Write rows as CSV with a line of headings; a table within a cell is JSON."""
    names = list(Row.__annotations__)
    cells = ([_cell(value) for value in map(dict(row).get, names)] for row in rows)
    return csv_lines([names, *cells])


def _cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, Mapping) else value


def summary(results: Results) -> JsonObject:
    """Return the one object that says what a sweep has come to."""
    return {**results.counts._asdict(), "rows": [dict(row) for row in results.rows()]}
