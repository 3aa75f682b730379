"""The main window: it draws what the worker tells, and asks the worker for everything else."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from tilelab import catalog
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.parameters import validate
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import Best
from tilelab.gui.jobs import (
    Begun,
    Loaded,
    News,
    Pending,
    PuzzleRequest,
    Refusal,
    RunRequest,
    Standing,
)
from tilelab.gui.load_flow import LoadFlow
from tilelab.gui.run_thread import RunThread
from tilelab.gui.save_flow import Answer, SavedBest, SaveDialog, ask_before_losing
from tilelab.gui.settings import Settings
from tilelab.gui.theme import apply_theme, current_theme
from tilelab.gui.window_frame import WindowFrame, shown_puzzles
from tilelab.gui.window_memory import remember, restore
from tilelab.gui.window_menu import add_menu_and_keys
from tilelab.runs.grid_file import GridFile, read_grid
from tilelab.runs.session import Action, Session, State
from tilelab.words.builtin import DEFAULT, builtin_lexicons
from tilelab.words.lexicon import Accents, Lexicon

WORTH_ASKING_SECONDS = 60.0
"""A best grid that took longer than this is not thrown away without asking."""


class MainWindow(QMainWindow):
    """One puzzle, one solver, one run at a time; nothing here computes."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self._settings = settings or Settings()
        self._standing = Standing()
        self._best: Best | None = None
        self._saved: Best | None = None
        self._begun: Begun | None = None
        self._start: GridFile | None = None
        self._asked: tuple[Path | None, GridFile | None] = (None, None)
        self.frame = WindowFrame(self)
        self.setCentralWidget(self.frame)
        self.setAcceptDrops(True)
        session = Session()
        session.load(PuzzleRequest(next(iter(shown_puzzles())), DEFAULT).build())
        self._puzzle_key = session.puzzle.spec.key
        self._lexicon: Lexicon = session.puzzle.lexicon
        self._offer_solvers()
        self.load_flow = LoadFlow(self.frame.bar.load_menu, self._settings, self)
        self._thread = RunThread(session, self)
        self._connect()
        add_menu_and_keys(self)
        restore(self, self._settings)
        self._loaded(Loaded(session.puzzle, None))
        self._show_standing(Standing.of(session))
        self._thread.warm_up(self._request())
        self._await(Pending.KERNELS, self._standing.allowed)
        self.setFocus()

    @property
    def standing(self) -> Standing:
        """How the run stands, as far as the window has been told."""
        return self._standing

    @property
    def best(self) -> Best | None:
        """The best that is shown."""
        return self._best

    def act(self, action: Action) -> None:
        """Do what a button asks for, if the present state allows it."""
        if action not in self._standing.allowed:
            return
        self.frame.notice.clear()
        self.frame.panel.commit()
        {
            Action.LOAD: self.frame.bar.open_load_menu,
            Action.GO: self._go,
            Action.START_AGAIN: self._start_again,
            Action.STOP: self._stop,
            Action.RESUME: self._thread.resume,
            Action.SAVE: self._ask_and_save,
        }[action]()

    @Slot(str)
    def load_lexicon(self, name: str) -> None:
        """Load a built-in lexicon by its key, or a file by its path."""
        accents = Accents.FOLD if self.load_flow.folds_accents else Accents.KEEP
        params = self.frame.panel.values("puzzle")
        request = PuzzleRequest(self._puzzle_key, name, params, accents=accents)
        self._ask_puzzle(request, None)

    @Slot(str)
    def load_grid(self, path: str) -> None:
        """Load a grid as the one that the next run starts from."""
        try:
            grid = read_grid(path)
        except TileLabError as fault:
            self.frame.notice.show_error(str(fault))
            return
        rows = grid.rows
        params = {**self.frame.panel.values("puzzle"), "rows": len(rows), "cols": len(rows[0])}
        self._ask_puzzle(PuzzleRequest(self._puzzle_key, self._lexicon, params, rows), grid, path)

    def save_to(self, path: Path) -> None:
        """Write the best grid; its kind follows the ending: .png, .svg, or else text."""
        saved = self._to_save()
        if saved is None:
            return
        try:
            target = saved.write(path)
        except TileLabError as fault:
            self.frame.notice.show_error(str(fault))
            return
        self._saved = saved.best
        self._settings.folder = target.resolve().parent
        self.frame.notice.show_done(f"Saved {target}")

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_lose("Closing the window ends the run"):
            event.ignore()
            return
        remember(self, self._settings)
        self._thread.close()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if LoadFlow.dropped_files(event.mimeData()) and Action.LOAD in self._standing.allowed:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = LoadFlow.dropped_files(event.mimeData())
        if files and Action.LOAD in self._standing.allowed:
            event.acceptProposedAction()
            if len(files) > 1:
                self.frame.notice.show_error("Drop one file at a time; several were dropped.")
                return
            self.load_flow.open(files[0])

    # What a person asks for

    def _go(self) -> None:
        self._begin(self.frame.panel.seed_field.seed)

    def _start_again(self) -> None:
        if self._may_lose("START AGAIN gives up the run"):
            self._begin(self._next_seed)

    def _next_seed(self) -> int:
        """The seed after the last run's, unless another one has been typed in."""
        seed = self.frame.panel.seed_field.seed()
        if self._standing.has_run and not self.frame.panel.seed_field.was_edited:
            seed = (seed + 1) % (MAX_SEED + 1)
        return seed

    def _begin(self, seed_of: Callable[[], int]) -> None:
        """Check what the panel says; ask the worker for a run only when all of it is right."""
        panel = self.frame.panel
        panel.clear_faults()
        try:
            request = self._request(seed_of())
            validate(catalog.puzzle(self._puzzle_key).spec.params, request.puzzle.params)
            validate(
                catalog.solver(self._puzzle_key, request.solver_key).spec.params, request.params
            )
        except ParameterError as fault:
            self._refused(Refusal(str(fault), fault.name))
            return
        self._thread.go(request)
        self._await(Pending.RUN, frozenset({Action.STOP}))

    def _request(self, seed: int = 0) -> RunRequest:
        panel = self.frame.panel
        rows = None if self._start is None else self._start.rows
        puzzle = PuzzleRequest(self._puzzle_key, self._lexicon, panel.values("puzzle"), rows)
        solver_key = self.frame.bar.solver_key
        return RunRequest(puzzle, solver_key, panel.values("solver"), seed, panel.limits())

    def _stop(self) -> None:
        self._thread.stop()
        # The worker answers when its slice is done; a unit of a huge instance may take a while.
        begun = self._standing.pending is not Pending.RUN
        self._await(Pending.STOPPING if begun else Pending.CALLED_OFF, frozenset())

    def _await(self, pending: Pending, allowed: frozenset[Action]) -> None:
        """Show at once what has been asked for, until the worker answers."""
        self._show_standing(dataclasses.replace(self._standing, pending=pending, allowed=allowed))

    def _ask_puzzle(self, request: PuzzleRequest, grid: GridFile | None, path: str = "") -> None:
        if Action.LOAD not in self._standing.allowed:
            self.frame.notice.show_error("STOP the run before another file is loaded.")
            return
        if not self._may_lose("Loading gives up the run"):
            return
        self.frame.notice.clear()
        self.frame.panel.clear_faults()
        keys = {entry.key for entry in builtin_lexicons()}
        is_file = bool(path) or request.lexicon not in keys
        self._asked = (Path(path or str(request.lexicon)) if is_file else None, grid)
        self._thread.load(request)
        self._await(Pending.PUZZLE, frozenset())

    def _ask_and_save(self) -> None:
        saved = self._to_save()
        if saved is None:
            return
        dialog = SaveDialog(self, saved, self._settings.folder)
        if dialog.exec() == SaveDialog.DialogCode.Accepted:
            path = dialog.path()
            if path is not None:
                self.save_to(path)
        dialog.deleteLater()

    def _to_save(self) -> SavedBest | None:
        if self.frame.shown is None or self._best is None or self._begun is None:
            return None
        return SavedBest(self.frame.shown, self._best, self._begun.solver.unit, self._begun.seed)

    def _may_lose(self, what: str) -> bool:
        """Ask before a best grid that took long, and is on no disk, is given up."""
        unsaved = self._best is not None and self._best is not self._saved
        if not unsaved or self._standing.seconds < WORTH_ASKING_SECONDS:
            return True
        assert self._best is not None
        answer = ask_before_losing(self, what, self._best)
        if answer is Answer.SAVE:
            self._ask_and_save()
            return self._best is self._saved
        return answer is Answer.GIVE_UP

    # What the worker tells

    @Slot(object)
    def _loaded(self, loaded: Loaded) -> None:
        path, grid = self._asked
        self._asked = (None, None)
        self._lexicon = loaded.puzzle.lexicon
        self._start, self._begun, self._best = grid, None, None
        self._standing = dataclasses.replace(self._standing, has_run=False)
        panel = self.frame.panel
        panel.source_card.show_lexicon(self._lexicon)
        panel.source_card.show_start(path.name if path is not None and grid is not None else "")
        panel.set_values(
            {name: loaded.puzzle.params.model_dump()[name] for name in ("rows", "cols")}
        )
        panel.set_in_force(None)
        self.frame.show_board(loaded.start)
        title = "Start grid" if loaded.start is not None else "Best of breed"
        self.frame.board_title.setText(title)
        self.frame.chart.clear()
        if path is not None:
            self.load_flow.remember(path)
            self._explain_loading(path, grid)
        self._show_title()

    @Slot(object)
    def _begun_now(self, begun: Begun) -> None:
        self._begun, self._best = begun, None
        frame = self.frame
        frame.panel.seed_field.set_seed(begun.seed)
        frame.panel.set_in_force({**begun.puzzle.params.model_dump(), **begun.params})
        frame.chart.set_unit(begun.solver.unit)
        frame.chart.begin(begun.solver.metrics)
        frame.status.begin(begun.solver.unit)
        self.frame.show_board(None)
        self._show_title()

    @Slot(object)
    def _news(self, news: News) -> None:
        frame = self.frame
        if news.best is not None and news.board is not None and self._begun is not None:
            self._best = news.best
            self.frame.show_board(news.board, news.best_seconds)
            unit = self._begun.solver.unit
            frame.board_title.setText(f"Best of breed, {unit} {news.best.unit:,}")
        if len(news.rows):
            frame.chart.append(news.rows)
        frame.best_panel.show_age(news.standing.seconds)
        standing = news.standing
        if standing.n_answered < self._thread.n_asked:
            # Told before the last question arrived: what it will change is shown already.
            shown = self._standing
            standing = dataclasses.replace(standing, pending=shown.pending, allowed=shown.allowed)
        self._show_standing(standing, news)

    @Slot(object)
    def _refused(self, refusal: Refusal) -> None:
        self._asked = (None, None)
        panel = self.frame.panel
        if not (refusal.parameter and panel.show_fault(refusal.parameter, refusal.message)):
            self.frame.notice.show_error(refusal.message)

    # What is shown

    def _show_standing(self, standing: Standing, news: News | None = None) -> None:
        before, self._standing = self._standing, standing
        frame = self.frame
        frame.status.show_news(news or News.of(standing))
        unchanged = dataclasses.replace(
            standing, units=before.units, seconds=before.seconds, limits=before.limits
        )
        if unchanged == before and news is not None:
            return
        busy = standing.state is State.RUNNING or standing.pending in (
            Pending.RUN,
            Pending.PUZZLE,
        )
        had_focus = self.focusWidget()
        frame.bar.show_standing(standing)
        frame.bar.set_locked(busy)
        frame.panel.set_running(busy)
        frame.panel.set_hint_action("START AGAIN" if standing.has_run else "GO")
        if standing.state is State.FAILED and before.state is not State.FAILED:
            frame.notice.show_error(f"The solver failed: {standing.message}")
        if had_focus is not None and not had_focus.isEnabled():
            frame.bar.focus_what_matters(standing)

    def _explain_loading(self, path: Path, grid: GridFile | None) -> None:
        named = grid.notes.get("lexicon", "") if grid is not None else ""
        if named and named != self._lexicon.name:
            self.frame.notice.show_note(
                f"{path.name} was saved with the lexicon {named}; {self._lexicon.title} is loaded."
            )
        report = self._lexicon.report
        if grid is None and report.n_dropped:
            self.frame.notice.show_note(f"{path.name}: {report.summary()}.")

    def _show_title(self) -> None:
        self.setWindowTitle(f"{self._lexicon.title} – TileLab")

    @Slot()
    def _drop_start(self) -> None:
        self._start = None
        self.frame.panel.source_card.show_start("")
        if self._begun is None:
            self.frame.show_board(None)
            self.frame.board_title.setText("Best of breed")

    def _connect(self) -> None:
        frame, thread = self.frame, self._thread
        frame.bar.asked.connect(self.act)
        frame.bar.solver_chosen.connect(self._declare)
        frame.bar.theme_asked.connect(self.turn_theme)
        frame.panel.live_changed.connect(thread.set_live)
        frame.panel.limits_changed.connect(self._limits_changed)
        frame.panel.source_card.start_dropped.connect(self._drop_start)
        frame.best_panel.copied.connect(frame.notice.show_done)
        frame.chart.folder = lambda: self._settings.folder
        frame.chart.saved.connect(frame.notice.show_done)
        frame.chart.failed.connect(frame.notice.show_error)
        self.load_flow.lexicon_asked.connect(self.load_lexicon)
        self.load_flow.grid_asked.connect(self.load_grid)
        self.load_flow.refused.connect(frame.notice.show_error)
        thread.worker.loaded.connect(self._loaded)
        thread.worker.begun.connect(self._begun_now)
        thread.worker.news.connect(self._news)
        thread.worker.refused.connect(self._refused)

    @Slot()
    def turn_theme(self) -> None:
        """Change from light to dark or back."""
        self.set_theme("dark" if current_theme().name == "light" else "light")

    def set_theme(self, name: str) -> None:
        """Put a theme in force and remember it; 'light', 'dark' or 'system'."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_theme(app, name)
        self._settings.theme = name

    @Slot()
    def _limits_changed(self) -> None:
        self._thread.set_limits(self.frame.panel.limits())

    @Slot()
    def _offer_solvers(self) -> None:
        self.frame.bar.set_solvers(catalog.solvers(self._puzzle_key))
        self._declare()

    @Slot()
    def _declare(self) -> None:
        """Make the panel for the puzzle and the solver that are chosen."""
        solver = catalog.solver(self._puzzle_key, self.frame.bar.solver_key)
        self.frame.panel.declare(catalog.puzzle(self._puzzle_key).spec.params, solver.spec.params)
