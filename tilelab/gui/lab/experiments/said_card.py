"""The card of what the results say in words, and of what they cannot support."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import metric_title
from tilelab.experiments.remarks import Remarks, remarks_on
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import FORMATS, by_setting
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import calling, column_layout, row_layout, rule_line, small_button
from tilelab.gui.widgets.theme import set_role, set_style_property

_NOTHING = marked("When runs are done, this says what they show, and what they do not.")
_TITLES = {"markdown": marked("Markdown"), "latex": "LaTeX"}


class SaidCard(QFrame):
    """Says what the tests say of one figure; copies the table of it."""

    export_asked = Signal()
    copied = Signal(str)
    """A sentence that says so."""
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_style_property(self, "card", True)
        self.setAccessibleName(tr("What can be said"))
        self._kept: Kept | None = None
        self._figure = "value"
        self._is_stale = False
        self._title = ElidedLabel(self)
        set_role(self._title, "title")
        self.said = _text("experiment_said", "", self)
        self.unsupported = _text("experiment_unsupported", "muted", self)
        self._rule = rule_line(self)
        self._telling = Background(self)
        self._telling.reported.connect(self._show)
        self._telling.failed.connect(self._show_why_not)
        self._telling.ended.connect(self._tell_newest)
        self._copying = Background(self)
        self._copying.reported.connect(self._copy)
        self._copying.failed.connect(self.failed)
        self._buttons = [
            small_button(
                tr("Copy as {title}").format(title=title),
                f"experiment_copy_{form}",
                tr("Put the table of this figure on the clipboard, as {title}").format(title=title),
                self,
            )
            for form, title in _TITLES.items()
        ]
        for button, form in zip(self._buttons, _TITLES, strict=True):
            button.clicked.connect(calling(self._write, form))
        tip = tr("Write the chart, the rows or a report into a file")
        export = small_button(tr("Export…"), "experiment_export", tip, self)
        export.clicked.connect(self.export_asked)
        self._buttons.append(export)
        self._lay_out()
        self.show_kept(None)

    def show_kept(self, kept: Kept | None) -> None:
        """Speak of other results, or of more of the same."""
        self._kept = kept
        for button in self._buttons:
            button.setEnabled(kept is not None and bool(kept.rows))
        if kept is None or not kept.rows:
            self._telling.cancel()
            self._show_why_not(tr(_NOTHING))
            return
        self._is_stale = True
        if not self._telling.is_busy:
            self._tell_newest()

    @Slot(str)
    def show_figure(self, name: str) -> None:
        """Speak of another figure of the runs."""
        if name != self._figure:
            self._figure = name
            self.show_kept(self._kept)

    @Slot()
    def _tell_newest(self) -> None:
        if self._is_stale and self._kept is not None:
            self._is_stale = False
            if self.said.text() == _NOTHING:
                self.said.setText(tr("Comparing the runs…"))
            self._telling.start(_telling(self._kept, self._figure))

    @Slot(object)
    def _show(self, remarks: Remarks) -> None:
        self._title.setText(
            tr("What can be said of the {metric_title}").format(
                metric_title=metric_title(self._figure)
            )
        )
        self.said.setText("\n\n".join(remarks.said))
        self.unsupported.setText("\n\n".join(remarks.unsupported))
        for part in (self._rule, self.unsupported):
            part.setVisible(bool(remarks.unsupported))

    @Slot(str)
    def _show_why_not(self, why: str) -> None:
        self._show(Remarks((why,), ()))
        self._title.setText(tr("What can be said"))
        self._tell_newest()

    def _write(self, form: str) -> None:
        if self._kept is not None:
            self._copying.start(_writing(self._kept, self._figure, form))

    @Slot(object)
    def _copy(self, written: tuple[str, str]) -> None:
        form, text = written
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(tr("Copied the table as {value}.").format(value=tr(_TITLES[form])))

    def _lay_out(self) -> None:
        inner = QWidget(self)
        set_role(inner, "page")
        text = column_layout(inner, (0, 0, 8, 0), 12)
        for part in (self.said, self._rule, self.unsupported):
            text.addWidget(part)
        text.addStretch(1)
        area = QScrollArea(self)
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        copies = row_layout(spacing=8)
        for button in self._buttons:
            copies.addWidget(button)
        copies.addStretch(1)
        whole = column_layout(self, (16, 12, 8, 12), 8)
        heading = row_layout(spacing=8)
        heading.addWidget(self._title)
        heading.addWidget(
            ManualButton(tr("What can be said"), self, "experiments#tables-and-tests")
        )
        heading.addStretch(1)
        whole.addLayout(heading)
        whole.addWidget(area, 1)
        whole.addLayout(copies)


def _text(name: str, role: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(name)
    set_role(label, role)
    label.setWordWrap(True)
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return label


def _telling(kept: Kept, name: str) -> Iterator[Remarks]:
    yield remarks_on(kept, name)


def _writing(kept: Kept, name: str, form: str) -> Iterator[tuple[str, str]]:
    yield form, FORMATS[form](by_setting(kept, name, kept.plan.limits.target))
