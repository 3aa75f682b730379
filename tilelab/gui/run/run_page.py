"""The page of a puzzle, which is the same for all, and the protocol of a puzzle's face.

A page keeps its state while another one is shown. It receives the worker's answers, and shows
status, chart, panel and best of a run; its face shows the parts of its puzzle.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.plain import JsonObject, Values
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import language, marked, tr
from tilelab.core.text.shown_text import shortened
from tilelab.core.text.wording import counted, without_source
from tilelab.core.views import ViewKind
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.charts.curves import ChartCurve, default_curves, further_curves
from tilelab.gui.run.choices import Choices, KeptBoard, last_solver
from tilelab.gui.run.fork import ForkActions
from tilelab.gui.run.history_recorder import HistoryRecorder
from tilelab.gui.run.lent_look import LentLook
from tilelab.gui.run.load_menu import LoadMenu
from tilelab.gui.run.messages import (
    Board,
    Lender,
    LoadContext,
    Pending,
    PuzzleLoaded,
    PuzzleRequest,
    ReadyPuzzle,
    Replaced,
    RunBefore,
    RunOpened,
    RunStarted,
    RunStatus,
    RunUpdate,
)
from tilelab.gui.run.page_layout import PageFrame
from tilelab.gui.run.run_client import RunClient, RunContext
from tilelab.gui.run.run_control import RunControl
from tilelab.gui.run.run_files import RunFiles, UnsavedChanges
from tilelab.gui.run.run_model import ShownBest
from tilelab.gui.run.save_best import BestFiles, SavedBest, SavedLetters
from tilelab.gui.run.stuck_help import StuckHelp
from tilelab.gui.run.timeline import Timeline
from tilelab.gui.run.undo_load import MAX_TITLE, UndoLoad
from tilelab.gui.run.watching import Watching
from tilelab.gui.threads.task_runner import close_all
from tilelab.gui.widgets.commands import Command
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import after_first_paint
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.lexicon import Lexicon
from tilelab.manual.places import page_of
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.history.record import RunRecord
from tilelab.runs.session import Checkpoint, Session


class PuzzleFace(QObject):
    """The parts of a page that belong to its puzzle: card, board, result, menu of LOAD.

    A face is made with the first puzzle and the card that names it; ``join`` makes the rest.
    """

    race_requested = Signal(object)  # emitted with a Paper, whose algorithms race
    saved_kind: type[SavedBest] = SavedLetters  # class that saves a best board of this puzzle
    keeps_run_before: ClassVar[bool] = False
    """Whether Undo brings a replaced run back even after the next run has started."""
    board_place: ClassVar[str] = "window#the-board"
    """Page of the manual about actions on the board."""
    load: LoadMenu  # menu of LOAD
    best_panel: BestCard  # card at the right
    board: Any  # widget of the board in the middle
    page: "PuzzlePage"

    def __init__(
        self, first: PuzzleLoaded, source_card: QWidget, settings: Settings, note: str = ""
    ) -> None:
        """first: the first puzzle of the page. source_card: card of the loaded puzzle.

        note: remark about the first puzzle.
        """
        super().__init__()
        self.first, self.source_card, self.settings, self.note = first, source_card, settings, note
        self.puzzle_key: str = first.puzzle.spec.key

    def join(self, page: "PuzzlePage") -> None:
        """Make the other parts, lay them out on the page and connect them; called once."""
        self.setParent(page)
        self.page, self.run, self.control = page, page.run, page.control
        self.notice, self.panel = page.notice, page.panel

    @property
    @abstractmethod
    def title(self) -> str:
        """Description of the loaded puzzle for the window's title."""

    @property
    def lexicon(self) -> Lexicon | None:
        """Current lexicon; None for a puzzle without one."""
        return None

    def commands(self) -> tuple[Command, ...]:
        return ()

    @property
    def subject(self) -> object:
        """Object that an error about the board is about; another one when the board changes."""
        return self.page.source

    @property
    def subjects(self) -> Sequence[object]:
        """The subject, and those of the boards that Undo on the board goes back to."""
        return (self.subject,)

    def show_error(self, text: str) -> None:
        """Show an error about the board until the board changes."""
        self.notice.show_error_about(text, lambda: self.subject)

    @abstractmethod
    def puzzle_request(self) -> PuzzleRequest:
        """Return the request for the puzzle in the panel and on the board."""

    def ask_for_own(self) -> None:
        """Ask the user for a puzzle; called only if loading is allowed."""
        self.load.ask_for_file()

    @abstractmethod
    def show_loaded(self, loaded: PuzzleLoaded) -> None:
        """Show a puzzle without a run; its context has its origin."""

    @abstractmethod
    def show_no_run(self) -> None:
        """Clear all values of a run; called before a puzzle is loaded or a run starts."""

    def show_started(self, started: RunStarted, *, is_opened: bool = False) -> None:
        """Show that a run has started; it has no results yet. is_opened: whether it was opened."""

    @abstractmethod
    def show_nothing_found(self, start: Board | None) -> None:
        """Show a moment without a best; start: the board that the run started from."""

    def show_current(self, board: Board) -> None:
        """Show the board that a run works on inside its first unit; do nothing by default."""

    @abstractmethod
    def show_best(self, shown: ShownBest) -> None:
        """Show another best of the run."""

    def show_metrics(self, metrics: Mapping[str, float], status: RunStatus | None = None) -> None:
        """Show the known metrics of the shown unit.

        status: status of the run; None at an earlier moment.
        """

    def show_update(self, update: RunUpdate) -> None:
        """Show the rest of an update, apart from best and metrics."""

    def restore_values(self) -> None:
        """Restore the values of the board in play, because those in the panel are not valid."""

    def values_in_force(self) -> Values:
        """Return the values of the shown board while changed ones wait for GO, without a run.

        By default none do.
        """
        return {}

    def curve_sets(self) -> dict[str, tuple[ChartCurve, ...]]:
        """Return the sets of curves by title, the usual ones first."""
        metrics = () if self.run.started is None else self.run.started.solver.metrics
        return {marked("Fitness"): default_curves(metrics), **further_curves(metrics)}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what LOAD replaces, such as a board and its words; a notice has the first."""
        return (self.title,)

    def loaded_words(self) -> str:
        """Return a sentence about the loaded puzzle."""
        if self.lexicon is None:
            return tr("{title} is loaded.", title=shortened(self.title, MAX_TITLE))
        return tr("{strings} loaded.", strings=counted(self.lexicon.report.n_strings, "word"))

    def board_in_hand(self) -> tuple[Puzzle, Best] | None:
        """Return the shown board that is not a best, and its puzzle; None if there is none."""
        return None

    def board_to_print(self) -> tuple[Puzzle, Best] | None:
        """Return the board in hand for Print, or a better one that it leads to."""
        return self.board_in_hand()

    def game_in_hand(self) -> tuple[Puzzle, Best] | None:
        """Return the game by hand that led to the shown board: its start, and the moves as a best.

        None if there is none.
        """
        return None

    def remember(self) -> None:
        """Store for the next start what only this puzzle has; do nothing by default."""

    def record_of_edits(self) -> RunRecord | None:
        """Return the record of a board that was edited by hand and that no run begins from.

        None if there is none, or another board does not take it away.
        """
        return None

    def keeper(self) -> Callable[[Any], object]:
        """Return a function that restores what was done on the board, once its puzzle is loaded.

        It takes the face that shows it, which may be another one of this kind.
        """
        return lambda _face: None

    def forget_redo(self) -> None:
        """Drop the changes of the board that were undone; do nothing by default."""

    def board_to_keep(self) -> KeptBoard | None:
        """Return the board that the next start of the program shows; None if it has no such."""
        return None

    def constraints_to_keep(self) -> JsonObject:
        """Return the constraints that the settings keep until the next start of the program."""
        return {}

    def to_save(self, best: SavedBest) -> SavedBest | None:
        """Return the best for SAVE if the run shows one; None for the board in hand."""
        return best

    def to_print(self, best: SavedBest) -> SavedBest | None:
        """Return the best for Print if the run shows one; None for the board in hand."""
        return self.to_save(best)

    def start_from(self, best: Best, name: str) -> None:
        """Load the board of a best of the current run as the start of another run."""
        assert self.run.started is not None
        puzzle = self.run.started.puzzle
        # The end of a path is the goal, which needs no search.
        start = ReadyPuzzle(puzzle, puzzle.saved_cells(best))
        self.control.ask_puzzle(start, LoadContext(run_name=name))

    def return_to_start(self) -> None:
        """Show the board that the run started from, for another run; do nothing by default."""

    def take_focus(self) -> None:
        """Give the keyboard to the face when the page is shown; do nothing by default."""
        self.page.setFocus()

    def leave(self) -> None:
        """Close windows of the page when another page is shown."""

    def end(self) -> None:
        """Close windows of the page before the settings of the program are stored at its end."""

    def take_over_board(self, before: Any) -> None:
        """Show the puzzle of another face of this kind; its run, if any, follows."""
        self.show_loaded(before.page.source)

    def take_over_look(self, before: Any) -> None:
        """Show the same moment, place or draft as another face; called after the run is shown."""


class _Opening(NamedTuple):
    """What the worker was asked last to open."""

    path: Path | None = None  # file of the run, if it is the user's own
    is_taken_up: bool = False  # whether the run was interrupted
    said: str = ""  # sentences about it
    replaced: Replaced | None = None  # offer to bring back the run before
    then: Callable[[], object] | None = None  # called when it is shown


class PuzzlePage(PageFrame):
    """The page of a puzzle with one solver and one run at a time; it computes nothing."""

    title_changed = Signal()
    solver_set = Signal()  # emitted when another solver is shown

    def __init__(self, face: PuzzleFace, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(face.source_card, parent)
        session = Session()
        session.load(face.first.puzzle)
        self.face, self.settings = face, settings
        self.puzzle_key = face.puzzle_key
        self.language = language()  # language of the page
        set_manual_place(self, page_of(self.puzzle_key))
        # Connected first, so that the page is up to date for all others.
        self.run.status_changed.connect(self._follow_status)
        self.run.run_changed.connect(self._draw_run)
        self.run.shown_changed.connect(self._show_shown)
        self.timeline = Timeline(self.run, self.chart, self)
        self.timeline.left.connect(self._show_present)
        self.status.moment_metrics = lambda: self.timeline.metrics
        self.timeline.looked_at.connect(self.status.refresh)
        self.client = RunClient(session, self)
        self.context = RunContext(self.run, self.client, self.notice, settings, self)
        self.source = face.first  # puzzle that was loaded last
        self.in_lesson = False  # whether the lesson that has set the board up is open
        self._opening = _Opening()
        self.is_carried = False
        """Whether the run is that of an opened picture: it begins again, without its best board."""
        self._load_begins_run = False  # whether the load that is offered to undo awaits its run
        self.recorder = HistoryRecorder(self.run, self)
        self.best_files = BestFiles(self.context, face, self.timeline.noted)
        self.run_files = RunFiles(
            self.context, lambda: face.title, lambda: face.record_of_edits() is not None
        )
        self.unsaved = UnsavedChanges(
            self.context, self.best_files, self.run_files, lambda: not self.saving_notice.text
        )
        self.choices = Choices(self.panel, self.puzzle_key, last_solver(settings, self.puzzle_key))
        self.choices.recall_rules(settings)
        self.control = RunControl(self.context, self.choices, self.unsaved, face.puzzle_request)
        self.undo_load: UndoLoad[PuzzlePage] = UndoLoad(self)
        self.stuck_help = StuckHelp(self.context, self.control, self.choices, self.choose_solver)
        self.forking = ForkActions(self.context, self.timeline, self.panel.limits)
        self.panel.show_puzzle(face.first.puzzle)  # before its rules are noted
        face.join(self)
        self.look = LentLook(self.view_stack, self.context, self)
        self._open()

    def _open(self) -> None:
        """Show the first puzzle and warm up its kernels."""
        self.chart_choice.offer(self.face.curve_sets())
        self._connect()
        self.watching = Watching(self.context, self.timeline, self.view_stack)
        self.control.forward = self.watching.stepping_back.forward
        self.control.replaced = self._replaced
        self.control.return_to_start = self.face.return_to_start
        self.control.before_going = self._offer_carried
        self.watching.stepping_back.progressed.connect(self.status.show_progress)
        self._offer_views()
        self._loaded(self.face.first)
        self._show_status(RunStatus.of(self.client.worker.session))
        self.control.await_answer(Pending.KERNELS, *self.run.status.allowed)
        if self.face.note:
            self.notice.show_note(self.face.note)
        after_first_paint(self, self.control.warm_up)

    def take_over(self, before: "PuzzlePage") -> None:
        """Take over the state and the run of another page of the same puzzle.

        That page cannot be used afterwards; reports about the run wait for this page.
        """
        before.timeline.cancel()
        close_all(before)
        self.client.close()
        self.client = self.context.client = before.client
        self.client.setParent(self)
        self.client.leave()
        self._listen()
        self._clear_run()
        self.source, self.in_lesson = before.source, before.in_lesson
        self.look.take_over(before.look)
        self.face.take_over_board(before.face)
        self.face.load.typed = before.face.load.typed
        opened = before.run.opened()
        if opened is not None:
            self.choose_solver(opened.started.solver.key)
            self._show_run(opened)
        self.choose_solver(before.choices.solver_key)
        self.panel.take_over(before.panel)
        self.keeps_parameters = before.keeps_parameters
        self.chart_choice.take_over(before.chart_choice)
        self.notice.clear()
        self._opening = before._opening
        self.is_carried = before.is_carried
        self._load_begins_run = before._load_begins_run
        self.choices.take_over(before.choices)
        self.control.take_over(before.control)
        self._show_status(before.run.reported)
        self.recorder.take_over(before.recorder)
        self.best_files.saved = before.best_files.saved
        self.run_files.take_over(before.run_files)
        self.unsaved.was_interrupted = before.unsaved.was_interrupted
        self.saving_notice.take_over(before.saving_notice)
        self.timeline.take_over(before.timeline)
        self.watching.take_over(before.watching)
        self.face.take_over_look(before.face)
        self.undo_load.take_over(before.undo_load)
        self._show_update(RunUpdate.of(before.run.reported))
        self.title_changed.emit()

    def end(self, *, keep: bool = False) -> None:
        """Stop the worker; the page cannot be used afterwards.

        keep: whether its run is offered at the next start.
        """
        # The user has not been asked about a run that the worker has just opened.
        taken_up = self._opening.is_taken_up and self.run.reported.pending is Pending.OPENING
        self.timeline.cancel()
        close_all(self)
        self.client.close(keep=keep or taken_up)
        self.recorder.end()

    # Requests

    @property
    def words(self) -> str:
        """Description of the run in one line, for questions about it."""
        return self.status.run_words(self.face.title)

    @Slot(str)
    def choose_solver(self, key: str) -> None:
        """Choose another solver for the next run."""
        self.choices.choose(key)
        self._show_choice()

    def ask_for_own(self) -> None:
        """Ask the user for a puzzle, or show why not now."""
        if not self.control.refuses(Action.LOAD):
            self.face.ask_for_own()

    def open_run(
        self,
        checkpoint: Checkpoint,
        path: Path | None = None,
        folder: RunFolder | None = None,
        what: str = "",
        said: str = "",
        then: Callable[[], object] | None = None,
    ) -> bool:
        """Request that the worker open a run; returns whether it was requested.

        path: file of the run, if it is the user's own. folder: where it is kept, if it was
        interrupted. what: the reason why the current run ends, as a clause; '' for the usual one.
        said: sentences about the run, shown until closed; '' for the name of its file, if any.
        then: function that is called when it is shown.
        """
        if not self.control.may_load(what or tr("Opening another run replaces this one")):
            return False
        self.control.clear_errors()
        before, replaced = self._run_before() if then is None else None, None
        if before is not None:
            opened = said or ("" if path is None else tr("Opened {name}", name=path) + ".")
            text = f"{opened} {before.say()}".lstrip()
            replaced = before._replace(say=lambda: text)
        self._opening = _Opening(path, folder is not None, said, replaced, then)
        self.control.resume_when_open("")
        self.client.ask(self.client.worker.open, checkpoint, folder)
        self.control.await_answer(Pending.OPENING)
        return True

    def leave_run(self, what: str, subject: object, *, by_undo: bool = False) -> bool:
        """Discard the current run for a board that the worker does not know yet.

        what: says so in half a sentence. subject: object of the board that follows. by_undo:
        whether Undo shows that board, so that Redo brings the run back. Returns False without any
        change if the user keeps the run.
        """
        if not self.control.may_load(what):
            return False
        before = self._run_before()
        self.notice.close_all()  # an earlier board may still offer the run before it
        if returned := self._return_choices():
            self.notice.show_note(returned)
        self.view_stack.show_board()
        if self.run.started is not None:
            self._clear_run()
            self.client.ask(self.client.worker.drop)
            allowed = ALLOWED[State.READY]
            self._show_status(RunStatus(State.READY, allowed, seed=self.run.status.seed))
            self.title_changed.emit()
        if before is not None:
            self.undo_load.offer(before, None if by_undo else subject)
            if by_undo:
                self.undo_load.offer_again(before.bring_back, subject)
        return True

    @Slot(str, str)
    def show_refusal(self, text: str, parameter: str) -> None:
        """Show an error, next to the control of its value if there is one.

        parameter: name of the wrong parameter, or ''.
        """
        self.face.restore_values()
        if not (parameter and self.panel.show_error(parameter, text)):
            self.face.show_error(text)

    # Display of the run

    @Slot(object)
    def _show_status(self, status: RunStatus) -> None:
        before = self.run.status
        for change in status.journal[len(before.journal) :]:
            if change in self.control.replay:
                self.panel.set_values({change.name: change.value})
        if status.state is State.FAILED and before.state is not State.FAILED:
            text = tr("The solver failed: {message}", message=status.message)
            self.notice.show_error_about(text, lambda: self.run.started)
        self.run.status = status
        self.status.refresh()  # status_changed is not emitted for units and seconds alone
        if status.journal != before.journal:
            self.chart.mark_changes(self.run.change_words)

    @Slot()
    def _follow_status(self) -> None:
        self._load_begins_run &= self.run.status.pending is Pending.RUN
        waits = Action.GO not in self.run.status.allowed
        self.show_waiting(self.face.board, self.settings, is_waiting=waits)

    @Slot()
    def _draw_run(self) -> None:
        self.chart_choice.draw_run(self.run, self.face.curve_sets())

    @Slot()
    def _show_shown(self) -> None:
        started, shown = self.run.started, self.run.shown
        if shown is not None:
            self.face.show_best(shown)
        elif started is not None:
            self.face.show_nothing_found(started.start)
            if self.run.past_current is not None:
                self.face.show_current(self.run.past_current)

    def _show_row(self, row: Sequence[float], status: RunStatus) -> None:
        """Show metrics of the run, if there are any."""
        if row and self.run.started is not None:
            metrics = dict(zip(self.run.started.solver.metrics, row, strict=True))
            self.face.show_metrics(metrics, status)

    @Slot()
    def _show_present(self) -> None:
        """Show the newest metrics of the run."""
        self._show_row(self.run.newest_row, self.run.status)
        self._show_update(RunUpdate.of(self.run.status))
        self.status.refresh()

    def _show_update(self, update: RunUpdate) -> None:
        """Show the rest of an update, apart from best and metrics."""
        if self.run.current is not None and not self.run.is_back:
            self.face.show_current(self.run.current)
        self.face.show_update(update)
        self.show_age(update.status)

    def show_age(self, status: RunStatus) -> None:
        """Show when the best was found, in running time."""
        is_running = status.state is State.RUNNING
        self.face.best_panel.show_age(status.seconds if is_running else None)

    def _offer_views(self) -> None:
        """Offer the views of the chosen solver, and compare it and its values with the run's."""
        chosen, started = self.choices.solver, self.run.started
        self.watching.offer(chosen)
        is_other = started is not None and started.solver.key != chosen.key
        title = tr(started.solver.title) if started is not None and is_other else ""
        title, next_title = map(without_source, (title, tr(chosen.title)))
        self.face.best_panel.name_solvers(title, next_title)
        self.status.name_solver(title)
        if started is None:
            self.panel.set_in_force(self.face.values_in_force())
        else:
            params = {} if is_other else started.params
            in_force = {**started.puzzle.params.model_dump(), **params}
            self.panel.set_in_force(in_force, started.asked, of_solver=not is_other)

    # Answers of the worker

    @Slot(object)
    def _loaded(self, loaded: PuzzleLoaded) -> str:
        """Show a loaded puzzle; returns a sentence about an edited board that it replaces."""
        (said, subject), replaced = self._take_loaded(loaded), loaded.context.replaced
        if replaced is not None:
            say = replaced.say
            what = (lambda: f"{say()} {said}") if said else say
            self.undo_load.offer(replaced._replace(say=what), subject)
            self._load_begins_run = self.run.status.pending is Pending.RUN
        elif said:
            self.notice.show_note(" ".join(filter(None, (self.notice.text, said))))
        self.choices.note_borrowed()
        return said

    def _take_loaded(self, loaded: PuzzleLoaded) -> tuple[str, object]:
        """Show a loaded puzzle; returns the sentence for :meth:`_loaded`, and the board's subject.

        The history keeps an edited board, because a run that starts takes the offer of Undo away.
        """
        context = loaded.context
        edits = None if context.brings_back else self.face.record_of_edits()
        rules = self.own_rules()
        self._clear_run()
        returned, solver = self._return_choices(context.lender), self.choices.solver_key
        if context.lender is not Lender.NOTHING:
            self.choices.keep_own()
        # What it has replaced may be a whole run, which only Undo may keep.
        kept = dataclasses.replace(context, replaced=None)
        self.source = dataclasses.replace(loaded, context=kept)
        begins_run = self.run.status.pending is Pending.RUN
        if loaded.puzzle.start is not None and not begins_run:
            self.view_stack.show_board()
        self.face.show_loaded(loaded)
        subject = self.face.subject  # before the moves of a game that is opened
        self.title_changed.emit()
        if context.then is not None:
            context.then(loaded.puzzle)
        if not context.brings_back:  # which brings back those of its time
            self.choices.note_rules(rules)
        is_own = context.lender is Lender.NOTHING and solver == self.choices.solver_key
        if returned and is_own:
            text = f"{self.notice.text} {returned}".lstrip()
            self.notice.show_note(text, buttons=self.notice.buttons)
        if edits is None:
            return "", subject
        self.recorder.recorded.emit(edits)
        return tr("Your edited board is in the history."), subject

    def _replaced(self, by: LoadContext) -> Replaced | None:
        """Return what a puzzle replaces, if it is a run or the user has chosen the puzzle."""
        if by.brings_back:
            return None
        is_old_board = by.run_name is not None and by.lender is Lender.NOTHING
        if self.face.load.is_choosing or is_old_board:
            return self.present()
        if (before := self._run_before()) is None and self.undo_load.run_before is not None:
            # Another board would take away the offer to bring a run back.
            return self.present()._replace(say=lambda: "")
        return before

    def present(self) -> Replaced:
        """Return what says that the present run or puzzle is replaced, and what restores it."""
        here, names = self.undo_load.here, self.face.names

        def say(text: str = "") -> str:
            return here.page.undo_load.loaded_words(names, text)

        if (before := self._run_before()) is not None:
            return before._replace(say=partial(say, before.say()))
        loaded = self.source
        start = None if loaded.start is None else loaded.start.cells
        request, values = ReadyPuzzle(loaded.puzzle, start), self.panel.values("puzzle")
        solver = self.choices.solver_key
        restore_choices, restore_hand = self.choices.keeper(), self._hand_keeper()
        restore_look = self.look.keeper()

        def bring_back(after: Callable[[], object]) -> bool:
            page = here.page
            by = page.source.context.lender

            def then(_puzzle: Puzzle) -> None:
                if loaded.context.lender is not Lender.NOTHING or by is Lender.LESSON:
                    restore_choices(page.choices)
                    page._show_choice()
                    restore_look(page.look)
                elif page.choices.solver_key != solver:  # New puzzle chooses one
                    page.choose_solver(solver)
                page.panel.set_values(values)
                restore_hand()
                after()

            context = dataclasses.replace(loaded.context, then=then, brings_back=True)
            return page.control.ask_puzzle(request, context)

        return Replaced(say, bring_back, self.undo_load.run_before)

    def _run_before(self) -> Replaced | None:
        """Return a sentence about the run that is replaced, and what opens it again, if any."""
        run, title = self.client.snapshot(), self.face.title
        if run is None:
            return None
        short = shortened(title, MAX_TITLE)
        text = tr("It takes the place of {title}.", title=short)
        if self.recorder.has_recorded:
            words = self.words.replace(title, short, 1)
            text = tr("The run before is in the history: {run}.", run=words)
        restore_hand, here = self._hand_keeper(), self.undo_load.here

        def open_again(after: Callable[[], object]) -> bool:
            def then() -> None:
                here.page.notice.clear()  # an edited board is not set aside
                restore_hand()
                after()

            what = tr("Another board replaces the run")
            return here.page.open_run(run, what=what, then=then)

        before = here.keep(RunBefore(open_again, self.client.run_bytes))
        return Replaced(lambda: text, before.bring_back, before)

    def _hand_keeper(self) -> Callable[[], None]:
        """Return a function that restores what was done on the board, and the user's rules."""
        restore_hand, here = self.undo_load.keeper(), self.undo_load.here
        rules = self.choices.own_rules()

        def restore() -> None:
            restore_hand()
            here.page.choices.note_rules(rules)

        return restore

    @property
    def _shows_lesson(self) -> bool:
        """Whether a lesson that is open has set the board up."""
        return self.in_lesson and self.source.context.lender is Lender.LESSON

    def own_rules(self) -> Values:
        """Return the rules for other words: the user's, or those of a lesson that is open."""
        rules, shown = self.choices.own_rules(), self.panel.values("puzzle")
        return {name: shown[name] for name in rules} if self._shows_lesson else rules

    def _return_choices(self, lender: Lender = Lender.NOTHING) -> str:
        """Restore the user's solver, values and look, unless those of a lesson are kept.

        lender: what sets them next. Returns a sentence about what has returned, or ''.
        """
        if lender is Lender.NOTHING and self._shows_lesson:
            self.choices.adopt()
            return ""
        before = self.choices.solver_key
        has_changed = self.choices.give_back()
        is_other = self.choices.solver_key != before
        if is_other:
            self._show_choice()
        self.look.give_back()
        if is_other:
            title = without_source(tr(self.choices.solver.title))
            return tr("The solver is {solver} again, as before.", solver=title)
        return tr("Parameters and limits are again as before that run.") if has_changed else ""

    def lend_look(
        self, view: ViewKind | None, pace: float | None, *, with_pseudocode: bool
    ) -> None:
        """Show a board as a lesson wants it, until the user's own solver and values return."""
        self.in_lesson = True
        self.look.lend(view, pace, with_pseudocode=with_pseudocode)

    def _show_choice(self) -> None:
        self._offer_views()
        self.solver_set.emit()

    @Slot(object)
    def _show_start(self, started: RunStarted) -> None:
        is_of_load, self._load_begins_run = self._load_begins_run, False
        self._clear_run()
        self.undo_load.begin_run(is_of_load=is_of_load)
        self.run.begin(started)
        self.control.replay = started.recipe.changes
        self._offer_views()
        self._show_started(started)

    @Slot(object)
    def _opened(self, opened: RunOpened) -> None:
        """Show an opened run as if it had been here from its first unit."""
        started, update, opening = opened.started, opened.update, self._opening

        def take_over(puzzle: Puzzle) -> None:
            self.choose_solver(started.solver.key)
            limits = update.status.limits.model_dump()
            self.panel.set_values({**puzzle.params.model_dump(), **started.asked, **limits})

        name = "" if opening.path is None else opening.path.name
        context = LoadContext(
            run_name=name, lender=Lender.RUN, then=take_over, replaced=opening.replaced
        )
        if opening.said:
            self.notice.show_note(opening.said, stays=True)
        said = self._loaded(PuzzleLoaded(started.puzzle, started.start, context))
        self._show_run(opened)
        self.watching.stepping_back.refresh_opened()
        self.unsaved.was_interrupted = opening.is_taken_up
        place = update.status.units, update.status.steps
        self.run_files.begin(started.key, opening.path, place, update.best)
        self.recorder.resume(update.status)
        self.is_carried = place == (0, 0) and _is_found(update.best, started.puzzle)
        if opening.path is not None and opening.replaced is None:
            text = tr("Opened {name}", name=opening.path)
            self.notice.show_done(f"{text}. {said}" if said else text)
        self._opening = _Opening()  # the last one may hold whole runs
        if opening.then is not None:
            opening.then()

    def _show_run(self, opened: RunOpened) -> None:
        """Show a run that was on another page, with all its bests."""
        update = opened.update
        self.run.open(opened)
        self.chart.set_steps(*self.run.step_curve())
        self._offer_views()
        self._show_started(opened.started, is_opened=True)
        self._show_row(update.inside or self.run.trace.last_row, update.status)
        self._show_update(update)
        self.run.show_newest(update)
        self.run.take(dataclasses.replace(RunUpdate.of(update.status), views=update.views))

    def _show_started(self, started: RunStarted, *, is_opened: bool = False) -> None:
        """Show a run, whose bests follow."""
        self.run_files.begin(started.key)
        self.panel.seed_field.set_seed(started.recipe.seed)
        if started.start is not None:
            self.face.show_nothing_found(started.start)
        self.face.show_started(started, is_opened=is_opened)
        self.title_changed.emit()

    def _offer_carried(self, begins: bool) -> None:
        """Offer to bring back the board of an opened picture, because its run begins again.

        begins: whether a new run begins, which leaves the offer.
        """
        before = self._run_before() if self.is_carried else None
        self.is_carried = False
        if before is not None:
            self._load_begins_run = begins
            text = tr("The run begins again. Undo shows the board that was opened.")
            self.undo_load.offer(before._replace(say=lambda: text), self.face.subject)

    def _clear_run(self) -> None:
        """Forget the run and clear its values; only this method does so."""
        self.run.clear()
        self.is_carried = False
        self._offer_views()
        self.unsaved.was_interrupted = False
        self.face.show_no_run()

    @Slot(object)
    def _take_update(self, update: RunUpdate) -> None:
        if not self.run.take(update):
            # Reported before the run was discarded, so it does not belong to the page.
            return
        # The end of the first unit tells how many steps it had.
        is_first_over = self.run.step_rows and self.run.trace.n_units == 1
        if update.inside or update.step_rows.rows or is_first_over:
            self.chart.set_steps(*self.run.step_curve())
        if len(update.rows) or update.inside:
            self.chart.schedule()
            if not self.run.is_back:
                self._show_row(update.inside or update.rows[-1].tolist(), update.status)
        self.run.show_newest(update)
        self._show_update(update)
        status = update.status
        if status.n_answered < self.client.n_requested:
            # Reported before the last request arrived, whose effect is already shown.
            asked = self.run.reported
            status = dataclasses.replace(status, pending=asked.pending, allowed=asked.allowed)
        self._show_status(status)
        self.recorder.note()

    @Slot(object, str)
    def _open_fork(self, checkpoint: Checkpoint, origin: str) -> None:
        self.recorder.note_origin(checkpoint.key, origin)
        if self.open_run(checkpoint, what=tr("The fork replaces the run")):
            self.control.resume_when_open(checkpoint.key)

    def _listen(self) -> None:
        """Connect the signals of the worker."""
        client = self.client
        self.run.kept = client.worker.keeping
        client.loaded.connect(self._loaded)
        client.started.connect(self._show_start)
        client.opened.connect(self._opened)
        client.updated.connect(self._take_update)
        client.refused.connect(self.show_refusal)
        client.saving_error_changed.connect(self.saving_notice.show_error)

    def _connect(self) -> None:
        self._listen()
        self.control.awaited.connect(self._show_status)
        self.control.refused.connect(self.show_refusal)
        self.control.resumed.connect(self.timeline.end)
        self.timeline.moment_named.connect(self.face.best_panel.show_moment)
        self.timeline.metrics_known.connect(self.face.show_metrics)
        self.timeline.metrics_known.connect(self.status.refresh)
        self.forking.forked.connect(self._open_fork)
        self.forking.board_requested.connect(self.face.start_from)
        self.panel.solvers.chosen.connect(self.choose_solver)
        self.chart.remember_in(self.settings)
        self.chart.introduce(tr(self.face.first.puzzle.spec.purpose))
        self.face.load.refused.connect(self.face.show_error)
        self.run_files.saved.connect(self.recorder.note_file)


def _is_found(best: Best | None, puzzle: Puzzle) -> bool:
    """Return whether a best is one that a run has found, not the start of its puzzle."""
    if best is None or best.moves is not None or puzzle.start is None:
        return best is not None
    return not np.array_equal(best.cells, puzzle.start)
