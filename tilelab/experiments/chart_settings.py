"""Charts that compare settings by a figure of their runs: heat map, lines, boxes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tilelab.core.errors import UsageError
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.core.text.wording import unknown_name, value_word
from tilelab.experiments.chart_values import (
    BAND,
    Axis,
    Box,
    Chart,
    Group,
    Options,
    Point,
    Series,
    axis_key,
    capital,
    describe_omitted,
    figure_title,
    find_axes,
    groups_of,
    is_number,
    is_wide,
    runs_word,
    sentences,
    titles_of,
)
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import summarize
from tilelab.experiments.tables import figure, require_figure

_WHISKER = 1.5
_Found = tuple[list[float], tuple[int, ...]]
"""Values of a figure, and the places of their runs."""


def heat_map(kept: Kept, options: Options) -> Chart:
    """Return a chart of the mean of a figure over two axes; other axes are averaged over."""
    groups = _groups(kept, options)
    x_name, y_name = _two_axes(find_axes(groups), options)
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
    others = [name for name in find_axes(groups) if name not in (x_name, y_name)]
    title = figure_title(options.figure)
    return Chart(
        "heat-map",
        tr("Mean {title} by {x_name} and {y_name}", title=title, x_name=x_name, y_name=y_name),
        Axis(x_name, labels=tuple(map(_label, columns))),
        Axis(y_name, labels=tuple(map(_label, rows))),
        (Series(tr("mean {title}", title=title), tuple(points)),),
        sentences(
            tr(
                "Each cell is the mean {title} of {runs_word}{pooled}.",
                title=title,
                runs_word=runs_word(_counts(points)),
                pooled=_pooled_axes_text(others),
            ),
            _missing(kept, options.figure),
        ),
        value_title=tr("mean {title}", title=title),
    )


def lines(kept: Kept, options: Options) -> Chart:
    """Return a chart of the mean of a figure with its band over a parameter of numbers."""
    x_name, series, n_others = _lines(kept, options)
    points = [point for each in series for point in each.points]
    title = figure_title(options.figure)
    return Chart(
        "lines",
        tr("Mean {title} over {x_name}", title=title, x_name=x_name),
        Axis(x_name, is_wide(point.x for point in points)),
        Axis(tr("mean {title}", title=title), is_wide(_bounds(points))),
        series,
        sentences(
            tr(
                "Each point is the mean {title} of {runs_word}; the band is {band}.",
                title=title,
                runs_word=runs_word(_counts(points)),
                band=tr(BAND),
            ),
            _missing(
                kept,
                options.figure,
                {tr("without a number for {name}", name=x_name): n_others},
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
                "By how many per cent the mean {title} of {runs_word} is above the "
                "one at the smallest {x_name}; the band is {band}, with that first "
                "mean taken as it "
                "is.",
                title=title,
                runs_word=runs_word(_counts(points)),
                x_name=x_name,
                band=tr(BAND),
            ),
            _missing(kept, options.figure, reasons),
        ),
    )


def boxes(kept: Kept, options: Options) -> Chart:
    """Return a chart with every run of each setting as a point, with quartiles."""
    groups = [group for group in _groups(kept, options) if _find_values([group], options.figure)[0]]
    titles = titles_of(groups)
    series = []
    for index, (group, title) in enumerate(zip(groups, titles, strict=True)):
        values, places = _find_values([group], options.figure)
        points = tuple(
            Point(float(index), value, (place,))
            for value, place in zip(values, places, strict=True)
        )
        series.append(Series(title, points, _box(values)))
    title = figure_title(options.figure)
    counts = [len(each.points) for each in series]
    return Chart(
        "boxes",
        tr("{title} of every run", title=capital(title)),
        Axis(tr("setting"), labels=tuple(titles)),
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


def _groups(kept: Kept, options: Options) -> list[Group]:
    require_figure(kept, options.figure)
    groups = groups_of(kept)
    if not _find_values(groups, options.figure)[0]:
        raise UsageError.tr("No finished run has the figure {figure}", figure=options.figure)
    return groups


def _find_values(groups: Sequence[Group], name: str) -> _Found:
    """Return a figure of the runs that have it, and their places."""
    pairs = [
        (value, place)
        for group in groups
        for row, place in zip(group.rows, group.places, strict=True)
        if (value := figure(row, name)) is not None
    ]
    return [value for value, _ in pairs], tuple(place for _, place in pairs)


def _two_axes(names: Sequence[str], options: Options) -> tuple[str, str]:
    if len(names) < 2:
        there_is = tr("only {name} does", name=names[0]) if names else tr("nothing does")
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
    """Return the axis, a line for each rest of the setting, and how many runs lack a number."""
    groups = _groups(kept, options)
    x_name = _number_axis(groups, options.x)
    placed = [group for group in groups if is_number(group.value_of(x_name))]
    by_title: dict[str, list[Group]] = {}
    for group, title in zip(groups, titles_of(groups, without=x_name), strict=True):
        if is_number(group.value_of(x_name)):
            by_title.setdefault(title, []).append(group)
    series = []
    for title, alike in by_title.items():
        points = []
        for x_value in _sort_values(alike, x_name):
            assert isinstance(x_value, int | float)
            here = [group for group in alike if group.value_of(x_name) == x_value]
            found = _find_values(here, options.figure)
            if found[0]:
                points.append(_mean_point(x_value, *found))
        if points:
            series.append(Series(title, tuple(points)))
    n_others = sum(len(group.rows) for group in groups) - sum(len(group.rows) for group in placed)
    return x_name, tuple(series), n_others


def _number_axis(groups: Sequence[Group], name: str) -> str:
    names = find_axes(groups)
    numbers = [each for each in names if sum(is_number(v) for v in _sort_values(groups, each)) > 1]
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


def _sort_values(groups: Sequence[Group], name: str) -> list[Value]:
    """Return the values of an axis: numbers ascending, then all others in the plan's order."""
    found = (group.value_of(name) for group in groups)
    values = list({axis_key(value): value for value in found}.values())
    numbers = [value for value in values if isinstance(value, int | float) and is_number(value)]
    return [*sorted(numbers), *(value for value in values if not is_number(value))]


def _label(value: Value) -> str:
    return tr("not set") if value is None else value_word(value)


def _pooled_axes_text(names: Sequence[str]) -> str:
    return tr(", whatever their {names}", names=tr(" and ").join(names)) if names else ""


def _counts(points: Sequence[Point]) -> list[int]:
    return [len(point.places) for point in points]


def _bounds(points: Sequence[Point]) -> list[float]:
    return [value for point in points for value in (point.low, point.high) if value is not None]


def _missing(kept: Kept, name: str, more: dict[str, int] | None = None) -> str:
    n_without = sum(figure(row, name) is None for row in kept.rows)
    return describe_omitted(
        kept, {tr("without {figure}", figure=figure_title(name)): n_without, **(more or {})}
    )
