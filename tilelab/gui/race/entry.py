"""One entry of a race as it is being edited: its solver and its parameters."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QWidget,
)

from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.core.plain import Value
from tilelab.core.solver import SolverSpec
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.parameters.section import Section
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.parts import column_layout, row_layout, small_button, text_label
from tilelab.gui.widgets.theme import set_role

HEURISTIC = "heuristic"
"""The parameter that is named in an entry's title."""


@dataclass(eq=False)
class Draft:
    """An entry that can still be changed."""

    solver: str
    slot: int
    """Which of the curves' colours it has; it keeps it while others come and go."""
    values: dict[str, Value] = field(default_factory=dict)
    """Those that differ from the defaults, and perhaps others."""
    lane: int | None = None
    """Its number in the race that is there; None when it was not in it."""


def draft_titles(puzzle_key: str, drafts: Sequence[Draft]) -> list[str]:
    """Name the entries; what differs from the defaults is added where a solver is there twice."""
    solvers = [catalog.solver(puzzle_key, draft.solver).spec for draft in drafts]
    titles = []
    for spec, draft in zip(solvers, drafts, strict=True):
        changed = [
            f"{known.title.lower()} {_word(draft.values[known.name])}"
            for known in describe(spec.params)
            if known.name != HEURISTIC
            and draft.values.get(known.name, known.default) != known.default
        ]
        twice = sum(other.key == spec.key for other in solvers) > 1
        title = _with_heuristic(spec, draft)
        titles.append(", ".join([title, *changed]) if twice else title)
    return titles


def _with_heuristic(spec: SolverSpec, draft: Draft) -> str:
    """Name the heuristic of a solver, unless the solver's own title does."""
    known = next((known for known in describe(spec.params) if known.name == HEURISTIC), None)
    if known is None:
        return spec.title
    value = draft.values.get(HEURISTIC, known.default)
    if value == known.default and " with " in spec.title:
        return spec.title
    titles = dict(zip(known.choices, known.choice_titles, strict=True))
    return f"{spec.title} ({titles[str(value)]})"


class EntryForm(QWidget):
    """The solver of an entry, and a control for each of its declared parameters."""

    solver_changed = Signal(str)
    edited = Signal()
    """A parameter was changed by hand."""
    window_asked = Signal()
    """The entry shall be as the window's own panel stands."""

    def __init__(self, puzzle_key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._puzzle_key = puzzle_key
        self._controls: dict[str, ParameterControl] = {}
        self._sections: dict[str, Section] = {}
        self._declared = ""
        """The solver that the controls belong to."""
        self._draft: Draft | None = None
        self._title = text_label("title", self)
        self._solvers = ElidedComboBox(self)
        self._solvers.setObjectName("race_solver")
        self._solvers.setAccessibleName("Solver of this entry")
        self._solvers.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        for key, solver in catalog.solvers(puzzle_key).items():
            self._solvers.addItem(solver.spec.title, key)
        self._solvers.view().setMinimumWidth(self._solvers.view().sizeHintForColumn(0) + 24)
        self._solvers.currentIndexChanged.connect(self._solver_chosen)
        tip = "Take the solver and the parameters of the window's own panel"
        self._as_window = small_button("As in the window", "race_as_window", tip, self)
        self._as_window.clicked.connect(self.window_asked)
        tip = "Set every parameter of this solver back to its default"
        self._reset = small_button("Defaults", "race_defaults", tip, self)
        self._reset.clicked.connect(self._to_defaults)
        self._lay_out()

    @property
    def controls(self) -> Mapping[str, ParameterControl]:
        """The controls by their parameters' names."""
        return self._controls

    def show_draft(self, draft: Draft, title: str) -> None:
        """Show an entry; what is changed here is written into it."""
        self._title.setText(title)
        self._draft = None
        with QSignalBlocker(self._solvers):
            self._solvers.setCurrentIndex(self._solvers.findData(draft.solver))
        if self._declared != draft.solver:
            self._declare(draft.solver)
            self._declared = draft.solver
        for name, control in self._controls.items():
            control.set_value_quietly(draft.values.get(name, control.spec.default))
            control.show_error("")
        self._draft = draft

    def take(self) -> None:
        """Write numbers that were typed, but not finished with Enter or Tab, into the entry."""
        for control in self._controls.values():
            control.commit()

    def set_running(self, is_running: bool) -> None:
        """What takes part in a race that is going stays as it is."""
        for part in (self._solvers, self._as_window, self._reset, *self._controls.values()):
            part.setEnabled(not is_running)

    def show_error(self, name: str, text: str) -> bool:
        """Show a sentence beside the control of that value; returns whether there is such a
        control."""
        if name not in self._controls:
            return False
        control = self._controls[name]
        if control.spec.group:
            self._sections[control.spec.group].set_open(True)
        control.show_error(text)
        self._scroll.ensureWidgetVisible(control)
        return True

    def _lay_out(self) -> None:
        page = QWidget()
        set_role(page, "page")
        self._main = column_layout(page, (16, 0, 16, 8), 12)
        self._main.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(page)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        buttons = row_layout(spacing=8)
        buttons.addWidget(self._as_window)
        buttons.addWidget(self._reset)
        buttons.addStretch(1)
        top = column_layout(margins=(16, 16, 16, 0), spacing=10)
        for part in (self._title, self._solvers):
            top.addWidget(part)
        top.addLayout(buttons)
        whole = column_layout(self, 0, 14)
        whole.addLayout(top)
        whole.addWidget(self._scroll, 1)

    def _declare(self, solver: str) -> None:
        for widget in (*self._controls.values(), *self._sections.values()):
            widget.hide()
            widget.deleteLater()
        self._controls, self._sections = {}, {}
        for spec in describe(catalog.solver(self._puzzle_key, solver).spec.params):
            # Nothing can be turned while a race is going, or it would not be one.
            control = ParameterControl(dataclasses.replace(spec, live=False), self)
            for stop in control.stops:
                stop.setObjectName(stop.objectName().replace("param_", "race_"))
            control.value_changed.connect(self._changed)
            self._controls[spec.name] = control
            if not spec.group:
                # Before the stretch and the sections.
                self._main.insertWidget(self._main.count() - 1 - len(self._sections), control)
                continue
            if spec.group not in self._sections:
                section = Section(spec.group, self)
                self._sections[spec.group] = section
                self._main.insertWidget(self._main.count() - 1, section)
            self._sections[spec.group].add(control)

    @Slot(str, object)
    def _changed(self, name: str, value: Value) -> None:
        if self._draft is not None:
            self._draft.values[name] = value
            self.edited.emit()

    @Slot()
    def _to_defaults(self) -> None:
        for control in self._controls.values():
            control.set_value(control.spec.default)

    @Slot()
    def _solver_chosen(self) -> None:
        self.solver_changed.emit(str(self._solvers.currentData()))


def _word(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,g}" if isinstance(value, int | float) else str(value)
