"""Asks how a new run shall begin at an earlier moment: from the run's state, or from the board."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QProgressBar,
    QRadioButton,
    QWidget,
)

from tilelab.core.plain import Value
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import about, capital, counted, of_unit
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled
from tilelab.runs.fork import forkable_specs
from tilelab.runs.replay import Past

_INDENT, _LEAST_HEIGHT, _MOST_HEIGHT = 26, 48, 320
REPORT_SECONDS = 1.0
"""What takes longer than this is reported before it is begun."""


class ForkDialog(QDialog):
    """Stays open while the state of the moment is computed, which Cancel calls off."""

    fork_asked = Signal()
    """The run shall go on from the moment with the changes; not accepted until that is done."""

    def __init__(
        self, solver: SolverSpec, past: Past, steps: int = 0, parent: QWidget | None = None
    ) -> None:
        """past: the run up to the moment's last whole unit; steps: done of the next one."""
        super().__init__(parent)
        self.setObjectName("fork_dialog")
        unit, step = tr(solver.unit), tr(solver.smallest_step)
        self._moment = f"{unit} {figures(past.units - 1, ',')}"
        if steps:
            self._moment = f"{unit} {figures(past.units, ',')}, {step} {figures(steps, ',')}"
        self.setWindowTitle(tr("Fork at {moment}", moment=self._moment))
        self._solver, self._past = solver, past
        self._is_computing = False
        self._shown: dict[str, Value] = {}
        self.controls: dict[str, ParameterControl] = {}
        self._goes_on = QRadioButton(tr("Go on from this moment"), self)
        self._goes_on.setObjectName("fork_from_moment")
        self._from_board = QRadioButton(tr("Start a new run from the board of this moment"), self)
        self._from_board.setObjectName("fork_from_board")
        self._said = self._words("")
        self._said.setObjectName("fork_said")
        self._make_controls()
        self._bar = QProgressBar(self)
        self._bar.setObjectName("fork_progress")
        self._bar.setTextVisible(False)
        self._bar.setRange(past.start, past.units)
        self._bar.hide()
        kinds = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        set_role(self._buttons.button(kinds.Ok), "primary")
        self._lay_out()
        self._goes_on.setChecked(True)
        self._goes_on.toggled.connect(self._show_choice)
        self._said.setText(self._what_is_taken())
        self._show_choice()

    @property
    def goes_on(self) -> bool:
        """Whether it shall be a fork; otherwise the board is the start of a new run."""
        return self._goes_on.isChecked()

    def changes(self) -> dict[str, Value]:
        """Return the values that the user has changed."""
        return {
            name: control.value()
            for name, control in self.controls.items()
            if control.value() != self._shown.get(name)
        }

    def accept(self) -> None:
        """Agree: the board is there, the state of the moment has to be computed."""
        if not self.goes_on:
            super().accept()
        elif not self._is_computing:
            self._is_computing = True
            self._bar.setValue(self._past.start)
            self._show_choice()
            self.fork_asked.emit()

    def show_progress(self, units: int) -> None:
        """Show how far the run is computed; units: so many are done."""
        self._bar.setValue(units)
        self._said.setText(
            tr(
                "Computing {n_done} of {units}…",
                n_done=figures(units, ","),
                units=counted(self._past.units, self._solver.unit),
            )
        )

    @Slot(str)
    def show_error(self, text: str) -> None:
        """Say why there can be no fork; the board is left as a start."""
        self._is_computing = False
        self._said.setText(text)
        set_role(self._said, "error")
        self._from_board.setChecked(True)
        self._show_choice()
        self._goes_on.setEnabled(False)

    def _what_is_taken(self) -> str:
        unit, past = self._solver.unit, self._past
        text = tr(
            "{capitalize} exactly, with all that the solver had by then.",
            capitalize=capital(self._moment),
        )
        if past.seconds > REPORT_SECONDS:
            where = tr("the checkpoint after {start}", start=counted(past.start, unit))
            where = where if past.start else of_unit("its first {unit}", unit)
            text += tr(" To get there the run is computed again from {where}: ", where=where)
            text += tr("about {time}.", time=about(past.seconds))
        if not self.controls:
            text += tr(
                " {title} has nothing that may be changed in mid-run.", title=self._solver.title
            )
        return text

    def _make_controls(self) -> None:
        self._box = QWidget(self)
        set_role(self._box, "page")
        column = column_layout(self._box, (_INDENT, 0, 12, 0), 8)
        for spec in forkable_specs(self._solver.params):
            control = ParameterControl(spec, self._box)
            control.set_value_quietly(self._past.params[spec.name])
            # What a field has rounded is no change.
            self._shown[spec.name] = control.value()
            self.controls[spec.name] = control
            column.addWidget(control)
        self._scroll = scrolled(self._box, self)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        height = min(self._box.sizeHint().height(), _MOST_HEIGHT)
        self._scroll.setMinimumHeight(min(height, _LEAST_HEIGHT))
        self._scroll.setMaximumHeight(height)
        self._scroll.setVisible(bool(self.controls))

    def _lay_out(self) -> None:
        whole = column_layout(self, 20, 8)
        whole.addWidget(self._goes_on)
        whole.addWidget(self._said)
        whole.addWidget(self._scroll)
        whole.addSpacing(8)
        whole.addWidget(self._from_board)
        whole.addWidget(
            self._words(
                tr("Only the board is taken along; solver and parameters are free. GO begins.")
            )
        )
        whole.addSpacing(8)
        whole.addWidget(self._bar)
        whole.addWidget(self._buttons)
        keep_scaled(self, least_width=480)
        keep_on_screen(self)
        bind_manual_key(self, "forks")

    def _words(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setWordWrap(True)
        label.setContentsMargins(_INDENT, 0, 0, 0)
        set_role(label, "muted")
        return label

    @Slot()
    def _show_choice(self) -> None:
        self._box.setEnabled(self.goes_on and not self._is_computing)
        for choice in (self._goes_on, self._from_board):
            choice.setEnabled(not self._is_computing)
        self._bar.setVisible(self._is_computing)
        button = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        button.setText(tr("Fork and run") if self.goes_on else tr("Load the board"))
        button.setEnabled(not self._is_computing)
