"""Asks how a new run shall begin at an earlier moment: from a checkpoint, or from the board."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tilelab.core.solver import SolverSpec
from tilelab.gui.parameter_control import ParameterControl
from tilelab.gui.theme import set_role
from tilelab.gui.window_place import keep_on_screen
from tilelab.runs.fork import forkable_specs
from tilelab.runs.session import Checkpoint
from tilelab.runs.wording import counted

_INDENT, _LEAST_HEIGHT, _MOST_HEIGHT = 26, 48, 320


class ForkDialog(QDialog):
    """Shows what may be changed as soon as the checkpoint is there."""

    def __init__(
        self, solver: SolverSpec, unit: int, units: int | None, parent: QWidget | None = None
    ) -> None:
        """unit: the moment, from 0. units: of the checkpoint; None when there is none."""
        super().__init__(parent)
        self.setObjectName("fork_dialog")
        self.setWindowTitle(f"Fork at {solver.unit} {unit:,}")
        self._solver, self._unit, self._units = solver, unit, units
        self._checkpoint: Checkpoint | None = None
        self._shown: dict[str, Any] = {}
        self.controls: dict[str, ParameterControl] = {}
        self._goes_on = QRadioButton("Go on from a checkpoint", self)
        self._goes_on.setObjectName("fork_from_checkpoint")
        self._from_board = QRadioButton("Start a new run from the board of this moment", self)
        self._from_board.setObjectName("fork_from_board")
        self._said = self._words("")
        self._make_controls()
        kinds = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        set_role(self._buttons.button(kinds.Ok), "primary")
        self._lay_out()
        has_checkpoint = units is not None
        self._goes_on.setEnabled(has_checkpoint)
        (self._goes_on if has_checkpoint else self._from_board).setChecked(True)
        self._goes_on.toggled.connect(self._show_choice)
        self._tell_how_far()
        self._show_choice()

    @property
    def goes_on(self) -> bool:
        """Whether it shall be a fork; otherwise the board is the start of a new run."""
        return self._goes_on.isChecked()

    @property
    def is_ready(self) -> bool:
        """Whether what is chosen can be done now."""
        return self._buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()

    @property
    def said(self) -> str:
        """What is told of the checkpoint."""
        return self._said.text()

    def changes(self) -> dict[str, Any]:
        """Return the values that a person has changed."""
        return {
            name: control.value()
            for name, control in self.controls.items()
            if control.value() != self._shown.get(name)
        }

    def show_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Show the values in force at the checkpoint, which has been read."""
        self._checkpoint = checkpoint
        params: Mapping[str, Any] = checkpoint.snapshot.params
        for name, control in self.controls.items():
            control.set_value_quietly(params[name])
            # What a field has rounded is no change.
            self._shown[name] = control.value()
        self._tell_how_far()
        self._show_choice()

    @Slot(str)
    def show_fault(self, text: str) -> None:
        """Say why the checkpoint cannot be read; the board is left as a start."""
        self._units = None
        self._said.setText(text)
        set_role(self._said, "error")
        self._goes_on.setEnabled(False)
        self._from_board.setChecked(True)
        self._show_choice()

    def _tell_how_far(self) -> None:
        unit = self._solver.unit
        if self._units is None:
            self._said.setText(
                f"No checkpoint from before {unit} {self._unit:,} is kept; they are made from time "
                "to time while a run is going."
            )
            return
        behind = self._unit + 1 - self._units
        far = f"{counted(behind, unit)} before this moment" if behind else "just after this moment"
        text = f"From {unit} {self._units:,}, {far}, with all that the solver had by then."
        if self._checkpoint is None:
            text += " It is being read…"
        elif not self.controls:
            text += f" {self._solver.title} has nothing that may be changed in mid-run."
        self._said.setText(text)

    def _make_controls(self) -> None:
        self._box = QWidget(self)
        set_role(self._box, "page")
        column = QVBoxLayout(self._box)
        column.setContentsMargins(_INDENT, 0, 12, 0)
        column.setSpacing(8)
        for spec in forkable_specs(self._solver.params):
            control = ParameterControl(spec, self._box)
            self.controls[spec.name] = control
            column.addWidget(control)
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(self._box)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        height = min(self._box.sizeHint().height(), _MOST_HEIGHT)
        self._scroll.setMinimumHeight(min(height, _LEAST_HEIGHT))
        self._scroll.setMaximumHeight(height)
        self._scroll.setVisible(bool(self.controls))

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(20, 20, 20, 20)
        whole.setSpacing(8)
        whole.addWidget(self._goes_on)
        whole.addWidget(self._said)
        whole.addWidget(self._scroll)
        whole.addSpacing(8)
        whole.addWidget(self._from_board)
        whole.addWidget(
            self._words("Only the board is taken along; solver and parameters are free. GO begins.")
        )
        whole.addSpacing(8)
        whole.addWidget(self._buttons)
        self.setFixedWidth(440)
        keep_on_screen(self)

    def _words(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setWordWrap(True)
        label.setContentsMargins(_INDENT, 0, 0, 0)
        set_role(label, "muted")
        return label

    @Slot()
    def _show_choice(self) -> None:
        is_read = self._checkpoint is not None
        self._box.setEnabled(self.goes_on and is_read)
        button = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        button.setText("Fork and run" if self.goes_on else "Load the board")
        button.setEnabled(is_read or not self.goes_on)
