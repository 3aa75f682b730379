"""The history's tables, their version, and damaged files."""

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from tilelab.core.errors import TileLabError, errors_as
from tilelab.core.files.paths import data_folder, expanded
from tilelab.runs.files.atomic import close_to_others, private_file, private_folder

BUSY_SECONDS = 10.0
APPLICATION_ID = 0x544C4831  # in the file, so that no other program's database is taken for it
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# Errors of the disk, or of another program's locks, while the file is sound.
_CIRCUMSTANCES = (
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
)
_HEAD = 100  # size of the file's own header, in bytes
_SIDE_FILES = ("-wal", "-shm")

VERSION = 3  # that of 1.0.0, too
# The list's columns are narrow, so that filters and sorting read few pages; boards, curves and
# parameters are in a table of their own.
TABLES = (
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        puzzle TEXT NOT NULL, title TEXT NOT NULL,
        rows INTEGER NOT NULL, cols INTEGER NOT NULL,
        solver TEXT NOT NULL, solver_title TEXT NOT NULL, seed INTEGER NOT NULL,
        status TEXT NOT NULL, unit TEXT NOT NULL, units INTEGER NOT NULL,
        seconds REAL NOT NULL,
        value REAL, value_text TEXT NOT NULL, n_moves INTEGER,
        best_unit INTEGER, best_seconds REAL,
        begun TEXT NOT NULL, ended TEXT NOT NULL, program TEXT NOT NULL,
        tags TEXT NOT NULL, note TEXT NOT NULL,
        search TEXT NOT NULL,
        deleted TEXT,
        evaluations INTEGER, expanded INTEGER, generated INTEGER, memory REAL, proven INTEGER
    )""",
    # The defaults are those of 1.0.0, so that its files have the same columns.
    """CREATE TABLE run_details (
        id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        instance TEXT NOT NULL, puzzle_params TEXT NOT NULL,
        params TEXT NOT NULL, limits TEXT NOT NULL,
        cells BLOB, board TEXT NOT NULL, moves TEXT, optimal INTEGER,
        metrics TEXT NOT NULL, curves BLOB, thumbnail BLOB,
        journal TEXT NOT NULL DEFAULT '[]', origin TEXT NOT NULL DEFAULT '{}', run_file TEXT
    )""",
    "CREATE INDEX runs_begun ON runs (begun) WHERE deleted IS NULL",
    "CREATE INDEX runs_puzzle ON runs (puzzle, solver, begun) WHERE deleted IS NULL",
    "CREATE INDEX runs_solver ON runs (solver, begun) WHERE deleted IS NULL",
    "CREATE INDEX runs_value ON runs (value, n_moves) WHERE deleted IS NULL",
    "CREATE INDEX runs_seconds ON runs (seconds) WHERE deleted IS NULL",
    "CREATE INDEX runs_deleted ON runs (deleted) WHERE deleted IS NOT NULL",
    # A search through the texts reads this index, not the table.
    "CREATE INDEX runs_search ON runs (search, begun) WHERE deleted IS NULL",
    "CREATE INDEX run_details_file ON run_details (run_file) WHERE run_file IS NOT NULL",
    # The list of figures that occur is read from this index, not from the table.
    """CREATE INDEX runs_figures ON runs
        (puzzle, solver, deleted, evaluations, expanded, generated, memory, proven)""",
    f"PRAGMA application_id = {APPLICATION_ID}",
)


class HistoryError(TileLabError):
    """The history cannot be read or written."""


class DamagedError(Exception):
    """The file is no longer a valid history; it has to be set aside."""


def default_file() -> Path:
    """Return the history's file: in ``TILELAB_DATA_DIR``, or in the user's own data folder."""
    return expanded(data_folder()) / "history.sqlite"


def connect(path: Path) -> sqlite3.Connection:
    """Open a history, made where there is none; DamagedError: it is none; HistoryError."""
    with errors_reported(path):
        private_folder(path.parent)
        # SQLite gives the files next to it the rights of this one.
        private_file(path)
        for ending in _SIDE_FILES:
            close_to_others(path.with_name(path.name + ending))
        # Statements are put in transactions by hand: sqlite3's own begin too late.
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        # A text that a bad disk has changed is read as far as possible.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        with contextlib.ExitStack() as undo:
            undo.callback(connection.close)
            _prepare(connection, path)
            undo.pop_all()
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    if mode != "wal":
        # Another program that begins at this moment sets it too; either of both is enough.
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    if _version(connection) != VERSION:
        with transaction(connection):
            _make_tables(connection, path)
    # A file that lost its tables fails here, and not in the middle of an operation.
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (n_tables,) = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('runs', 'run_details')"
    ).fetchone()
    if mark != APPLICATION_ID or n_tables != 2:
        raise DamagedError


def _make_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of an empty file; raises HistoryError for another version."""
    version = _version(connection)
    (n_things,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    if n_things and mark != APPLICATION_ID:
        raise DamagedError
    if version > VERSION:
        raise HistoryError.tr(
            "{path} was written by a later TileLab: its version is {version}, and this one reads "
            "up to {known}",
            path=path,
            version=version,
            known=VERSION,
        )
    if 0 < version < VERSION:
        raise HistoryError.tr(
            "{path} was written before TileLab 1.0.0 and is no longer read; if it is moved away, "
            "a new history begins",
            path=path,
        )
    if version != VERSION:  # another program may have made them meanwhile
        for statement in (*TABLES, f"PRAGMA user_version = {VERSION}"):
            connection.execute(statement)


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do everything in one transaction or nothing; waits for another program that is writing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def errors_reported(path: Path) -> contextlib.AbstractContextManager[None]:
    """Turn whatever SQLite, the disk or damaged data raises into DamagedError or HistoryError."""

    def report(error: Exception) -> Exception:
        if isinstance(error, TileLabError | DamagedError):
            return error
        if _code(error) in _DAMAGED or not (_is_circumstance(error) or _is_sound(path)):
            return DamagedError()
        text = (error.strerror if isinstance(error, OSError) else "") or str(error)
        return HistoryError.tr(
            "The history {path} cannot be used: {reason}", path=path, reason=text
        )

    return errors_as(report)


def _code(error: Exception) -> int:
    """Return the primary code of an SQLite error, 0 for all others."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _is_circumstance(error: Exception) -> bool:
    return isinstance(error, OSError | MemoryError) or _code(error) in _CIRCUMSTANCES


def _is_sound(path: Path) -> bool:
    """Return whether a file is a whole history of its version, as far as can be checked."""

    def report(error: Exception) -> Exception:
        is_unknowable = _is_circumstance(error) or _code(error) == sqlite3.SQLITE_READONLY
        return HistoryError(str(error)) if is_unknowable else DamagedError()

    try:
        with errors_as(report), contextlib.closing(sqlite3.connect(path)) as connection:
            return _is_whole(connection, path)
    except HistoryError:
        return True
    except DamagedError:
        return False


def _is_whole(connection: sqlite3.Connection, path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    # A higher number would mean that a later SQLite has to be queried.
    if len(head) == _HEAD and max(head[18], head[19]) > 2:
        return False
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        return False
    with contextlib.closing(sqlite3.connect(":memory:")) as model:
        for statement in TABLES if _version(connection) == VERSION else ():
            model.execute(statement)
        return _columns(connection) == _columns(model)


def _columns(connection: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
    tables = ("runs", "run_details")
    return [connection.execute(f"PRAGMA table_info({table})").fetchall() for table in tables]


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file is at a path; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def set_aside(path: Path, which: tuple[int, int] | None) -> Path | None:
    """Rename a damaged file and the files that belong to it; return its new path.

    which: the file that was damaged; None is returned when another program has set it aside.
    """
    if which is None or identity(path) != which:
        return None
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    target = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    with errors_reported(path):
        # The files that belong to it go first: a new file must not find an old log.
        for ending in _SIDE_FILES:
            side = path.with_name(path.name + ending)
            with contextlib.suppress(FileNotFoundError):
                side.rename(target.with_name(target.name + ending))
        path.rename(target)
    return target
