"""The kinds of charts of a sweep: results over the course of runs, and settings compared."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tilelab.core.errors import UsageError
from tilelab.core.plain import Value
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, counted, number, unknown_name
from tilelab.experiments.chart_values import (
    BAND,
    Axis,
    Box,
    Chart,
    Options,
    Point,
    Series,
    axis_labels,
    axis_title,
    describe_omitted,
    figure_title,
    find_axes,
    is_wide,
    middle_value,
    names_of,
    runs_word,
    sentences,
)
from tilelab.experiments.job_run import Improvement, Row
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import Floats, mean_intervals, summarize
from tilelab.experiments.tables import (
    SettingName,
    SettingRuns,
    axis_key,
    figure,
    is_number,
    require_figure,
    settings_of,
)

_NO_OPTIONS = Options()
# Horizontal axes of a run's history; evaluations where all runs count them, else units.
OVER = ("evaluations", "units", "seconds")
_MAX_POINTS = 120  # of a curve with a band; between them it keeps its height
_WHISKER = 1.5
_Found = tuple[list[float], tuple[int, ...]]  # values of a figure, and the places of their runs


class _Run(NamedTuple):
    place: int
    at: Floats  # times of improvements, ascending, float64 (k,)
    values: Floats  # values of the improvements, float64 (k,)
    end: float
    is_over: bool  # whether its solver has ended it, so that nothing could follow


_Runs = list[_Run]


def best_so_far(kept: Kept, options: Options) -> Chart:
    """Return a chart of the mean of the best value so far, for the runs of each setting."""
    found = _Curves(kept, options.x, lambda run: run)
    text = tr(
        "The mean of the best value that {runs_word} had found by then; the band is {band}.",
        runs_word=runs_word(found.counts),
        band=tr(BAND),
    )
    title = tr("Best value over {axis}", axis=tr(found.over))
    return found.chart("best-so-far", title, tr("mean best value"), text)


def improvement_until(kept: Kept, options: Options) -> Chart:
    """Return a chart of the improvement so far, in per cent, of the best value over the first.

    Of a run: 100 * (best so far - first best) / |first best|; then the mean of the runs.
    """
    found = _Curves(kept, options.x, _in_per_cent)
    text = tr(
        "How far a run's best value had risen above its first value by then, in per cent of that "
        "value; the mean of {runs_word}, with {band} as band.",
        runs_word=runs_word(found.counts),
        band=tr(BAND),
    )
    title = tr("Improvement on the first value over {axis}", axis=tr(found.over))
    return found.chart("improvement", title, tr("improvement in %"), text)


def run_length(kept: Kept, options: Options) -> Chart:
    """Return a chart of the share of the runs of each setting that had reached a target so far."""
    over = _over(kept, options.x)
    target, why = _target(kept, options.target)
    settings = _settings(kept, over)
    all_runs = [run for *_, runs in settings for run in runs]
    times = [at for run in all_runs if (at := _reached_at(run, target)) is not None]
    ends = [*times, *(max(run.end for run in runs) for *_, runs in settings)]
    series = [
        replace(_reaching(name, runs, target, min(ends)), colour=colour)
        for colour, name, runs in settings
    ]
    is_unsure = any(each.sure_until is not None for each in series)
    return Chart(
        "run-length",
        tr("Runs that had reached {target}", target=number(target)),
        Axis(tr(over), is_wide(ends)),
        Axis(tr("share of runs in %")),
        tuple(series),
        sentences(
            tr(
                "The share of runs whose best value was {target} or more by then{note} "
                "({runs_word} of each setting); {n_reached} of {n_all_runs} runs reached it.",
                runs_word=runs_word([len(runs) for *_, runs in settings]),
                target=number(target),
                note=why,
                n_reached=figures(len(times), ","),
                n_all_runs=figures(len(all_runs), ","),
            ),
            tr(
                "Dashed: some runs had ended without it, so that the share may be "
                "too low from there."
            )
            if is_unsure
            else "",
            _describe_omitted(kept, {}),
        ),
    )


class _Curves:
    def __init__(self, kept: Kept, over: str, change: Callable[[_Run], _Run | None]) -> None:
        self.over = _over(kept, over)
        n_empty = n_refused = 0
        self.counts: list[int] = []
        series, n_held = [], 0
        for colour, name, runs in _settings(kept, self.over):
            begun = [run for run in runs if len(run.at)]
            shown = [new for run in begun if (new := change(run)) is not None]
            n_empty += len(runs) - len(begun)
            n_refused += len(begun) - len(shown)
            if shown:
                series.append(replace(_mean_curve(name, shown), colour=colour))
                self.counts.append(len(shown))
                n_held += sum(run.end < max(each.end for each in shown) for run in shown)
        if not series:
            raise UsageError.tr("No finished run has a value to show")
        self._series, self._held = tuple(series), ""
        self._left_out = _describe_omitted(
            kept, {tr("without a value"): n_empty, tr("whose first value is 0"): n_refused}
        )
        if n_held:
            self._held = tr(
                "{n_runs} ended before the last of the same setting; from there on, the best "
                "value is kept.",
                n_runs=counted(n_held, "run"),
            )

    def chart(self, key: str, title: str, axis: str, text: str) -> Chart:
        x = Axis(
            tr(self.over), is_wide([point.x for each in self._series for point in each.points])
        )
        caption = sentences(text, self._held, self._left_out)
        return Chart(key, title, x, Axis(axis), self._series, caption)


def _over(kept: Kept, name: str) -> str:
    """Return the horizontal axis of curves; raises UsageError if it or a history is missing."""
    if name and name not in OVER:
        raise UsageError.tr(
            "{name!r} is not a horizontal axis; available: {known}",
            name=name,
            known=", ".join(OVER),
        )
    if not any(kept.improvements):
        raise UsageError.tr("These results have no improvements of runs, which this chart shows")
    n_without = sum(
        row["evaluations"] is None or any(each.evaluations is None for each in history)
        for row, history in _histories(kept)
    )
    if name == "evaluations" and n_without:
        raise UsageError.tr(
            "{n_without} did not count evaluations; use units or seconds",
            n_without=counted(n_without, "run"),
        )
    return name or ("units" if n_without else "evaluations")


def _histories(kept: Kept) -> Iterator[tuple[Row, Sequence[Improvement]]]:
    return zip(kept.rows, kept.improvements, strict=True)


def _has_history(row: Row, history: Sequence[Improvement]) -> bool:
    """Return whether a run's improvements are known; a resumed run may have lost them."""
    return bool(history) or row["value"] is None


def _settings(kept: Kept, over: str) -> list[tuple[int, SettingName, _Runs]]:
    """Return number of the colour, name and runs of the settings that have histories."""
    groups = settings_of(kept)
    named = zip(names_of(groups), (_runs(group, over) for group in groups), strict=True)
    return [(colour, name, runs) for colour, (name, runs) in enumerate(named) if runs]


def _describe_omitted(kept: Kept, reasons: dict[str, int]) -> str:
    n_unknown = sum(not _has_history(row, history) for row, history in _histories(kept))
    return describe_omitted(kept, {**reasons, tr("whose improvements are not kept"): n_unknown})


def _runs(group: SettingRuns, over: str) -> _Runs:
    runs = []
    for row, place, history in zip(group.rows, group.places, group.improvements, strict=True):
        if _has_history(row, history):
            at = np.array([_when(each, over) for each in history], np.float64)
            values = np.array([each.value for each in history], np.float64)
            end = max([figure(row, over) or 0.0, *at])
            runs.append(_Run(place, at, values, end, row["status"] != "limit"))
    return runs


def _when(improvement: Improvement, over: str) -> float:
    """Return when an improvement was found, in units, evaluations or seconds."""
    if over == "units":
        return improvement.unit + 1
    if over == "seconds":
        return improvement.seconds
    assert improvement.evaluations is not None
    return improvement.evaluations


def _in_per_cent(run: _Run) -> _Run | None:
    first = run.values[0]
    return None if first == 0 else run._replace(values=100 * (run.values - first) / abs(first))


def _mean_curve(name: SettingName, runs: Sequence[_Run]) -> Series:
    """Return the mean of the runs' steps from where all have a value to the last run's end."""
    first = max(float(run.at[0]) for run in runs)
    last = max(run.end for run in runs)
    changes = np.unique(np.concatenate([run.at for run in runs]))
    xs = np.unique([first, *changes[changes > first], last])
    if len(xs) > _MAX_POINTS:
        xs = xs[np.unique(np.linspace(0, len(xs) - 1, _MAX_POINTS).round().astype(int))]
    curves = np.array([run.values[np.searchsorted(run.at, xs, "right") - 1] for run in runs])
    means, (lows, highs) = curves.mean(axis=0), mean_intervals(curves)
    places = tuple(run.place for run in runs)
    points = (
        Point(x, mean, places, low, high)
        for x, mean, low, high in zip(
            *(each.tolist() for each in (xs, means, lows, highs)), strict=True
        )
    )
    return Series(name, tuple(points), is_steps=True)


def _target(kept: Kept, given: float | None) -> tuple[float, str]:
    aim = kept.plan.limits.target if given is None else given
    if aim is not None:
        return aim, ""
    middle = middle_value(kept)
    if middle is None:
        raise UsageError.tr("No finished run has a value to show")
    return middle, tr(" (the median of all runs' values, as no target is given)")


def _reached_at(run: _Run, target: float) -> float | None:
    (hits,) = np.nonzero(run.values >= target)
    return float(run.at[hits[0]]) if len(hits) else None


def _reaching(name: SettingName, runs: _Runs, target: float, begin: float) -> Series:
    """Return the share of runs that had reached the target, from x = begin to their last end."""
    by_time: dict[float, list[int]] = {}
    without = []
    for run in runs:
        at = _reached_at(run, target)
        if at is None:
            without.append(run)
        else:
            by_time.setdefault(at, []).append(run.place)
    points = [] if begin in by_time else [Point(begin, 0.0, ())]
    n_reached = 0
    for at, places in sorted(by_time.items()):
        n_reached += len(places)
        points.append(Point(at, 100 * n_reached / len(runs), tuple(places)))
    last = max(run.end for run in runs)
    if last > points[-1].x:
        places_without = tuple(run.place for run in without)
        points.append(Point(last, 100 * n_reached / len(runs), places_without))
    ended = min((run.end for run in without if not run.is_over), default=last)
    sure_until = ended if ended < points[-1].x else None
    return Series(name, tuple(points), is_steps=True, sure_until=sure_until)


def heat_map(kept: Kept, options: Options) -> Chart:
    """Return a chart of the mean of a figure over two axes; other axes are averaged over."""
    groups = _groups(kept, options)
    x_name, y_name = _two_axes(groups, options)
    columns, rows = (_sort_values(groups, name) for name in (x_name, y_name))
    points = []
    for row, y_value in enumerate(rows):
        for column, x_value in enumerate(columns):
            here = [
                group
                for group in groups
                if axis_key(group.value_of(x_name)) == axis_key(x_value)
                and axis_key(group.value_of(y_name)) == axis_key(y_value)
            ]
            found = _find_values(here, options.figure)
            if found[0]:
                mean = _mean_point(column, *found)
                points.append(replace(mean, y=float(row), value=mean.y))
    x_title, y_title = axis_title(groups, x_name), axis_title(groups, y_name)
    others = [
        axis_title(groups, name) for name in find_axes(groups) if name not in (x_name, y_name)
    ]
    pooled = tr(", whatever their {names}", names=tr(" and ").join(others)) if others else ""
    title = figure_title(options.figure)
    return Chart(
        "heat-map",
        tr("Mean {title} by {x_name} and {y_name}", title=title, x_name=x_title, y_name=y_title),
        Axis(x_title, labels=axis_labels(groups, x_name, columns)),
        Axis(y_title, labels=axis_labels(groups, y_name, rows)),
        (Series(SettingName(tr("mean {title}", title=title)), tuple(points)),),
        sentences(
            tr(
                "Each cell is the mean {title} of {runs_word}{pooled}.",
                title=title,
                runs_word=runs_word(_n_runs_behind(points)),
                pooled=pooled,
            ),
            _missing(kept, options.figure),
        ),
        value_title=tr("mean {title}", title=title),
    )


def lines(kept: Kept, options: Options) -> Chart:
    """Return a chart of the mean of a figure with its band over a parameter of numbers."""
    x_name, series, n_others = _lines(kept, options)
    points = [point for each in series for point in each.points]
    bounds = [v for point in points for v in (point.low, point.high) if v is not None]
    title = figure_title(options.figure)
    return Chart(
        "lines",
        tr("Mean {title} over {x_name}", title=title, x_name=x_name),
        Axis(x_name, is_wide(point.x for point in points)),
        Axis(tr("mean {title}", title=title), is_wide(bounds)),
        series,
        sentences(
            tr(
                "Each point is the mean {title} of {runs_word}; the band is {band}.",
                title=title,
                runs_word=runs_word(_n_runs_behind(points)),
                band=tr(BAND),
            ),
            _missing(
                kept, options.figure, {tr("without a number for {name}", name=x_name): n_others}
            ),
        ),
    )


def improvement_over(kept: Kept, options: Options) -> Chart:
    """Return a chart of the improvement of a mean, in per cent, over a parameter's first value."""
    x_name, series, n_others = _lines(kept, options)
    kept_series, n_zero = [], 0
    for each in series:
        base = each.points[0].y
        if base == 0:
            n_zero += sum(len(point.places) for point in each.points)
        else:
            changed = tuple(_relative(point, base) for point in each.points)
            kept_series.append(replace(each, points=changed))
    if not kept_series:
        raise UsageError.tr(
            "The mean {figure} is 0, so that there is no improvement in per cent",
            figure=options.figure,
        )
    points = [point for each in kept_series for point in each.points]
    title = figure_title(options.figure)
    reasons = {
        tr("without a number for {name}", name=x_name): n_others,
        tr("of lines that begin with 0"): n_zero,
    }
    return Chart(
        "improvement",
        tr("Improvement of the mean {title} over {x_name}", title=title, x_name=x_name),
        Axis(x_name, is_wide(point.x for point in points)),
        Axis(tr("improvement in %")),
        tuple(kept_series),
        sentences(
            tr(
                "By how many per cent the mean {title} of {runs_word} is above the one at the "
                "smallest {x_name}; the band is {band}, with that first mean taken as it is.",
                title=title,
                runs_word=runs_word(_n_runs_behind(points)),
                x_name=x_name,
                band=tr(BAND),
            ),
            _missing(kept, options.figure, reasons),
        ),
    )


def boxes(kept: Kept, options: Options) -> Chart:
    """Return a chart with every run of each setting as a point, with quartiles."""
    all_groups = _groups(kept, options)
    groups = [group for group in all_groups if _find_values([group], options.figure)[0]]
    solvers = list(dict.fromkeys(group.solver for group in all_groups))
    series = []
    for index, (group, name) in enumerate(zip(groups, names_of(groups), strict=True)):
        values, places = _find_values([group], options.figure)
        points = tuple(
            Point(float(index), value, (place,))
            for value, place in zip(values, places, strict=True)
        )
        colour = solvers.index(group.solver)
        series.append(Series(name, points, _box(values), colour=colour))
    title = figure_title(options.figure)
    counts = [len(each.points) for each in series]
    return Chart(
        "boxes",
        tr("{title} of every run", title=capital(title)),
        Axis(tr("setting"), labels=tuple(each.title for each in series)),
        Axis(title, is_wide(point.y for each in series for point in each.points)),
        tuple(series),
        sentences(
            tr(
                "{title} of each setting: every run is a point. The box holds "
                "the middle half of them, the line in it is the median, and the whiskers reach the "
                "last runs within 1.5 times the length of the box.",
                title=capital(runs_word(counts)),
            ),
            _missing(kept, options.figure),
        ),
    )


def _groups(kept: Kept, options: Options) -> list[SettingRuns]:
    require_figure(kept, options.figure)
    groups = settings_of(kept)
    if not _find_values(groups, options.figure)[0]:
        raise UsageError.tr("No finished run has the figure {figure}", figure=options.figure)
    return groups


def _find_values(groups: Sequence[SettingRuns], name: str) -> _Found:  # where runs have it
    pairs = [
        (value, place)
        for group in groups
        for row, place in zip(group.rows, group.places, strict=True)
        if (value := figure(row, name)) is not None
    ]
    return [value for value, _ in pairs], tuple(place for _, place in pairs)


def _two_axes(groups: Sequence[SettingRuns], options: Options) -> tuple[str, str]:
    names = find_axes(groups)
    if len(names) < 2:
        there_is = tr("nothing does")
        if names:
            there_is = tr("only {name} does", name=axis_title(groups, names[0]))
        raise UsageError.tr(
            "A heat map needs two axes that vary; here {available}", available=there_is
        )
    for name in (options.x, options.y):
        if name and name not in names:
            raise unknown_name(name, tr("name that varies"), names)
    if options.x and options.x == options.y:
        raise UsageError.tr(
            "A heat map needs two different axes; {name} is given for both", name=options.x
        )
    x_name = options.x or next(name for name in names if name != options.y)
    return x_name, options.y or next(name for name in names if name != x_name)


def _lines(kept: Kept, options: Options) -> tuple[str, tuple[Series, ...], int]:
    """Return the axis' title, a line for each rest of the setting, and how many runs are left out.

    Runs without a number on the axis are left out.
    """
    groups = _groups(kept, options)
    x_name = _number_axis(groups, options.x)
    placed = [group for group in groups if is_number(group.value_of(x_name))]
    by_name: dict[SettingName, list[SettingRuns]] = {}
    for group, name in zip(placed, names_of(placed, without=x_name), strict=True):
        by_name.setdefault(name, []).append(group)
    series = []
    for colour, (name, alike) in enumerate(by_name.items()):
        points = []
        for x_value in _sort_values(alike, x_name):
            assert isinstance(x_value, int | float)
            here = [group for group in alike if group.value_of(x_name) == x_value]
            found = _find_values(here, options.figure)
            if found[0]:
                points.append(_mean_point(x_value, *found))
        if points:
            series.append(Series(name, tuple(points), colour=colour))
    n_others = sum(len(group.rows) for group in groups) - sum(len(group.rows) for group in placed)
    return axis_title(groups, x_name), tuple(series), n_others


def find_number_axes(groups: Sequence[SettingRuns]) -> list[str]:
    """Return the names of the axes that have several numbers, for lines."""
    names = find_axes(groups)
    return [each for each in names if sum(is_number(v) for v in _sort_values(groups, each)) > 1]


def _number_axis(groups: Sequence[SettingRuns], name: str) -> str:
    numbers = find_number_axes(groups)
    if not numbers:
        raise UsageError.tr("This chart needs a parameter of numbers that varies; there is none")
    if name and name not in numbers:
        raise unknown_name(name, tr("parameter of numbers that varies"), numbers)
    return name or numbers[0]


def _mean_point(x: float, values: list[float], places: tuple[int, ...]) -> Point:
    facts = summarize(values)
    return Point(float(x), facts.mean, places, facts.low, facts.high)


def _relative(point: Point, base: float) -> Point:
    assert point.low is not None
    assert point.high is not None
    mean, low, high = (
        100 * (value - base) / abs(base) for value in (point.y, point.low, point.high)
    )
    return replace(point, y=mean, low=low, high=high)


def _box(values: Sequence[float]) -> Box:
    array = np.asarray(values, np.float64)
    first, median, third = (float(each) for each in np.quantile(array, (0.25, 0.5, 0.75)))
    reach = _WHISKER * (third - first)
    near = array[(array >= first - reach) & (array <= third + reach)]
    return Box(min(float(near.min()), first), first, median, third, max(float(near.max()), third))


def _sort_values(groups: Sequence[SettingRuns], name: str) -> list[Value]:
    """Return the values of an axis: numbers ascending, then all others in the plan's order."""
    found = (group.value_of(name) for group in groups)
    values = list({axis_key(value): value for value in found}.values())
    numbers = [value for value in values if isinstance(value, int | float) and is_number(value)]
    return [*sorted(numbers), *(value for value in values if not is_number(value))]


def _n_runs_behind(points: Sequence[Point]) -> list[int]:
    return [len(point.places) for point in points]


def _missing(kept: Kept, name: str, more: dict[str, int] | None = None) -> str:
    n_without = sum(figure(row, name) is None for row in kept.rows)
    return describe_omitted(
        kept, {tr("without {figure}", figure=figure_title(name)): n_without, **(more or {})}
    )


def _improvement(kept: Kept, options: Options) -> Chart:
    over_course = not options.x or options.x in OVER
    return (improvement_until if over_course else improvement_over)(kept, options)


KINDS: Mapping[str, Callable[[Kept, Options], Chart]] = {
    "boxes": boxes,
    "lines": lines,
    "heat-map": heat_map,
    "best-so-far": best_so_far,
    "run-length": run_length,
    "improvement": _improvement,
}
# Titles for a menu.
TITLES: Mapping[str, str] = {
    "boxes": marked("Box plots"),
    "lines": marked("Lines"),
    "heat-map": marked("Heat map"),
    "best-so-far": marked("Best value so far"),
    "run-length": marked("Run-length distribution"),
    "improvement": marked("Improvement in per cent"),
}


def chart_of(kept: Kept, kind: str, options: Options = _NO_OPTIONS) -> Chart:
    """Return a chart of this kind; raises UsageError where it cannot be made."""
    if kind not in KINDS:
        raise unknown_name(kind, tr("kind of chart"), KINDS)
    if not kept.rows:
        raise UsageError.tr("No run of this sweep has finished yet; there is nothing to show")
    return KINDS[kind](kept, options)
