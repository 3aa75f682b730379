"""What the table of settings says: figures of each setting's runs, made in the background."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.core.text.wording import value_word
from tilelab.experiments.cell_run import FAILED, Row
from tilelab.experiments.cells import Runs
from tilelab.experiments.statistics import Summary, expected_running_time, success_rate, summarized
from tilelab.experiments.tables import figure

_A_MOMENT = 0.1


class Wanted(NamedTuple):
    """What the figures are of."""

    figure: str
    target: float | None
    has_ended_runs: bool
    """Whether the runs have ended with this target; then it is known what a success costs."""


@dataclass(frozen=True)
class SettingLine:
    """A setting."""

    setting: int
    """Its place in the plan, from 0."""
    title: str
    n_runs: int
    """Of the plan."""
    n_failed: int
    n_done: int
    summary: Summary | None
    success: float | None
    cost: float | None
    """Evaluations that a success takes; infinite without one."""


def setting_titles(runs: Runs) -> list[str]:
    """Name the settings: the solver, and what varies."""
    kind = runs.plan.puzzle.kind
    alike = _alike([setting.varied for setting in runs.settings])
    puzzle = {spec.name: tr(spec.title) for spec in describe(catalog.puzzle(kind).spec.params)}
    titles = []
    for setting in runs.settings:
        solver = catalog.solver(kind, setting.solver).spec
        named = {**puzzle, **{spec.name: tr(spec.title) for spec in describe(solver.params)}}
        words = [
            f"{named.get(name, name.replace('_', ' ')).lower()} {value_word(value)}"
            for name, value in setting.varied.items()
            if name not in alike
        ]
        # The paper that a solver comes from tells none from another.
        titles.append(", ".join([solver.title.partition(" (")[0], *words]))
    return titles


def _alike(all_varied: Sequence[Mapping[str, Value]]) -> set[str]:
    """Return the names whose value is the same in all settings: they tell none from another."""
    names = {name for varied in all_varied for name in varied}
    return {name for name in names if len({repr(v.get(name, ...)) for v in all_varied}) == 1}


def line_of(
    setting: int, title: str, n_runs: int, rows: Sequence[Row], want: Wanted
) -> SettingLine:
    """Sum up the runs of a setting that are over."""
    done = [row for row in rows if row["status"] != FAILED]
    found = (figure(row, want.figure) for row in done)
    values = [value for value in found if value is not None]
    success = cost = None
    if want.target is not None and done:
        reached = [-float("inf") if (v := row["value"]) is None else v for row in done]
        success = success_rate(reached, want.target)
        costs = [row["evaluations"] for row in done]
        known = [each for each in costs if each is not None]
        if want.has_ended_runs and len(known) == len(costs):
            cost = expected_running_time(known, reached, want.target)
    return SettingLine(
        setting=setting,
        title=title,
        n_runs=n_runs,
        n_failed=len(rows) - len(done),
        n_done=len(done),
        summary=summarized(values) if values else None,
        success=success,
        cost=cost,
    )


def summing_up(
    parts: Sequence[tuple[int, str, int, Sequence[Row]]], want: Wanted
) -> Iterator[object]:
    """Sum up some settings: place, title, how many runs, rows; yields lists of their lines."""
    lines: list[SettingLine] = []
    said = time.monotonic()
    for setting, title, n_runs, rows in parts:
        lines.append(line_of(setting, title, n_runs, rows, want))
        # Many settings with few runs are soon shown whole; few with many, one after the other.
        if time.monotonic() - said > _A_MOMENT:
            yield lines
            lines, said = [], time.monotonic()
    yield lines
