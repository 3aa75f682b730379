"""The list of a puzzle's solvers, above their parameters."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.text.language import tr
from tilelab.core.text.wording import without_source
from tilelab.gui.parameters.control import FIELD_HEIGHT
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.item_table import PURPOSE, PurposeDelegate
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import named, row_layout, text_label
from tilelab.gui.widgets.theme import keep_scaled
from tilelab.gui.widgets.wheel import pass_wheel
from tilelab.manual.places import page_of

_MAX_VISIBLE = 12  # number of solvers visible without scrolling


class _SolverBox(ElidedComboBox):
    @property
    def shown_text(self) -> str:
        """Visible text of the field; where it has no room, the paper of a solver is left out."""
        whole = self.currentText()
        return whole if self._cut(whole) == whole else self._cut(without_source(whole))


class SolverChoice(QWidget):
    """A list of solvers with the purpose of each, and usually a label."""

    chosen = Signal(str)  # emitted with the key of the solver that the user chose

    def __init__(self, parent: QWidget, *, has_label: bool = True) -> None:
        super().__init__(parent)
        self._puzzle_key = ""
        box = self.box = _SolverBox(self)
        named(box, "solver_selector", tr("Solver"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        box.setItemDelegate(PurposeDelegate(box))
        box.setMaxVisibleItems(_MAX_VISIBLE)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        pass_wheel(box)
        box.currentIndexChanged.connect(self._changed)
        keep_scaled(box, height=FIELD_HEIGHT)
        labels = [text_label("strong", self, tr("Solver"))] if has_label else []
        for label in labels:
            label.setBuddy(box)
        row_layout(self, 0, 12, *labels, (box, 1))

    @property
    def key(self) -> str:
        """Key of the chosen solver."""
        return str(self.box.currentData())

    def offer(self, puzzle_key: str, solver_key: str) -> None:
        """Offer the solvers of a puzzle and show one of them, without a signal."""
        with QSignalBlocker(self.box):
            if puzzle_key != self._puzzle_key:
                self._fill(puzzle_key)
            self.box.setCurrentIndex(self.box.findData(solver_key))
        self._explain()

    def choose(self, key: str) -> None:
        """Choose a solver as if the user did."""
        self.box.setCurrentIndex(self.box.findData(key))

    def _fill(self, puzzle_key: str) -> None:
        self._puzzle_key = puzzle_key
        for place, (key, solver) in enumerate(catalog.solvers(puzzle_key).items()):
            self.box.addItem(tr(solver.spec.title), key)
            self.box.setItemData(place, tr(solver.spec.purpose), PURPOSE)

    def _explain(self) -> None:
        purpose = tr(catalog.solver(self._puzzle_key, self.key).spec.purpose)
        self.box.setToolTip(purpose or tr("Solver: the algorithm that looks for a better board"))
        self.box.setAccessibleDescription(purpose)
        set_manual_place(self.box, page_of(self._puzzle_key, self.key))

    @Slot()
    def _changed(self) -> None:
        self._explain()
        self.chosen.emit(self.key)
