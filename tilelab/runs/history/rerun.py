"""Makes the puzzle of a record again, and finds the file in which its run goes on."""

from pathlib import Path

from tilelab import catalog
from tilelab.core.files.paths import is_there, path_from
from tilelab.core.parameters import Params, kept_params
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.runs.checkpoints.interrupted import of_key
from tilelab.runs.checkpoints.run_folder import RUN
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.schema import HistoryError


def puzzle_of(record: RunRecord) -> Puzzle:
    """Make the instance of a run again; raises TileLabError with what is missing."""
    known = catalog.puzzles()
    if record.puzzle not in known:
        raise HistoryError(
            tr(
                "run {id} is of the puzzle {puzzle}, which is not there",
                id=record.id,
                puzzle=record.puzzle,
            )
        )
    return known[record.puzzle].from_record(record)


def board_puzzle_of(record: RunRecord) -> Puzzle:
    """Make the instance of a run begin with its best board, the one that its picture shows.

    Of sliding tiles that are solved it is the board that the path starts from.
    """
    puzzle = puzzle_of(record)
    if not record.board:
        return puzzle
    best = Best(puzzle.parse(record.board), 0.0, 0, record.moves)
    return puzzle.starting_with(puzzle.saved_cells(best))


def params_of(record: RunRecord) -> Params:
    """Return the parameters that a run was begun with; raises TileLabError."""
    solver = catalog.solver(record.puzzle, record.solver)
    return kept_params(solver.spec.params, record.params)


def run_file_of(record: RunRecord) -> Path | None:
    """Return the file in which a run goes on, the newest of several; None when there is none."""
    interrupted = of_key(record.key)
    files = [] if interrupted is None else [interrupted.path / RUN]
    if record.run_file is not None and is_there(path_from(record.run_file)):
        files.append(path_from(record.run_file))
    return max(files, key=_changed, default=None)


def required_run_file(record: RunRecord) -> Path:
    """Return the file in which a run goes on; raises HistoryError that says what is missing."""
    file = run_file_of(record)
    if file is not None:
        return file
    if record.run_file is not None:
        raise HistoryError(
            tr(
                "{shown_path}, the file of run {id}, is no longer there",
                shown_path=shown_path(record.run_file or ""),
                id=record.id,
            )
        )
    raise HistoryError(
        tr("run {id} was neither saved nor interrupted; it can be run again", id=record.id)
    )


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
