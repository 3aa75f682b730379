"""A form of declared parameters: a control for each, those of a group in a section of their own."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSizePolicy, QWidget

from tilelab.core.parameters import ParameterSpec
from tilelab.core.text.language import tr
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import icon, keep_themed, set_role


class Section(QWidget):
    """A heading, and the controls below it while it is open."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading = QPushButton(tr(title), self)
        self._heading.setCheckable(True)
        set_role(self._heading, "section")
        self._heading.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._page = QWidget(self)
        self._stops: list[QWidget] = []
        self._inner = column_layout(self._page, (0, 8, 0, 8), 12)
        whole = column_layout(self, 0, 0)
        line = row_layout(spacing=0)
        line.addWidget(self._heading, 1)
        line.addWidget(ManualButton(title, self))
        whole.addLayout(line)
        whole.addWidget(self._page)
        self._page.hide()
        self._heading.toggled.connect(self._turned)
        keep_themed(self, self._apply_theme)

    @property
    def title(self) -> str:
        """What the heading says."""
        return self._heading.text()

    @property
    def stops(self) -> list[QWidget]:
        """Where the Tab key stops, from the top to the bottom."""
        return [self._heading, *self._stops]

    def add(self, control: QWidget, stops: Iterable[QWidget]) -> None:
        """Put a control at the end; stops: where the Tab key stops in it."""
        self._stops += stops
        self._inner.addWidget(control)

    def is_open(self) -> bool:
        """Return whether the widgets are shown."""
        return self._heading.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Open or close it."""
        self._heading.setChecked(is_open)

    @Slot(bool)
    def _turned(self, is_open: bool) -> None:
        self._page.setVisible(is_open)
        self._apply_theme()

    def _apply_theme(self) -> None:
        turned = "down" if self.is_open() else "right"
        self._heading.setIcon(icon(f"chevron-{turned}", token="muted"))
        self._heading.setAccessibleDescription(tr("open") if self.is_open() else tr("closed"))
        pattern = tr("Hide {section}") if self.is_open() else tr("Show {section}")
        self._heading.setToolTip(pattern.format(section=tr(self.title).lower()))


class ParameterForm(QScrollArea):
    """From the top: other parts, plain controls, other parts, sections; scrolled as one.

    prefix: what the object names of the fields begin with.
    """

    changed = Signal(str, object)
    """A parameter was changed: name and value."""

    def __init__(
        self,
        parent: QWidget,
        prefix: str = "param_",
        above: Sequence[QWidget] = (),
        between: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(parent)
        self._prefix = prefix
        self.controls: dict[str, ParameterControl] = {}
        """By their parameters' names."""
        self.sections: dict[str, Section] = {}
        """By their titles."""
        page = QWidget()
        set_role(page, "page")
        whole = column_layout(page, (16, 0, 16, 16), 12)
        self._plain = column_layout(spacing=12)
        self._grouped = column_layout(spacing=2)
        for part in above:
            whole.addWidget(part)
        whole.addLayout(self._plain)
        for part in between:
            whole.addWidget(part)
        whole.addLayout(self._grouped)
        whole.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def declare(self, specs: Iterable[ParameterSpec]) -> None:
        """Make controls in place of those before."""
        for widget in (*self.controls.values(), *self.sections.values()):
            widget.hide()
            widget.deleteLater()
        self.controls, self.sections = {}, {}
        for spec in specs:
            control = ParameterControl(spec, self, self._prefix)
            control.value_changed.connect(self.changed)
            self.controls[spec.name] = control
            if spec.group:
                self._section(spec.group).add(control, control.stops)
            else:
                self._plain.addWidget(control)

    def commit(self) -> None:
        """Take every number that was typed, but not finished with Enter or Tab."""
        for control in self.controls.values():
            control.commit()

    def show_error(self, name: str, text: str) -> bool:
        """Show a sentence beside a value's control; returns whether it has one."""
        if name not in self.controls:
            return False
        control = self.controls[name]
        if control.spec.group:
            self.sections[control.spec.group].set_open(True)
        control.show_error(text)
        self.ensureWidgetVisible(control)
        return True

    def clear_errors(self) -> None:
        """Take all sentences away."""
        for control in self.controls.values():
            control.show_error("")

    def _section(self, title: str) -> Section:
        if title not in self.sections:
            self.sections[title] = Section(title, self)
            self._grouped.addWidget(self.sections[title])
        return self.sections[title]
