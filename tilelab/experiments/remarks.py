"""Sentences on a sweep's results, and on conclusions that they do not support."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tilelab import catalog
from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted, number
from tilelab.experiments.job_run import Row
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import SIGNIFICANCE, SettingsComparison, describe_comparison
from tilelab.experiments.tables import (
    SettingRuns,
    comparison_of,
    count_cut_off,
    require_figure,
    settings_of,
    solver_titles,
    values_of,
)
from tilelab.runs.limits import limit_name

FEW_RUNS = 10
_MAX_PAIRS = 8  # number of comparisons up to which each is described
_MANY_TIES = 0.25
_COSTS = ("moves", "units", "evaluations", "seconds", "expanded", "generated")
"""Figures of which less is better."""


class Remarks(NamedTuple):
    said: tuple[str, ...]  # results of the tests
    unsupported: tuple[str, ...]  # conclusions that the numbers do not support


def remarks_on(kept: Kept, name: str) -> Remarks:
    """Return remarks on a figure of the runs; raises UsageError for a figure that no run has."""
    require_figure(kept, name)
    settings = [setting for setting in settings_of(kept) if values_of(setting, name)]
    unsupported = tuple(_unsupported(kept, settings, name))
    try:
        comparison = comparison_of(kept, name)
    except UsageError:
        why = tr("A comparison needs at least two settings with two runs each; there are fewer.")
        return Remarks((why,), unsupported)
    except TileLabError as error:
        return Remarks((str(error),), unsupported)
    said = [*_describe_pairs(comparison)]
    better = _better_words(name)
    if better and any(pair.p_holm < SIGNIFICANCE for pair in comparison.pairs):
        said[0] = f"{said[0]} {better}"
    return Remarks(tuple(said), (*unsupported, *_test_remarks(kept, comparison)))


def _better_words(name: str) -> str:
    """Return a sentence on which values of a figure are better; '' if that is not known."""
    if name == "value":
        return tr("Larger values are better here.")
    return tr("Smaller values are better here.") if name in _COSTS else ""


def _describe_pairs(comparison: SettingsComparison) -> Iterator[str]:
    """Describe few pairs one by one; of many, those that differ most."""
    found = sorted(
        (pair for pair in comparison.pairs if pair.p_holm < SIGNIFICANCE),
        key=lambda pair: -abs(pair.effect - 0.5),
    )
    is_short = len(comparison.pairs) <= _MAX_PAIRS
    shown = comparison.pairs if is_short else tuple(found[:_MAX_PAIRS])
    yield from describe_comparison(replace(comparison, pairs=shown))
    if is_short:
        return
    n_more, n_others = len(found) - len(shown), len(comparison.pairs) - len(found)
    if n_more:
        text = tr("{n_more} also differ; the table shows by how much.")
        if n_more == 1:
            text = tr("{n_more} also differs; the table shows by how much.")
        yield text.format(n_more=counted(n_more, "further pair"))
    if not found:
        yield tr(
            "None of the {n_pairs} pairs of settings shows a difference in these runs. This does "
            "not prove that there is none.",
            n_pairs=figures(n_others, ","),
        )
    elif n_others:
        yield tr(
            "{n_others} of settings: these runs show no difference. This does not prove that "
            "there is none.",
            n_others=counted(n_others, "other pair"),
        )


def _unsupported(kept: Kept, settings: Sequence[SettingRuns], name: str) -> Iterator[str]:
    rows = [row for setting in settings for row in setting.rows]
    if len({row["instance"] for row in rows}) == 1:
        yield tr(
            "One instance only: this says nothing about other boards or sizes. More instances "
            "would."
        )
    n_fewest = min((len(values_of(setting, name)) for setting in settings), default=0)
    if 0 < n_fewest < FEW_RUNS:
        yield tr(
            "A setting has only {n_fewest}: intervals are too narrow, and small differences "
            "are not found.",
            n_fewest=counted(n_fewest, "run"),
        )
    yield from _chance_remarks(kept.plan.puzzle.kind, rows)
    if _share_of_ties(settings, name) > _MANY_TIES:
        yield tr("Many runs have the same value, which weakens rank tests.")
    yield from _limit_remarks(kept, settings, name)
    if kept.n_failed:
        yield tr("Failed and left out: {n_failed}.", n_failed=counted(kept.n_failed, "run"))
    yield from kept.doubts


def _chance_remarks(kind: str, rows: Sequence[Row]) -> Iterator[str]:  # on dependent repeats
    known = catalog.solvers(kind) if kind in catalog.puzzles() else {}
    repeated = dict.fromkeys(row["solver"] for row in rows if row["repeat"] > 1)
    same = [key for key in repeated if key in known and not known[key].spec.uses_seed]
    if same:
        titles = solver_titles(kind)
        yield tr(
            "{solvers}: nothing is random, so that repeats are the same run, and intervals and "
            "tests look surer than they are. More instances would help.",
            solvers=tr(" and ").join(titles[key] for key in same),
        )


def _limit_remarks(kept: Kept, settings: Sequence[SettingRuns], name: str) -> Iterator[str]:
    limits = kept.plan.limits
    ended = Counter(row["limit_reached"] for setting in settings for row in setting.rows)
    has_solvers = len({setting.solver for setting in settings}) > 1
    if has_solvers and ended["units"]:
        yield tr(
            "Runs ended after a number of units, which is not the same work for every solver. "
            "A limit of evaluations would be."
        )
    if ended["seconds"] or name == "seconds":
        yield tr("Seconds depend on the machine and on its load; a repetition will differ.")
    if name == "value" and limits.target is not None and ended["target"]:
        yield tr(
            "{n_runs} ended on reaching {target}: what they would have found later is not known.",
            n_runs=counted(ended["target"], "run"),
            target=number(limits.target),
        )
    rows = [row for setting in settings_of(kept) for row in setting.rows]
    if n_cut := count_cut_off(kept.plan.puzzle.kind, rows):
        yield tr(
            "Cut off by a limit before the search ended: {n_runs}. Means leave out or cut short "
            "what these needed; they cannot be compared with those of settings without such runs.",
            n_runs=counted(n_cut, "run"),
        )
    reasons = [word for word in ended if word]
    if len(reasons) > 1:
        names = sorted(limit_name(word, "unit") for word in reasons)
        yield tr("Not all runs ended for the same reason: {reasons}.", reasons=", ".join(names))


def _test_remarks(kept: Kept, comparison: SettingsComparison) -> Iterator[str]:
    is_paired = any(pair.test.startswith("Wilcoxon") for pair in comparison.pairs)
    if kept.plan.paired and not is_paired:
        yield tr("Runs are missing, so that they were not compared pair by pair.")
    n_runs = min(Counter((row["solver"], repr(row["params"])) for row in kept.rows).values())
    n_pairs = len(comparison.pairs)
    if n_runs < (n_enough := _enough_runs(n_pairs, is_paired=is_paired)):
        among = (
            tr(" among {n_pairs} comparisons", n_pairs=figures(n_pairs, ",")) if n_pairs > 1 else ""
        )
        yield tr(
            "So few runs cannot show any difference{scope}, however large: at least {n_enough} "
            "runs of each setting are needed.",
            scope=among,
            n_enough=n_enough,
        )


def _enough_runs(n_pairs: int, *, is_paired: bool) -> int:
    """Return the fewest runs of a setting with which a corrected p can become significant.

    The smallest p is that of the one order in which one setting wins all; twice, as either may win.
    """
    n_runs = 2
    while 2 * n_pairs / (2**n_runs if is_paired else math.comb(2 * n_runs, n_runs)) >= SIGNIFICANCE:
        n_runs += 1
    return n_runs


def _share_of_ties(settings: Sequence[SettingRuns], name: str) -> float:
    """Return the share of pairs of runs of different settings that have the same value."""
    counts = [Counter(values_of(setting, name)) for setting in settings]
    whole = sum(counts, Counter[float]())
    n_alike = _squares(whole) - sum(map(_squares, counts))
    n_pairs = whole.total() ** 2 - sum(each.total() ** 2 for each in counts)
    return n_alike / n_pairs if n_pairs else 0.0


def _squares(counts: Counter[float]) -> int:
    return sum(count**2 for count in counts.values())
