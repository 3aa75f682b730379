"""Perform requests of the history in the main window: repeat or resume a run, open its board."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.wording import capital
from tilelab.gui.run.page_opener import Begin, PageOpener, begin_recipe
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.tile_face import TileFace
from tilelab.runs.history.record import BY_HAND, NO_RERUN, RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import board_puzzle_of, puzzle_of, recipe_of, required_run_file


class Rerun(PageOpener):
    """Opens runs of the history, or of the records."""

    file_requested = Signal(object, object)
    """Emitted with the path of a run file to open and resume, and the units in the history."""

    @Slot(object)
    def open_board(self, record: RunRecord) -> None:
        """Load the best board of a run without running anything.

        A game of slides by hand is played on its start, so that Undo goes back through its moves.
        """
        if record.solver == BY_HAND and record.moves:
            begin = partial(_play_again, record)
            self._take(record, partial(puzzle_of, record), begin, is_run=False)
        else:
            self._take(record, partial(board_puzzle_of, record))

    @Slot(object)
    def run_again(self, record: RunRecord) -> None:
        """Start an identical run: its instance, parameters, seed, limits and live changes."""
        if record.solver == BY_HAND:
            self.notice.show_error(tr(NO_RERUN))
            return
        try:
            recipe_on = recipe_of(record)
        except TileLabError as error:
            self.notice.show_error(str(error))
            return

        def begin(page: PuzzlePage, puzzle: Puzzle) -> None:
            begin_recipe(page, recipe_on(puzzle), _promise(record))

        self._take(record, partial(puzzle_of, record), begin)

    @Slot(object)
    def resume(self, record: RunRecord) -> None:
        """Resume a run from its file."""
        try:
            file: Path = required_run_file(record)
        except HistoryError as error:
            self.notice.show_error(str(error))
            return
        self.window.close()
        self.file_requested.emit(file, record.units)

    def _take(
        self,
        record: RunRecord,
        build: Callable[[], Puzzle],
        begin: Begin | None = None,
        *,
        is_run: bool = True,
    ) -> None:
        key = record.puzzle
        if key not in catalog.puzzles():
            self.notice.show_error(tr("the puzzle {key} is not installed", key=key))
            return
        name = tr("Board of run {id}", id=record.id) if record.id else tr("Board of the record")
        self.load(key, build, name, begin, is_run=is_run)


def _play_again(record: RunRecord, page: PuzzlePage, _puzzle: Puzzle) -> None:
    """Play the moves of a game on the page that shows its start."""
    if isinstance(page.face, TileFace):
        page.face.play_again(record)


def _promise(record: RunRecord) -> str:
    """Return a sentence about what stays the same."""
    uses_seed = catalog.solver(record.puzzle, record.solver).spec.uses_seed
    changes = tr(", with the same changes of live parameters") if record.journal else ""
    text = (
        tr("{run} again: with the seed {seed} it is the same run{changes}.")
        if uses_seed
        else tr("{run} again: it is the same run{changes}.")
    )
    return text.format(run=capital(_name(record)), seed=record.seed, changes=changes)


def _name(record: RunRecord) -> str:
    """Name a run of the history or of the built-in records."""
    return tr("run {id}", id=record.id) if record.id else tr("the record")
