"""The window of the best known values: a list, a record, and a search for better ones."""

import shlex

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line, searched, tool_tip
from tilelab.core.text.wording import counted
from tilelab.gui.boards.tile_pictures import BoardPicture, scene_of
from tilelab.gui.lab.records.search_card import SearchCard, listing
from tilelab.gui.threads.task_runner import TaskRunner, close_all
from tilelab.gui.widgets.carried_values import carry_values
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_model import Column
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.manual_link import ManualButton, bind_manual_key
from tilelab.gui.widgets.notice_bar import NoticeBar, NoticeShelf
from tilelab.gui.widgets.parts import (
    ButtonRow,
    Card,
    FactTable,
    SearchField,
    allow,
    column_layout,
    heading_of,
    parted,
    row_of,
    show_in_front,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import KeptLayout, scrolled
from tilelab.letters.builtin import shown_title
from tilelab.letters.lexicon import alphabetical
from tilelab.runs.history.record import BY_HAND, NO_RERUN, RunRecord
from tilelab.runs.records import (
    BestKnown,
    BuiltinRecord,
    command_of,
    counted_text,
    rules_text,
    size_text,
)

SIZE, SMALLEST = (1280, 760), (640, 420)
TYPING_MILLISECONDS = 120
_RIGHT = 384
_FACTS = {
    "by": marked("By"),
    "proven": marked("Proven"),
    "own": marked("Yours"),
    "solver": marked("Solver"),
    "seed": marked("Seed"),
}
_NOTHING = marked("Select a record to see its board and how it was reached.")


def _puzzle(known: BestKnown) -> str:
    return tr(catalog.puzzle(known.category.puzzle).spec.title)


def _title_order(known: BestKnown) -> str:
    return alphabetical(shown_title(known.title).casefold())[0]


def _cells(known: BestKnown) -> float:
    rows, cols = known.category.facts.get("rows"), known.category.facts.get("cols")
    return rows * cols if isinstance(rows, int) and isinstance(cols, int) else 0.0


def _own(known: BestKnown) -> str:
    return "" if known.own is None else known.own.value_text


def _counted(known: BestKnown) -> str:
    return ", ".join(filter(None, (counted_text(known.category), rules_text(known.category))))


_COLUMNS: tuple[Column[BestKnown], ...] = (
    Column(
        marked("Lexicon"),
        150,
        lambda one: shown_title(one.title),
        _title_order,
        is_number=False,
        most=260,
    ),
    Column(marked("Size"), 60, lambda one: size_text(one.category), _cells),
    Column(
        marked("What counts"),
        112,
        lambda one: counted_text(one.category),
        _counted,
        is_number=False,
        header_tip=marked("What the value counts, and the rules that differ from the defaults"),
        stretches=True,
        most=250,
        tip=lambda one: tool_tip(_counted(one)),  # the card names the rules too
    ),
    Column(
        marked("Best known"),
        84,
        lambda one: one.best.value_text,
        lambda one: one.best.value,
        most=160,
    ),
    Column(marked("Yours"), 56, _own, lambda one: None if one.own is None else one.own.value),
    Column(
        marked("By"),
        80,
        lambda one: tr(one.best.by),
        lambda one: one.best.by,
        is_number=False,
        most=200,
        yields=2,  # the card names it
    ),
    Column(marked("Puzzle"), 90, _puzzle, _puzzle, is_number=False, most=180, yields=1),
)


def run_of(known: BestKnown) -> RunRecord:
    """Return the run that has reached the best known value; raises TileLabError."""
    record = known.best.record
    return record.as_run() if isinstance(record, BuiltinRecord) else record


class RecordCard(Card):
    """A card that shows a record and opens it."""

    board_requested = Signal(object)  # emitted with the RunRecord whose board to open on its page
    again_requested = Signal(object)  # emitted with the RunRecord of a run to repeat

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.run: RunRecord | None = None  # run that has reached the shown record; None without one
        self._command = ""
        self.title = text_label("title", self, tr("Record"), "record_title")
        self.said = text_label("muted", self, "", "record_said", wraps=True)
        self.value = text_label("large", self, "", "record_value")
        self._picture = BoardPicture(self)
        self._facts = FactTable(_FACTS, self)
        self.open_button = small_button(tr("Open board"), "record_open", "", self, self._open)
        self.again_button = small_button(tr("Run again"), "record_again", "", self, self._again)
        self.copy_button = small_button(tr("Copy command"), "record_copy", "", self, self._copy)
        for label in (self.title, self.value):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()
        self.show_record(None)

    def show_record(self, known: BestKnown | None) -> None:
        """Show the best known value of a category; None for none."""
        self.run = None
        if known is not None:
            try:
                self.run = run_of(known)
            except TileLabError:  # the plug-in of the record is missing
                known = None
        for part in (self.value, self._picture, self._facts):
            part.setVisible(known is not None)
        if known is None or self.run is None:
            self.title.setText(tr("Record"))
            self.said.setText(tr(_NOTHING))
            self._command = ""
            self._allow()
            return
        best, category = known.best, known.category
        record = best.record
        words = record.command if isinstance(record, BuiltinRecord) else command_of(record)
        self._command = shlex.join(words)
        self.title.setText(f"{one_line(shown_title(known.title))}, {size_text(category)}")
        self.said.setText(_counted(known))
        self.value.setText(best.value_text)
        self._picture.show_scene(scene_of(self.run))
        self._picture.setAccessibleName(tr("The board: ") + " / ".join(best.board))
        self._facts.show_fact("by", tr(best.by))
        self._facts.show_fact("proven", tr("yes") if best.is_proven else tr("not known"))
        self._facts.show_fact("own", "" if known.own is None else known.own.value_text)
        self._facts.show_fact("solver", tr(self.run.solver_title))
        self._facts.show_fact("seed", str(self.run.seed) if self.run.solver else "")
        self._allow()

    def _allow(self) -> None:
        run = self.run
        nothing = tr(_NOTHING) if run is None else ""
        allow(self.open_button, tr("Show this board on its page"), nothing)
        why_not = nothing
        if run is not None and run.solver in ("", BY_HAND):
            why_not = tr(NO_RERUN) if run.solver else tr("A run of TileLab did not find this board")
        tip = tr("Run it again: the same seed gives the same board")
        allow(self.again_button, tip, why_not)
        if not (self._command or why_not):
            why_not = tr(
                "No command does the same: the run began with a board, had constraints, or was "
                "changed while it ran"
            )
        allow(self.copy_button, tr("Copy the command that reaches this value"), why_not)

    @Slot()
    def _open(self) -> None:
        if self.run is not None:
            self.board_requested.emit(self.run)

    @Slot()
    def _again(self) -> None:
        if self.run is not None:
            self.again_requested.emit(self.run)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)

    def _lay_out(self) -> None:
        said = heading_of(self.title), self.said, self.value, (self._picture, 1), self._facts
        buttons = ButtonRow(self.open_button, self.again_button, self.copy_button)
        whole = column_layout(self, 16, 6, *said, buttons)
        whole.setAlignment(Qt.AlignmentFlag.AlignTop)


class RecordsWindow(QWidget):
    """The window of records: a list, and the selected record next to it.

    Closing it does not stop its search; :meth:`end` does.
    """

    left_running = Signal(str)
    """Emitted with a sentence when the window is closed while a search is running."""

    def __init__(self, parent: QWidget | None, settings: Settings) -> None:
        super().__init__(parent, Qt.WindowType.Window, windowTitle=tr("Records"))
        self.setObjectName("records_window")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._known: list[BestKnown] = []
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self._show_some)
        self.notice = NoticeBar(self)
        self.search = SearchField("records_search", tr("Search"), tr("Search"), self)
        self.search.setToolTip(tr("Search lexicon, size, rules (Ctrl+F)"))
        self.search.textChanged.connect(self._typing.start)
        self._count = text_label("muted", self, "", "records_count")
        self.table = ItemTable(
            "records", tr("Records"), _COLUMNS, lambda one: one.category.key, self
        )
        self.table.current_changed.connect(self._choose)
        self.record = RecordCard(self)
        self.seeds = SearchCard(self)
        self._listing = TaskRunner(self, self._listed, failed=self.notice.show_error)
        self.table.open_requested.connect(self.record.open_button.click)
        self.seeds.kept.connect(self.reload)
        self.seeds.said.connect(self.notice.show_note)
        self._lay_out()
        self._layout = KeptLayout(settings, "records", self, columns=self._columns)
        bind_manual_key(self, "records")

    def bring(self) -> None:
        """Show the window in front, with the current list."""
        show_in_front(self)
        self.reload()
        self.table.setFocus()

    def take_over(self, before: "RecordsWindow") -> None:
        """Show the list, the search and the fields of another window."""
        self._known = before._known
        carry_values(before, self)
        self._show_some()

    @Slot()
    def reload(self) -> None:
        """Read the list again; the selection stays."""
        if self.isVisible():
            self._listing.start(listing())

    @property
    def is_busy(self) -> bool:
        return self.seeds.is_busy

    def end(self) -> None:
        """End with the program: cancel the search and keep its best run."""
        self.seeds.end()
        close_all(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._layout.keep()
        if self.is_busy:
            self.left_running.emit(tr("The search continues. Ctrl+B shows it."))
        super().closeEvent(event)

    @Slot(object)
    def _listed(self, known: list[BestKnown]) -> None:
        self._known = known
        self._show_some()

    @Slot()
    def _show_some(self) -> None:
        words = searched(self.search.text()).split()
        known = sorted(self._known, key=lambda one: (one.category.puzzle, _title_order(one)))
        some = [one for one in known if all(word in _text(one) for word in words)]
        self.table.show_items(some)
        n_all = len(self._known)
        of_all = "" if len(some) == n_all else tr("{n_some} of ", n_some=figures(len(some), ","))
        self._count.setText(f"{of_all}{counted(n_all, 'record')}")
        if self.table.current is None and some:
            self.table.selectRow(0)
        self._choose()

    @Slot()
    def _choose(self) -> None:
        known = self.table.current
        self.record.show_record(known)
        self.seeds.offer(self.record.run, "" if known is None else known.category.key)

    def _lay_out(self) -> None:
        left = Card(self)
        title = ElidedLabel(self, role="title")
        title.setText(tr("Best known values"))
        above = row_of(
            title, ManualButton(tr("Records"), self), (self.search, 1), self._count, spacing=12
        )
        column_layout(left, 16, 8, above, (self.table, 1))
        right = QWidget(self)
        column_layout(right, 0, 16, (self.record, 1), self.seeds)
        scroll_area = scrolled(right, self)
        keep_scaled(scroll_area, least_width=_RIGHT)
        self._columns = parted(Qt.Orientation.Horizontal, self, (left, 1), (scroll_area, 0))
        self._columns.setSizes([SIZE[0] - _RIGHT, _RIGHT])
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, 16).addWidget(self._columns)
        column_layout(self, 0, 0, scrolled(ground, self))
        NoticeShelf(self, self.notice)
        QShortcut(QKeySequence("Ctrl+F"), self, self.search.setFocus)
        for key in ("Escape", "Ctrl+W"):
            QShortcut(QKeySequence(key), self, self.close)


def _text(known: BestKnown) -> str:
    return searched(" ".join([*(column.text(known) for column in _COLUMNS), _counted(known)]))
