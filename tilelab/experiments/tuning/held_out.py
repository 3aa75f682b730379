"""The best setting beside the default, on what was not tuned on."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.experiments.cell_run import Row
from tilelab.experiments.cells import Runs, runs_of
from tilelab.experiments.executor import Signals, SweepProgress, Workers
from tilelab.experiments.results import Results
from tilelab.experiments.statistics import Summary, compared, in_words, mean_interval, summarized
from tilelab.experiments.sweep import swept
from tilelab.experiments.tables import figure
from tilelab.experiments.tuning.space import Setting, Task, with_settings

HELD_OUT = "held-out"
DEFAULT, TUNED = marked("the default"), marked("the tuned setting")


@dataclass(frozen=True)
class HeldOutResult:
    """What the comparison has come to."""

    n: int
    """Pairs of runs: those on the same instance with the same seed."""
    default: Summary
    tuned: Summary
    difference: float
    """Tuned less default, on average."""
    low: float
    high: float
    """Bounds of its 95 % interval, from the differences of the pairs."""
    p: float | None
    """Of the Wilcoxon signed-rank test; None where it cannot be done."""
    words: tuple[str, ...]
    """What that says."""


def held_out_runs(task: Task, tuned: Setting, folder: Path | None) -> Runs:
    """Return the runs of the default, then those of the tuned setting; a sweep like any other."""
    settings = [{}] if tuned == task.default else [{}, tuned]
    plan = with_settings(task.held_out, settings)
    return runs_of(plan.model_copy(update={"tune": None}), folder)


def held_out_rows(
    runs: Runs, folder: Path, workers: Workers, signals: Signals
) -> Generator[SweepProgress | None, None, list[Row] | None]:
    """Do what is left of these runs; returns their rows, or None where it was stopped.

    Yields as :func:`tilelab.experiments.sweep.swept` does.
    """
    with Results(folder, runs, resume=True) as results:
        yield from swept(runs, results, workers, signals)
        n_over = results.counts.n_done + results.counts.n_failed
        return list(results.rows()) if n_over == len(runs) else None


def verdict(runs: Runs, rows: Sequence[Row], name: str, *, is_maximized: bool) -> HeldOutResult:
    """Compare a figure of all rows of these runs; raises TileLabError where no pair has it."""
    n_default = len(runs) // len(runs.plan.solvers)
    found = [figure(row, name) for row in rows]
    pairs = [
        (one, other)
        for one, other in zip(found[:n_default], found[-n_default:], strict=True)
        if one is not None and other is not None
    ]
    if not pairs:
        raise TileLabError(
            tr("{name}: no run that was not tuned on has this figure").format(name=name)
        )
    default, tuned = np.array(pairs, np.float64).T
    differences = tuned - default
    low, high = mean_interval(differences)
    mean = float(differences.mean())
    said = [_sentence(name, mean, low, high, is_maximized=is_maximized)]
    if len(runs.plan.solvers) == 1:
        said = [tr("No setting was found that is better than the default.")]
    p, more = _tested(default.tolist(), tuned.tolist())
    facts = summarized(default.tolist()), summarized(tuned.tolist())
    return HeldOutResult(len(pairs), *facts, mean, low, high, p, (*said, *more))


def _sentence(name: str, mean: float, low: float, high: float, *, is_maximized: bool) -> str:
    more = "more" if mean >= 0 else "less"
    fact = tr(
        "The tuned setting has {short} {more} on average ({name}; 95 % interval of "
        "the difference {short_2} to {short_3})"
    ).format(
        short=_short(abs(mean)), more=more, name=name, short_2=_short(low), short_3=_short(high)
    )
    gain, loss = (low, high) if is_maximized else (-high, -low)
    if gain > 0:
        return tr("{fact}: it beats the default.").format(fact=fact)
    if loss < 0:
        return tr("{fact}: it is worse than the default.").format(fact=fact)
    return tr("{fact}: these runs do not show that it beats the default.").format(fact=fact)


def _tested(default: list[float], tuned: list[float]) -> tuple[float | None, list[str]]:
    if len(default) < 2 or default == tuned:
        return None, []
    try:
        comparison = compared({tr(DEFAULT): default, tr(TUNED): tuned}, paired=True)
    except TileLabError as missing:  # an extra
        return None, [f"{missing}."]
    sentences = in_words(comparison)
    return comparison.pairs[0].p, [sentence[0].upper() + sentence[1:] for sentence in sentences]


def _short(value: float) -> str:
    return f"{value:,.2f}"
