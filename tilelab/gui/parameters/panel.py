"""The panel at the left: the source card, and a control for each declared parameter."""

import itertools
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.parameters import Params, describe
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.gui.parameters.control import ANY_WIDTH, ParameterControl
from tilelab.gui.parameters.form import ParameterForm
from tilelab.gui.parameters.seed_field import SeedField
from tilelab.gui.parameters.solver_choice import SolverChoice
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import ManualButton, manual_place, set_manual_place
from tilelab.gui.widgets.parts import (
    Card,
    IconButton,
    column_layout,
    row_layout,
    rule_line,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import keep_themed, scaled
from tilelab.manual.places import page_of, parameter_place
from tilelab.runs.session import Limits

PANEL_WIDTH, STRIP_WIDTH = 308, 44  # minimum width of the panel, and its width while folded


class ControlPanel(Card):
    """The panel of source card, parameters of puzzle and solver, seed and limits."""

    live_changed = Signal(str, object)
    """Emitted with name and value when a live parameter is changed."""
    puzzle_changed = Signal(str, object)
    """Emitted with name and value when a parameter of the puzzle is changed."""
    limits_changed = Signal()
    edited = Signal()  # emitted when the user changes anything
    width_changed = Signal()  # emitted when the panel is folded to a strip, or shown again

    def __init__(self, source_card: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent, "control_panel", tr("Parameters"))
        self._models: dict[str, type[Params]] = {}
        self._in_force: dict[str, tuple[object, ...]] = {}
        self.seed_field = SeedField(self)
        self.seed_field.edited.connect(self._edited)
        set_manual_place(self.seed_field, "window#seed")
        self._hint = text_label("accent", self, wraps=True)
        self._hint.hide()
        self._button, self._is_of_solver, self._is_paused = "", True, False
        self.solvers = SolverChoice(self)
        further = (rule_line(self), self.solvers)
        below = (self.seed_field, self._hint, rule_line(self))
        self._form = ParameterForm(self, above=((source_card,), further, below))
        self._form.changed.connect(self._changed)
        self._lay_out()

    def put_next_to_title(self, widget: QWidget) -> None:
        """Put a button before the button of the defaults."""
        self._heading.insertWidget(self._heading.count() - 2, widget)

    def declare(self, puzzle: type[Params], solver: type[Params], unit: str = "iteration") -> None:
        """Make the controls of a puzzle and a solver; values with the same meaning are kept.

        unit: the solver's unit, for the limit of a run.
        """
        kept = {name: (control.spec, control.value()) for name, control in self.controls.items()}
        was_open = self.open_sections()
        self._models = {"puzzle": puzzle, "solver": solver, "limits": Limits}
        # The limits come first, because users look for them most often.
        self._form.declare((*describe(Limits), *describe(puzzle)), describe(solver))
        for name, control in self.controls.items():
            before, value = kept.get(name, (None, None))
            # An update is a thousand boards in some searches and a whole depth in others.
            meaning = control.spec.title, control.spec.default
            if before is not None and (before.title, before.default) == meaning:
                control.set_value_quietly(value)
        self.controls["units"].count_in(unit)
        self.set_open_sections(was_open)
        self._order_keyboard()

    def name_places(self, puzzle: str, solver: str) -> None:
        """Set the manual's page for each control, by the keys of puzzle and solver."""
        set_manual_place(self, page_of(puzzle, solver))
        set_manual_place(self._manual, page_of(puzzle))
        for part, key in (("puzzle", ""), ("solver", solver)):
            for spec in describe(self._models[part]):
                place = parameter_place(puzzle, key, spec.name)
                set_manual_place(self.controls[spec.name], place)
        for name in Limits.model_fields:
            set_manual_place(self.controls[name], "window#limits")
        for control in self.controls.values():
            if control.spec.section:
                section = self._form.sections[control.spec.section]
                set_manual_place(section, manual_place(control))

    def commit(self) -> None:
        """Commit numbers that were typed but not finished with Enter or Tab."""
        self._form.commit()

    @property
    def controls(self) -> Mapping[str, ParameterControl]:
        """Controls by their parameters' names."""
        return self._form.controls

    def values(self, part: str) -> dict[str, Any]:
        """Return the values of a part: 'puzzle', 'solver' or 'limits'."""
        return {
            spec.name: self.controls[spec.name].value() for spec in describe(self._models[part])
        }

    def limits(self) -> Limits:
        return Limits(**self.values("limits"))

    def set_values(self, values: Mapping[str, object]) -> None:
        """Show some values, without signals."""
        for name, value in values.items():
            if name in self.controls:
                self.controls[name].set_value_quietly(value)
        self._show_hint()

    def show_puzzle(self, puzzle: Puzzle) -> None:
        """Show the parameters of a puzzle, without signals."""
        self.set_values(puzzle.params.model_dump())

    def take_over(self, before: "ControlPanel") -> None:
        """Show the values of another panel that has the same controls."""
        for name, control in before.controls.items():
            self.controls[name].set_value_quietly(control.value())
        self.seed_field.take_over(before.seed_field)
        self.set_open_sections(before.open_sections())
        self._show_hint()

    def set_to(self, params: Mapping[str, object]) -> None:
        """Set some of the solver's parameters, and reset its others."""
        for spec in describe(self._models["solver"]):
            self.controls[spec.name].set_value(params.get(spec.name, spec.default))

    def show_error(self, name: str, text: str) -> bool:
        """Show an error next to a value's control, which gets the focus, as GO may be far from it.

        Returns whether the value has a control.
        """
        if name != "seed" and not self._form.show_error(name, text):
            return False
        self.set_folded(False)
        if name == "seed":
            self.seed_field.show_error(text)
            self._form.ensureWidgetVisible(self.seed_field)
            self.seed_field.setFocus()
        else:
            self.controls[name].field.setFocus()
        return True

    def clear_errors(self) -> None:
        self.seed_field.clear_error()
        self._form.clear_errors()

    def set_running(self, is_running: bool) -> None:
        """Lock all controls but those of live parameters while a run is going."""
        for name, control in self.controls.items():
            limits = name in Limits.model_fields
            control.setEnabled(not is_running or control.spec.live or limits)
        self.seed_field.setEnabled(not is_running)
        self._reset.setEnabled(not is_running)

    def set_in_force(
        self,
        values: Mapping[str, object] | None,
        asked: Mapping[str, object] | None = None,
        *,
        of_solver: bool = True,
    ) -> None:
        """Set the values that the run started with, so that the panel can mark differences.

        asked: requested values, where the run's own were automatic; the controls show these.
        of_solver: whether the run has the solver that is chosen.
        """
        asked, self._is_of_solver = asked or {}, of_solver
        self._in_force = {
            name: (value, asked.get(name, value)) for name, value in (values or {}).items()
        }
        for name, control in self.controls.items():
            value, was = self._in_force.get(name, (None, None))
            control.show_in_force(None if value == was else value)
        self._show_hint()

    def set_hint_action(self, text: str, *, is_paused: bool) -> None:
        """Set the name of the button that applies changed values.

        is_paused: whether a run can continue, which keeps its own solver.
        """
        self._button, self._is_paused = text, is_paused
        self._show_hint()

    def open_sections(self) -> list[str]:
        """Return the titles of the sections that are open."""
        return [title for title, section in self._form.sections.items() if section.is_open()]

    def set_open_sections(self, titles: list[str]) -> None:
        """Open these sections and close the others."""
        for title, section in self._form.sections.items():
            section.set_open(title in titles)

    @property
    def is_folded(self) -> bool:
        """Whether only a strip is shown."""
        return self._content.isHidden()

    def set_folded(self, is_folded: bool) -> None:
        """Fold the panel to a strip, which gives its room to the board, or unfold it."""
        if is_folded == self.is_folded:
            return
        had_focus = self.isAncestorOf(self.focusWidget() or self)
        self._content.setVisible(not is_folded)
        self._strip.setVisible(is_folded)
        self._set_width()
        self.width_changed.emit()
        if had_focus:
            (self._unfold if is_folded else self._fold).setFocus()

    @Slot()
    def turn(self) -> None:
        """Fold or unfold the panel."""
        self.set_folded(not self.is_folded)

    def _set_width(self) -> None:
        width = scaled(STRIP_WIDTH if self.is_folded else PANEL_WIDTH)
        self.setMinimumWidth(width)
        self.setMaximumWidth(width if self.is_folded else ANY_WIDTH)

    def _lay_out(self) -> None:
        title = ElidedLabel(self, role="title")
        title.setText(tr("Puzzle"))
        tip = tr("Reset all parameters to their defaults; the seed stays")
        self._reset = small_button(tr("Defaults"), "defaults", tip, self, self._to_defaults)
        tip = tr("Fold the parameters to a strip (F9)")
        self._fold = IconButton("step-back", "fold_parameters", tip, tip, self, "small")
        tip = tr("Show the parameters (F9)")
        self._unfold = IconButton("chevron-right", "unfold_parameters", tip, tip, self, "small")
        for button in (self._fold, self._unfold):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(self.turn)
        places = Qt.AlignmentFlag
        self._manual = ManualButton(tr("Puzzle"), self)
        tools = title, (self._manual, 1, places.AlignLeft), self._reset, self._fold
        self._heading = row_layout(None, (16, 16, 16, 10), 4, *tools)
        self._content, self._strip = QWidget(self), QWidget(self)
        column_layout(self._content, 0, 0, self._heading, (self._form, 1))
        unfold = self._unfold, 0, places.AlignHCenter | places.AlignTop
        column_layout(self._strip, (0, 16, 0, 0), 0, unfold)
        column_layout(self, (0, 0, 0, 8), 0, self._content, self._strip)
        self._strip.hide()
        keep_themed(self, self._set_width)

    def _order_keyboard(self) -> None:
        """Set the Tab order from top to bottom; controls are created in another order."""
        # Only widgets made here are named: asking Qt for all children makes Python objects of its
        # inner ones, too, and these do not survive when a control is deleted later.
        stops: list[QWidget] = [self._reset]
        for model in (self._models["puzzle"], self._models["solver"]):
            for spec in describe(model):
                if not spec.section:
                    stops += self.controls[spec.name].stops
            if model is self._models["puzzle"]:
                stops.append(self.solvers.box)
        stops += self.seed_field.stops
        for section in self._form.sections.values():
            stops += section.stops
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)

    @Slot(str, object)
    def _changed(self, name: str, value: object) -> None:
        if name in Limits.model_fields:
            self.limits_changed.emit()
        elif self.controls[name].spec.live:
            self.live_changed.emit(name, value)
        elif name in self._models["puzzle"].model_fields:
            self.puzzle_changed.emit(name, value)
        self._edited()

    @Slot()
    def _edited(self) -> None:
        self._show_hint()
        self.edited.emit()

    @Slot()
    def _to_defaults(self) -> None:
        before = self.values("puzzle")
        for name, control in self.controls.items():
            if name in before:
                control.set_value_quietly(control.spec.default)
            else:
                control.set_value(control.spec.default)
        self.seed_field.mend()
        self.clear_errors()
        after = self.values("puzzle")
        # Emit one change for the whole puzzle, to avoid boards of intermediate shapes.
        changed = [name for name in after if after[name] != before[name]]
        if changed:
            self._changed(changed[0], after[changed[0]])

    def _show_hint(self) -> None:
        differs = any(
            self.controls[name].value() not in values
            for name, values in self._in_force.items()
            if name in self.controls and not self.controls[name].spec.live
        )
        changed = tr("Changed values take effect with {button}.", button=self._button)
        keeps_solver = self._is_paused and not self._is_of_solver
        if keeps_solver:
            changed = tr("The chosen solver takes effect with {button}.", button=self._button)
        self._hint.setText(changed)
        self._hint.setVisible(differs or keeps_solver)
