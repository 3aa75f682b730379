"""A race: two to six solvers side by side on the board that the window shows."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog

from tilelab import catalog
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.parameters import validate
from tilelab.core.randomness import MAX_SEED
from tilelab.gui.race.chart import Racer
from tilelab.gui.race.entry import Draft, draft_titles
from tilelab.gui.race.export import ask_for_best, ask_for_file, content, write
from tilelab.gui.race.layout import RaceFrame
from tilelab.gui.race.table import leader_words
from tilelab.gui.race.tasks import begun, paused, resumed
from tilelab.gui.run.messages import Board
from tilelab.gui.run.refusals import why_no_race
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.races.race import FEWEST_ENTRIES, MOST_ENTRIES, Entry, EntryStatus, Race
from tilelab.runs.session import Action, Limits, State

DEFAULT_SECONDS = 60.0


class RaceDialog(QDialog):
    """Edits the entries, asks the background for the race, and shows how it stands.

    The race itself belongs to the background's thread; here it is only handed on.
    """

    recorded = Signal(object)
    """RunRecord of a run that stands still; reported from the thread that it ran in."""

    def __init__(self, page: PuzzlePage) -> None:
        super().__init__(page, Qt.WindowType.Window)
        self.setObjectName("race_dialog")
        self.setWindowTitle(f"Race – {catalog.puzzle(page.puzzle_key).spec.title}")
        self._page = page
        self._race: Race | None = None
        self._statuses: tuple[EntryStatus, ...] = ()
        self._is_running = False
        self._seed = 0
        self._background = Background("race", self)
        self._background.reported.connect(self._reported)
        self._background.ended.connect(self._ended)
        self._background.failed.connect(self._failed)
        self.recorded.connect(page.recorder.pass_on)
        self.drafts = [self._draft_of_window(0), self._another(1)]
        """The entries as they stand in the table."""
        self.frame = RaceFrame(page.puzzle_key, self)
        self.frame.form.set_limits(Limits(seconds=DEFAULT_SECONDS))
        self._connect()
        self.frame.bar.bind_keys(self)
        self.frame.chart.view.remember_in(page.settings)
        self.frame.table.value_title = catalog.puzzle(page.puzzle_key).spec.value_title
        self._show_entries(0)
        self.resize(1200, 740)

    @property
    def is_running(self) -> bool:
        """Whether solvers are at work, as far as the user is concerned."""
        return self._is_running

    @property
    def statuses(self) -> tuple[EntryStatus, ...]:
        """How the lanes of the race stand."""
        return self._statuses

    @property
    def text(self) -> str:
        """What the line below the table says."""
        return self.frame.said.text()

    @property
    def allowed(self) -> frozenset[Action]:
        """What can be asked for now."""
        allowed = set()
        if self._is_running:
            allowed.add(Action.STOP)
        elif FEWEST_ENTRIES <= len(self.drafts) <= MOST_ENTRIES:
            allowed.add(Action.START_AGAIN if self._race else Action.GO)
            if self._race and self._is_as_raced() and self._may_go_on():
                allowed.add(Action.RESUME)
        status = self._status_of(self._chosen)
        if status is not None and status.best is not None:
            allowed.add(Action.SAVE)
        return frozenset(allowed)

    # What the user asks for

    @Slot()
    def bring(self) -> None:
        """Show the race, in front of the window."""
        if self._race is None and not self._is_running:
            self._show_subject()
        self.show()
        self.raise_()
        self.activateWindow()
        # Nothing is marked before the user has begun to walk with the Tab key.
        self.setFocus()

    @Slot(object)
    def act(self, action: Action) -> None:
        """Do what a button or a key asks for, or say why not."""
        if action not in self.allowed:
            why = why_no_race(action, self._is_running, len(self.drafts))
            self.frame.say(why, "error")
            return
        self.frame.form.commit()
        {
            Action.GO: self._go,
            Action.START_AGAIN: self._go,
            Action.STOP: self.stop,
            Action.RESUME: self._resume,
            Action.SAVE: self._ask_and_save,
        }[action]()

    @Slot()
    def stop(self) -> None:
        """Pause; the window shows it at once, the last figures follow."""
        if not self._is_running:
            return
        self._is_running = False
        if self._race is None:
            self._background.cancel()
            self._forget()
            self.frame.say("Stopped before it had begun.")
        else:
            self._background.start(paused(self._race, self.recorded.emit))
            self.frame.say("Paused.")
        self._show_allowed()

    @Slot()
    def add(self) -> None:
        """Add an entry: the first solver that is not there yet."""
        if len(self.drafts) < MOST_ENTRIES and not self._is_running:
            used = {draft.slot for draft in self.drafts}
            slot = next(slot for slot in range(MOST_ENTRIES) if slot not in used)
            self.drafts.append(self._another(slot))
            self._show_entries(len(self.drafts) - 1)

    @Slot()
    def remove(self) -> None:
        """Take the selected entry out."""
        if len(self.drafts) > 1 and not self._is_running:
            del self.drafts[self._chosen]
            self._show_entries(min(self._chosen, len(self.drafts) - 1))

    @Slot(str)
    def choose_solver(self, key: str) -> None:
        """Give the selected entry another solver, its parameters at their defaults."""
        draft = self.drafts[self._chosen]
        if draft.solver != key:
            draft.solver, draft.values, draft.lane = key, {}, None
            self._show_entries(self._chosen)

    @Slot()
    def take_window(self) -> None:
        """Make the selected entry as the window's panel stands."""
        before = self.drafts[self._chosen]
        fresh = self._draft_of_window(before.slot)
        if fresh.solver == before.solver:
            fresh.lane = before.lane
        self.drafts[self._chosen] = fresh
        self._show_entries(self._chosen)

    def saved_best(self) -> SavedBest | None:
        """Return what SAVE writes: the best board of the selected row."""
        status = self._status_of(self._chosen)
        if self._race is None or status is None or status.best is None:
            return None
        board = Board.of(self._race.puzzle, status.best.cells)
        return self._page.saved_kind(board, status.best, status.unit, status.seed)

    def content(self, kind: str) -> bytes | str:
        """Return the table ('csv') or the chart ('png', 'svg') as a file holds it."""
        return content(kind, self._racers(), self.frame.chart)

    def end(self) -> None:
        """End the thread; the dialog is of no use after that."""
        self._is_running = False
        self._background.close()

    def reject(self) -> None:
        """Close; the race is paused and stays in memory."""
        self.stop()
        super().reject()

    # The race

    def _go(self) -> None:
        try:
            seed = self._next_seed()
            entries = [self._entry(place, seed) for place in range(len(self.drafts))]
            validate(
                catalog.puzzle(self._page.puzzle_key).spec.params, self._page.panel.values("puzzle")
            )
        except ParameterError as error:
            if not self.frame.form.show_error(error.name, str(error)):
                self.frame.say(str(error), "error")
            return
        self._forget()
        self._seed, self._is_running = seed, True
        self.frame.form.seed_field.set_seed(seed)
        for place, draft in enumerate(self.drafts):
            draft.lane = place
        self.frame.form.hint.hide()
        self._show_subject()
        self.frame.say("Getting ready…")
        limits = self.frame.form.limits()
        self._background.start(
            begun(self._page.puzzle_request(), entries, limits, self.recorded.emit)
        )
        self._show_statuses()
        self._show_allowed()

    def _entry(self, place: int, seed: int) -> Entry:
        """Check an entry; one in error is selected, so that its controls are there."""
        draft = self.drafts[place]
        model = catalog.solver(self._page.puzzle_key, draft.solver).spec.params
        try:
            return Entry(draft.solver, validate(model, draft.values), seed)
        except ParameterError:
            self.frame.table.choose(place)
            raise

    def _next_seed(self) -> int:
        field = self.frame.form.seed_field
        seed = field.seed()
        if self._race is not None and not field.was_edited:
            seed = (self._seed + 1) % (MAX_SEED + 1)
        return seed

    def _resume(self) -> None:
        if self._race is not None:
            self._is_running = True
            self.frame.say("Running.")
            limits = self.frame.form.limits()
            self._background.start(resumed(self._race, limits, self.recorded.emit))
            self._show_allowed()

    def _forget(self) -> None:
        self._race, self._statuses = None, ()
        for draft in self.drafts:
            draft.lane = None
        self._show_statuses()

    def _ask_and_save(self) -> None:
        saved = self.saved_best()
        path = None if saved is None else ask_for_best(self, saved, self._page.settings.folder)
        if saved is not None and path is not None:
            self.write(path, saved.content(path.suffix.lower()))

    def _ask_and_export(self, kind: str, _checked: bool = False) -> None:
        path = ask_for_file(self, kind, self._page.settings.folder)
        if path is not None:
            self.write(path, self.content(kind))

    def write(self, path: Path, content: bytes | str) -> None:
        """Write a file, and say so or why not."""
        try:
            self.frame.say(write(path, content))
        except TileLabError as error:
            self.frame.say(str(error), "error")
        else:
            self._page.settings.folder = path.resolve().parent

    # What the background says

    @Slot(object)
    def _reported(self, item: object) -> None:
        if isinstance(item, Race):
            self._race = item
            self.frame.table.value_title = item.puzzle.value_title
            self.frame.chart.set_value_title(
                item.puzzle.value_title, is_distance=item.puzzle.spec.value_is_distance
            )
        elif isinstance(item, tuple):
            self._statuses = item
            self._show_statuses()
            self._report_leader("Running" if self._is_running else "Paused")
        self._show_allowed()

    @Slot()
    def _ended(self) -> None:
        if self._is_running:
            self._is_running = False
            self._report_leader("Finished")
        self._show_allowed()

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._is_running = False
        if self._race is None:
            self._forget()
        self.frame.say(text, "error")
        self._show_allowed()

    # What is shown

    @property
    def _chosen(self) -> int:
        return min(max(self.frame.table.currentRow(), 0), len(self.drafts) - 1)

    def _racers(self) -> list[Racer]:
        titles = draft_titles(self._page.puzzle_key, self.drafts)
        return [
            Racer(place + 1, title, draft.slot, self._status_of(place))
            for place, (title, draft) in enumerate(zip(titles, self.drafts, strict=True))
        ]

    def _status_of(self, place: int) -> EntryStatus | None:
        lane = self.drafts[place].lane
        known = lane is not None and lane < len(self._statuses)
        return self._statuses[lane] if known and lane is not None else None

    def _is_as_raced(self) -> bool:
        return [draft.lane for draft in self.drafts] == list(range(len(self._statuses)))

    def _may_go_on(self) -> bool:
        limits = self.frame.form.limits()
        return any(status.may_go_on(limits) for status in self._statuses)

    def _show_entries(self, place: int) -> None:
        """Show the table after entries have changed, and select one of them."""
        self._show_statuses()
        self.frame.table.choose(place)
        self._show_draft(place)
        n_entries = len(self.drafts)
        if n_entries < FEWEST_ENTRIES:
            self.frame.say("A race needs two to six solvers; add another one.")
        elif self._race is None:
            self.frame.say("GO runs these solvers side by side, each with the same running time.")
        self._show_allowed()

    @Slot(int)
    def _show_draft(self, place: int) -> None:
        if place < len(self.drafts):
            self.frame.form.show_draft(
                self.drafts[place], f"Solver {place + 1} of {len(self.drafts)}"
            )
            self._show_allowed()

    @Slot()
    def _show_statuses(self) -> None:
        racers = self._racers()
        self.frame.table.show_racers(racers)
        self.frame.chart.show_racers(racers)

    def _show_subject(self) -> None:
        """Name the board that the window shows: the race is run on it, or will be."""
        shape = self._page.panel.values("puzzle")
        rows, cols = shape.get("rows"), shape.get("cols")
        size = f", {rows}×{cols}" if rows and cols else ""
        self.frame.bar.show_subject(f"{self._page.title}{size}")

    def _show_allowed(self) -> None:
        running, allowed = self._is_running, self.allowed
        self.frame.bar.show_allowed(allowed, self._race is not None or running)
        self.frame.form.set_running(running)
        n_entries = len(self.drafts)
        self.frame.add.setEnabled(not running and n_entries < MOST_ENTRIES)
        self.frame.remove.setEnabled(not running and n_entries > 1)
        self.frame.export.setEnabled(any(racer.status for racer in self._racers()))

    def _report_leader(self, state: str) -> None:
        if state == "Running" and all(lane.state is State.READY for lane in self._statuses):
            self.frame.say("Getting ready; the first time, kernels must be compiled.")
            return
        leader = leader_words(self._racers(), self.frame.table.value_title, state == "Finished")
        self.frame.say(f"{state}.{leader and ' ' + leader}")

    @Slot()
    def _edited(self) -> None:
        """A parameter was changed: a name in the table may name it."""
        self._show_statuses()
        if self._race is not None:
            self.frame.form.hint.show()
        self._show_allowed()

    def _connect(self) -> None:
        frame = self.frame
        frame.bar.asked.connect(self.act)
        frame.table.row_chosen.connect(self._show_draft)
        frame.add.clicked.connect(self.add)
        frame.remove.clicked.connect(self.remove)
        frame.form.solver_changed.connect(self.choose_solver)
        frame.form.window_asked.connect(self.take_window)
        frame.form.edited.connect(self._edited)
        frame.form.limits_changed.connect(self._show_allowed)
        frame.offer_exports(self._ask_and_export)

    def _draft_of_window(self, slot: int) -> Draft:
        return Draft(self._page.solver_key, slot, self._page.panel.values("solver"))

    def _another(self, slot: int) -> Draft:
        there = {draft.solver for draft in getattr(self, "drafts", [])} | {self._page.solver_key}
        keys = list(catalog.solvers(self._page.puzzle_key))
        return Draft(next((key for key in keys if key not in there), keys[0]), slot)
