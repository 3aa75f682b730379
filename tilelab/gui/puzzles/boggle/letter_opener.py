"""Opening of lexicons and boards on the page of letter boards, and what is said about them."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.files.grid_file import GridFile, board_shape, read_grid
from tilelab.core.files.paths import path_from
from tilelab.core.parameters import validate
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import HOLE
from tilelab.core.text.wording import labelled
from tilelab.gui.letters.load_menu import LetterLoadMenu, Origin, say_own_rules
from tilelab.gui.letters.saved_lexicon import foreign_symbol, other_lexicon
from tilelab.gui.puzzles.boggle.list_size import ListSize
from tilelab.gui.puzzles.boggle.next_start import NextStart
from tilelab.gui.puzzles.boggle.puzzle_maker import BoardRequest, PuzzleMaker
from tilelab.gui.puzzles.boggle.puzzle_plan import plan_of_board, separated
from tilelab.gui.run.messages import LoadContext, of_kind
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.puzzle_list import Need, PuzzleList, is_typed_list
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, locked_in
from tilelab.puzzles.boggle.parameters import MAX_SIDE, MIN_SIDE, BoggleParams, noted_params
from tilelab.puzzles.boggle.puzzle import BogglePuzzle


class LetterOpener(QObject):
    """Opens lexicons and boards that LOAD names."""

    def __init__(
        self,
        start: NextStart,
        size: ListSize,
        making: PuzzleMaker,
        load: LetterLoadMenu,
        page: PuzzlePage,
    ) -> None:
        super().__init__(page)
        self._start, self._size, self._making, self._load = start, size, making, load
        self._page = page

    @Slot(str)
    def load_lexicon(self, name: str) -> None:
        """Load a built-in lexicon by its key, or a file by its path."""
        params, accents = self._page.panel.values("puzzle"), self._load.accents
        file = self._load.file_of(name)
        if file is not None and is_typed_list(file):
            self._making.open_list(file, accents)
            return
        text, has_no_word = ("", False) if file is None else separated(file)
        if file is not None and text and has_no_word:
            self._offer_separators(file, text)
            return
        # Size and rules that the program chose with other words are not for these.
        own, before, rules = self._size.own(), self._size.typed(), self._page.own_rules()
        has_other_rules = {**params, **rules} != params
        params = {**params, **rules, "rows": own[0], "cols": own[1]}
        request = BoardRequest(
            self._page.puzzle_key, name, params, accents=accents, fits_size=own != before
        )

        def then(puzzle: Puzzle) -> None:
            self._page.panel.set_values(rules)
            self._size.say(of_kind(puzzle, BogglePuzzle).shape, before, own)
            if has_other_rules:
                say_own_rules(self._page.notice)

        self._page.control.ask_puzzle(
            request, LoadContext(Origin("", file, own_size=own), then=then)
        )

    @Slot(str)
    def load_grid(self, path: str) -> None:
        """Load a board as the start of the next run."""
        try:
            grid = read_grid(path)
        except TileLabError as error:
            self._page.face.show_error(str(error))
        else:
            file = path_from(path)
            self.take_grid(grid, file.name, file)

    @Slot(object)
    def take_grid(
        self, grid: GridFile, name: str, file: Path | None = None, *, with_its_lexicon: bool = False
    ) -> None:
        """Load a board as the start; with_its_lexicon: with the built-in one it was saved with."""
        rows, saved = grid.rows, other_lexicon(grid.notes, self._start.lexicon)
        # Locked cells and holes belong to a board: those of the previous one are not kept.
        asked = replace(self._start.now.constraints, locked=(), holes=())
        lexicon: Lexicon | str = self._start.lexicon
        shown, own_rules = self._page.panel.values("puzzle"), self._page.own_rules()
        try:
            size = board_shape(rows, MIN_SIDE, MAX_SIDE)
            noted = {**noted_params(grid.notes), **size}
            values = {**shown, **noted}
            plan = plan_of_board(grid)
            is_of_plan = plan is not None and self._has_other_words(plan.words)
            if plan is not None and is_of_plan:
                values = {**plan.params(), **noted}
            elif saved is not None and with_its_lexicon:
                lexicon, asked = saved.open(), UNCONSTRAINED
                values = {**own_rules, **noted}
            params = validate(BoggleParams, values).model_dump()
            if plan is not None and is_of_plan:
                plan = plan.kept()
                lexicon, asked = plan.lexicon(), plan.constraints()
        except ParameterError as error:
            self._page.face.show_error(labelled(name, str(error)))
            return
        except TileLabError as error:
            self._page.face.show_error(str(error))
            return
        known = of_kind(self._page.source.puzzle, BogglePuzzle).lexicon.alphabet + HOLE
        is_loaded = lexicon is self._start.lexicon
        if saved is not None and is_loaded and (sign := foreign_symbol(rows, known)):
            text = saved.refused_text(name, self._page.face.title, sign)
            mends = saved.buttons(partial(self._open_with_its_lexicon, grid, name, file))
            self._page.notice.show_error_about(text, lambda: self._page.face.subject, mends)
            return
        request = BoardRequest(
            *(self._page.puzzle_key, lexicon, params, rows, self._load.accents),
            requires_start=True,
            constraints=replace(asked, locked=locked_in(grid)),
        )
        has_own_again = {**shown, **own_rules} != shown and {**params, **own_rules} == params
        # A board of other words is chosen for its size, too; one of the user's own words is not.
        is_own = isinstance(lexicon, Lexicon) and lexicon.path and is_typed_list(lexicon.path)
        own = self._size.own() if is_own else None

        def then(puzzle: Puzzle) -> None:
            self._page.panel.show_puzzle(puzzle)
            if has_own_again:
                say_own_rules(self._page.notice)

        self._page.control.ask_puzzle(
            request, LoadContext(Origin(name, file, grid, own), then=then)
        )

    def _open_with_its_lexicon(self, grid: GridFile, name: str, file: Path | None) -> None:
        self._load.choose(partial(self.take_grid, with_its_lexicon=True), grid, name, file)

    def _has_other_words(self, words: PuzzleList) -> bool:
        asked = self._start.now.constraints
        forbidden, noted = set(asked.forbidden), set(words.strings(Need.MUST_NOT))
        allowed = {word.string for word in words.words} - noted
        required, must = set(asked.required), set(words.strings(Need.MUST))
        is_other = allowed != set(self._start.lexicon.strings) - forbidden
        return is_other or bool(noted and noted != forbidden) or bool(must and must != required)

    def explain(self, path: Path, grid: GridFile | None) -> None:
        """Say of a loaded file what was left out of it, or which other words its board has."""
        saved = None if grid is None else other_lexicon(grid.notes, self._start.lexicon)
        if grid is not None and saved is not None:
            self._page.notice.show_note(
                saved.loaded_text(path.name, self._page.face.title),
                buttons=saved.buttons(partial(self._open_with_its_lexicon, grid, path.name, path)),
            )
        report = self._start.lexicon.report
        if grid is None and report.n_dropped:
            self._page.notice.show_note(labelled(path.name, f"{report.summary()}."))
        if grid is None and (text := separated(path)[0]):
            self._offer_separators(path, text)

    def _offer_separators(self, path: Path, text: str) -> None:
        """Say that a line of a file is one word, and offer to read its parts as words."""
        said = labelled(
            path.name,
            tr("Each line is one word. To read its parts as words, open it in New puzzle."),
        )
        button = tr("Open in New puzzle"), partial(self._making.open_text, text, path.stem)
        lexicon = self._start.lexicon
        self._page.notice.show_note(
            said, buttons=[button], why=lambda: said if self._start.lexicon is lexicon else ""
        )
