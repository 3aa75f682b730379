"""The field of the next run's seed, which a click draws again."""

import contextlib
import random

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from tilelab.core.errors import ParameterError
from tilelab.core.plain import typed_text, whole_from
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.gui.parameters.control import FIELD_HEIGHT, WORDS_WIDTH, with_title
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.parts import STRETCH, IconButton, column_layout, named, row_of, text_label
from tilelab.gui.widgets.theme import keep_scaled, keep_themed, scaled, set_style_property

_EDGES = 26  # pixels of the line's padding and border
_FRESH_SEEDS = 1_000_000  # upper bound of new seeds, which are short enough to pass on


class SeedField(QWidget):
    """A line for the seed, and a button that draws another."""

    edited = Signal()  # emitted when the user changes the seed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.was_edited = False  # whether the user has chosen the current seed
        self._line = QLineEdit(self, alignment=Qt.AlignmentFlag.AlignRight)
        named(self._line, "seed", tr("Seed"))
        self._line.setToolTip(
            tr(
                "<p>The same seed gives the same run, here and on the command line.</p>"
                "<p>Allowed: a whole number from 0 to about 9 · 10¹⁸.</p>"
            )
        )
        self._help = QTextDocumentFragment.fromHtml(self._line.toolTip()).toPlainText()
        self._line.setAccessibleDescription(self._help)
        self._line.textEdited.connect(self._changed)
        # An empty line is marked when it is left: another seed may be typed into it.
        self._line.editingFinished.connect(self._check)
        tip = tr("Draw another seed")
        self._fresh = IconButton("refresh", "new_seed", tr("New seed"), tip, self, "small")
        self._fresh.clicked.connect(self.draw)
        self._error = text_label("error", self, wraps=True)
        self._announced = ""  # error that was announced last
        self._error.hide()
        label = QLabel(tr("Seed"), self)
        label.setBuddy(self._line)
        self.setFocusProxy(self._line)
        row = row_of(label, STRETCH, self._line, self._fresh)
        column_layout(self, 0, 4, row, self._error)
        # The line ends where number fields end, so the button takes its width from the line.
        keep_scaled(self._fresh, width=FIELD_HEIGHT, height=FIELD_HEIGHT)
        keep_scaled(self._line, height=FIELD_HEIGHT)
        keep_themed(self._line, self._fit)
        self._line.textChanged.connect(self._fit)
        self.set_seed(random.SystemRandom().randrange(_FRESH_SEEDS))

    @property
    def stops(self) -> list[QWidget]:
        """Widgets that the Tab key visits."""
        return [self._line, self._fresh]

    def seed(self) -> int:
        """Return the seed; raises ParameterError if the text is not a seed."""
        text = self._line.text()
        with contextlib.suppress(ValueError):
            number = whole_from(typed_text(text))
            if 0 <= number <= MAX_SEED:
                return number
        raise ParameterError(
            "seed",
            tr("seed: {text} is not a whole number from 0 to about 9 · 10¹⁸", text=quoted(text)),
        )

    def set_seed(self, seed: int) -> None:
        """Show a seed, without a signal."""
        self._line.setText(str(seed))
        self.was_edited = False
        self.clear_error()

    def take_over(self, before: "SeedField") -> None:
        self._line.setText(before._line.text())
        self.was_edited = before.was_edited
        self.clear_error()

    def clear_error(self) -> None:
        """Remove the error, but mark a text that is not a seed; the next error is said again."""
        self._announced = ""
        self._mark(self._why_wrong())

    def mend(self) -> None:
        """Draw a seed in place of a text that is not one."""
        if self._why_wrong():
            self.draw()

    def show_error(self, text: str) -> None:
        """Show why the seed is not valid, and say it once."""
        self._mark(text)
        if self._error.text() != self._announced:
            self._announced = self._error.text()
            announce(self._line, self._announced, is_urgent=True)

    def _mark(self, text: str) -> None:
        """Show why the seed is not valid; while it is typed, nothing is said at each key."""
        text = with_title(text, "seed", tr("Seed"))
        self._line.setAccessibleDescription(f"{text} {self._help}".lstrip())
        self._announced = self._announced if text else ""
        self._error.setText(text)
        self._error.setVisible(bool(text))
        set_style_property(self._line, "invalid", bool(text))

    @Slot()
    def draw(self) -> None:
        self.set_seed(random.SystemRandom().randrange(_FRESH_SEEDS))
        self.was_edited = True
        self.edited.emit()

    @Slot()
    def _fit(self) -> None:
        """Widen the field for a long seed, up to the largest one."""
        text, most = (
            self._line.fontMetrics().horizontalAdvance(shown)
            for shown in (self._line.text(), str(MAX_SEED))
        )
        usual = scaled(WORDS_WIDTH - 8 - FIELD_HEIGHT)
        self._line.setFixedWidth(max(usual, min(text, most) + scaled(_EDGES)))

    @Slot(str)
    def _changed(self, text: str) -> None:
        self._mark(self._why_wrong() if text.strip() else "")
        self.was_edited = True
        self.edited.emit()

    @Slot()
    def _check(self) -> None:
        self.show_error(self._why_wrong())

    def _why_wrong(self) -> str:
        try:
            self.seed()
        except ParameterError as error:
            return str(error)
        return ""
