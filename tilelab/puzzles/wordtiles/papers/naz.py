"""The bee colony's tables: words by agents and steps, and its running times (Naz et al. 2016)."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tilelab import catalog
from tilelab.core.parameters import value_titles
from tilelab.experiments import papers
from tilelab.experiments.chart_values import Axis, Chart, Options, Point, Series
from tilelab.experiments.charts import improvement_over, lines
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import SettingName

PAPER = "Naz et al. 2016"
AGENTS, STEPS = (2, 4, 8, 12, 16, 20, 30), (10, 20, 30, 40)
"""Printed numbers of agents and steps, and in addition 20 and 30 agents."""
RUNS = 30  # number of runs of each setting, as in the paper
LEXICON = "english-large"
ONE_BOARD = {"kind": "wordtiles", "lexicon": LEXICON, "letters": "fpmsxgapefveoir."}
"""The board of the paper's Figure 1."""
MANY_BOARDS = {
    "kind": "wordtiles",
    "lexicon": LEXICON,
    "rows": 4,
    "cols": 4,
    "random_letters": "english",
}
BOARDS = {"one-board": "of Figure 1", "many-boards": "random ones"}
"""Names of the plans, and a description of their boards."""
Cell = tuple[int, int]  # numbers of agents and steps
_MISSING = (
    "The paper does not name its dictionary, and does not say which board it was measured on. The "
    "value hangs on both far more than on the colony: these are the board of its Figure 1, and 30 "
    f"boards with letters as frequent as in English, with the words of {LEXICON}. What can be "
    "compared is the shape."
)
_READING = (
    "It does not say where a trip starts, either: here from a best board so far. A word counts "
    "once for every line that contains it."
)
_EXTREMES = "The maximum and minimum of 30 runs have no interval, and so no verdict."
_OWN_ERROR = (
    "The printed averages are of 30 runs and have an error of their own, about half a word, which "
    "no interval here knows of; so has the improvement that follows from them."
)
_MORE_AGENTS = "20 and 30 agents are not in the printed tables that are available here."


def words_plans(iterations: int, small: bool) -> Mapping[str, Plan]:
    """Return the sweeps of one board with repeats, and of many boards."""
    n_runs = 2 if small else RUNS
    axes = {"agents": (2, 16), "steps": (10, 20)} if small else {"agents": AGENTS, "steps": STEPS}
    common = {
        "title": f"{PAPER}, {iterations} iterations",
        "solvers": [{"solver": "bees", "params": {"iterations": iterations}, "axes": axes}],
    }
    many = {"random": n_runs, "seed": 1}
    return {
        "one-board": plan_of({**common, "puzzle": ONE_BOARD, "repeats": n_runs}),
        "many-boards": plan_of({**common, "puzzle": MANY_BOARDS, "instances": many}),
    }


def printed_cells(table: str) -> dict[Cell, Mapping[str, str]]:
    """Return the average, maximum and minimum of a printed table's cells."""
    return {
        (int(row["agents"]), int(row["steps"])): row
        for row in papers.printed("naz-tables")
        if row["table"] == table
    }


def values_by_cell(kept: Kept) -> dict[Cell, list[float]]:
    """Return the best values of the runs of each setting."""
    cells: dict[Cell, list[float]] = {}
    for row in kept.rows:
        agents, steps = row["params"]["agents"], row["params"]["steps"]
        assert isinstance(agents, int)
        assert isinstance(steps, int)
        assert row["value"] is not None
        cells.setdefault((agents, steps), []).append(row["value"])
    return cells


@dataclass(frozen=True)
class _Reading:
    """Arrangement of a table's cells."""

    columns: tuple[str, str]
    base: str  # setting that the improvement is relative to
    labels: Callable[[Cell], tuple[int, int]]
    """Labels of a cell in the order of the columns; cells that differ in the last are compared."""


_BY_STEPS = _Reading(("agents", "steps"), "10 steps", lambda cell: cell)
_BY_AGENTS = _Reading(("steps", "agents"), "2 agents", lambda cell: (cell[1], cell[0]))


def words_comparison(
    reading: _Reading, table: str, of_extremes: str, notes: Sequence[str], kept: Mapping[str, Kept]
) -> papers.Comparison:
    """Compare averages and their improvement with those of a printed table.

    table: name of the table with the averages, or ''. of_extremes: that with the extremes.
    """
    averages, others = printed_cells(table), printed_cells(of_extremes)
    rows: list[papers.PrintedRow] = []
    for name, board in BOARDS.items():
        cells = values_by_cell(kept[name])
        ordered = sorted(cells, key=reading.labels)
        for cell in ordered:
            labels = board, "average", *map(str, reading.labels(cell))
            figure, other = averages.get(cell, {}), others.get(cell, {})
            extremes = (
                _with(f"{max(cells[cell]):g}", other.get("maximum", "")),
                _with(f"{min(cells[cell]):g}", other.get("minimum", "")),
            )
            rows.append(papers.sampled(labels, figure.get("average", ""), cells[cell], extremes))
        for cell in ordered:
            base = next(
                each for each in ordered if reading.labels(each)[0] == reading.labels(cell)[0]
            )
            if cell != base:
                labels = board, "improvement in %", *map(str, reading.labels(cell))
                rows.append(_improvement(labels, cells[base], cells[cell], base, cell, averages))
    titles = f"maximum (Table {of_extremes})", f"minimum (Table {of_extremes})"
    columns = ("board", "figure", *reading.columns)
    improvement = f"The improvement is that on {reading.base}, as in Figures 6 and 7."
    more = (improvement, _MISSING, _ranges(kept, others), _READING, _EXTREMES, _OWN_ERROR)
    one_board, over = kept["one-board"], Options(x=reading.columns[1])
    charts = (
        lines(one_board, over),
        improvement_over(one_board, over),
        *([_printed_lines(reading, averages)] if averages else []),
    )
    return papers.Comparison(columns, tuple(rows), (*notes, *more, _MORE_AGENTS), titles, charts)


def _ranges(kept: Mapping[str, Kept], others: Mapping[Cell, Mapping[str, str]]) -> str:
    """Describe which boards the printed ranges fit."""
    found = {name: values_by_cell(results) for name, results in kept.items()}
    common = [cell for cell in others if all(cell in cells for cells in found.values())]
    theirs = statistics.mean(
        float(others[cell]["maximum"]) - float(others[cell]["minimum"]) for cell in common
    )
    one, many = (
        statistics.mean(max(cells[cell]) - min(cells[cell]) for cell in common)
        for cells in (found["one-board"], found["many-boards"])
    )
    return (
        f"From the minimum to the maximum there are {theirs:.1f} words on average as printed, "
        f"{one:.1f} here on one board and {many:.1f} on many."
    )


def _printed_lines(reading: _Reading, averages: Mapping[Cell, Mapping[str, str]]) -> Chart:
    """Show the printed averages in the same form as ours."""
    specs = catalog.parameters("wordtiles", "bees")
    (first, _), (second, _) = (value_titles(specs, name, None) for name in reading.columns)
    series: dict[int, list[Point]] = {}
    for cell in sorted(averages, key=reading.labels):
        each, x = reading.labels(cell)
        series.setdefault(each, []).append(Point(x, float(averages[cell]["average"]), ()))
    return Chart(
        "lines",
        f"Mean value over {second}, as printed",
        Axis(second),
        Axis("mean value"),
        tuple(
            Series(SettingName("", ((first, str(each)),)), tuple(points), colour=colour)
            for colour, (each, points) in enumerate(series.items())
        ),
        "Each point is the printed average of 30 runs.",
    )


def _improvement(
    labels: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    base: Cell,
    cell: Cell,
    averages: Mapping[Cell, Mapping[str, str]],
) -> papers.PrintedRow:
    """Compare the percentage by which a mean exceeds that of the base, run by run."""
    mean, figure = statistics.mean(before), ""
    if cell in averages and base in averages:
        first, second = (float(averages[each]["average"]) for each in (base, cell))
        figure = f"{100 * (second / first - 1):.1f}"
    pairs = zip(before, after, strict=True)
    return papers.sampled(labels, figure, [100 * (new - old) / mean for old, new in pairs])


def _with(ours: str, theirs: str) -> str:
    return f"{ours} ({theirs})" if theirs else ours


def times_plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweep whose running times are compared."""
    axes = {"iterations": (100, 200), "steps": (20, 30, 40)}
    bees = {"solver": "bees", "params": {"agents": 16}, "axes": axes}
    raw = {"title": f"{PAPER}, running times", "repeats": 2 if small else RUNS, "solvers": [bees]}
    return {"one-board": plan_of({**raw, "puzzle": ONE_BOARD})}


def times_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare the running time of each setting relative to the first one."""
    seconds: dict[Cell, list[float]] = {}
    for row in kept["one-board"].rows:
        iterations, steps = row["params"]["iterations"], row["params"]["steps"]
        assert isinstance(iterations, int)
        assert isinstance(steps, int)
        assert row["seconds"] is not None
        seconds.setdefault((iterations, steps), []).append(row["seconds"])
    theirs = {
        (int(row["iterations"]), int(row["steps"])): float(row["seconds"])
        for row in papers.printed("naz-times")
    }
    base = min(theirs)
    rows: list[papers.PrintedRow] = []
    for cell in sorted(theirs):
        labels = str(cell[0]), str(cell[1])
        # Compared run by run, with the same seeds.
        ratios = [own / first for own, first in zip(seconds[cell], seconds[base], strict=True)]
        rate = 16 * cell[0] * cell[1] / theirs[cell]
        ours = 16 * cell[0] * cell[1] / statistics.median(seconds[cell])
        speeds = f"{ours:,.0f} ({rate:,.0f})"
        rows.append(
            papers.bare(
                (*labels, "seconds"), f"{theirs[cell]:g}", statistics.median(seconds[cell]), RUNS
            )
        )
        ratio = f"{theirs[cell] / theirs[base]:.2f}"
        rows.append(papers.sampled((*labels, "times the first"), ratio, ratios, (speeds,)))
    return papers.Comparison(
        ("iterations", "steps", "figure"),
        tuple(rows),
        (
            "Machines differ: seconds are not compared, only how they grow from the first setting "
            "on. The printed ratios follow from the printed seconds.",
            "Every step of every agent costs the same here: without the machine's other work the "
            "ratios were those of the boards scored, 1, 1.5, 2, 2, 3 and 4. Printed, they grow a "
            "little less with the steps, and more with the iterations.",
        ),
        ("boards a second (printed)",),
        (lines(kept["one-board"], Options(figure="seconds", x="steps")),),
    )


_AGAIN = (
    "Table II prints the figures of Table I once more, under swapped labels; they are compared "
    "under those of Table I, from the same runs."
)
_TABLE_IV = (
    "The printed figures of Table IV are not available. It is taken to arrange Table III as Table "
    "II arranges Table I; the extremes in brackets are those of Table III."
)
for _place, _iterations, _reading, _averages, _other, _notes, _seconds in (
    (1, 100, _BY_STEPS, "I", "I", (), 85),
    (2, 100, _BY_AGENTS, "I", "I", (_AGAIN,), 85),
    (3, 200, _BY_STEPS, "III", "III", (), 135),
    (4, 200, _BY_AGENTS, "", "III", (_TABLE_IV,), 135),
):
    papers.register_table(
        papers.PaperTable(
            key=f"naz-table-{_place}",
            title=f"Words by {' and '.join(_reading.columns)}, {_iterations} iterations",
            source=f"{PAPER}, Table {('I', 'II', 'III', 'IV')[_place - 1]}",
            plans=partial(words_plans, _iterations),
            compare=partial(words_comparison, _reading, _averages, _other, _notes),
            seconds=_seconds,
        )
    )
papers.register_table(
    papers.PaperTable(
        key="naz-table-5",
        title="Running times of 16 agents",
        source=f"{PAPER}, Table V",
        plans=times_plans,
        compare=times_comparison,
        seconds=20,
    )
)
