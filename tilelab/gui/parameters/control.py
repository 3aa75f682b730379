"""The control of a declared parameter: a slider, a number field, a check box or a list."""

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QWidget,
)

from tilelab.core.parameters import ParameterSpec
from tilelab.core.plain import Value
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital, counted, number, plural
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.parts import IconButton, column_layout, named, row_layout, text_label
from tilelab.gui.widgets.theme import scaled, set_style_property
from tilelab.gui.widgets.wheel import pass_wheel

if TYPE_CHECKING:

    class _Box(QAbstractSpinBox):
        """What the fields of whole and of decimal numbers have in common."""

        def minimum(self) -> Any: ...

        def maximum(self) -> Any: ...

        def suffix(self) -> str: ...

        def value(self) -> Any: ...

        def setValue(self, value: Any) -> None: ...

else:
    _Box = object

SLIDER_SPAN = (20, 1000)  # range of a bounded integer that gets a slider
NARROW_WIDTH, FIELD_WIDTH, WORDS_WIDTH, FIELD_HEIGHT = 54, 84, 152, 30
GUTTER = 16  # room at the left of all controls for the mark of a changed value
_BOX_EDGES = 36  # pixels of a number field's padding, arrows and border
NO_LIMIT, AUTOMATIC = marked("no limit"), marked("automatic")
ANY_WIDTH = 2**24 - 1  # qt's constant for an unlimited width
# Why a typed number is replaced.
_SMALL, _LARGE, _CUT, _NO_TIME = "small", "large", "cut", "no time"
_REPLACED = {
    _SMALL: marked("{typed} is too small. {value}, the minimum, is set."),
    _LARGE: marked("{typed} is too large. {value}, the maximum, is set."),
    _CUT: marked("{typed} is not a whole number. {value} is set."),
    _NO_TIME: marked("{typed} is not a time in h, min or s. {value} is set."),
}
_SECONDS = {"h": 3_600.0, "min": 60.0, "s": 1.0}  # of each unit of time that can be typed
_PART_OF_TIME = r"\s*(\d[\d.,’'\s]*?)\s*([^\W\d_]+)\s*"  # a number and letters
_TIME = re.compile(rf"({_PART_OF_TIME})+")
_NUMBER_AND_MORE = re.compile(r"\s*\d[\d.,’'\s]*[^\d.,’'\s−-].*")
_MAX_INT = 2**31 - 1
_MAX_FLOAT = 1e9
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SIGNS = ("-", "−")  # of a negative number that is being typed
_UNSET = -_MAX_FLOAT  # value that means None in a field where 0 and negative numbers are allowed


class _LenientField(_Box):
    """What fields of numbers share: what Qt refuses or misreads while it is typed.

    A number outside the range can be typed, and becomes the nearest one. Decimals can be typed as
    :meth:`_plain` takes them.
    """

    replaced = Signal(str, str)
    """Emitted with the text of a number and why it is being replaced, for :func:`replaced_words`.

    To be connected queued, because the new value is not set yet and its change removes errors.
    """
    cuts_decimals = False  # whether a number loses its decimals, which is a replacement, too

    @abstractmethod
    def _plain(self, text: str) -> str | None:
        """Return a number with decimals as Qt reads it in this field; None for any other text."""

    def _has_room(self, plain: str) -> bool:
        """Return whether a number does not have too many decimals."""
        return True

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Return what Qt finds about a typed text, but let the numbers of this field be typed.

        Qt refuses the digit that makes a number too large, or the sign of a negative one, without a
        word, so that 500 becomes 50, and -5 becomes 5.
        """
        plain = self._plain(text)
        if plain is not None and plain != text:
            states, has_room = QValidator.State, self._has_room(plain)
            return states.Intermediate if has_room else states.Invalid, text, position
        state, text, position = super().validate(text, position)
        is_number = text in _SIGNS or self._number_outside(text) is not None
        if state is QValidator.State.Invalid and is_number:
            state = QValidator.State.Intermediate
        return state, text, position

    def fixup(self, text: str) -> str:
        typed, plain = self._number_outside(text), self._plain(text)
        if typed is not None:
            is_large = typed > self.maximum()
            text = text.removesuffix(self.suffix())
            self.replaced.emit(text, _LARGE if is_large else _SMALL)
            box: Any = self
            return _number_text(box, box.maximum() if is_large else box.minimum())
        if plain is None:
            return super().fixup(text)
        if self.cuts_decimals:
            self.replaced.emit(text, _CUT)
        return plain

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep Enter from accepting a dialog before the sentence about a number can be read."""
        is_replaced = event.key() in _ENTER and self.will_replace
        super().keyPressEvent(event)
        event.setAccepted(event.isAccepted() or is_replaced)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the number again in a field that was emptied, which Qt leaves empty on X11."""
        if not self.lineEdit().text():
            self.setValue(self.value())
        super().focusOutEvent(event)

    @property
    def will_replace(self) -> bool:
        """Whether a number is being typed that will be replaced."""
        text = self.lineEdit().text()
        is_cut = self.cuts_decimals and self._plain(text) is not None
        return is_cut or self._number_outside(text) is not None

    def _number_outside(self, text: str) -> float | None:
        # Qt removes the signs of thousands, too; while a number is typed, they are not in their
        # places.
        locale, plain = self.locale(), self._plain(text) or text.removesuffix(self.suffix())
        number, is_number = locale.toDouble(plain.replace(locale.groupSeparator(), ""))
        is_outside = is_number and (number < self.minimum() or number > self.maximum())
        return number if is_outside else None


class WholeField(_LenientField, QSpinBox):
    """A field of a whole number; one outside the range can be typed and becomes the nearest.

    A number with decimals can be typed, too, and loses them: Qt would refuse the sign before them
    without a word, so that 2.5 becomes 25.
    """

    cuts_decimals = True

    def _plain(self, text: str) -> str | None:
        parts = _decimal_parts(self, text)
        if parts is None:
            return None
        whole = parts[0].replace(self.locale().groupSeparator(), "")
        return whole if whole.strip("-") else "0"


class _Decimal(_LenientField, QDoubleSpinBox):
    """A field of a number that shows only the decimals needed: 60, not 60.000.

    Decimals can have the sign of another language: Qt would refuse it, or take it for one of
    thousands, so that 2.5 becomes 25 in German.
    """

    def _plain(self, text: str) -> str | None:
        parts = _decimal_parts(self, text)
        return None if parts is None else self.locale().decimalPoint().join(parts)

    def _has_room(self, plain: str) -> bool:
        return len(plain.partition(self.locale().decimalPoint())[2]) <= self.decimals()

    def textFromValue(self, value: float) -> str:
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text


class TimeField(_Decimal):
    """A field of seconds or hours, in which a time can be typed with other units, too: 1 h 30 min.

    Qt would refuse the letters without a word, so that 3 min becomes 3 h.
    """

    def __init__(self, unit: str, parent: QWidget) -> None:
        """unit: that of a number without one; a key of _SECONDS."""
        super().__init__(parent)
        self._size = _SECONDS[unit]

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        if self._has_more(text):
            return QValidator.State.Intermediate, text, position
        return super().validate(text, position)

    def fixup(self, text: str) -> str:
        if self._has_more(text) and self._plain(text) is None:
            self.replaced.emit(text.removesuffix(self.suffix()), _NO_TIME)
            return self.textFromValue(self.value())
        return super().fixup(text)

    def _plain(self, text: str) -> str | None:
        bare = text.removesuffix(self.suffix())
        if not self._has_more(text):
            return super()._plain(bare)
        if not _TIME.fullmatch(bare):
            return None
        seconds = 0.0
        for typed, letters in re.findall(_PART_OF_TIME, bare):
            number, locale = super()._plain(typed) or typed, self.locale()
            value, is_number = locale.toDouble(number.replace(locale.groupSeparator(), ""))
            sizes = [size for unit, size in _SECONDS.items() if unit.startswith(letters.lower())]
            if not (is_number and sizes):
                return None
            seconds += value * sizes[0]
        return self.textFromValue(seconds / self._size)

    def _has_more(self, text: str) -> bool:
        """Return whether a text before the suffix is a number and something else."""
        return _NUMBER_AND_MORE.fullmatch(text.removesuffix(self.suffix())) is not None


def _decimal_parts(box: QAbstractSpinBox, text: str) -> tuple[str, str] | None:
    """Return what is before and after the decimal sign of a text, perhaps of another language.

    A sign of thousands is one of decimals unless it is in its place: in "1,200", not in "0,125".
    None: there is no such sign.
    """
    separator = box.locale().groupSeparator()
    point, group = re.escape(box.locale().decimalPoint()), re.escape(separator)
    found = re.fullmatch(rf"(-?[0-9{group}]*)([{point}.,])([0-9]*)", text)
    if found is None:
        return None
    has_groups = re.fullmatch(rf"-?[1-9][0-9]{{,2}}({group}[0-9]{{3}})+", text)
    return None if found[2] == separator and has_groups else (found[1], found[3])


class _OptionalNumber(_Decimal):
    """A field of a number or None; the arrows lead from "no limit" to numbers near 0."""

    def stepBy(self, steps: int) -> None:
        if self.value() == self.minimum():
            self.setValue(0.0)
        super().stepBy(steps)


class ParameterControl(QWidget):
    """A control with label, field and, if the value is wrong, an error below.

    The field's object name is the prefix followed by the parameter's name.
    """

    value_changed = Signal(str, object)
    """Emitted with name and new value when the user or :meth:`set_value` changed it."""
    shown_changed = Signal()  # emitted when another value is shown, however it was changed

    def __init__(
        self, spec: ParameterSpec, parent: QWidget | None = None, prefix: str = "param_"
    ) -> None:
        super().__init__(parent)
        self.spec = spec
        self._name_of_field = f"{prefix}{spec.name}"
        self._label = QLabel(tr(spec.title), self)
        self._error = text_label("error", self, wraps=True)
        self._error.hide()
        self._layout = column_layout(self, (GUTTER, 0, 0, 0), 4)
        self._noun = ""
        self.field: QWidget  # widget that holds the value
        self._row: QBoxLayout | None = None
        """Layout of name and field; None for a check box, which includes its name."""
        self._number: WholeField | None = None
        """Number field next to a slider for the same value; None without a slider."""
        self._read: Callable[[], Value]
        self._write: Callable[..., None]
        self._build()
        self._layout.addWidget(self._error)
        named(self.field, self._name_of_field, tr(spec.title))
        self._describe()
        self._label.setBuddy(self.field)
        self._make_reset()
        for part in (self._label, *self._fields):
            part.setToolTip(_tool_tip(spec))
            pass_wheel(part)
            if isinstance(part, QSlider):
                part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_value(spec.default)

    @property
    def stops(self) -> list[QWidget]:
        """Widgets that the Tab key visits, in order."""
        return [*self._fields, self._reset]

    @property
    def _fields(self) -> list[QWidget]:
        return [self._number, self.field] if self._number is not None else [self.field]

    @property
    def is_changed(self) -> bool:
        """Whether the value is not the default."""
        return bool(self._read() != self.spec.default)

    def words(self, section: str) -> str:
        """Return the value in a few words; section: title of the section with the control."""
        value, title = self._read(), self._label.text()
        if self.spec.kind == "bool":
            return title if value else tr("{title}: off", title=title)
        if isinstance(value, int) and self._noun:
            return counted(value, self._noun)
        words = self._value_words(value)
        return words if section == title or self.spec.kind == "choice" else f"{title} {words}"

    def value(self) -> Value:
        """Return the value: int, float, bool, a choice's word, or None for "no limit"."""
        self.commit()
        return self._read()

    def commit(self) -> None:
        """Commit a number that was typed but not finished with Enter or Tab."""
        for box in self._fields:
            if isinstance(box, QAbstractSpinBox):
                box.interpretText()

    def set_value(self, value: object) -> None:
        self._write(value)
        self._show_change()

    def make_narrow(self) -> None:
        """Make the field narrow, for two digits, so that two controls fit in a line."""
        assert self._row is not None
        self._usual_width = NARROW_WIDTH
        self._row.setSpacing(6)
        self._arrange()

    def set_title(self, title: str) -> None:
        """Show a title that differs from the declaration."""
        self._label.setText(title)
        self.field.setAccessibleName(title)

    def count_in(self, noun: str) -> None:
        """Show the unit of the number instead of the title."""
        self._noun = noun
        self.set_title(capital(plural(noun)))

    def show_in_force(self, value: object) -> None:
        """Show the value of an automatic parameter in the run in the tool tip; None for nothing."""
        tip = _tool_tip(self.spec)
        if value is not None:
            tip += tr("<p>In this run: {words}.</p>", words=self._value_words(value))
        for part in (self._label, *self._fields):
            part.setToolTip(tip)

    def show_error(self, text: str) -> None:
        """Show why the value is not valid; '' removes the error. The title names the value."""
        text = with_title(text, self.spec.name, self._label.text())
        is_new = text != self._error.text()
        self._error.setText(text)
        self._error.setVisible(bool(text))
        if is_new:
            self._describe()
            announce(self.field, text, is_urgent=True)
        set_style_property(self.field, "invalid", bool(text))

    def _describe(self) -> None:
        """Set the accessible description: the error, and the help of the parameter."""
        said = " ".join(filter(None, (self._error.text(), tr(self.spec.help))))
        for part in self._fields:
            part.setAccessibleDescription(said)

    def _value_words(self, value: object) -> str:
        spec = self.spec
        if value is None or (spec.automatic and not value):
            return _left_open(spec)
        titles = dict(zip(spec.choices, map(tr, spec.choice_titles), strict=True))
        shown = number(value) if isinstance(value, int | float) else str(value)
        return titles.get(str(value), f"{shown} {tr(spec.unit)}".rstrip())

    def _make_reset(self) -> None:
        """Make the mark of a changed value in the gutter at the left; a click resets the value."""
        default = self._value_words(self.spec.default)
        if self.spec.kind == "bool":
            default = tr("on") if self.spec.default else tr("off")
        title = tr(
            "Set {title} back to its default: {default}", title=tr(self.spec.title), default=default
        )
        name = f"{self._name_of_field}_reset"
        self._reset = IconButton("restart", name, title, title, self, "gutter", "selection")
        self._reset.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._reset.clicked.connect(self._set_back)
        self._reset.hide()

    @Slot()
    def _set_back(self) -> None:
        self.field.setFocus()
        self.set_value(self.spec.default)

    def _show_change(self) -> None:
        """Mark a value that is not the default."""
        self._reset.setVisible(self.is_changed)
        self.shown_changed.emit()

    def _build(self) -> None:
        spec = self.spec
        if spec.kind == "bool":
            self._build_check_box()
        elif spec.kind == "choice":
            self._build_words()
        elif spec.kind == "float":
            if spec.unit in _SECONDS:
                box: _Decimal = TimeField(spec.unit, self)
            else:
                box = _OptionalNumber(self) if _may_be_negative(spec) else _Decimal(self)
            self._build_number(box, _MAX_FLOAT)
        elif _wants_slider(spec):
            self._build_slider()
        else:
            self._build_number(WholeField(self), _MAX_INT)

    def _build_check_box(self) -> None:
        box = QCheckBox(tr(self.spec.title), self)
        self._label.hide()
        self._layout.addWidget(box)
        self.field, self._read, self._write = box, box.isChecked, box.setChecked
        box.toggled.connect(self._changed)

    def _build_words(self) -> None:
        box = ElidedComboBox(self)
        for word, title in zip(self.spec.choices, self.spec.choice_titles, strict=True):
            box.addItem(tr(title), word)
        self.field, self._read = box, box.currentData
        self._write = lambda value: box.setCurrentIndex(box.findData(str(value)))
        self._add_row(box, WORDS_WIDTH)
        box.currentIndexChanged.connect(self._changed)

    def _build_number(self, box: WholeField | _Decimal, highest: float) -> None:
        spec = self.spec
        low: float = 0 if spec.low is None or spec.optional else spec.low
        if _may_be_negative(spec):
            low = _UNSET
        high = highest if spec.high is None else spec.high
        if isinstance(box, _Decimal):
            box.setRange(float(low), float(high))
            box.setDecimals(3)
        else:
            box.setRange(int(low), int(high))
        box.setGroupSeparatorShown(True)
        self._prepare_typing(box)
        if _left_open(spec):
            box.setSpecialValueText(_left_open(spec))
        if spec.optional:
            self._read, self._write = _optional_number(box)
        else:
            self._read, self._write = box.value, box.setValue
        self.field = box
        self._add_row(box, WORDS_WIDTH if _left_open(spec) else FIELD_WIDTH)
        box.valueChanged.connect(self._changed)

    def _build_slider(self) -> None:
        spec = self.spec
        # The number is above the slider, and before it in the Tab order.
        box, slider = WholeField(self), QSlider(Qt.Orientation.Horizontal, self)
        for part in (slider, box):
            part.setRange(int(spec.low or 0), int(spec.high or 0))
        slider.setPageStep(max((slider.maximum() - slider.minimum()) // 10, 1))
        self._prepare_typing(box)
        box.setObjectName(f"{self._name_of_field}_number")
        box.setAccessibleName(tr("{title}, as a number", title=tr(spec.title)))
        self.field, self._read, self._write = slider, slider.value, slider.setValue
        self._number = box
        self._add_row(box, FIELD_WIDTH)
        self._layout.addWidget(slider)
        box.valueChanged.connect(slider.setValue)
        slider.valueChanged.connect(box.setValue)
        slider.valueChanged.connect(self._changed)

    def _prepare_typing(self, box: WholeField | _Decimal) -> None:
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        # Typing 1, 2, 8 is one change, not three.
        box.setKeyboardTracking(False)
        box.replaced.connect(self._show_replaced, Qt.ConnectionType.QueuedConnection)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self._reset.setGeometry(0, 0, GUTTER, self._first_row_height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        if self._row is None:
            return whole
        if self._usual_width == NARROW_WIDTH:
            return whole
        parts = (self._name.minimumSizeHint().width(), self._least_width())
        return QSize(GUTTER + max(parts), whole.height())

    def _add_row(self, field: QWidget, usual_width: int) -> None:
        """Put a field next to its name, or below it if both do not fit in one line."""
        field.setFixedHeight(scaled(FIELD_HEIGHT))
        self._boxed, self._usual_width = field, usual_width
        self._name = QWidget(self)
        name = row_layout(self._name, 0, 8)
        self._label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        name.addWidget(self._label)
        if self.spec.live:
            live = text_label("live", self, tr("live"))
            live.setToolTip(tr("Live: it can be changed during a run."))
            name.addWidget(live, 0, Qt.AlignmentFlag.AlignVCenter)
        name.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(8)
        self._row.addWidget(self._name, 1)
        self._row.addWidget(field)
        self._layout.addLayout(self._row)

    def _field_width(self) -> int:
        """Return the usual width that holds all values, or a larger one."""
        box, spec = self._boxed, self.spec
        if isinstance(box, QSpinBox | QDoubleSpinBox):
            # Without a maximum, usual values count; longer ones scroll.
            numbers = [n for n in (spec.default, spec.high) if isinstance(n, int | float)]
            texts = [box.specialValueText(), *(_number_text(box, n) for n in numbers)]
            metrics = box.fontMetrics()
            wanted = scaled(_BOX_EDGES) + max(metrics.horizontalAdvance(text) for text in texts)
        else:
            wanted = box.sizeHint().width()
        widths = (scaled(self._usual_width), scaled(WORDS_WIDTH), wanted)
        return next(width for width in widths if width >= wanted)

    def _least_width(self) -> int:
        """Return the minimum width; entries of a list are cut before they widen the panel."""
        is_list = isinstance(self._boxed, QComboBox)
        return scaled(self._usual_width) if is_list else self._field_width()

    def _room(self) -> int:
        """Return the control's width while its form has a scroll bar, whether it has one or not.

        A field below its name makes the form higher. The scroll bar depends on the height. If the
        width depended on the bar, Qt would show and hide it until the stack overflows.
        """
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = None if area is None else area.widget()
        if area is None or page is None:  # the widget does not exist yet
            return self.width()
        bar = area.verticalScrollBar().sizeHint().width()
        return self.width() - page.width() + area.maximumViewportSize().width() - bar

    def _first_row_height(self) -> int:
        if self._row is None:
            return self.field.sizeHint().height()
        if self._row.direction() is QBoxLayout.Direction.TopToBottom:
            return self._name.sizeHint().height()
        return scaled(FIELD_HEIGHT)

    def _arrange(self) -> None:
        if self._row is None:
            return
        self._boxed.setFixedHeight(scaled(FIELD_HEIGHT))
        width = self._field_width()
        room = self._room() - GUTTER
        wanted = self._name.minimumSizeHint().width() + self._row.spacing() + width
        fits = wanted <= room or self._usual_width == NARROW_WIDTH
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        self._boxed.setMinimumWidth(width if fits else self._least_width())
        self._boxed.setMaximumWidth(width if fits else ANY_WIDTH)
        if direction != self._row.direction():
            self._row.setDirection(direction)
            self.updateGeometry()

    @Slot()
    def _changed(self) -> None:
        self.show_error("")
        self._show_change()
        self.value_changed.emit(self.spec.name, self.value())

    @Slot(str, str)
    def _show_replaced(self, typed: str, why: str) -> None:
        box = self._number or self.field
        assert isinstance(box, WholeField | _Decimal)
        nearest = {_SMALL: box.minimum(), _LARGE: box.maximum()}.get(why, box.value())
        if box.value() == nearest:  # not changed meanwhile
            self.show_error(replaced_words(typed, self._value_words(self._read()), why))

    def set_value_quietly(self, value: object) -> None:
        """Show a value without the signal."""
        with QSignalBlocker(self):
            self.set_value(value)
        self.shown_changed.emit()


def with_title(text: str, name: str, title: str) -> str:
    """Return an error that begins with the name of a value, such as rows, with its title there."""
    is_named = text.removeprefix(name).lstrip()[:1] == ":" and text.startswith(name)
    return f"{title}{text.removeprefix(name)}" if is_named else text


def replaced_words(typed: str, value: str, why: str) -> str:
    """Return the sentence about a typed number that was replaced; value: the one that is set."""
    return tr(_REPLACED[why], typed=typed, value=value)


def _number_text(box: QSpinBox | QDoubleSpinBox, number: float) -> str:
    if isinstance(box, QSpinBox):
        return box.textFromValue(min(int(number), _MAX_INT))
    return box.textFromValue(float(number))


def _left_open(spec: ParameterSpec) -> str:
    """Return the text of a field's lowest value if it means None, or ''."""
    if spec.automatic:
        return tr(AUTOMATIC)
    return tr(NO_LIMIT) if spec.optional else ""


def _may_be_negative(spec: ParameterSpec) -> bool:
    return spec.optional and spec.kind == "float" and spec.low is None and spec.above is None


def _wants_slider(spec: ParameterSpec) -> bool:
    if spec.low is None or spec.high is None or spec.optional:
        return False
    return SLIDER_SPAN[0] < spec.high - spec.low <= SLIDER_SPAN[1]


def _tool_tip(spec: ParameterSpec) -> str:
    """Return the tool tip as rich text, so that Qt wraps long help."""
    unit = f" ({tr(spec.unit)})" if spec.unit else ""
    lines = [f"{tr(spec.help)}{unit}"]
    if spec.kind not in ("bool", "choice"):
        lines.append(tr("Allowed: {allowed}.", allowed=spec.allowed()))
    if spec.live:
        lines.append(tr("Live: it can be changed during a run."))
    elif spec.forkable:
        lines.append(tr("To change it for a run, fork the run."))
    if spec.source:
        lines.append(tr("Source: {source}.", source=tr(spec.source)))
    return "<p>" + "</p><p>".join(lines) + "</p>"


def _optional_number(
    box: QSpinBox | QDoubleSpinBox,
) -> tuple[Callable[[], Value], Callable[..., None]]:
    """Return functions that read a number or None from a field, and write it into the field.

    A value that the field cannot show exactly, such as one with more decimals, is kept until the
    user changes it.
    """
    unset: Any = box.minimum()
    written: list[Any] = [unset, None]

    def read() -> Any:
        if box.value() == written[0]:
            return written[1]
        return None if box.value() == unset else box.value()

    def write(value: Any) -> None:
        shown = unset if value is None else min(max(value, box.minimum()), box.maximum())
        if isinstance(box, QDoubleSpinBox):
            shown = round(float(shown), box.decimals())
        written[:] = shown, value
        box.setValue(shown)

    return read, write
