"""The card at the left of a race: the selected entry, and values of all entries."""

import contextlib
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.parameters import describe, validate
from tilelab.core.plain import Value
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import in_sentence
from tilelab.gui.lab.race.chart import RaceCurve
from tilelab.gui.parameters.control import GUTTER, ParameterControl
from tilelab.gui.parameters.form import ParameterForm, Section
from tilelab.gui.parameters.seed_field import SeedField
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    column_layout,
    heading_of,
    named,
    row_of,
    rule_line,
    small_button,
    text_label,
)
from tilelab.manual.places import page_of
from tilelab.runs.presets import Paper, Preset
from tilelab.runs.races import MAX_ENTRIES, MIN_ENTRIES, TAG, Entry, EntryStatus, table_csv
from tilelab.runs.session import Limits

_USUAL_LIMITS = ("units", "seconds")
_LINE_UP = TypeAdapter(list[tuple[str, dict[str, Value]]])


@dataclass(eq=False)
class EntryDraft:
    """An entry that can be edited."""

    solver: str
    slot: int  # index of its curve colour, which it keeps when other entries change
    values: dict[str, Value] = field(default_factory=dict)
    """Values that differ from the defaults, and possibly others."""
    entry: int | None = None  # number in the current race; None if it is not part of it
    preset: Preset | None = None
    """Algorithm of a paper, which gives the entry its name until it is changed."""
    paper: str = ""  # name of that paper

    def is_of_paper(self, puzzle_key: str) -> bool:
        """Return whether it is the algorithm of its paper, perhaps after changes and back."""
        known = self.preset
        if known is None or self.solver != known.solver:
            return False
        specs = describe(catalog.solver(puzzle_key, self.solver).spec.params)
        return all(
            self.values.get(spec.name, spec.default) == known.params.get(spec.name, spec.default)
            for spec in specs
        )


def status_of(draft: EntryDraft, statuses: Sequence[EntryStatus]) -> EntryStatus | None:
    """Return the status of an entry; None if it is not in the race, or not known yet."""
    entry = draft.entry
    return statuses[entry] if entry is not None and entry < len(statuses) else None


class RaceEntries:
    """The entries of a race in the order of the table, as the user edits them."""

    def __init__(self, puzzle_key: str, solver: str, values: dict[str, Value]) -> None:
        """Begin with an entry of a solver and values, and another one with its heuristic."""
        self.puzzle_key = puzzle_key
        self.drafts = [EntryDraft(solver, 0, values)]
        self.begun: list[EntryDraft] = []  # entries of the current race, as it began
        self.add()

    def add(self) -> None:
        """Add an entry with a solver and a colour that the race lacks, and its heuristic."""
        slots = {draft.slot for draft in self.drafts}
        slot = next(slot for slot in range(MAX_ENTRIES) if slot not in slots)
        solver = catalog.another_solver(self.puzzle_key, [draft.solver for draft in self.drafts])
        self.drafts.append(EntryDraft(solver, slot, self._shared(solver, self.drafts)))

    def compare_first(self, solver: str) -> None:
        """Keep the first entry alone, next to one of a solver, with its heuristic."""
        del self.drafts[1:]
        self.add()  # in another colour
        self.set_solver(1, solver)

    def take_paper(self, paper: Paper) -> None:
        """Replace the entries by the algorithms of a paper."""
        self.drafts = [
            EntryDraft(each.solver, slot, dict(each.params), preset=each, paper=paper.paper)
            for slot, each in enumerate(paper.presets)
        ]

    def begin_with(self, solver: str, values: dict[str, Value]) -> None:
        """Make the first entry that of a solver and values; the others stay if they can."""
        first = self.drafts[0]
        if (solver, values) != (first.solver, first.values):
            first.solver, first.values = solver, values
            for draft in self.drafts[1:]:
                draft.values = {**draft.values, **self._shared(draft.solver, [first])}
            if len(self.drafts) > 1 and self.drafts[1].solver == solver:
                del self.drafts[1]
        if len(self.drafts) < MIN_ENTRIES:
            self.add()

    @property
    def line_up(self) -> str:
        """The solvers and their values, as ``restore`` reads them."""
        return _LINE_UP.dump_json([(each.solver, each.values) for each in self.drafts]).decode()

    def restore(self, line_up: str) -> None:
        """Replace the entries by those of an earlier session, unless they are not valid now."""
        with contextlib.suppress(TileLabError, ValidationError):
            kept = _LINE_UP.validate_json(line_up)
            for solver, values in kept:
                catalog.solver_params(self.puzzle_key, solver, values)
            if MIN_ENTRIES <= len(kept) <= MAX_ENTRIES:
                self.drafts = [
                    EntryDraft(solver, slot, values) for slot, (solver, values) in enumerate(kept)
                ]

    def set_solver(self, place: int, solver: str, values: dict[str, Value] | None = None) -> None:
        """Give an entry another solver; values: None for its heuristic, or else that of others."""
        draft = self.drafts[place]
        known = [draft, *(other for other in self.drafts if other is not draft)]
        values = self._shared(solver, known) if values is None else values
        if solver != draft.solver:
            draft.entry = None
        draft.solver, draft.values = solver, values

    def forget_race(self) -> None:
        """Note that no entry is part of a race."""
        self.begun = []
        for draft in self.drafts:
            draft.entry = None

    def begin_race(self) -> None:
        """Note that the entries are those of a race, as they are now."""
        for place, draft in enumerate(self.drafts):
            draft.entry = place
        self.begun = [dataclasses.replace(d, values=dict(d.values)) for d in self.drafts]

    @property
    def are_of_race(self) -> bool:
        """Whether the entries are those of the current race."""
        return [draft.entry for draft in self.drafts] == list(range(len(self.begun)))

    def checked(self, place: int, seed: int) -> Entry:
        """Return an entry for a race; raises ParameterError."""
        draft = self.drafts[place]
        model = catalog.solver(self.puzzle_key, draft.solver).spec.params
        tags = f"{TAG}, {draft.paper}" if draft.is_of_paper(self.puzzle_key) else TAG
        return Entry(draft.solver, validate(model, draft.values), seed, tags)

    @property
    def as_begun(self) -> list[EntryDraft]:
        """The entries with the solvers and values with which they are in the current race."""
        return [d if d.entry is None else self.begun[d.entry] for d in self.drafts]

    def racers(self, statuses: Sequence[EntryStatus]) -> list[RaceCurve]:
        """Return each entry as table and chart show it; figures keep the name that they had."""
        titles = draft_titles(self.puzzle_key, self.as_begun)
        specs = [catalog.solver(self.puzzle_key, draft.solver).spec for draft in self.drafts]
        return [
            RaceCurve(
                place + 1,
                titles[place],
                d.slot,
                spec.unit,
                status_of(d, statuses),
                spec.step_words,
                spec.is_search,
                spec.metric_titles.get("nearest") != "",
            )
            for place, (d, spec) in enumerate(zip(self.drafts, specs, strict=True))
        ]

    def _shared(self, solver: str, others: Sequence[EntryDraft]) -> dict[str, Value]:
        """Return the values that make a solver use the heuristic of other entries."""
        entries = [(draft.solver, draft.values) for draft in others]
        return catalog.shared_heuristic(self.puzzle_key, solver, entries)


def table_of(racers: Sequence[RaceCurve]) -> str:
    """Return the table as CSV, without entries that have not raced."""
    raced = [(racer.title, racer.status) for racer in racers if racer.status is not None]
    return table_csv([title for title, _ in raced], [status for _, status in raced])


def status_words(status: EntryStatus) -> str:
    """Return the state of an entry; of a search that has ended, also that its path is unproven."""
    return f"{tr(status.status)}{tr(', not proven') if status.is_unproven else ''}"


def draft_titles(puzzle_key: str, drafts: Sequence[EntryDraft]) -> list[str]:
    """Name the entries, by their names in a paper if they are from one.

    Non-default values are added where a solver occurs twice.
    """
    solvers = [catalog.solver(puzzle_key, draft.solver).spec for draft in drafts]
    titles = []
    for spec, draft in zip(solvers, drafts, strict=True):
        if draft.preset is not None and draft.is_of_paper(puzzle_key):
            titles.append(tr(draft.preset.title))
            continue
        changed = [
            f"{in_sentence(known.title)} {known.value_title(draft.values[known.name])}"
            for known in describe(spec.params)
            if known.name != catalog.HEURISTIC
            and draft.values.get(known.name, known.default) != known.default
        ]
        twice = sum(other.key == spec.key for other in solvers) > 1
        title = catalog.solver_title(puzzle_key, spec.key, spec.title, draft.values)
        titles.append(", ".join([title, *changed]) if twice else title)
    return titles


class RaceForm(Card):
    """A form with solver and parameters of an entry, and the seed and limits of all entries."""

    solver_changed = Signal(str)
    edited = Signal()  # emitted when the user changes a parameter
    window_requested = Signal()
    """Emitted when the user copies the values of the window's panel to the entry."""
    limits_changed = Signal()

    def __init__(self, puzzle_key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, "race_form", tr("Solver and limits"))
        self._puzzle_key = puzzle_key
        self._declared = ""  # solver that the controls belong to
        self._draft: EntryDraft | None = None
        self._title = text_label("title", self)
        self._make_solvers()
        self.parameters = ParameterForm(self, "race_")
        self.parameters.changed.connect(self._changed)
        tip = tr("Use the solver and the parameters of the main window")
        self._as_window = small_button(
            tr("As in the window"), "race_as_window", tip, self, self.window_requested
        )
        tip = tr("Reset all parameters of this solver to their defaults")
        self._reset = small_button(tr("Defaults"), "race_defaults", tip, self, self._to_defaults)
        self.seed_field = SeedField(self)
        for stop in self.seed_field.stops:
            stop.setObjectName(f"race_{stop.objectName()}")
        self.limit_controls = {
            spec.name: ParameterControl(spec, self, "race_limit_") for spec in describe(Limits)
        }
        for control in self.limit_controls.values():
            control.value_changed.connect(self.limits_changed)
        changed = tr("Changed values take effect with START AGAIN.")
        self.hint = text_label("accent", self, changed, wraps=True)
        self.hint.hide()
        self._lay_out()

    def hasHeightForWidth(self) -> bool:
        # Of a wrapped hint; the page would get its usual height, not its smallest, and scroll.
        return False

    def limits(self) -> Limits:
        return Limits(**{name: c.value() for name, c in self.limit_controls.items()})

    def set_limits(self, limits: Limits) -> None:
        for name, value in limits.model_dump().items():
            self.limit_controls[name].set_value_quietly(value)

    def take_over(self, before: "RaceForm") -> None:
        """Show the limits, the seed, the hint and the sections of a form of the same entry."""
        self.set_limits(before.limits())
        self.seed_field.take_over(before.seed_field)
        self.hint.setHidden(before.hint.isHidden())
        for section, other in zip(self._sections, before._sections, strict=True):
            section.set_open(other.is_open())

    @property
    def _sections(self) -> list[Section]:
        return [*self.parameters.sections.values(), self._rare]

    def show_draft(self, draft: EntryDraft, title: str) -> None:
        """Show an entry; changes are written into it."""
        self._title.setText(title)
        self._draft = None
        with QSignalBlocker(self._solvers):
            self._solvers.setCurrentIndex(self._solvers.findData(draft.solver))
        if self._declared != draft.solver:
            params = catalog.solver(self._puzzle_key, draft.solver).spec.params
            # A race is fair only if nothing changes while it is running.
            self.parameters.declare(
                dataclasses.replace(spec, live=False) for spec in describe(params)
            )
            self._declared = draft.solver
            set_manual_place(self, page_of(self._puzzle_key, draft.solver))
        for name, control in self.parameters.controls.items():
            control.set_value_quietly(draft.values.get(name, control.spec.default))
        self.parameters.clear_errors()
        self._draft = draft

    def commit(self) -> None:
        """Commit numbers that were typed but not finished with Enter or Tab."""
        self.parameters.commit()
        for control in self.limit_controls.values():
            control.commit()

    def set_running(self, is_running: bool) -> None:
        """Lock the form while the race is running."""
        controls = (*self.parameters.controls.values(), *self.limit_controls.values())
        buttons = (self._solvers, self._as_window, self._reset)
        for part in (*buttons, self.seed_field, *controls):
            part.setEnabled(not is_running)

    def show_error(self, name: str, text: str) -> bool:
        """Show an error next to a value's control; returns whether it has one."""
        if name == "seed":
            self.seed_field.show_error(text)
            return True
        return self.parameters.show_error(name, text)

    def _make_solvers(self) -> None:
        self._solvers = named(ElidedComboBox(self), "race_solver", tr("Solver of this entry"))
        self._solvers.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        for key, solver in catalog.solvers(self._puzzle_key).items():
            self._solvers.addItem(tr(solver.spec.title), key)
        self._solvers.currentIndexChanged.connect(self._solver_chosen)

    def _lay_out(self) -> None:
        buttons = row_of(self._as_window, self._reset, STRETCH)
        top = column_layout(
            None, (16, 16, 16, 0), 10, heading_of(self._title), self._solvers, buttons
        )
        rule, title = rule_line(self), text_label("strong", self, tr("For all solvers"))
        aligned = column_layout(None, (GUTTER, 0, 0, 0), 10, rule, title, self.seed_field)
        rare = self._rare = Section(marked("More limits"), self)
        usual = [self.limit_controls[name] for name in _USUAL_LIMITS]
        for control in self.limit_controls.values():
            if control not in usual:
                rare.add(control, control.stops)
        self.hint.setIndent(GUTTER)
        margins, rest = (16 - GUTTER, 0, 16, 12), (rare, self.hint)
        below = column_layout(None, margins, 10, aligned, *usual, *rest)
        column_layout(self, 0, 14, top, (self.parameters, 1), below)

    @Slot(str, object)
    def _changed(self, name: str, value: Value) -> None:
        if self._draft is not None:
            self._draft.values[name] = value
            self.edited.emit()

    @Slot()
    def _to_defaults(self) -> None:
        for control in self.parameters.controls.values():
            control.set_value(control.spec.default)

    @Slot()
    def _solver_chosen(self) -> None:
        self.solver_changed.emit(str(self._solvers.currentData()))
