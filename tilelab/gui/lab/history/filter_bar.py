"""The line above the list of runs: what is looked for, how many there are, export and delete."""

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QWidget

from tilelab import catalog
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.parts import push_button, row_layout
from tilelab.gui.widgets.search_field import SearchField
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.runs.history.store import Query

_BOX_PIXELS = 190
TYPING_MILLISECONDS = 120
"""The list follows when so long nothing more was typed."""


class HistoryBar(QWidget):
    """Says what is wanted; ``changed`` when that is something else."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self.changed)
        placeholder = tr("Search instance, solver, tags, note (Ctrl+F)")
        self.search = SearchField("history_search", tr("Search"), placeholder, self)
        self.search.textChanged.connect(self._typed)
        self.puzzle, self.solver = ElidedComboBox(self), ElidedComboBox(self)
        self.puzzle.addItem(tr("All puzzles"), "")
        for key, cls in catalog.puzzles().items():
            self.puzzle.addItem(tr(cls.spec.title), key)
        self.solver.addItem(tr("All solvers"), "")
        for box, name in ((self.puzzle, tr("Puzzle")), (self.solver, tr("Solver"))):
            box.setObjectName(f"history_{name.lower()}")
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            keep_scaled(box, most_width=_BOX_PIXELS)
            box.currentIndexChanged.connect(self.changed)
        self._count = QLabel(self)
        self._count.setObjectName("history_count")
        set_role(self._count, "muted")
        tip = tr("Write the chosen runs, or all that are listed, to a file")
        self.export = push_button(tr("Export"), "history_export", tip, self)
        menu = QMenu(self.export)
        self.exports = {
            "csv": menu.addAction(tr("Table (CSV)…")),
            "json": menu.addAction(tr("JSON…")),
        }
        """The menu's entries by kinds of files."""
        self.export.setMenu(menu)
        tip = tr("Delete the chosen runs (Del); this can be undone")
        self.delete = push_button(tr("Delete"), "history_delete", tip, self)
        tip = tr("Have the runs back that were deleted last (Ctrl+Z)")
        self.undo = push_button(tr("Undo"), "history_undo", tip, self)
        row = row_layout(self, 0, 8)
        row.addWidget(self.search, 1)
        row.addWidget(self.puzzle)
        row.addWidget(self.solver)
        row.addSpacing(8)
        row.addWidget(self._count)
        row.addSpacing(8)
        row.addWidget(self.export)
        row.addWidget(self.delete)
        row.addWidget(self.undo)

    def wanted(self, before: Query) -> Query:
        """Return what is looked for, in the order of the query before."""
        return dataclasses.replace(
            before,
            puzzle=self.puzzle.currentData() or "",
            solver=self.solver.currentData() or "",
            search=self.search.text(),
        )

    def offer_solvers(self, solvers: Sequence[tuple[str, str]]) -> None:
        """Offer the solvers that there are runs of; the choice stays where it can."""
        chosen = self.solver.currentData()
        with QSignalBlocker(self.solver):
            while self.solver.count() > 1:
                self.solver.removeItem(1)
            for key, title in solvers:
                self.solver.addItem(tr(title), key)
            self.solver.setCurrentIndex(max(self.solver.findData(chosen), 0))

    def show_count(self, n_listed: int, n_all: int, n_chosen: int) -> None:
        """Say how many runs are listed and chosen."""
        text = (
            counted(n_all, "run")
            if n_listed == n_all
            else tr("{n_listed} of {n_all} runs").format(
                n_listed=figures(n_listed, ","), n_all=figures(n_all, ",")
            )
        )
        self._count.setText(
            tr("{text}, {n_chosen} chosen").format(text=text, n_chosen=figures(n_chosen, ","))
            if n_chosen > 1
            else text
        )
        self.delete.setEnabled(n_chosen > 0)
        self.export.setEnabled(n_listed > 0)

    @Slot()
    def _typed(self) -> None:
        self._typing.start()
