"""How many steps a run makes a second: one choice for all puzzles and solvers."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.theme import set_style_property

SPEEDS: dict[str, float | None] = {
    marked("1 a second"): 1,
    marked("2 a second"): 2,
    marked("5 a second"): 5,
    marked("10 a second"): 10,
    marked("25 a second"): 25,
    marked("50 a second"): 50,
    marked("100 a second"): 100,
    marked("1,000 a second"): 1_000,
    marked("full speed"): None,
}
"""Steps a second by what they are called; None: as fast as it can."""

_FIELD_LETTERS = 4
"""As wide as so many of the widest; the figures are narrow."""


class SpeedControl(ElidedComboBox):
    """Begins at full speed each time that the program starts."""

    speed_chosen = Signal(object)
    """Steps a second, or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speed")
        self.setAccessibleName(tr("Speed"))
        set_style_property(self, "bar", True)
        set_style_property(self, "tight", True)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_FIELD_LETTERS)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for title, speed in SPEEDS.items():
            self.addItem(tr(title), speed)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)
        self.setCurrentIndex(self.count() - 1)
        self.set_step("step")
        self.currentIndexChanged.connect(self._changed)

    @property
    def shown_text(self) -> str:
        """What stands in the field, where there is little room; the list has it in words."""
        return tr("full") if self.speed is None else f"{figures(self.speed, ',')}/s"

    @property
    def speed(self) -> float | None:
        """Steps a second; None: as fast as it can."""
        speed: float | None = self.currentData()
        return speed

    def set_speed(self, steps_a_second: float | None) -> None:
        """Choose the speed that is nearest."""
        speeds = list(SPEEDS.values())
        if steps_a_second is not None:
            slow = [speed for speed in speeds if speed is not None]
            gaps = [abs(speed - steps_a_second) for speed in slow]
            steps_a_second = slow[gaps.index(min(gaps))]
        self.setCurrentIndex(speeds.index(steps_a_second))

    def set_step(self, step: str) -> None:
        """Say what a step of the solver is, in the singular."""
        self.setToolTip(
            tr("How many steps the run makes a second; a step is one {step}", step=step)
        )

    @Slot()
    def _changed(self) -> None:
        self.speed_chosen.emit(self.speed)
