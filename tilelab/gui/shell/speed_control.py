"""The control of a run's steps per second; each puzzle has its own speed."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.theme import keep_scaled, set_style_property

SPEEDS: dict[str, float | None] = {
    marked("1 step a second"): 1,
    marked("2 steps a second"): 2,
    marked("5 steps a second"): 5,
    marked("10 steps a second"): 10,
    marked("25 steps a second"): 25,
    marked("50 steps a second"): 50,
    marked("100 steps a second"): 100,
    marked("1,000 steps a second"): 1_000,
    marked("full speed"): None,
}
"""Steps per second by their titles; None for full speed."""

_WIDTH = 158
"""Minimum width with room for the words of all languages."""


class SpeedControl(ElidedComboBox):
    """A list of speeds; each puzzle starts at full speed."""

    speed_chosen = Signal(object)
    """Emitted with the steps per second, or None for full speed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speed")
        self.setAccessibleName(tr("Speed"))
        set_style_property(self, "bar", True)
        set_style_property(self, "tight", True)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        keep_scaled(self, least_width=_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for title, speed in SPEEDS.items():
            self.addItem(tr(title), speed)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)
        self.setCurrentIndex(self.count() - 1)
        self.set_step("step")
        self.currentIndexChanged.connect(self._changed)

    @property
    def speed(self) -> float | None:
        """Steps per second; None for full speed."""
        speed: float | None = self.currentData()
        return speed

    def set_speed(self, steps_a_second: float | None) -> None:
        """Choose the nearest speed."""
        speeds = list(SPEEDS.values())
        if steps_a_second is not None:
            slow = [speed for speed in speeds if speed is not None]
            gaps = [abs(speed - steps_a_second) for speed in slow]
            steps_a_second = slow[gaps.index(min(gaps))]
        self.setCurrentIndex(speeds.index(steps_a_second))

    def show_speed(self, steps_a_second: float | None) -> None:
        """Show the speed of another puzzle, without a signal."""
        with QSignalBlocker(self):
            self.set_speed(steps_a_second)

    def set_step(self, step: str) -> None:
        """Set the name of the solver's step, in the singular."""
        self.setToolTip(
            tr("How many steps the run makes a second; a step is one {step}", step=tr(step))
        )

    @Slot()
    def _changed(self) -> None:
        self.speed_chosen.emit(self.speed)
