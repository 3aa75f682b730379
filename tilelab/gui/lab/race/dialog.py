"""A race: two to six solvers side by side on the board that the window shows."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog

from tilelab import catalog
from tilelab.core.errors import ParameterError
from tilelab.core.parameters import validate
from tilelab.core.plain import Value
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import tr
from tilelab.gui.lab.race.chart import RaceCurve
from tilelab.gui.lab.race.form import RaceEntries, status_of
from tilelab.gui.lab.race.inside import CODE_KEY, MANUAL, goal_figure
from tilelab.gui.lab.race.jobs import RaceWork
from tilelab.gui.lab.race.layout import RaceFrame, RaceValues
from tilelab.gui.run.large_type import LargeType
from tilelab.gui.run.messages import Board
from tilelab.gui.run.run_actions import why_no_race, why_no_step_back
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.save_best import SavedBest, ask_for_best
from tilelab.gui.run.timeline import computing_words
from tilelab.gui.run.watching import SLOW_MILLISECONDS
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import show_in_front
from tilelab.gui.widgets.theme import scaled
from tilelab.gui.widgets.window_place import KeptLayout
from tilelab.runs.actions import Action, State
from tilelab.runs.presets import Paper
from tilelab.runs.races import (
    MAX_ENTRIES,
    MIN_ENTRIES,
    Entry,
    EntryStatus,
    Race,
    RaceGoal,
    rank_statuses,
)
from tilelab.runs.session import Limits

DEFAULT_SECONDS = 60.0
_SHARED = 8 / 9
"""Size of a presentation's texts where runs share the width: 16 of 18 minutes of arc."""
DEFAULT_SPEED = 2.0
"""Steps a second with which the runs are first watched from inside."""
_SPEED = "race/speed_inside"


class RaceDialog(QDialog):
    """The window that edits the entries of a race, runs it in the background and shows it.

    Only the background thread uses the race itself; the window just passes it on.
    """

    recorded = Signal(object)
    """Emitted with the RunRecord of a paused or ended run, from the thread of the race."""

    def __init__(self, page: PuzzlePage) -> None:
        super().__init__(page, Qt.WindowType.Window)
        self.setObjectName("race_dialog")
        puzzle = catalog.puzzle(page.puzzle_key).spec
        self.setWindowTitle(tr("Race – {title}", title=tr(puzzle.title)))
        self._page = page
        self._race: Race | None = None
        self.statuses: tuple[EntryStatus, ...] = ()  # statuses of the entries
        self.is_running = False  # whether the race is running from the user's point of view
        self._seed = 0
        self._steps_a_second: float | None = None
        self._was_slowed = False
        """Whether the race was stepped, or had a speed, at any time."""
        self._goal: RaceGoal | None = None  # where it last ran to, if anywhere
        self._share_back = 0.0  # part of a step back that is done
        self._going_back = QTimer(self, singleShot=True, interval=SLOW_MILLISECONDS)
        self._going_back.timeout.connect(self._say_back)
        self._source = page.source  # what the page had loaded when the race was begun
        self._background = TaskRunner(self, self._reported, failed=self._failed, ended=self._ended)
        self.recorded.connect(page.recorder.recorded)
        self.entries = RaceEntries(page.puzzle_key, *self._of_window())
        self._line_up = f"{page.puzzle_key}/race"  # setting that keeps the entries
        if page.settings.preferences.remember_choices:
            self.entries.restore(page.settings.text(self._line_up))
        self.frame = RaceFrame(page.puzzle_key, page.settings, self)
        kinds = self.frame.inside.watched_kinds
        # Called in the thread of the race.
        self._work = RaceWork(self.recorded.emit, lambda: self._steps_a_second, kinds)
        self._presentation = LargeType(self, _SHARED)
        self._presentation.turned.connect(self.frame.set_presenting)
        self._drawing = QTimer(self, singleShot=True, interval=0)
        """Timer that draws only the newest of several waiting reports."""
        self._drawing.timeout.connect(self._show_inside)
        self.frame.form.set_limits(Limits(seconds=DEFAULT_SECONDS))
        self._connect()
        self.frame.chart.view.remember_in(page.settings)
        self.frame.table.values = RaceValues(puzzle.value_title)
        self._show_entries(0)
        self.resize(scaled(1200), scaled(740))
        parts = {"rows": self.frame.rows, "parts": self.frame.parts}
        self._layout = KeptLayout(page.settings, "race", self, **parts)

    @property
    def allowed(self) -> frozenset[Action]:
        """Actions that are possible now."""
        allowed = set()
        if self.is_running:
            allowed.add(Action.STOP)
        elif len(self.entries.drafts) >= MIN_ENTRIES:
            allowed.add(Action.START_AGAIN if self._race else Action.GO)
            can_continue = self._can_continue()
            if can_continue:
                allowed.add(Action.RESUME)
            if can_continue or self._is_new:
                allowed.add(Action.STEP)
        status = self._chosen_status
        if status is not None and status.best is not None:
            allowed.add(Action.SAVE)
        return frozenset(allowed)

    # Requests of the user

    @Slot()
    def bring(self, *, is_inside: bool | None = None) -> None:
        """Show the race in front of the window.

        is_inside: whether the runs are shown from inside; None for no change of the look.
        """
        has_other_board = self._source.puzzle is not self._page.source.puzzle
        is_left = not (self.is_running or self.isVisible())
        if is_inside and is_left and (self._race is None or has_other_board):
            self._begin_with_window()
        elif has_other_board and is_left and not self._can_continue():
            self._forget()
            self._show_entries(self._chosen)
        if is_inside is not None:
            self.set_look(is_inside)
        if self._race is None and not self.is_running:
            self._show_subject()
        elif has_other_board and is_left:
            self.frame.say(
                tr("This race is on another board. START AGAIN races on that of the window.")
            )
        show_in_front(self)
        # No focus is shown until the user presses Tab.
        self.setFocus()

    def compare_with(self, solver: str, task: str = "") -> None:
        """Show the window's run next to one of a solver, step by step, unless a race is running.

        task: what a lesson asks about the two, in Markdown, because the window covers the lesson.
        """
        if not self.is_running:
            self._begin_with_window()
            self.entries.compare_first(solver)
            self._show_entries(0)
        self.bring(is_inside=True)
        if not self.is_running:
            self.frame.set_task(task)

    def race_with(self, paper: Paper) -> None:
        """Show a race of a paper's algorithms that may begin, unless a race is running."""
        if not self.is_running:
            self.entries.take_paper(paper)
            self._forget()
            self._show_entries(0)
        self.bring(is_inside=False)

    def take_over(self, before: "RaceDialog") -> None:
        """Show the entries and the race of another dialog, whose race does not run."""
        chosen = before._chosen
        self.entries, self._seed, self.statuses = before.entries, before._seed, before.statuses
        self._source = before._source
        self._was_slowed, self._goal = before._was_slowed, before._goal
        self.frame.bar.speed.set_speed(before.frame.bar.speed.speed)
        if before._race is not None:
            self.frame.bar.subject.setText(before.frame.bar.subject.text())
            self._reported(before._race)
        if before.frame.inside.cards:
            self._show_settings()
        self._show_entries(chosen)
        self.frame.take_over(before.frame)
        self.set_look(before.frame.is_inside)
        self.restoreGeometry(before.saveGeometry())

    def set_look(self, is_inside: bool) -> None:
        """Show the runs from inside, or the curves and figures of the race."""
        title = tr(catalog.puzzle(self._page.puzzle_key).spec.title)
        heading = tr("Compare – {title}", title=title)
        self.setWindowTitle(heading if is_inside else tr("Race – {title}", title=title))
        is_other = is_inside != self.frame.is_inside
        self.frame.set_look(is_inside)
        if is_other and self._race is None and not self.is_running:
            stored = float(self._page.settings.text(_SPEED) or DEFAULT_SPEED) or None
            self.frame.bar.speed.set_speed(stored if is_inside else None)
        set_manual_place(self, MANUAL if is_inside else "races")
        if self.statuses:
            self._show_statuses()  # ranked with time or without
            self._report_leader()
        elif not self.is_running:
            self._say_how_to_begin()
        self._show_inside()
        self._show_allowed()

    @Slot(object)
    def act(self, action: Action) -> None:
        """Perform an action, or show why it is not possible."""
        if action not in self.allowed:
            why = why_no_race(action, self.is_running, len(self.entries.drafts))
            self.frame.say(why, "error")
            return
        self.frame.form.commit()
        {
            Action.GO: self._go,
            Action.START_AGAIN: self._go,
            Action.STOP: self.stop,
            Action.RESUME: self._continue,
            Action.STEP: self._step,
            Action.SAVE: self._ask_and_save,
        }[action]()

    @Slot()
    def stop(self) -> None:
        """Pause the race; the window shows it at once, and the last figures follow."""
        if not self.is_running:
            return
        self.is_running = False
        self._going_back.stop()
        if self._race is None:
            self._background.cancel()
            self._forget()
            self.frame.say(tr("Stopped before it began."))
        else:
            self._background.start(self._work.pause(self._race))
            self.frame.say_leader(State.PAUSED, self._goal, is_timed=self._is_timed)
        self._show_allowed()

    @Slot()
    def step_back(self) -> None:
        """Take the last step of each entry back, or show why that is not possible."""
        seconds = sum(status.seconds for status in self.statuses) if self._can_go_back else None
        why = why_no_step_back(self.is_running, seconds)
        if why or self._race is None:
            self.frame.say(why, "error")
        else:
            self.is_running, self._share_back = True, 0.0
            self._background.start(self._work.step_back(self._race))
            self._going_back.start()
            self._show_allowed()

    @Slot()
    def _say_back(self) -> None:
        """Say how far the runs are computed again, which may take as long as they did."""
        if self.is_running:
            self.frame.say(computing_words(self._share_back))

    @Slot()
    def add(self) -> None:
        """Add an entry with the first solver that the race lacks."""
        if len(self.entries.drafts) < MAX_ENTRIES and not self.is_running:
            self.entries.add()
            self._begin_inside_again()
            self._show_entries(len(self.entries.drafts) - 1)

    @Slot()
    def remove(self) -> None:
        """Remove the selected entry."""
        if len(self.entries.drafts) > 1 and not self.is_running:
            del self.entries.drafts[self._chosen]
            self._begin_inside_again()
            self._show_entries(min(self._chosen, len(self.entries.drafts) - 1))

    @Slot(str)
    def choose_solver(self, key: str) -> None:
        """Give the selected entry another solver, with its heuristic or that of the others."""
        if key != self.entries.drafts[self._chosen].solver:
            self._set_entry(key)

    @Slot()
    def take_window(self) -> None:
        """Copy the values of the window's panel to the selected entry."""
        self._set_entry(*self._of_window())

    def _set_entry(self, solver: str, values: dict[str, Value] | None = None) -> None:
        self.entries.set_solver(self._chosen, solver, values)
        self._begin_inside_again()
        self._show_entries(self._chosen)

    def _of_window(self) -> tuple[str, dict[str, Value]]:
        """Return the solver that the window shows, and its values."""
        return self._page.choices.solver_key, self._page.panel.values("solver")

    def _begin_with_window(self) -> None:
        """Make the first entry that of the window, on its board; the others stay if they can."""
        self._forget()
        self._source = self._page.source
        self.entries.begin_with(*self._of_window())
        self._show_entries(0)

    def _begin_inside_again(self) -> None:
        """Forget a race that is watched step by step, because its settings have changed."""
        if self.frame.is_inside and not self.is_running:
            self._forget()

    def saved_best(self) -> SavedBest | None:
        """Return the best board of the selected row, for SAVE."""
        status = self._chosen_status
        if self._race is None or status is None or status.best is None:
            return None
        board = Board.of(self._race.puzzle, status.best.cells)
        return self._page.face.saved_kind(board, status.best, status.unit, status.seed)

    def end(self) -> None:
        """End the thread; the dialog cannot be used afterwards."""
        self.is_running = False
        self._background.close()
        self._presentation.end()
        if self.isVisible():
            self._keep()

    def reject(self) -> None:
        """Close; the race is paused and stays in memory."""
        self._presentation.end()
        self.stop()
        self._keep()
        super().reject()

    def _keep(self) -> None:
        """Store the entries and the window's place for the next session."""
        self._layout.keep()
        if self._page.settings.preferences.remember_choices:
            self._page.settings.set_text(self._line_up, self.entries.line_up)

    def present(self) -> None:
        """Show the runs in large type on the whole screen; Escape closes the dialog."""
        if not self._presentation.is_on:
            self._presentation.turn()
            once = Qt.ConnectionType.SingleShotConnection
            self._presentation.turned.connect(self._close_soon, once)

    @Slot()
    def _close_soon(self) -> None:
        QTimer.singleShot(0, self, self.reject)

    # The race

    def _go(self, *, is_step: bool = False, goal: RaceGoal | None = None) -> None:
        try:
            seed = self._next_seed()
            entries = [self._entry(place, seed) for place in range(len(self.entries.drafts))]
            validate(
                catalog.puzzle(self._page.puzzle_key).spec.params, self._page.panel.values("puzzle")
            )
        except ParameterError as error:
            if not self.frame.form.show_error(error.name, str(error)):
                self.frame.say(str(error), "error")
            return
        self._forget()
        self._seed, self.is_running, self._source = seed, True, self._page.source
        self._was_slowed, self._goal = is_step or self._steps_a_second is not None, goal
        self.frame.form.seed_field.set_seed(seed)
        self.entries.begin_race()
        self._show_subject()
        self.frame.say(tr("Getting ready…"))
        limits = self.frame.form.limits()
        self._show_statuses()
        self._show_inside()  # first, because it notes what is watched from the first step on
        request = self._page.face.puzzle_request()
        job = self._work.begin(request, entries, limits, is_step=is_step, goal=goal)
        self._background.start(job)
        self._show_allowed()

    def _entry(self, place: int, seed: int) -> Entry:
        """Check an entry; an invalid one is selected, so that its controls are shown."""
        try:
            return self.entries.checked(place, seed)
        except ParameterError:
            self.frame.table.selectRow(place)
            raise

    def _next_seed(self) -> int:
        field = self.frame.form.seed_field
        seed = field.seed()
        if self._race is not None and not field.was_edited:
            seed = (self._seed + 1) % (MAX_SEED + 1)
        return seed

    def _step(self) -> None:
        (self._go if self._is_new else self._continue)(is_step=True)

    @Slot(object)
    def run_until(self, goal: RaceGoal) -> None:
        """Run until each entry has reached a goal, or show why that is not possible."""
        self.frame.form.commit()
        if Action.STEP not in self.allowed:
            self.act(Action.STEP)  # which says why not
        else:
            (self._go if self._is_new else self._continue)(goal=goal)

    def _continue(self, *, is_step: bool = False, goal: RaceGoal | None = None) -> None:
        if self._race is not None:
            self.is_running, self._goal = True, goal
            self._was_slowed |= is_step or self._steps_a_second is not None
            self.frame.say(tr("Running."))
            limits = self.frame.form.limits()
            job = self._work.resume(self._race, limits, is_step=is_step, goal=goal)
            self._background.start(job)
            self._show_allowed()

    @Slot()
    def _look(self) -> None:
        """Ask for the views that are visible now, after what the race does."""
        if self._race is not None and self.frame.inside.isVisible():
            self._background.start_next(one_step(self._race.statuses))

    @Slot(object)
    def _set_speed(self, steps_a_second: float | None) -> None:
        self._steps_a_second = steps_a_second
        self._was_slowed |= self.is_running and steps_a_second is not None
        if self.frame.is_inside:
            self._page.settings.set_text(_SPEED, str(steps_a_second or 0))

    def _forget(self) -> None:
        self._race, self.statuses = None, ()
        self.entries.forget_race()
        self.frame.form.hint.hide()
        self._show_statuses()

    def _ask_and_save(self) -> None:
        saved = self.saved_best()
        if saved is not None:
            path = ask_for_best(self, saved, self._page.settings.folder)
            if path is not None:
                self.frame.write(path, saved.content(path.suffix.lower()))

    # Reports of the background

    @Slot(object)
    def _reported(self, item: object) -> None:
        if isinstance(item, Race):
            self._race = item
            item.watched = self.frame.inside.watched_kinds
            self.frame.table.values = RaceValues.of(item.puzzle)
            self.frame.chart.own_value = item.puzzle.own_value
            self.frame.chart.set_value_title(
                item.puzzle.value_title, is_distance=item.puzzle.spec.value_is_distance
            )
        elif isinstance(item, float):
            self._share_back = item
            if not self._going_back.isActive():
                self._say_back()
        elif isinstance(item, tuple):
            self.statuses = item
            self._show_statuses()
            self._report_leader()
        self._show_allowed()

    @Slot()
    def _ended(self) -> None:
        self._going_back.stop()
        if self.is_running:
            self.is_running = False
            self._report_leader()
            if self.frame.is_inside:
                self._show_inside()
                announce(self.frame.said, self.frame.inside.words)
        self._show_allowed()

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._going_back.stop()
        self.is_running = False
        if self._race is None:
            self._forget()
        self.frame.say(text, "error")
        self._show_allowed()

    # Display

    @property
    def _chosen(self) -> int:
        return min(max(self.frame.table.currentIndex().row(), 0), len(self.entries.drafts) - 1)

    @property
    def _chosen_status(self) -> EntryStatus | None:
        return status_of(self.entries.drafts[self._chosen], self.statuses)

    def _racers(self) -> list[RaceCurve]:
        ranked = rank_statuses(self.statuses, is_timed=self._is_timed)
        return self.entries.racers(ranked)

    @property
    def _is_timed(self) -> bool:
        """Whether time decides between equal boards; of runs that are stepped it says nothing."""
        return not (self.frame.is_inside or self._was_slowed)

    @property
    def _is_new(self) -> bool:
        """Whether the entries have not raced together: without a race, or with another solver."""
        return self._race is None or not self.entries.are_of_race

    def _can_continue(self) -> bool:
        """Return whether the entries are unchanged and at least one of them can continue."""
        limits = self.frame.form.limits()
        return not self._is_new and any(status.can_continue(limits) for status in self.statuses)

    @property
    def _can_go_back(self) -> bool:
        """Return whether the entries are unchanged and at least one of them has made a step."""
        return not self._is_new and any(
            status.state is not State.FAILED and (status.units or status.steps)
            for status in self.statuses
        )

    def _show_entries(self, place: int) -> None:
        """Show changed entries, of which no lesson asks anything, and select one in the table."""
        self.frame.set_task("")
        self._show_statuses()
        self.frame.table.selectRow(place)
        self._show_draft()
        self._say_how_to_begin()
        self._show_allowed()

    def _say_how_to_begin(self) -> None:
        n_entries = len(self.entries.drafts)
        if self._is_new or n_entries < MIN_ENTRIES:
            self.frame.say_how_to_begin(n_entries, is_again=self._race is not None)

    @Slot()
    def _show_draft(self) -> None:
        draft, number = self.entries.drafts[self._chosen], self._chosen + 1
        self.frame.form.show_draft(
            draft,
            tr("Solver {number} of {n_drafts}", number=number, n_drafts=len(self.entries.drafts)),
        )
        self._show_allowed()

    @Slot()
    def _show_statuses(self) -> None:
        self.frame.show_racers(self._racers())
        self.frame.bar.figure = goal_figure(self._page.puzzle_key, self.entries.drafts)
        self._drawing.start()

    @Slot()
    def _show_inside(self) -> None:
        """Show the runs from inside, if they are."""
        if self.frame.is_inside:
            race, inside = self._race, self.frame.inside
            self._show_settings()
            inside.show_statuses(self.statuses, None if race is None else race.puzzle)

    def _show_settings(self) -> None:
        self.frame.inside.show_settings(self.entries.drafts, self.entries.as_begun)

    def _show_subject(self) -> None:
        """Name the board that the window shows: the race is run on it, or will be."""
        shape = self._page.panel.values("puzzle")
        rows, cols = shape.get("rows"), shape.get("cols")
        title, size = self._page.face.title, f"{rows}×{cols}" if rows and cols else ""
        self.frame.bar.show_subject(title, size)

    def _show_allowed(self) -> None:
        running, allowed = self.is_running, self.allowed
        self.frame.bar.show_allowed(
            allowed, self._race is not None or running, not running and self._can_go_back
        )
        self.frame.set_running(running)

    def _report_leader(self) -> None:
        """Say who is first, or how to begin another race of entries that were changed."""
        if self._is_new and not self.is_running:
            self._say_how_to_begin()
            return
        state = State.PAUSED if self._can_continue() else State.FINISHED
        self.frame.say_leader(
            State.RUNNING if self.is_running else state, self._goal, is_timed=self._is_timed
        )

    @Slot(int, str)
    def _choose_inside(self, place: int, key: str) -> None:
        self.frame.table.selectRow(place)
        self.choose_solver(key)

    @Slot(int)
    def _remove_inside(self, place: int) -> None:
        self.frame.table.selectRow(place)
        self.remove()

    @Slot()
    def _edited(self) -> None:
        """Update the table after a change of a parameter."""
        self._begin_inside_again()
        self._show_statuses()
        if self._race is not None:
            self.frame.form.hint.show()
        self._show_allowed()

    def _connect(self) -> None:
        frame = self.frame
        frame.bar.asked.connect(self.act)
        frame.bar.back_requested.connect(self.step_back)
        frame.bar.speed.speed_chosen.connect(self._set_speed)
        frame.bar.goal_chosen.connect(self.run_until)
        frame.bar.looks.chosen.connect(lambda place: self.set_look(place == 0))
        frame.inside.watched.connect(self._look)
        frame.inside.solver_chosen.connect(self._choose_inside)
        frame.inside.removal_requested.connect(self._remove_inside)
        frame.inside.add.clicked.connect(self.add)
        QShortcut(QKeySequence("F11"), self, self._presentation.turn)
        QShortcut(QKeySequence("Ctrl+W"), self, self.reject)
        QShortcut(QKeySequence(CODE_KEY), self, frame.inside.code.click)
        frame.table.current_changed.connect(self._show_draft)
        frame.add.clicked.connect(self.add)
        frame.remove.clicked.connect(self.remove)
        frame.form.solver_changed.connect(self.choose_solver)
        frame.form.window_requested.connect(self.take_window)
        frame.form.edited.connect(self._edited)
        frame.form.limits_changed.connect(self._show_allowed)
