"""What a page shows of its run, and what each puzzle's own page does for that.

It observes the model, and draws what has changed.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import shortened
from tilelab.core.text.wording import counted
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.boards.letter_view import NO_BOARD, BoardView
from tilelab.gui.charts.curves import ChartCurve, default_curves, further_curves
from tilelab.gui.run.announcer import Announcer
from tilelab.gui.run.load_menu import LoadMenu
from tilelab.gui.run.messages import Begun, Board, Loaded, News, Pending, PuzzleRequest, RunStatus
from tilelab.gui.run.page_layout import PageFrame
from tilelab.gui.run.run_actions import why_locked, why_not
from tilelab.gui.run.run_model import RunModel, Shown
from tilelab.gui.run.save_best import SavedBest, SavedLetters
from tilelab.gui.run.status_bar import best_value_words
from tilelab.gui.run.timeline import Timeline
from tilelab.gui.widgets.commands import Command
from tilelab.letters.lexicon import Lexicon
from tilelab.runs.actions import Action, State
from tilelab.runs.files.carried import CarriedRun, run_of_board
from tilelab.runs.session import LiveChange

MAX_TITLE = 40
"""Characters of a title in a sentence."""


class RunView(PageFrame):
    """Status, chart, panel and the best that is shown, all of one run; the puzzle's places last."""

    saved_kind: type[SavedBest] = SavedLetters
    """How a best board of this puzzle is written."""
    load: LoadMenu
    """What the menu of LOAD offers."""
    best_panel: BestCard
    """The card at the right."""
    board: Any
    """What shows the board in the middle."""

    def __init__(self, source_card: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(source_card, parent)
        self.run = RunModel(self)
        """The run as far as the window has been notified of it."""
        # Before all others, who find the page as it should be.
        self.run.status_changed.connect(self._follow_status)
        self.run.run_changed.connect(self._draw_run)
        self.run.shown_changed.connect(self._show_shown)
        self.status.best_words = self._best_words
        Announcer(self.run, self.status)
        self.timeline = Timeline(self.run, self.chart, self)
        self.timeline.left.connect(self._show_present)
        self.timeline.looked_at.connect(self._tell_moment)
        self.run.shown_changed.connect(self._tell_moment)
        self.timeline.moment_named.connect(self.show_moment)
        self.timeline.metrics_known.connect(self.show_metrics)
        self._replay: tuple[LiveChange, ...] = ()
        """Live parameters that are turned again by the run itself."""

    @property
    def is_busy(self) -> bool:
        """Whether puzzle and solver belong to a run that is going, or about to begin."""
        return bool(why_locked(self.run.status))

    @property
    def unit(self) -> str:
        """What the run counts in; an update where there is no run."""
        begun = self.run.begun
        return "update" if begun is None else begun.solver.unit

    @property
    def words(self) -> str:
        """The run in a line, for who decides what shall become of it."""
        run = self.run
        if run.begun is None:
            return self.title
        best = "" if run.present is None else f", {self.status.best_words(run.present)}"
        solver = run.begun.solver
        done = f"{tr(solver.unit)} {figures(run.status.units, ',')}"
        return f"{self.title}: {tr(solver.title)}, {done}{best}"

    @property
    def load_refusal(self) -> str:
        """Why another board cannot take the place of this one now, or ''."""
        return self.why_not(Action.LOAD)

    def refuses(self, action: Action) -> bool:
        """Return whether the run's status refuses an action; says why."""
        if action in self.run.status.allowed:
            return False
        self.notice.show_refusal(partial(self.why_not, action))
        return True

    def why_not(self, action: Action) -> str:
        """Why an action is refused now, or ''."""
        status = self.run.status
        return "" if action in status.allowed else why_not(action, status)

    def show_refusal(self, text: str, parameter: str) -> None:
        """Say what cannot be done, beside the control of that value if there is one.

        parameter: the one that is wrong, or ''.
        """
        if not (parameter and self.panel.show_error(parameter, text)):
            self.notice.show_error(text)

    def show_making(self, making: str) -> None:
        """Show what is being made for a run that shall be opened, and how far; '' when it ends."""
        self.run.set_making(making)
        self.status.show_news(News.of(self.run.status))

    def to_save(self) -> SavedBest | None:
        """Return what SAVE and Print take: the best that is shown, or else the board in hand.

        None where no board is shown, as set by ``set_board_shown``.
        """
        begun, shown = self.run.begun, self.run.shown
        if begun is None or shown is None:
            return self._in_hand()
        board, best = shown.board, shown.best
        carried = CarriedRun(
            board.puzzle,
            begun.solver.key,
            begun.first_params,
            begun.seed,
            self.run.status.units,
            best,
        )
        saved = self.saved_kind(board, best, begun.solver.unit, begun.seed, carried=carried)
        return self.timeline.noted(saved)

    def _in_hand(self) -> SavedBest | None:
        found = self.board_in_hand()
        if found is None:
            return None
        puzzle, best = found
        board = Board.of(puzzle, best.cells)
        return self.saved_kind(board, best, carried=run_of_board(puzzle, best))

    def _show_status(self, status: RunStatus, news: News | None = None) -> None:
        before = self.run.status
        for change in status.journal[len(before.journal) :]:
            if change in self._replay:
                self.panel.set_values({change.name: change.value})
        if status.state is State.FAILED and before.state is not State.FAILED:
            self.notice.show_error(tr("The solver failed: {message}", message=status.message))
        self.run.status = status
        shown = self.run.status
        self.status.show_news(dataclasses.replace(news or News.of(shown), status=shown))
        self._tell_moment()

    def _best_words(self, best: Best) -> str:
        assert self.run.begun is not None
        return best_value_words(self.run.begun.puzzle.own_value(best.value))

    @Slot()
    def _follow_status(self) -> None:
        status = self.run.status
        # While a board is being loaded the controls stay as they are, and so does the keyboard.
        loading = status.pending in (Pending.PUZZLE, Pending.OPENING)
        self.panel.set_running(self.is_busy and not loading)
        self.panel.solvers.setEnabled(not self.is_busy)
        self.panel.set_hint_action(tr("START AGAIN") if status.has_run else tr("GO"))
        may_begin = Action.GO in status.allowed
        self.view_stack.set_waiting(not may_begin)
        if isinstance(self.board, BoardView):
            text = NO_BOARD if may_begin else marked("The first board will be shown here.")
            self.board.set_empty_text(tr(text))

    @Slot()
    def _draw_run(self) -> None:
        """Draw another run, or none."""
        begun = self.run.begun
        if begun is not None:
            self.chart.set_unit(begun.solver.unit)
            self.chart_choice.offer(self.curve_sets())
        trace = self.run.trace
        own_value = None if begun is None else begun.puzzle.own_value
        self.chart.set_trace(trace, self.chart_choice.curves_of(trace.names), own_value)
        self.chart.set_steps(*self.run.step_curve())

    @Slot()
    def _show_shown(self) -> None:
        begun, shown = self.run.begun, self.run.shown
        if shown is not None:
            self.show_best(shown)
        elif begun is not None:
            self.show_nothing_found(begun.start)

    def _show_row(self, row: Sequence[float], status: RunStatus) -> None:
        assert self.run.begun is not None
        metrics = dict(zip(self.run.begun.solver.metrics, row, strict=True))
        self.show_metrics(metrics, status)

    @Slot()
    def _tell_moment(self) -> None:
        """Let the line at the bottom say of an earlier moment, unless the run is going."""
        run = self.run
        if run.moment is not None and run.status.state is not State.RUNNING:
            units, steps = run.moment + 1, run.moment_steps
            told = dataclasses.replace(run.status, units=units, steps=steps, seconds=run.seconds)
            self.status.show_moment(told, run.best)

    @Slot()
    def _show_present(self) -> None:
        """Show the metrics that the run has come to."""
        row = self.run.newest_row
        if row:
            self._show_row(row, self.run.status)
        self.show_news(News.of(self.run.status))
        self.status.show_news(News.of(self.run.status))

    # What each puzzle has a page of its own for

    @property
    @abstractmethod
    def title(self) -> str:
        """What is loaded, for the window's title."""

    @property
    def lexicon(self) -> Lexicon | None:
        """The lexicon that is shown; None for a puzzle that uses none."""
        return None

    @abstractmethod
    def puzzle_request(self) -> PuzzleRequest:
        """Return how to make the puzzle that the panel and the board show."""

    def ask_for_own(self) -> None:
        """Ask for a puzzle of the user's own, or say why not now."""
        if not self.refuses(Action.LOAD):
            self.load.ask_for_file()

    def origin_of_run(self, puzzle: Puzzle, name: str) -> object:
        """Return where a puzzle comes from that comes with a run, if the page wants to know that.

        name: the run file's, or ''.
        """
        return None

    @abstractmethod
    def show_no_run(self) -> None:
        """Show nothing of any run; a puzzle is loaded, or a run has begun, right after it."""

    @abstractmethod
    def show_loaded(self, loaded: Loaded, origin: object) -> None:
        """Show a puzzle that has no run yet; origin: as the wish for it said."""

    def loaded_words(self) -> str:
        """Say what was loaded."""
        lexicon = self.lexicon
        if lexicon is None:
            return tr("{title} is loaded.", title=shortened(self.title, MAX_TITLE))
        return tr("{strings} loaded.", strings=counted(lexicon.report.n_strings, "string"))

    def board_in_hand(self) -> tuple[Puzzle, Best] | None:
        """Return the board that is shown without being a best, and its puzzle, if there is any."""
        return None

    def show_begun(self, begun: Begun) -> None:
        """Note that a run has begun; nothing of it is known yet."""

    @abstractmethod
    def show_best(self, shown: Shown) -> None:
        """Show another best of the run."""

    @abstractmethod
    def show_nothing_found(self, start: Board | None) -> None:
        """Show a moment of the run by which it had found nothing; start: what it began from."""

    def show_moment(self, text: str) -> None:
        """Say when the board that is shown was found; '' for the best by now."""
        self.best_panel.show_moment(text)

    def commands(self) -> tuple[Command, ...]:
        """Return what this page alone offers in the menus and by keys."""
        return ()

    def show_metrics(self, metrics: Mapping[str, float], status: RunStatus | None = None) -> None:
        """Show the metrics of the unit that is looked at, as far as they are known.

        status: how the run stands; None at an earlier moment.
        """

    def show_news(self, news: News) -> None:
        """Show what news says besides the best and the metrics."""
        self.show_age(news.status)

    def show_age(self, status: RunStatus) -> None:
        """Say when the best was found, in running time."""
        goes_on = status.state is State.RUNNING
        self.best_panel.show_age(status.seconds if goes_on else None)

    def point_out(self) -> None:
        """Show something of the best, for a picture: a word's path, a place of the solution."""

    def leave(self) -> None:
        """Put away what belongs to the page when another one is shown."""

    def take_focus(self) -> None:
        """Give the keyboard to nothing in particular when the page is shown."""
        self.setFocus()

    def curve_sets(self) -> dict[str, tuple[ChartCurve, ...]]:
        """Return what the chart can draw, by title; the usual curves when there is nothing."""
        if self.run.begun is None:
            return {}
        metrics = self.run.begun.solver.metrics
        return {marked("Fitness"): default_curves(metrics), **further_curves(metrics)}
