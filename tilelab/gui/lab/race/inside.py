"""The runs of a race seen from inside: a card for each, and what differs between them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.wording import in_sentence
from tilelab.core.views import ViewKind
from tilelab.gui.boards.tile_pictures import BoardPicture, BoardTexts, TextScene
from tilelab.gui.lab.race.form import EntryDraft, status_of, status_words
from tilelab.gui.parameters.solver_choice import SolverChoice
from tilelab.gui.run.large_type import Counters, counter_values
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.views.view_stack import ViewStack
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import (
    Card,
    IconButton,
    calling,
    column_layout,
    named,
    row_layout,
    row_of,
    small_button,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import State
from tilelab.runs.races import MIN_ENTRIES, EntryStatus, Inside

MAX_RUNS = 3  # number of runs that have room next to each other
_NO_CODE, _CAPTIONS, _CURVES = "race/no_pseudocode", "race/captions", "race/curves"
_N_COUNTERS = 4
CODE_KEY = "F8"
MANUAL = "races#step-by-step"


class Differences(NamedTuple):
    """What differs between several entries, in words."""

    line: str  # sentence about all of them
    runs: tuple[str, ...]  # values of each entry that differ, apart from its solver


def differences_of(puzzle_key: str, drafts: Sequence[EntryDraft]) -> Differences:
    """Return what the settings of several entries have in common, and what differs."""
    solvers = [catalog.solver(puzzle_key, draft.solver).spec for draft in drafts]
    known = [{spec.name: spec for spec in describe(solver.params)} for solver in solvers]
    different, is_one_heuristic = [], False
    runs: list[list[str]] = [[] for _ in drafts]
    has_one_solver = all(solver.key == solvers[0].key for solver in solvers)
    if not has_one_solver:
        different.append(tr("solver"))
    for name in dict.fromkeys(name for specs in known for name in specs):
        owners = [place for place, specs in enumerate(known) if name in specs]
        if len(owners) < len(known) and name != catalog.HEURISTIC:
            continue  # it belongs to the solver
        specs = [known[place][name] for place in owners]
        values = [
            drafts[place].values.get(name, spec.default)
            for place, spec in zip(owners, specs, strict=True)
        ]
        are_usual = [value == spec.default for value, spec in zip(values, specs, strict=True)]
        is_own = all(are_usual) and not has_one_solver and name != catalog.HEURISTIC
        if is_own:
            continue  # each solver has its usual value
        if any(value != values[0] for value in values):
            titles = [spec.value_title(value) for spec, value in zip(specs, values, strict=True)]
            what, words = in_sentence(specs[0].title), " / ".join(titles)
            different.append(f"{what} ({words})")
            for place, title in zip(owners, titles, strict=True):
                runs[place].append(title if name == catalog.HEURISTIC else f"{what} {title}")
        elif name == catalog.HEURISTIC:
            is_one_heuristic = len(owners) == len(known)
    parts = ", ".join(different)
    line = tr("Same board · differs: {parts}", parts=parts)
    if not different:
        line = tr("Nothing differs: the runs have the same board, solver and parameters.")
    elif is_one_heuristic:
        line = tr("Same board and heuristic · differs: {parts}", parts=parts)
    return Differences(line, tuple(map(", ".join, runs)))


def goal_figure(puzzle_key: str, drafts: Sequence[EntryDraft]) -> str:
    """Return the figure by which these solvers can run to the same place."""
    solvers = [catalog.solver(puzzle_key, draft.solver).spec for draft in drafts]
    return "expanded" if all(solver.is_search for solver in solvers) else "evaluations"


class RunCard(Card):
    """A run: its solver, its view or board with the pseudocode, and its counters."""

    def __init__(self, number: int, parent: QWidget) -> None:
        """number: from 1."""
        super().__init__(parent)
        self._number = number
        self._inside: Inside | None = None
        self._solver = self._difference = ""
        self._is_presenting = False
        self._title = ElidedLabel(self, role="title")
        self._different = named(ElidedLabel(self, role="muted"), f"inside_different_{number}")
        self.solvers = SolverChoice(self, has_label=False)
        self.solvers.box.setObjectName(f"inside_solver_{number}")
        self._place = ElidedLabel(self, role="muted")
        self._step = ElidedLabel(self, role="small")  # what a step is, which solvers differ in
        tip = tr("Show the parameters of this run at the left")
        self.parameters = small_button(tr("Parameters"), f"inside_parameters_{number}", tip, self)
        self.parameters.setCheckable(True)
        title, tip = tr("Remove run {number}", number=number), tr("Remove this run")
        self.remove = IconButton("close", f"inside_remove_{number}", title, tip, self)
        self.board = BoardPicture(self)
        self.board.setAccessibleName(tr("Board"))
        self.stack = ViewStack(self.board, self)
        self.stack.set_board_known(False)
        self.stack.hide_switches()  # all runs have one switch each for pseudocode and captions
        self.counters = Counters(self, _N_COUNTERS)
        self._head = row_of((self._title, 1), (self.solvers, 1), self.parameters, self.remove)
        self._foot = column_layout(None, None, 4, self._step, self._place, self.counters)
        column_layout(self, SPACE, 10, self._head, self._different, (self.stack, 1), self._foot)

    @property
    def place(self) -> str:
        """Moment that is shown, in words."""
        return self._place.text()

    def show_solver(self, puzzle_key: str, solver_key: str) -> None:
        """Offer the views of a solver; the first one is shown, unless another is chosen."""
        if solver_key == self._solver:
            return
        self._solver = solver_key
        spec = self._spec = catalog.solver(puzzle_key, solver_key).spec
        self.solvers.offer(puzzle_key, solver_key)
        self._step.setText(spec.step_words)
        self._name()
        self.stack.offer(spec)
        first = next((kind for kind in spec.views if kind.is_drawn), None)
        if self.stack.shown is None and first is not None:
            self.stack.choose(first)

    def show_difference(self, words: str) -> None:
        """Show in what the run differs from the other ones, apart from its solver; '' for none."""
        if words != self._difference:
            self._difference = words
            self._name()

    def _name(self) -> None:
        """Name the run by its solver, and by what distinguishes it from the others."""
        title = " · ".join(filter(None, (tr(self._spec.title), self._difference)))
        self._title.setText(title)
        self._different.setText(self._difference)
        self._different.setVisible(bool(self._difference) and not self._is_presenting)
        self.setAccessibleName(tr("Run {number}: {title}", number=self._number, title=title))

    def show_status(self, status: EntryStatus | None, puzzle: Puzzle | None) -> None:
        """Show a moment of the run; None for no run."""
        self.stack.set_waiting(status is not None)
        self.stack.set_ended(status is not None and status.state is State.FINISHED)
        self._place.setText("" if status is None else self._place_words(status))
        inside = None if status is None else status.inside
        if inside is self._inside:
            return
        self._inside = inside
        if status is None or inside is None or puzzle is None:
            self.stack.show_views({}, None)
            self.counters.show_values({})
            self._show_scene(None)
            return
        self._show_board(inside.cells, puzzle)
        best, row = status.best, inside.metrics
        self.counters.show_values(counter_values(self._spec, status.units, best, puzzle, row))
        self.stack.show_views(inside.views, puzzle)

    def _show_board(self, cells: Cells | None, puzzle: Puzzle) -> None:
        texts = None if cells is None else BoardTexts.of(puzzle, cells[None])
        self._show_scene(None if texts is None else TextScene(texts=texts))

    def _show_scene(self, scene: TextScene | None) -> None:
        self.board.show_scene(scene)
        self.board.setAccessibleDescription("" if scene is None else scene.text())
        self.stack.set_board_known(scene is not None)

    def set_presenting(self, is_on: bool) -> None:
        """Show the title of the run in place of what changes it, or the reverse."""
        self._is_presenting = is_on
        self._title.setVisible(is_on)
        self._different.setVisible(bool(self._difference) and not is_on)
        self.stack.set_yielding(is_on)
        for part in (self.solvers, self.parameters, self.stack.tabs):
            part.setVisible(not is_on)

    def _place_words(self, status: EntryStatus) -> str:
        if status.state in (State.READY, State.FAILED):
            return status.message or status_words(status)
        words, expanded = tr("the start"), status.figures.expanded
        if status.units or status.steps:
            metrics = {} if expanded is None else {"expanded": expanded}
            words = self._spec.done(status.units, status.steps, metrics)
        return words if status.state is not State.FINISHED else f"{words} · {status_words(status)}"


class InsideView(QWidget):
    """Two or three cards of one width, with a line above that says what differs."""

    watched = Signal()  # emitted when other views are visible
    solver_chosen = Signal(int, str)  # emitted with a place, from 0, and the key of a solver
    parameters_requested = Signal(int)  # emitted with a place; -1 to close the parameters
    removal_requested = Signal(int)
    curves_turned = Signal()

    def __init__(self, puzzle_key: str, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._puzzle_key, self._settings = puzzle_key, settings
        self._drafts: Sequence[EntryDraft] = ()
        self._kinds: dict[int, frozenset[ViewKind]] = {}
        self._is_presenting = False
        self.cards: list[RunCard] = []
        self.differences = named(ElidedLabel(self), "inside_differences")
        self.code = self._switch(
            tr("Pseudocode"), "inside_code", not settings.flag(_NO_CODE), self._turn_code
        )
        tip = tr("Show the algorithms, with the lines that a step runs")
        self.code.setToolTip(f"{tip} ({CODE_KEY})")
        self.captions = self._switch(
            tr("Captions"), "inside_captions", settings.flag(_CAPTIONS), self._turn_captions
        )
        self.captions.setToolTip(tr("Write each step as a sentence"))
        self.curves = self._switch(
            tr("Curves"), "inside_curves", settings.flag(_CURVES), self._turn_curves
        )
        self.curves.setToolTip(tr("Show the curves of the race below"))
        tip = tr("Add a third run")
        self.add = small_button(tr("Add a run"), "inside_add", tip, self)
        self._tools = QWidget(self)
        row_layout(self._tools, 0, 12, self.code, self.captions, self.curves, self.add)
        # In one line: a second one would take the height of the runs, which name what differs.
        head = row_of((self.differences, 1), self._tools, spacing=12)
        self._row = row_layout(spacing=SPACE)
        column_layout(self, 0, 8, head, (self._row, 1))
        set_manual_place(self, MANUAL)

    def watched_kinds(self, entry: int) -> frozenset[ViewKind] | None:
        """Return the visible views of an entry; called in the thread of the race."""
        return self._kinds.get(entry)

    def show_settings(self, drafts: Sequence[EntryDraft], begun: Sequence[EntryDraft]) -> None:
        """Show the solvers of the runs, and what differs; begun: the entries as they began."""
        self._drafts = drafts[:MAX_RUNS]
        while len(self.cards) < len(self._drafts):
            self._add_card()
        for place, card in enumerate(self.cards):
            card.setVisible(place < len(self._drafts))
        differences = differences_of(self._puzzle_key, begun[:MAX_RUNS])
        for card, draft, words in zip(self.cards, self._drafts, differences.runs, strict=False):
            card.show_solver(self._puzzle_key, draft.solver)
            card.show_difference(words)
        self._show_removal()
        self.differences.setText(differences.line)
        self._note_watched()

    def take_over(self, before: "InsideView") -> None:
        """Show the views that another widget of the same runs shows."""
        for card, other in zip(self.cards, before.cards, strict=False):
            card.stack.take_over(other.stack)

    def show_statuses(self, statuses: Sequence[EntryStatus], puzzle: Puzzle | None) -> None:
        """Show the current moments of the runs."""
        for card, draft in zip(self.cards, self._drafts, strict=False):
            card.show_status(status_of(draft, statuses), puzzle)

    @property
    def words(self) -> str:
        """Moments of all runs, and their last steps if captions are shown, for screen readers."""
        cards = self.cards[: len(self._drafts)]
        return " ".join(f"{c.accessibleName()}, {c.place}. {c.stack.caption}" for c in cards)

    def show_allowed(self, n_runs: int, *, is_running: bool) -> None:
        """Lock what cannot be changed during a race, or with this number of runs."""
        self.add.setEnabled(not is_running and n_runs < MAX_RUNS)
        for card in self.cards:
            card.solvers.setEnabled(not is_running)
            card.remove.setEnabled(not is_running)

    def mark_parameters(self, place: int) -> None:
        """Mark the card whose parameters are shown; -1 for none."""
        for other, card in enumerate(self.cards):
            card.parameters.setChecked(other == place)

    def set_presenting(self, is_on: bool) -> None:
        """Hide what changes the runs, or show it again."""
        self._is_presenting = is_on
        self._tools.setVisible(not is_on)
        for card in self.cards:
            card.set_presenting(is_on)
        self._show_removal()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._note_watched()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._note_watched()

    def _show_removal(self) -> None:
        """Offer to remove a run while more are left than a comparison needs."""
        can_remove = len(self._drafts) > MIN_ENTRIES and not self._is_presenting
        for card in self.cards:
            card.remove.setVisible(can_remove)

    def _add_card(self) -> None:
        place = len(self.cards)
        card = RunCard(place + 1, self)
        card.solvers.chosen.connect(partial(self.solver_chosen.emit, place))
        card.remove.clicked.connect(calling(self.removal_requested.emit, place))
        card.parameters.clicked.connect(calling(self._turn_parameters, place))
        card.stack.pseudocode.setChecked(self.code.isChecked())
        card.stack.captions.setChecked(self.captions.isChecked())
        card.stack.pseudocode.toggled.connect(self.code.setChecked)
        card.stack.captions.toggled.connect(self.captions.setChecked)
        card.stack.watched.connect(self._note_watched)
        card.set_presenting(self._is_presenting)
        self.cards.append(card)
        self._row.addWidget(card, 1)

    def _switch(
        self, title: str, name: str, is_on: bool, turned: Callable[[bool], object]
    ) -> QCheckBox:
        box = named(QCheckBox(title, self), name)
        box.setChecked(is_on)
        box.toggled.connect(turned)
        return box

    @Slot(bool)
    def _turn_code(self, is_on: bool) -> None:
        self._settings.set_flag(_NO_CODE, not is_on)
        for card in self.cards:
            card.stack.pseudocode.setChecked(is_on)

    @Slot(bool)
    def _turn_captions(self, is_on: bool) -> None:
        self._settings.set_flag(_CAPTIONS, is_on)
        for card in self.cards:
            card.stack.captions.setChecked(is_on)

    @Slot(bool)
    def _turn_curves(self, is_on: bool) -> None:
        self._settings.set_flag(_CURVES, is_on)
        self.curves_turned.emit()

    def _turn_parameters(self, place: int) -> None:
        is_open = self.cards[place].parameters.isChecked()
        self.parameters_requested.emit(place if is_open else -1)

    @Slot()
    def _note_watched(self) -> None:
        """Note for the thread of the race which views are visible."""
        shown = zip(self._drafts, self.cards, strict=False) if self.isVisible() else ()
        kinds = {
            draft.entry: card.stack.watched_kinds
            for draft, card in shown
            if draft.entry is not None
        }
        if kinds != self._kinds:
            self._kinds = kinds
            self.watched.emit()
