"""The card of the lessons: a list of them, the one that is read, and the way to the next one."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.learn.lessons.prose import LessonPicture, LessonText
from tilelab.gui.learn.lessons.question_card import QuestionCard
from tilelab.gui.learn.lessons.set_up import described
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import (
    IconButton,
    calling,
    column_layout,
    push_button,
    row_layout,
    rule_line,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, set_role, set_style_property
from tilelab.lessons.lesson import Block, Lesson, LessonRun, Picture, Question, Text
from tilelab.lessons.reading import LessonError, Lessons, read_lesson

READ, LAST = "lessons/read", "lessons/last"
"""Under which names the settings keep the keys of lessons."""
LEAST_WIDTH = 280


class LessonPage(QWidget):
    """Shows all of a lesson; it is put into something that scrolls."""

    run_asked = Signal(object)
    """A LessonRun that shall be set up."""
    answered = Signal(object)
    """The QuestionCard whose answer is shown."""

    def __init__(self, lesson: Lesson, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lesson = lesson
        set_role(self, "page")
        self._whole = column_layout(self, (16, 4, 16, 12), 12)
        heading = text_label("large", self, lesson.header.title)
        heading.setWordWrap(True)
        self._whole.addWidget(heading)
        for number, block in enumerate(lesson.blocks):
            self._whole.addWidget(self._shown(block, number))
        self._whole.addStretch(1)

    def _shown(self, block: Block, number: int) -> QWidget:
        if isinstance(block, Text):
            return LessonText(block.markdown, self)
        if isinstance(block, Picture):
            return LessonPicture(self.lesson, block, self)
        if isinstance(block, Question):
            card = QuestionCard(block, self)
            card.answered.connect(calling(self.answered.emit, card))
            return card
        return self._run_button(block, number)

    def _run_button(self, run: LessonRun, number: int) -> QWidget:
        whole = QWidget(self)
        words = described(run)
        button = push_button(run.block.title, f"lesson_run_{number}", "", whole)
        button.setAccessibleDescription(words)
        button.clicked.connect(calling(self.run_asked.emit, run))
        below = text_label("small", whole, words)
        below.setObjectName(f"lesson_run_{number}_words")
        below.setWordWrap(True)
        column = column_layout(whole, 0, 3)
        column.addWidget(button)
        column.addWidget(below)
        return whole


class LessonPanel(QFrame):
    """Shows a lesson at a time, and remembers which were read to their end."""

    run_asked = Signal(object)
    """A LessonRun that shall be set up."""
    closed = Signal()
    """The user does not want to see lessons any more."""

    def __init__(self, lessons: Lessons, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lessons, self._settings = lessons.lessons, settings
        self.setObjectName("lesson_panel")
        set_style_property(self, "card", True)
        self.setAccessibleName(tr("Lessons"))
        set_manual_place(self, "watching#for-a-class")
        keep_scaled(self, least_width=LEAST_WIDTH)
        self.page: LessonPage | None = None
        """The lesson that is shown."""
        self.list = ElidedComboBox(self)
        self.list.setObjectName("lesson_list")
        self.list.setAccessibleName(tr("Lesson"))
        self.list.setSizeAdjustPolicy(
            self.list.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.list.activated.connect(self._chosen)
        tip = tr("Close the lessons (Esc)")
        self._close = IconButton("close", "close_lessons", tr("Close the lessons"), tip, self)
        self._close.clicked.connect(self.closed)
        self.errors = text_label("error", self)
        self.errors.setObjectName("lesson_errors")
        self.errors.setWordWrap(True)
        self._errors = lessons.errors
        """About lessons of the folders that cannot be read."""
        self._show_errors(self._errors)
        self._ground = QScrollArea(self)
        self._back = push_button(tr("Back"), "lesson_back", tr("The lesson before"), self)
        self._next = push_button(tr("Next"), "lesson_next", tr("The next lesson"), self)
        self._back.clicked.connect(self._go_back)
        self._next.clicked.connect(self._go_on)
        self._said = text_label("small", self)
        self._said.setWordWrap(True)
        self._lay_out()
        escape = QShortcut(QKeySequence("Esc"), self, self.closed.emit)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._fill_list()
        self.show_lesson(settings.text(LAST))

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is shown."""
        return None if self.page is None else self.page.lesson

    @property
    def read(self) -> frozenset[str]:
        """The keys of the lessons that were read."""
        return frozenset(self._settings.lines(READ))

    def show_lesson(self, key: str) -> None:
        """Show a lesson by the name of its file without the ending; the first one for another."""
        keys = [lesson.key for lesson in self._lessons]
        if keys:
            self._show(keys.index(key) if key in keys else 0)

    def add(self, file: Path) -> None:
        """Show a lesson that stands elsewhere, or say what is wrong with it."""
        try:
            lesson = read_lesson(file.absolute(), is_own=True)
        except LessonError as error:
            self._show_errors((*self._errors, str(error)))
            return
        places = [(one.folder, one.key) for one in self._lessons]
        place = (lesson.folder, lesson.key)
        if place not in places:
            self._lessons = (*self._lessons, lesson)
            self._fill_list()
            places.append(place)
        self._show(places.index(place))

    def _show_errors(self, errors: tuple[str, ...]) -> None:
        self.errors.setText("\n".join(errors))
        self.errors.setVisible(bool(errors))

    @Slot(object)
    def show_set_up(self, run: LessonRun) -> None:
        """Say that a run is set up, and how it is begun."""
        what = tr("runs; F5 stops it") if run.block.begins else tr("is ready: GO (F5) or STEP (F6)")
        self._said.setText(f"“{run.block.title}” {what}.")
        self._said.show()

    def take_focus(self) -> None:
        """Give the keyboard to the lesson, whose text the arrow keys move then."""
        self._ground.setFocus()

    def _show(self, place: int) -> None:
        lesson = self._lessons[place]
        self._show_errors(self._errors)
        self.page = LessonPage(lesson)
        self.page.run_asked.connect(self.run_asked)
        self.page.answered.connect(self._answered)
        self._ground.setWidget(self.page)
        self._said.hide()
        self.list.setCurrentIndex(place)
        self._back.setEnabled(place > 0)
        self._next.setText(tr("Next") if place + 1 < len(self._lessons) else tr("Done"))
        self._settings.set_text(LAST, lesson.key)

    def _fill_list(self) -> None:
        """Name all lessons, and which of them were read."""
        chosen = self.list.currentIndex()
        self.list.clear()
        for number, lesson in enumerate(self._lessons, 1):
            own = tr(" (your own)") if lesson.is_own else ""
            mark = tr("  ✓ read") if lesson.key in self.read else ""
            self.list.addItem(f"{number}  {lesson.header.title}{own}{mark}")
            self.list.setItemData(
                number - 1, lesson.header.summary, Qt.ItemDataRole.AccessibleDescriptionRole
            )
            self.list.setItemData(number - 1, lesson.header.summary, Qt.ItemDataRole.ToolTipRole)
        self.list.setCurrentIndex(chosen)

    @Slot(int)
    def _chosen(self, place: int) -> None:
        self._show(place)

    @Slot()
    def _go_back(self) -> None:
        self._show(self.list.currentIndex() - 1)
        self.take_focus()

    @Slot()
    def _go_on(self) -> None:
        self._mark_read()
        place = self.list.currentIndex() + 1
        if place < len(self._lessons):
            self._show(place)
            self.take_focus()
        else:
            self.closed.emit()

    @Slot(object)
    def _answered(self, card: QuestionCard) -> None:
        self._mark_read()
        # Only when it has the room for its answer can it be scrolled to.
        QTimer.singleShot(0, card, lambda: self._ground.ensureWidgetVisible(card))

    @Slot()
    def _mark_read(self) -> None:
        lesson = self.lesson
        if lesson is not None and lesson.key not in self.read:
            self._settings.set_lines(READ, sorted({*self.read, lesson.key}))
            self._fill_list()

    def _lay_out(self) -> None:
        self._ground.setWidgetResizable(True)
        self._ground.setFrameShape(QFrame.Shape.NoFrame)
        self._ground.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._ground.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._ground.setAccessibleName(tr("Lesson"))
        heading = row_layout(margins=(16, 12, 10, 8), spacing=8)
        heading.addWidget(self.list, 1)
        heading.addWidget(self._close)
        self._said.setContentsMargins(16, 0, 16, 0)
        self.errors.setContentsMargins(16, 0, 16, 0)
        below = row_layout(margins=(16, 0, 16, 0), spacing=8)
        below.addWidget(self._back)
        below.addStretch(1)
        below.addWidget(self._next)
        whole = column_layout(self, (0, 0, 0, 12), 8)
        whole.addLayout(heading)
        whole.addWidget(self.errors)
        whole.addWidget(self._ground, 1)
        whole.addWidget(rule_line(self))
        whole.addWidget(self._said)
        whole.addLayout(below)
