"""The face of letter puzzles: a lexicon, a board tinted by usage, and its words."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import GridFile, board_shape, read_grid
from tilelab.core.files.paths import path_from
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr, translated_again
from tilelab.core.text.shown_text import HOLE, encodable
from tilelab.core.text.wording import counted, labelled
from tilelab.gui.boards.letter_view import HeatLegend
from tilelab.gui.letters.load_menu import LetterLoadMenu, Origin
from tilelab.gui.letters.saved_lexicon import foreign_symbol, other_lexicon
from tilelab.gui.puzzles.boggle.board_editor import BoardEditor
from tilelab.gui.puzzles.boggle.constraint_cards import ConstraintCard, ConstraintPanel
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.boggle.last_session import keep_own_size, puzzle_of_last_session
from tilelab.gui.puzzles.boggle.list_size import ListSize
from tilelab.gui.puzzles.boggle.puzzle_maker import RECENT_LISTS, BoardRequest, PuzzleMaker
from tilelab.gui.puzzles.boggle.puzzle_plan import noted_shape, plan_of_board, separated
from tilelab.gui.run.choices import KeptBoard
from tilelab.gui.run.face_register import register_face
from tilelab.gui.run.messages import (
    Board,
    LoadContext,
    PuzzleLoaded,
    ReadyPuzzle,
    RunStarted,
    of_kind,
)
from tilelab.gui.run.run_actions import why_locked
from tilelab.gui.run.run_model import ShownBest
from tilelab.gui.run.run_page import PuzzleFace, PuzzlePage
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.commands import Command, Menu, unless
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.notice_bar import NoticeButton
from tilelab.gui.widgets.parts import after_first_paint, push_button
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import shown_title
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.puzzle_list import Need, PuzzleList, is_typed_list
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints, constraints_origin
from tilelab.puzzles.boggle.difficulty import difficulty_of
from tilelab.puzzles.boggle.maker.draft import Draft
from tilelab.puzzles.boggle.masks import fitted_holes, shape_of_holes, shape_rows
from tilelab.puzzles.boggle.parameters import MAX_SIDE, MIN_SIDE
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, GridReport
from tilelab.runs.actions import Action, State
from tilelab.runs.files.carried import run_of_board
from tilelab.runs.history.record import RunRecord, record_of_edits

BY_HAND = marked("the board by hand")
_START_NAMES = (
    *(BY_HAND, "the pasted board", "the typed board", "the board of the run"),
    *("the board that was shown", "the board that holds all words"),
    "the board with the most words",
)
"""File names and titles of start boards."""


class _Start(NamedTuple):
    """What the next run starts from."""

    board: GridFile | None  # None for random boards
    name: str  # '' for random boards
    constraints: Constraints
    holes_shape: tuple[int, int]


@register_face("boggle")
class LetterFace(PuzzleFace):
    """The face of letter boards that spell as many words of a lexicon as possible."""

    load: LetterLoadMenu
    best_panel: ConstraintPanel
    source_card: ConstraintCard

    def __init__(self, puzzle_key: str, settings: Settings) -> None:
        puzzle, origin, note = puzzle_of_last_session(settings, _START_NAMES)
        card = ConstraintCard()
        set_manual_place(card, "letter-grids#lexicons")
        super().__init__(
            PuzzleLoaded(puzzle, None, LoadContext(origin)),
            card,
            settings,
            note,
        )
        self._lexicon: Lexicon = puzzle.lexicon
        self._start: GridFile | None = None
        self._start_name = ""  # name of the start board; '' while runs start from random boards
        self._was_edited = False  # whether the board before the one being loaded was made by hand
        self._had_hand_board = False  # whether a run was opened in place of such a board
        self._constraints = puzzle.constraints
        """Constraints of the next run; locked cells are those of the start."""
        self._holes_shape = puzzle.shape
        """Rows and columns of the board that the holes are cut from."""
        self._size_said = ""  # notice that the size in the panel is another one, or ''
        self._before_draft: _Start | None = None
        """Start before an edited board took its place."""
        self.shown: Board | None = None  # board that is shown, with its words
        self._n_locked_before = 0  # number of locked cells on the board before the one being loaded

    def join(self, page: PuzzlePage) -> None:
        super().join(page)
        settings = self.settings
        self.size = ListSize(page)
        self.hand = BoardEditor(settings, self.size.typed, page)
        self.hand.offered = page.undo_load.offered
        page.undo_load.changed.connect(self.hand.allow)
        self.board = self.hand.board
        self.heat_legend = HeatLegend(page)
        self.best_panel = ConstraintPanel(page)
        self.best_panel.value_tip = self._difficulty
        title, tip = tr("Play this board…"), tr("Find the words of this board yourself (F7)")
        self.play_button = push_button(title, "play_grid", tip, self.best_panel, self.play)
        self.best_panel.whole.addWidget(self.play_button)
        self.load = LetterLoadMenu(self.puzzle_key, settings, page)
        self.making = PuzzleMaker(page, self.puzzle_request, self.size.own)
        self._new_puzzle = Command(
            "new_puzzle", tr("New puzzle…"), self.making.ask, "Ctrl+N",
            tr("Make a puzzle from your own words"), (Menu.FILE, 0), "puzzle-maker",
            partial(self.control.why_not, Action.LOAD),
        )  # fmt: skip
        self._fit_words = Command(
            "fit_words", tr("Fit all words…"), self.making.fit_words, "Ctrl+Shift+N",
            tr("Find a small board that holds all words, and say whether it is the smallest"),
            (Menu.TOOLS, 1),
            "puzzle-maker#the-smallest-board",
        )  # fmt: skip
        typed = Command("type_board", tr("Type or paste a board…"), self.making.ask_for_board)
        self.load.own_entries = self._new_puzzle, typed
        self.load.lexicon = lambda: self._lexicon
        self.load.fill_further = lambda menu: self.making.fill(menu, self.load.accents)
        page.lay_out(self.hand, (self.heat_legend,), self.best_panel, self.board_place)
        set_manual_place(self.hand.bar, "puzzle-maker#the-board-by-hand")
        QWidget.setTabOrder(self.hand.bar.improve, page.chart)
        self.board.cell_clicked.connect(self.best_panel.set_cell)
        self.best_panel.word_shown.connect(self._show_path)
        self.best_panel.cell_dropped.connect(self._drop_cell)
        self.best_panel.refused.connect(self.show_error)
        self.source_card.start_dropped.connect(self._drop_start)
        self.panel.puzzle_changed.connect(self._follow_size)
        self.hand.changed.connect(self._show_hand)
        self.hand.restored.connect(self._show_unedited)
        self.hand.scored.connect(self._show_hand_board)
        self.hand.improve_requested.connect(self.improve)
        self.hand.refused.connect(self.show_error)
        self.source_card.become_button(self._offer_words)
        self.making.grid_pasted.connect(partial(self.load.choose, self._take_grid))
        self.run.status_changed.connect(self._lock_source)
        self.load.lexicon_requested.connect(self.load_lexicon)
        self.load.grid_requested.connect(self.load_grid)
        self.panel.set_values(self.first.puzzle.params.model_dump())
        if self.first.puzzle.start is not None:
            self.hand.keep_for_undo(of_kind(self.first.puzzle, BogglePuzzle))
        after_first_paint(page, self._score_start)

    def _score_start(self) -> None:
        """Score the board of the previous session in the background, because that loads numba."""
        source = self.page.source
        if source.puzzle.start is not None and source.start is None:
            scorer = TaskRunner(self, self._show_last_board, failed=self.show_error)
            scorer.start(one_step(Board.of, source.puzzle, source.puzzle.start))

    @Slot(object)
    def _show_last_board(self, board: Board) -> None:
        source = self.page.source
        if source.puzzle is board.puzzle:
            self.page.source = replace(source, start=board)
            is_free = self.run.started is None and self.shown is None
            if is_free and self._start is not None:
                self.show_nothing_found(board)

    @property
    def title(self) -> str:
        return shown_title(self._lexicon.title)

    @property
    def subject(self) -> object:
        draft = self.hand.draft
        return super().subject if draft is None else draft

    @property
    def lexicon(self) -> Lexicon:
        return self._lexicon

    @property
    def names(self) -> tuple[str, ...]:
        return self._start_name, self.title

    def puzzle_request(self) -> BoardRequest:
        self._take_draft()
        rows = None if self._start is None else self._start.rows
        params, asked = self.panel.values("puzzle"), self._asked
        return BoardRequest(self.puzzle_key, self._lexicon, params, rows, constraints=asked)

    def commands(self) -> tuple[Command, ...]:
        by_hand, bar = "puzzle-maker#the-board-by-hand", self.hand.bar
        return (
            self._new_puzzle, self._fit_words,
            Command(
                "undo", tr("Undo"), partial(self._step, self.hand.undo), "Ctrl+Z",
                tr("Undo the last change"), (Menu.EDIT, 0), by_hand,
                partial(self._why_no_step, bar.undo, tr("There is nothing to undo.")), icon="undo",
                repeats=True,
            ),
            Command(
                "redo", tr("Redo"), partial(self._step, self.hand.redo), "Ctrl+Shift+Z, Ctrl+Y",
                tr("Redo the change"), (Menu.EDIT, 0), by_hand,
                partial(self._why_no_step, bar.redo, tr("There is nothing to redo.")), icon="redo",
                repeats=True,
            ),
            Command(
                "copy_board", tr("Copy the board"), self.best_panel.copy_grid, "Ctrl+Shift+C",
                tr("Copy the rows of the board as text"), (Menu.EDIT, 1), "window#the-result",
                unless(lambda: self.shown, tr("There is no board to copy yet.")),
            ),
            Command(
                "paste", tr("Paste"), self.making.paste, "Ctrl+V",
                tr("Paste words or a board"), (Menu.EDIT, 1), "puzzle-maker#words-in",
            ),
            Command(
                "filter_words", tr("Filter the words"), self.best_panel.focus_filter, "Ctrl+F",
                tr("Show only words with the typed letters"), (Menu.EDIT, 2),
                "window#the-result", icon="search",
            ),
            Command(
                "play_grid", tr("Play this board…"), self.play, "F7",
                tr("Find the words of this board yourself"), (Menu.TOOLS, 1),
                "puzzle-maker#playing-it",
                unless(lambda: self.shown, tr("There is no board to play yet.")),
            ),
        )  # fmt: skip

    def _step(self, step: Callable[[], None]) -> None:
        """Take a change of the board back, or make it again, where the user sees it."""
        self.page.view_stack.show_board()
        step()

    def _why_no_step(self, button: QWidget, otherwise: str) -> str:
        return "" if button.isEnabled() else why_locked(self.run.status) or otherwise

    @cached_property
    def game(self) -> GameWindow:
        """Window in which boards are played; made on first use."""
        made = GameWindow(self.settings, self.page)
        made.recorded.connect(self.page.recorder.recorded)
        return made

    @Slot()
    def play(self) -> None:
        """Play the board that is shown: find its words."""
        if self.shown is not None:
            self.game.play(of_kind(self.shown.puzzle, BogglePuzzle), self.shown.cells)

    @Slot(str)
    def load_lexicon(self, name: str) -> None:
        """Load a built-in lexicon by its key, or a file by its path."""
        params, accents = self.panel.values("puzzle"), self.load.accents
        file = self.load.file_of(name)
        if file is not None and is_typed_list(file):
            self.making.open_list(file, accents)
            return
        text, has_no_word = ("", False) if file is None else separated(file)
        if file is not None and text and has_no_word:
            self._offer_separators(file, text)
            return
        # A size that the program chose for a list is not for other words.
        own, before = self.size.own(), self.size.typed()
        params = {**params, "rows": own[0], "cols": own[1]}
        request = BoardRequest(
            self.puzzle_key, name, params, accents=accents, fits_size=own != before
        )

        def then(puzzle: Puzzle) -> None:
            self.size.say(of_kind(puzzle, BogglePuzzle).shape, before, own)

        self.control.ask_puzzle(request, LoadContext(Origin("", file, own_size=own), then=then))

    def ask_for_own(self) -> None:
        self.making.ask()

    @Slot(str)
    def load_grid(self, path: str) -> None:
        """Load a board as the start of the next run."""
        try:
            grid = read_grid(path)
        except TileLabError as error:
            self.show_error(str(error))
        else:
            file = path_from(path)
            self._take_grid(grid, file.name, file)

    @Slot(object)
    def _take_grid(
        self, grid: GridFile, name: str, file: Path | None = None, *, with_its_lexicon: bool = False
    ) -> None:
        """Load a board as the start; with_its_lexicon: with the built-in one it was saved with."""
        rows, saved = grid.rows, other_lexicon(grid.notes, self._lexicon)
        # Locked cells and holes belong to the previous board.
        asked = replace(self._constraints, locked=(), holes=())
        lexicon: Lexicon | str = self._lexicon
        try:
            shape = board_shape(rows, MIN_SIDE, MAX_SIDE)
            params: JsonObject = {**self.panel.values("puzzle"), **shape}
            plan = plan_of_board(grid)
            if plan is not None and self._has_other_words(plan.words):
                plan = plan.kept()
                lexicon, params, asked = plan.lexicon(), plan.params(), plan.constraints()
            elif saved is not None and with_its_lexicon:
                lexicon, asked = saved.open(), UNCONSTRAINED
        except TileLabError as error:
            self.show_error(str(error))
            return
        known = of_kind(self.page.source.puzzle, BogglePuzzle).lexicon.alphabet + HOLE
        if saved is not None and lexicon is self._lexicon and (sign := foreign_symbol(rows, known)):
            text = saved.refused_text(name, self.title, sign)
            mends = saved.buttons(partial(self._open_with_its_lexicon, grid, name, file))
            self.notice.show_error_about(text, lambda: self.subject, mends)
            return
        request = BoardRequest(
            *(self.puzzle_key, lexicon, params, rows, self.load.accents),
            requires_start=True,
            constraints=asked,
        )
        # A board of other words is chosen for its size, too; one of the user's own words is not.
        is_own = isinstance(lexicon, Lexicon) and lexicon.path and is_typed_list(lexicon.path)
        own = self.size.own() if is_own else None
        then = self.panel.show_puzzle
        self.control.ask_puzzle(request, LoadContext(Origin(name, file, grid, own), then=then))

    def _open_with_its_lexicon(self, grid: GridFile, name: str, file: Path | None) -> None:
        self.load.choose(partial(self._take_grid, with_its_lexicon=True), grid, name, file)

    def _has_other_words(self, words: PuzzleList) -> bool:
        forbidden, noted = set(self._constraints.forbidden), set(words.strings(Need.MUST_NOT))
        allowed = {word.string for word in words.words} - noted
        required, must = set(self._constraints.required), set(words.strings(Need.MUST))
        is_other = allowed != set(self._lexicon.strings) - forbidden
        return is_other or bool(noted and noted != forbidden) or bool(must and must != required)

    def board_in_hand(self) -> tuple[Puzzle, Best] | None:
        board = self.shown
        return None if board is None else (self.hand.started(board), board.best)

    def record_of_edits(self) -> RunRecord | None:
        with contextlib.suppress(TileLabError):
            board = self.hand.edited_board()
            if board is None and self.run.started is None and self._start_name == tr(BY_HAND):
                board = self.page.source.start  # edited in the previous session
            if board is not None:
                return record_of_edits(self.hand.started(board), board.best)
        return None

    def board_to_keep(self) -> KeptBoard | None:
        draft, start = self.hand.draft, self._start
        if draft is not None:
            name, rows, locked = tr(BY_HAND), draft.rows, tuple(sorted(draft.locked))
        elif start is not None:
            name, rows, locked = self._start_name, start.rows, self._constraints.locked
        else:
            return None
        params = self.panel.values("puzzle")
        return KeptBoard(name=encodable(name), rows=rows, locked=locked, params=params)

    def constraints_to_keep(self) -> JsonObject:
        path = self._lexicon.path
        if path is not None and is_typed_list(path):
            return {}  # the list has them
        fits = self._start is None or self.size.typed() == self._holes_shape
        holes = self._asked.holes if fits else ()
        return constraints_origin(replace(self._constraints, locked=(), holes=holes))

    def remember(self) -> None:
        keep_own_size(self.settings, self.size.before_list)

    def show_no_run(self) -> None:
        self._before_draft = None  # a run that starts keeps its start
        self._n_locked_before = self.hand.n_locked
        is_start = self._start is not None and self.hand.has(self._start.rows)
        self._was_edited = self.hand.draft is not None or is_start
        self._had_hand_board = False
        self.best_panel.show_proof(None)
        self.show_nothing_found(None)

    def show_nothing_found(self, start: Board | None) -> None:
        self.show_board(start)
        self.page.head_start(start)
        report = None if start is None else of_kind(start.report, GridReport)
        if report is not None and not (report.missing_indices.size or report.forbidden_found):
            self.page.set_heading(tr("Board with all words"))

    def show_loaded(self, loaded: PuzzleLoaded) -> None:
        puzzle, context = of_kind(loaded.puzzle, BogglePuzzle), loaded.context
        if context.run_name is None:
            origin = of_kind(context.origin, Origin)
        else:
            start = puzzle.start
            rows = None if start is None else GridFile(puzzle.rows_of(start))
            origin = Origin(context.run_name or tr("the board of the run"), None, rows)
        path, grid = origin.path, origin.grid
        is_its_start = grid is not None and self.hand.has(grid.rows)
        self._had_hand_board = (
            context.run_name is not None and self._was_edited and not is_its_start
        )
        self._lexicon, self._start = puzzle.given or puzzle.lexicon, grid
        self._before_draft = None
        self.hand.forget_redo()
        self._constraints, self._holes_shape = puzzle.constraints, puzzle.shape
        self.source_card.show_lexicon(self._lexicon)
        self.source_card.show_constraints(self._constraints)
        self._name_start("" if grid is None else tr(origin.name))
        values = loaded.puzzle.params.model_dump()
        self.panel.set_values({name: values[name] for name in ("rows", "cols")})
        if loaded.start is not None:
            self.show_nothing_found(loaded.start)
        if self._n_locked_before and not puzzle.constraints.locked:
            self._say_unlocked(self._n_locked_before)
        if path is not None and is_typed_list(path):
            self.settings.add_recent(path, RECENT_LISTS)
        elif path is not None:
            self.settings.add_recent(path)
            self._explain_loading(path, grid)

    def keeper(self) -> Callable[[Any], object]:
        restore_hand, size = self.hand.keeper(), self.size.before_list

        def restore(face: LetterFace) -> None:
            restore_hand(face.hand)
            source = face.page.source
            if source.context.origin is None:  # a run that is opened again does not know it
                context = replace(source.context, origin=Origin("", own_size=size))
                face.page.source = replace(source, context=context)

        return restore

    def forget_redo(self) -> None:
        self.hand.forget_redo()

    def end(self) -> None:
        if "game" in vars(self):
            self.game.close()

    def take_over_board(self, before: "LetterFace") -> None:
        super().take_over_board(before)
        self._start, self._constraints = before._start, before._constraints
        self._holes_shape = before._holes_shape
        self.source_card.show_constraints(self._constraints)
        self._name_start(translated_again(before._start_name, before.page.language, _START_NAMES))
        if self._start is None:
            self.show_nothing_found(None)

    def take_over_look(self, before: "LetterFace") -> None:
        self.hand.take_over(before.hand, before.shown)
        self.board.select(before.board.scene.selected)
        self.best_panel.take_over(before.best_panel)
        self.making.take_over(before.making)
        if "game" in vars(before):
            self.game.take_over(before.game)

    def show_started(self, started: RunStarted) -> None:
        # Undo of a run that was opened leads to the board that was edited before it.
        if started.puzzle.start is not None and self.page.source.context.run_name is None:
            self.hand.note_start(of_kind(started.puzzle, BogglePuzzle))

    def show_best(self, shown: ShownBest) -> None:
        is_set_aside = self.hand.draft is not None
        if is_set_aside and (edits := self.record_of_edits()) is not None:
            self.page.recorder.recorded.emit(edits)
        self._show_run(shown)
        if is_set_aside or (self._had_hand_board and self.hand.can_bring_back):
            self.notice.show_note(
                tr("Your edited board is set aside. While no run is going, Undo shows it.")
            )
            self._show_start()
        self._had_hand_board = False

    def _show_run(self, shown: ShownBest) -> None:
        self.show_board(shown.board, shown.seconds)
        self.page.set_heading(tr("Best board"), self.run.found_words)

    def show_metrics(self, metrics: Mapping[str, float], status: object = None) -> None:
        started = self.run.started
        proves = started is not None and started.solver.bounds_value and "bound" in metrics
        self.best_panel.show_proof(metrics if proves else None)

    def start_from(self, best: Best, name: str) -> None:
        assert self.run.started is not None
        puzzle = self.run.started.puzzle
        grid = GridFile(puzzle.rows_of(best.cells))
        origin = Origin(name, None, grid, self.size.before_list)
        self.control.ask_puzzle(ReadyPuzzle(puzzle, best.cells), LoadContext(origin))

    def show_board(self, board: Board | None, best_seconds: float | None = None) -> None:
        """Show a board and its words; best_seconds: running time at which it was found."""
        self.hand.show_board(board)
        self._show_words(board, best_seconds)

    def _show_words(self, board: Board | None, best_seconds: float | None = None) -> None:
        self.shown = board
        self.run.set_board_shown(board is not None)
        self.play_button.setEnabled(board is not None)
        report = None if board is None else of_kind(board.report, GridReport)
        self.heat_legend.set_most(None if report is None else int(report.usage.max(initial=0)))
        self.best_panel.show_changes((), ())
        self.best_panel.show_board(board, best_seconds)

    def _difficulty(self) -> str:
        """Show how hard a board's words are to find, while no run is going."""
        board = self.shown
        if board is None or self.run.status.state is State.RUNNING:
            return ""
        report = of_kind(board.report, GridReport)
        puzzle = of_kind(board.puzzle, BogglePuzzle)
        tiles = [puzzle.lexicon.tiles(string) for string in report.found]
        difficulty = difficulty_of(report.rows, tiles, puzzle.rules)
        return "" if difficulty is None else "\n".join(difficulty.lines())

    @Slot()
    def _show_hand(self) -> None:
        """Show that the board was edited by hand and is the start of the next run."""
        self.notice.close_offer(self.subject)
        self.page.set_heading(tr("By hand"))
        self.board.set_path(None)
        self._follow_size()

    @Slot(object)
    def _show_unedited(self, board: Board) -> None:
        """Show the board before all edits again, which undo has brought back."""
        if self.run.shown is not None:
            self._show_run(self.run.shown)
        else:
            self.show_nothing_found(board)
        if self._before_draft is not None and self.run.status.state is not State.RUNNING:
            before = self._before_draft
            self._start, self._start_name = before.board, before.name
            self._constraints, self._holes_shape = before.constraints, before.holes_shape
            self._before_draft = None
        self._follow_size()

    @Slot(object)
    def _show_hand_board(self, board: Board) -> None:
        self._show_words(board)
        self.best_panel.show_changes(*self.hand.changes(board))

    @Slot()
    def improve(self) -> None:
        """Start a run from the board that is shown, with the chosen solver."""
        if self.shown is not None and self.hand.draft is None:
            puzzle = of_kind(self.shown.puzzle, BogglePuzzle)
            self._start, self._before_draft = GridFile(puzzle.rows_of(self.shown.cells)), None
            holes, self._holes_shape = puzzle.constraints.holes, puzzle.shape
            self._constraints = replace(self._constraints, holes=holes)
            self._name_start(tr("the board that was shown"))
        if self.run.status.has_run:
            self.control.start_again(tr("A run from the board that is shown replaces the run"))
        else:
            self.control.act(Action.GO)

    def to_save(self, best: SavedBest) -> SavedBest | None:
        board = self.shown
        if board is None or self.hand.draft is None:
            return best
        value = of_kind(board.report, GridReport).value
        changed = replace(best.best, cells=board.cells, value=value)
        carried, moment = run_of_board(self.hand.started(board), changed), tr("changed by hand")
        return replace(best, board=board, best=changed, moment=moment, carried=carried)

    def _take_draft(self) -> None:
        """Make the edited board the start of the next run."""
        draft = self.hand.draft
        if draft is not None:
            self.notice.forget_undo()
            if self._before_draft is None:
                self._before_draft = self._next_start()
            self._start, self._holes_shape = GridFile(draft.rows), draft.shape
            self._start_name, self._constraints = tr(BY_HAND), self._drafted(draft)
            self._show_start()

    def _drafted(self, draft: Draft) -> Constraints:
        """Return the constraints with the locked cells and the holes of an edited board."""
        locked, holes = tuple(sorted(draft.locked)), tuple(sorted(draft.holes))
        return replace(self._constraints, locked=locked, holes=holes)

    def _show_start(self) -> None:
        """Show what the next run starts from: the edited board, or else the start."""
        draft = self.hand.draft
        asked = self._asked if draft is None else self._drafted(draft)
        self.source_card.show_constraints(asked)
        self.source_card.show_start(self._start_name if draft is None else tr(BY_HAND))

    def _say_unlocked(self, n_locked: int) -> None:
        """Report that a board with locked cells was replaced by the loaded one."""
        text = tr("The previous board had {cells}; on this one no cell is locked.")
        if self.hand.can_bring_back:
            text = tr(
                "The previous board had {cells}; on this one no cell is locked. "
                "Undo brings it back."
            )
        self.notice.show_note(text.format(cells=counted(n_locked, "locked cell")))

    def _explain_loading(self, path: Path, grid: GridFile | None) -> None:
        saved = None if grid is None else other_lexicon(grid.notes, self._lexicon)
        if grid is not None and saved is not None:
            self.notice.show_note(
                saved.loaded_text(path.name, self.title),
                buttons=saved.buttons(partial(self._open_with_its_lexicon, grid, path.name, path)),
            )
        report = self._lexicon.report
        if grid is None and report.n_dropped:
            self.notice.show_note(labelled(path.name, f"{report.summary()}."))
        if grid is None and (text := separated(path)[0]):
            self._offer_separators(path, text)

    def _offer_separators(self, path: Path, text: str) -> None:
        """Say that a line of a file is one word, and offer to read its parts as words."""
        said = labelled(
            path.name,
            tr("Each line is one word. To read its parts as words, open it in New puzzle."),
        )
        button = tr("Open in New puzzle"), partial(self.making.open_text, text, path.stem)
        lexicon = self._lexicon
        self.notice.show_note(
            said, buttons=[button], why=lambda: said if self._lexicon is lexicon else ""
        )

    def _offer_words(self, menu: QMenu) -> None:
        """Fill the menu of the lexicon's card."""
        edit = menu.addAction(tr("Edit these words…"))
        edit.triggered.connect(lambda: self.making.edit(self._lexicon))
        self.load.fill(menu)

    @Slot()
    def _lock_source(self) -> None:
        self.source_card.set_running(self.control.is_busy)
        self.hand.set_free(not self.control.is_busy)
        is_running = self.run.status.state is State.RUNNING and self.hand.draft is not None
        if is_running and self.run.shown is not None:
            self.show_best(self.run.shown)

    def _name_start(self, name: str) -> None:
        self._start_name = name
        self.source_card.show_start(name)

    @Slot(str)
    def _show_path(self, word: str) -> None:
        path = None
        if self.shown is not None and word:
            # Of a missing word, the beginning shows how far the board has it.
            path = of_kind(self.shown.puzzle, BogglePuzzle).longest_start(self.shown.cells, word)
        self.board.set_path(path)

    @Slot()
    def _drop_cell(self) -> None:
        self.board.select(None)
        self.best_panel.set_cell(None)

    @Slot()
    def _drop_start(self) -> None:
        n_locked = self.hand.n_locked
        if n_locked:
            self.show_error(
                tr(
                    "A random board does not keep {cells}. Unlock first.",
                    cells=counted(n_locked, "locked cell"),
                )
            )
            return
        self._forget_start()

    @Slot()
    def _forget_start(self) -> None:
        """Start the next run from a random board with the same holes; a notice can undo it."""
        self._take_draft()
        said = tr("The next run starts from a random board.")
        self._replace_start(said, replace(self._constraints, locked=()))

    @Slot()
    def _forget_holes(self) -> None:
        said = tr("The next run has a board without holes.")
        self._replace_start(said, replace(self._constraints, holes=()))

    def _replace_start(self, said: str, constraints: Constraints) -> None:
        """Start the next run from a random board; a notice says so and can undo it."""
        before, board = self._next_start(), self.shown
        self._before_draft = None
        self._set_start(_Start(None, "", constraints, self._holes_shape))
        if self.run.shown is not None:
            self._show_run(self.run.shown)
        elif self.run.started is None:
            self.show_nothing_found(None)
        here, spoken = self.page.undo_load.here, self.page.language

        def undo() -> None:
            of_kind(here.page.face, LetterFace)._bring_back_start(board, before, spoken)

        self.notice.show_note(said, undo=undo, subject=self.subject)

    def _next_start(self) -> _Start:
        return _Start(self._start, self._start_name, self._constraints, self._holes_shape)

    def _set_start(self, start: _Start) -> None:
        self._start, self._constraints = start.board, start.constraints
        self._holes_shape = start.holes_shape
        self._start_name = start.name
        self._follow_size()

    @property
    def _asked(self) -> Constraints:
        """Constraints of the next run; without a start board, holes are fitted to its size."""
        asked, size = self._constraints, self.size.typed()
        if self._start is not None or not asked.holes or size == self._holes_shape:
            return asked
        shape = shape_of_holes(asked.holes, self._holes_shape, noted_shape(self._lexicon))
        return replace(asked, holes=fitted_holes(shape_rows(shape), size))

    def _bring_back_start(self, board: Board | None, before: _Start, spoken: str) -> None:
        """Undo the removal of the start board; another puzzle takes the offer away.

        spoken: language of its name.
        """
        if not self.control.is_busy:
            name = translated_again(before.name, spoken, _START_NAMES)
            self._set_start(before._replace(name=name))
            if self.run.started is None:
                # It may have been scored only after the removal.
                scored = None if self._start is None else self.page.source.start
                self.show_nothing_found(board or scored)

    # The size

    def show_error(self, text: str) -> None:
        has_start = self.hand.draft is not None or self._start is not None
        mends = self._other_size()[1] if has_start else []
        self.notice.show_error_about(text, lambda: self.subject, mends)

    @Slot()
    def _follow_size(self) -> None:
        """Say at once that the size in the panel is not that of the start board or the holes."""
        self._show_start()
        said, mends = self._other_size()
        if self._size_said not in ("", said):
            self.notice.withdraw(self._size_said)
        if said and said != self._size_said:
            self.notice.show_note(said, stays=True, buttons=mends)
        self._size_said = said

    def _other_size(self) -> tuple[str, list[NoticeButton]]:
        """Return that the size is another one, or '', and buttons that change that."""
        (rows, cols), typed = self._holes_shape, self.size.typed()
        grid = self.hand.draft or self._start
        if grid is not None:
            rows, cols = len(grid.rows), len(grid.rows[0])
            said = tr("The start board has {rows} × {cols} cells.", rows=rows, cols=cols)
            without = tr("Without the start board"), self._forget_start
        elif self._constraints.holes:
            new_rows, new_cols = typed
            said = tr(
                "The holes are fitted to {rows} × {cols} cells.", rows=new_rows, cols=new_cols
            )
            if not self._asked.holes:
                said = tr("No hole is left in {rows} × {cols} cells.", rows=new_rows, cols=new_cols)
            without = tr("Without the holes"), self._forget_holes
        else:
            return "", []
        if typed == (rows, cols):
            return "", []
        size = tr("Size {rows} × {cols}", rows=rows, cols=cols)
        return said, [(size, partial(self._set_size, rows, cols)), without]

    def _set_size(self, rows: int, cols: int) -> None:
        self.panel.set_values({"rows": rows, "cols": cols})
        self._follow_size()
