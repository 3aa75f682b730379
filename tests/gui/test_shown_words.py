"""What the window calls things: automatic values, entries, distances and limits."""

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from tests.gui.lab.race.test_race_table import status
from tilelab.core.parameters import describe
from tilelab.gui.lab.race.chart import RaceChart, RaceCurve
from tilelab.gui.lab.race.form import EntryDraft, draft_titles
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.parameters.panel import ControlPanel
from tilelab.puzzles.sliding.puzzle import SlidingParams
from tilelab.solvers.local_searches import CoolingParams
from tilelab.solvers.search_params import SearchParams


@pytest.mark.parametrize(
    ("model", "name", "title"),
    [
        (CoolingParams, "initial_temperature", "Initial temperature"),
        (CoolingParams, "final_temperature", "Final temperature"),
        (CoolingParams, "first_cycle", "First cycle"),
        (SearchParams, "memory", "Memory"),
    ],
)
def test_a_value_that_the_solver_chooses_is_automatic(qtbot, model, name, title):
    spec = next(spec for spec in describe(model) if spec.name == name)
    control = ParameterControl(spec)
    qtbot.addWidget(control)
    assert control.field.accessibleName() == title
    assert control.field.text() == "automatic"
    control.set_value(2)
    assert control.field.text().startswith("2")


def test_entries_name_their_heuristic():
    drafts = [
        EntryDraft("a-star", 0),
        EntryDraft("greedy", 1, {"heuristic": "misplaced"}),
        EntryDraft("bidirectional-a-star", 2),
        EntryDraft("bidirectional-a-star", 3, {"heuristic": "manhattan", "burst": 9}),
        EntryDraft("breadth-first", 4),
    ]
    assert draft_titles("sliding", drafts) == [
        "A* (Manhattan distance)",
        "Greedy best first (Misplaced tiles)",
        "Bidirectional A* with HH",
        "Bidirectional A* with HH (Manhattan distance), later bursts 9",
        "Breadth first",
    ]


def test_a_distance_to_the_goal_is_drawn_above_zero(qtbot):
    chart = RaceChart()
    qtbot.addWidget(chart)
    chart.set_value_title("to goal", is_distance=True)
    assert chart._title.text() == "Best so far, least distance to goal"
    points = np.array([[0.1, 0.0, -30.0], [0.5, 9.0, -4.0]])
    racer = RaceCurve(1, "A*", 0, "update", status(0, -4.0, 0.5, points=points))
    chart.show_racers([racer])
    assert set(chart._plot.lines[0].getData()[1].tolist()) == {30.0, 4.0}
    assert chart._plot.box.viewRange()[1][1] > 0


def test_a_limit_is_called_by_the_solvers_unit(qtbot):
    panel = ControlPanel(QWidget())
    qtbot.addWidget(panel)
    panel.declare(SlidingParams, SearchParams, "update")
    assert panel.controls["units"].field.accessibleName() == "Updates"
    panel.declare(SlidingParams, SearchParams, "generation")
    assert panel.controls["units"].field.accessibleName() == "Generations"
