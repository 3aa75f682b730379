"""The kinds of charts of a sweep; here those of results over evaluations, units or seconds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tilelab.core.errors import UsageError
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number, unknown_name
from tilelab.experiments.cell_run import Row
from tilelab.experiments.chart_settings import boxes, heat_map, improvement_over, lines
from tilelab.experiments.chart_values import (
    BAND,
    Axis,
    Chart,
    Group,
    Options,
    Point,
    Series,
    describe_omitted,
    groups_of,
    is_wide,
    middle_value,
    runs_word,
    sentences,
    titles_of,
)
from tilelab.experiments.checkpoints import Improvement
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import Floats, mean_intervals

_NO_OPTIONS = Options()
OVER = ("evaluations", "units", "seconds")
"""Horizontal axes of a run's history; evaluations where all runs count them, else units."""
_MAX_POINTS = 120
"""Maximum number of points of a curve with a band; between them it keeps its height."""


class _Run(NamedTuple):
    """The results of a run and when it found them."""

    place: int
    at: Floats
    """Times of improvements, ascending, float64 (k,)."""
    values: Floats
    """Values of the improvements, float64 (k,)."""
    end: float
    is_over: bool
    """Whether its solver has ended it, so that nothing could follow."""


_Runs = list[_Run]


def best_so_far(kept: Kept, options: Options) -> Chart:
    """Return a chart of the mean of the best value so far, for the runs of each setting."""
    over = _over(kept, options.x)
    found = _Curves(kept, over, lambda run: run)
    return Chart(
        "best-so-far",
        tr("Best value over {axis}", axis=over),
        Axis(over, is_wide(found.xs)),
        Axis(tr("mean best value")),
        found.series,
        sentences(
            tr(
                "The mean of the best value that {runs_word} had found by then; the band is "
                "{band}.",
                runs_word=runs_word(found.counts),
                band=tr(BAND),
            ),
            found.held,
            found.left_out,
        ),
    )


def improvement_until(kept: Kept, options: Options) -> Chart:
    """Return a chart of the improvement so far, in per cent, of the best value over the first.

    Of a run: 100 * (best so far - first best) / |first best|, where the first best is the one of
    the first unit in which it has any; then the mean of the runs.
    """
    over = _over(kept, options.x)
    found = _Curves(kept, over, _in_per_cent)
    return Chart(
        "improvement",
        tr("Improvement on the first value over {axis}", axis=over),
        Axis(over, is_wide(found.xs)),
        Axis(tr("improvement in %")),
        found.series,
        sentences(
            tr(
                "By how many per cent of its first value a run's best value was above "
                "it by then; the "
                "mean of {runs_word}, and {band} as band.",
                runs_word=runs_word(found.counts),
                band=tr(BAND),
            ),
            found.held,
            found.left_out,
        ),
    )


def run_length(kept: Kept, options: Options) -> Chart:
    """Return a chart of the share of the runs of each setting that had reached a target so far."""
    over = _over(kept, options.x)
    target, why = _target(kept, options.target)
    settings = _settings(kept, over)
    all_runs = [run for _, runs in settings for run in runs]
    times = [at for run in all_runs if (at := _reached_at(run, target)) is not None]
    ends = [*times, *(max(run.end for run in runs) for _, runs in settings)]
    series = [_reaching(title, runs, target, min(ends)) for title, runs in settings]
    is_unsure = any(each.sure_until is not None for each in series)
    return Chart(
        "run-length",
        tr("Runs that had reached {target}", target=number(target)),
        Axis(over, is_wide(ends)),
        Axis(tr("share of runs in %")),
        tuple(series),
        sentences(
            tr(
                "The share of {runs_word} whose best value was "
                "{target} or more by then{note}; {n_reached} of {n_all_runs} runs "
                "reached it.",
                runs_word=runs_word([len(runs) for _, runs in settings]),
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
    """The mean curves of all settings, and remarks on them."""

    def __init__(self, kept: Kept, over: str, change: Callable[[_Run], _Run | None]) -> None:
        n_empty = n_refused = 0
        self.counts: list[int] = []
        series, n_held = [], 0
        for title, runs in _settings(kept, over):
            begun = [run for run in runs if len(run.at)]
            shown = [new for run in begun if (new := change(run)) is not None]
            n_empty += len(runs) - len(begun)
            n_refused += len(begun) - len(shown)
            if shown:
                series.append(_mean_curve(title, shown))
                self.counts.append(len(shown))
                n_held += sum(run.end < max(each.end for each in shown) for run in shown)
        if not series:
            raise UsageError.tr("No finished run has a value to show")
        self.series = tuple(series)
        self.left_out = _describe_omitted(
            kept, {tr("without a value"): n_empty, tr("whose first value is 0"): n_refused}
        )
        self.xs = [point.x for each in series for point in each.points]
        self.held = (
            tr(
                "{n_runs} ended before the last of the same setting; from there on, the best "
                "value is kept.",
                n_runs=counted(n_held, "run"),
            )
            if n_held
            else ""
        )


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
    n_without = sum(not _counts(row, history) for row, history in _histories(kept))
    if name == "evaluations" and n_without:
        raise UsageError.tr(
            "{n_without} did not count evaluations; use units or seconds",
            n_without=counted(n_without, "run"),
        )
    return name or ("units" if n_without else "evaluations")


def _counts(row: Row, history: Sequence[Improvement]) -> bool:
    return row["evaluations"] is not None and all(e.evaluations is not None for e in history)


def _histories(kept: Kept) -> Iterator[tuple[Row, Sequence[Improvement]]]:
    return zip(kept.rows, kept.improvements, strict=True)


def _has_history(row: Row, history: Sequence[Improvement]) -> bool:
    """Return whether a run's improvements are known; an earlier version kept only its end."""
    return bool(history) or row["value"] is None


def _settings(kept: Kept, over: str) -> list[tuple[str, _Runs]]:
    """Return each setting's title and its runs whose history is kept, where there are any."""
    groups = groups_of(kept)
    titled = zip(titles_of(groups), (_runs(group, over) for group in groups), strict=True)
    return [(title, runs) for title, runs in titled if runs]


def _describe_omitted(kept: Kept, reasons: dict[str, int]) -> str:
    n_unknown = sum(not _has_history(row, history) for row, history in _histories(kept))
    return describe_omitted(kept, {**reasons, tr("whose improvements are not kept"): n_unknown})


def _runs(group: Group, over: str) -> _Runs:
    runs = []
    for row, place, history in zip(group.rows, group.places, group.improvements, strict=True):
        if _has_history(row, history):
            at = np.array([_when(each, over) for each in history], np.float64)
            values = np.array([each.value for each in history], np.float64)
            end = max([float(_figure_over(row, over) or 0), *at])
            runs.append(_Run(place, at, values, end, row["status"] != "limit"))
    return runs


def _figure_over(row: Row, over: str) -> float | None:
    if over == "units":
        return row["units"]
    return row["seconds"] if over == "seconds" else row["evaluations"]


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


def _mean_curve(title: str, runs: Sequence[_Run]) -> Series:
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
    return Series(title, tuple(points), is_steps=True)


def _target(kept: Kept, given: float | None) -> tuple[float, str]:
    """Return the target, and a remark on its origin."""
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


def _reaching(title: str, runs: _Runs, target: float, begin: float) -> Series:
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
    return Series(title, tuple(points), is_steps=True, sure_until=sure_until)


def _improvement(kept: Kept, options: Options) -> Chart:
    """Return a chart of the improvement during runs, or over a parameter."""
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
TITLES: Mapping[str, str] = {
    "boxes": marked("Box plots"),
    "lines": marked("Lines"),
    "heat-map": marked("Heat map"),
    "best-so-far": marked("Best value so far"),
    "run-length": marked("Run-length distribution"),
    "improvement": marked("Improvement in per cent"),
}
"""Titles for a menu."""


def chart_of(kept: Kept, kind: str, options: Options = _NO_OPTIONS) -> Chart:
    """Return a chart of this kind; raises UsageError where it cannot be made."""
    if kind not in KINDS:
        raise unknown_name(kind, tr("kind of chart"), KINDS)
    if not kept.rows:
        raise UsageError.tr("No run of this sweep has finished yet; there is nothing to show")
    return KINDS[kind](kept, options)
