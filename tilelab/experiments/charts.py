"""The kinds of charts of a sweep, and the chart of a kind."""

from collections.abc import Callable, Mapping

from tilelab.core.errors import UsageError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.unknown_names import unknown_name
from tilelab.experiments.chart_curves import OVER, best_so_far, improvement_until, run_length
from tilelab.experiments.chart_settings import boxes, heat_map, improvement_over, lines
from tilelab.experiments.chart_values import Chart, Options
from tilelab.experiments.results import Kept

_NO_OPTIONS = Options()


def _improvement(kept: Kept, options: Options) -> Chart:
    """Show it over a run's own course, or over a parameter."""
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
"""As a menu names them."""


def chart_of(kept: Kept, kind: str, options: Options = _NO_OPTIONS) -> Chart:
    """Return what a chart of this kind shows; raises UsageError where it cannot be made."""
    if kind not in KINDS:
        raise unknown_name(kind, tr("kind of chart"), KINDS)
    if not kept.rows:
        raise UsageError(tr("No run of this sweep is done yet; there is nothing to show"))
    return KINDS[kind](kept, options)
