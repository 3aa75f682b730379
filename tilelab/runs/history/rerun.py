"""Makes the puzzle of a record again, and finds the file in which its run goes on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tilelab import catalog
from tilelab.core.parameters import Params, validate
from tilelab.core.path_text import path_from
from tilelab.core.paths import is_there
from tilelab.core.shown_text import shortened, shown_path
from tilelab.runs.checkpoints.interrupted import of_key
from tilelab.runs.checkpoints.run_folder import RUN
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.words.builtin import builtin_lexicons, open_lexicon
from tilelab.words.lexicon import Accents, Lexicon


def puzzle_of(record: RunRecord) -> Any:
    """Make the instance of a run again; raises TileLabError with what is missing."""
    known = catalog.puzzles()
    if record.puzzle not in known:
        raise HistoryError(f"run {record.id} is of the puzzle {record.puzzle}, which is not there")
    puzzle_class = known[record.puzzle]
    params = validate(puzzle_class.spec.params, dict(record.puzzle_params))
    if puzzle_class.spec.uses_lexicon:
        return puzzle_class.create(_lexicon(record), params, _start_rows(record))
    start, goal = (_tiles(record.instance.get(name)) for name in ("board", "goal_board"))
    if start is None:
        raise HistoryError(f"run {record.id} does not say which board it was on")
    return puzzle_class.create(params, start, goal)


def board_puzzle_of(record: RunRecord) -> Any:
    """Make the instance of a run begin with its best board, the one that its picture shows.

    Of sliding tiles that are solved it is the board that the way starts from.
    """
    puzzle = puzzle_of(record)
    if not record.board:
        return puzzle
    puzzle_class = type(puzzle)
    if puzzle.spec.uses_lexicon:
        return puzzle_class.create(puzzle.lexicon, puzzle.params, record.board)
    if record.moves is not None:
        return puzzle
    goal = _tiles(record.instance.get("goal_board"))
    return puzzle_class.create(puzzle.params, puzzle.parse(record.board), goal)


def params_of(record: RunRecord) -> Params:
    """Return the parameters that a run was begun with; raises TileLabError."""
    solver = catalog.solver(record.puzzle, record.solver)
    params: Params = validate(solver.spec.params, dict(record.params))
    return params


def run_file_of(record: RunRecord) -> Path | None:
    """Return the file in which a run goes on, the newest of several; None when there is none."""
    interrupted = of_key(record.key)
    files = [] if interrupted is None else [interrupted.path / RUN]
    if record.run_file is not None and is_there(path_from(record.run_file)):
        files.append(path_from(record.run_file))
    return max(files, key=_changed, default=None)


def demanded_run_file(record: RunRecord) -> Path:
    """Return the file in which a run goes on; raises HistoryError that says what is missing."""
    file = run_file_of(record)
    if file is not None:
        return file
    if record.run_file is not None:
        raise HistoryError(
            f"{shown_path(record.run_file or '')}, the file of run {record.id}, is no longer there"
        )
    raise HistoryError(f"run {record.id} was neither saved nor interrupted; it can be run again")


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _lexicon(record: RunRecord) -> Lexicon:
    origin: Mapping[str, Any] = record.origin
    name = str(origin.get("lexicon") or record.instance.get("lexicon", ""))
    is_builtin = not origin.get("file") and name in {entry.key for entry in builtin_lexicons()}
    source = name if is_builtin else str(origin.get("file") or "")
    run = f"run {record.id}"
    if not source:
        raise HistoryError(
            f"the lexicon {shortened(name)} of {run} is not built in, and its file not known"
        )
    if not is_builtin and not is_there(path_from(source)):
        raise HistoryError(f"the lexicon of {run}, {shown_path(source)}, is no longer there")
    wanted = origin.get("digest")
    for accents in Accents:
        lexicon = open_lexicon(source, accents)
        if wanted in (None, lexicon.digest):
            return lexicon
    n_strings, n_now = origin.get("n_strings", 0), len(open_lexicon(source).strings)
    now = f"it has {n_now:,} now" if n_now != n_strings else "it has others now"
    raise HistoryError(
        f"the lexicon {shown_path(source)} is not as it was: {run} had {n_strings:,} strings, {now}"
    )


def _start_rows(record: RunRecord) -> tuple[str, ...] | None:
    rows = record.origin.get("start")
    if rows is None and "board" in record.instance:
        rows = str(record.instance["board"]).split("/")
    return None if rows is None else tuple(str(row) for row in rows)


def _tiles(text: object) -> list[int] | None:
    try:
        return None if text is None else [int(tile) for tile in str(text).split()]
    except ValueError:
        return None
