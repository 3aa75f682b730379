"""The table of a new puzzle's words: the role of each, and its weight."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QKeyEvent
from PySide6.QtWidgets import QDoubleSpinBox, QFrame, QPushButton, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital, number
from tilelab.gui.widgets.item_model import Column
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.parts import (
    ButtonRow,
    SegmentButton,
    calling,
    column_layout,
    named,
    row_layout,
    text_label,
)
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_scaled,
    set_role,
    set_style_property,
    text_font,
)
from tilelab.letters.puzzle_list import ListedWord, Need

_SIGNS = {
    Need.NICE: marked("nice"),
    Need.MUST: marked("✓ must"),
    Need.MUST_NOT: marked("✕ must not"),
}
_TIPS = {
    Need.NICE: marked("Nice to have: counts with its value (N)"),
    Need.MUST: marked("Must be on the board: counts more than all nice words together (M)"),
    Need.MUST_NOT: marked("Must not be on the board: counts as much against it (X)"),
}
_KEYS = {Qt.Key.Key_N: Need.NICE, Qt.Key.Key_M: Need.MUST, Qt.Key.Key_X: Need.MUST_NOT}
_NEXT = {Need.NICE: Need.MUST, Need.MUST: Need.MUST_NOT, Need.MUST_NOT: Need.NICE}
_MAX_VALUE_OF_WORD = 1e6
_WEIGHT_WIDTH = 112


def _worth_text(word: ListedWord) -> str:
    return "" if word.need is Need.MUST_NOT else number(word.weight)


def _word_font(word: ListedWord) -> QFont | None:
    """Return a font that strikes out forbidden words."""
    if word.need is not Need.MUST_NOT:
        return None
    font = text_font()
    font.setStrikeOut(True)
    return font


def _need_colour(word: ListedWord) -> QColor:
    theme = current_theme()
    return {Need.MUST: theme.accent, Need.MUST_NOT: theme.stop, Need.NICE: theme.muted}[word.need]


_COLUMNS: tuple[Column[ListedWord], ...] = (
    Column(
        marked("Word"),
        0,
        lambda word: word.spelling,
        is_number=False,
        stretches=True,
        font=_word_font,
    ),
    Column(
        marked("For this puzzle"),
        116,
        lambda word: tr(_SIGNS[word.need]),
        is_number=False,
        colour=_need_colour,
    ),
    Column(marked("Worth"), 76, _worth_text),
)


class _NeedView(ItemTable[ListedWord]):
    """A table of words; Space and letter keys set the role of the selected rows."""

    need_requested = Signal(object)  # emitted with a Need, or None for the next one

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space or key in _KEYS:
            self.need_requested.emit(_KEYS.get(key))
        else:
            super().keyPressEvent(event)


class NeedTable(QWidget):
    """The table of words, with buttons that set the role of the selected ones."""

    chosen = Signal(object, object, object)
    """Emitted with strings, their new Need, and a weight or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = _NeedView(
            "need_table",
            tr("Words of the puzzle"),
            _COLUMNS,
            None,
            self,
            selects_many=True,
            is_fixed=True,
            row_height=28,
        )
        self.view.need_requested.connect(self._ask)
        self.view.selectionModel().selectionChanged.connect(self._show_choice)
        self._needs = {need: self._need_button(need) for need in _TIPS}
        self.weight = QDoubleSpinBox(
            self, minimum=0, maximum=_MAX_VALUE_OF_WORD, decimals=2, value=1
        )
        tip = tr("Value of each selected word")
        named(self.weight, "need_weight", tr("Value of the selected words"), tip)
        self.weight.setAlignment(Qt.AlignmentFlag.AlignRight)
        keep_scaled(self.weight, width=_WEIGHT_WIDTH)
        self.weight.valueChanged.connect(self._weigh)
        self._lay_out()
        self._show_choice()

    def show_words(self, words: tuple[ListedWord, ...]) -> None:
        self.view.show_items(words)
        self._show_choice()

    def _need_button(self, need: Need) -> QPushButton:
        button = SegmentButton(capital(tr(str(need))), self)
        named(button, f"need_{need.replace(' ', '_')}", tip=tr(_TIPS[need]))
        button.setAutoDefault(False)
        set_style_property(button, "tight", True)
        button.clicked.connect(calling(self._ask, need))
        return button

    def _lay_out(self) -> None:
        segments = QFrame(self)
        set_role(segments, "segments")
        row_layout(segments, 2, 0, *self._needs.values())
        worth = text_label("muted", self, tr("Worth"))
        worth.setBuddy(self.weight)
        line = ButtonRow(segments, row_layout(None, 0, 8, worth, self.weight))
        line.setStretch(0, 1)
        column_layout(self, 0, 8, (self.view, 1), line)

    @Slot(object)
    def _ask(self, need: Need | None) -> None:
        words = self.view.selected
        if words:
            wanted = _NEXT[words[0].need] if need is None else need
            self.chosen.emit(tuple(word.string for word in words), wanted, None)
        self._show_choice()

    @Slot(float)
    def _weigh(self, weight: float) -> None:
        for word in self.view.selected:
            self.chosen.emit((word.string,), word.need, weight)

    @Slot()
    def _show_choice(self) -> None:
        words = self.view.selected
        needs = {word.need for word in words}
        for need, button in self._needs.items():
            button.setChecked(needs == {need})
            button.setEnabled(bool(words))
        self.weight.setEnabled(bool(needs - {Need.MUST_NOT}))
        if words:
            with QSignalBlocker(self.weight):
                self.weight.setValue(words[0].weight)
