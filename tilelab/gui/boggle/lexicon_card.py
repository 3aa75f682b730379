"""The card that says which lexicon is loaded, and which grid a run starts from."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from tilelab.core.shown_text import one_line, tool_tip
from tilelab.core.wording import counted
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import IconButton, column_layout, row_layout, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.words.lexicon import Lexicon


class SourceCard(QFrame):
    """Shows the lexicon in two lines, and the start grid in a third when there is one."""

    start_dropped = Signal()
    """The start grid shall no longer be used."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "well")
        self._title = ElidedLabel(self)
        self._title.setText("No lexicon")
        set_role(self._title, "strong")
        self._facts = text_label("small", self, "LOAD one to begin")
        self._facts.setWordWrap(True)
        self._dropped = text_label("warning", self)
        self._dropped.setWordWrap(True)
        self._start = ElidedLabel(self)
        set_role(self._start, "small")
        title, tip = "Start from random grids", "Start from random grids again"
        self._drop_start = IconButton("close", "drop_start_grid", title, tip, self, "small")
        self._drop_start.clicked.connect(self.start_dropped)
        self._start_line = QWidget(self)
        line = row_layout(self._start_line, (0, 2, 0, 0), 8)
        line.addWidget(self._start, 1)
        line.addWidget(self._drop_start)
        whole = self.whole = column_layout(self, (12, 10, 12, 10), 4)
        for part in (self._title, self._facts, self._dropped, self._start_line):
            whole.addWidget(part)
        self._dropped.hide()
        self._start_line.hide()

    def show_lexicon(self, lexicon: Lexicon) -> None:
        """Say what is loaded and what of it was dropped."""
        report = lexicon.report
        kind = "letter" if lexicon.alphabet.isalpha() else "symbol"
        origin = "built in" if lexicon.path is None else "file"
        strings, symbols = counted(report.n_strings, "string"), counted(report.n_symbols, kind)
        self._title.setText(one_line(lexicon.title))
        self._facts.setText(f"{strings} · {symbols} · {origin}")
        self._dropped.setText(f"{counted(report.n_dropped, 'line')} dropped; hover to see why")
        self._dropped.setVisible(report.n_dropped > 0)
        self._dropped.setToolTip(tool_tip(report.details()))
        self.setToolTip(tool_tip(str(lexicon.path or "")))
        self.setAccessibleName(f"Lexicon: {lexicon.title}, {self._facts.text()}")

    def show_start(self, name: str) -> None:
        """Say which grid a run starts from; '' for random grids."""
        self._start.setText(f"Starts from {one_line(name)}")
        self._start_line.setVisible(bool(name))

    def set_running(self, is_running: bool) -> None:
        """A run keeps the grid that it was begun with."""
        self._drop_start.setEnabled(not is_running)
