"""The results of a sweep so far: an SQLite file in its folder, and the table ``rows.csv``."""

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tilelab import catalog
from tilelab.core.errors import RunError, TileLabError, errors_as, reason
from tilelab.core.files.paths import expanded
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import figures
from tilelab.core.text.shown_text import csv_lines, quoted, shown_path
from tilelab.core.text.wording import counted
from tilelab.core.version import VERSION
from tilelab.experiments.job_run import (
    FAILED,
    Improvement,
    Outcome,
    Row,
    failed_row,
    forget,
    from_json,
    to_json,
)
from tilelab.experiments.jobs import Runs
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.row_digests import (
    N_RUNS,
    PLAN,
    ROWS,
    SEAL,
    Check,
    RowPlaces,
    StoredRun,
    digest,
    doubts,
    seal_of,
)
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.history.schema import transaction

FILE, TABLE, RUNNING = "sweep.sqlite", "rows.csv", "running"
MAX_TRIES = 3  # maximum number of attempts at a run that fails
_BATCH = 1_000  # number of rows that are read at a time
_VERSION = 3
_FIRST_VERSION = 2  # that of 1.0.0, whose rows have no digests
_TABLES = (
    "CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    # Without a row: a run that has failed this often, with its last error.
    "CREATE TABLE runs (place INTEGER PRIMARY KEY, tries INTEGER NOT NULL, error TEXT NOT NULL, "
    "result TEXT, improvements TEXT, digest TEXT)",
)
_SOUND = (
    "CREATE TEMP TABLE unsound (place INTEGER PRIMARY KEY)",
    "CREATE TEMP VIEW sound AS "
    "SELECT * FROM main.runs WHERE place NOT IN (SELECT place FROM unsound)",
)
_MAX_BYTES = 100_000_000  # largest text in the file, which may be damaged
_MAY_DIFFER = ("program", N_RUNS)  # entries that another program, or more trials, may change


class Counts(NamedTuple):
    n_runs: int
    n_done: int
    n_failed: int


class ResultsSummary(NamedTuple):
    """What a list says of the results in a folder."""

    folder: Path
    plan: Plan
    n_done: int  # number of finished runs
    written: float  # time of the last change, in seconds since 1970


class Results(contextlib.AbstractContextManager["Results"]):
    """The results of one plan; a run that is done is never repeated, nor its row changed.

    Belongs to the thread that opens it; no other program can open the folder meanwhile. Rows that
    were damaged, lost or altered do not count; their runs are done again.
    """

    doubts: tuple[str, ...] = ()  # sentences on errors in the rows that were in the folder

    def __init__(self, folder: str | Path, runs: Runs, *, resume: bool = False) -> None:
        self.folder, self.runs = expanded(folder), runs
        self._places = RowPlaces()
        with self._errors():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._connection = _open(self.folder)
        with contextlib.ExitStack() as undo:
            undo.callback(self._connection.close)
            with self._errors():
                self._prepare(resume=resume)
            undo.pop_all()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    @property
    def counts(self) -> Counts:
        with self._errors():
            n_done, n_kept = self._connection.execute(
                "SELECT count(result), count(*) FROM sound"
            ).fetchone()
        return Counts(len(self.runs), n_done, n_kept - n_done)

    def make_checkpoints(self) -> None:
        with self._errors():
            self.checkpoints.mkdir(exist_ok=True)

    def left(self) -> list[int]:
        """Return the places of the runs still to be done, in order."""
        with self._errors():
            over = {
                place
                for (place,) in self._connection.execute(
                    "SELECT place FROM sound WHERE result IS NOT NULL OR tries >= ?", (MAX_TRIES,)
                )
            }
        return [place for place in range(len(self.runs)) if place not in over]

    def keep(self, outcomes: Sequence[tuple[int, Outcome]], n_tries: int = 1) -> None:
        """Keep results by their places, on disk when this returns; each counts as n_tries."""
        places = RowPlaces(self._places.bounds)
        with self._errors(), transaction(self._connection):
            for place, (row, improvements) in outcomes:
                found = self._find("tries, result", place)
                n_before, known = (0, None) if found is None else found
                if known is not None:
                    continue
                result = None if row["status"] == FAILED else json.dumps(row)
                stored = StoredRun(
                    place, n_before + n_tries, row["error"], result, to_json(improvements)
                )
                self._store(stored)
                self._connection.execute("DELETE FROM unsound WHERE place = ?", (place,))
                places.add(place)
            self._set_about({ROWS: places.text(self._check.plan)})
        self._places = places
        for place, _ in outcomes:
            forget(self.checkpoints, place)

    @property
    def checkpoints(self) -> Path:
        return self.folder / RUNNING

    def tries(self, place: int) -> int:
        with self._errors():
            found = self._find("tries", place)
        return 0 if found is None else int(found[0])

    def row(self, place: int) -> Row | None:
        """Return the row of a run that is done, or that has failed too often; else None."""
        with self._errors():
            found = self._find("tries, error, result", place)
        if found is None:
            return None
        tries, error, result = found
        is_over = result is not None or tries >= MAX_TRIES
        return self._row(place, error, result) if is_over else None

    def rows(self) -> Iterator[Row]:
        """Return the rows of the runs that are done and of those that have failed, in order."""
        for place, error, result in self._select("place, error, result"):
            yield self._row(place, error, result)

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        """Return the same rows with their places and the improvements of their bests."""
        for place, error, result, known in self._select("place, error, result, improvements"):
            improvements = () if result is None else from_json(known or "[]")
            yield place, Outcome(self._row(place, error, result), improvements)

    def require_none_failed(self) -> None:
        """Raise RunError when runs have failed, with the error of the first."""
        n_failed = self.counts.n_failed
        if n_failed:
            with self._errors():
                (first,) = self._connection.execute(
                    "SELECT error FROM sound WHERE result IS NULL ORDER BY place LIMIT 1"
                ).fetchone()
            raise RunError.tr(
                "{n_failed} failed; the first with: {first}",
                n_failed=counted(n_failed, "run"),
                first=first,
            )

    def write_table(self) -> Path:
        return write_atomically(self.folder / TABLE, rows_csv(self.rows()))

    def _select(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Return columns of all runs in order, in batches: a sweep may have a million."""
        with self._errors():
            found = self._connection.execute(f"SELECT {columns} FROM sound ORDER BY place")
        while True:
            with self._errors():
                some = found.fetchmany(_BATCH)
            if not some:
                return
            yield from some

    def _find(self, columns: str, place: int) -> Any:
        """Return columns of a run, or None where it has no valid row."""
        return self._connection.execute(
            f"SELECT {columns} FROM sound WHERE place = ?", (place,)
        ).fetchone()

    def _store(self, stored: StoredRun) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)",
            (*stored, self._check.digest_of(stored)),
        )

    def _set_about(self, entries: Mapping[str, str]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO sweep VALUES (?, ?)", entries.items())

    def _row(self, place: int, error: str, result: str | None) -> Row:
        if result is None:
            return failed_row(self.runs.job(place), error)
        row: Row = json.loads(result)
        return row

    def _prepare(self, *, resume: bool) -> None:
        connection = self._connection
        # No other program gets in, and none has to share memory: folders of clusters cannot.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")
        with transaction(connection):
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            has_digests = version in (0, _VERSION)
            if not version:
                for statement in (*_TABLES, f"PRAGMA user_version = {_VERSION}"):
                    connection.execute(statement)
                self._begin()
                version = _VERSION
            elif (found := connection.execute("PRAGMA quick_check(1)").fetchone()) != ("ok",):
                raise ValueError(*found)  # writing into it would damage it further
            about = _about(connection, version)
            if version == _FIRST_VERSION:
                connection.execute("ALTER TABLE runs ADD COLUMN digest TEXT")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            self._check = Check(about, has_digests=has_digests)
            self._require_same(about)
            self._check_rows(about)
        counts = self.counts
        if not resume and counts.n_done + counts.n_failed:
            raise TileLabError.tr(
                "{folder} has {n_done} of this plan's "
                "{n_runs} runs already; --resume continues with them",
                folder=shown_path(self.folder),
                n_done=figures(counts.n_done, ","),
                n_runs=figures(counts.n_runs, ","),
            )

    def _begin(self) -> None:
        about = dict(_identity(self.runs))
        entries = {SEAL: seal_of(about), ROWS: RowPlaces().text(digest(about[PLAN]))}
        self._set_about({**about, **entries})

    def _check_rows(self, about: Mapping[str, str]) -> None:
        """Set aside the invalid rows; rows of 1.0.0 get their digests."""
        check, connection = self._check, self._connection
        sound = check.sound(connection.execute(_lines(_VERSION)))
        if not check.has_digests:
            for stored in list(sound):
                self._store(stored)
        for _ in sound:  # nothing but the check is needed
            continue
        for statement in _SOUND:
            connection.execute(statement)
        for query, places in (
            ("INSERT INTO unsound VALUES (?)", list(check.unsound)),
            ("DELETE FROM runs WHERE place = ?", check.unknown_rows),
        ):
            connection.executemany(query, [(place,) for place in places])
        self._places = check.places
        self.doubts = doubts(check.unsound, check.doubt)
        # For readers that do not have the plan's files.
        sized = {**about, N_RUNS: json.dumps(len(self.runs))}
        entries = {N_RUNS: sized[N_RUNS], SEAL: seal_of(sized), ROWS: check.places.text(check.plan)}
        if any(about.get(name) != text for name, text in entries.items()):
            self._set_about(entries)

    def _require_same(self, known: Mapping[str, str]) -> None:
        """Raise unless the folder is that of this plan and these solvers."""
        for name, value in _identity(self.runs):
            then, now = (_flat(json.loads(text)) for text in (known[name], value))
            for key in [] if name in _MAY_DIFFER else sorted({*then, *now}):
                if then.get(key) != now.get(key):
                    raise TileLabError.tr(
                        "{folder} holds the results of another plan: {key} was {before} and is "
                        "{now}; another folder is needed",
                        folder=shown_path(self.folder),
                        key=key,
                        before=quoted(then.get(key, "not there")),
                        now=quoted(now.get(key, "not there")),
                    )

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        return _errors_in(self.folder)


class _Improvements(Sequence[tuple[Improvement, ...]]):
    """Improvements that are parsed from JSON on access: of a large sweep they take gigabytes."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, place: int) -> tuple[Improvement, ...]:  # type: ignore[override]
        return from_json(self._texts[place])


class Kept(NamedTuple):
    plan: Plan
    rows: tuple[Row, ...]  # rows of the runs that are done, in order
    n_failed: int
    places: tuple[int, ...] = ()  # place in the plan, for the run of each row
    improvements: Sequence[tuple[Improvement, ...]] = ()  # of the best, for the run of each row
    errors: tuple[tuple[int, str], ...] = ()  # place and error of each run that failed
    n_runs: int | None = None  # of the whole plan; None if it is unknown
    program: str = ""  # version of the program that has begun the folder
    unsound: tuple[int, ...] = ()  # places of the runs whose rows are damaged, missing or altered
    doubt: str = ""  # a sentence on what is not known of the rows, or ''

    @property
    def doubts(self) -> tuple[str, ...]:
        return doubts(self.unsound, self.doubt)


def read_results(folder: str | Path) -> Kept:
    """Read the results in a folder, done or not; raises TileLabError."""
    place = expanded(folder)
    if not (place / FILE).is_file():
        raise TileLabError.tr("There are no results in {place}", place=shown_path(place))
    with _errors_in(place), contextlib.closing(_open(place)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        about = _about(connection, version)
        check = Check(about, has_digests=version == _VERSION)
        kept = list(check.sound(connection.execute(_lines(version))))
        done = [(row, row.result) for row in kept if row.result is not None]
        return Kept(
            plan_of(json.loads(about[PLAN])),
            rows=tuple(json.loads(result) for _, result in done),
            n_failed=len(kept) - len(done),
            places=tuple(row.place for row, _ in done),
            improvements=_Improvements([row.improvements or "[]" for row, _ in done]),
            errors=tuple((row.place, row.error) for row in kept if row.result is None),
            n_runs=check.n_runs,
            program=str(json.loads(about.get("program", '""'))),
            unsound=tuple(sorted(check.unsound)),
            doubt=check.doubt,
        )


def find_results(plan: Plan, parents: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders with results of a plan directly in some others, the last written first.

    Folders that cannot be read are left out.
    """
    for folder in _written_in(parents):
        with contextlib.suppress(TileLabError):
            with _errors_in(folder), contextlib.closing(_open(folder)) as connection:
                is_same = _plan_in(connection) == plan
            if is_same:
                yield folder


def latest_results(parents: Iterable[Path], most: int) -> list[ResultsSummary]:
    """Describe the results directly in some folders, the last written first; most: how many.

    Folders that cannot be read are left out.
    """
    found: list[ResultsSummary] = []
    for folder in _written_in(parents):
        with contextlib.suppress(TileLabError):
            found.append(_summary_of(folder))
        if len(found) == most:
            break
    return found


def _written_in(parents: Iterable[Path]) -> list[Path]:
    """Return the folders with results directly in some others, the last written first."""
    found: dict[Path, float] = {}
    for parent in parents:
        with contextlib.suppress(OSError):
            found |= {file.parent: file.stat().st_mtime for file in parent.glob(f"*/{FILE}")}
    return sorted(found, key=lambda each: -found[each])


def _summary_of(folder: Path) -> ResultsSummary:
    with _errors_in(folder), contextlib.closing(_open(folder)) as connection:
        plan = _plan_in(connection)
        (n_done,) = connection.execute("SELECT count(result) FROM runs").fetchone()
        return ResultsSummary(folder, plan, n_done, (folder / FILE).stat().st_mtime)


def _plan_in(connection: sqlite3.Connection) -> Plan:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return plan_of(json.loads(_about(connection, version)[PLAN]))


def _open(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / FILE, timeout=1.0, isolation_level=None)
    # The file may be damaged: the digest notices what is no text.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
    return connection


def _about(connection: sqlite3.Connection, version: int) -> dict[str, str]:
    """Return the entries that the rows belong to; raises TileLabError for a version not read."""
    if version > _VERSION:
        raise TileLabError.tr(
            "These results were written by a later TileLab: their version is {version}, and "
            "this one reads {known}",
            version=version,
            known=_VERSION,
        )
    if 0 < version < _FIRST_VERSION:
        raise TileLabError.tr(
            "These results were written before TileLab 1.0.0 and are no longer read"
        )
    query = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')"
    if connection.execute(query).fetchone() != (0,):
        raise ValueError("no sweep has triggers or views")
    return dict(connection.execute("SELECT name, value FROM sweep"))


def _lines(version: int) -> str:
    digests = "digest" if version == _VERSION else "NULL"
    return f"SELECT place, tries, error, result, improvements, {digests} FROM runs ORDER BY place"


def _errors_in(folder: Path) -> contextlib.AbstractContextManager[None]:
    def report(error: Exception) -> Exception:
        if isinstance(error, TileLabError):
            return error
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return TileLabError.tr("Another program is using {folder}", folder=shown_path(folder))
        why = str(error) if isinstance(error, sqlite3.Error) else reason(error)
        return TileLabError.tr(
            "The results in {folder} cannot be used: {reason}",
            folder=shown_path(folder),
            reason=why,
        )

    return errors_as(report)


def _identity(runs: Runs) -> list[tuple[str, str]]:
    """Return what may not change while runs are added to a folder."""
    kind = runs.plan.puzzle.kind
    versions = {
        table.solver: catalog.solver(kind, table.solver).spec.version for table in runs.plan.solvers
    }
    files = runs.files
    return [
        (PLAN, json.dumps(runs.plan.model_dump(mode="json"))),
        ("versions", json.dumps({"version of": versions})),
        ("files", json.dumps({f"contents of {Path(file).name}": _digest(file) for file in files})),
        ("program", json.dumps(VERSION)),
        (N_RUNS, json.dumps(len(runs))),
    ]


def _digest(file: str) -> str:
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
    """Return rows as CSV with a line of headings; a table within a cell is JSON.

    The last columns are the metrics one by one, as spreadsheets need them.
    """
    rows, names = list(rows), list(Row.__annotations__)
    metrics = list(dict.fromkeys(name for row in rows for name in row["metrics"]))
    lines = (
        [*map(dict(row).get, names), *(row["metrics"].get(name, "") for name in metrics)]
        for row in rows
    )
    cells = ([json.dumps(v) if isinstance(v, Mapping) else v for v in line] for line in lines)
    return csv_lines([[*names, *(f"metric_{name}" for name in metrics)], *cells])


def summary(results: Results) -> JsonObject:
    return {**results.counts._asdict(), "rows": [dict(row) for row in results.rows()]}
