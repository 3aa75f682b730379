"""The dialog of a new puzzle: the words, the role of each, and the board."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter
from PySide6.QtCore import QMimeData, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.files.paths import path_text
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import one_line, shown_path
from tilelab.core.text.wording import capital, counted
from tilelab.gui.letters.lexicon_card import DroppedLine
from tilelab.gui.letters.saved_lexicon import UNTITLED
from tilelab.gui.parameters.control import WholeField, replaced_words
from tilelab.gui.puzzles.boggle.need_table import NeedTable
from tilelab.gui.puzzles.boggle.picture_shape import ask_for_shape
from tilelab.gui.puzzles.boggle.puzzle_plan import (
    COLS,
    DIFFICULTY,
    NOTHING_ELSE,
    ONCE,
    ROWS,
    RULE,
    RULES,
    SHAPE,
    SIZE,
    SMALLEST,
    STRAIGHT,
    PuzzlePlan,
    read_list,
    require_few,
    suggested_shape,
    title_of_banned,
)
from tilelab.gui.run.choices import keep_list, last_list
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.file_dialog import ask_to_open, dropped_files
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import (
    STRETCH,
    ButtonRow,
    click_with_enter,
    column_layout,
    named,
    push_button,
    row_layout,
    row_of,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import Dialog
from tilelab.letters.builtin import builtin_lexicons
from tilelab.letters.lexicon import Accents, ReadingReport, clean
from tilelab.letters.puzzle_list import Need, PuzzleList, TypedWords, listed, read_typed
from tilelab.puzzles.boggle.constraints import forbidden_inside
from tilelab.puzzles.boggle.difficulty import LEVELS
from tilelab.puzzles.boggle.masks import (
    is_shape,
    offered_shapes,
    shape_key,
    shape_rows,
    shape_text,
    share_of_cells,
)
from tilelab.puzzles.boggle.parameters import MAX_SIDE
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

_ANY_WORDS = marked("Any other words may appear")
_A_FILE = "\0file"  # data of the list entry that asks for a file or a picture
_LEXICONS = marked("Lexicons (*.txt *.gz);;All files (*)")
_HINT = marked(
    "One word per line, or separated by commas, so that “Cat and Rat” stays together. Otherwise "
    "spaces separate words."
)
NO_SHAPE = marked("The smallest board is looked for among rectangles: the shape is left out.")
_NO_CHOICE = marked("To choose this, untick “Smallest that holds all”.")
_HARDNESS = marked("How hard the words are to find, from 0 to 100")
_LEFT_BEFORE = marked(
    "These words are a draft that was not started. Ctrl+Z in their field brings back the puzzle's "
    "words."
)
_NO_LINE = marked("“{word}” has {letters}, but the longest line of this board has {cells}.")
_ONE_LETTER = marked("“{word}” has one letter: each cell with this letter is the word.")
_NO_ROOM = marked("“{word}” has {letters}, but this board has {cells}.")
_ANY_NUMBER = marked("any")


class ShapeBox(QComboBox):
    """A list of shapes; one entry asks for a picture and adds its shape to the list."""

    changed = Signal()  # emitted when another shape is chosen
    refused = Signal(str)  # emitted with the reason when a picture cannot be used

    def __init__(
        self, settings: Settings, size: Callable[[], tuple[int, int]], parent: QWidget
    ) -> None:
        """size: returns rows and columns of the board on which a picture's shape is shown."""
        super().__init__(parent)
        self._settings, self._size = settings, size
        self.cut = ""  # shape as a plan names it; '' for a rectangle
        named(self, "puzzle_shape", tr("Shape"))
        self.addItem(tr("Rectangle"), "")
        for key, cut in offered_shapes().items():
            self.addItem(capital(tr(key)), cut)
        self.addItem(tr("From a picture…"), _A_FILE)
        self.currentIndexChanged.connect(self._change)
        self.activated.connect(self._ask)

    def choose(self, shape: str) -> None:
        """Choose a shape; one that is not in the list is added. An invalid one is a rectangle."""
        if is_shape(shape) and self.findData(shape) < 0:
            key = shape_key(shape)
            title = capital(tr(key)) if key else tr("Picture")
            self.insertItem(self.count() - 1, title, shape)
        self.setCurrentIndex(max(self.findData(shape), 0))

    @Slot()
    def _change(self) -> None:
        shape = str(self.currentData())
        if shape != _A_FILE:
            self.cut = shape
            self.changed.emit()

    @Slot()
    def _ask(self) -> None:
        """Ask for a picture if that entry was chosen, and choose its shape."""
        if self.currentData() != _A_FILE:
            return
        shape, said = self.cut, ""
        try:
            mask = ask_for_shape(self.window(), self._settings, self._size())
            shape = shape if mask is None else shape_text(mask)
        except TileLabError as error:
            said = str(error)
        self.choose(shape)
        if said:
            self.refused.emit(said)


class SideField(WholeField):
    """A field of the rows or the columns of a board; 0, which is allowed at first, is any number.

    The arrows lead from any number to the likely one.
    """

    def __init__(
        self, name: str, title: str, say: Callable[[str], object], parent: QWidget
    ) -> None:
        """name: object name. say: shows the sentence about a typed number that was replaced."""
        super().__init__(parent)
        named(self, name, title)
        self.likely = 0  # likely number; 0 if it is unknown
        self.setMaximum(MAX_SIDE)
        self.allow_any(is_allowed=True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.replaced.connect(
            lambda typed, why: say(replaced_words(typed, self.text(), why)),
            Qt.ConnectionType.QueuedConnection,
        )

    def allow_any(self, *, is_allowed: bool) -> None:
        self.setMinimum(0 if is_allowed else 1)
        self.setSpecialValueText(tr(_ANY_NUMBER) if is_allowed else "")
        tip = tr("{name} of the board; 0: any number", name=self.accessibleName())
        self.setToolTip(tip if is_allowed else "")

    def stepBy(self, steps: int) -> None:
        if self.value() or not self.likely:
            super().stepBy(steps)
        else:
            self.setValue(self.likely)


class _WordsEdit(QPlainTextEdit):
    """A field of words, which also takes word files that are dropped or pasted."""

    file_given = Signal(object)
    """Emitted with the path of a file."""

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = dropped_files(source)
        for file in files:
            self.file_given.emit(file)
        if not files:
            super().insertFromMimeData(source)


class NewPuzzleDialog(Dialog):
    """The dialog that reads words while they are typed; START makes the puzzle."""

    started = Signal(object)  # emitted with a PuzzlePlan

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent, "", "new_puzzle", "puzzle-maker#words-in", (880, 640))
        self._settings = settings
        self._needs: dict[str, tuple[Need, float | None]] = {}
        """Roles and weights of strings, if chosen."""
        self._typed = TypedWords((), ReadingReport())
        self._has_own_shape = False
        self._size = (1, 1)  # chosen or suggested rows and columns
        self._is_edit = False  # whether the words are those of an earlier list
        self._is_draft = False  # whether the words are a new puzzle's that has no board yet
        self._started = ""  # words of the last START
        self._opened: _Opened | None = None
        """Words of a new puzzle that were there when the dialog was opened, until others are."""
        self._set_aside = last_list(settings, _KEPT_DRAFTS, _DRAFTS)
        """New puzzles below the list that is edited."""
        self._listed: object = None  # list that is edited, and how it is read
        self._left: tuple[object, _Draft] | None = None
        """List that was edited last without START, and what was typed then."""
        self._own_text = ""  # text of the list that is edited
        self._make_parts()
        self._lay_out()
        self.show_draft()

    def show_list(self, words: PuzzleList | None, accents: Accents | None = None) -> None:
        """Show an earlier list, with the changes that were left in it last; None for an empty one.

        accents: how it was read; None for the user's preference.
        """
        if words is not None and self._is_draft:
            self._set_aside.append(self._draft())
        self._is_draft, self._listed = words is None, (words, accents)
        draft = _as_draft(words, accents)
        self._own_text = draft.text
        self._show_choices(draft)
        self.text.setPlainText(draft.text)
        self._read()
        if self._left is not None and self._left[0] == self._listed:
            self._show_draft(self._left[1])
        self.text.setFocus()

    def show_draft(self) -> None:
        """Show the new puzzle that has no board yet, or an empty one."""
        if not self._is_draft:
            self.show_list(None)
            if self._set_aside:
                self._show_draft(self._set_aside.pop())
        self.text.setFocus()

    def take_sides(self, rows: int, cols: int) -> None:
        """Show the rows and columns of a search for the draft's board; 0 for any changes none."""
        if rows and cols and (rows, cols) != self._size:
            self._size, self._has_own_shape = (rows, cols), True
            self._check()

    def end_draft(self) -> None:
        """Forget the words that have a board now, unless they were changed after START."""
        if self.text.toPlainText() == self._started:
            self._is_draft = False
            self._keep_drafts()

    def open(self) -> None:
        self._opened = None if self._is_edit else _Opened(self._draft(), _plain(self._typed))
        super().open()

    def done(self, result: int) -> None:
        """Close, and keep what was typed for another start."""
        self._opened = None
        if self._is_edit:
            self._left = None if self._is_draft else (self._listed, self._draft())
        self._keep_drafts()
        super().done(result)

    def _keep_drafts(self) -> None:
        drafts = [*self._set_aside, self._draft()] if self._is_draft else self._set_aside
        keep_list(self._settings, _KEPT_DRAFTS, _DRAFTS, drafts)

    def take_over(self, before: "NewPuzzleDialog") -> None:
        """Take over the drafts of another dialog, if it has any, and changes left in a list."""
        self._is_draft, self._set_aside = before._is_draft, before._set_aside
        self._left = before._left
        if self._is_draft:
            self._show_draft(before._draft())

    def _draft(self) -> "_Draft":
        return _Draft(
            self.title.text(),
            self.text.toPlainText(),
            dict(self._needs),
            str(self.rule.currentData()),
            str(self.level.currentData()),
            self.shape.cut,
            str(self.nothing_else.currentData()),
            self.smallest.isChecked(),
            self._size if self._has_own_shape else None,
            self._started,
            self.folds.isChecked(),
            self._is_edit,
        )

    def _show_draft(self, draft: "_Draft") -> None:
        self._started = draft.started
        self._show_choices(draft)
        # Undo in the field brings back the words of an edited list.
        self.text.selectAll()
        self.text.insertPlainText(draft.text)

    def _show_choices(self, draft: "_Draft") -> None:
        """Show all of a draft but its words."""
        self._is_edit, self._opened = draft.is_edit, None
        self.setWindowTitle(tr("Edit these words") if draft.is_edit else tr("New puzzle"))
        with QSignalBlocker(self.folds):
            preferred = self._settings.preferences.fold_accents
            self.folds.setChecked(preferred if draft.folds is None else draft.folds)
        self.title.setText(draft.title)
        self._needs = dict(draft.needs)
        self._choose(self.rule, draft.rule)
        self._choose(self.level, draft.level)
        self.shape.choose(draft.shape)
        self.smallest.setChecked(draft.is_smallest)
        self._choose_lexicon(draft.nothing_else)
        self._has_own_shape = draft.size is not None
        if draft.size is not None:
            self._size = draft.size
        self._show_sides()

    def show_text(self, text: str, title: str = "") -> None:
        """Start with words between any separators."""
        self.show_list(None)
        self.title.setText(title)
        self.text.setPlainText(text)

    @property
    def plan(self) -> PuzzlePlan:
        """Return the plan in the dialog; raises LexiconError if it is impossible."""
        title = one_line(self.title.text().strip()) or tr(UNTITLED)
        words = PuzzleList(title, listed(self._typed, self._needs))
        made = PuzzlePlan(
            words,
            *self._size,
            str(self.rule.currentData()),
            str(self.nothing_else.currentData()),
            self._accents,
            shape=self.shape.cut,
            is_smallest=self.smallest.isChecked(),
            level="" if self.smallest.isChecked() else str(self.level.currentData()),
            has_own_size=self._has_own_shape,
        )
        # The other lexicon may be large; it is read when the puzzle is made.
        replace(made, nothing_else="").build()
        return made

    @property
    def _share(self) -> float:
        """Return the part of the rectangle that belongs to the board."""
        is_cut = self.shape.cut and not self.smallest.isChecked()
        return share_of_cells(shape_rows(self.shape.cut)) if is_cut else 1.0

    @property
    def _accents(self) -> Accents:
        return Accents.FOLD if self.folds.isChecked() else Accents.KEEP

    def _make_parts(self) -> None:
        self.text = _WordsEdit(self)
        self.text.file_given.connect(self._add_file)
        named(self.text, "puzzle_words", tr("Words"))
        self.text.setPlaceholderText(tr("Type or paste words"))
        self.text.setTabChangesFocus(True)
        self.text.textChanged.connect(self._read)
        self.folds = named(QCheckBox(tr("Fold accents (é is e)"), self), "puzzle_folds")
        self.folds.toggled.connect(self._read)
        self.count = text_label("strong", self, "", "puzzle_count")
        self.dropped = DroppedLine(self)
        self.table = NeedTable(self)
        self.table.chosen.connect(self._need)
        self.title = named(QLineEdit(self, placeholderText=tr(UNTITLED)), "puzzle_title")
        self.title.setMaxLength(80)
        self._make_board_parts()
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Cancel, self)
        tip = tr("Make the puzzle and let annealing fill the board (Ctrl+Enter)")
        self.start = push_button(tr("Start"), "puzzle_start", tip, self)
        self.start.setDefault(True)
        # A click leaves the focus in the number, so that _start sees what was typed.
        self.start.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(self.start, "primary")
        self.buttons.addButton(self.start, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._start)
        self.buttons.rejected.connect(self.reject)
        self.error = text_label("error", self, wraps=True)
        self.shape.refused.connect(self._show_error)
        click_with_enter(self, self.start)

    def _make_board_parts(self) -> None:
        self.rows = SideField("puzzle_rows", tr("Rows"), self._show_error, self)
        self.cols = SideField("puzzle_columns", tr("Columns"), self._show_error, self)
        for side in (self.rows, self.cols):
            side.valueChanged.connect(self._shape_typed)
        tip = tr("Use the size that is likely to fit all words")
        self.suggest = small_button(
            tr("Suggested"), "suggest_shape", tip, self, self._drop_own_shape
        )
        self.shape = ShapeBox(self._settings, lambda: self._size, self)
        self.shape.changed.connect(self._read)
        tip = tr("Look for the smallest board that holds all words: a rectangle")
        self.smallest = QCheckBox(tr("Smallest that holds all"), self)
        named(self.smallest, "puzzle_smallest", tip=tip)
        self.smallest.toggled.connect(self._read)
        self.rule = named(ElidedComboBox(self), "puzzle_rule", tr("Rule"))
        for key, title in RULES.items():
            self.rule.addItem(tr(title), key)
        self.rule.currentIndexChanged.connect(self._read)
        self.level = named(QComboBox(self), "puzzle_level", tr("Difficulty"), tr(_HARDNESS))
        self.level.addItem(tr("Any difficulty"), "")
        for level in LEVELS:
            self.level.addItem(capital(tr(level)), level)
        self.level.currentIndexChanged.connect(self._read)
        tip = tr(
            "A word list of which the board has no other word of three letters or more. Words "
            "inside the puzzle's own words are allowed"
        )
        self.nothing_else = named(ElidedComboBox(self), "nothing_else", tip=tip)
        self.nothing_else.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.nothing_else.addItem(tr(_ANY_WORDS), "")
        for entry in builtin_lexicons():
            self.nothing_else.addItem(title_of_banned(entry.key), entry.key)
        self.nothing_else.addItem(tr("No other word of a file…"), _A_FILE)
        self.nothing_else.activated.connect(self._lexicon_chosen)

    def _lay_out(self) -> None:
        heading = text_label("title", self, tr("Words"))
        heading.setBuddy(self.text)
        hint = text_label("small", self, tr(_HINT), wraps=True)
        line = ButtonRow(self.count, self.folds)
        line.setStretch(0, 1)
        above = _with_manual(heading, tr("Words"))
        left = column_layout(None, 0, 8, above, hint, (self.text, 1), line, self.dropped)
        purposes = text_label("title", self, tr("What each word is for"))
        above = _with_manual(purposes, tr("What each word is for"))
        how = tr("Select rows, then press M for must, N for nice or X for must not.")
        hint = text_label("small", self, how, wraps=True)
        right = column_layout(None, 0, 8, above, hint, (self.table, 1))
        upper = ButtonRow(left, right, spacing=20)
        for place, stretch in enumerate((5, 6)):
            upper.setStretch(place, stretch)
        below = row_layout(None, 0, 12, (self.error, 1), self.buttons)
        self.lay_out(20, 14, column_layout(None, 0, 14, (upper, 1), self._board_layout()), below)

    def _board_layout(self) -> QFormLayout:
        QWidget.setTabOrder(self.suggest, self.smallest)
        times, shape = text_label("muted", self, "×"), text_label("", self, tr("Shape"))
        sides = row_layout(None, 0, 8, self.rows, times, self.cols)
        shapes = row_layout(None, 0, 8, shape, self.shape)
        size = ButtonRow(sides, self.suggest, self.smallest, shapes)
        size.insertStretch(3, 1)
        form = QFormLayout(horizontalSpacing=16, verticalSpacing=8)
        form.addRow(tr("Title"), self.title)
        form.addRow(tr("Rows × columns"), size)
        level = row_layout(None, 0, 8, text_label("", self, tr("Difficulty")), self.level)
        rule = ButtonRow(self.rule, level)
        rule.setStretch(0, 1)
        form.addRow(tr("Rule"), rule)
        form.addRow(tr("Other words"), self.nothing_else)
        return form

    # Input

    @Slot()
    def _read(self) -> None:
        """Read the words again, and show the errors."""
        said = ""
        try:
            self._typed = read_typed(self.text.toPlainText(), self._accents)
        except LexiconError as error:
            self._typed, said = TypedWords((), ReadingReport()), str(error)
        self._leave_opened()
        words = listed(self._typed, self._needs)
        self.table.show_words(words)
        report = self._typed.report
        is_of_letters = all(word.string.isalpha() for word in words)
        kind = "different letter" if is_of_letters else "symbol"
        self.count.setText(
            f"{counted(report.n_strings, 'word')} · {counted(report.n_symbols, kind)}"
        )
        self.dropped.show_report(report)
        if not self._has_own_shape:
            self._suggest()
        self._check(said)

    def _leave_opened(self) -> None:
        """Drop title, size and shape of the earlier words, once others have replaced all of them.

        What was changed since the dialog was opened stays.
        """
        opened, words = self._opened, _plain(self._typed)
        if opened is None or not (words and opened.words) or words & opened.words:
            return
        self._opened, now, before = None, self._draft(), opened.draft
        if now.title == before.title:
            self.title.clear()
        if now.size == before.size:
            self._has_own_shape = False
        if now.shape == before.shape:
            self.shape.choose("")

    def _check(self, said: str = "") -> None:
        """Allow START when there is something to make."""
        is_good = False
        if not said and self._typed.words:
            try:
                is_good = bool(self.plan)
            except TileLabError as error:
                said = str(error)
        set_role(self.error, "error" if said else "muted")
        left = tr(_LEFT_BEFORE) if self._shows_left else ""
        self.error.setText(said or " ".join(filter(None, (left, self._remark()))))
        self.start.setEnabled(is_good)
        self._show_sides()
        is_smallest = self.smallest.isChecked()
        self.shape.setToolTip("")
        self.level.setToolTip(tr(_HARDNESS))
        for part in (self.rows, self.cols, self.shape, self.level):
            part.setEnabled(not is_smallest)
            if is_smallest:
                part.setToolTip(tr(_NO_CHOICE))

    @property
    def _shows_left(self) -> bool:
        """Whether the words are those that were left in the list, which has others."""
        if self._left is None or self._left[0] != self._listed:
            return False
        return self.text.toPlainText() == self._left[1].text != self._own_text

    def _remark(self) -> str:
        """Return what the puzzle will lack, or ''."""
        words = listed(self._typed, self._needs)
        allowed = [word.string for word in words if word.need is not Need.MUST_NOT]
        forbidden = [word.string for word in words if word.need is Need.MUST_NOT]
        spellings = {word.string: word.spelling for word in words}
        if blocked := forbidden_inside(allowed, forbidden, spellings):
            return blocked
        if self.smallest.isChecked():
            return tr(NO_SHAPE) if self.shape.cut else ""
        longest, rule = max(allowed, key=len, default=""), self.rule.currentData()
        if rule == STRAIGHT and len(longest) > max(self._size):
            text, cells = _NO_LINE, max(self._size)
        elif rule == ONCE and len(longest) > math.prod(self._size):
            text, cells = _NO_ROOM, math.prod(self._size)
        elif shortest := next((word for word in allowed if len(word) == 1), ""):
            return tr(_ONE_LETTER, word=shortest)
        else:
            return ""
        letters = counted(len(longest), "letter")
        return tr(text, word=longest, letters=letters, cells=counted(cells, "cell"))

    @Slot(object)
    def _add_file(self, path: Path) -> None:
        try:
            words = read_list(path, self._accents).words
            require_few(shown_path(path.name), words)
        except TileLabError as error:
            self._show_error(str(error))
            return
        self._needs.update({word.string: (word.need, word.weight) for word in words})
        self.text.insertPlainText("".join(f"{word.spelling}\n" for word in words))

    @Slot(object, object, object)
    def _need(self, strings: tuple[str, ...], need: Need, weight: float | None) -> None:
        for string in strings:
            before = self._needs.get(string, (need, None))[1]
            self._needs[string] = (need, before if weight is None else weight)
        self._read()

    @Slot()
    def _shape_typed(self) -> None:
        typed = self.rows.value(), self.cols.value()
        if any(typed):
            rows, cols = (new or now for new, now in zip(typed, self._size, strict=True))
            self._size, self._has_own_shape = (rows, cols), True
            self._check()

    @Slot()
    def _drop_own_shape(self) -> None:
        self._has_own_shape = False
        self._read()

    def _show_error(self, text: str) -> None:
        set_role(self.error, "error")
        self.error.setText(text)

    def _suggest(self) -> None:
        """Choose a size that fits the allowed words."""
        words = listed(self._typed, self._needs)
        lengths = [len(word.string) for word in words if word.need is not Need.MUST_NOT]
        rule, level = str(self.rule.currentData()), str(self.level.currentData())
        self._size = suggested_shape(lengths, rule, self._share, level)

    def _show_sides(self) -> None:
        """Show the rows and columns, or any if a search chooses them."""
        is_free = not self._has_own_shape and self.level.currentData() and not self.shape.cut
        is_any = self.smallest.isChecked() or bool(is_free)
        for box, value in zip((self.rows, self.cols), self._size, strict=True):
            with QSignalBlocker(box):
                box.likely = value
                box.allow_any(is_allowed=is_any)
                if box.value() != (0 if is_any else value):
                    box.setValue(0 if is_any else value)
        self.suggest.setEnabled(self._has_own_shape and not self.smallest.isChecked())

    @Slot()
    def _lexicon_chosen(self) -> None:
        if self.nothing_else.currentData() == _A_FILE:
            chosen = ask_to_open(self, tr("No other word of"), self._settings.folder, tr(_LEXICONS))
            self._choose_lexicon("" if chosen is None else path_text(chosen))

    def _choose_lexicon(self, name: str) -> None:
        """Choose a lexicon of forbidden words; a file is added to the list."""
        place = self.nothing_else.findData(name)
        if place < 0:
            place = self.nothing_else.count() - 1
            self.nothing_else.insertItem(place, title_of_banned(name), name)
        self.nothing_else.setCurrentIndex(place)

    @staticmethod
    def _choose(box: QComboBox, key: str) -> None:
        box.setCurrentIndex(max(box.findData(key), 0))

    @Slot()
    def _start(self) -> None:
        sides = self.rows, self.cols
        is_replaced = any(side.will_replace for side in sides)
        for side in sides:
            side.interpretText()
        if is_replaced:  # the sentence about the number is to be read first
            return
        try:
            plan = self.plan.kept()
        except TileLabError as error:
            self.error.setText(str(error))
            return
        self._is_draft, self._started = True, self.text.toPlainText()
        self.accept()
        self.started.emit(plan)


@dataclass(frozen=True)
class _Draft:
    """What was typed and chosen for a new puzzle that has no board yet."""

    title: str
    text: str
    needs: Mapping[str, tuple[Need, float | None]]
    rule: str
    level: str
    shape: str
    nothing_else: str
    is_smallest: bool
    size: tuple[int, int] | None  # chosen rows and columns; None for suggested ones
    started: str  # words of the last START
    folds: bool | None = None  # whether accents are folded; None for the user's preference
    is_edit: bool = False  # whether the words are those of an earlier list


@dataclass(frozen=True)
class _Opened:
    """A new puzzle as it was when the dialog was opened."""

    draft: _Draft
    words: frozenset[str]


def _as_draft(words: PuzzleList | None, accents: Accents | None) -> _Draft:
    """Return an earlier list as a draft that begins with all of it; None for an empty one."""
    made = words or PuzzleList("", ())
    notes = made.notes
    rows, cols = notes.get(ROWS, ""), notes.get(COLS, "")
    has_size = all(side.isdecimal() and 0 < int(side[:4]) <= MAX_SIDE for side in (rows, cols))
    return _Draft(
        made.title,
        "".join(f"{word.spelling}\n" for word in made.words),
        {word.string: (word.need, word.weight) for word in made.words},
        notes.get(RULE, ""),
        notes.get(DIFFICULTY, ""),
        notes.get(SHAPE, ""),
        notes.get(NOTHING_ELSE, ""),
        notes.get(SIZE) == SMALLEST,
        (int(rows), int(cols)) if has_size else None,
        started="",
        folds=None if accents is None else accents is Accents.FOLD,
        is_edit=words is not None,
    )


_DRAFTS = TypeAdapter(list[_Draft])
_KEPT_DRAFTS = f"{BogglePuzzle.spec.key}/drafts"  # name of the setting with new puzzles


def _plain(typed: TypedWords) -> frozenset[str]:
    """Return words that stay the same whether accents are folded or not."""
    return frozenset(clean(word.spelling, Accents.FOLD) for word in typed.words)


def _with_manual(heading: QWidget, subject: str) -> QHBoxLayout:
    return row_of(heading, ManualButton(subject, heading.window()), STRETCH)
