"""The plan as a form, with a line for each value; each change updates the text."""

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tilelab import catalog
from tilelab.core.parameters import ParameterSpec, describe
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import capital, labelled
from tilelab.gui.lab.experiments.draft import (
    USUAL_BOARDS,
    USUAL_RUNS,
    Change,
    DraftProblem,
    Key,
    key_text,
    needs_board,
    title_of_plan,
    usual_runs,
)
from tilelab.gui.lab.experiments.fields import (
    Field,
    changes_of,
    head_fields,
    instance_fields,
    limit_fields,
    names_board,
    puzzle_fields,
    read,
    run_fields,
    solver_fields,
    toggle_word,
    value_of,
    words_in,
    written,
)
from tilelab.gui.parameters.form import Section
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.parts import (
    IconButton,
    calling,
    column_layout,
    named,
    offer_items,
    row_of,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, set_role, set_style_property
from tilelab.gui.widgets.wheel import pass_wheel

_LABEL_PIXELS, _FIELD_HEIGHT = 122, 28
_STEPS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_PAIRED, _REPEATS = ("paired",), ("repeats",)


class _Choice(ElidedComboBox):
    """A list of choices."""

    def __init__(self, name: str, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, title)
        keep_scaled(self, height=_FIELD_HEIGHT)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        pass_wheel(self)

    def fill(self, titles: Mapping[str, str], chosen: str) -> None:
        """Offer values by their titles; the plan reports a chosen one that is not among them."""
        offer_items(self, titles if chosen in titles else {**titles, chosen: chosen}, chosen)


class _Words(_Choice):
    """A line edit with a list of words: a click writes one, by its title.

    In a field for several values separated by commas, a click adds one to those that the line has,
    which the list marks, or removes it; the list stays open for the next one.
    """

    picked = Signal(str)  # emitted with the new text of the line

    def __init__(self, line: QLineEdit, field: Field, parent: QWidget) -> None:
        super().__init__(f"{line.objectName()}_words", field.title, parent)
        self._line, self._field = line, field
        self._adds = field.axis is not None and field.separator == ","
        self._listed: str | None = None  # text for which the list is open; None once it is edited
        self.setLineEdit(line)
        self.setCompleter(QCompleter(self))  # an empty one: the list has titles, the line has words
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        for word, title in field.words.items():
            self.addItem(title, word)
        line.clear()
        self._is_pressed = False  # whether the mouse was pressed in the open list
        if self._adds:
            self.view().viewport().installEventFilter(self)
        self.activated.connect(self._activated)
        line.textEdited.connect(self._leave_list)

    def showPopup(self) -> None:
        self._listed = self._line.text()
        self._is_pressed = False
        self._mark()
        self._find()
        super().showPopup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Add or remove the word that is clicked, without closing the list."""
        if watched is not self.view().viewport() or not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.MouseButtonPress:
            self._is_pressed = True
        place = self.view().indexAt(event.position().toPoint())
        # A release without a press is that of the click that has opened the list.
        is_click = event.type() == QEvent.Type.MouseButtonRelease and self._is_pressed
        if not is_click or not place.isValid() or self._listed is None:
            return super().eventFilter(watched, event)
        self._is_pressed = False
        self._listed = toggle_word(self._field, self._listed, str(self.itemData(place.row())))
        self.picked.emit(self._listed)
        self._mark()
        self.view().viewport().update()
        return True

    def _mark(self) -> None:
        """Mark the words of the line in the list."""
        if not self._adds or self._listed is None:
            return
        there = words_in(self._field, self._listed)
        # Qt writes the title of the current word into the line when its item changes.
        with QSignalBlocker(self.model()):
            for row in range(self.count()):
                is_there = self.itemData(row) in there
                state = Qt.CheckState.Checked if is_there else Qt.CheckState.Unchecked
                self.setItemData(row, state, Qt.ItemDataRole.CheckStateRole)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _STEPS:
            if len(words_in(self._field, self._line.text())) > 1:
                self.showPopup()  # a step to the next word would lose all but one
                return
            self._find()  # for no other key, as it drops the selection
            self._leave_list()  # a step replaces the word
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @Slot(int)
    def _activated(self, row: int) -> None:
        """Write a word from the list, from a step, or one whose title was typed."""
        word, before = str(self.itemData(row)), self._listed
        self._leave_list()
        if self._adds and before is not None:
            word = toggle_word(self._field, before, word)
        self.picked.emit(word)

    @Slot()
    def _leave_list(self) -> None:
        self._listed = None

    def _find(self) -> None:
        """Choose the word that the line holds, from which the list and its keys begin."""
        text = self._line.text()
        is_modified = self._line.isModified()
        words = words_in(self._field, text)
        # This also writes its title.
        self.setCurrentIndex(self.findData(words[0]) if len(words) == 1 else -1)
        self._line.setText(text)
        self._line.setModified(is_modified)


class FieldLine(QWidget):
    """A field with a name and a line edit, perhaps with words and files, and an error below."""

    changes_requested = Signal(object)  # emitted with a list of Change
    file_requested = Signal(object)  # emitted with this line when the user wants to choose a file

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = field
        label = QLabel(field.title, self, wordWrap=True)
        keep_scaled(label, width=_LABEL_PIXELS)
        self.line = QLineEdit(self, placeholderText=field.default)
        named(self.line, "experiment_" + "_".join(str(part) for part in field.key), field.title)
        self.line.setAccessibleDescription(field.help)
        # A long title of the default may have too little room in the line.
        default = capital(tr("default: {value}", value=field.default)) if field.words else ""
        several = field.separation if field.axis else ""
        tip = tool_tip(" ".join(filter(None, (field.help, several, default))))
        label.setBuddy(self.line)
        self._said = text_label("error", self, wraps=True)
        self._said.hide()
        self._words = _Words(self.line, field, self) if field.words else None
        if self._words is None:
            keep_scaled(self.line, height=_FIELD_HEIGHT)
        else:
            self._words.picked.connect(self.write)
        row = row_of(label, (self._words or self.line, 1))
        for part in (label, self._words or self.line):
            part.setToolTip(tip)
        if field.takes_file:
            title = tr("Choose a file: {title}", title=field.title)
            name = f"{self.line.objectName()}_file"
            choose = small_button("…", name, title, self, calling(self.file_requested.emit, self))
            choose.setAccessibleName(title)
            row.addWidget(choose)
        column_layout(self, 0, 2, row, self._said)
        self.line.editingFinished.connect(self._finished)

    @Slot(str)
    def write(self, text: str) -> None:
        """Change the value as if the user had typed a text."""
        self._show_text(written(self.field, read(self.field, text)))
        self.changes_requested.emit(changes_of(self.field, text))

    def show_value(self, values: Mapping[str, object]) -> None:
        """Show a plan's value; a line that is being edited stays."""
        if not (self.line.hasFocus() and self.line.isModified()):
            self._show_text(written(self.field, value_of(values, self.field)))

    def _show_text(self, text: str) -> None:
        """Show a text that is not the user's own."""
        if text != self.line.text():
            self.line.setText(text)
        self.line.setModified(False)
        if not self.line.hasFocus():
            self.line.setCursorPosition(0)  # a long list begins with its first value

    def is_of(self, key: Key) -> bool:
        """Return whether this line shows a key of the plan."""
        return bool(key) and key in (self.field.key, self.field.axis)

    def show_error(self, text: str) -> None:
        """Show why the value is not valid; '' removes the error."""
        self._say(text, "error")

    def show_remark(self, text: str) -> None:
        """Show what is to be known about a valid value."""
        self._say(text, "small")

    def _say(self, text: str, role: str) -> None:
        set_role(self._said, role)
        self._said.setText(text)
        self._said.setVisible(bool(text))
        is_wrong = bool(text) and role == "error"
        set_style_property(self._words or self.line, "invalid", is_wrong)

    @Slot()
    def _finished(self) -> None:
        if self.line.isModified():
            self.write(self.line.text())


class SolverBlock(QFrame):
    """A solver of the plan, and a section for the lines of its parameters below it."""

    def __init__(self, kind: str, place: int, solver: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.chosen = _Choice(
            f"experiment_solver_{place}", tr("Solver {number}", number=place + 1), self
        )
        titles = {key: tr(one.spec.title) for key, one in catalog.solvers(kind).items()}
        self.chosen.fill(titles, solver)
        tip = tr("Take this solver out of the plan")
        self.remove = IconButton("close", f"experiment_remove_{place}", tip, tip, self, "small")
        row = row_of((self.chosen, 1), self.remove, spacing=6)
        self.parameters = Section(tr("Parameters"), self)
        column_layout(self, 0, 4, row, self.parameters)
        self.fields = solver_fields(kind, place, solver) if solver in titles else []
        if self.fields:
            several = text_label("small", self, self.fields[0].separation, wraps=True)
            self.parameters.add(several, [])


class PlanForm(QScrollArea):
    """A form that reads and changes the values of a text, but keeps none of its own."""

    changes_requested = Signal(object)  # emitted with a list of Change by the user
    file_requested = Signal(object)
    """Emitted with the FieldLine for which the user wants to choose a file."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, widgetResizable=True)
        named(self, "experiment_form", tr("Plan as a form"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._structure: object = None
        self._values: Mapping[str, object] = {}
        self._lines: list[FieldLine] = []
        self._sections: dict[FieldLine, Section] = {}
        self._built: dict[object, tuple[Section, bool]] = {}
        """Sections by what they are about, and whether they were made open."""
        self._turned: dict[object, bool] = {}  # which of the former ones were turned, and how
        self._paired: QCheckBox | None = None
        self.board = ""  # board in the title that the program made last; '' for none
        self._n_random: object = USUAL_BOARDS  # random boards that a named one has replaced

    def show_values(self, values: Mapping[str, object], problem: DraftProblem | None) -> str:
        """Show the values of a text; returns the title of the line with its error, or ''.

        The title of a line in a section, which may be folded, begins with that of the section.
        """
        self._values = values
        structure = (_kind(values), _solvers(values))
        if structure != self._structure:
            self._structure = structure
            self._build(*structure)
        for line in self._lines:
            line.show_value(values)
            line.show_error("")
            if line.is_of(_REPEATS):
                line.show_remark(self._repeats_words())
        if self._paired is not None:
            with QSignalBlocker(self._paired):
                self._paired.setChecked(values.get("paired", True) is not False)
        wrong = [line for line in self._lines if problem is not None and line.is_of(problem.key)]
        place = ""
        for line in wrong:
            assert problem is not None
            line.show_error(_with_choices(self._with_titles(problem.text), line.field))
            place = line.field.title
            if line in self._sections:
                self._sections[line].set_open(True)
                place = labelled(self._sections[line].title, place)
            self.ensureWidgetVisible(line)
        return place

    def forget_turned(self) -> None:
        """Let the sections of another plan be open or closed as its values need."""
        self._structure, self._built = None, {}

    def _repeats_words(self) -> str:
        """Return which solvers repeat the same run, because nothing in them is random."""
        repeats, known = self._values.get("repeats"), catalog.solvers(_kind(self._values))
        if not isinstance(repeats, int) or repeats < 2:
            return ""
        specs = [known[key].spec for key in dict.fromkeys(_solvers(self._values)) if key in known]
        same = ", ".join(tr(spec.title) for spec in specs if not spec.uses_seed)
        if not same:
            return ""
        return tr("{solvers}: nothing is random, each repeat is the same run.", solvers=same)

    def _with_titles(self, text: str) -> str:
        """Name fields by their titles in an error that names them by their keys."""
        fields = [line.field for line in self._lines]
        titles = {key_text(key): one.title for one in fields for key in (one.key, one.axis) if key}
        keys = "|".join(re.escape(key) for key in titles if "." in key)
        # A key of one word is one only at the beginning: elsewhere it is a word of the sentence.
        words = "|".join(key for key in titles if "." not in key)
        pattern = rf"(?<![\w.])(?:{keys})(?![\w.\[-])|\A(?:{words})(?=\s?:)"
        return re.sub(pattern, lambda found: titles[found[0]], text)

    def _build(self, kind: str, solvers: Sequence[str]) -> None:
        """Make the fields for a puzzle and some solvers."""
        is_known = kind in catalog.puzzles()
        page = QWidget()
        set_role(page, "page")
        page.setAutoFillBackground(False)
        column = column_layout(page, (0, 0, 10, 0), 8)
        self._turned = {
            about: section.is_open()
            for about, (section, was_open) in self._built.items()
            if section.is_open() is not was_open
        }
        self._lines, self._sections, self._built = [], {}, {}
        self._add_lines(column, head_fields(), page)
        column.addWidget(text_label("strong", page, tr("Puzzle")))
        puzzle = _Choice("experiment_puzzle", tr("Puzzle"), page)
        titles = {key: tr(cls.spec.title) for key, cls in catalog.puzzles().items()}
        puzzle.fill(titles if kind else {"": tr("Choose a puzzle"), **titles}, kind)
        puzzle.currentIndexChanged.connect(lambda: self._puzzle_chosen(puzzle.currentData()))
        column.addWidget(puzzle)
        if is_known:
            fields = puzzle_fields(kind)
            # The word list, or the set of boards, is what most plans begin with.
            listed = [field for field in fields if field.words][:1]
            self._add_lines(column, listed, page)
            others = [field for field in fields if field not in listed]
            self._add_section(column, tr("Board and rules"), others, page)
        opens = is_known and needs_board(kind)
        self._add_section(column, tr("Which boards"), instance_fields(), page, opens=opens)
        column.addWidget(text_label("strong", page, tr("Solvers")))
        for place, solver in enumerate(solvers if is_known else ()):
            self._add_solver(column, place, SolverBlock(kind, place, solver, page))
        add = small_button(
            tr("+ Add a solver"), "experiment_add", tr("Compare another solver"), page
        )
        add.setEnabled(is_known)
        add.clicked.connect(self._add_requested)
        column.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(text_label("strong", page, tr("Runs")))
        self._add_lines(column, run_fields(), page)
        self._paired = paired = QCheckBox(tr("Same seeds for every setting"), page)
        named(paired, "experiment_paired", tip=tr("So that runs can be compared pair by pair"))
        paired.toggled.connect(self._paired_turned)
        column.addWidget(paired)
        if is_known:
            column.addWidget(text_label("strong", page, tr("Limits")))
            self._add_lines(column, limit_fields(kind, solvers), page)
        column.addStretch(1)
        before, focus = self.verticalScrollBar().value(), self.focusWidget()
        name = focus.objectName() if focus is not None and focus.hasFocus() else ""
        self.setWidget(page)
        self.verticalScrollBar().setValue(before)
        # Restore the focus, because the focused field was rebuilt.
        again = page.findChild(QWidget, name) if name else None
        if isinstance(again, QWidget):
            again.setFocus()

    def _add_lines(self, column: QVBoxLayout, fields: Sequence[Field], page: QWidget) -> None:
        for line in self._made(fields, page):
            column.addWidget(line)

    def _add_section(
        self,
        column: QVBoxLayout,
        title: str,
        fields: Sequence[Field],
        page: QWidget,
        *,
        opens: bool = False,
    ) -> None:
        section = Section(title, page)
        self._fill(section, title, fields, opens=opens)
        column.addWidget(section)

    def _add_solver(self, column: QVBoxLayout, place: int, block: SolverBlock) -> None:
        chosen = block.chosen
        chosen.currentIndexChanged.connect(lambda: self._solver_chosen(place, chosen.currentData()))
        block.remove.setEnabled(len(_solvers(self._values)) > 1)
        block.remove.clicked.connect(calling(self._remove_requested, place))
        solver, before = _solvers(self._values)[place], _solvers(self._values)[:place]
        self._fill(block.parameters, (solver, before.count(solver)), block.fields)
        column.addWidget(block)

    def _fill(
        self, section: Section, about: object, fields: Sequence[Field], *, opens: bool = False
    ) -> None:
        """Put lines into a section, which opens if one has a value or, if ``opens``, in any case.

        Not if the user has turned it before it was made again.
        """
        lines = self._made(fields, section)
        for line in lines:
            section.add(line, [line.line])
            self._sections[line] = section
        opens = opens or any(value_of(self._values, line.field) is not None for line in lines)
        section.set_open(self._turned.get(about, opens))
        self._built[about] = section, opens

    def _made(self, fields: Sequence[Field], page: QWidget) -> list[FieldLine]:
        made = [FieldLine(field, page) for field in fields]
        for line in made:
            line.changes_requested.connect(self._line_changed)
            line.file_requested.connect(self.file_requested)
        self._lines += made
        return made

    @Slot(object)
    def _line_changed(self, changes: list[Change]) -> None:
        """Change a value; boards that it names replace the random ones, and these come back."""
        kind, puzzle = _kind(self._values), self._values.get("puzzle")
        axes = _inner(_inner(puzzle).get("axes"))
        before: set[Key] = {("puzzle", name) for name in _inner(puzzle)}
        before |= {("puzzle", "axes", name) for name in axes}
        after = before - {key for key, _ in changes}
        after |= {key for key, value in changes if value is not None and key[0] == "puzzle"}
        if after != before and kind in catalog.puzzles() and needs_board(kind):
            was_named, is_named = (
                names_board(kind, [str(key[-1]) for key in keys]) for keys in (before, after)
            )
            if is_named != was_named:
                typed = _inner(self._values.get("instances")).get("random")
                if typed is not None:
                    self._n_random = typed
                changes.append((("instances", "random"), None if is_named else self._n_random))
        if after != before or any(key in before for key, _ in changes):
            changes = [*changes, *self._retitle(_solvers(self._values), kind)]
        self.changes_requested.emit(changes)

    def _retitle(self, solvers: Sequence[str], kind: str = "") -> list[Change]:
        """Return the change of a title that the program made, for other solvers of the plan.

        kind: puzzle whose title replaces that of the board, which is another one now, if any.
        """
        shown = _kind(self._values)
        if self._values.get("title") != title_of_plan(self.board, shown, _solvers(self._values)):
            return []  # the user's own
        if kind:
            self.board = tr(catalog.puzzle(kind).spec.title)
        return [(("title",), title_of_plan(self.board, kind or shown, solvers))]

    def _puzzle_chosen(self, kind: str) -> None:
        """Choose another puzzle; none of the previous puzzle's values apply.

        Repeats and limits are those of its solver, unless the user has set others.
        """
        before = self._values.get("puzzle")
        names = before if isinstance(before, Mapping) else ()
        changes: list[Change] = [(("puzzle", name), None) for name in names if name != "kind"]
        changes += [(("puzzle", "kind"), kind), (("instances",), None)]
        self._n_random = USUAL_BOARDS
        if needs_board(kind):
            changes.append((("instances", "random"), USUAL_BOARDS))
        n_solvers = len(_solvers(self._values))
        changes += [(("solvers", place), None) for place in range(n_solvers - 1, 0, -1)]
        solver = catalog.default_solver(kind)
        changes += [
            ((name,), usual)
            for name, usual in usual_runs(kind).items()
            if self._values.get(name) in (None, USUAL_RUNS[name])
        ]
        if n_solvers:
            changes += [(("solvers", 0, name), None) for name in ("params", "axes")]
            changes.append((("solvers", 0, "solver"), solver))
        else:
            changes.append((("solvers", 0), {"solver": solver}))
        changes += self._retitle([solver], kind)
        self.changes_requested.emit(changes)

    def _solver_chosen(self, place: int, solver: str) -> None:
        """Choose another solver; values that mean the same to it stay."""
        kind, there = _kind(self._values), list(_solvers(self._values))
        tables = {name: _table(self._values, place, name) for name in ("params", "axes")}
        known = catalog.solvers(kind)
        old, new = (
            {spec.name: spec for spec in describe(known[key].spec.params)} if key in known else {}
            for key in (there[place], solver)
        )
        changes: list[Change] = [
            (("solvers", place, table, name), kept)
            for table, values in tables.items()
            for name, value in values.items()
            if (kept := _keep_value(old.get(name), new.get(name), value)) != value
        ]
        there[place] = solver
        changes += [(("solvers", place, "solver"), solver), *self._retitle(there)]
        self.changes_requested.emit(changes)

    @Slot()
    def _add_requested(self) -> None:
        """Add a solver to compare with, and the heuristic of the others, where they have any."""
        kind, there = _kind(self._values), _solvers(self._values)
        solver, known = catalog.another_solver(kind, there), catalog.solvers(kind)
        params = [dict(_table(self._values, place, "params")) for place in range(len(there))]
        # A plan that compares heuristics keeps them.
        others = [
            (key, params[place])
            for place, key in enumerate(there)
            if key in known and catalog.HEURISTIC not in _table(self._values, place, "axes")
        ]
        added = {"solver": solver, "params": catalog.shared_heuristic(kind, solver, others)}
        changes: list[Change] = [
            (("solvers", place, "params"), own)
            for place, own in enumerate(params)
            if own != _table(self._values, place, "params")
        ]
        added = {name: value for name, value in added.items() if value}
        changes += [(("solvers", len(there)), added), *self._retitle([*there, solver])]
        self.changes_requested.emit(changes)

    def _remove_requested(self, place: int) -> None:
        there = list(_solvers(self._values))
        del there[place]
        self.changes_requested.emit([(("solvers", place), None), *self._retitle(there)])

    @Slot(bool)
    def _paired_turned(self, is_paired: bool) -> None:
        self.changes_requested.emit([(_PAIRED, None if is_paired else False)])


def _with_choices(text: str, field: Field) -> str:
    """Name the values of a field's list by their titles in an error that offers them."""
    words = ", ".join(field.words)
    if not words or words not in text:
        return text
    text = text.replace(words, ", ".join(field.words.values()))
    near = "|".join(map(re.escape, field.words))
    # The name in "(did you mean name?)".
    return re.sub(rf"\b(?:{near})(?=\s?\?\))", lambda found: field.words[found[0]], text)


def _keep_value(old: ParameterSpec | None, new: ParameterSpec | None, value: object) -> object:
    """Return what remains of a solver's value or axis for another solver; None for nothing."""
    if old is None or new is None or (old.title, old.kind) != (new.title, new.kind):
        return None
    if new.kind == "choice":
        if not isinstance(value, list):
            return value if value in new.choices else None
        return [each for each in value if each in new.choices] or None
    # An update is a thousand boards in some searches and a whole depth in others.
    return value if old.default == new.default else None


def _kind(values: Mapping[str, object]) -> str:
    puzzle = values.get("puzzle")
    return str(puzzle.get("kind", "")) if isinstance(puzzle, Mapping) else ""


def _table(values: Mapping[str, object], place: int, name: str) -> Mapping[str, Value]:
    """Return the table 'params' or 'axes' of a solver; {} if it has none."""
    solvers = values.get("solvers")
    return _inner(_inner(solvers[place] if isinstance(solvers, list) else None).get(name))


def _inner(table: object) -> Mapping[str, Value]:
    """Return a table of a plan; {} where there is none."""
    return table if isinstance(table, Mapping) else {}


def _solvers(values: Mapping[str, object]) -> tuple[str, ...]:
    tables = values.get("solvers")
    if not isinstance(tables, list):
        return ()
    return tuple(
        str(table.get("solver", "")) if isinstance(table, Mapping) else "" for table in tables
    )
