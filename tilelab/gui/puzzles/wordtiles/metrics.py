"""What the window makes of the metrics of word-tile solvers: curves, and boards scored."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from tilelab.core.text.language import marked
from tilelab.gui.charts.curves import ChartCurve, further_curves, island_curves

_CURVES = {
    "worst": ChartCurve("worst", "worst", "faint", 1),
    "mean": ChartCurve("mean", "mean", "selection", 1),
    "best_of": ChartCurve("", "best", "muted", 1),
    "best_ever": ChartCurve("best_ever", marked("best ever"), "accent", 2),
}
_MORE_CURVES = {
    "loyal": marked("Loyal"),
    "archive_size": marked("Archive"),
    "generated": marked("Boards"),
    "depth": marked("Depth"),
    "megabytes": marked("Memory"),
}


def curves_of(metrics: tuple[str, ...]) -> dict[str, tuple[ChartCurve, ...]]:
    """Return what the chart can draw of a solver's metrics, by title."""
    values: list[ChartCurve] = []
    for name, curve in _CURVES.items():
        metric = next((metric for metric in metrics if metric.startswith(name)), None)
        if name == "best_ever":
            values += island_curves(metrics)
        if metric is not None:
            values.append(dataclasses.replace(curve, metric=metric))
    more = {
        title: (ChartCurve(name, title.lower(), "accent", 2),)
        for name, title in _MORE_CURVES.items()
        if name in metrics
    }
    return {marked("Words"): tuple(values), **further_curves(metrics), **more}


def boards_scored(params: Mapping[str, Any], metrics: Mapping[str, float], units: int) -> float:
    """Return how many boards a run has scored, or 0 when its solver does not say."""
    for name in ("evaluations", "generated"):
        if name in metrics:
            return metrics[name]
    if {"agents", "steps"} <= params.keys():
        return float(units * params["agents"] * params["steps"] * params.get("islands", 1))
    return float(units * params.get("slides_per_iteration", 0))
