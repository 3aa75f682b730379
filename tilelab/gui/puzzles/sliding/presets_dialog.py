"""The dialog that runs a paper's algorithms on the current board and shows a table."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QLabel, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import counted, duration
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.item_table import Column, ItemTable
from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.parts import STRETCH, column_layout, named, push_button, row_of
from tilelab.gui.widgets.theme import scaled, set_role
from tilelab.gui.widgets.window_place import keep_on_screen
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.presets import Paper, Preset, RaceComparison, compare
from tilelab.runs.session import Limits

DEFAULT_SECONDS = 60.0
_STOPPED = {"running": marked("stopped"), "getting ready": "stopped", "waiting": ""}
"""Status of a row after the comparison was stopped."""
_MIN_COLUMN = 84


class _Line(NamedTuple):
    """An algorithm and its figures, which are None before it has run."""

    preset: Preset
    row: RaceComparison | None = None


def _column(
    heading: str, text: Callable[[RaceComparison], str], *, is_number: bool = True
) -> Column[_Line]:
    """Return a column that is empty before the algorithm has run."""

    def text_of(line: _Line) -> str:
        return "" if line.row is None else text(line.row)

    def tip(line: _Line) -> str:
        return tool_tip((line.row and line.row.error) or text_of(line))

    return Column(heading, 0, text_of, is_number=is_number, tip=tip)


def _length_text(row: RaceComparison) -> str:
    length = "" if row.length is None else figures(row.length, ",")
    return tr("{length} (shortest)", length=length) if row.optimal else length


_COLUMNS: tuple[Column[_Line], ...] = (
    # The names get the remaining width.
    Column(
        marked("Algorithm"), 0, lambda line: tr(line.preset.title), is_number=False, stretches=True
    ),
    _column(marked("Status"), lambda row: tr(row.status), is_number=False),
    _column(marked("Expanded"), lambda row: "" if row.error else figures(row.n_expanded, ",")),
    _column(marked("Generated"), lambda row: "" if row.error else figures(row.n_generated, ",")),
    _column(marked("Length"), _length_text),
    _column(marked("Time"), lambda row: duration(row.seconds) if row.seconds else ""),
)


class PresetsDialog(QDialog):
    """A dialog that runs presets one by one; the user can set one up in the panel."""

    preset_chosen = Signal(object)  # emitted with a Preset to set up in the panel
    recorded = Signal(object)
    """Emitted with the RunRecord of an ended run, from the thread of the run."""

    def __init__(
        self,
        papers: tuple[Paper, ...],
        make_puzzle: Callable[[], SlidingPuzzle],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("The papers' algorithms"))
        self._papers, self._make_puzzle = papers, make_puzzle
        self._lines: list[_Line] = []
        self._background = TaskRunner(
            self, self._reported, failed=self._failed, ended=self._show_running
        )
        self._make_parts()
        self._lay_out()
        self._fill()
        self.resize(scaled(760), scaled(420))
        keep_on_screen(self)
        bind_manual_key(self, "papers")

    @property
    def is_running(self) -> bool:
        """Whether algorithms are running."""
        return self._background.is_busy

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Algorithms of the chosen paper."""
        return self._papers[self._paper.currentIndex()].presets

    @Slot()
    def turn(self) -> None:
        """Run all, or stop."""
        if self.is_running:
            self._stop()
            return
        try:
            puzzle = self._make_puzzle()
        except TileLabError as error:
            self._say(str(error), "error")
            return
        self._fill()
        rows, cols = puzzle.shape
        moves = counted(puzzle.distance(puzzle.start), "move")
        text = tr(
            "The {rows}×{cols} board that was shown at the start: at least {moves} to the goal.",
            rows=rows,
            cols=cols,
            moves=moves,
        )
        self._say(text, "muted")
        limits = Limits(seconds=self._seconds.value())
        paper = self._papers[self._paper.currentIndex()].paper.replace(",", "")
        self._background.start(compare(puzzle, self.presets, limits, self.recorded.emit, paper))
        self._show_running()

    @Slot()
    def copy(self) -> None:
        """Copy the table to the clipboard, with tabs between its columns."""
        text = self.table.text_of(range(len(self._lines)))
        QGuiApplication.clipboard().setText(text + "\n")
        self._say(tr("Copied the table."), "muted")

    def done(self, result: int) -> None:
        """Close the dialog and stop the algorithms."""
        self._stop()
        super().done(result)

    def _stop(self) -> None:
        if not self.is_running:
            return
        self._background.cancel()
        for place, (preset, row) in enumerate(self._lines):
            if row is not None and row.status in _STOPPED:
                stopped = dataclasses.replace(row, status=_STOPPED[row.status])
                self._lines[place] = _Line(preset, stopped)
        self.table.show_items(self._lines)
        self._say(tr("Stopped."), "muted")
        self._show_running()

    def _make_parts(self) -> None:
        self._paper = named(ElidedComboBox(self), "paper", tr("Paper"))
        self._paper.addItems([paper.paper for paper in self._papers])
        self._paper.currentIndexChanged.connect(self._fill)
        self._seconds = QDoubleSpinBox(
            self, minimum=0.1, maximum=86_400, decimals=1, suffix=tr(" s each")
        )
        self._seconds.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._seconds.setValue(DEFAULT_SECONDS)
        self._seconds.setAccessibleName(tr("Seconds for each algorithm"))
        title = tr("Algorithms and their figures")
        self.table = ItemTable("presets_table", title, _COLUMNS, None, self)
        self.table.horizontalHeader().setMinimumSectionSize(scaled(_MIN_COLUMN))
        self._said = QLabel(self, wordWrap=True)
        self._run = push_button(tr("Run all"), "run_presets", "", self, self.turn)
        self._copy = push_button(tr("Copy table"), "copy_presets", "", self, self.copy)
        tip = tr("Use this algorithm and its parameters for the next run")
        self._use = push_button(tr("Use this algorithm"), "use_preset", tip, self, self._choose)

    def _lay_out(self) -> None:
        top = row_of(self._paper, STRETCH, self._seconds)
        bottom = row_of(self._copy, STRETCH, self._use, self._run)
        column_layout(self, 20, 12, top, (self.table, 1), self._said, bottom)
        self._show_running()

    @Slot()
    def _fill(self) -> None:
        """Show the paper's algorithms, not run yet."""
        self._lines = [_Line(preset) for preset in self.presets]
        self.table.show_items(self._lines)
        self.table.selectRow(0)

    @Slot(object)
    def _reported(self, row: object) -> None:
        if isinstance(row, RaceComparison):
            self._lines[row.place] = _Line(self.presets[row.place], row)
            self.table.show_items(self._lines)

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._say(text, "error")
        self._show_running()

    @Slot()
    def _choose(self) -> None:
        row = max(self.table.currentIndex().row(), 0)
        self.preset_chosen.emit(self.presets[row])
        self.close()

    @Slot()
    def _show_running(self) -> None:
        running = self.is_running
        self._run.setText(tr("Stop") if running else tr("Run all"))
        set_role(self._run, "stop" if running else "primary")
        for part in (self._paper, self._seconds, self._use):
            part.setEnabled(not running)

    def _say(self, text: str, role: str) -> None:
        set_role(self._said, role)
        self._said.setText(text)
