"""The rows of a race: one solver each, with its figures."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted, duration, number, rate
from tilelab.gui.lab.race.chart import Racer
from tilelab.gui.widgets.parts import fit_columns, keep_rows_scaled, spot_icon
from tilelab.gui.widgets.row_table import RowTable
from tilelab.gui.widgets.theme import scaled, text_font
from tilelab.runs.figures import TITLES as FIGURES
from tilelab.runs.figures import figure_texts

_STATUS = 6
HEADINGS = (
    *(
        marked("Solver"),
        marked("Rank"),
        marked("Best"),
        marked("Time to best"),
        marked("Done"),
        marked("Per second"),
        marked("Status"),
    ),
    *FIGURES.values(),
)
_WIDTHS = (48, 92, 90, 128, 84, 120, 96, 88, 88, 80, 88)
"""Of all columns but the first, in pixels."""
_NUMBERS = frozenset(HEADINGS) - {"Solver", "Status"}
OwnValue = Callable[[float], float]
"""Returns what a value is worth in what it counts; see :meth:`Puzzle.own_value`."""
_ALL = range(len(HEADINGS))
_LEAST_SOLVER, _USUAL_SOLVER = 160, 240
_DISC = 12
_COLOUR = Qt.ItemDataRole.UserRole
"""Of the icon that is drawn in a cell."""


class RaceTable(RowTable):
    """A row is selected at all times; it is the one that is edited, and the one that is saved."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("race_table", tr("Solvers of the race"), HEADINGS, _NUMBERS, parent)
        self.value_title = ""
        """What a value below zero counts, such as 'away'."""
        self.own_value: OwnValue = float
        """Of the race's puzzle."""
        self.setIconSize(QSize(_DISC, _DISC))
        # Figures that change all the time shall not make the columns dance.
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerPixel)
        fit_columns(self, dict(enumerate(_WIDTHS, 1)))
        keep_rows_scaled(self, 30)

    def show_racers(self, racers: Sequence[Racer]) -> None:
        """Show these rows as they stand."""
        self.setRowCount(len(racers))
        rows = [self._texts(racer) for racer in racers]
        for col in range(_STATUS + 1, len(HEADINGS)):
            self.setColumnHidden(col, not any(texts[col] for texts in rows))
        self._fit_solver()
        for row, racer in enumerate(racers):
            status = racer.status
            message = "" if status is None else status.message
            tips = {_STATUS: message} if message else {}
            cells = self.show_row(row, rows[row], tips)
            for cell in cells:
                cell.setFont(text_font(strong=status is not None and status.rank == 1))
            if cells[0].data(_COLOUR) != racer.colour.name():
                cells[0].setData(_COLOUR, racer.colour.name())
                cells[0].setIcon(spot_icon(racer.colour.name(), 2 * _DISC, 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_solver()

    def _fit_solver(self) -> None:
        """Give the solver what the others leave; rather than its name, figures are scrolled."""
        room, widths = self.viewport().width(), [self.columnWidth(col) for col in _ALL]
        least = max(room - sum(widths[1 : _STATUS + 1]), scaled(_LEAST_SOLVER))
        least = min(least, scaled(_USUAL_SOLVER))
        self.setColumnWidth(0, max(room - sum(widths[1:]), least))

    def _texts(self, racer: Racer) -> tuple[str, ...]:
        status = racer.status
        title = f"{racer.number}  {racer.title}"
        if status is None:
            return (title, *[""] * (len(HEADINGS) - 1))
        begun = status.units > 0
        per_second = status.per_second
        n_moves = None if status.best is None else status.best.n_moves
        return (
            title,
            str(status.rank or ""),
            ""
            if status.best is None
            else best_words(status.best, self.value_title, self.own_value),
            "" if status.best_seconds is None else duration(status.best_seconds),
            counted(status.units, status.unit) if begun else "",
            "" if per_second is None else rate(per_second),
            tr(status.status),
            *figure_texts(status.figures, n_moves).values(),
        )


def best_words(best: Best, value_title: str, own_value: OwnValue) -> str:
    """Say what a best board is worth; a path by its moves, a distance without its sign."""
    value = own_value(best.value)
    if value < 0:
        return f"{number(-value)} {tr(value_title)}"
    if best.moves is not None and value == 0:
        return counted(len(best.moves), "move")
    return number(value)


def leader_words(
    racers: Sequence[Racer], value_title: str, is_over: bool, own_value: OwnValue = float
) -> str:
    """Say in a sentence who leads; '' while nobody has a board."""
    for racer in racers:
        status = racer.status
        if status is not None and status.best is not None and status.rank == 1:
            words = best_words(status.best, value_title, own_value)
            if own_value(status.best.value) > 0:
                words = f"{words} {tr(value_title)}"
            after = duration(status.best_seconds or 0.0)
            return tr("{title} {value}: {words} after {after}.").format(
                title=racer.title,
                value=tr("is first") if is_over else tr("leads"),
                words=words,
                after=after,
            )
    return ""
