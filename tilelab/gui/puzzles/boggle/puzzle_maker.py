"""Making a puzzle from words: requests, dialogs, pasted words, and earlier lists."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.files.grid_file import GridFile, board_shape, parse_grid
from tilelab.core.files.paths import is_there
from tilelab.core.parameters import validate
from tilelab.core.plain import Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import HOLE, cut_rows, menu_text, shortened
from tilelab.core.text.wording import capital, labelled
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.letters.load_menu import Origin, advising_other_lists
from tilelab.gui.puzzles.boggle.fit_dialog import FitDialog, FittedBoard
from tilelab.gui.puzzles.boggle.new_puzzle_dialog import NewPuzzleDialog
from tilelab.gui.puzzles.boggle.next_start import BY_HAND
from tilelab.gui.puzzles.boggle.puzzle_plan import (
    RULE,
    PuzzlePlan,
    board_notes,
    list_accents,
    list_of_board,
    read_list,
    require_few,
    shape_with_room,
)
from tilelab.gui.run.messages import LetterRequest, LoadContext, PuzzleRequest, ReadyPuzzle, of_kind
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.parts import after_first_paint, calling, show_in_front
from tilelab.letters.lexicon import Accents, Lexicon, OtherEncodingError
from tilelab.letters.lexicon_puzzle import LexiconPuzzle
from tilelab.letters.puzzle_list import ListedWord, PuzzleList
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints, constraint_values
from tilelab.puzzles.boggle.parameters import MAX_SIDE, MIN_SIDE, BoggleParams
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import Action

RECENT_LISTS = "lists"  # name of the setting with recent typed lists
FINDS_MOST = "annealing"  # solver of a new puzzle
_MENU_WORDS, _TIP_WORDS = 30, 120  # largest numbers of symbols of a list's words in the menu


@dataclass(frozen=True, eq=False)
class BoardRequest(LetterRequest):
    """A request for a letter board with constraints."""

    constraints: Constraints = UNCONSTRAINED
    fits_size: bool = False  # whether a list that has too little room gets its suggested size

    def build(self) -> LexiconPuzzle:
        try:
            return super().build()
        except OtherEncodingError as error:
            raise LexiconError.tr(
                "{reason}, or paste the words into New puzzle", reason=error
            ) from None

    def flag_values(self) -> Values:
        """Return the flags of the lexicon, the start and the constraints."""
        params = BoggleParams.model_validate(self.params)
        asked = constraint_values(self.constraints, (params.rows, params.cols))
        return {**super().flag_values(), **asked}

    def _made(self, puzzle_class: type[LexiconPuzzle], lexicon: Lexicon) -> LexiconPuzzle:
        params = dict(self.params)
        if self.fits_size:
            asked = BoggleParams.model_validate(params)
            own, rule = (asked.rows, asked.cols), board_notes(asked)[RULE]
            params["rows"], params["cols"] = shape_with_room(own, lexicon.lengths.tolist(), rule)
        return BogglePuzzle.from_values(lexicon, params, self.start_rows, self.constraints)


class PuzzleMaker(QObject):
    """Asks for words and makes a puzzle of them, or searches for the smallest board."""

    grid_pasted = Signal(object, str)
    """Emitted with a GridFile from the clipboard or the keyboard, and its name."""

    def __init__(
        self,
        page: PuzzlePage,
        request: Callable[[], BoardRequest],
        own_size: Callable[[], tuple[int, int]],
    ) -> None:
        """request: returns the request for the puzzle that the page shows.

        own_size: returns rows and columns that the user chose last.
        """
        super().__init__(page)
        self._page, self._request, self._own_size = page, request, own_size
        self._plan_size: tuple[int, int] | None = None  # size that was chosen for the last plan
        self._edited: tuple[BoardRequest, Puzzle] | None = None
        """Board that a run of the edited words starts from, while that puzzle is loaded."""
        self._settings = page.settings

    @cached_property
    def dialog(self) -> NewPuzzleDialog:
        """Dialog of a new puzzle; made on first use."""
        made = NewPuzzleDialog(self._settings, self._page)
        made.started.connect(self._make)
        return made

    @cached_property
    def fitting(self) -> FitDialog:
        """Dialog that searches for the smallest board; made on first use."""
        made = FitDialog(self._page)
        made.chosen.connect(self._take_fitted)
        made.back_requested.connect(self._ask_again)
        made.recorded.connect(self._page.recorder.recorded)
        return made

    def take_over(self, before: "PuzzleMaker") -> None:
        """Take over the draft of a new puzzle, and its search."""
        self._plan_size, self._edited = before._plan_size, before._edited
        if "dialog" in vars(before):
            self.dialog.take_over(before.dialog)
        if "fitting" in vars(before):
            self.fitting.take_over(before.fitting, before._page.language)
            if before.fitting.isVisible():
                self.fitting.restoreGeometry(before.fitting.saveGeometry())
                after_first_paint(self._page.window(), partial(show_in_front, self.fitting))

    @Slot()
    def ask(self) -> None:
        """Open the dialog of a new puzzle, or show why not now."""
        self._edited = None
        self._open_draft()

    def _open_draft(self) -> None:
        if not self._page.control.refuses(Action.LOAD):
            self.dialog.show_draft()
            self.dialog.open()

    @Slot(int, int)
    def _ask_again(self, rows: int, cols: int) -> None:
        """Open the dialog with the sides that the search had; 0 for any."""
        self.dialog.take_sides(rows, cols)
        self._open_draft()

    @Slot()
    def fit_words(self) -> None:
        """Offer the search for the smallest board that holds every word of the lexicon."""
        try:
            puzzle = of_kind(self._request().build(), BogglePuzzle)
            self.fitting.ask(puzzle, self._page.panel.seed_field.seed())
        except TileLabError as error:
            self._page.face.show_error(str(error))

    @Slot(object)
    def _take_fitted(self, board: FittedBoard) -> None:
        page = self._page
        if not page.control.refuses(Action.LOAD):
            whole, most = tr("the board that holds all words"), tr("the board with the most words")
            own = (self._plan_size if self.fitting.is_planned else None) or self._own_size()
            origin = Origin(whole if board.is_whole else most, None, GridFile(board.rows), own)

            def then(puzzle: Puzzle) -> None:
                page.panel.show_puzzle(puzzle)
                if self.fitting.drops_shape:
                    said = tr("The previous board had a shape; this one is a rectangle.")
                    page.notice.show_note(f"{page.notice.text} {said}".lstrip())

            context = LoadContext(origin, then=then)
            is_taken = self._replace(ReadyPuzzle(board.puzzle, board.cells), context)
            if is_taken:
                self.fitting.accept()
            if is_taken and self.fitting.is_planned:
                if board.is_whole:
                    self.dialog.end_draft()
                page.choose_solver(FINDS_MOST)

    @Slot(object)
    def _make(self, plan: PuzzlePlan) -> None:
        """Make a puzzle and start a run, or a search for its board."""
        page, self._plan_size = self._page, plan.own_size
        shown = page.panel.values("puzzle")
        if self._plan_size == (shown["rows"], shown["cols"]):
            self._plan_size = None  # it came with the board whose words were edited
        if plan.path is not None:
            self._settings.add_recent(plan.path, RECENT_LISTS)
        if plan.level or plan.is_smallest:
            try:
                asked = plan if plan.level else plan.build()
                self.fitting.search(asked, page.panel.seed_field.seed())
            except TileLabError as error:
                page.face.show_error(str(error))
            return

        plan, said = self._with_edited_board(plan)

        def begin(puzzle: Puzzle) -> None:
            self.dialog.end_draft()
            page.panel.show_puzzle(puzzle)
            page.choose_solver(FINDS_MOST)
            page.control.begin()
            if said:
                page.notice.show_note(f"{page.notice.text} {said}".lstrip())

        name, grid = (BY_HAND, GridFile(plan.start)) if plan.start else ("", None)
        origin = Origin(name, plan.path, grid, self._plan_size or self._own_size())
        self._replace(plan, LoadContext(origin, then=begin))

    def _with_edited_board(self, plan: PuzzlePlan) -> tuple[PuzzlePlan, str]:
        """Return a plan that starts from the board whose words were edited, if it fits.

        Returns also what the run starts from; '' if no board is to be kept.
        """
        board, puzzle = self._edited or (None, None)
        if board is None or board.start_rows is None or puzzle is not self._page.source.puzzle:
            return plan, ""
        rows, cols = len(board.start_rows), len(board.start_rows[0])
        otherwise = tr("The run starts from a random board.")
        if (rows, cols) != (plan.rows, plan.cols):
            why = tr("Your board has {rows} × {cols} cells.", rows=rows, cols=cols)
        else:
            made = replace(plan, start=board.start_rows, locked=board.constraints.locked)
            try:
                # The other lexicon may be large; it is read when the puzzle is made.
                fitted = replace(made, nothing_else="").build()
                if fitted.constraints.holes == replace(plan, nothing_else="").constraints().holes:
                    return made, tr("The run starts from your board.")
                why = tr("Your board has another shape.")
            except TileLabError as error:
                why = f"{capital(str(error))}."
        return plan, f"{otherwise} {why}"

    def _replace(self, request: PuzzleRequest, context: LoadContext) -> bool:
        """Show another puzzle, unless the user declines; a notice can bring back the one before."""
        control, what = self._page.control, tr("The new puzzle replaces the run")
        return self._page.face.load.choose(control.ask_puzzle, request, context, what)

    def edit(self, lexicon: Lexicon, *, keeps_board: bool = False) -> None:
        """Open the dialog with the words of a lexicon, read as it was before.

        The dialog begins with the size, the rule and the constraints of the board that the page
        shows. keeps_board: whether a run of these words also starts from that board, if it fits.
        """
        shown = self._request()
        if lexicon.path is not None and is_there(lexicon.path):
            is_open = self.open_list(lexicon.path, lexicon.accents, shown)
        else:
            words = (
                ListedWord(lexicon.spelling(string), string, weight=weight)
                for string, weight in zip(lexicon.strings, lexicon.weights.tolist(), strict=True)
            )
            is_open = self._show(PuzzleList(lexicon.title, tuple(words)), lexicon.accents, shown)
        if is_open and keeps_board:
            self._edited = shown, self._page.source.puzzle

    def open_list(self, path: Path, accents: Accents, shown: BoardRequest | None = None) -> bool:
        """Open the dialog with the words of a file; returns False after an error.

        accents: how they are read, unless the file is a typed list that says so.
        shown: a board whose size, rule and constraints take the place of those in the file.
        """
        accents = list_accents(path, accents)
        try:
            return self._show(read_list(path, accents), accents, shown)
        except TileLabError as error:
            self._settings.drop_recent(path, RECENT_LISTS)
            self._page.face.show_error(str(error))
            return False

    def _show(self, words: PuzzleList, accents: Accents, shown: BoardRequest | None) -> bool:
        try:
            require_few(words.title or tr("This lexicon"), words.words)
        except TileLabError as error:
            self._page.face.show_error(str(error))
            return False
        if shown is not None:
            params = BoggleParams.model_validate(shown.params)
            words = list_of_board(words, params, shown.constraints)
        self._edited = None
        self.dialog.show_list(words, accents)
        self.dialog.open()
        return True

    @Slot()
    def paste(self) -> None:
        """Load the clipboard: a rectangle of single letters is a board, anything else words."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._page.face.show_error(tr("There is no text on the clipboard."))
        elif rows := pasted_grid(text):
            self.grid_pasted.emit(GridFile(rows), tr("the pasted board"))
        else:
            self.open_text(text)

    def open_text(self, text: str, title: str = "") -> None:
        """Open the dialog with the words of a text, between any separators."""
        self._edited = None
        self.dialog.show_text(text, title)
        self.dialog.open()

    @Slot()
    def ask_for_board(self) -> None:
        """Ask for a board that is typed or pasted."""
        lexicon = self._page.face.lexicon
        assert lexicon is not None
        params = BoggleParams.model_validate(self._page.panel.values("puzzle"))
        make = partial(letter_board_dialog, lexicon, params, self._page)
        rows = self._page.face.load.ask_typed(make)
        if rows is not None:
            self.grid_pasted.emit(GridFile(rows), tr("the typed board"))

    def fill(self, menu: QMenu, accents: Accents) -> None:
        """Offer earlier lists."""
        lists: dict[tuple[str, str], Path] = {}
        for path in self._settings.recent(RECENT_LISTS):
            if is_there(path):
                # Of several boards for the same words, the latest is offered.
                lists.setdefault(_title_and_words(path), path)
        titles = [title for title, _ in lists]
        menu.addSeparator()
        for (title, words), path in lists.items():
            name = f"{title} ({shortened(words, _MENU_WORDS)})"
            action = menu.addAction(menu_text(title if titles.count(title) == 1 else name))
            tip = tr("Open these words in New puzzle")
            action.setToolTip(labelled(tip, shortened(words, _TIP_WORDS)) if words else tip)
            action.triggered.connect(calling(self.open_list, path, accents))


def letter_board_dialog(
    lexicon: Lexicon, params: BoggleParams, parent: QWidget, text: str = ""
) -> TextDialog[tuple[str, ...]]:
    """Make a dialog in which the rows of a board are typed; it knows the lexicon's letters."""

    def read(text: str, cols: int | None) -> tuple[tuple[str, ...], TileScene, str]:
        rows = parse_grid(_in_lines(text), tr("the board")).rows
        side = math.isqrt(len(rows[0]))
        if cols is not None or (len(rows) == 1 and side**2 == len(rows[0])):
            rows = cut_rows("".join(rows), cols or side)
        shape = board_shape(rows, MIN_SIDE, MAX_SIDE)
        with advising_other_lists():
            BogglePuzzle.create(lexicon, validate(BoggleParams, params.model_dump() | shape), rows)
        said = f"{len(rows)} × {len(rows[0])}"
        signs = "".join(rows).lower()
        letters = "".join(sorted({*signs} - {HOLE}))
        cells = np.array([letters.find(sign) + 1 for sign in signs], np.uint8)  # 0 for a hole
        return rows, TileScene(cells, None, len(rows[0]), letters=letters), said

    hint = tr("Letters, row by row, with or without spaces; # is a cell outside the board.")
    title = tr("Type or paste a board")
    return TextDialog(title, "mars\nsees\nteam\nends", hint, read, parent, text)


def _in_lines(text: str) -> str:
    """Write each row of a typed board in a line: rows between slashes, or words of one length."""
    if ":" in text:  # a saved board, with notes
        return text
    lines = [line for line in re.split(r"[/\r\n]", text) if line.strip()]
    words = text.split()
    if len(lines) == 1 and len(words[0]) > 1 and len({len(word) for word in words}) == 1:
        lines = words
    return "\n".join(lines)


def pasted_grid(text: str) -> tuple[str, ...]:
    """Return the rows of a text that is a board, or () for a text of words.

    A board is a rectangle of single letters with blanks, commas or bars between them. Without
    separators it is several rows of capitals, as the program copies them.
    """
    lines = [line.split() for line in text.translate(_BLANKS).splitlines() if line.strip()]
    if not lines:
        return ()
    rows = tuple("".join(line) for line in lines)
    if all(len(cell) == 1 for line in lines for cell in line):
        return rows if _is_rectangle(rows) and len(rows[0]) > 1 else ()
    is_solid = all(len(line) == 1 for line in lines) and len(rows) > 1
    return rows if is_solid and _is_rectangle(rows) and all(map(str.isupper, rows)) else ()


_BLANKS = str.maketrans(",;|\t", "    ")


def _is_rectangle(rows: Sequence[str]) -> bool:
    return len({len(row) for row in rows}) == 1


def _title_and_words(path: Path) -> tuple[str, str]:
    """Return the title of a list, and its words; '' if they cannot be read."""
    try:
        words = read_list(path, Accents.KEEP)
    except TileLabError:
        return path.stem, ""
    return words.title or path.stem, ", ".join(word.spelling for word in words.words)
