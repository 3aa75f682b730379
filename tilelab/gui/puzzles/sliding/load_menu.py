"""The menu of LOAD for sliding tiles."""

import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.paths import read_text
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import encodable
from tilelab.core.text.wording import labelled
from tilelab.gui.puzzles.sliding.board_dialog import ChooserDialog, ScrambleDialog, board_dialog
from tilelab.gui.run.load_menu import LoadMenu
from tilelab.gui.widgets.parts import accepted, calling
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.sliding.board import (
    Goal,
    SlidingParams,
    goal_board,
    scrambled,
    scrambled_to_play,
)
from tilelab.puzzles.sliding.flags import TileSet, tile_sets
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.wished_length import MAX_SIDE, draw_to_length
from tilelab.puzzles.sliding.text import Tiles, parse_boards
from tilelab.runs.files.carried import RUN_PATTERNS

MAX_BYTES = 16_000_000
MAX_PASTED = 100_000
FEW_BOARDS = 3  # number of boards of a set that the menu itself lists


class TileLoad(LoadMenu):
    """The menu of LOAD, which emits the board to play."""

    board_requested = Signal(object)  # emitted with a Position to play
    goal_requested = Signal(object)  # emitted with the cells of a goal board
    recent_kind = "boards"
    open_title = marked("Open boards")
    open_filter = marked("Boards and runs ({patterns});;All files (*)")
    open_patterns = f"*.txt *.csv {RUN_PATTERNS}"

    def __init__(self, puzzle_key: str, settings: Settings, window: QWidget) -> None:
        super().__init__(puzzle_key, settings, window)
        self.params = SlidingParams()  # shape and kind of goal of the board that is shown
        self.goal: Cells | None = None
        """Goal of the board; a given goal stays for other boards of the same shape."""
        self.seed = 0  # requested seed of the last scramble

    def fill_own(self, menu: QMenu) -> None:
        boards = menu.addMenu(tr("Boards"))
        boards.setToolTipsVisible(True)
        boards.addAction(tr("Scramble…")).triggered.connect(self.ask_for_scramble)
        solved = boards.addAction(tr("The solved board"))
        solved.triggered.connect(calling(self.choose, self.load_goal))
        boards.addSeparator()
        for entry in tile_sets().values():
            self._add_set(boards, entry)
        typed = menu.addAction(tr("Type or paste a board…"))
        typed.triggered.connect(calling(self.ask_for_board))
        menu.addAction(tr("Type a goal…")).triggered.connect(self.ask_for_goal)

    def ask_for_board(self, text: str = "") -> None:
        """Ask for a board that is typed or pasted.

        text: one that OK takes as it is, and that typing replaces; '' for the last typed one.
        """
        title = tr("Type or paste a board")
        usual = self.params.rows, self.params.cols
        make = partial(board_dialog, title, self.params.goal, self._window, usual=usual)
        tiles = self.ask_typed(make, text)
        if tiles is not None:
            self.choose(self._take, tiles, tr("Typed board"))

    @Slot()
    def ask_for_goal(self) -> None:
        """Ask for the board that solves this one."""
        usual = self.params.rows, self.params.cols
        tiles = board_dialog(tr("Type a goal"), Goal.BOARD, self._window, usual=usual).ask()
        if tiles is not None:
            self.goal_requested.emit(np.array(tiles.tiles))

    @Slot()
    def ask_for_scramble(self) -> None:
        """Ask for a seed, and how to scramble."""
        params, goal = self._goal_for(self.params)
        is_small = max(params.rows, params.cols) <= MAX_SIDE
        draw = partial(draw_to_length, params, goal) if is_small else None
        dialog = ScrambleDialog(self.seed, self._window, draw)
        if not accepted(dialog):
            return
        if dialog.drawn is None:
            self.choose(self.scramble, self.params, dialog.seed, dialog.n_slides)
            return
        self.seed = dialog.seed
        cells, n_moves = dialog.drawn
        how = tr("{n_moves} moves to the goal", n_moves=figures(n_moves, ","))
        name = tr("{title}, seed {seed}", title=how, seed=dialog.seed)
        drawn = Position.of(params, cells, goal, name)
        self.choose(self.board_requested.emit, drawn)

    def open_board(self, path: Path) -> None:
        """Load a file of boards; the user chooses if there are several."""
        try:
            text = read_text(path, MAX_BYTES)
        except TileLabError as error:
            self.refused.emit(str(error))
            return
        try:
            boards = self._boards(text)
        except TileLabError as error:
            has_words = bool(text.strip()) and not any(map(str.isdigit, text))
            words = tr("{name} has no numbers. Words are for the other puzzles.", name=path.name)
            self.refused.emit(words if has_words else labelled(path.name, str(error)))
            return
        self._settings.folder = path.parent
        number = 1
        if len(boards) > 1:
            rows = [
                (str(place), f"{board.rows}×{board.cols}", " ".join(map(str, board.tiles)))
                for place, board in enumerate(boards, 1)
            ]
            number = self._chosen(path.name, (tr("Board"), tr("Shape"), tr("Tiles")), rows)
        if number:
            name = _board_name(encodable(path.name), number, len(boards))
            if self._take(boards[number - 1], name):
                self._settings.add_recent(path, self.recent_kind)

    def paste(self, text: str) -> None:
        """Load a board from text, such as the clipboard's."""
        try:
            if len(text) > MAX_PASTED:
                raise GridError.tr(
                    "it has {n_signs} signs; a board has at most {max_signs}",
                    n_signs=figures(len(text), ","),
                    max_signs=figures(MAX_PASTED, ","),
                )
            boards = self._boards(text)
        except TileLabError as error:
            self.refused.emit(tr("The pasted text is not a board: {error}", error=error))
            return
        self.choose(self._take, boards[0], tr("Pasted board"))

    def scramble(self, params: SlidingParams, seed: int, n_slides: int | None = None) -> None:
        """Load a board drawn from a seed; a given goal stays only with its shape.

        Where that is the goal, as a small board may be, the next seed is taken.
        """
        self.seed = seed
        params, goal = self._goal_for(params)
        if n_slides is None:
            cells, seed = scrambled_to_play(goal, params.cols, seed)
            how = tr("Scrambled")
        else:
            cells = scrambled(goal, params.cols, seed, n_slides)
            how = tr("{n_slides} slides from the goal", n_slides=figures(n_slides, ","))
        self.board_requested.emit(
            Position.of(params, cells, goal, tr("{title}, seed {seed}", title=how, seed=seed))
        )

    @Slot()
    def load_goal(self) -> None:
        """Load the solved board to scramble it by hand."""
        params, goal = self._goal_for(self.params)
        self.board_requested.emit(Position.of(params, goal, goal, tr("Solved board")))

    def load_instance(self, entry: TileSet, number: int) -> None:
        """Load a built-in board."""
        instances = entry.instances()
        tiles = np.array(instances[number - 1].tiles)
        name = _board_name(tr(entry.title), number, len(instances))
        self.board_requested.emit(Position.of(entry.params_of(number), tiles, None, name))

    def _add_set(self, menu: QMenu, entry: TileSet) -> None:
        size = f"{entry.rows}×{entry.cols}"
        if entry.n_boards > FEW_BOARDS:
            action = menu.addAction(f"{tr(entry.title)} ({size})…")
            action.setToolTip(tr(entry.description))
            action.triggered.connect(calling(self._choose_instance, entry))
            return
        instances = entry.instances()
        for place, instance in enumerate(instances, 1):
            several = tr(", board {place}", place=place) if len(instances) > 1 else ""
            action = menu.addAction(
                tr(
                    "{title}{number} ({size}, {optimal} moves)",
                    title=tr(entry.title),
                    number=several,
                    size=size,
                    optimal=instance.length_text,
                )
            )
            action.setToolTip(tr(entry.description))
            action.triggered.connect(calling(self.choose, self.load_instance, entry, place))

    def _choose_instance(self, entry: TileSet) -> None:
        rows = [
            (str(instance.number), instance.length_text, " ".join(map(str, instance.tiles)))
            for instance in entry.instances()
        ]
        number = self._chosen(tr(entry.title), (tr("Board"), tr("Shortest"), tr("Tiles")), rows)
        if number:
            self.choose(self.load_instance, entry, number)

    def _chosen(
        self, title: str, headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]
    ) -> int:
        """Return the number of the selected row, from 1, or 0 for none."""
        dialog = ChooserDialog(title, headings, rows, self._window)
        return dialog.row + 1 if accepted(dialog) else 0

    def _goal_for(self, params: SlidingParams) -> tuple[SlidingParams, Cells]:
        """Return the goal of another board: a given one stays only with its shape."""
        if params.goal is not Goal.BOARD:
            return params, goal_board(params.rows, params.cols, params.goal)
        shape = (self.params.rows, self.params.cols)
        if self.goal is not None and (params.rows, params.cols) == shape:
            return params, self.goal
        params = params.model_copy(update={"goal": Goal.BLANK_LAST})
        return params, goal_board(params.rows, params.cols, params.goal)

    def _boards(self, text: str) -> list[Tiles]:
        """Read boards; a line of tiles that is not a square has the current shape."""
        try:
            return parse_boards(text)
        except GridError:
            with contextlib.suppress(GridError):
                return parse_boards(text, self.params.rows, self.params.cols)
            raise

    def _take(self, tiles: Tiles, name: str) -> bool:
        wanted = self.params.goal
        try:
            params = SlidingParams(rows=tiles.rows, cols=tiles.cols, goal=wanted)
            params, goal = self._goal_for(params)
            position = Position.of(params, tiles.tiles, goal, name)
        except TileLabError as error:
            self.refused.emit(labelled(name, str(error)))
            return False
        self.board_requested.emit(position)
        return True


def name_in_set(puzzle: SlidingPuzzle) -> str:
    """Return the name of a built-in board with its goal, or '' for another one."""
    tiles, goal = tuple(puzzle.start.tolist()), puzzle.params.goal
    for entry in tile_sets().values():
        if (entry.rows, entry.cols) == puzzle.shape:
            instances = entry.instances()
            for number, instance in enumerate(instances, 1):
                if (instance.tiles, instance.goal) == (tiles, goal):
                    return _board_name(tr(entry.title), number, len(instances))
    return ""


def _board_name(title: str, number: int, n_boards: int) -> str:
    """Return the name of one of the boards of a file or a set, from 1."""
    return title if n_boards == 1 else tr("{title}, board {number}", title=title, number=number)
