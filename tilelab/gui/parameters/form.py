"""A form of declared parameters, with a control for each and a section for each group."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QScrollArea, QSizePolicy, QWidget

from tilelab.core.parameters import MORE, ParameterSpec
from tilelab.core.text.language import tr
from tilelab.gui.parameters.control import GUTTER, ParameterControl
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import icon, keep_themed, set_role, text_font

_SPACE = 8  # space between two controls
_HEADING_EDGE = 5  # pixels between the edge of a heading and its arrow


class Section(QWidget):
    """A section: a heading, and controls below it while it is open.

    The heading of a closed section lists values that are not at their defaults.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = tr(title)
        self._heading = QPushButton(self.title, self)
        self._heading.setCheckable(True)
        set_role(self._heading, "section")
        self._heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._page = QWidget(self)
        self._stops: list[QWidget] = []
        self._controls: list[ParameterControl] = []
        self._inner = column_layout(self._page, (0, 6, 0, 6), _SPACE)
        manual = ManualButton(tr(title), self)
        line = row_layout(None, (GUTTER - _HEADING_EDGE, 0, 0, 0), 0, (self._heading, 1), manual)
        column_layout(self, 0, 0, line, self._page)
        self._page.hide()
        self._heading.toggled.connect(self._turned)
        keep_themed(self, self._apply_theme)

    @property
    def stops(self) -> list[QWidget]:
        """Widgets that the Tab key visits, from top to bottom."""
        return [self._heading, *self._stops]

    @property
    def text(self) -> str:
        """Title, with the values that are not at their defaults while the section is closed."""
        changed = [one.words(self.title) for one in self._controls if one.is_changed]
        return " · ".join([self.title, *changed] if not self.is_open() else [self.title])

    def add(self, part: QWidget, stops: Iterable[QWidget]) -> None:
        """Add a control at the end; stops: widgets in it that the Tab key visits."""
        self._stops += stops
        self._inner.addWidget(part)
        if isinstance(part, ParameterControl):
            self._controls.append(part)
            part.shown_changed.connect(self._write_heading)
            self._write_heading()

    def is_open(self) -> bool:
        return self._heading.isChecked()

    def set_open(self, is_open: bool) -> None:
        self._heading.setChecked(is_open)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write_heading()

    @Slot()
    def _write_heading(self) -> None:
        """Write the heading, with an ellipsis where it is too long."""
        room = self._heading.width() - self._heading.iconSize().width() - 4 * _HEADING_EDGE
        metrics = QFontMetrics(text_font(strong=True))
        text = self.text
        self._heading.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))
        self._heading.setAccessibleName(text)
        pattern = tr("Hide {section}") if self.is_open() else tr("Show {section}")
        self._heading.setToolTip(pattern.format(section=text))

    @Slot(bool)
    def _turned(self, is_open: bool) -> None:
        self._page.setVisible(is_open)
        self._apply_theme()

    def _apply_theme(self) -> None:
        turned = "down" if self.is_open() else "right"
        self._heading.setIcon(icon(f"chevron-{turned}", token="muted"))
        self._heading.setAccessibleDescription(tr("unfolded") if self.is_open() else tr("folded"))
        self._write_heading()


class ParameterForm(QScrollArea):
    """A scrolled form: parts of controls with other widgets above each, and sections."""

    changed = Signal(str, object)  # emitted with name and value when a parameter is changed

    def __init__(
        self, parent: QWidget, prefix: str = "param_", above: Sequence[Sequence[QWidget]] = ((), ())
    ) -> None:
        """prefix: the beginning of the object names of the fields.

        above: the other widgets above each part of the controls, and above the sections.
        """
        super().__init__(parent)
        self._prefix = prefix
        self.controls: dict[str, ParameterControl] = {}  # controls by their parameters' names
        self.sections: dict[str, Section] = {}  # sections by their titles
        self._lines: list[QWidget] = []  # lines with two controls
        page = QWidget()
        set_role(page, "page")
        whole = column_layout(page, (0, 0, GUTTER, 8), _SPACE)
        self._plain = [column_layout(spacing=_SPACE) for _ in above[1:]]
        self._grouped = column_layout(spacing=0)
        for others, controls in zip(above, (*self._plain, self._grouped), strict=True):
            if others:
                aligned = column_layout(None, (GUTTER, 0, 0, 0), _SPACE, *others)
                whole.addLayout(aligned)
            whole.addLayout(controls)
        whole.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def declare(self, *parts: Iterable[ParameterSpec]) -> None:
        """Replace all controls; those of each part are below its other widgets."""
        for widget in (*self.controls.values(), *self.sections.values(), *self._lines):
            widget.hide()
            widget.deleteLater()
        self.controls, self.sections, self._lines = {}, {}, []
        for part, layout in zip(parts, self._plain, strict=True):
            for spec in part:
                control = ParameterControl(spec, self, self._prefix)
                control.value_changed.connect(self.changed)
                self.controls[spec.name] = control
                if spec.joined:
                    self._join(layout, control)
                elif not spec.section:
                    layout.addWidget(control)
        for control in sorted(self.controls.values(), key=lambda one: one.spec.section == MORE):
            if control.spec.section:
                self._section(control.spec.section).add(control, control.stops)

    def _join(self, layout: QBoxLayout, control: ParameterControl) -> None:
        """Put a control into the line of the previous one."""
        last = list(self.controls.values())[-2]
        layout.removeWidget(last)
        for part in (last, control):
            part.make_narrow()
        line = QWidget(self)
        row = row_layout(line, 0, 0, last, control)
        for part in (last, control):
            row.setAlignment(part, Qt.AlignmentFlag.AlignTop)  # an error makes one of them higher
        layout.addWidget(line)
        self._lines.append(line)

    def commit(self) -> None:
        """Commit numbers that were typed but not finished with Enter or Tab."""
        for control in self.controls.values():
            control.commit()

    def show_error(self, name: str, text: str) -> bool:
        """Show an error next to a value's control; returns whether it has one."""
        if name not in self.controls:
            return False
        control = self.controls[name]
        if control.spec.section:
            self.sections[control.spec.section].set_open(True)
        control.show_error(text)
        self.ensureWidgetVisible(control)
        return True

    def clear_errors(self) -> None:
        for control in self.controls.values():
            control.show_error("")

    def _section(self, title: str) -> Section:
        if title not in self.sections:
            self.sections[title] = Section(title, self)
            self._grouped.addWidget(self.sections[title])
        return self.sections[title]
