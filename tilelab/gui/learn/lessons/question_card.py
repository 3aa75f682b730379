"""A question of a lesson, its choices, and the answer after it."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QRadioButton, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.learn.lessons.prose import LessonText
from tilelab.gui.widgets.parts import column_layout, push_button, row_layout, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.lessons.lesson import Question


class QuestionCard(QFrame):
    """Asks, and shows the answer only when it is asked for it."""

    answered = Signal()
    """The answer is shown."""

    def __init__(self, question: Question, parent: QWidget) -> None:
        super().__init__(parent)
        self._question = question
        self.setObjectName("question_card")
        set_role(self, "well")
        self.choices = QButtonGroup(self)
        """The radio buttons, numbered from 1."""
        choices = [self._choice(number, text) for number, text in enumerate(question.choices, 1)]
        # After the choices: so comes the Tab key.
        title = tr("Check") if question.choices else tr("Show the answer")
        self.check = push_button(title, "show_answer", "", self)
        self.check.setEnabled(not question.choices)
        self.check.clicked.connect(self._show_answer)
        self.verdict = text_label("accent", self)
        self.verdict.setWordWrap(True)
        self.verdict.hide()
        self.answer = LessonText(question.answer, self)
        self.answer.hide()
        whole = column_layout(self, 12, 8)
        whole.addWidget(text_label("accent", self, tr("Question")))
        whole.addWidget(LessonText(question.text, self))
        for choice in choices:
            whole.addWidget(choice)
        whole.addWidget(self.check, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self.verdict)
        whole.addWidget(self.answer)
        self.choices.idToggled.connect(self._chosen)

    def _choice(self, number: int, text: str) -> QWidget:
        """Make a choice; a radio button's own text would not be wrapped."""
        line = QWidget(self)
        button = QRadioButton(line)
        button.setObjectName(f"choice_{number}")
        button.setAccessibleName(text)
        label = QLabel(text, line)
        label.setWordWrap(True)
        label.installEventFilter(_Clicks(button))
        self.choices.addButton(button, number)
        row = row_layout(line, 0, 4)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        return line

    @Slot(int, bool)
    def _chosen(self, _number: int, is_chosen: bool) -> None:
        if is_chosen:
            self.check.setEnabled(True)
            # What was said was said of another choice.
            self.verdict.hide()
            self.answer.hide()

    @Slot()
    def _show_answer(self) -> None:
        right = self._question.right
        if right is not None:
            is_right = self.choices.checkedId() == right
            self.verdict.setText(
                tr("Right.") if is_right else tr("Not this one. Look again, or read on:")
            )
            set_role(self.verdict, "accent" if is_right else "warning")
            self.verdict.show()
        self.answer.show()
        said = f"{self.verdict.text()} {self._question.answer}".strip()
        self.answer.setAccessibleName(said)
        QAccessible.updateAccessibility(QAccessibleEvent(self.answer, QAccessible.Event.Alert))
        self.answered.emit()


class _Clicks(QObject):
    """Lets a click on a text choose the button before it."""

    def __init__(self, button: QRadioButton) -> None:
        super().__init__(button)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._button.click()
        return False
