"""What stands at the left of the manual: its contents, or what a search has found."""

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.gui.widgets.parts import column_layout, text_label
from tilelab.gui.widgets.purposes import PURPOSE, PurposeDelegate
from tilelab.gui.widgets.search_field import SearchField
from tilelab.gui.widgets.theme import current_theme, keep_themed, text_font
from tilelab.manual.book import contents, search, title_of

TYPING_MILLISECONDS = 150
_NAME = Qt.ItemDataRole.UserRole
_MOST_FOUND = 60


class ContentsPanel(QWidget):
    """A search field over the list of all pages, in whose place the finds stand."""

    page_chosen = Signal(str, str)
    """``page`` or ``page#anchor``; the words that were searched for, or ''."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        placeholder = tr("Search all pages (Ctrl+F)")
        self.field = SearchField("manual_search", tr("Search"), placeholder, self)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self._search)
        self.field.textChanged.connect(self._typing.start)
        self.field.returnPressed.connect(self._open_first)
        down = QShortcut(QKeySequence("Down"), self.field, self._to_list)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.tree = self._made_tree()
        self.found = QListWidget(self)
        self.found.setObjectName("manual_found")
        self.found.setAccessibleName(tr("Found"))
        self.found.setItemDelegate(PurposeDelegate(self.found))
        self.found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.found.setFrameShape(QFrame.Shape.NoFrame)
        self.found.itemClicked.connect(self._choose_found)
        self.found.itemActivated.connect(self._choose_found)
        self._count = text_label("small", self)
        self._count.setObjectName("manual_count")
        below = QWidget(self)
        column = column_layout(below, 0, 6)
        column.addWidget(self._count)
        column.addWidget(self.found, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.tree)
        self._stack.addWidget(below)
        whole = column_layout(self, 0, 10)
        whole.addWidget(self.field)
        whole.addWidget(self._stack, 1)
        keep_themed(self, self._apply_theme)

    @property
    def words(self) -> str:
        """What is searched for, or ''."""
        return self.field.text().strip()

    def show_page(self, name: str) -> None:
        """Mark the page that is shown."""
        with QSignalBlocker(self.tree):
            if name in self._items:
                self.tree.setCurrentItem(self._items[name])
            else:
                self.tree.setCurrentIndex(QModelIndex())

    def _made_tree(self) -> QTreeWidget:
        tree = QTreeWidget(self)
        tree.setObjectName("manual_contents")
        tree.setAccessibleName(tr("Contents"))
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setItemsExpandable(False)
        tree.setIndentation(10)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._items: dict[str, QTreeWidgetItem] = {}
        for chapter in contents():
            head = QTreeWidgetItem(tree, [chapter.title])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for name in chapter.pages:
                item = self._items[name] = QTreeWidgetItem(head, [title_of(name)])
                item.setData(0, _NAME, name)
        tree.expandAll()
        # The arrows walk through the book.
        tree.currentItemChanged.connect(self._choose)
        return tree

    @Slot(QTreeWidgetItem)
    def _choose(self, item: QTreeWidgetItem | None) -> None:
        name = None if item is None else item.data(0, _NAME)
        if name:
            self.page_chosen.emit(name, "")

    @Slot()
    def _search(self) -> None:
        self._typing.stop()
        words = self.words
        self._stack.setCurrentIndex(int(bool(words)))
        self.found.clear()
        if not words:
            return
        finds = search(words)
        for find in finds[:_MOST_FOUND]:
            of_page = title_of(find.page.name)
            is_top = find.section is find.page.sections[0]
            item = QListWidgetItem(of_page if is_top else f"{of_page}: {find.section.title}")
            item.setData(_NAME, find.place)
            item.setData(PURPOSE, find.snippet)
            item.setToolTip(find.snippet)
            self.found.addItem(item)
        self._count.setText(counted(len(finds), "place") if finds else tr("Nothing found."))

    @Slot()
    def _open_first(self) -> None:
        self._search()
        if self.found.count():
            self.found.setCurrentRow(0)
            self.found.setFocus()
            self._choose_found(self.found.item(0))

    @Slot()
    def _to_list(self) -> None:
        """Give the keyboard to what stands below the field."""
        (self.found if self.words else self.tree).setFocus()

    @Slot(QListWidgetItem)
    def _choose_found(self, item: QListWidgetItem) -> None:
        self.page_chosen.emit(str(item.data(_NAME)), self.words)

    def _apply_theme(self) -> None:
        for place in range(self.tree.topLevelItemCount()):
            head = self.tree.topLevelItem(place)
            assert head is not None
            head.setFont(0, text_font("small", strong=True))
            head.setForeground(0, current_theme().muted)
