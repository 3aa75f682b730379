"""The parts of the race's window, and where they stand."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QMenu, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital
from tilelab.gui.lab.race.bar import RaceBar
from tilelab.gui.lab.race.chart import RaceChart, Racer, units_words
from tilelab.gui.lab.race.form import RaceForm
from tilelab.gui.lab.race.table import RaceTable
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.widgets.manual_link import ManualButton, bind_manual_key
from tilelab.gui.widgets.parts import card, column_layout, row_layout, small_button, text_label
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled

KINDS = {"csv": marked("Table"), "png": marked("Chart"), "svg": marked("Chart")}
"""What can be exported, by kinds of files."""
PANEL_WIDTH = 304
_TABLE_HEIGHT = 224


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
                (tr("Add solver"), "race_add", tr("Add a solver, up to six")),
                (tr("Remove"), "race_remove", tr("Take the selected solver out of the race")),
                (
                    tr("Export"),
                    "race_export",
                    tr("Write the table as CSV, or the chart as PNG or SVG"),
                ),
            )
        )
        menu = QMenu(self.export)
        self.export.setMenu(menu)
        self.exports = {
            kind: menu.addAction(
                tr("{title} as {upper}…").format(title=tr(title), upper=kind.upper())
            )
            for kind, title in KINDS.items()
        }
        """The menu's entries by kinds of files."""
        self.said = QLabel(dialog)
        self.said.setObjectName("race_said")
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self._lay_out(dialog)

    def say(self, text: str, role: str = "muted") -> None:
        """Say something below the table; role: 'muted' or 'error'."""
        set_role(self.said, role)
        self.said.setText(text)

    def show_racers(self, racers: Sequence[Racer]) -> None:
        """Show how all entries stand."""
        self.table.show_racers(racers)
        self.chart.show_racers(racers)
        self.form.limit_controls["limit"].set_title(capital(units_words(racers)))

    def _lay_out(self, dialog: QDialog) -> None:
        keep_scaled(self.form, width=PANEL_WIDTH)
        title = text_label("title", dialog, tr("Solvers"))
        heading = row_layout(spacing=8)
        heading.addWidget(title)
        heading.addWidget(ManualButton(tr("Races"), dialog))
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
        keep_scaled(self.table, height=_TABLE_HEIGHT)
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
        bind_manual_key(dialog, "races")
        whole = column_layout(dialog, 0, 0)
        whole.addWidget(self.bar)
        whole.addWidget(scrolled(ground, dialog), 1)
