"""A lesson on one long page: text, pictures, buttons and questions below each other."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from tilelab.gui.learn.lessons.prose import LessonPicture, LessonText
from tilelab.gui.learn.lessons.question_card import QuestionCard
from tilelab.gui.learn.lessons.set_up import described
from tilelab.gui.widgets.parts import calling, column_layout, push_button, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.lessons.lesson import Block, Lesson, LessonRun, Picture, Question, Text


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
