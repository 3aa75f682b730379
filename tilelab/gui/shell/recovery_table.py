"""The table of the runs that a program was ended with, and what is said of one of them."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QHeaderView, QWidget

from tilelab.core.text.language import figures, marked, moment_text, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import clock, counted
from tilelab.gui.widgets.row_table import RowTable
from tilelab.runs.checkpoints.interrupted import InterruptedRun

HEADINGS = (
    marked("Puzzle"),
    marked("Solver"),
    marked("Done"),
    marked("Best"),
    marked("Running time"),
    marked("Last saved"),
)
_NUMBERS = (marked("Done"), marked("Best"), marked("Running time"))
_LONGEST_TITLE = 40
_LEAST_WIDTH = 72


class RecoveryTable(RowTable):
    """One row a run; one row is selected as long as there are any."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("interrupted_table", tr("Interrupted runs"), HEADINGS, _NUMBERS, parent)
        # Only the longest texts give way; a tip has them whole.
        self.horizontalHeader().setMinimumSectionSize(_LEAST_WIDTH)
        self.stretch(HEADINGS.index("Solver"), QHeaderView.ResizeMode.ResizeToContents)

    def show_runs(self, runs: Sequence[InterruptedRun]) -> None:
        """List runs in place of those before, and select the first."""
        self.setRowCount(len(runs))
        for row, run in enumerate(runs):
            for cell in self.show_row(row, _texts(run)):
                if run.error:
                    cell.setToolTip(tool_tip(run.error))
        if runs:
            self.selectRow(0)


def about(run: InterruptedRun) -> str:
    """What stands below a run's board: the instance, and the best or why there is none."""
    best, size, found = run.saved_best, "", tr("No best yet")
    # Of a large board the size says more than the numbers of its first tiles.
    title = run.title if len(run.title) <= _LONGEST_TITLE else ""
    if best is not None:
        size = f"{best.rows}×{best.cols}"
        found = tr("Best: {value}, {unit} {number}").format(
            value=best.value_text, unit=tr(best.unit), number=figures(best.best_unit, ",")
        )
    return "\n".join(filter(None, (", ".join(filter(None, (title, size))), run.error or found)))


def _texts(run: InterruptedRun) -> tuple[str, ...]:
    """What the row of a run says, in the order of the headings."""
    if not run.puzzle:
        return run.name, "", "", "", "", _when(run.written)
    return (
        tr(run.puzzle_title),
        tr(run.solver_title),
        counted(run.units, run.unit),
        run.value_text or "–",
        clock(run.seconds),
        _when(run.written),
    )


def _when(moment: float) -> str:
    written = datetime.fromtimestamp(moment)
    is_today = written.date() == datetime.now().date()
    if is_today:
        return tr("today {time}").format(time=f"{written:%H:%M}")
    return moment_text(written)
