"""The card of the lessons: a list, the current lesson, and a button to the next one."""

import math
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QObject, QRectF, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QTextBrowser,
    QWidget,
)

from tilelab import catalog
from tilelab.core.text.language import ENGLISH, language, tr
from tilelab.gui.learn.prose import blocks, parts, write_markdown
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.elided import ElidedComboBox, WrappedButton
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    IconButton,
    after_first_paint,
    calling,
    column_layout,
    named,
    push_button,
    row_layout,
    rule_line,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_themed,
    scaled,
    set_role,
    text_font,
    tokens,
)
from tilelab.lessons.lesson import (
    Block,
    Illustration,
    Lesson,
    LessonRun,
    Paragraphs,
    Question,
    RunBlock,
)
from tilelab.lessons.lesson_files import LessonError, Lessons, read_lesson
from tilelab.runs.actions import State

READ, LAST = "lessons/read", "lessons/last"  # names of the settings that hold keys of lessons
_LINE_PERCENT, _PARAGRAPH_SPACE = 128, 9
_WIDEST_PICTURE = 440
_AROUND = 60  # room in pixels for the text around a run that was set up


class LessonText(QTextBrowser):
    """A text of Markdown paragraphs that does not scroll by itself."""

    def __init__(self, markdown: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._markdown = markdown
        self.setObjectName("lesson_text")
        set_role(self, "prose")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The keyboard scrolls the whole lesson; the mouse selects text.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Text of the lesson"))
        keep_themed(self, self._write)

    def heightForWidth(self, width: int) -> int:
        # A copy, because the document itself has the width of the text on the screen.
        whole = self.document().clone(self)
        whole.setTextWidth(width)
        height = math.ceil(whole.size().height())
        whole.deleteLater()
        return height

    def _write(self) -> None:
        document = self.document()
        document.setDefaultFont(text_font())
        write_markdown(document, self._markdown)
        _space_lines(document)
        self.updateGeometry()


def _space_lines(document: QTextDocument) -> None:
    """Set the spacing of lines and paragraphs, and the sizes of headings."""
    cursor = QTextCursor(document)
    for block in blocks(document):
        looks = QTextBlockFormat()
        looks.setLineHeight(
            _LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        )
        looks.setTopMargin(0)
        looks.setBottomMargin(scaled(_PARAGRAPH_SPACE) if block.next().isValid() else 0)
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(looks)
        strong = QTextCharFormat()
        # The program's font has a single bold weight; Qt would smear others.
        strong.setFontWeight(tokens()["weights"]["strong"])
        if block.blockFormat().headingLevel():
            strong.setFont(text_font("title", strong=True))
        for part in parts(block):
            if part.is_strong:
                part.select(cursor)
                cursor.mergeCharFormat(strong)


class LessonPicture(QWidget):
    """A picture as wide as the lesson, with a dark variant for the dark theme."""

    def __init__(self, lesson: Lesson, picture: Illustration, parent: QWidget) -> None:
        super().__init__(parent)
        self._lesson, self._picture = lesson, picture
        self._drawing: QSvgRenderer | QImage = QImage()
        named(self, "lesson_picture", picture.words, picture.words)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        keep_themed(self, self._read)

    def heightForWidth(self, width: int) -> int:
        return round(self._size(width).height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        size = self._size(self.width())
        place = QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if isinstance(self._drawing, QImage):
            painter.drawImage(place, self._drawing)
        else:
            self._drawing.render(painter, place)
        painter.end()

    def _size(self, width: int) -> QSizeF:
        drawing = self._drawing
        whole = QSizeF(drawing.size() if isinstance(drawing, QImage) else drawing.defaultSize())
        if whole.isEmpty():
            return QSizeF(0, 0)
        return whole * (min(width, scaled(_WIDEST_PICTURE)) / whole.width())

    def _read(self) -> None:
        try:
            data = self._lesson.picture(
                self._picture, "dark" if current_theme().is_dark else "light"
            )
        except OSError:
            data = b""  # the file existed when the lesson was read
        is_drawn = self._picture.file.lower().endswith(".svg")
        self._drawing = QSvgRenderer(QByteArray(data)) if is_drawn else QImage.fromData(data)
        self.updateGeometry()
        self.update()


class QuestionCard(QFrame):
    """A question whose answer is shown on request."""

    answered = Signal()  # emitted when a choice is checked or the answer is shown

    def __init__(self, question: Question, parent: QWidget) -> None:
        super().__init__(parent)
        self._question = question
        self.setObjectName("question_card")
        set_role(self, "well")
        self.choices = QButtonGroup(self)  # radio buttons, numbered from 1
        choices = [self._choice(number, text) for number, text in enumerate(question.choices, 1)]
        # After the choices in the Tab order.
        self.check = push_button("", "show_answer", "", self, self._check_choice)
        self.check.setEnabled(not question.choices)
        self.verdict = text_label("accent", self, wraps=True)
        self.verdict.hide()
        self.answer = LessonText(question.answer, self)
        self.answer.hide()
        heading, text = text_label("accent", self, tr("Question")), LessonText(question.text, self)
        check = self.check, 0, Qt.AlignmentFlag.AlignLeft
        column_layout(self, 12, 8, heading, text, *choices, check, self.verdict, self.answer)
        self.choices.idToggled.connect(self._chosen)
        self._name_check()

    def take_over(self, before: "QuestionCard") -> None:
        """Choose what another card chose, and show the answer if it does."""
        if before.choices.checkedId() > 0:
            self.choices.button(before.choices.checkedId()).setChecked(True)
        if not before.verdict.isHidden():
            self._show_verdict()
        if before.shows_answer:
            self._show_answer()

    def _choice(self, number: int, text: str) -> QWidget:
        """Make a choice with a wrapped text; a radio button's own text is not wrapped."""
        line = QWidget(self)
        button = named(QRadioButton(line), f"choice_{number}", text)
        label = QLabel(text, line, wordWrap=True)
        label.installEventFilter(_Clicks(button))
        self.choices.addButton(button, number)
        row_layout(line, 0, 4, (button, 0, Qt.AlignmentFlag.AlignTop), (label, 1))
        return line

    @Slot(int, bool)
    def _chosen(self, _number: int, is_chosen: bool) -> None:
        if is_chosen:
            self.check.setEnabled(True)
            # The remark belongs to another choice.
            self.verdict.hide()
            self.answer.hide()
            self._name_check()

    @property
    def shows_answer(self) -> bool:
        """Whether the answer was found, or requested."""
        return not self.answer.isHidden()

    @property
    def _is_said_wrong(self) -> bool:
        """Whether the card says that the choice is wrong."""
        return not self.verdict.isHidden() and self.choices.checkedId() != self._question.right

    def _name_check(self) -> None:
        checks = self._question.choices and not self._is_said_wrong
        self.check.setText(tr("Check") if checks else tr("Show the answer"))

    @Slot()
    def _check_choice(self) -> None:
        """Say whether the choice is right; show the answer to a right one, or if asked again."""
        shows_answer = self._question.right is None or self._is_said_wrong
        if not shows_answer:
            shows_answer = self._show_verdict()
        if shows_answer:
            self._show_answer()
            QAccessible.updateAccessibility(QAccessibleEvent(self.answer, QAccessible.Event.Alert))
        else:
            announce(self, self.verdict.text())
        self.answered.emit()

    def _show_verdict(self) -> bool:
        """Show whether the choice is right, and return it."""
        is_right = self.choices.checkedId() == self._question.right
        self.verdict.setText(tr("Right.") if is_right else tr("Not this one. Try again."))
        set_role(self.verdict, "accent" if is_right else "warning")
        self.verdict.show()
        self._name_check()
        return is_right

    def _show_answer(self) -> None:
        self.answer.show()
        said = f"{self.verdict.text()} {self._question.answer}".strip()
        self.answer.setAccessibleName(said)


class _Clicks(QObject):
    """An event filter: a click on a text chooses the button before it."""

    def __init__(self, button: QRadioButton) -> None:
        super().__init__(button)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._button.click()
        return False


def described(run: LessonRun) -> str:
    """Describe in one line what a button sets up."""
    block = run.block
    puzzle = catalog.puzzle(block.puzzle).spec.title
    solver = catalog.solver(block.puzzle, block.solver_key).spec.title
    return f"{puzzle}, {solver}"


def _state_words(block: RunBlock, state: State) -> str:
    """Return the state of a run that a button has set up, and its keys; '' once it has ended."""
    title = block.title
    if block.compare is not None:
        return tr("“{title}” is in the window Compare.", title=title)
    if state is State.RUNNING or (state is State.READY and block.begins):
        return tr("“{title}” is running; F5 stops it.", title=title)
    if state is State.READY:
        return tr("“{title}” is ready: GO (F5) or STEP (F6).", title=title)
    if state is State.PAUSED:
        return tr("“{title}” is paused: RESUME (F5) or STEP (F6).", title=title)
    return ""


class LessonPage(QWidget):
    """The contents of a lesson, for a scroll area."""

    run_requested = Signal(object)  # emitted with a LessonRun to set up
    exercise_requested = Signal(object)  # emitted with a LessonRun whose exercise is printed
    answered = Signal(object)  # emitted with the QuestionCard that was answered

    def __init__(self, lesson: Lesson, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lesson = lesson
        self.requested: QWidget | None = None  # part with the run that was set up last
        set_role(self, "page")
        heading = text_label("large", self, lesson.header.title, wraps=True)
        self.parts: list[QWidget] = [heading]  # from top to bottom
        if language() != ENGLISH and not lesson.is_own:
            said = tr("This lesson is in English.")
            self.parts.append(text_label("muted", self, said, wraps=True))
        self.parts += [self._shown(block, number) for number, block in enumerate(lesson.blocks)]
        column_layout(self, (16, 4, 16, 12), 12, *self.parts, STRETCH)

    def _shown(self, block: Block, number: int) -> QWidget:
        if isinstance(block, Paragraphs):
            return LessonText(block.markdown, self)
        if isinstance(block, Illustration):
            return LessonPicture(self.lesson, block, self)
        if isinstance(block, Question):
            card = QuestionCard(block, self)
            card.answered.connect(calling(self.answered.emit, card))
            return card
        return self._run_button(block, number)

    def _request(self, run: LessonRun, part: QWidget) -> None:
        self.requested = part
        self.run_requested.emit(run)

    def _run_button(self, run: LessonRun, number: int) -> QWidget:
        whole = QWidget(self)
        words = described(run)
        button = named(WrappedButton(run.block.title, whole), f"lesson_run_{number}")
        button.setAccessibleDescription(words)
        button.clicked.connect(calling(self._request, run, whole))
        below = text_label("small", whole, words, f"lesson_run_{number}_words", wraps=True)
        column = column_layout(whole, 0, 3, button, below)
        if run.block.exercise is not None:
            tip = tr("Print boards to search by hand, and their solution")
            paper = push_button(tr("Exercise on paper…"), f"lesson_exercise_{number}", tip, whole)
            paper.clicked.connect(calling(self.exercise_requested.emit, run))
            column.addWidget(paper, 0, Qt.AlignmentFlag.AlignLeft)
        return whole


class _LessonArea(QScrollArea):
    """A scroll area that keeps its place in the text when its size or that of texts changes.

    A run that was set up stays in view.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._place: tuple[int, float, float] | None = None
        """Part of the page, share of its height, and share of the view's height where that is."""
        self._keeps_run = False  # whether a run that was set up is in view
        # The text has its height only then.
        self._settling = QTimer(self, singleShot=True, interval=0)
        self._settling.timeout.connect(self._go_back)
        self.verticalScrollBar().valueChanged.connect(self._note_place)

    def show_page(self, page: LessonPage) -> None:
        """Show another lesson from its beginning."""
        self.setWidget(page)
        self.verticalScrollBar().setValue(0)
        self._place, self._keeps_run = None, False  # those of the lesson before

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._settle()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._settle()

    @Slot()
    def _note_place(self) -> None:
        """Note the place that was scrolled to: at the end, that of the last line."""
        page, bar = self.widget(), self.verticalScrollBar()
        if self._settling.isActive() or not isinstance(page, LessonPage):
            return
        share = bar.value() / max(bar.maximum(), 1)
        line = bar.value() + share * self.viewport().height()
        number = max(sum(part.y() <= line for part in page.parts) - 1, 0)
        part = page.parts[number]
        self._place = number, (line - part.y()) / max(part.height(), 1), share

    def _settle(self) -> None:
        page, top = self.widget(), self.verticalScrollBar().value()
        run = page.requested if isinstance(page, LessonPage) else None
        is_seen = run is not None and top <= run.y() < top + self.viewport().height()
        self._keeps_run = is_seen or (self._keeps_run and self._settling.isActive())
        self._settling.start()

    @Slot()
    def _go_back(self) -> None:
        page, place = self.widget(), self._place
        if not isinstance(page, LessonPage):
            return
        if place is not None:
            number, within, share = place
            part = page.parts[number]
            line = part.y() + within * part.height()
            self.verticalScrollBar().setValue(round(line - share * self.viewport().height()))
            self._place = place  # a text of this size may end before it
        if self._keeps_run and page.requested is not None:
            self.ensureWidgetVisible(page.requested, 0, _AROUND)


class LessonPanel(Card):
    """A panel that shows one lesson, and remembers which were read to the end."""

    run_requested = Signal(object)  # emitted with a LessonRun to set up
    exercise_requested = Signal(object)  # emitted with a LessonRun whose exercise is printed
    closed = Signal()  # emitted when the user closes the lessons

    def __init__(self, lessons: Lessons, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent, "lesson_panel", tr("Lessons"))
        self._lessons, self._settings = lessons.lessons, settings
        set_manual_place(self, "watching#for-a-class")
        self.page: LessonPage | None = None  # lesson that is shown
        self._run: LessonRun | None = None  # run of this lesson that was set up last
        self.list = named(ElidedComboBox(self), "lesson_list", tr("Lesson"))
        self.list.setSizeAdjustPolicy(
            self.list.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.list.activated.connect(self._show)
        tip = tr("Close the lessons (Esc)")
        self._close = IconButton("close", "close_lessons", tr("Close the lessons"), tip, self)
        self._close.clicked.connect(self.closed)
        self.errors = text_label("error", self, "", "lesson_errors", wraps=True)
        self._errors = lessons.errors  # errors of lessons that cannot be read
        self._show_errors(self._errors)
        self._ground = _LessonArea(self)
        self._back = push_button(tr("Back"), "lesson_back", tr("Previous lesson"), self)
        self._next = push_button(tr("Next"), "lesson_next", tr("Next lesson"), self)
        self._back.clicked.connect(self._go_back)
        self._next.clicked.connect(self._continue)
        self._said = text_label("small", self, wraps=True)
        keep_themed(self._said, self._fit_said)
        self._lay_out()
        self._fill_list()
        self.show_lesson(settings.text(LAST))

    @property
    def lesson(self) -> Lesson | None:
        return None if self.page is None else self.page.lesson

    @property
    def read(self) -> frozenset[str]:
        """Keys of the lessons that were read."""
        return frozenset(self._settings.lines(READ))

    def show_lesson(self, key: str) -> None:
        """Show a lesson by its file name without the ending; unknown names show the first."""
        keys = [lesson.key for lesson in self._lessons]
        if keys:
            self._show(keys.index(key) if key in keys else 0)

    def take_over(self, before: "LessonPanel") -> None:
        """Show the same part of the same lesson as another panel, with its choices."""
        cards = self._ground.findChildren(QuestionCard)
        # The file may have been edited in the meantime.
        for card, other in zip(cards, before._ground.findChildren(QuestionCard), strict=False):
            card.take_over(other)
        place = before._ground.verticalScrollBar().value()
        # The text has its height only then.
        after_first_paint(self, lambda: self._ground.verticalScrollBar().setValue(place))

    def add(self, file: Path) -> None:
        """Show a lesson from another file, or its error."""
        try:
            lesson = read_lesson(file.absolute(), is_own=True)
        except LessonError as error:
            self._show_errors((*self._errors, str(error)))
            return
        places = {one.source: place for place, one in enumerate(self._lessons)}
        place = places.get(lesson.source, len(self._lessons))
        if self._lessons[place:] and not self._lessons[place].is_own:
            lesson = self._lessons[place]
        # The user may have edited the file since it was read.
        self._lessons = (*self._lessons[:place], lesson, *self._lessons[place + 1 :])
        self._fill_list()
        self._show(place)

    def _show_errors(self, errors: tuple[str, ...]) -> None:
        self.errors.setText("\n".join(errors))
        self.errors.setVisible(bool(errors))

    def set_up(self, run: LessonRun) -> None:
        """Note that a run of the lesson is set up; :meth:`show_state` shows its state."""
        self._run = run

    def show_state(self, state: State | None) -> None:
        """Show the state of the run that is set up; None if another puzzle is shown."""
        text = ""
        if self._run is not None and state is not None:
            text = _state_words(self._run.block, state)
        self._said.setText(text)
        # Once a run is set up, the line has its room while it says nothing, too.
        policy = self._said.sizePolicy()
        policy.setRetainSizeWhenHidden(self._run is not None)
        self._said.setSizePolicy(policy)
        self._said.setVisible(bool(text))

    def _fit_said(self) -> None:
        """Keep two lines, so that the text of the lesson keeps its height in most states."""
        self._said.setMinimumHeight(2 * self._said.fontMetrics().lineSpacing())

    def take_focus(self) -> None:
        """Give the keyboard to the lesson, so that the arrow keys scroll it."""
        self._ground.setFocus()

    @Slot(int)
    def _show(self, place: int) -> None:
        lesson = self._lessons[place]
        self._show_errors(self._errors)
        self.page = LessonPage(lesson)
        self.page.run_requested.connect(self.run_requested)
        self.page.exercise_requested.connect(self.exercise_requested)
        self.page.answered.connect(self._answered)
        self._ground.show_page(self.page)
        # Tab goes through the lesson, and then to the buttons below it.
        tab = Qt.FocusPolicy.TabFocus
        parts = [part for part in self.page.findChildren(QWidget) if part.focusPolicy() & tab]
        for one, following in pairwise([*parts[-1:], self._back, self._next]):
            QWidget.setTabOrder(one, following)
        self._run = None
        self.show_state(None)
        self.list.setCurrentIndex(place)
        self._back.setEnabled(place > 0)
        self._next.setText(tr("Next") if place + 1 < len(self._lessons) else tr("Done"))
        self._settings.set_text(LAST, lesson.key)

    def _fill_list(self) -> None:
        """List all lessons, and mark those that were read."""
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

    @Slot()
    def _go_back(self) -> None:
        self._show(self.list.currentIndex() - 1)
        self.take_focus()

    @Slot()
    def _continue(self) -> None:
        self._mark_read()
        place = self.list.currentIndex() + 1
        if place < len(self._lessons):
            self._show(place)
            self.take_focus()
        else:
            self.closed.emit()

    @Slot(object)
    def _answered(self, card: QuestionCard) -> None:
        if card.shows_answer:
            self._mark_read()
        # It can be scrolled to only after the answer has its room.
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
        heading = row_layout(None, (16, 12, 10, 8), 8, (self.list, 1), self._close)
        self._said.setContentsMargins(16, 0, 16, 0)
        self.errors.setContentsMargins(16, 0, 16, 0)
        below = row_layout(None, (16, 0, 16, 0), 8, self._back, STRETCH, self._next)
        text = (self._ground, 1)
        parts = (heading, self.errors, text, rule_line(self), self._said, below)
        column_layout(self, (0, 0, 0, 12), 8, *parts)
