"""The face of letter puzzles: a lexicon, a board tinted by usage, and its words."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import GridFile
from tilelab.core.plain import JsonObject, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Best
from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.gui.boards.letter_view import HeatLegend
from tilelab.gui.letters.load_menu import LetterLoadMenu, Origin
from tilelab.gui.puzzles.boggle.board_editor import BoardEditor
from tilelab.gui.puzzles.boggle.constraint_cards import ConstraintCard, ConstraintPanel
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.boggle.last_session import keep_own_size, puzzle_of_last_session
from tilelab.gui.puzzles.boggle.letter_opener import LetterOpener
from tilelab.gui.puzzles.boggle.list_size import ListSize
from tilelab.gui.puzzles.boggle.next_start import NextStart, Start
from tilelab.gui.puzzles.boggle.puzzle_maker import RECENT_LISTS, BoardRequest, PuzzleMaker
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
from tilelab.gui.widgets.parts import after_first_paint, calling, push_button
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import shown_title
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.puzzle_list import is_typed_list
from tilelab.puzzles.boggle.difficulty import difficulty_of
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, GridReport
from tilelab.runs.actions import Action, State
from tilelab.runs.history.record import RunRecord, record_of_edits


@register_face("boggle")
class LetterFace(PuzzleFace):
    """The face of letter boards that spell as many words of a lexicon as possible."""

    load: LetterLoadMenu
    best_panel: ConstraintPanel
    source_card: ConstraintCard

    def __init__(self, puzzle_key: str, settings: Settings) -> None:
        puzzle, origin, note = puzzle_of_last_session(settings)
        card = ConstraintCard()
        set_manual_place(card, "letter-grids#lexicons")
        super().__init__(
            PuzzleLoaded(puzzle, None, LoadContext(origin)),
            card,
            settings,
            note,
        )
        self._was_edited = False  # whether the board before the one being loaded was made by hand
        self._had_hand_board = False  # whether a run was opened in place of such a board
        self.shown: Board | None = None  # board that is shown, with its words
        self._n_locked_before = 0  # number of locked cells on the board before the one being loaded

    def join(self, page: PuzzlePage) -> None:
        super().join(page)
        settings = self.settings
        self.size = ListSize(page)
        self.hand = BoardEditor(settings, self.size.typed, page)
        self.hand.offered = self._offered
        page.undo_load.changed.connect(self.hand.allow)
        self.board = self.hand.board
        first = of_kind(self.first.puzzle, BogglePuzzle)
        self.start = NextStart(first, self.source_card, self.hand, self.size, page)
        self.start.dropped.connect(self._show_dropped)
        self.heat_legend = HeatLegend(page)
        self.best_panel = ConstraintPanel(page)
        self.best_panel.value_tip = self._difficulty
        title, tip = tr("Play this board…"), tr("Find the words of this board yourself (F7)")
        self.play_button = push_button(title, "play_grid", tip, self.best_panel, self.play)
        self.best_panel.whole.addWidget(self.play_button)
        self.load = LetterLoadMenu(self.puzzle_key, settings, page)
        self.making = PuzzleMaker(page, self.puzzle_request, self.size.own)
        self.opener = LetterOpener(self.start, self.size, self.making, self.load, page)
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
        self.load.lexicon = lambda: self.start.lexicon
        self.load.fill_further = lambda menu: self.making.fill(menu, self.load.accents)
        page.lay_out(self.hand, (self.heat_legend,), self.best_panel, self.board_place)
        set_manual_place(self.hand.bar, "puzzle-maker#the-board-by-hand")
        QWidget.setTabOrder(self.hand.bar.improve, page.chart)
        self.board.cell_clicked.connect(self.best_panel.set_cell)
        self.best_panel.word_shown.connect(self._show_path)
        self.best_panel.cell_dropped.connect(self._drop_cell)
        self.source_card.start_dropped.connect(self.start.drop_board)
        self.panel.puzzle_changed.connect(self.start.follow_size)
        self.hand.changed.connect(self._show_hand)
        self.hand.restored.connect(self._show_unedited)
        self.hand.scored.connect(self._show_hand_board)
        self.hand.bar.improve.clicked.connect(self.improve)
        self.hand.refused.connect(self.show_error)
        self.source_card.become_button(self._offer_words)
        self.making.grid_pasted.connect(partial(self.load.choose, self.opener.take_grid))
        self.run.status_changed.connect(self._lock_source)
        self.load.lexicon_requested.connect(self.opener.load_lexicon)
        self.load.grid_requested.connect(self.opener.load_grid)
        if self.first.puzzle.start is not None:
            self.hand.note_start(first)
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
            if is_free and self.start.has_board:
                self.show_nothing_found(board)

    @property
    def title(self) -> str:
        return shown_title(self.start.lexicon.title)

    @property
    def subject(self) -> object:
        draft = self.hand.draft
        return super().subject if draft is None else draft

    @property
    def lexicon(self) -> Lexicon:
        return self.start.lexicon

    @property
    def names(self) -> tuple[str, ...]:
        return self.start.now.name, self.title

    def puzzle_request(self) -> BoardRequest:
        self.start.take_draft()
        board, asked = self.start.now.board, self.start.asked
        rows, params = None if board is None else board.rows, self.panel.values("puzzle")
        return BoardRequest(self.puzzle_key, self.start.lexicon, params, rows, constraints=asked)

    def values_in_force(self) -> Values:
        rules = None if self.shown is None else self.shown.puzzle.params
        return {} if rules is None else rules.model_dump(exclude={"rows", "cols"})

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
                tr("Show only words with the typed letters"), (Menu.EDIT, 2), "window#the-result",
                unless(lambda: self.shown, tr("There are no words to filter yet.")), icon="search",
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

    def _offered(self, action: str) -> Callable[[], object] | None:
        """Return what an action does before a change of the board: a typed size is put back first.

        The load of the start board came before it.
        """
        offered = self.page.undo_load.offered(action)
        if offered is None or action != "undo":
            return offered
        return next((put_back for _, put_back in self.start.mends()), offered)

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

    def ask_for_own(self) -> None:
        self.making.ask()

    def board_in_hand(self) -> tuple[Puzzle, Best] | None:
        board = self.shown
        return None if board is None else (self.hand.started(board), board.best)

    def record_of_edits(self) -> RunRecord | None:
        with contextlib.suppress(TileLabError):
            board = self.hand.edited_board()
            if board is None and self.run.started is None and self.start.is_by_hand:
                board = self.page.source.start  # edited in the previous session
            if board is not None:
                return record_of_edits(self.hand.started(board), board.best)
        return None

    def board_to_keep(self) -> KeptBoard | None:
        return self.start.board_to_keep()

    def constraints_to_keep(self) -> JsonObject:
        return self.start.constraints_to_keep()

    def remember(self) -> None:
        keep_own_size(self.settings, self.size.before_list)

    def show_no_run(self) -> None:
        self.start.keep_draft()
        self._n_locked_before = self.hand.n_locked
        start = self.start.now.board
        is_start = start is not None and self.hand.has(start.rows)
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
        self.hand.forget_redo()
        self.start.load(puzzle, grid, tr(origin.name))
        values = loaded.puzzle.params.model_dump()
        self.panel.set_values({name: values[name] for name in ("rows", "cols")})
        self.start.show()
        if loaded.start is not None:
            self.show_nothing_found(loaded.start)
        if self._n_locked_before and not puzzle.constraints.locked:
            self._say_unlocked(self._n_locked_before)
        if path is not None and is_typed_list(path):
            self.settings.add_recent(path, RECENT_LISTS)
        elif path is not None:
            self.settings.add_recent(path)
            self.opener.explain(path, grid)

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
        self.start.take_over(before.start)
        if not self.start.has_board:
            self.show_nothing_found(None)

    def take_over_look(self, before: "LetterFace") -> None:
        self.hand.take_over(before.hand, before.shown)
        self.board.select(before.board.scene.selected)
        self.best_panel.take_over(before.best_panel)
        self.making.take_over(before.making)
        if "game" in vars(before):
            self.game.take_over(before.game)

    def show_started(self, started: RunStarted, *, is_opened: bool = False) -> None:
        # Undo of a run that was opened leads to the board that was edited before it.
        if started.puzzle.start is None and not is_opened:
            self.hand.forget()
        elif started.puzzle.start is not None and self.page.source.context.run_name is None:
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
            self.start.show()
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
        if self.run.started is None:
            self.panel.set_in_force(self.values_in_force())
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
        self.start.follow_size()

    @Slot(object)
    def _show_unedited(self, board: Board) -> None:
        """Show the board before all edits again, which undo has brought back."""
        if self.run.shown is not None:
            self._show_run(self.run.shown)
        else:
            self.show_nothing_found(board)
        self.start.leave_draft()

    @Slot(object)
    def _show_hand_board(self, board: Board) -> None:
        self._show_words(board)
        self.best_panel.show_changes(*self.hand.changes(board))

    @Slot()
    def improve(self) -> None:
        """Start a run from the board that is shown, with the chosen solver."""
        if self.shown is not None and self.hand.draft is None:
            self.start.begin_from(self.shown)
        if self.run.status.has_run:
            self.control.start_again(tr("A run from the board that is shown replaces the run"))
        else:
            self.control.act(Action.GO)

    def to_save(self, best: SavedBest) -> SavedBest | None:
        """Return the best, unless an edited board is shown: its run may not have made that."""
        return best if self.hand.draft is None else None

    def _say_unlocked(self, n_locked: int) -> None:
        """Report that a board with locked cells was replaced by the loaded one."""
        text = tr("The previous board had {cells}; on this one no cell is locked.")
        if self.hand.can_bring_back:
            text = tr(
                "The previous board had {cells}; on this one no cell is locked. "
                "Undo brings it back."
            )
        self.notice.show_note(text.format(cells=counted(n_locked, "locked cell")))

    def _offer_words(self, menu: QMenu) -> None:
        """Fill the menu of the lexicon's card."""
        edit = menu.addAction(tr("Edit these words…"))
        edit.triggered.connect(calling(self._edit_words))
        self.load.fill(menu)

    def _edit_words(self) -> None:
        """Open the words in New puzzle; a board by hand and locked cells are kept with them."""
        is_locked = bool(self.puzzle_request().constraints.locked)
        keeps_board = self.start.is_by_hand or is_locked
        self.making.edit(self.start.lexicon, keeps_board=keeps_board)

    @Slot()
    def _lock_source(self) -> None:
        self.source_card.set_running(self.control.is_busy)
        self.hand.set_free(not self.control.is_busy)
        is_running = self.run.status.state is State.RUNNING and self.hand.draft is not None
        if is_running and self.run.shown is not None:
            self.show_best(self.run.shown)

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

    @Slot(str, object)
    def _show_dropped(self, said: str, before: Start) -> None:
        """Show the board without the start; a notice says so and can undo it."""
        board, here, spoken = self.shown, self.page.undo_load.here, self.page.language
        if self.run.shown is not None:
            self._show_run(self.run.shown)
        elif self.run.started is None:
            self.show_nothing_found(None)

        def undo() -> None:
            of_kind(here.page.face, LetterFace)._bring_back_start(board, before, spoken)

        self.notice.show_note(said, undo=undo, subject=self.subject)

    def _bring_back_start(self, board: Board | None, before: Start, spoken: str) -> None:
        """Undo the removal of the start board; another puzzle takes the offer away.

        spoken: language of its name.
        """
        if not self.control.is_busy:
            self.start.bring_back(before, spoken)
            if self.run.started is None:
                # It may have been scored only after the removal.
                scored = self.page.source.start if self.start.has_board else None
                self.show_nothing_found(board or scored)

    def show_error(self, text: str) -> None:
        self.notice.show_error_about(text, lambda: self.subject, self.start.mends())
