"""The face of sliding tiles: a board to play on, a search to watch, a solution to play."""

import dataclasses
from collections.abc import Hashable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QMenu, QWidget

from tilelab.core.parameters import validate
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import Best, SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import encodable, one_line
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.charts.curves import ChartCurve
from tilelab.gui.puzzles.sliding.board_dialog import GOALS
from tilelab.gui.puzzles.sliding.board_file import SavedTiles, tile_scene
from tilelab.gui.puzzles.sliding.heuristics_dialog import HeuristicsDialog
from tilelab.gui.puzzles.sliding.load_menu import TileLoad, name_in_set
from tilelab.gui.puzzles.sliding.pattern_tables_dialog import TablesDialog
from tilelab.gui.puzzles.sliding.play import SlidingPlay
from tilelab.gui.puzzles.sliding.solution_panel import SolutionPanel
from tilelab.gui.run.choices import KeptBoard, last_board, with_last_values
from tilelab.gui.run.face_register import register_face
from tilelab.gui.run.messages import (
    Board,
    Lender,
    LoadContext,
    Pending,
    PuzzleLoaded,
    RunStatus,
    of_kind,
)
from tilelab.gui.run.run_model import ShownBest
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.run.tile_face import NAMES, RUN_BOARD, FirstGame, TileFace
from tilelab.gui.widgets.commands import Command, Menu
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import column_layout, named, shown_key, small_button, text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import set_role
from tilelab.puzzles.sliding.board import (
    Goal,
    SlidingParams,
    board_from_tiles,
    goal_board,
    scrambled_to_play,
)
from tilelab.puzzles.sliding.play import Position, board_text
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.text import parse_board
from tilelab.runs.actions import Action, State
from tilelab.runs.presets import Preset, papers

RATE_SECONDS = 1.0  # seconds of the latest running time over which the rate is measured
FIRST_SEED = 1  # seed of the first scramble of a session
CURVES = {
    marked("Bound and best"): (
        # Solvers have other titles for depth and bound; the short ones are true of all.
        ChartCurve("depth", marked("depth"), "muted", 1, short="depth", is_stepped=True),
        ChartCurve(
            "nearest",
            marked("lowest h"),
            "tile_heat_edge",
            1,
            short=marked("min. h"),
            is_stepped=True,
        ),
        ChartCurve("bound", "f", "accent", 2, short="bound", is_stepped=True),
    ),
    marked("Boards"): (
        ChartCurve("frontier", "queue entries", "selection", 1),
        ChartCurve("generated", marked("generated"), "muted", 1),
        ChartCurve("expanded", marked("expanded"), "accent", 2),
    ),
    marked("Memory"): (ChartCurve("megabytes", marked("megabytes"), "accent", 2),),
}
_PAPERS_KEY = "Ctrl+Shift+P"
_PAPERS_TIP = marked("Race the algorithms of a paper on this board, or use one")
_UNSOLVABLE, _MEND = marked("This board cannot be solved."), marked("Make it solvable")


class BoardCard(QFrame):
    """A card that names the board and its goal, and repairs unsolvable boards."""

    solvable_requested = Signal()
    """Emitted when the user swaps two tiles to make the board solvable."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "well")
        self._title = ElidedLabel(self, role="strong")
        self._facts = text_label("small", self, wraps=True)
        self._error = QWidget(self)
        said = text_label("warning", self._error, tr(_UNSOLVABLE))
        tip = tr("Swap two tiles: half of all boards cannot reach their goal")
        self._mend = small_button(
            tr(_MEND), "make_solvable", tip, self._error, self.solvable_requested
        )
        mend = self._mend, 0, Qt.AlignmentFlag.AlignLeft
        column_layout(self._error, (0, 4, 0, 0), 6, said, mend)
        column_layout(self, (12, 10, 12, 10), 4, self._title, self._facts, self._error)

    def show_position(self, position: Position) -> None:
        """Say which board is in play, and whether it can be solved."""
        params = position.params
        self._title.setText(one_line(position.name or tr("Board")))
        goal = tr(GOALS[params.goal])
        self._facts.setText(f"{params.rows}×{params.cols} · {goal}")
        self._error.setVisible(not position.is_solvable)
        self.setAccessibleName(
            tr("Board: {title}, {facts}", title=self._title.text(), facts=self._facts.text())
        )

    def set_running(self, is_running: bool) -> None:
        """Lock the card while a run is going, which keeps its board."""
        self._mend.setEnabled(not is_running)


@register_face("sliding")
class SlidingFace(TileFace):
    """The face of sliding tiles, to play by hand, search, and play solutions."""

    saved_kind = SavedTiles
    board_place = "sliding-tiles#in-the-window"
    desk: SlidingPlay
    load: TileLoad
    best_panel: SolutionPanel

    def __init__(self, puzzle_key: str, settings: Settings) -> None:
        self.first_game = _last_game(settings, puzzle_key)
        first = self.first_game.history.position
        self.board_card = BoardCard()
        set_manual_place(self.board_card, self.board_place)
        super().__init__(
            # A puzzle can be solved; the board that is edited may be unsolvable.
            PuzzleLoaded(first.made_solvable().build(), None, LoadContext(first)),
            self.board_card,
            settings,
        )
        self._marks: list[tuple[float, float]] = []
        """Times and numbers of expanded boards of the latest second."""
        self._bound = 0
        self._solves_loaded = False  # whether a board that is loaded now is solved at once
        self._unsolvable: Hashable = None
        """Unsolvable board about which there was a notice."""

    def join(self, page: PuzzlePage) -> None:
        super().join(page)
        self.desk = SlidingPlay(self.first_game.history, self.notice, self.settings, page)
        tip = tr("Show on each tile how many slides it is from its place (D)")
        self.distances = named(QCheckBox(tr("Distances"), page), "show_distances", tip=tip)
        self.distances.toggled.connect(self.desk.board.show_distances)
        tip = tr("Show on the board what the heuristics see and what they estimate")
        self.heuristics = named(QCheckBox(tr("Heuristics"), page), "show_heuristics", tip=tip)
        self.heuristics.toggled.connect(self.desk.show_heuristics)
        # The picture of the heuristics includes the distances.
        self.heuristics.toggled.connect(self.distances.setDisabled)
        self.best_panel = SolutionPanel(page)
        self.load = TileLoad(self.puzzle_key, self.settings, page)
        self.load.seed = FIRST_SEED
        self.tables = TablesDialog(page)
        self.tables.built.connect(self.notice.show_done)
        self.side_by_side = HeuristicsDialog(page)
        tip = f"{tr(_PAPERS_TIP)} ({shown_key(_PAPERS_KEY)})"
        self._open_papers = small_button(tr("Papers"), "open_papers", tip, page)
        self._open_papers.setMenu(self._menu_of_papers())
        self.panel.put_next_to_title(self._open_papers)
        page.status.best_words = self._best_words
        page.solver_set.connect(self._name_metrics)
        self.join_desk(self.distances, self.heuristics)
        self.desk.placed.connect(self.best_panel.show_place)
        self.desk.facts.compare_requested.connect(self.compare_heuristics)
        self.desk.distances_requested.connect(self.distances.click)
        self.best_panel.place_requested.connect(page.view_stack.show_board)
        self.best_panel.place_requested.connect(self.desk.solution_bar.go_to)
        self.board_card.solvable_requested.connect(page.view_stack.show_board)
        self.board_card.solvable_requested.connect(self.desk.make_solvable)
        self.load.board_requested.connect(self.take_board)
        self.load.goal_requested.connect(self._goal_typed)
        self.panel.width_changed.connect(self._show_unsolvable)

    @property
    def title(self) -> str:
        return self.desk.position.name or tr("Sliding tiles")

    def puzzle_request(self) -> Position:
        return self.desk.position

    def ask_for_own(self) -> None:
        """Ask for a board, at first the current one; solve it and play the solution."""
        self._solves_loaded = True
        self.load.ask_for_board(board_text(self.desk.position).rstrip())
        self._solves_loaded = False

    def curve_sets(self) -> dict[str, tuple[ChartCurve, ...]]:
        titles = self._solver.metric_titles
        return {
            name: tuple(
                dataclasses.replace(curve, title=title)
                for curve in curves
                if (title := titles.get(curve.metric, curve.title))
            )
            for name, curves in CURVES.items()
        }

    def commands(self) -> tuple[Command, ...]:
        return (
            *super().commands(),
            Command(
                "presets", tr("Papers…"), self._show_papers, _PAPERS_KEY, tr(_PAPERS_TIP),
                (Menu.TOOLS, 1), "papers",
            ),
            Command(
                "heuristics", tr("Heuristics side by side…"), self.compare_heuristics, "Ctrl+U",
                tr("Compare all heuristics on this board"), (Menu.TOOLS, 1),
                "sliding-tiles#heuristics",
            ),
            Command(
                "pattern_databases", tr("Pattern databases…"), self.tables.bring,
                tip=tr("Build pattern databases, or delete them"), menu=(Menu.TOOLS, 1),
                place="sliding-tiles#heuristics",
            ),
        )  # fmt: skip

    def board_text(self) -> str:
        return board_text(self.desk.shown_position)

    def start_scene(self, puzzle: Puzzle) -> TileScene:
        puzzle = of_kind(puzzle, SlidingPuzzle)
        return tile_scene(puzzle, puzzle.start)

    def lock_board(self, why: str) -> None:
        self.board_card.set_running(bool(why))
        super().lock_board(why)

    def show_no_run(self) -> None:
        self._marks, self._bound = [], 0
        self.desk.unpin()
        self._name_metrics()
        self.show_nothing_found(None)

    def show_nothing_found(self, start: Board | None) -> None:
        self.desk.drop_solution()
        self.best_panel.clear(is_past=self.run.is_back)

    def show_current(self, board: Board) -> None:
        self.best_panel.show_nearest(board, None)

    def show_loaded(self, loaded: PuzzleLoaded) -> None:
        puzzle, context = of_kind(loaded.puzzle, SlidingPuzzle), loaded.context
        if context.run_name is None:
            self.desk.take(of_kind(context.origin, Position))
            return
        start, name = puzzle.start, context.run_name or tr(RUN_BOARD)
        if context.lender is Lender.RUN:  # which knows its board, but not the name
            name = name_in_set(puzzle) or name
        self.desk.take(Position(puzzle.params, start, puzzle.goal, start, 0, name))

    def take_over_look(self, before: "SlidingFace") -> None:
        self.load.seed = before.load.seed
        self._marks, self._bound = before._marks, before._bound
        self.distances.setChecked(before.distances.isChecked())
        self.heuristics.setChecked(before.heuristics.isChecked())
        super().take_over_look(before)
        self._unsolvable = None
        self._show_unsolvable()

    def show_best(self, shown: ShownBest) -> None:
        best, board = shown.best, shown.board
        if best.moves is None:
            if self.best_panel.moves:
                self.desk.drop_solution()
            self.best_panel.show_nearest(board, shown.seconds)
            return
        puzzle = of_kind(board.puzzle, SlidingPuzzle)
        self.desk.show_solution(puzzle, best.moves)
        bound = self._bound if self._solver.proves_bound else 0
        self.best_panel.show_solution(puzzle, best, bound, shown.seconds)

    def show_metrics(self, metrics: Mapping[str, float], status: RunStatus | None = None) -> None:
        self._bound = int(metrics.get("bound", 0))
        self._name_metrics()
        mark = None if status is None else (status.seconds, metrics.get("expanded", 0.0))
        # The newest row is shown again after an earlier moment.
        if mark is not None and self._marks[-1:] != [mark]:
            self._marks.append(mark)
            while len(self._marks) > 2 and self._marks[-1][0] - self._marks[1][0] > RATE_SECONDS:
                self._marks.pop(0)
        self.best_panel.show_metrics(metrics, None if status is None else self._per_second(status))

    def _best_words(self, best: Best) -> str:
        assert self.run.started is not None
        puzzle = of_kind(self.run.started.puzzle, SlidingPuzzle)
        is_start = best.moves is None and puzzle.is_start(best.cells)
        return "" if is_start else puzzle.worth(best)

    @property
    def _solver(self) -> SolverSpec:
        """Solver of the run or, before a run, of the next one."""
        started = self.run.started
        return self.page.choices.solver if started is None else started.solver

    @Slot()
    def _name_metrics(self) -> None:
        self.best_panel.name_metrics(self._solver.metric_titles)

    def leave(self) -> None:
        self.tables.close()
        self.side_by_side.close()
        super().leave()

    def _menu_of_papers(self) -> QMenu:
        menu = QMenu(self._open_papers)
        for paper in papers(self.puzzle_key):
            inner = menu.addMenu(paper.paper)
            race = partial(self.race_requested.emit, paper)
            inner.addAction(tr("Race…"), race)
            inner.addSeparator()
            for preset in paper.presets:
                title = tr("Use {algorithm}", algorithm=tr(preset.title))
                inner.addAction(title, partial(self.set_up, preset))
        return menu

    @Slot()
    def _show_papers(self) -> None:
        below = self._open_papers.mapToGlobal(QPoint(0, self._open_papers.height()))
        self._open_papers.menu().popup(below)

    def set_up(self, preset: Preset) -> None:
        """Choose a paper's algorithm for the next run; other parameters get their defaults."""
        if self.control.is_busy:
            busy = tr("STOP the run before you choose another algorithm.")
            self.notice.show_refusal(lambda: busy if self.control.is_busy else "")
            return
        self.page.choose_solver(preset.solver)
        self.panel.set_to(preset.params)

    @Slot()
    def compare_heuristics(self) -> None:
        """Show the estimates of all heuristics for the current board."""
        self.side_by_side.show_position(self.desk.shown_position)

    @Slot()
    def paste(self) -> None:
        self.load.paste(QGuiApplication.clipboard().text())

    @Slot(object)
    def take_board(self, position: Position) -> None:
        """Put another board in play; a current run is discarded."""
        if not position.is_solvable:
            # The board is not a puzzle yet, so the worker only discards the run.
            if self.page.leave_run(tr("Loading replaces the run"), position):
                self._unsolvable = None
                self.desk.take(position)
            else:
                self._show_position()
        else:
            then = partial(self._solve, position) if self._solves_loaded else None
            if not self.control.ask_puzzle(position, LoadContext(position, then=then)):
                self._show_position()

    def _solve(self, position: Position, _puzzle: Puzzle) -> None:
        """Solve the board in play, and play the solution unless the user moves a tile before."""

        def play_solution() -> None:
            # The run before may have ended, too.
            has_ended = self.run.status.state is State.FINISHED and not self.run.status.pending
            is_solved = has_ended and self.run.started is not None
            if is_solved or self.desk.position is not position:
                self.run.status_changed.disconnect(play_solution)
                if is_solved and self.best_panel.moves:
                    self.desk.solution_bar.turn()

        self.run.status_changed.connect(play_solution)
        self.control.begin()

    def to_save(self, best: SavedBest) -> SavedBest | None:
        """Return the best, if the shown board is on its path; a nearest board is not shown."""
        return best if self.desk.is_on_solution else None

    def board_in_hand(self) -> tuple[Puzzle, Best]:
        game = self.game_in_hand()
        if game is not None and self.desk.position.is_solved:
            return game
        puzzle = self.desk.shown_position.puzzle
        return puzzle, Best(puzzle.start, puzzle.score(puzzle.start), 0)

    def board_to_keep(self) -> KeptBoard:
        position = self.desk.position
        write = position.puzzle.rows_of
        return KeptBoard(
            name=encodable(position.name),
            rows=write(position.cells),
            start=write(position.start),
            goal=write(position.goal),
            n_moves=position.n_moves,
            game=self.game_to_keep(),
            params=position.params.model_dump(mode="json"),
        )

    @Slot()
    def draw_another(self) -> None:
        position = self.desk.position
        # The requested seed may have been passed over for the one that is shown.
        _, seed = scrambled_to_play(position.goal, position.cols, self.load.seed)
        self.load.scramble(position.params, (seed + 1) % (MAX_SEED + 1))

    @Slot()
    def _show_position(self) -> None:
        position = self.desk.position
        self.load.params, self.load.goal = position.params, position.goal
        self.panel.set_values(position.params.model_dump())
        self.board_card.show_position(position)
        self._show_unsolvable()
        self.page.title_changed.emit()

    @Slot()
    def _show_unsolvable(self) -> None:
        """Say in a notice, once a board, what the card cannot show while it is hidden.

        It is in a folded panel, and in a presentation.
        """

        def why() -> str:
            is_hidden = self.panel.is_folded or (
                self.page.isVisible() and not self.board_card.isVisible()
            )
            is_untold = is_hidden and not self.desk.position.is_solvable
            return tr(_UNSOLVABLE) if is_untold else ""

        board = self.desk.position.board if why() else None
        if board not in (None, self._unsolvable):
            mend = (tr(_MEND), self.desk.make_solvable)
            self.notice.show_note(why(), why=why, buttons=(mend,))
        self._unsolvable = board

    @Slot(str, object)
    def _puzzle_changed(self, name: str, value: Value) -> None:
        """Another shape gives another board, another goal keeps it."""
        params, values = self.desk.position.params, self.panel.values("puzzle")
        is_other = (values["rows"], values["cols"]) != (params.rows, params.cols)
        # The user may reset the shape while the other one is still loading.
        if is_other or (self.run.status.pending is Pending.PUZZLE and name != "goal"):
            self.load.scramble(SlidingParams(**values), self.load.seed)
        elif value == params.goal or name != "goal":
            return
        elif value == Goal.BOARD:
            self.load.ask_for_goal()
            self.panel.set_values(self.desk.position.params.model_dump())
        else:
            self.desk.set_goal(Goal(str(value)))

    @Slot(object)
    def _goal_typed(self, cells: NDArray[np.int64]) -> None:
        if self.control.refuses(Action.LOAD):
            return
        self.notice.close_all()
        self.desk.set_goal(Goal.BOARD, cells)

    def _per_second(self, status: RunStatus) -> float | None:
        """Return the latest rate while running, or else the mean of the whole run.

        None if all was done in single steps.
        """
        if not status.units or self.run.was_stepped(status.units):
            return None
        (start, first), (now, last) = self._marks[0], self._marks[-1]
        if len(self._marks) < 2 or status.state is not State.RUNNING:
            return last / now if now > 0 else None
        return (last - first) / max(now - start, 1e-9)


def _last_game(settings: Settings, key: str) -> FirstGame[Position]:
    """Return the game of the previous session, or else a scrambled board of the same size."""

    def with_board(kept: KeptBoard) -> FirstGame[Position]:
        params = validate(SlidingParams, kept.params)
        start, there, here = (
            parse_board("\n".join(rows)).tiles for rows in (kept.start, kept.goal, kept.rows)
        )
        first = Position.of(params, start, there, kept.name)
        return FirstGame.resumed(first, board_from_tiles(here, params.rows, params.cols), kept)

    if game := last_board(settings, key, NAMES, with_board):
        return game

    def scramble(values: Values) -> Position:
        params = validate(SlidingParams, values)
        goal = goal_board(params.rows, params.cols, params.goal)
        cells, seed = scrambled_to_play(goal, params.cols, FIRST_SEED)
        name = tr("{title}, seed {seed}", title=tr("Scrambled"), seed=seed)
        return Position.of(params, cells, None, name)

    return FirstGame.of(with_last_values(settings, key, scramble))
