"""Saving the board that is shown as text or as a picture."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import format_grid
from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem
from tilelab.core.text.wording import number
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.scene import CellScene, scene_png, scene_svg
from tilelab.gui.run.messages import Board
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.parts import Answer, ask
from tilelab.gui.widgets.theme import current_theme
from tilelab.letters.lexicon_puzzle import LetterReport, LexiconPuzzle
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.carried import CarriedRun, carried_text, picture_with

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
    seed: int = 0
    moment: str = ""  # moment of its run at which it was the best; '' for the whole run
    carried: CarriedRun | None = None  # run that its picture carries

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
        value = number(puzzle.own_value(self.best.value)).replace(",", "")
        return f"{file_stem(name)}-{rows}x{cols}-{value}.txt"

    def content(self, suffix: str) -> bytes | str:
        """Return the contents of a file of this kind; text for an unknown ending."""
        drawn = {".png": scene_png, ".svg": scene_svg}.get(suffix)
        if drawn is None:
            return self.text()
        carried = "" if self.carried is None else carried_text(self.carried)
        return picture_with(drawn(self.scene(), current_theme()), suffix, carried)

    def text(self) -> str:
        """Return the board as text."""
        puzzle = self.board.puzzle
        notes = {**self.puzzle_notes(), **self.run_notes()}
        return format_grid(puzzle.rows_of(puzzle.saved_cells(self.best)), notes)

    def puzzle_notes(self) -> Mapping[str, object]:
        """Return notes about the board."""
        puzzle = self.board.puzzle
        return puzzle.notes(puzzle.with_path(self.best))

    def run_notes(self) -> dict[str, object]:
        """Return notes about the run; {} for a board without a run."""
        notes: dict[str, object] = {}
        if self.unit:
            notes |= {self.unit: self.best.unit, "seed": self.seed}
        return {**notes, "moment": self.moment} if self.moment else notes

    def write(self, path: Path) -> Path:
        """Write a file whose kind follows its ending; raises TileLabError."""
        return write_atomically(path, self.content(path.suffix.lower()))


class SavedLetters(SavedBest):
    """A letter board to save, tinted by usage in pictures."""

    filters = FILTERS

    def scene(self) -> BoardScene:
        report = self.board.report
        assert isinstance(report, LetterReport)
        return BoardScene(rows=report.texts, usage=report.usage)


class UnsavedAnswer(enum.Enum):
    """Answer to the question about an unsaved best board."""

    SAVE = enum.auto()
    GIVE_UP = enum.auto()
    KEEP = enum.auto()


def ask_before_losing(window: QWidget, what: str, lost: str) -> UnsavedAnswer:
    """Ask what to do. what, lost: clauses with the reason of a loss, and what would be lost."""
    answers = {Answer.Save: UnsavedAnswer.SAVE, Answer.Discard: UnsavedAnswer.GIVE_UP}
    text = tr("{action}, and {loss}.", action=what, loss=lost)
    chosen = ask(window, text, Answer.Save | Answer.Discard | Answer.Cancel, Answer.Save)
    return answers.get(chosen, UnsavedAnswer.KEEP)


def ask_for_best(window: QWidget, saved: SavedBest, folder: Path) -> Path | None:
    """Ask where to write a board; return None when that was cancelled."""
    kinds = ";;".join(map(tr, saved.filters.values()))
    return ask_to_save(window, tr("Save the board"), folder / saved.file_name(), kinds)


class BestFiles:
    """Saves the board that is shown."""

    def __init__(
        self,
        context: RunContext,
        to_save: Callable[[], SavedBest | None],
        remember: Callable[[Path], object],
    ) -> None:
        """to_save: returns the board to save. remember: adds a file to the recent ones."""
        self._run, self._to_save, self._remember = context.run, to_save, remember
        self._settings, self._notice = context.settings, context.notice
        self._window = context.window
        self.saved: Best | None = None  # best that was saved last

    def ask(self) -> None:
        """Ask for a file, and write the board there."""
        saved = self._to_save()
        if saved is None:
            return
        path = ask_for_best(self._window, saved, self._settings.folder)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write the best board; the kind of file follows its ending."""
        saved = self._to_save()
        if saved is None:
            return
        try:
            target = saved.write(path)
        except TileLabError as error:
            self._notice.show_error(str(error))
            return
        if not self._run.is_back:
            self.saved = saved.best
        self._settings.folder = target.resolve().parent
        self._remember(target)
        moment = f", {saved.moment}" if saved.moment else ""
        self._notice.show_done(tr("Saved {target}{moment}", target=target, moment=moment))
