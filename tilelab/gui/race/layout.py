"""The parts of the race's window, and where they stand."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLabel,
    QMenu,
    QWidget,
)

from tilelab.core.parameters import describe
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.parameters.seed_field import SeedField
from tilelab.gui.race.bar import RaceBar
from tilelab.gui.race.chart import RaceChart
from tilelab.gui.race.entry import Draft, EntryForm
from tilelab.gui.race.export import KINDS
from tilelab.gui.race.table import RaceTable
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.widgets.parts import (
    card,
    column_layout,
    row_layout,
    rule_line,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import set_role, set_style_property
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled
from tilelab.runs.session import Limits

PANEL_WIDTH = 304
_TABLE_HEIGHT = 224


class RaceForm(QFrame):
    """The card at the left: the selected entry, and what holds for all of them."""

    solver_changed = Signal(str)
    edited = Signal()
    window_asked = Signal()
    limits_changed = Signal()

    def __init__(self, puzzle_key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("race_form")
        set_style_property(self, "card", True)
        self.setAccessibleName("Solver and limits")
        self.entry = EntryForm(puzzle_key, self)
        self.entry.solver_changed.connect(self.solver_changed)
        self.entry.edited.connect(self.edited)
        self.entry.window_asked.connect(self.window_asked)
        self.seed_field = SeedField(self)
        for stop in self.seed_field.stops:
            stop.setObjectName(f"race_{stop.objectName()}")
        self.limit_controls = {spec.name: ParameterControl(spec, self) for spec in describe(Limits)}
        for control in self.limit_controls.values():
            control.field.setObjectName(f"race_limit_{control.spec.name}")
            control.value_changed.connect(self._limits_changed)
        self._hint = text_label("accent", self, "Changed values take effect with START AGAIN.")
        self._hint.setWordWrap(True)
        self._hint.hide()
        self._lay_out()

    def limits(self) -> Limits:
        """Return when each solver shall end by itself."""
        return Limits(**{name: c.value() for name, c in self.limit_controls.items()})

    def set_limits(self, limits: Limits) -> None:
        """Show limits."""
        for name, value in limits.model_dump().items():
            self.limit_controls[name].set_value_quietly(value)

    def show_draft(self, draft: Draft, title: str) -> None:
        """Show an entry."""
        self.entry.show_draft(draft, title)

    def take(self) -> None:
        """Take every number that was typed, but not finished with Enter or Tab."""
        self.entry.take()
        for control in self.limit_controls.values():
            control.commit()

    def set_running(self, is_running: bool) -> None:
        """Nothing can be changed while the race is going."""
        self.entry.set_running(is_running)
        for part in (self.seed_field, *self.limit_controls.values()):
            part.setEnabled(not is_running)

    def show_error(self, name: str, text: str) -> bool:
        """Show a sentence beside the control of that value; returns whether there is such a
        control."""
        if name == "seed":
            self.seed_field.show_error(text)
            return True
        return self.entry.show_error(name, text)

    def show_hint(self) -> None:
        """Say how changed values take effect."""
        self._hint.show()

    def clear_hint(self) -> None:
        """Take the hint away."""
        self._hint.hide()

    def _lay_out(self) -> None:
        title = text_label("strong", self, "For all solvers")
        rule = rule_line(self)
        below = column_layout(margins=(16, 0, 16, 16), spacing=12)
        below.addWidget(rule)
        for part in (title, self.seed_field, *self.limit_controls.values(), self._hint):
            below.addWidget(part)
        whole = column_layout(self, 0, 8)
        whole.addWidget(self.entry, 1)
        whole.addLayout(below)

    @Slot()
    def _limits_changed(self) -> None:
        self.limits_changed.emit()


class RaceFrame:
    """Makes all parts and lays them out in a dialog."""

    def __init__(self, puzzle_key: str, dialog: QDialog) -> None:
        self.bar = RaceBar(dialog)
        self.form = RaceForm(puzzle_key, dialog)
        self.chart = RaceChart(dialog)
        self.table = RaceTable(dialog)
        self.add, self.remove, self.export = (
            small_button(text, name, tip, dialog)
            for text, name, tip in (
                ("Add solver", "race_add", "Add a solver, up to six"),
                ("Remove", "race_remove", "Take the selected solver out of the race"),
                ("Export", "race_export", "Write the table as CSV, or the chart as PNG or SVG"),
            )
        )
        self._export_menu = QMenu(self.export)
        self.said = QLabel(dialog)
        self.said.setObjectName("race_said")
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self._lay_out(dialog)

    def say(self, text: str, role: str = "muted") -> None:
        """Say something below the table; role: 'muted' or 'error'."""
        set_role(self.said, role)
        self.said.setText(text)

    def offer_exports(self, asked: Callable[[str, bool], None]) -> None:
        """Fill the menu of exports; asked: called with a kind of file."""
        for kind, title in KINDS.items():
            action = self._export_menu.addAction(f"{title} as {kind.upper()}…")
            action.triggered.connect(partial(asked, kind))
        self.export.setMenu(self._export_menu)

    def _lay_out(self, dialog: QDialog) -> None:
        self.form.setFixedWidth(PANEL_WIDTH)
        title = text_label("title", dialog, "Solvers")
        heading = row_layout(spacing=8)
        heading.addWidget(title)
        heading.addSpacing(8)
        heading.addWidget(self.add)
        heading.addWidget(self.remove)
        heading.addStretch(1)
        heading.addWidget(self.export)
        table_card = card(dialog)
        inner = column_layout(table_card, (SPACE, 12, SPACE, 12), 6)
        inner.addLayout(heading)
        inner.addWidget(self.table, 1)
        inner.addWidget(self.said)
        self.table.setFixedHeight(_TABLE_HEIGHT)
        chart_card = card(dialog)
        around = column_layout(chart_card, SPACE)
        around.addWidget(self.chart)
        right = column_layout(spacing=SPACE)
        right.addWidget(chart_card, 1)
        right.addWidget(table_card)
        ground = QWidget(dialog)
        set_role(ground, "page")
        columns = row_layout(ground, SPACE, SPACE)
        columns.addWidget(self.form)
        columns.addLayout(right, 1)
        keep_on_screen(dialog)
        whole = column_layout(dialog, 0, 0)
        whole.addWidget(self.bar)
        whole.addWidget(scrolled(ground, dialog), 1)
