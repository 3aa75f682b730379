"""The window of the best known values: a list, one of them, and a search for better ones."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QSplitter, QWidget

from tilelab import catalog
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted
from tilelab.gui.lab.records.record_card import RecordCard
from tilelab.gui.lab.records.search_card import SearchCard, listing
from tilelab.gui.threads.task_runner import Background, close_all
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_table import Column, ItemTable
from tilelab.gui.widgets.manual_link import ManualButton, bind_manual_key
from tilelab.gui.widgets.notice_bar import NoticeBar, NoticeShelf
from tilelab.gui.widgets.parts import card, column_layout, row_layout, show_in_front
from tilelab.gui.widgets.search_field import SearchField
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled
from tilelab.letters.builtin import shown_title
from tilelab.runs.records import BestKnown, counted_text, rules_text, size_text

SIZE, SMALLEST = (1180, 760), (640, 420)
TYPING_MILLISECONDS = 120
_RIGHT = 404


def _puzzle(known: BestKnown) -> str:
    return tr(catalog.puzzle(known.category.puzzle).spec.title)


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
        132,
        lambda one: shown_title(one.title),
        lambda one: one.title,
        is_number=False,
    ),
    Column(marked("Size"), 76, lambda one: size_text(one.category), _cells),
    Column(
        marked("What counts"),
        128,
        _counted,
        _counted,
        is_number=False,
        tip=marked("What the value adds up, and the rules that are not the defaults"),
        stretches=True,
    ),
    Column(marked("Best known"), 112, lambda one: one.best.value_text, lambda one: one.best.value),
    Column(marked("Yours"), 80, _own, lambda one: None if one.own is None else one.own.value),
    Column(marked("By"), 88, lambda one: tr(one.best.by), lambda one: one.best.by, is_number=False),
    Column(marked("Puzzle"), 96, _puzzle, _puzzle, is_number=False),
)


class RecordsWindow(QWidget):
    """A list over which one looks for a record; what is chosen is shown beside it."""

    board_asked = Signal(object)
    """RunRecord: open its board on its page."""
    again_asked = Signal(object)
    """RunRecord: run the same once more."""

    def __init__(self, parent: QWidget | None = None, settings: Settings | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("records_window")
        self.setWindowTitle(tr("Records – TileLab"))
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._settings = settings or Settings()
        self._known: list[BestKnown] = []
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self._show_some)
        self.notice = NoticeBar(self)
        placeholder = tr("Search lexicon, size, rules (Ctrl+F)")
        self.search = SearchField("records_search", tr("Search"), placeholder, self)
        self.search.textChanged.connect(self._typing.start)
        self._count = QLabel(self)
        self._count.setObjectName("records_count")
        set_role(self._count, "muted")
        self.table = ItemTable(
            "records", tr("Records"), _COLUMNS, lambda one: one.category.key, self
        )
        self.table.current_changed.connect(self._choose)
        self.table.setSelectionMode(ItemTable.SelectionMode.SingleSelection)
        self.record = RecordCard(self)
        self.seeds = SearchCard(self)
        self._listing = Background(self)
        self._listing.reported.connect(self._listed)
        self._listing.failed.connect(self.notice.show_error)
        self.record.board_asked.connect(self.board_asked)
        self.record.again_asked.connect(self.again_asked)
        self.table.open_asked.connect(self.record.open_button.click)
        self.seeds.kept.connect(self.reload)
        self.seeds.said.connect(self.notice.show_note)
        self._lay_out()
        self.restoreGeometry(self._settings.bytes("records/geometry"))
        self._columns.restoreState(self._settings.bytes("records/columns"))
        keep_on_screen(self)
        bind_manual_key(self, "records")

    def bring(self) -> None:
        """Show the window in front of the others, with all that has happened since."""
        show_in_front(self)
        self.reload()
        self.table.setFocus()

    @Slot()
    def reload(self) -> None:
        """Read the list again; what is chosen stays chosen."""
        if self.isVisible():
            self._listing.start(listing())

    @property
    def is_busy(self) -> bool:
        """Whether a search is going."""
        return self.seeds.is_busy

    def end(self) -> None:
        """End with the program: a search that is going is given up, its best run is kept."""
        self.seeds.end()
        close_all(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settings.set_bytes("records/geometry", self.saveGeometry())
        self._settings.set_bytes("records/columns", self._columns.saveState())
        super().closeEvent(event)

    @Slot(object)
    def _listed(self, known: list[BestKnown]) -> None:
        self._known = known
        self._show_some()

    @Slot()
    def _show_some(self) -> None:
        words = self.search.text().casefold().split()
        some = [one for one in self._known if all(word in _text(one) for word in words)]
        self.table.show_items(some)
        n_all = len(self._known)
        of_all = (
            "" if len(some) == n_all else tr("{n_some} of ").format(n_some=figures(len(some), ","))
        )
        self._count.setText(f"{of_all}{counted(n_all, 'record')}")
        if self.table.current is None and some:
            self.table.selectRow(0)
        self._choose()

    @Slot()
    def _choose(self) -> None:
        self.record.show_record(self.table.current)
        self.seeds.offer(self.record.run)

    def _lay_out(self) -> None:
        left = card(self)
        inside = column_layout(left, 16, 8)
        above = row_layout(spacing=12)
        title = ElidedLabel(self)
        title.setText(tr("Best known values"))
        set_role(title, "title")
        above.addWidget(title)
        above.addWidget(ManualButton(tr("Records"), self))
        above.addWidget(self.search, 1)
        above.addWidget(self._count)
        inside.addLayout(above)
        inside.addWidget(self.table, 1)
        right = QWidget(self)
        stack = column_layout(right, 0, 16)
        for part, stretch in ((self.record, 1), (self.seeds, 0)):
            frame = card(self)
            column_layout(frame, 0, 0).addWidget(part)
            stack.addWidget(frame, stretch)
        beside = scrolled(right, self)
        keep_scaled(beside, least_width=_RIGHT)
        self._columns = QSplitter(Qt.Orientation.Horizontal, self)
        self._columns.setHandleWidth(16)
        self._columns.setChildrenCollapsible(False)
        self._columns.addWidget(left)
        self._columns.addWidget(beside)
        self._columns.setStretchFactor(0, 1)
        self._columns.setSizes([SIZE[0] - _RIGHT, _RIGHT])
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, 16).addWidget(self._columns)
        column_layout(self, 0, 0).addWidget(ground, 1)
        NoticeShelf(ground, self.notice)
        QShortcut(QKeySequence("Ctrl+F"), self, self.search.setFocus)
        QShortcut(QKeySequence("Escape"), self, self.close)


def _text(known: BestKnown) -> str:
    return " ".join(column.text(known) for column in _COLUMNS).casefold()
