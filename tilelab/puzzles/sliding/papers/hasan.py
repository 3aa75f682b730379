"""Searches with the hybrid heuristic on fifteen puzzles (Hasan et al. 2023), Tables 3, 4, 6, 7."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np

from tilelab import catalog
from tilelab.experiments import job_run, papers
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.results import Kept
from tilelab.puzzles.sliding.board import Goal, goal_board
from tilelab.puzzles.sliding.flags import tile_set
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation

PAPER = "Hasan et al. 2023"
BOTH_ENDS = "bidirectional-a-star"
NEVER_TURNS = 10_000_000
"""Length of a first burst that never ends, so that the search is the paper's UA*."""
SMALL = {"hasan25": (2, 10), "hasan28": (2, 25), "korf100": (9, 12, 79)}  # easy boards of each set
Values = Mapping[str, float]
_PROGRAM = (
    "Each side is a binary heap without a rule for ties, as java.util.PriorityQueue, on f with the "
    "Manhattan distance's third unrounded; a board is never reopened. That follows from the "
    "printed counts: all that one burst solves comes out to the board."
)
_BACKWARD = (
    "What the second side's estimate is, the printed counts do not show. Here it is HH towards the "
    "start; boards that 75,000 expansions do not solve differ."
)
_COUNTING = (
    "Generated are boards that were found for the first time, both ends included; expanded is one "
    "more than here, as if the goal were expanded, too."
)
_BOARD_16 = "Board 16 is printed with 44 moves; its shortest solution has 42."
_LC = (
    "LC counts two moves for each tile with a later, smaller one in their common goal line. That "
    "may exceed the true distance; IDA* counts the tiles that must leave, and stays shortest."
)


def _plan(instances: str, solver: str, params: Mapping[str, object], small: bool) -> Plan:
    raw: dict[str, object] = {
        "title": PAPER,
        "puzzle": {"kind": "sliding", "instances": instances},
        "solvers": [{"solver": solver, "params": params}],
    }
    return plan_of({**raw, "instances": {"numbers": SMALL[instances]}} if small else raw)


def _rows_by_board(kept: Kept) -> dict[int, job_run.Row]:
    return {row["instance"]: row for row in kept.rows}


def _printed_by_board(table: str) -> dict[int, Mapping[str, str]]:
    return {int(row["number"]): row for row in papers.printed(table)}


def _length(row: job_run.Row) -> float | None:
    return row["moves"] if row["status"] == "solved" else None


def _found(row: job_run.Row) -> float:
    """Return the number of boards found, both ends included: the open and the expanded ones."""
    return row["metrics"]["expanded"] + row["metrics"]["frontier"]


def _row(board: str, figure: str, theirs: str, ours: float | None, n: int = 1) -> papers.PrintedRow:
    labels = board, figure
    if ours is None:
        return papers.bare(labels, theirs, None, n)
    return papers.exact(labels, theirs, ours, n)


def table_3_plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweeps of the 25 boards: BA*, and IDA* for the shortest lengths."""
    return {
        "both-ends": _plan("hasan25", BOTH_ENDS, {"memory": 512}, small),
        "shortest": _plan("hasan25", "ida-star", {"heuristic": "larger", "detour": 10}, small),
    }


def table_3_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare the lengths; the artificial bee colony's are shown only."""
    both, shortest = (_rows_by_board(kept[name]) for name in ("both-ends", "shortest"))
    theirs = _printed_by_board("hasan-table-3")
    rows = []
    for board in sorted(both):
        row, number = theirs[board], str(board)
        rows.append(_row(number, "shortest", row["optimal"], _length(shortest[board])))
        rows.append(_row(number, "BA* length", row["bastar_length"], _length(both[board])))
        rows.append(papers.bare((number, "ABC length"), row["abc_length"], None))
    notes = (
        "The goal has the blank last: to it the shortest lengths are the printed ones.",
        "ABC is the artificial bee colony of another paper; it is not made here.",
        _PROGRAM,
        _BACKWARD,
    )
    return papers.Comparison(("board", "figure"), tuple(rows), notes)


def table_4_plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweeps of the 28 boards: BA*, and UA*, which ends without a turn."""
    one_end = {"memory": 1024, "first_burst": NEVER_TURNS}
    return {
        "both-ends": _plan("hasan28", BOTH_ENDS, {"memory": 1024}, small),
        "one-end": _plan("hasan28", BOTH_ENDS, one_end, small),
    }


def table_4_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare lengths and boards generated."""
    theirs, goals = _printed_by_board("hasan-table-4"), tile_set("hasan28")
    rows = []
    for name, title, word in (("one-end", "UA*", "uastar"), ("both-ends", "BA*", "bastar")):
        for board, ours in sorted(_rows_by_board(kept[name]).items()):
            row, length = theirs[board], _length(ours)
            # If the blank is last, the printed counts omit one end.
            is_last = goals.instance(board).goal is Goal.BLANK_LAST
            found = None if length is None else _found(ours) - is_last
            rows.append(_row(str(board), f"{title} length", row[f"{word}_length"], length))
            rows.append(_row(str(board), f"{title} generated", row[f"{word}_generated"], found))
    notes = (
        "All boards have shortest solutions of 80 moves, as printed; they are not proven here.",
        "UA* is BA* whose first burst does not end. What is not printed was not solved there; here "
        "a search ends when its boards take 1,024 MB.",
        _COUNTING,
        "With the blank last the printed counts are one less: one end is not in them.",
        _PROGRAM,
        _BACKWARD,
    )
    return papers.Comparison(("board", "figure"), tuple(rows), notes)


def table_6_plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweeps of Korf's hundred: BA*, and IDA* with Manhattan distance and conflicts."""
    conflicts = {"heuristic": "linear-conflict"}
    return {
        "both-ends": _plan("korf100", BOTH_ENDS, {"memory": 512}, small),
        "ida-star": _plan("korf100", "ida-star", conflicts, small),
    }


_ESTIMATES = {"wd": "walking-distance", "md": "manhattan", "hh": "hybrid"}
_COLUMNS = {
    "optimal_printed": "shortest",
    "bastar_length": "BA* length",
    "bastar_generated": "BA* generated",
    "bastar_expanded": "BA* expanded",
    "ida_star_md_lc_generated": "IDA* generated",
    "md": "MD",
    "lc": "LC",
    "wd": "WD",
    "hh": "HH",
}
"""Our names by the columns of the printed table."""


def _figures(kept: Mapping[str, Kept]) -> dict[int, Values]:
    """Return our values by board and printed column."""
    both, ida = (_rows_by_board(kept[name]) for name in ("both-ends", "ida-star"))
    numbers = sorted(both)
    tiles = tile_set("korf100")
    boards = np.array([tiles.tiles(number) for number in numbers], np.uint8)
    goal = goal_board(4, 4, Goal.BLANK_FIRST)

    def estimates(key: str) -> Sequence[int]:
        found: Sequence[int] = (
            Evaluation.towards(catalog.heuristic(key), goal, 4).of_all(boards).tolist()
        )
        return found

    columns = {name: estimates(key) for name, key in _ESTIMATES.items()}
    with_conflicts = estimates("linear-conflict-hasan")
    figures: dict[int, Values] = {}
    for place, board in enumerate(numbers):
        row, proof = both[board], ida[board]
        assert row["moves"] is not None
        assert proof["moves"] is not None
        figures[board] = {
            "optimal_printed": proof["moves"],
            "bastar_length": row["moves"],
            "bastar_generated": _found(row),
            "bastar_expanded": row["metrics"]["expanded"] + 1,
            # The start counts as one generated board.
            "ida_star_md_lc_generated": proof["metrics"]["generated"] + 1,
            "lc": with_conflicts[place] - columns["md"][place],
            **{name: values[place] for name, values in columns.items()},
        }
    return figures


def _totals(
    title: str, figures: Mapping[int, Values], combined: Callable[[list[float]], float]
) -> Iterator[papers.PrintedRow]:
    """Compare sums or means of the columns; the printed ones follow from the printed rows."""
    theirs = _printed_by_board("hasan-table-6")
    for name, figure in _COLUMNS.items():
        value = combined([figures[board][name] for board in figures])
        follows = combined([float(theirs[board][name]) for board in figures])
        yield _row(title, figure, f"{follows:.10g}", value, len(figures))


def table_6_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare all columns board by board, and their sums."""
    figures, theirs = _figures(kept), _printed_by_board("hasan-table-6")
    rows = [*_totals("sum", figures, sum)]
    for board, values in figures.items():
        for name, figure in _COLUMNS.items():
            rows.append(_row(str(board), figure, theirs[board][name], values[name]))
    notes = (
        "Sums of the printed rows are compared with ours.",
        _BOARD_16,
        _LC,
        _PROGRAM,
        _BACKWARD,
        _COUNTING,
        "IDA* counts the start once, as if it had been generated.",
    )
    return papers.Comparison(("board", "figure"), tuple(rows), notes)


def table_7_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare the means that follow from the rows of Table 6."""
    figures, theirs = _figures(kept), _printed_by_board("hasan-table-6")
    seconds = [row["seconds"] for row in kept["both-ends"].rows if row["seconds"] is not None]
    times = fmean(float(theirs[board]["bastar_seconds"]) for board in figures)
    rows = [
        *_totals("mean", figures, fmean),
        papers.bare(("mean", "BA* seconds"), f"{times:.4g}", fmean(seconds), len(seconds)),
    ]
    notes = (
        "The printed figures of Table 7 are not available. These are the means of the rows that "
        "are printed in Table 6; nothing else of Table 7 is compared.",
        "Seconds are those of another machine.",
        _BOARD_16,
        _BACKWARD,
    )
    return papers.Comparison(("row", "figure"), tuple(rows), notes)


for _place, _title, _plans, _compare, _seconds in (
    (3, "25 fifteen puzzles with BA*", table_3_plans, table_3_comparison, 14),
    (4, "28 fifteen puzzles of 80 moves with UA* and BA*", table_4_plans, table_4_comparison, 900),
    (6, "Korf's hundred with BA* and IDA*", table_6_plans, table_6_comparison, 160),
    (7, "The means of Korf's hundred", table_6_plans, table_7_comparison, 160),
):
    papers.register_table(
        papers.PaperTable(
            key=f"hasan-table-{_place}",
            title=_title,
            source=f"{PAPER}, Table {_place}",
            plans=_plans,
            compare=_compare,
            seconds=_seconds,
        )
    )
