"""The face of word tiles: a board to play on, a colony to watch, and the path to its best."""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from tilelab.catalog import puzzle_of_board
from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.grid_file import GridFile, board_shape, parse_notes
from tilelab.core.files.paths import path_from, read_text
from tilelab.core.parameters import replaced, validate
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import encodable
from tilelab.core.text.wording import labelled
from tilelab.core.views import ViewKind
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_play import NO_BOARDS
from tilelab.gui.charts.curves import BEST_EVER, ChartCurve, further_curves, island_curves
from tilelab.gui.letters.load_menu import LetterLoadMenu, Origin, say_own_rules
from tilelab.gui.letters.saved_lexicon import foreign_symbol, other_lexicon
from tilelab.gui.puzzles.wordtiles.panel import WordCard, WordTilePanel
from tilelab.gui.puzzles.wordtiles.play import (
    SavedWordTiles,
    WordTilePlay,
    word_board_dialog,
    word_scene,
)
from tilelab.gui.run.choices import KeptBoard, last_board, last_puzzle
from tilelab.gui.run.face_register import register_face
from tilelab.gui.run.messages import (
    Board,
    LetterRequest,
    LoadContext,
    Pending,
    PuzzleLoaded,
    ReadyPuzzle,
    RunStatus,
    RunUpdate,
    of_kind,
)
from tilelab.gui.run.run_model import ShownBest
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.run.tile_face import NAMES, RUN_BOARD, FirstGame, TileFace
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.views.agents_view import AgentsView
from tilelab.gui.widgets.commands import Command, Menu
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.play_bar import PageView, ViewSwitch
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import shown_title
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.lexicon_puzzle import ForeignSymbolError, LexiconPuzzle
from tilelab.library.loading import random_seed
from tilelab.puzzles.wordtiles.play import (
    MAX_BYTES,
    WordPosition,
    has_way,
    is_word_board,
    parse_word_board,
    start_rows,
    word_board,
    word_board_text,
)
from tilelab.puzzles.wordtiles.puzzle import MAX_LETTERS_SEED, WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import BLANKS, MAX_SIDE, MIN_SIDE
from tilelab.runs.actions import State

FIRST_LEXICON = "english-small"
_COUNTS = ("counting", "fitness")
_MAX_DRAWS = 200  # maximum number of boards that are drawn until a word is possible
"""Parameters whose change keeps the board; all others draw new letters."""
_CURVES = {
    "worst": ChartCurve("worst", "worst", "faint", 1),
    "mean": ChartCurve("mean", "mean", "selection", 1),
    "best_of": ChartCurve("", "best", "muted", 1),
    "best_ever": BEST_EVER,
}
_MORE_CURVES = {
    "loyal": marked("Loyal"),
    "archive_size": marked("Archive"),
    "generated": marked("Boards"),
    "depth": marked("Depth"),
    "megabytes": marked("Memory"),
}
_AT_REST = (State.PAUSED, State.FINISHED, State.FAILED)


def curves_of(metrics: tuple[str, ...]) -> dict[str, tuple[ChartCurve, ...]]:
    """Return sets of a solver's metrics for the chart, by title."""
    values: list[ChartCurve] = []
    for name, curve in _CURVES.items():
        metric = next((metric for metric in metrics if metric.startswith(name)), None)
        if name == "best_ever":
            values += island_curves(metrics)
        if metric is not None:
            values.append(dataclasses.replace(curve, metric=metric))
    more = {
        title: (ChartCurve(name, title.lower(), "accent", 2),)
        for name, title in _MORE_CURVES.items()
        if name in metrics
    }
    return {marked("Count"): tuple(values), **further_curves(metrics), **more}


def boards_scored(params: Mapping[str, Any], metrics: Mapping[str, float], units: int) -> float:
    """Return how many boards a run has scored, or 0 if its solver does not count them."""
    for name in ("evaluations", "generated"):
        if name in metrics:
            return metrics[name]
    if {"agents", "steps"} <= params.keys():
        return float(units * params["agents"] * params["steps"] * params.get("islands", 1))
    return float(units * params.get("slides_per_iteration", 0))


class BestBoards(QObject):
    """Best boards of a run in its archive, and the slides that lead to each."""

    def __init__(self, page: PuzzlePage, desk: WordTilePlay, panel: WordTilePanel) -> None:
        super().__init__(page)
        self._run, self._files, self._desk, self._panel = page.run, page.best_files, desk, panel
        self._archive = NO_BOARDS
        self._sought: Best | None = None
        self._background = TaskRunner(self, self._reported, failed=self._show_path)
        self._background.failed.connect(page.face.show_error)
        desk.archive_bar.place_requested.connect(self._turn)

    @property
    def is_busy(self) -> bool:
        """Whether a path is being searched for."""
        return self._background.is_busy

    def take_over(self, before: "BestBoards") -> None:
        """Offer the archive that another page offers."""
        self._archive = before._archive
        self.offer_archive()

    def clear(self) -> None:
        """Forget the boards of a run."""
        self._archive = NO_BOARDS

    def seek(self) -> None:
        """Search for the path, if its board is new and the run is not going."""
        started, best = self._run.started, self._run.best
        rests = self._run.status.state in _AT_REST
        if best is None or started is None or not rests or best is self._sought or best.optimal:
            return
        self._sought = best
        self._background.start(path_to(started.puzzle, best))
        self._show_path()

    def forget(self) -> None:
        """Cancel the search; the same board will be searched again."""
        was_busy = self.is_busy
        self._background.cancel()
        self._sought = None
        if was_busy:
            self._show_path()

    def show(self, board: Board) -> None:
        """Show a best board, and its path if known, or that the path is being searched for."""
        self._desk.show_best(board, self._run.found_words)
        self._show_path()

    def take_archive(self, archive: NDArray[np.uint8]) -> None:
        """Take the newest archive."""
        self._archive = archive
        self.offer_archive()

    def offer_archive(self) -> None:
        """Offer the archive of the best boards so far, unless an earlier moment is shown.

        Inside an iteration it may have better boards, which become the best at its end.
        """
        best, places = self._run.best, np.empty(0, np.intp)
        if not self._run.is_back and best is not None and len(self._archive):
            places = np.flatnonzero((self._archive == best.cells).all(axis=1))
        if len(places):
            self._desk.show_archive(int(places[0]), len(self._archive))
        else:
            self._desk.show_archive(0, 0)

    @Slot(int)
    def _turn(self, place: int) -> None:
        """Make another of the best boards the one to show and save, with its path."""
        started, best = self._run.started, self._run.best
        if best is None or started is None or not 0 <= place < len(self._archive):
            return
        cells = self._archive[place]
        self._desk.show_archive(place, len(self._archive))
        self._replace(dataclasses.replace(best, cells=cells, moves=None, optimal=None))
        self.show(Board.of(started.puzzle, cells))
        self.seek()

    def _replace(self, best: Best) -> None:
        """Replace the best by a board of the same value, or by the same with its path."""
        if self._files.saved is self._run.best:
            self._files.saved = best
        self._run.replace_best(best)

    @Slot()
    def _show_path(self) -> None:
        best = self._run.best
        if best is not None and best.moves is not None:
            self._desk.show_path(best.moves)
        self._panel.show_path(best, is_sought=self.is_busy)

    @Slot(object)
    def _reported(self, reported: tuple[Best, Best]) -> None:
        best, with_moves = reported
        if best is self._run.best:
            self._background.cancel()
            self._replace(with_moves)
            self._sought = with_moves
            self._show_path()


class PossibleWords(LetterRequest):
    """A request for a board on which some word is possible.

    Other letters are drawn for it, with seed after seed, unless no word is short enough for a line.
    """

    def build(self) -> LexiconPuzzle:
        puzzle = of_kind(super().build(), WordTilesPuzzle)
        seed, further = puzzle.params.letters_seed, range(_MAX_DRAWS)
        if self.start_rows is None:
            further = further[1:]  # the letters of the seed are drawn already
        made = puzzle
        with contextlib.suppress(GridError):  # of words without the letters that are drawn
            for step in further:
                if made.possible or not made.reduction.of_length:
                    return made
                drawn = (seed + step) % (MAX_LETTERS_SEED + 1)
                params = replaced(puzzle.params, letters_seed=drawn)
                made = WordTilesPuzzle.create(puzzle.lexicon, params)
        return made if made.possible else puzzle


def path_to(puzzle: Puzzle, best: Best) -> Iterator[tuple[Best, Best]]:
    """Find the path to a best board as a job of one step."""
    yield best, puzzle.with_path(best)


@register_face("wordtiles")
class WordTileFace(TileFace):
    """The face of word tiles, to play by hand, search, and see the best boards."""

    saved_kind = SavedWordTiles
    board_place = "word-tiles#in-the-window"
    desk: WordTilePlay
    load: LetterLoadMenu
    best_panel: WordTilePanel
    source_card: WordCard

    def __init__(self, puzzle_key: str, settings: Settings) -> None:
        puzzle, note = last_puzzle(settings, WordTilesPuzzle, FIRST_LEXICON)
        card = WordCard()
        set_manual_place(card, "letter-grids#lexicons")
        self.first_game = _last_game(settings, puzzle)
        first = self.first_game.history.position
        context = LoadContext(Origin(first.name))
        super().__init__(PuzzleLoaded(first.puzzle, None, context), card, settings, note)

    def join(self, page: PuzzlePage) -> None:
        super().join(page)
        self.desk = WordTilePlay(self.first_game.history, self.notice, self.settings, page)
        self.best_panel = WordTilePanel(page)
        self.views = ViewSwitch(page)
        self.load = LetterLoadMenu(self.puzzle_key, self.settings, page, is_word_board)
        self.load.lexicon = lambda: self.lexicon
        self.load.own_entries = (
            Command("type_board", tr("Type or paste a board…"), self.ask_for_board),
            Command("scramble_letters", tr("Scramble these tiles"), self.scramble),
            Command("draw", tr("Draw other letters"), self.draw_another, "Ctrl+G"),
        )
        self.bests = BestBoards(page, self.desk, self.best_panel)
        self.join_desk(self.views)
        self.desk.shown_changed.connect(self._show_board)
        self.desk.view_changed.connect(self._show_view)
        self.views.view_requested.connect(self.desk.look)
        page.view_stack.made.connect(self._join_view)
        self.best_panel.word_shown.connect(self.desk.show_word)
        self.load.lexicon_requested.connect(self.load_lexicon)
        self.load.grid_requested.connect(self.load_board)
        self.source_card.draw.clicked.connect(self.draw_another)

    @property
    def title(self) -> str:
        return shown_title(self.lexicon.title)

    @property
    def names(self) -> tuple[str, ...]:
        return self.title, self.desk.position.name

    @property
    def lexicon(self) -> Lexicon:
        return self.desk.position.puzzle.lexicon

    @property
    def _params(self) -> WordTilesParams:
        return self.desk.position.puzzle.params

    def puzzle_request(self) -> LetterRequest:
        rows = self.desk.position.rows
        return LetterRequest(self.puzzle_key, self.lexicon, self.panel.values("puzzle"), rows)

    def curve_sets(self) -> dict[str, tuple[ChartCurve, ...]]:
        return curves_of(() if self.run.started is None else self.run.started.solver.metrics)

    def commands(self) -> tuple[Command, ...]:
        return (
            *super().commands(),
            Command(
                "filter_words", tr("Filter the words"), self.best_panel.focus_filter, "Ctrl+F",
                tr("Show only words with the typed letters"), (Menu.EDIT, 3),
                "window#the-result", icon="search",
            ),
        )  # fmt: skip

    def to_save(self, best: SavedBest) -> SavedBest | None:
        """Return the best, if it is the board in the middle."""
        return best if self.desk.shows_best else None

    def to_print(self, best: SavedBest) -> SavedBest:
        """Return the best, with slides from the board in the middle if that is not the best."""
        shown, started = self.desk.shown_position, of_kind(best.board.puzzle, WordTilesPuzzle)
        if self.desk.shows_best or np.array_equal(shown.cells, started.start):
            return best
        board = dataclasses.replace(best.board, puzzle=shown.puzzle.starting_with(shown.cells))
        # The slides of the run begin elsewhere; its sheet finds others.
        alone = dataclasses.replace(best.best, moves=None, optimal=None)
        return dataclasses.replace(best, board=board, best=alone, carried=None)

    def board_in_hand(self) -> tuple[Puzzle, Best]:
        shown = self.desk.shown_position
        return shown.puzzle.starting_with(shown.cells), Best(
            shown.cells, shown.puzzle.score(shown.cells), 0, moves="", optimal=True
        )

    def board_to_print(self) -> tuple[Puzzle, Best]:
        """Return the board in the middle, and the best board of the game that it can become."""
        puzzle, best = self.board_in_hand()
        for position in self.desk.history.positions:
            with contextlib.suppress(GridError):  # of a board that slides do not lead to
                cells = puzzle.parse(position.rows)
                puzzle.require(cells)
                if (value := puzzle.score(cells)) > best.value:
                    best = Best(cells, value, 0)  # the sheet finds its slides
        return puzzle, best

    def board_to_keep(self) -> KeptBoard:
        position = self.desk.position
        return KeptBoard(
            name=encodable(position.name),
            rows=position.rows,
            start=position.puzzle.rows_of(position.start),
            n_moves=position.n_moves,
            game=self.game_to_keep(),
            params=position.puzzle.params.model_dump(mode="json"),
        )

    def board_text(self) -> str:
        return word_board_text(self.desk.shown_position.rows)

    def start_scene(self, puzzle: Puzzle) -> TileScene:
        return word_scene(of_kind(puzzle, WordTilesPuzzle))

    # Loading

    @Slot(str)
    def load_lexicon(self, name: str) -> None:
        """Load a built-in lexicon by its key, or a file by its path; the board stays if it can."""
        params, say_rules = self._for_other_words()
        rows, origin = self.desk.position.rows, Origin("", self.load.file_of(name))

        def say(puzzle: Puzzle) -> None:
            if self.desk.position.rows != rows:
                said = tr("The letters are drawn again for these words.")
                self.notice.show_note(" ".join(filter(None, (said, self.notice.text))))
            say_rules(puzzle)

        request = PossibleWords(self.puzzle_key, name, params, rows, self.load.accents)
        self.control.ask_puzzle(request, LoadContext(origin, then=say))

    @Slot(str)
    def load_board(self, path: str) -> None:
        """Load a board; a saved one whose words are known is shown with its start and its moves."""
        file = path_from(path)
        if has_way(path) and puzzle_of_board(file) == self.puzzle_key:
            self.load.run_requested.emit(file)
        else:
            self._take_text(partial(read_text, path, MAX_BYTES), encodable(file.name), file)

    @Slot()
    def ask_for_board(self) -> None:
        make = partial(word_board_dialog, self.lexicon, self._params, self.page)
        position = self.load.ask_typed(make)
        if position is not None:
            self.load.choose(self.take_board, position)

    @Slot()
    def paste(self) -> None:
        read, said = QGuiApplication.clipboard().text, tr("The pasted text is not a board: ")
        self.load.choose(partial(self._take_text, read, tr("Pasted board"), said=said))

    @Slot()
    def scramble(self) -> None:
        """Slide the tiles of the board in play at random, which makes a puzzle of solved words."""
        position = self.desk.position.scrambled(random_seed(), tr("Scrambled"))
        self.load.choose(self.take_board, position)

    @Slot()
    def draw_another(self) -> None:
        seed = (self._params.letters_seed + 1) % (MAX_LETTERS_SEED + 1)
        self._draw({**self._params.model_dump(), "letters_seed": seed}, PossibleWords)

    def take_board(
        self, position: WordPosition, file: Path | None = None, grid: GridFile | None = None
    ) -> None:
        """Put another board in play, maybe from a file; a current run is discarded."""
        self.control.ask_puzzle(
            ReadyPuzzle(position.puzzle), LoadContext(Origin(position.name, file, grid))
        )

    def _take_text(
        self, read: Callable[[], str], name: str, file: Path | None = None, said: str = ""
    ) -> None:
        """Load a board; said: beginning of the error if that is impossible."""
        grid = GridFile(())
        try:
            text = read()
            notes = parse_notes(text)
            grid = GridFile(start_rows(parse_word_board(text), notes.get("moves", "")), notes)
            position = word_board(self.lexicon, self._params, grid.rows, name)
        except TileLabError as error:
            saved = other_lexicon(grid.notes, self.lexicon)
            if saved is None or not isinstance(error, ForeignSymbolError):
                self.show_error(f"{said}{error}")
                return
            sign = foreign_symbol(grid.rows, self.lexicon.alphabet + "".join(BLANKS))
            refused = saved.refused_text(name, self.title, sign)
            mends = saved.buttons(partial(self._open_with_its_lexicon, grid, name, file))
            self.notice.show_error_about(refused, lambda: self.subject, mends)
        else:
            self.take_board(position, file, grid)

    def _open_with_its_lexicon(self, grid: GridFile, name: str, file: Path | None) -> None:
        """Load a board with the lexicon that it was saved with, a known one."""
        saved = other_lexicon(grid.notes, self.lexicon)
        try:
            shape = board_shape(grid.rows, MIN_SIDE, MAX_SIDE)
            own, say_rules = self._for_other_words()
            params = {**own, **shape}
            lexicon = self.lexicon if saved is None else saved.open()
        except TileLabError as error:
            self.show_error(str(error))
            return
        request = LetterRequest(
            self.puzzle_key, lexicon, params, grid.rows, self.load.accents, requires_start=True
        )
        context = LoadContext(Origin(name, file, grid), then=say_rules)
        self.load.choose(self.control.ask_puzzle, request, context)

    def _for_other_words(self) -> tuple[Values, Callable[[Puzzle], None]]:
        """Return the parameters with the user's rules, and what says that these return, if so."""
        shown, own = self._params.model_dump(), self.page.own_rules()
        params = {**shown, **{name: own[name] for name in _COUNTS}}

        def say(_puzzle: Puzzle) -> None:
            if params != shown:
                say_own_rules(self.notice)

        return params, say

    def _draw(self, values: Values, kind: type[LetterRequest] = LetterRequest) -> None:
        request = kind(self.puzzle_key, self.lexicon, values)
        if not self.control.ask_puzzle(request, LoadContext(Origin(""))):
            self._show_position()

    def show_no_run(self) -> None:
        self.bests.clear()
        self.desk.unpin()
        self.show_nothing_found(None)

    def show_nothing_found(self, start: Board | None) -> None:
        self.bests.forget()
        self.desk.begin()
        self.best_panel.clear_run()

    def show_current(self, board: Board) -> None:
        self.desk.show_best(board, ())

    def show_loaded(self, loaded: PuzzleLoaded) -> None:
        context = loaded.context
        if context.run_name is None:
            origin = of_kind(context.origin, Origin)
        else:
            origin = Origin(context.run_name or tr(RUN_BOARD))
        here, puzzle = self.desk.position, of_kind(loaded.puzzle, WordTilesPuzzle)
        if puzzle is here.puzzle:
            self._show_position()
        else:
            kept = puzzle.rows_of(puzzle.start) == here.rows
            name = here.name if kept else origin.name or _drawn(puzzle.params)
            self.desk.take(WordPosition.of(puzzle, name))
        path = origin.path
        grid = origin.grid
        if grid is not None and (saved := other_lexicon(grid.notes, self.lexicon)) is not None:
            self.notice.show_note(
                saved.loaded_text(origin.name, self.title),
                buttons=saved.buttons(
                    partial(self._open_with_its_lexicon, grid, origin.name, path)
                ),
            )
        if path is not None:
            self.settings.add_recent(path)
            report = self.lexicon.report
            if path == self.lexicon.path and report.n_dropped:
                self.notice.show_note(labelled(path.name, f"{report.summary()}."))

    def restore_values(self) -> None:
        self._show_position()

    def take_over_look(self, before: "WordTileFace") -> None:
        self.bests.take_over(before.bests)
        super().take_over_look(before)
        self.best_panel.take_over(before.best_panel)

    # The run

    def show_best(self, shown: ShownBest) -> None:
        self.bests.show(shown.board)
        if self.run.is_back:
            self.desk.look(PageView.BEST)
        self.bests.offer_archive()
        self.bests.seek()

    def show_metrics(self, metrics: Mapping[str, float], status: RunStatus | None = None) -> None:
        assert self.run.started is not None
        per_second = None
        if status is not None and status.seconds:
            n_boards = boards_scored(self.run.started.params, metrics, status.units)
            per_second = n_boards / status.seconds if n_boards else None
        self.best_panel.show_speed(per_second)
        self.best_panel.show_archive(int(metrics.get("archive_size", 0)))

    def show_update(self, update: RunUpdate) -> None:
        if "archive" in update.extras and self.run.started is not None:
            self.bests.take_archive(update.extras["archive"])

    # Play

    @Slot()
    def _show_position(self) -> None:
        position = self.desk.position
        self.source_card.show_lexicon(self.lexicon)  # undo may return to another one
        self.panel.set_values(position.puzzle.params.model_dump())
        self.source_card.show_position(position)
        self.page.title_changed.emit()

    @Slot()
    def _show_board(self) -> None:
        """Describe the board in the middle."""
        shown = self.desk.shown_position
        best = self.run.shown if self.desk.shows_best else None
        board = Board(shown.puzzle, shown.cells, shown.report)
        self.best_panel.show_board(board, None if best is None else best.seconds)
        self.best_panel.show_best_facts(self.desk.view is PageView.BEST)
        self.page.show_age(self.run.status)

    @Slot(object, object)
    def _join_view(self, kind: ViewKind, widget: object) -> None:
        if isinstance(widget, AgentsView):
            widget.agent_opened.connect(self._show_agent)

    @Slot(object)
    def _show_agent(self, cells: Cells | None) -> None:
        """Describe an agent's board that is shown large; None for the board in the middle."""
        if cells is None or self.run.started is None:
            self._show_board()
        else:
            self.best_panel.show_board(Board.of(self.run.started.puzzle, cells), None)
            self.best_panel.show_best_facts(False)

    @Slot()
    def _show_view(self) -> None:
        self.views.show_view(self.desk.view, self.desk.views)

    @Slot(str, object)
    def _puzzle_changed(self, name: str, value: Value) -> None:
        loading = self.run.status.pending is Pending.PUZZLE
        if getattr(self._params, name) == value and not loading:
            return
        # The panel already knows values of a board that is still loading.
        kept = self.panel.values("puzzle") if loading else self._params.model_dump()
        values = {**kept, name: value}
        if name in _COUNTS:
            self.desk.set_params(WordTilesParams(**values))
        else:
            self._draw(values)

    def lock_board(self, why: str) -> None:
        self.source_card.set_running(bool(why))
        super().lock_board(why)
        if why:
            self.bests.forget()
        else:
            self.bests.seek()


def _last_game(settings: Settings, puzzle: WordTilesPuzzle) -> FirstGame[WordPosition]:
    """Return the game of the previous session, or else the board of a puzzle with its lexicon."""

    def with_board(kept: KeptBoard) -> FirstGame[WordPosition]:
        params = validate(WordTilesParams, kept.params)
        begun = WordTilesPuzzle.create(puzzle.lexicon, params, kept.start)
        first = WordPosition.of(begun, kept.name)
        return FirstGame.resumed(first, begun.parse(kept.rows), kept)

    game = last_board(settings, puzzle.spec.key, NAMES, with_board)
    return game or FirstGame.of(WordPosition.of(puzzle, _drawn(puzzle.params)))


def _drawn(params: WordTilesParams) -> str:
    return tr("Letters drawn, seed {letters_seed}", letters_seed=params.letters_seed)
