"""Three things to try, shown next to the board at the very first start and from the menu."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.run.messages import Pending
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.manual_link import open_manual, set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    ButtonRow,
    Card,
    IconButton,
    calling,
    column_layout,
    push_button,
    row_layout,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import scrolled
from tilelab.runs.actions import State

TASKS = (
    (
        "words",
        marked("Pack my own words"),
        marked(
            "Type a list of words. Annealing packs them into a board of letters that you can print."
        ),
        "start#pack-my-own-words",
    ),
    (
        "fifteen",
        marked("Solve a fifteen puzzle"),
        marked(
            "Type the numbers of your puzzle, or take the one on the screen. TileLab finds the "
            "shortest solution and plays it."
        ),
        "start#solve-a-fifteen-puzzle",
    ),
    (
        "race",
        marked("Compare two solvers"),
        marked("Let two solvers run side by side on the board that is shown."),
        "start#compare-two-solvers",
    ),
)
"""Key, title, description and place in the manual of each task."""
_PREPARATIONS = (Pending.PUZZLE, Pending.OPENING, Pending.RUN)
"""Preparations of a page that only the user starts."""


class FirstSteps(QObject):
    """Shows the card in place of the result until the user does something on the page."""

    def __init__(self, tasks: Mapping[str, Callable[[], object]], parent: QWidget) -> None:
        """tasks: functions that start each of :data:`TASKS`, by its key."""
        super().__init__(parent)
        self._tasks = tasks
        self._page: PuzzlePage | None = None
        self.card: StepsCard | None = None  # card that is shown; None while it is closed
        self._is_starting = False  # whether a task is being started, perhaps on another page

    @property
    def is_open(self) -> bool:
        return self.card is not None

    def open(self, page: PuzzlePage) -> None:
        """Show the card next to a page's board."""
        self.close()
        self._page, self.card = page, StepsCard()
        self.card.closed.connect(self.close)
        self.card.asked.connect(self._begin)
        page.run.status_changed.connect(self._follow)
        page.panel.edited.connect(self.close)
        page.show_at_side(self.card, tr("First steps"))

    @Slot(object)
    def follow_page(self, page: PuzzlePage) -> None:
        """Move the card to another page if a task has shown it; close it otherwise."""
        if self._is_starting and self.card is not None:
            self.open(page)
        else:
            self.close()

    def has_begun(self, page: PuzzlePage) -> bool:
        """Return whether the user has started a run, or is loading something."""
        status = page.run.status
        return status.state is not State.READY or status.pending in _PREPARATIONS

    @Slot()
    def close(self) -> None:
        """Show the result in its place again."""
        page, shown = self._page, self.card
        self._page = self.card = None
        if page is not None and shown is not None:
            page.run.status_changed.disconnect(self._follow)
            page.panel.edited.disconnect(self.close)
            had_focus = shown.isAncestorOf(shown.window().focusWidget() or shown.window())
            page.show_result()
            shown.deleteLater()
            if had_focus:
                page.face.take_focus()

    @Slot()
    def _follow(self) -> None:
        """Close the card when a run starts or another board is loaded."""
        if self._page is not None and self.has_begun(self._page):
            self.close()

    @Slot(str)
    def _begin(self, key: str) -> None:
        # Start the task after the click, because its dialog may wait for an answer.
        QTimer.singleShot(0, self, calling(self._start, key))

    def _start(self, key: str) -> None:
        """Start a task; the card remains until the user has answered its dialog."""
        self._is_starting = True
        try:
            self._tasks[key]()
        finally:
            self._is_starting = False


class StepsCard(Card):
    """A card of three tasks, each with a button and a link to the manual."""

    asked = Signal(str)  # emitted with the key of a task to start
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, "first_steps", tr("First steps"))
        set_manual_place(self, "start")
        tip = tr("Close the first steps (Esc)")
        close = IconButton("close", "close_first_steps", tr("Close the first steps"), tip, self)
        close.clicked.connect(self.closed)
        title = text_label("title", self, tr("First steps"), wraps=True)
        heading = row_layout(None, (16, 12, 10, 8), 8, (title, 1), close)
        ground = QWidget(self)
        set_role(ground, "page")
        words = tr(
            "TileLab makes boards full of words and solves sliding puzzles, and you watch how "
            "it searches. Here are three things to try."
        )
        purpose = text_label("small", ground, words, wraps=True)
        tasks = [self._task(key, tr(name), tr(what), place) for key, name, what, place in TASKS]
        tip = tr("Open the manual with pictures of each step (F1)")
        more = push_button(tr("The first five minutes"), "first_minutes", tip, ground)
        more.clicked.connect(calling(open_manual, more))
        words = tr("In the Help menu: First steps, Manual (F1), Lessons (F2).")
        hint = text_label("small", ground, words, wraps=True)
        column_layout(ground, (16, 0, 16, 16), 12, purpose, *tasks, more, hint, STRETCH)
        column_layout(self, 0, 0, heading, (scrolled(ground, self), 1))

    def _task(self, key: str, title: str, words: str, place: str) -> QWidget:
        well = Card(self)
        set_role(well, "well")
        set_manual_place(well, place)
        said = text_label("muted", well, words, wraps=True)
        begin = small_button(tr("Try it"), f"try_{key}", words, well, calling(self.asked.emit, key))
        begin.setAccessibleName(tr("Try it: {title}", title=title))
        how = small_button(
            tr("Step by step"), f"how_{key}", tr("Open the manual at this task"), well
        )
        how.setAccessibleName(tr("Step by step: {title}", title=title))
        how.clicked.connect(calling(open_manual, how))
        buttons = ButtonRow(begin, how)
        buttons.addStretch(1)
        column_layout(well, 12, 8, text_label("strong", well, title), said, buttons)
        return well
