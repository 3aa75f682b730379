"""The history window: search, compare, tag, delete and export all recorded runs."""

import contextlib
import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QSignalBlocker,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QMenu, QWidget

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted
from tilelab.gui.lab.history.details import HistoryDetails
from tilelab.gui.lab.history.run_table import NAMES, RunTable
from tilelab.gui.lab.history.thumbnails import HistoryPictures
from tilelab.gui.widgets.carried_values import carry_values
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.notice_bar import NoticeBar, NoticeShelf
from tilelab.gui.widgets.parts import (
    Card,
    SearchField,
    calling,
    column_layout,
    named,
    offer_items,
    parted,
    push_button,
    row_layout,
    show_in_front,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import curve_colours, keep_scaled, set_role
from tilelab.gui.widgets.window_place import KeptLayout, scrolled
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.history.export import csv_parts, json_parts
from tilelab.runs.history.store import ORDERS, History, Query
from tilelab.runs.result import TITLES as FIGURES

SIZE, SMALLEST = (1280, 800), (480, 360)
_HEADS = "history/" + "-".join(NAMES)
"""Version of the columns; stored states of other versions do not fit."""
_OWN_WIDTHS = "history/own-widths"  # names of the columns whose width the user has changed
_WRITERS = {"csv": csv_parts, "json": json_parts}
_GREATEST_FIRST = frozenset({"begun", "best", "units", "seconds", *FIGURES})
MAX_PRINTED = 100
_KINDS = {"csv": marked("Table (*.csv)"), "json": marked("JSON (*.json)")}
_BOX_PIXELS = 214
TYPING_MILLISECONDS = 120  # milliseconds after the last key until the list is filtered


class HistoryBar(QWidget):
    """The bar with the search and the filters; emits ``changed``."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self.changed)
        self.search = SearchField("history_search", tr("Search"), tr("Search"), self)
        self.search.setToolTip(tr("Search instance, solver, tags, note (Ctrl+F)"))
        self.search.textChanged.connect(self._typing.start)
        self.puzzle, self.solver = ElidedComboBox(self), ElidedComboBox(self)
        puzzles = {key: tr(cls.spec.title) for key, cls in catalog.puzzles().items()}
        offer_items(self.puzzle, {"": tr("All puzzles"), **puzzles})
        self.offer_solvers(())
        for box, name, title in (
            (self.puzzle, "puzzle", tr("Puzzle")),
            (self.solver, "solver", tr("Solver")),
        ):
            named(box, f"history_{name}", title)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            keep_scaled(box, most_width=_BOX_PIXELS)
            box.currentIndexChanged.connect(self.changed)
        self._count = text_label("muted", self, "", "history_count")
        tip = tr("Export the selected runs, or all listed runs, to a file")
        self.export = push_button(tr("Export"), "history_export", tip, self)
        menu = QMenu(self.export)
        self.exports = {
            "csv": menu.addAction(tr("Table (CSV)…")),
            "json": menu.addAction(tr("JSON…")),
        }
        """Entries of the export menu by kinds of files."""
        self.export.setMenu(menu)
        tip = tr("Delete the selected runs (Del); this can be undone")
        self.delete = push_button(tr("Delete"), "history_delete", tip, self)
        tip = tr("Restore the runs that were deleted last (Ctrl+Z)")
        self.undo = push_button(tr("Undo"), "history_undo", tip, self)
        filters, buttons = (self.puzzle, self.solver), (self.export, self.delete, self.undo)
        row_layout(self, 0, 8, (self.search, 1), *filters, 8, self._count, 8, *buttons)

    def wanted(self, before: Query) -> Query:
        """Return the query of the filters, in the order of a previous query."""
        return dataclasses.replace(
            before,
            puzzle=self.puzzle.currentData() or "",
            solver=self.solver.currentData() or "",
            search=self.search.text(),
        )

    def offer_solvers(self, solvers: Sequence[tuple[str, str]]) -> None:
        """Offer the solvers of recorded runs; the choice stays if possible."""
        titles = {key: tr(title) for key, title in solvers}
        offer_items(self.solver, {"": tr("All solvers"), **titles})

    def show_count(self, n_listed: int, n_all: int, n_chosen: int) -> None:
        """Show how many runs are listed and selected."""
        text = (
            counted(n_all, "run")
            if n_listed == n_all
            else tr(
                "{n_listed} of {n_all} runs",
                n_listed=figures(n_listed, ","),
                n_all=figures(n_all, ","),
            )
        )
        self._count.setText(
            tr("{listed}, {n_chosen} selected", listed=text, n_chosen=figures(n_chosen, ","))
            if n_chosen > 1
            else text
        )
        self.delete.setEnabled(n_chosen > 0)
        self.export.setEnabled(n_listed > 0)


class HistoryWindow(QWidget):
    """The history window: a list of runs above the details of the selected ones."""

    print_requested = Signal(object)  # emitted with a list of RunRecord whose boards to print
    deleted = Signal(list, bool)
    """Emitted with the keys of runs, and whether they were deleted or are back in the list."""

    def __init__(self, parent: QWidget | None, settings: Settings) -> None:
        super().__init__(parent, Qt.WindowType.Window, windowTitle=tr("History"))
        self.setObjectName("history_window")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._settings = settings
        self._history: History | None = None
        self._deleted: list[list[int]] = []
        self.bar = HistoryBar(self)
        self.notice = NoticeBar(self)
        self.pictures = HistoryPictures(self)
        self.table = RunTable(self.pictures, self)
        self.details = HistoryDetails(self)
        self._lay_out()
        self._connect()
        self._layout = KeptLayout(settings, "history", self, parts=self._parts)
        self.table.restore(settings.bytes(_HEADS), settings.lines(_OWN_WIDTHS))
        self.details.chart.view.remember_in(settings)
        bind_manual_key(self, "history")

    def bring(self) -> None:
        """Show the window in front, with the current list."""
        show_in_front(self)
        self.reload()
        if self.table.ids and not self.chosen():
            self._choose(self.table.ids[:1])
        self.table.setFocus()

    def take_over(self, before: "HistoryWindow") -> None:
        """Show the filters, the runs and the curves of another window; called when shown."""
        carry_values(before.bar, self.bar)
        self._deleted = before._deleted
        self._show_undo()
        self._search()
        self._choose(before.chosen())
        carry_values(before.details.chart, self.details.chart)
        self.details.chart.view.take_over(before.details.chart.view)

    @Slot()
    def reload(self) -> None:
        """Read the list again; the selection stays."""
        if not self.isVisible():
            return
        with self._errors_shown():
            if self._history is None:
                self._history = History()
                self._history.purge()
            self.bar.offer_solvers(self._history.solvers())
            self._show(self.bar.wanted(self.table.query))

    def chosen(self) -> list[int]:
        """Return the numbers of the selected runs: the current one first, the others as listed."""
        rows, current = self.table.selected_rows(), self.table.currentIndex().row()
        return [self.table.ids[row] for row in sorted(rows, key=lambda row: row != current)]

    @property
    def _chosen_as_listed(self) -> list[int]:
        return [self.table.ids[row] for row in self.table.selected_rows()]

    def export_to(self, path: Path, kind: str) -> None:
        """Write the selected runs to a file, or all listed runs if fewer than two are selected."""
        some = self._chosen_as_listed
        ids = some if len(some) > 1 else self.table.ids
        with self._errors_shown():
            if self._history is not None:
                text = "".join(_WRITERS[kind](self._history, ids))
                target = write_atomically(path, text)
                self._settings.folder = target.resolve().parent
                self.notice.show_done(
                    tr("Wrote {n_runs} to {file}", n_runs=counted(len(ids), "run"), file=target)
                )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.details.commit()
        self._remember()
        self.pictures.close()
        if self._history is not None:
            self._history.close()
            self._history = None
        super().closeEvent(event)

    def _remember(self) -> None:
        """Store the layout and the columns of the list for the next window."""
        self._layout.keep()
        self._settings.set_bytes(_HEADS, self.table.horizontalHeader().saveState())
        own = [NAMES[number] for number in sorted(self.table.own_widths)]
        self._settings.set_lines(_OWN_WIDTHS, own)

    def _show(self, query: Query) -> None:
        """Show the runs of a query; raises TileLabError."""
        if self._history is None:
            return
        kept = self.chosen()
        self.table.show_runs(self._history, query)
        self.table.show_filled(self._history.filled(query))
        if self._history.notice:
            self.notice.show_note(self._history.notice, stays=True)
            self._history.notice = ""
        self._choose(kept)

    def _choose(self, ids: Sequence[int]) -> None:
        rows = [row for number in ids if (row := self.table.items.row_of(number)) is not None]
        selection = QItemSelection()
        for first, last in _stretches(sorted(rows)):
            selection.select(self.table.items.index(first, 0), self.table.items.index(last, 0))
        flag = QItemSelectionModel.SelectionFlag
        model = self.table.selectionModel()
        with QSignalBlocker(model):
            if rows:
                model.setCurrentIndex(self.table.items.index(rows[0], 0), flag.NoUpdate)
            model.select(selection, flag.ClearAndSelect | flag.Rows)
        self.table.viewport().update()
        self._show_chosen()

    @Slot()
    def _show_chosen(self) -> None:
        ids = self.chosen()
        colours = curve_colours()
        with self._errors_shown():
            if self._history is None:
                return
            records = self._history.records(ids[: len(colours)])
            shown = list(zip(records, colours, strict=False))
            self.table.set_colours({record.id: colour for record, colour in shown})
            self.details.show_runs(shown)
            self.bar.show_count(len(self.table.ids), self._history.count(), len(ids))

    @Slot()
    def _search(self) -> None:
        with self._errors_shown():
            self._show(self.bar.wanted(self.table.query))
            if self.table.ids and not self.chosen():
                self.table.scrollToTop()

    @Slot(int, Qt.SortOrder)
    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        wanted, name = self.bar.wanted(self.table.query), NAMES[column]
        if name not in ORDERS:
            self.table.show_order(self.table.query)
            return
        # The first click sorts the best, newest or longest runs to the top.
        is_first = name in _GREATEST_FIRST and name != self.table.query.sort
        down = is_first or order is Qt.SortOrder.DescendingOrder
        query = dataclasses.replace(wanted, sort=name, descending=down)
        self.table.show_order(query)
        with self._errors_shown():
            self._show(query)

    @Slot(QPoint)
    def _show_menu(self, place: QPoint) -> None:
        menu = named(QMenu(self, toolTipsVisible=True), "history_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        details = self.details
        for button in (details.board, details.resume, details.again):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.setToolTip(button.toolTip())
            action.triggered.connect(button.click)
        menu.addSeparator()
        menu.addAction(tr("Edit tags")).triggered.connect(details.tags.setFocus)
        menu.addAction(tr("Edit note")).triggered.connect(details.note.setFocus)
        menu.addSeparator()
        for action in self.bar.exports.values():
            menu.addAction(tr("Export {format}", format=action.text())).triggered.connect(
                action.trigger
            )
        menu.addAction(tr("Print…\tCtrl+P")).triggered.connect(self._print)
        menu.addAction(tr("Delete\tDel")).triggered.connect(self._delete)
        menu.popup(self.table.viewport().mapToGlobal(place))

    @Slot()
    def _print(self) -> None:
        """Print the boards of the selected runs, in the order of the list."""
        ids = self._chosen_as_listed
        if len(ids) > MAX_PRINTED:
            self.notice.show_error(
                tr(
                    "{n_ids} runs are selected; a booklet has at most {most_printed} puzzles.",
                    n_ids=figures(len(ids), ","),
                    most_printed=MAX_PRINTED,
                )
            )
            return
        with self._errors_shown():
            if self._history is not None:
                records = [one for one in self._history.records(ids) if one.board]
                if records:
                    self.print_requested.emit(records)
                else:
                    self.notice.show_error(tr("There is no board to print."))

    @Slot()
    def _delete(self) -> None:
        ids = self.chosen()
        if not ids or self._history is None:
            return
        row = self.table.items.row_of(ids[0]) or 0
        with self._errors_shown():
            self._history.delete(ids)
            self.deleted.emit([line.key for line in self._history.lines(ids)], True)
            self._deleted.append(ids)
            self._show(self.table.query)
            if self.table.ids:
                # Select the next run, so that pressing the key again deletes it.
                self._choose([self.table.ids[min(row, len(self.table.ids) - 1)]])
            self.notice.show_done(tr("Deleted {n_runs}", n_runs=counted(len(ids), "run")))
        self._show_undo()

    @Slot()
    def _undo(self) -> None:
        if not self._deleted or self._history is None:
            none = tr("There are no deleted runs to restore.")
            self.notice.show_refusal(lambda: "" if self._deleted else none)
            return
        with self._errors_shown():
            ids = self._deleted[-1]
            self._history.restore(ids)
            self.deleted.emit([line.key for line in self._history.lines(ids)], False)
            self._deleted.pop()
            self._show(self.table.query)
            self._choose(ids)
            self.notice.show_done(tr("Restored {n_runs}", n_runs=counted(len(ids), "run")))
        self._show_undo()

    def _show_undo(self) -> None:
        # Always visible, or its neighbours would move.
        self.bar.undo.setEnabled(bool(self._deleted))

    @Slot(int, str, str)
    def _keep_text(self, number: int, what: str, text: str) -> None:
        with self._errors_shown():
            if self._history is not None:
                keep = {"tags": self._history.set_tags, "note": self._history.set_note}[what]
                keep(number, text)
                self.table.read_again(number)
                self.table.show_filled(self._history.filled(self.table.query))

    def _ask_export(self, kind: str) -> None:
        suggested = self._settings.folder / f"tilelab-runs.{kind}"
        path = ask_to_save(self, tr("Export the runs"), suggested, tr(_KINDS[kind]))
        if path is not None:
            self.export_to(path if path.suffix else path.with_suffix(f".{kind}"), kind)

    @contextlib.contextmanager
    def _errors_shown(self) -> Iterator[None]:
        try:
            yield
        except TileLabError as error:
            self.notice.show_error(str(error))

    def _lay_out(self) -> None:
        listed_card = Card(self)
        column_layout(listed_card, (16, 12, 16, 12), 8, self.bar, (self.table, 1))
        self._parts = parted(Qt.Orientation.Vertical, self, (listed_card, 3), (self.details, 2))
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, 16, None, self._parts)
        column_layout(self, 0, None, scrolled(ground, self))
        NoticeShelf(self, self.notice)
        self._show_undo()

    def _connect(self) -> None:
        self.bar.changed.connect(self._search)
        self.bar.delete.clicked.connect(self._delete)
        for kind, entry in self.bar.exports.items():
            entry.triggered.connect(calling(self._ask_export, kind))
        self.bar.undo.clicked.connect(self._undo)
        self.table.selectionModel().selectionChanged.connect(self._show_chosen)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._sort)
        self.details.text_changed.connect(self._keep_text)
        self.table.delete_requested.connect(self._delete)
        self.table.open_requested.connect(self.details.board.click)
        self.table.customContextMenuRequested.connect(self._show_menu)
        for key, done in (
            ("Ctrl+Z", self._undo),
            ("Ctrl+F", self.bar.search.setFocus),
            ("Ctrl+P", self._print),
            ("Ctrl+W", self.close),
            (tr("Esc"), self._leave),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(done)

    @Slot()
    def _leave(self) -> None:
        """Clear the search field if it has the focus, or else close the window."""
        search = self.bar.search
        if search.hasFocus() and search.text():
            search.clear()
        else:
            self.close()


def _stretches(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Join neighbours among ascending rows; yields the first and last row of each range."""
    for _, group in itertools.groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
        stretch = [row for _, row in group]
        yield stretch[0], stretch[-1]
