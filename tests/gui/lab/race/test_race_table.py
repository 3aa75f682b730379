"""What the table of a race says of each entry: rank, best, times, and who leads."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView, QWidget

from tests.gui.tables_by_hand import cell, headings
from tilelab.core.solver import Best
from tilelab.gui.lab.race.chart import RaceChart, RaceCurve
from tilelab.gui.lab.race.layout import RaceTable, RaceValues, leader_words, unproven_words
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.theme import apply_theme, scaled
from tilelab.runs.actions import State
from tilelab.runs.races import EntryStatus, rank_statuses
from tilelab.runs.result import Figures

CELLS = np.zeros(4, np.uint8)
NO_FIGURES = [""] * 5
STRINGS, TO_GOAL = RaceValues("strings"), RaceValues("to goal")


def status(number, value=None, best_seconds=None, moves=None, **values):
    best = None if value is None else Best(CELLS, value, 5, moves, moves is not None)
    usual = {
        "state": State.FINISHED,
        "status": "limit (generations)",
        "seed": 1,
        "unit": "generation",
        "units": 1_500,
        "seconds": 30.0,
        "points": np.empty((0, 3)),
    }
    return EntryStatus(
        number=number, best=best, best_seconds=best_seconds, **(usual | values)
    )  # fmt: skip


def racers(*statuses, is_timed=True):
    titles = ("Genetic", "Tabu", "Bees")
    return [
        RaceCurve(place, titles[place - 1], place, one.unit, one)
        for place, one in enumerate(rank_statuses(statuses, is_timed=is_timed), 1)
    ]


@pytest.fixture
def table(qapp, qtbot):
    make_application([], "light")
    made = RaceTable()
    qtbot.addWidget(made)
    made.values = STRINGS
    made.resize(1_400, 200)
    made.grab()
    return made


@pytest.fixture
def make_chart(qapp, qtbot):
    """A function that makes a chart."""

    def make():
        made = RaceChart()
        qtbot.addWidget(made)
        return made

    make_application([], "light")
    return make


def shown(table):
    return [name for col, name in enumerate(headings(table)) if not table.isColumnHidden(col)]


def rows(table):
    return [
        [cell(table, row, name) for name in headings(table)]
        for row in range(table.items.rowCount())
    ]


def weights(table):
    """Of the letters of the first two rows."""
    return [int(cell(table, row, "Best", Qt.ItemDataRole.FontRole).weight()) for row in (0, 1)]


def test_each_column_says_what_its_heading_promises(table):
    table.show_racers(racers(status(0, 12.0, 2.5), status(1, 1_040.0, 20.0, units=30)))
    first = ["1  Genetic", "2", "12", "2.50 s", *NO_FIGURES, "1,500 generations", "50.0"]
    second = ["2  Tabu", "1", "1,040", "20.0 s", *NO_FIGURES, "30 generations", "1.0"]
    assert rows(table) == [[*first, "limit (generations)"], [*second, "limit (generations)"]]


def test_figures_stand_where_an_entry_has_them(table):
    genetic = status(0, 3.0, 1.0, figures=Figures(evaluations=157_500))
    table.show_racers(racers(genetic, status(1)))
    assert shown(table)[4:5] == ["Evaluations"]
    assert [cell(table, row, "Evaluations") for row in (0, 1)] == ["157,500", ""]
    known = {"evaluations": 3_938, "expanded": 2_330, "generated": 3_938, "memory": 1_024.04}
    anytime = status(1, 0.0, 9.0, "UDLRUD", figures=Figures(**known, proven=6))
    beam = status(2, 0.0, 9.0, "UDLRUD", figures=Figures(**known, proven=4))
    table.show_racers(racers(genetic, anytime, beam))
    assert shown(table)[4:9] == ["Expanded", "Memory", "Generated", "Proven", "Evaluations"]
    assert [row[4:9] for row in rows(table)] == [
        ["", "", "", "", "157,500"],
        ["2,330", "1,024.0 MB", "3,938", "shortest", "3,938"],
        ["2,330", "1,024.0 MB", "3,938", "4 or more", "3,938"],
    ]
    assert (
        cell(table, 1, "Expanded", Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    )


def test_the_solver_can_be_read_however_many_figures_there_are(table):
    known = Figures(evaluations=1, expanded=1, generated=1, memory=1.0, proven=1)
    table.show_racers(racers(status(0, 3.0, 1.0, figures=known)))
    table.resize(640, 200)  # in a window of 1024 pixels
    table.grab()
    assert table.columnWidth(0) >= 160
    assert not table.horizontalScrollBar().maximum()
    main = ["Solver", "Rank", "Best", "Found after", "Expanded", "Status"]
    assert [name for name in shown(table) if name in main] == main
    # What is hidden for want of room can be read and copied all the same.
    assert "Per second" not in shown(table)
    assert "Per second: 50.0" in cell(table, 0, "Solver", Qt.ItemDataRole.ToolTipRole)
    assert "Per second" in table.text_of([0])
    table.resize(300, 200)
    table.grab()
    assert not table.findChild(QTableView).isVisibleTo(table)
    table.horizontalScrollBar().setValue(300)
    again = table.findChild(QTableView)
    assert again.isVisibleTo(table)
    assert again.mapTo(table, again.viewport().pos()) == table.viewport().pos()
    assert again.columnWidth(0) == again.width() == table.columnWidth(0)
    table.resize(1_400, 200)
    table.grab()
    assert table.horizontalHeader().length() == table.viewport().width()
    assert shown(table) == headings(table)


def test_a_column_without_room_is_shown_by_the_next_wider_table(table, qtbot):
    """Noticed: after a change of the language, a column that was hidden stays so for good."""
    table.resize(500, 200)
    table.show_racers(racers(status(0, 3.0, 1.0)))
    table.grab()
    assert "Per second" not in shown(table)
    again = RaceTable()
    qtbot.addWidget(again)
    again.take_over(table)
    again.resize(1_400, 200)
    again.grab()
    assert "Per second" in shown(again)


def test_columns_grow_with_their_texts_and_stay_so(table):
    """Noticed: a status or a number of units is cut, as in German; columns that flicker."""
    words = "Grenze (Einheiten ohne Verbesserung)"
    long = status(0, -123_456.0, 1.0, status=words, units=123_456_789)
    table.values = RaceValues("bis zum Ziel")
    table.resize(640, 200)
    table.show_racers(racers(long))
    columns = [place for place in range(12) if not table.isColumnHidden(place)]
    widths = [table.columnWidth(place) for place in columns]
    assert all(map(lambda place, width: table.sizeHintForColumn(place) <= width, columns, widths))
    table.show_racers(racers(status(0, 1.0, 1.0, status="läuft")))
    assert [table.columnWidth(place) for place in columns][1:] == widths[1:]


def test_a_long_name_hides_no_column_of_the_next_race(table):
    """Noticed: what each has done stays hidden because of the long names of an earlier race."""
    table.resize(700, 200)
    table.grab()
    short = [RaceCurve(1, "A*", 1, "expansion", status(0, 0.0, 1.0, "UDLR"))]
    long = [dataclasses.replace(short[0], title="Breadth-first search from both ends at once " * 2)]
    for entries, has_room in ((short, True), (long, False), (short, True)):
        table.show_racers(entries)
        assert ("Done" in shown(table)) is has_room
    begins = [dataclasses.replace(short[0], status=None)]
    for most in (True, False):  # an equal race begins after long figures
        words = "limit (generations without any gain at all) " * (2 if most else 0)
        table.show_racers([dataclasses.replace(short[0], status=status(0, 1.0, 1.0, status=words))])
        assert ("Done" in shown(table)) is not most
        table.show_racers(begins)


def test_long_names_are_cut_before_a_status_is(table):
    """Noticed: a sideways scroll bar under names in full length, and half a status."""
    figures = Figures(expanded=20_290)
    ends = [status(place, 0.0, 1.0, "UDLR", status="solved", figures=figures) for place in (0, 1)]
    long = "A* (Misplaced + distance + 2 × reversals)"
    table.resize(640, 200)  # in a window of 1024 pixels
    table.show_racers([dataclasses.replace(one, title=long) for one in racers(*ends)])
    table.grab()
    assert not table.horizontalScrollBar().maximum()
    status_at = len(headings(table)) - 1
    assert table.sizeHintForColumn(status_at) <= table.columnWidth(status_at)
    assert long in cell(table, 0, "Solver", Qt.ItemDataRole.ToolTipRole)


def test_a_path_without_proof_is_told_wherever_the_others_are_compared(table):
    """Noticed: a fair and an unfair heuristic, both "solved" and equally long."""
    paths = [Best(CELLS, 0.0, 5, "UDLR", is_proven) for is_proven in (True, False)]
    given = {"status": "solved", "figures": Figures(expanded=8)}
    ends = [dataclasses.replace(status(at, **given), best=best) for at, best in enumerate(paths)]
    entries = racers(*ends)
    table.show_racers(entries)
    assert [row[-1] for row in rows(table)] == ["solved", "solved, not proven"]
    # Genetic has a proof for the same length.
    assert unproven_words(entries) == "No proof by Tabu that the path is shortest."
    # A longer path, or one of a search that still runs, needs no such word.
    longer = dataclasses.replace(ends[1], best=Best(CELLS, 0.0, 5, "UDLRUD", False))
    running = dataclasses.replace(ends[1], state=State.RUNNING)
    for other in (longer, running, status(1, 7.0, 1.0)):
        assert not unproven_words(racers(ends[0], other))


def test_large_type_tells_what_is_not_proven(table, qapp):
    """Noticed: all look solved to a class, or the status, or the heading of a rank, is cut."""
    figures = Figures(expanded=20_290)
    ends = [status(at, 0.0, 1.0, "UDLR", status="solved", figures=figures) for at in (0, 1)]
    unproven = dataclasses.replace(ends[1], best=Best(CELLS, 0.0, 5, "UDLRUDLRUDLR", False))
    try:
        apply_theme(qapp, "light", 1.6)
        table.set_presenting(True)
        table.resize(954, 200)  # in a window of 1024 pixels
        table.show_racers(racers(*ends))
        assert "Status" not in shown(table)
        long = "A* (Misplaced + distance + 2 × reversals)"
        entries = [dataclasses.replace(one, title=long) for one in racers(ends[0], unproven)]
        table.show_racers(entries)
        table.grab()
        main = ["Solver", "Rank", "Best", "Found after", "Expanded", "Status"]
        assert [name for name in shown(table) if name in main] == main
        metrics = table.horizontalHeader().fontMetrics()
        for place, name in enumerate(headings(table)):
            width = table.columnWidth(place)
            if width and place:
                assert metrics.horizontalAdvance(name) + 2 * scaled(8) <= width
                assert table.sizeHintForColumn(place) <= width
    finally:
        apply_theme(qapp, "light", 1.0)


def test_an_entry_without_a_board_has_no_rank(table):
    table.show_racers(
        [
            *racers(status(0, 3.0, 1.0), status(1, units=0, seconds=0.0, status="ready")),
            RaceCurve(3, "Bees", 3, "iteration", None),
        ]
    )
    assert rows(table)[1:] == [
        ["2  Tabu", "", "", "", *NO_FIGURES, "", "", "ready"],
        ["3  Bees", "", "", "", *NO_FIGURES, "", "", ""],
    ]


def test_the_better_board_ranks_first_and_of_equal_ones_the_earlier(table):
    table.show_racers(racers(status(0, 7.0, 1.0), status(1, 9.0, 25.0), status(2, 9.0, 3.0)))
    assert [row[1] for row in rows(table)] == ["3", "2", "1"]


def test_of_two_ways_the_shorter_one_leads_though_it_came_later(table):
    entries = racers(
        status(0, 0.0, 1.0, "UDLRUD"), status(1, 0.0, 9.0, "UDLR"), status(2, -5.0, 0.5)
    )
    table.values = TO_GOAL
    table.show_racers(entries)
    assert [row[1:3] for row in rows(table)] == [
        ["2", "6 moves"],
        ["1", "4 moves"],
        ["3", "≥ 5 to goal"],
    ]
    assert leader_words(entries, TO_GOAL, True) == "Tabu is first: 4 moves after 9.00 s."


def test_the_sentence_names_who_leads_wherever_it_stands(table):
    entries = racers(status(0, 7.0, 1.0), status(1, 9.0, 25.0))
    assert leader_words(entries, STRINGS, False) == "Tabu leads: 9 strings after 25.0 s."
    assert leader_words(racers(status(0), status(1)), STRINGS, False) == ""


def test_none_leads_before_one_has_reached_the_goal():
    """Noticed: a search that "leads" by an estimate, while none has a solution."""
    entries = racers(status(0, -3.0, 1.0), status(1, -4.0, 2.0))
    words = "Genetic is nearest: at least 3 to goal after 1.00 s."
    assert leader_words(entries, TO_GOAL, False) == words
    words = "Genetic is nearest: at least 3 to goal."
    assert leader_words(entries, TO_GOAL, True, is_timed=False) == words
    # The goal is generated, but no path to it is known yet.
    entries = racers(status(0, 0.0, 1.0), status(1, -4.0, 2.0))
    words = "Genetic is nearest: 0 to goal."
    assert leader_words(entries, TO_GOAL._replace(has_goal=True), True, is_timed=False) == words
    entries = racers(status(0, -3.0, 1.0), status(1, -4.0, 2.0))
    # Searches without an estimate have no board but their start.
    assert leader_words(entries, TO_GOAL._replace(start=-3.0), False) == ""


def test_of_runs_that_are_stepped_no_time_decides(table):
    """Noticed: a leader by microseconds of machine time, while each makes a step in turn."""
    entries = racers(
        status(0, 0.0, 2e-5, "UDLR"),
        status(1, 0.0, 1e-5, "LRUD"),
        status(2, 0.0, 1e-6, "UDLRUD"),
        is_timed=False,
    )
    table.show_racers(entries)
    assert [row[1] for row in rows(table)] == ["1", "1", "3"]
    assert "Found after" not in shown(table)
    words = "Genetic, Tabu are level: 4 moves."
    assert leader_words(entries, TO_GOAL, True, is_timed=False) == words
    searches = racers(
        status(0, 0.0, 1e-6, "UDLR", figures=Figures(expanded=157)),
        status(1, 0.0, 1e-5, "LRUD", figures=Figures(expanded=8)),
        is_timed=False,
    )
    words = "4 moves each: Tabu expanded 8 boards, Genetic expanded 157 boards."
    assert leader_words(searches, TO_GOAL, True, is_timed=False) == words
    twice = [dataclasses.replace(one, title="A*") for one in searches]
    words = "4 moves each: A* expanded 8 boards, A* expanded 157 boards."
    assert leader_words(twice, TO_GOAL, True, is_timed=False) == words
    words = "Genetic is first: 4 moves."
    entries = racers(status(0, 0.0, 2e-5, "UDLR"), status(1, 0.0, 1e-6, "UDLRUD"), is_timed=False)
    assert leader_words(entries, TO_GOAL, True, is_timed=False) == words
    entries = racers(status(0, 7.0, 1.0), status(1, 9.0, 25.0), is_timed=False)
    assert leader_words(entries, STRINGS, False, is_timed=False) == "Tabu leads: 9 strings."


def test_searches_with_equal_paths_are_compared_by_boards_whatever_their_times():
    """Noticed: the same race ends with a winner by milliseconds, or without one of its searches."""
    words = "4 moves each: Genetic expanded 8 boards, Tabu expanded 157 boards, "
    words += "Bees expanded 2,000 boards."
    for times in ((5.28e-3, 1.46e-4, 0.03), (0.3, 5e-4, 0.01), (2.0, 1.0, 3.0)):
        searches = racers(
            *(
                status(at, 0.0, late, path, figures=Figures(expanded=n))
                for at, (late, path, n) in enumerate(
                    zip(times, ("UDLR", "LRUD", "UDLR"), (8, 157, 2_000), strict=True)
                )
            )
        )
        assert leader_words(searches, TO_GOAL, True) == words
    # Another path, even of the search that expanded fewest boards, is not compared.
    longer = status(2, 0.0, 0.0, "UDLRUD", figures=Figures(expanded=4))
    entries = racers(*(one.status for one in searches[:2]), longer)
    assert leader_words(entries, TO_GOAL, True) == words.rsplit(", ", 1)[0] + "."
    # Boards of letters have no paths, and some searches count no boards.
    boards = [dataclasses.replace(one.status, best=Best(CELLS, 9.0, 5)) for one in searches]
    words = "Tabu is first: 9 strings after 1.00 s."
    assert leader_words(racers(*boards), STRINGS, True) == words
    uncounted = [one.status for one in searches[:2]] + [status(2, 0.0, 3.0, "UDLR")]
    words = "Tabu is first: 4 moves after 1.00 s."
    assert leader_words(racers(*uncounted), TO_GOAL, True) == words


def test_times_too_close_to_tell_share_a_rank():
    """Noticed: the search that expanded fewest boards is third, 35 ms behind the others."""
    # A rank ends a tenth of a second after its first entry, and an unknown time comes last.
    for times, ranks in (((0.0, 0.095, 0.11), [1, 1, 3]), ((None, 3.0, 4.0), [3, 1, 2])):
        entries = racers(*(status(at, 0.0, late, "UDLR") for at, late in enumerate(times)))
        assert [one.status.rank for one in entries] == ranks
    entries = racers(status(0, 0.0, 3.1, "UDLR"), status(1, 0.0, 3.0, "UDLR"))
    assert leader_words(entries, TO_GOAL, True) == "Tabu is first: 4 moves after 3.00 s."


def test_a_search_without_an_estimate_has_no_curve_before_the_goal():
    """Noticed: breadth first at the distance of the start until it was solved."""
    points = np.array([[0.1, 0.0, -21.0], [2.0, 9.0, 0.0]])
    made = RaceCurve(1, "Breadth first", 1, "update", status(0, 0.0, 2.0, "U", points=points))
    assert made.curve(1)[1].tolist() == [-21, -21, 0, 0]
    blind = dataclasses.replace(made, has_estimate=False)
    assert blind.curve(1)[1].tolist() == [0, 0]


def test_a_chart_without_curves_says_what_they_wait_for(make_chart):
    """Noticed: 'will be drawn here' after 39 steps of a search that has found no path yet."""
    chart, waiting = make_chart(), racers(status(0))
    chart.show_racers([dataclasses.replace(one, status=None) for one in waiting])
    assert chart._plot._empty.text() == "The race will be drawn here."
    chart.show_racers(waiting)
    assert (
        chart._plot._empty.text()
        == "The curves begin with the first best board, after generation 1."
    )
    # Noticed: the same of searches without an estimate, whose curves begin at the goal.
    chart.show_racers([dataclasses.replace(one, has_estimate=False) for one in waiting])
    assert chart._plot._empty.text() == "The race will be drawn here."


def test_curves_of_boards_expanded_stay_when_a_search_ends_until_others_are_chosen(make_chart):
    """Noticed: two growing curves that give way to a dot at 0, and no way back to them."""

    def searching(expanded, seconds, **more):
        values = {"figures": Figures(expanded=expanded), "seconds": seconds, **more}
        entries = racers(status(0, **values), status(1, **values))
        return [dataclasses.replace(one, is_search=True) for one in entries]

    def drawn():
        return [[part.tolist() for part in line.getData()] for line in chart._plot.lines]

    def choices():
        names = "race_figure", "race_axis"
        return [chart.findChild(QWidget, name).isVisibleTo(chart) for name in names]

    chart = make_chart()
    chart.set_value_title("to goal", is_distance=True)
    for expanded, seconds in ((3, 0.5), (9, 1.1), (7, 0.01), (8, 0.21)):  # after a step back
        chart.show_racers(searching(expanded, seconds))
    np.testing.assert_allclose(drawn(), [[[0.0, 0.5, 0.9, 1.1], [0.0, 3.0, 7.0, 8.0]]] * 2)
    chart.show_racers(searching(0, 0.0))  # all are taken back, or another race begins
    for expanded, seconds in ((3, 0.5), (5, 0.75)):
        chart.show_racers(searching(expanded, seconds))
    assert drawn() == [[[0.0, 0.5, 0.75], [0.0, 3.0, 5.0]]] * 2
    assert not chart._plot._empty.isVisibleTo(chart._plot)
    chart.show_racers(searching(9, 1.0, points=np.array([[0.5, 1.0, -4.0]])))
    assert drawn() == [[[0.0, 0.5, 0.75, 1.0], [0.0, 3.0, 5.0, 9.0]]] * 2
    assert (chart._title.text(), choices()) == ("Boards expanded so far", [True, False])
    chart.findChild(QWidget, "race_figure_best").click()
    assert drawn() == [[[0.5, 1.0], [4.0, 4.0]]] * 2
    assert (chart._title.text(), choices()) == (
        "Best so far, least distance to goal",
        [True, True],
    )
    again = make_chart()
    again.show_racers(chart._racers)
    again.take_over(chart)
    assert not again._shows_boards
    chart.show_racers(racers(status(0)))
    assert choices() == [False, True]


def test_who_leads_stands_in_heavy_letters(table):
    table.show_racers(racers(status(0, 7.0, 1.0), status(1, 9.0, 25.0)))
    assert weights(table) == [400, 600]
    table.show_racers(racers(status(0, 10.0, 26.0), status(1, 9.0, 25.0)))
    assert weights(table) == [600, 400]


def test_what_went_wrong_is_told_at_the_status(table):
    failed = dataclasses.replace(status(0), state=State.FAILED, message="no <b>memory</b>")
    table.show_racers([RaceCurve(1, "Genetic", 0, "generation", failed)])
    tip = cell(table, 0, "Status", Qt.ItemDataRole.ToolTipRole)
    assert "no &lt;b&gt;memory&lt;/b&gt;" in tip
