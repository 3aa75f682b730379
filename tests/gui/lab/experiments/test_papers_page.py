"""A paper's table made again in the window: verdicts in words, notes; stopped, gone on."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from tests.gui.pixels import grabbed
from tilelab.experiments.papers import Verdict
from tilelab.gui.widgets.theme import current_theme

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def shown(experiment, key):
    experiment.window.pages.buttons["papers"].click()
    page = experiment.window.pages.papers
    experiment.until(lambda: page.tables.items.row_of(key) is not None)
    page.tables.selectRow(page.tables.items.row_of(key))
    return page


def test_a_table_stands_beside_what_is_printed(experiment):
    page = shown(experiment, "damodaran")
    assert "of processor time" in page._how_far.text()
    page.small.setChecked(True)
    make = experiment.window.findChild(QPushButton, "paper_make")
    make.click()
    assert not make.isEnabled()
    experiment.until(lambda: page.comparison is not None and make.isEnabled())
    assert page._how_far.text() == "finished"
    rows, verdict = page.comparison.rows, len(page.comparison.columns) + 2
    assert page.rows.items.rowCount() == len(rows)
    assert [line[verdict] for line in page.rows.items.items] == [row.verdict.value for row in rows]
    agrees = next(i for i, row in enumerate(rows) if row.verdict is Verdict.AGREES)
    index = page.rows.items.index(agrees, verdict)
    assert index.data(Qt.ItemDataRole.ForegroundRole) == current_theme().accent
    assert all(note in page.notes.text() for note in page.comparison.notes)
    # The picture of the state graph stands behind a button of its own.
    assert [button.text() for button in page.drawings.switch.buttons] == ["Table", "Picture"]
    page.drawings.switch.buttons[1].click()
    assert not page.rows.isVisible()
    picture = page.drawings.currentWidget()
    assert picture.accessibleName().startswith("Picture: State graph")
    assert (grabbed(picture) < 100).any()
    # All is there already: nothing is run again.
    make.click()
    experiment.until(lambda: page.comparison is not None and make.isEnabled())


def test_it_is_stopped_and_goes_on(experiment):
    page = shown(experiment, "damodaran")
    page.small.setChecked(True)
    page.make()
    # A click on another table in the meantime does not replace the progress of this one.
    row = page.tables.currentIndex().row()
    page.tables.selectRow(row - 1 if row else row + 1)
    assert page._how_far.text() == "getting ready"
    page.tables.selectRow(row)
    page.stop()
    experiment.until(page.make_button.isEnabled)
    assert page.comparison is None
    assert page._how_far.text() == "stopped; MAKE continues"
    page.make()
    experiment.until(lambda: page.comparison is not None)
