"""Saving the board that is shown as text or as a picture."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem
from tilelab.core.text.wording import plain_number
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.scene import CellScene, scene_png, scene_svg
from tilelab.gui.run.load_menu import RECENT, LoadMenu
from tilelab.gui.run.messages import Board
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.widgets.file_dialog import ask_to_save, save_file
from tilelab.gui.widgets.parts import Answer, ask
from tilelab.gui.widgets.theme import current_theme
from tilelab.letters.lexicon_puzzle import LetterReport, LexiconPuzzle
from tilelab.runs.files.carried import (
    CarriedRun,
    carried_text,
    is_picture,
    picture_with,
    run_of_board,
)

FILTERS = {
    ".txt": marked("Board as text (*.txt)"),
    ".png": marked("Picture, PNG (*.png)"),
    ".svg": marked("Picture, SVG (*.svg)"),
}


@dataclass(frozen=True, eq=False)
class SavedBest(ABC):
    """A board to save, with all notes in its file."""

    board: Board
    best: Best
    unit: str = ""  # name of its run's unit; '' for a board without a run
    seed: int | None = None  # None for a solver that uses none
    moment: str = ""  # moment of its run at which it was the best; '' for the whole run
    carried: CarriedRun | None = None  # run that its picture carries
    game: tuple[Puzzle, Best] | None = None
    """Game by hand that led to a board without a run: its start, and the moves as a best."""

    @property
    @abstractmethod
    def filters(self) -> Mapping[str, str]:
        """Kinds of files by their endings, with titles for dialogs; text comes first."""

    @abstractmethod
    def scene(self) -> CellScene:
        """Return the scene of a picture."""

    def file_name(self) -> str:
        """Suggest a name, such as ``game-titles-8x8-33.txt``."""
        puzzle = self.board.puzzle
        rows, cols = puzzle.shape
        name = puzzle.spec.key
        if isinstance(puzzle, LexiconPuzzle):
            name = Path(puzzle.lexicon.name).stem
        value = plain_number(puzzle.own_value(self.best.value))
        written = f"{value:.2f}" if isinstance(value, float) else f"{value}"
        return f"{file_stem(name)}-{rows}x{cols}-{written}.txt"

    def content(self, suffix: str) -> bytes | str:
        """Return the contents of a file of this kind; text for an unknown ending."""
        drawn = {".png": scene_png, ".svg": scene_svg}.get(suffix)
        if drawn is None:
            return self.text()
        carried = "" if self.carried is None else carried_text(self.carried)
        return picture_with(drawn(self.scene(), current_theme()), suffix, carried)

    def text(self) -> str:
        notes = {**self.puzzle_notes(), **self.run_notes()}
        return self.board.puzzle.saved_text(self.best, notes)

    def puzzle_notes(self) -> Mapping[str, object]:
        """Return notes about the board."""
        puzzle = self.board.puzzle
        return puzzle.notes(puzzle.with_path(self.best))

    def run_notes(self) -> dict[str, object]:
        """Return notes about the run; {} for a board without a run."""
        notes: dict[str, object] = {}
        if self.unit:
            notes[self.unit] = self.best.unit
        if self.seed is not None:
            notes["seed"] = self.seed
        return {**notes, "moment": self.moment} if self.moment else notes


class SavedLetters(SavedBest):
    """A letter board to save, tinted by usage in pictures."""

    filters = FILTERS

    def scene(self) -> BoardScene:
        report = self.board.report
        assert isinstance(report, LetterReport)
        return BoardScene(rows=report.texts, usage=report.usage)


def ask_before_losing(window: QWidget, what: str, lost: str) -> Answer:
    """Ask what to do: Save, Discard or Cancel.

    what, lost: clauses with the reason of a loss, and what would be lost.
    """
    text = tr("{action}, and {loss}.", action=what, loss=lost)
    return ask(window, text, Answer.Save | Answer.Discard | Answer.Cancel, Answer.Save)


def ask_for_best(window: QWidget, saved: SavedBest, folder: Path) -> Path | None:
    """Ask where to write a board; return None when that was cancelled."""
    kinds = ";;".join(map(tr, saved.filters.values()))
    return ask_to_save(window, tr("Save the board"), folder / saved.file_name(), kinds)


class BoardOwner(Protocol):
    """What shows a board that can be saved: the face of a puzzle."""

    saved_kind: type[SavedBest]
    load: LoadMenu

    def to_save(self, best: SavedBest) -> SavedBest | None:
        """Return the best for SAVE if the run shows one; None for the board in hand."""

    def to_print(self, best: SavedBest) -> SavedBest | None:
        """Return the best for Print if the run shows one; None for the board in hand."""

    def board_in_hand(self) -> tuple[Puzzle, Best] | None:
        """Return the shown board that is not a best, and its puzzle; None if there is none."""

    def board_to_print(self) -> tuple[Puzzle, Best] | None:
        """Return the board in hand for Print, or a better one that it leads to."""

    def game_in_hand(self) -> tuple[Puzzle, Best] | None:
        """Return the game by hand that led to it, see :class:`SavedBest`; None if there is none."""


class BestFiles:
    """Saves the board that is shown."""

    def __init__(
        self,
        context: RunContext,
        owner: BoardOwner,
        noted: Callable[[SavedBest], SavedBest],
    ) -> None:
        """noted: adds the moment of its run that is shown to a board's notes."""
        self._run, self._owner, self._noted = context.run, owner, noted
        self._settings, self._notice = context.settings, context.notice
        self._window = context.window
        self.saved: Best | None = None  # best that was saved last

    def to_save(self) -> SavedBest | None:
        """Return the best that is shown, or else the board in hand, for SAVE.

        None if no board is shown, as set by ``set_board_shown``.
        """
        best = self._best()
        of_run = None if best is None else self._owner.to_save(best)
        return of_run or self._in_hand(self._owner.board_in_hand())

    def to_print(self) -> SavedBest | None:
        """Return what :meth:`to_save` does, or the best that the shown board leads to."""
        best = self._best()
        of_run = None if best is None else self._owner.to_print(best)
        return of_run or self._in_hand(self._owner.board_to_print())

    def _best(self) -> SavedBest | None:
        """Return the best of the run at the shown moment, whichever board is shown; or None."""
        started, shown = self._run.started, self._run.shown
        if started is None or shown is None:
            return None
        carried = CarriedRun(self._run.recipe, self._run.status.units, shown.best)
        kind, solver = self._owner.saved_kind, started.solver
        seed = started.recipe.seed if solver.uses_seed else None
        best = kind(shown.board, shown.best, solver.unit, seed, carried=carried)
        return self._noted(best)

    def _in_hand(self, found: tuple[Puzzle, Best] | None) -> SavedBest | None:
        if found is None:
            return None
        puzzle, best = found
        board, alone = Board.of(puzzle, best.cells), best
        if best.moves and puzzle.start is not None:
            # Moves by hand are no result of the solver that opens a picture.
            alone = Best(puzzle.start, puzzle.score(puzzle.start), 0)
        carried, game = run_of_board(puzzle, alone), self._owner.game_in_hand()
        return self._owner.saved_kind(board, best, carried=carried, game=game)

    def ask(self) -> None:
        """Ask for a file, and write the board that is shown there."""
        self._ask(self.to_save())

    def ask_for_best(self) -> None:
        """Ask for a file, and write the best of the run there, whichever board is shown."""
        self._ask(self._best())

    def _ask(self, saved: SavedBest | None) -> None:
        if saved is None:
            return
        path = ask_for_best(self._window, saved, self._settings.folder)
        if path is not None:
            self._save(path, saved)  # not a better one that the run has found meanwhile

    def save(self, path: Path) -> None:
        """Write the board that is shown, if any; the kind of file follows its ending."""
        saved = self.to_save()
        if saved is not None:
            self._save(path, saved)

    def _save(self, path: Path, saved: SavedBest) -> None:
        make, moment = partial(saved.content, path.suffix.lower()), saved.moment
        note = f", {moment}" if moment else ""
        if save_file(path, make, self._notice, self._settings, note):
            if saved.best is self._run.present:
                self.saved = saved.best
            kind = RECENT if is_picture(path) else self._owner.load.recent_kind
            self._settings.add_recent(path, kind)
