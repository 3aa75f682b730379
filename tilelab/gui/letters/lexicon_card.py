"""The card of the lexicon that is loaded, and of the board that a run starts from.

It is also a button that opens a menu of other lexicons.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line, tool_tip
from tilelab.core.text.wording import counted
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_model import text_columns
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.parts import (
    IconButton,
    close_button,
    column_layout,
    named,
    row_layout,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import Dialog
from tilelab.letters.builtin import is_builtin, shown_title
from tilelab.letters.lexicon import REPEATED, Lexicon, ReadingReport
from tilelab.letters.puzzle_list import is_typed_list


class DroppedLine(QWidget):
    """A line about words that were left out of a list, with a button that lists them and why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = ReadingReport()
        self.label = text_label("small", self, wraps=True)
        self.button = small_button(
            tr("Show them"), "show_dropped", tr("List each word that was left out, and why"), self
        )
        self.button.clicked.connect(self.show_them)
        row_layout(self, 0, 8, (self.label, 1), self.button)
        self.hide()

    def show_report(self, report: ReadingReport) -> None:
        """Show what was left out, if anything. Repeats alone are not a warning."""
        self._report = report
        set_role(self.label, "small" if set(report.dropped) <= {REPEATED} else "warning")
        reasons = [f"{figures(count, ',')} {tr(why)}" for why, count in report.dropped.items()]
        self.label.setText(tr("Left out: {reasons}", reasons=", ".join(reasons)))
        self.setVisible(bool(reasons))

    @Slot()
    def show_them(self) -> None:
        """Open the list of words that were left out; returns at once."""
        dialog = Dialog(self.window(), tr("Left out"), "dropped_words", size=(520, 420))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        columns = text_columns((marked("Place"), marked("Word"), marked("Why")), (0,), 2)
        table = ItemTable("dropped", tr("Left out"), columns, None, dialog)
        table.show_items(dropped_lines(self._report))
        n_more = self._report.n_dropped - len(table.items.items)
        more = tr("And {n_more} more.", n_more=figures(n_more, ","))
        below = [text_label("muted", dialog, more)] if n_more else []
        column_layout(dialog, 20, 12, (table, 1), *below, close_button(dialog))
        dialog.open()


def dropped_lines(report: ReadingReport) -> list[tuple[str, str, str]]:
    """Return place, word and reason of the kept words that were left out, in order."""
    kept = [
        (line, text, reason) for reason, lines in report.examples.items() for line, text in lines
    ]
    return [(figures(line, ","), text, tr(reason)) for line, text, reason in sorted(kept)]


class SourceCard(QFrame):
    """A card that shows the lexicon in two lines, and the start board, if any, in a third."""

    start_dropped = Signal()  # emitted when the user removes the start board

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "well")
        self._title = ElidedLabel(self, role="strong")
        self._title.setText(tr("No lexicon"))
        self._facts = text_label("small", self, tr("LOAD one to begin"), wraps=True)
        self._dropped = DroppedLine(self)
        self._start = ElidedLabel(self, role="small")
        title, tip = tr("Start from random boards"), tr("Start from random boards again")
        self._drop_start = IconButton("close", "drop_start_grid", title, tip, self, "small")
        self._drop_start.clicked.connect(self.start_dropped)
        self._start_line = QWidget(self)
        row_layout(self._start_line, (0, 2, 0, 0), 8, (self._start, 1), self._drop_start)
        self._asked = named(ElidedLabel(self, role="small"), "constraints_shown")
        title, tip = (
            tr("Other words"),
            tr("Choose other words: a new puzzle, a file or a built-in word list"),
        )
        self._more = IconButton("chevron-down", "other_words", title, tip, self, "small")
        self._more.clicked.connect(self.open_menu)
        self.menu = QMenu(self)  # menu that the card opens; become_button sets what fills it
        heading = row_layout(None, 0, 8, (self._title, 1), self._more)
        parts = self._facts, self._asked, self._dropped, self._start_line
        self.whole = column_layout(self, (12, 10, 12, 10), 4, heading, *parts)
        for part in (self._asked, self._dropped, self._start_line, self._more):
            part.hide()

    def become_button(self, fill: Callable[[QMenu], object]) -> None:
        """Make the card a button that opens a menu; fill: fills it each time."""
        self._more.show()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.menu.aboutToShow.connect(self.menu.clear)
        self.menu.aboutToShow.connect(lambda: fill(self.menu))

    @Slot()
    def open_menu(self) -> None:
        """Open the menu below the card; returns at once."""
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        opens = self._more.isVisibleTo(self) and self._more.isEnabled()
        if opens and event.button() == Qt.MouseButton.LeftButton:
            self.open_menu()
        else:
            super().mousePressEvent(event)

    def show_lexicon(self, lexicon: Lexicon) -> None:
        """Show the lexicon and which of its words were left out."""
        report = lexicon.report
        kind = "letter" if lexicon.alphabet.isalpha() else "symbol"
        strings, symbols = counted(report.n_strings, "word"), counted(report.n_symbols, kind)
        title = one_line(shown_title(lexicon.title))
        self._title.setText(title)
        self._facts.setText(f"{strings} · {symbols} · {tr(_origin(lexicon))}")
        self._dropped.show_report(report)
        self.setToolTip(tool_tip(str(lexicon.path or "")))
        self.setAccessibleName(
            tr("Lexicon: {title}, {facts}", title=title, facts=self._facts.text())
        )

    def show_requested(self, parts: Sequence[str]) -> None:
        """Show the further constraints of a board."""
        self._asked.setText(" · ".join(parts))
        self._asked.setVisible(bool(parts))

    def show_start(self, name: str) -> None:
        """Show which board a run starts from; '' for random boards."""
        self._start.setText(tr("Starts from {name}", name=one_line(name)))
        self._start_line.setVisible(bool(name))

    def set_running(self, is_running: bool) -> None:
        """Lock the card while a run is going, which keeps its start board."""
        self._drop_start.setEnabled(not is_running)
        self._more.setEnabled(not is_running)


def _origin(lexicon: Lexicon) -> str:
    """Return the origin of a lexicon; unless built in, one without a file came with its board."""
    if lexicon.path is not None:
        return marked("typed") if is_typed_list(lexicon.path) else marked("file")
    return marked("built in") if is_builtin(lexicon.name) else marked("kept with the board")
