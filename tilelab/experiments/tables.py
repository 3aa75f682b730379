"""Tables of a sweep: a line for each setting, or a column for each value of a parameter."""

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tilelab import catalog
from tilelab.core.errors import UsageError
from tilelab.core.parameters import ParameterSpec, value_titles
from tilelab.core.plain import Value, number_from
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import csv_lines, latex_cell, markdown_cell
from tilelab.core.text.wording import plain_number, unknown_name, without_source
from tilelab.experiments.job_run import Improvement, Row
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import (
    SettingsComparison,
    Summary,
    compare_groups,
    expected_running_time,
    success_rate,
    summarize,
)

SOLVER = "solver"  # name of the solver's axis, next to those of the parameters
Lines = list[list[str]]  # lines of a table; the first one has the titles
N_COMPARED = 30  # runs of a setting that show whether a figure differs between settings
FIGURES = ("value", "moves", "units", "evaluations", "seconds", "best_unit")


@dataclass(frozen=True)
class SettingRuns:
    solver: str
    params: Mapping[str, Value]
    kept: Kept = field(repr=False)
    indices: tuple[int, ...]  # of these runs among all rows that are kept

    @functools.cached_property
    def rows(self) -> tuple[Row, ...]:
        return tuple(self.kept.rows[index] for index in self.indices)

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(self.kept.places[index] for index in self.indices)

    @property
    def improvements(self) -> tuple[tuple[Improvement, ...], ...]:
        """Improvements of the best of each run, read when they are needed."""
        return tuple(self.kept.improvements[index] for index in self.indices)

    @property
    def title(self) -> str:
        """The setting in a few words: ``genetic mutation=5``."""
        return " ".join([self.solver, *(f"{key}={_text(v)}" for key, v in self.params.items())])

    def value_of(self, name: str) -> Value:
        return self.solver if name == SOLVER else self.params.get(name)


class SettingName(NamedTuple):
    """Name of a setting in the window's language, such as Genetic, mutation rate 5."""

    solver: str  # title of its solver, or '' where all settings have the same
    values: tuple[tuple[str, str], ...] = ()  # titles of parameters and of their values

    @property
    def text(self) -> str:
        return ", ".join(filter(None, [self.solver, *map(" ".join, self.values)]))


def name_settings(
    kind: str, settings: Sequence[tuple[str, Mapping[str, Value]]]
) -> list[SettingName]:
    """Name settings by their solvers, and by the values that vary between those of a solver.

    kind: kind of the puzzle. settings: key of the solver and values of the parameters.
    """
    by_solver: dict[str, list[Mapping[str, Value]]] = {}
    for solver, values in settings:
        by_solver.setdefault(solver, []).append(values)
    names = {solver: varying(alike) for solver, alike in by_solver.items()}
    specs = {solver: catalog.parameters(kind, solver) for solver in by_solver}
    titles = solver_titles(kind)
    return [
        SettingName(
            titles.get(solver, solver),
            tuple(
                value_titles(specs[solver], name, value)
                for name in names[solver]
                if (value := values.get(name)) is not None
            ),
        )
        for solver, values in settings
    ]


def solver_titles(kind: str) -> dict[str, str]:
    """Return the titles of a puzzle's solvers by key, without the papers that they are from."""
    return {key: without_source(tr(e.spec.title)) for key, e in catalog.solvers(kind).items()}


def varying(settings: Sequence[Mapping[str, Value]]) -> list[str]:
    """Return the names of the values that differ between settings."""
    names = dict.fromkeys(name for values in settings for name in values)
    return [name for name in names if len({axis_key(v.get(name)) for v in settings}) > 1]


def axis_key(value: Value) -> tuple[str, Value]:
    """Return a key that distinguishes values of an axis: 1 equals 1.0, but not true."""
    return ("number" if is_number(value) else type(value).__name__, value)


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def settings_of(kept: Kept) -> list[SettingRuns]:
    """Group the rows that are done by their settings, in the plan's order."""
    groups: dict[str, list[int]] = {}
    for index, row in enumerate(kept.rows):
        groups.setdefault(repr((row["solver"], row["params"])), []).append(index)
    firsts = [(kept.rows[indices[0]], indices) for indices in groups.values()]
    return [SettingRuns(row["solver"], row["params"], kept, tuple(ins)) for row, ins in firsts]


def figure(row: Row, name: str) -> float | None:
    value = dict(row).get(name) if name in FIGURES else row["metrics"].get(name)
    return float(value) if isinstance(value, int | float) else None


def offered_figures(puzzle: str, rows: Iterable[Row]) -> list[str]:
    """Return the figures to choose from, with the metrics of some rows.

    The moves of a path are among them if tiles of the puzzle slide, or if a row has some.
    """
    found = list(rows)
    has_moves = bool(catalog.puzzle(puzzle).spec.blank) or any(
        row["moves"] is not None for row in found
    )
    usual = [name for name in FIGURES if name != "moves" or has_moves]
    return list(dict.fromkeys((*usual, *(name for row in found for name in row["metrics"]))))


def has_goal(puzzle: str) -> bool:
    """Return whether a puzzle, by its kind, is solved where a board has the value 0."""
    known = catalog.puzzles()
    return puzzle in known and known[puzzle].spec.value_is_distance


def distinctive_figure(puzzle: str, settings: Sequence[Sequence[Row]]) -> str:
    """Return the figure that a table shows first: the first one in which the settings differ.

    For a single setting, it is the first one in which its runs differ. A figure that some runs lack
    is not chosen, nor are the seconds, in which all runs differ. puzzle: its kind; where it has a
    goal, values of unsolved boards say little. settings: finished runs of each, of which the first
    ones are compared.
    """
    rows = [row for each in settings for row in each[:N_COMPARED]]
    metrics: Iterable[str] = rows[0]["metrics"] if rows else ()
    # All solvers of a puzzle count boards, but a unit of each is something else.
    names = dict.fromkeys(("value", "moves", *metrics, "evaluations", *FIGURES))
    if has_goal(puzzle):
        del names["value"]
    first = ""
    for name in names:
        values = [figure(row, name) for row in rows]
        if name == "seconds" or None in values:
            continue
        first = first or name
        if len(settings) == 1:
            is_distinctive = len(set(values)) > 1
        else:
            # The same board and seed, because boards differ in most figures by themselves.
            keys = [(row["instance"], row["repeat"]) for row in rows]
            is_distinctive = len(set(zip(keys, values, strict=True))) > len(set(keys))
        if is_distinctive:
            return name
    return first or FIGURES[0]


def require_figure(kept: Kept, name: str) -> None:
    metrics = dict.fromkeys(metric for row in kept.rows for metric in row["metrics"])
    known = [*FIGURES, *(metric for metric in metrics if metric not in FIGURES)]
    if name not in known:
        raise unknown_name(name, tr("figure of a run"), known)


class RunsSummary(NamedTuple):
    """Summary of a figure of some runs; success and cost are None without a target or runs."""

    summary: Summary | None  # None if no run has the figure
    success: float | None  # share of the runs that reached the target
    cost: float | None
    """Evaluations for a success, infinite without any; None if not all runs count them."""


def summarize_runs(rows: Sequence[Row], name: str, target: float | None) -> RunsSummary:
    """Summarise a figure of runs that are done, and how often they reached a target."""
    values = [value for row in rows if (value := figure(row, name)) is not None]
    summary = summarize(values) if values else None
    if target is None or not rows:
        return RunsSummary(summary, None, None)
    reached = [-float("inf") if (v := row["value"]) is None else v for row in rows]
    costs = [count for row in rows if (count := row["evaluations"]) is not None]
    is_known = len(costs) == len(rows)
    cost = expected_running_time(costs, reached, target) if is_known else None
    return RunsSummary(summary, success_rate(reached, target), cost)


def count_cut_off(puzzle: str, rows: Iterable[Row]) -> int:
    """Return how many searches a limit ended before they could end; 0 for a puzzle without a goal.

    puzzle: its kind. rows: of runs that are done.
    """
    if not has_goal(puzzle):
        return 0  # a limit is the usual end of its runs
    return sum(row["status"] == "limit" and row["limit_reached"] != "target" for row in rows)


def by_setting(
    kept: Kept,
    name: str,
    target: float | None = None,
    *,
    plain: bool = False,
    titled: bool = False,
) -> Lines:
    """Return a line for each setting: number of runs, mean with interval, median, extremes.

    The runs are those that have the figure. Where others lack it, or were cut off by a limit, two
    columns more have the number of all runs and of those. target: adds the share of runs that
    reached it, and the cost of a success where it ended them. plain: for other programs, with bare
    numbers in every digit and the interval in two columns. titled: for readers, with the titles of
    solvers, parameters and choices in place of the names that plans use.
    """
    settings = settings_of(kept)
    n_cut = [count_cut_off(kept.plan.puzzle.kind, setting.rows) for setting in settings]
    is_partial = any(n_cut) or any(
        len(values_of(setting, name)) < len(setting.rows) for setting in settings
    )
    shown, names = _shown(settings, titled=titled)
    has_cost = target is not None and target == kept.plan.limits.target
    interval = ["95 % low", "95 % high"] if plain else ["95 % interval"]
    heads = _headings(shown, names, titled=titled)
    titles = ["solver", *heads, "runs", "mean", *interval, "median", "minimum", "maximum"]
    titles += [] if target is None else ["success"]
    titles += [tr("evaluations a success")] if has_cost else []
    lines = [[*titles, *(["all runs", "cut off"] if is_partial else [])]]
    for setting, n_cut_off in zip(shown, n_cut, strict=True):
        summary, success, cost = summarize_runs(setting.rows, name, target)
        figures = _plain_cells(summary) if plain else _cells(summary)
        cells = [str(0 if summary is None else summary.n), *figures]
        cells += [] if success is None else [_bare(100 * success) if plain else _share(success)]
        cells += [_cost(cost, plain=plain)] if has_cost else []
        cells += [str(len(setting.rows)), str(n_cut_off)] if is_partial else []
        lines.append([*_setting_cells(setting, names, titled=titled), *cells])
    return lines


def across(kept: Kept, name: str, parameter: str, *, titled: bool = False) -> Lines:
    """Return a table with a column for each value; cells: mean (minimum to maximum).

    Where not all runs have the figure, the cell also says how many do. titled: as in a table by
    setting.
    """
    groups = settings_of(kept)
    if parameter not in _params_of(groups):
        raise unknown_name(parameter, tr("parameter that varies"), _params_of(groups))
    settings, names = _shown(groups, titled=titled)
    if titled:
        owner = next(group for group in groups if parameter in group.params)
        parameter = _current_name(owner, parameter)
    others = [other for other in names if other != parameter]
    values: dict[str, str] = {}  # as in a heading, by the text of the value
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for setting in settings:
        _, word = _setting_cells(setting, [parameter], titled=titled)
        values.setdefault(_text(setting.params.get(parameter)), word)
        key = tuple(_setting_cells(setting, others, titled=titled))
        found = values_of(setting, name)
        text = ""
        if found:
            facts = summarize(found)
            text = tr(
                "{mean} ({low} to {high})",
                mean=_short(facts.mean),
                low=_whole(facts.minimum),
                high=_whole(facts.maximum),
            )
            if facts.n < len(setting.rows):
                n_all = f"{len(setting.rows)}"
                text += ", " + tr("{n_done} of {n_runs}", n_done=f"{facts.n}", n_runs=n_all)
        line, column = cells.setdefault(key, {}), _text(setting.params.get(parameter))
        # One may name the value that another has by default.
        line[column] = "; ".join(filter(None, (line.get(column), text)))
    *heads, head = _headings(settings, [*others, parameter], titled=titled)
    titles = ["solver", *heads, *(f"{head} {word}".strip() for word in values.values())]
    return [
        titles,
        *([*key, *(line.get(value, "") for value in values)] for key, line in cells.items()),
    ]


def comparison_of(kept: Kept, name: str) -> SettingsComparison:
    """Compare all settings; in pairs where the plan has paired them and all have these runs."""
    settings = settings_of(kept)
    names = name_settings(kept.plan.puzzle.kind, [(each.solver, each.params) for each in settings])
    keyed = {
        each.text: {
            (row["instance"], row["repeat"]): value
            for row in setting.rows
            if (value := figure(row, name)) is not None
        }
        for each, setting in zip(names, settings, strict=True)
        if len(values_of(setting, name)) > 1
    }
    if len(keyed) < 2:
        raise UsageError.tr("tests need at least two settings with two runs each")
    common = set.intersection(*(set(values) for values in keyed.values()))
    paired = kept.plan.paired and all(len(values) == len(common) for values in keyed.values())
    groups = {title: [values[key] for key in sorted(values)] for title, values in keyed.items()}
    return compare_groups(groups, paired=paired)


def markdown(lines: Lines) -> str:
    titles, *rest = [list(map(markdown_cell, line)) for line in lines]
    rule = ["---"] * len(titles)
    return "\n".join(f"| {' | '.join(line)} |" for line in (titles, rule, *rest))


def latex(lines: Lines) -> str:
    """Return a table as LaTeX; it needs the package booktabs."""
    titles, *rest = [" & ".join(map(latex_cell, line)) for line in lines]
    body = "".join(f"{line} \\\\\n" for line in rest)
    return (
        f"\\begin{{tabular}}{{{'l' * len(lines[0])}}}\n\\toprule\n{titles} \\\\\n\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}"
    )


def comma_separated(lines: Lines) -> str:
    return csv_lines(lines).removesuffix("\n")


def json_objects(lines: Lines) -> str:
    """Return a table as a JSON list: each line an object by the titles, numbers as numbers."""
    titles, *rest = lines
    cells = [[cell if (value := _value(cell)) is None else value for cell in line] for line in rest]
    return json.dumps([dict(zip(titles, line, strict=True)) for line in cells], indent=1)


def sort_lines(lines: Lines, title: str, *, downwards: bool = False) -> Lines:
    """Sort a table by a column, texts after numbers; raises UsageError for an unknown column."""
    titles, *rest = lines
    if title not in titles:
        raise unknown_name(title, tr("column of the table"), titles)
    column = titles.index(title)
    numbers = [line for line in rest if _value(line[column]) is not None]
    texts = [line for line in rest if _value(line[column]) is None]
    numbers.sort(key=lambda line: _value(line[column]) or 0.0, reverse=downwards)
    texts.sort(key=lambda line: line[column], reverse=downwards)
    return [titles, *numbers, *texts]


def _value(cell: str) -> float | None:
    """Return the number of a cell, alone or before its unit; else None."""
    try:
        return plain_number(number_from(cell.removesuffix(" %").replace(",", "")))
    except ValueError:
        return None


FORMATS: Mapping[str, Callable[[Lines], str]] = {
    "markdown": markdown,
    "latex": latex,
    "csv": comma_separated,
    "json": json_objects,
}
FOR_PROGRAMS = ("csv", "json")  # formats whose numbers are plain


def _params_of(settings: Sequence[SettingRuns]) -> list[str]:
    return list(dict.fromkeys(name for setting in settings for name in setting.params))


def _shown(
    settings: Sequence[SettingRuns], *, titled: bool
) -> tuple[Sequence[SettingRuns], list[str]]:
    """Return settings with their defaults, and names of the parameters that any of them has."""
    usual = [
        replace(each, params={name: spec.default for name, spec in _specs(each).items()})
        for each in settings
    ]
    if titled:
        settings, usual = [*map(_with_current_names, settings)], [*map(_with_current_names, usual)]
    whole = [
        replace(each, params={**defaults.params, **each.params})
        for each, defaults in zip(settings, usual, strict=True)
    ]
    return whole, _params_of(settings)


def _specs(setting: SettingRuns) -> Mapping[str, ParameterSpec]:
    return catalog.parameters(setting.kept.plan.puzzle.kind, setting.solver)


def _current_name(setting: SettingRuns, name: str) -> str:
    specs = _specs(setting)
    return specs[name].name if name in specs else name


def _with_current_names(setting: SettingRuns) -> SettingRuns:
    params = {_current_name(setting, name): value for name, value in setting.params.items()}
    return replace(setting, params=params)


def _headings(
    settings: Sequence[SettingRuns], names: Sequence[str], *, titled: bool
) -> Sequence[str]:
    """Return names of parameters, or their titles in the first solver that has each of them."""
    if not titled:
        return names
    owners = [next(each for each in settings if name in each.params) for name in names]
    return [
        value_titles(_specs(owner), name, None)[0]
        for owner, name in zip(owners, names, strict=True)
    ]


def _setting_cells(setting: SettingRuns, names: Sequence[str], *, titled: bool) -> list[str]:
    """Return the solver and the values of some parameters, or their titles; '' for no value."""
    values = [setting.params.get(name) for name in names]
    if not titled:
        return [setting.solver, *map(_text, values)]
    specs, titles = _specs(setting), solver_titles(setting.kept.plan.puzzle.kind)
    words = [
        "" if value is None else value_titles(specs, name, value)[1]
        for name, value in zip(names, values, strict=True)
    ]
    return [titles.get(setting.solver, setting.solver), *words]


def values_of(setting: SettingRuns, name: str) -> list[float]:
    found = (figure(row, name) for row in setting.rows)
    return [value for value in found if value is not None]


def _share(success: float) -> str:
    return f"{100 * success:.0f} %"


def _cost(cost: float | None, *, plain: bool) -> str:
    if cost is None:
        return ""
    if cost == float("inf"):
        return "none"
    return _bare(cost) if plain else f"{cost:,.0f}"


def _cells(facts: Summary | None) -> list[str]:
    if facts is None:
        return [""] * 5
    interval = tr("{low} to {high}", low=_short(facts.low), high=_short(facts.high))
    extremes = [_whole(facts.minimum), _whole(facts.maximum)]
    return [_short(facts.mean), interval, _whole(facts.median), *extremes]


def _plain_cells(facts: Summary | None) -> list[str]:
    if facts is None:
        return [""] * 6
    values = facts.mean, facts.low, facts.high, facts.median, facts.minimum, facts.maximum
    return list(map(_bare, values))


def _bare(value: float) -> str:
    return str(plain_number(value))


def _short(value: float) -> str:
    """Return a mean as text, without meaningless digits."""
    if abs(value) >= 1_000:
        return f"{value:,.0f}"
    # Two decimals of milliseconds would mean nothing.
    return f"{value:,.2f}" if abs(value) >= 0.1 or not value else f"{value:.3g}"


def _whole(value: float) -> str:
    """Return a value of a run as text: a whole number without decimals."""
    if value.is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 0.1 else _short(value)


def _text(value: Value) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
