"""The window of the manual: contents and search at the left, a page at the right."""

from pathlib import Path

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tilelab.core.text.language import ENGLISH, language, tr
from tilelab.core.text.wording import counted, labelled
from tilelab.gui.learn.manual.browser import PageBrowser
from tilelab.gui.widgets.carried_values import carry_values
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_table import PURPOSE, PurposeDelegate
from tilelab.gui.widgets.parts import (
    Card,
    IconButton,
    SearchField,
    column_layout,
    named,
    parted,
    row_layout,
    show_in_front,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import current_theme, keep_themed, set_role, text_font
from tilelab.gui.widgets.window_place import KeptLayout
from tilelab.manual.book import FIRST, contents, names, search, title_of
from tilelab.manual.places import folder

SIZE, SMALLEST = (1080, 760), (560, 380)
_LEFT = 288
TYPING_MILLISECONDS = 150
_NAME = Qt.ItemDataRole.UserRole
_MAX_FOUND = 60


class ContentsPanel(QWidget):
    """A search field above the list of all pages, or of the search results."""

    page_chosen = Signal(str, str)
    """Emitted with ``page`` or ``page#anchor``, and the words of the search or ''."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = SearchField("manual_search", tr("Search"), tr("Search"), self)
        self.field.setToolTip(tr("Search all pages (Ctrl+F)"))
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self.show_found)
        self.field.textChanged.connect(self._typing.start)
        self.field.returnPressed.connect(self._open_first)
        down = QShortcut(QKeySequence("Down"), self.field, self._to_list)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.tree = self._made_tree()
        self.found = named(QListWidget(self), "manual_found", tr("Found"))
        self.found.setItemDelegate(PurposeDelegate(self.found))
        self.found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.found.setFrameShape(QFrame.Shape.NoFrame)
        self.found.itemClicked.connect(self._choose_found)
        self.found.itemActivated.connect(self._choose_found)
        self._count = text_label("small", self, "", "manual_count", wraps=True)
        below = QWidget(self)
        column_layout(below, 0, 6, self._count, (self.found, 1))
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.tree)
        self._stack.addWidget(below)
        column = column_layout(self, 0, 10, self.field, (self._stack, 1))
        if language() != ENGLISH:
            said = text_label("small", self, tr("The manual is in English."), wraps=True)
            column.insertWidget(1, said)
        keep_themed(self, self._apply_theme)

    @property
    def words(self) -> str:
        """Words of the search, or ''."""
        return self.field.text().strip()

    def show_page(self, name: str) -> None:
        """Mark the page that is shown."""
        with QSignalBlocker(self.tree):
            if name in self._items:
                self.tree.setCurrentItem(self._items[name])
            else:
                self.tree.setCurrentIndex(QModelIndex())

    def _made_tree(self) -> QTreeWidget:
        tree = named(QTreeWidget(self), "manual_contents", tr("Contents"))
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
        # The arrow keys move through the book.
        tree.currentItemChanged.connect(self._choose)
        return tree

    @Slot(QTreeWidgetItem)
    def _choose(self, item: QTreeWidgetItem | None) -> None:
        name = None if item is None else item.data(0, _NAME)
        if name:
            self.page_chosen.emit(name, "")

    @Slot()
    def show_found(self) -> None:
        """Show the places with the words of the search, or the contents if there are none."""
        self._typing.stop()
        words = self.words
        self._stack.setCurrentIndex(int(bool(words)))
        self.found.clear()
        if not words:
            return
        finds = search(words)
        for find in finds[:_MAX_FOUND]:
            of_page = title_of(find.page.name)
            is_top = find.section is find.page.sections[0]
            item = QListWidgetItem(of_page if is_top else labelled(of_page, find.section.title))
            item.setData(_NAME, find.place)
            item.setData(PURPOSE, find.snippet)
            item.setToolTip(find.snippet)
            self.found.addItem(item)
        said = counted(len(finds), "place") if finds else tr("Nothing found.")
        if finds and not finds[0].has_all:
            said = tr("No place has all words; these have some.")
        self._count.setText(said)

    @Slot()
    def _open_first(self) -> None:
        self.show_found()
        if self.found.count():
            self.found.setCurrentRow(0)
            self.found.setFocus()
            self._choose_found(self.found.item(0))

    @Slot()
    def _to_list(self) -> None:
        """Give the keyboard to the list below the field."""
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


class ManualWindow(QWidget):
    """The window of the manual, with a history of the pages that were read."""

    def __init__(self, parent: QWidget, settings: Settings) -> None:
        super().__init__(parent, Qt.WindowType.Window, windowTitle=tr("Manual"))
        self.setObjectName("manual_window")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._home, self._settings = parent, settings
        self._visited: list[tuple[str, int]] = []  # visited places, each with its scroll position
        self._at = -1
        self.contents = ContentsPanel(self)
        self.contents.page_chosen.connect(self.open)
        self.browser = PageBrowser(self)
        self.browser.link_followed.connect(self._follow)
        self._back = IconButton("back", "manual_back", tr("Back"), tr("Back (Alt+Left)"), self)
        self._forward = IconButton(
            "forward", "manual_forward", tr("Forward"), tr("Forward (Alt+Right)"), self
        )
        self._back.clicked.connect(self.go_back)
        self._forward.clicked.connect(self.go_forward)
        self.title = ElidedLabel(self, role="muted")
        self._lay_out()
        self._bind_keys()
        self._layout = KeptLayout(settings, "manual", self, columns=self._columns)

    @property
    def place(self) -> str:
        """Place that was opened last, ``page`` or ``page#anchor``; '' before the first."""
        return self._visited[self._at][0] if self._visited else ""

    def bring(self, place: str = "") -> None:
        """Open a place in front of the other windows; '' for the page read last."""
        self._stay_before(QApplication.activeModalWidget())
        # A page knows its width only while it is shown.
        show_in_front(self)
        self.open(place or self.place or FIRST)
        self.browser.setFocus()

    @Slot(str)
    @Slot(str, str)
    def open(self, place: str, words: str = "") -> None:
        """Open ``page`` or ``page#anchor``; words: words to highlight."""
        if place.partition("#")[0] not in names():
            place = FIRST
        if place != self.place:
            self._note_scroll()
            self._visited = [*self._visited[: self._at + 1], (place, 0)]
            self._at = len(self._visited) - 1
        self._show(place, words)

    @Slot()
    def go_back(self) -> None:
        self._go(self._at - 1)

    @Slot()
    def go_forward(self) -> None:
        """Show the next place, after going back."""
        self._go(self._at + 1)

    def take_over(self, before: "ManualWindow") -> None:
        """Show the page, the way to it and the search of another window; called when shown."""
        before._note_scroll()
        carry_values(before, self)
        self.contents.show_found()
        self._visited, self._at = before._visited, before._at
        self._show_visited()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._layout.keep()
        super().closeEvent(event)

    def _go(self, at: int) -> None:
        if 0 <= at < len(self._visited):
            self._note_scroll()
            self._at = at
            self._show_visited()

    def _show_visited(self) -> None:
        """Show the current one of the visited places, as far down as it was read."""
        place, scrolled = self._visited[self._at]
        self._show(place)
        self.browser.verticalScrollBar().setValue(scrolled)

    def _note_scroll(self) -> None:
        if self._visited:
            self._visited[self._at] = (self.place, self.browser.verticalScrollBar().value())

    def _show(self, place: str, words: str = "") -> None:
        name, _, anchor = place.partition("#")
        self.browser.show_page(name, anchor, words)
        self.contents.show_page(name)
        assert self.browser.page is not None
        self.title.setText(self.browser.page.title)
        self._back.setEnabled(self._at > 0)
        self._forward.setEnabled(self._at + 1 < len(self._visited))

    @Slot(str)
    def _follow(self, address: str) -> None:
        """Open a page here, or another address with the system's program."""
        path, _, anchor = address.partition("#")
        if path.endswith(".md") and path.removesuffix(".md") in names():
            self.open(f"{path.removesuffix('.md')}#{anchor}".rstrip("#"))
        elif QUrl(address).scheme():
            QDesktopServices.openUrl(QUrl(address))
        else:
            file = Path(str(folder())) / path
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.resolve())))

    def _stay_before(self, dialog: QWidget | None) -> None:
        """Become a child of a modal dialog while it is open."""
        owner = self._home if dialog is None else dialog
        if owner is self.parentWidget() or owner is self:
            return
        if dialog is not None:
            # Before the dialog deletes its children.
            finished = getattr(dialog, "finished", None)
            if finished is not None:
                finished.connect(self._go_home)
        self._set_owner(owner)

    @Slot()
    def _go_home(self) -> None:
        self._set_owner(self._home)

    def _set_owner(self, owner: QWidget) -> None:
        is_shown, place = self.isVisible(), self.geometry()
        self.setParent(owner, Qt.WindowType.Window)
        self.setGeometry(place)
        self.setVisible(is_shown)

    def _bind_keys(self) -> None:
        for key, done in (
            ("Alt+Left", self.go_back),
            ("Alt+Right", self.go_forward),
            ("Ctrl+F", self._focus_search),
            ("F1", self._focus_search),
            ("Esc", self._leave),
        ):
            QShortcut(QKeySequence(key), self, done)

    @Slot()
    def _focus_search(self) -> None:
        self.contents.field.setFocus()
        self.contents.field.selectAll()

    @Slot()
    def _leave(self) -> None:
        """Clear the search, or close the window."""
        if self.contents.words:
            self.contents.field.clear()
        else:
            self.close()

    def _lay_out(self) -> None:
        left = Card(self)
        column_layout(left, (12, 12, 8, 8)).addWidget(self.contents)
        right = Card(self)
        bar = row_layout(None, (10, 8, 16, 0), 2, self._back, self._forward, 10, (self.title, 1))
        column_layout(right, (0, 0, 4, 8), 4, bar, (self.browser, 1))
        self._columns = parted(Qt.Orientation.Horizontal, self, (left, 0), (right, 1))
        self._columns.setSizes([_LEFT, SIZE[0] - _LEFT])
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, 16).addWidget(self._columns)
        column_layout(self, 0, 0).addWidget(ground, 1)
