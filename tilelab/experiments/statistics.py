"""Statistics of many runs: means with intervals, success, and whether settings differ.

Nothing here depends on runs: values go in, figures come out. Resampling is seeded, so that the same
values give the same figures.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import missing_package
from tilelab.core.text.language import figures, marked, tr

CONFIDENCE = 0.95
SIGNIFICANCE = 0.05
_RESAMPLES = 9_999
_FEW_ROWS = 5  # number of rows up to which all resamples are enumerated: 5 ** 5 is 3,125
_FEW_PAIRS = 13  # number of pairs up to which scipy's test of tied pairs is exact
_BATCH = 4_000_000  # number of values that are drawn at a time
_SEED = 20_261
_SMALL, _MEDIUM, _LARGE = 0.56, 0.64, 0.71  # Vargha and Delaney's bounds for A

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Summary:
    n: int
    mean: float
    low: float
    high: float  # bounds of the mean's 95 % interval; of less than two values, the mean
    median: float
    minimum: float
    maximum: float


@dataclass(frozen=True)
class Pair:
    first: str
    second: str
    test: str
    statistic: float
    p: float  # Uncorrected p
    p_holm: float  # corrected for the number of comparisons (Holm 1979)
    effect: float  # Vargha and Delaney's A: share of pairs in which the first has more
    # By the test: of paired runs, by the differences of pairs, which A does not use.
    is_first_larger: bool
    differences: tuple[float, ...] = ()  # the first less the second, of runs that are paired


@dataclass(frozen=True)
class SettingsComparison:
    test: str  # the test of all settings together; '' where there are only two
    statistic: float
    p: float
    pairs: tuple[Pair, ...]


def summarize(values: Sequence[float]) -> Summary:
    """Summarize at least one value; the interval is a bootstrap one (BCa, Efron 1987)."""
    array = np.asarray(values, np.float64)
    low, high = mean_interval(array)
    return Summary(
        n=len(array),
        mean=float(array.mean()),
        low=low,
        high=high,
        median=float(np.median(array)),
        minimum=float(array.min()),
        maximum=float(array.max()),
    )


def mean_interval(values: Floats) -> tuple[float, float]:
    """Return the 95 % interval of the mean; float64 (n,), n from 1 up."""
    low, high = mean_intervals(values[:, np.newaxis])
    return float(low[0]), float(high[0])


def mean_intervals(values: Floats) -> tuple[Floats, Floats]:
    """Return the 95 % intervals of the means of columns: low and high, float64 (k,).

    values: float64 (n, k), n from 1 up; a run is a row, which is drawn whole.
    """
    n, means = len(values), values.mean(axis=0)
    gaps = values - means
    low, high = means.copy(), means.copy()
    (varied,) = np.nonzero((values != values[0]).any(axis=0))
    if not len(varied):
        return low, high
    gaps = gaps[:, varied]
    spread = (gaps**2).sum(axis=0)
    moved = np.concatenate([_means(drawn, gaps) for drawn in _draws(n)])
    # A draw with the same mean may be off by a rounding.
    nothing = 1e-12 * np.sqrt(spread)
    below = (moved < -nothing).mean(axis=0) + (np.abs(moved) <= nothing).mean(axis=0) / 2
    # How the mean's own spread changes with it, by leaving out one value at a time.
    skew = (gaps**3).sum(axis=0) / (6 * spread**1.5)
    moved.sort(axis=0)
    for column, share, bend, sorted_moved in zip(varied, below, skew, moved.T, strict=True):
        bounds = _corrected_bounds(float(share), float(bend))
        # Efron's own inverse; between two of few draws there is nothing.
        ends = np.quantile(sorted_moved, bounds, method="inverted_cdf")
        low[column], high[column] = means[column] + ends
    return low, high


def _draws(n: int) -> Iterator[NDArray[np.int64]]:
    """Yield resamples of n rows, int64 (some, n): of few rows all, as chance would decide."""
    if n <= _FEW_ROWS:
        yield np.indices((n,) * n).reshape(n, -1).T
        return
    rng = np.random.default_rng(_SEED)
    size = _BATCH // n + 1
    for first in range(0, _RESAMPLES, size):
        yield rng.integers(0, n, (min(size, _RESAMPLES - first), n))


def _means(drawn: NDArray[np.int64], values: Floats) -> Floats:
    """Return means of drawn rows, (n_resamples, k); drawn: int64 (n_resamples, n), overwritten."""
    n_resamples, n = drawn.shape
    means: Floats
    if values.shape[1] == 1:
        means = values[drawn, 0].mean(axis=1, keepdims=True)
    else:
        # How often each row was drawn; a product with it is faster than the rows themselves.
        drawn += n * np.arange(n_resamples)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=n_resamples * n).reshape(n_resamples, n)
        means = counts.astype(np.float64) @ values / n
    return means


def _corrected_bounds(below: float, skew: float) -> list[float]:
    """Return the quantiles of the resampled means that are the bounds (Efron 1987, BCa)."""
    normal = NormalDist()
    bias = normal.inv_cdf(min(max(below, 1 / _RESAMPLES), 1 - 1 / _RESAMPLES))
    bounds = []
    for share in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2):
        place = bias + normal.inv_cdf(share)
        bounds.append(normal.cdf(bias + place / (1 - skew * place)))
    return bounds


def success_rate(values: Sequence[float], target: float) -> float:
    return float((np.asarray(values, np.float64) >= target).mean())


def expected_running_time(costs: Sequence[float], values: Sequence[float], target: float) -> float:
    """Return the average cost of a success, failures before it included (Hansen et al. 2010).

    costs: of each run, until it has reached the target or was ended. Infinite without a success.
    """
    n_successes = int((np.asarray(values, np.float64) >= target).sum())
    return float(np.sum(costs)) / n_successes if n_successes else math.inf


def effect_size(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Vargha and Delaney's A (2000): 0.5 means no difference, 1 that the first wins all."""
    one, other = np.asarray(first, np.float64), np.sort(np.asarray(second, np.float64))
    # For each of the first: how many of the second are smaller, and how many are not larger.
    smaller, not_larger = (np.searchsorted(other, one, side) for side in ("left", "right"))
    return float((smaller + not_larger).sum() / (2 * len(one) * len(other)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number (Holm 1979); they keep their order."""
    order = np.argsort(p_values, kind="stable")
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order.tolist()):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def compare_groups(groups: Mapping[str, Sequence[float]], *, paired: bool) -> SettingsComparison:
    """Compare settings by ranks; each has two values at least. paired: by their order."""
    pairs = [
        _pair(first, second, groups[first], groups[second], paired=paired)
        for first, second in itertools.combinations(groups, 2)
    ]
    corrected = holm([pair.p for pair in pairs])
    together = _omnibus(list(groups.values()), paired=paired) if len(groups) > 2 else ("", 0.0, 1.0)
    return SettingsComparison(
        *together,
        tuple(replace(pair, p_holm=p_holm) for pair, p_holm in zip(pairs, corrected, strict=True)),
    )


def describe_comparison(comparison: SettingsComparison) -> list[str]:
    sentences = [
        _describe_pair(pair) + _mean_difference(pair) + describe_disagreement(pair)
        for pair in comparison.pairs
    ]
    if not comparison.test:
        return sentences
    together = tr(
        "All together: the settings {verdict} ({test}, {p_value}).",
        verdict=tr("differ") if comparison.p < SIGNIFICANCE else tr("may be equal"),
        test=tr(comparison.test),
        p_value=_p(comparison.p),
    )
    return [together, *sentences]


def _describe_pair(pair: Pair) -> str:
    if pair.p_holm >= SIGNIFICANCE:
        return tr(
            "{first} and {second}: these runs show no difference ({test}, {p_value} after Holm's "
            "correction). This does not prove that there is none; more runs might show one.",
            first=pair.first,
            second=pair.second,
            test=tr(pair.test),
            p_value=_p(pair.p_holm),
        )
    larger, smaller = (pair.first, pair.second)[:: 1 if pair.is_first_larger else -1]
    share = pair.effect if pair.is_first_larger else 1 - pair.effect
    return tr(
        "{larger} has larger values than {smaller}: in {percent} % of all pairs of runs, where "
        "ties count half, a {size} difference ({test}, {p_value} after Holm's correction).",
        larger=larger,
        smaller=smaller,
        percent=figures(100 * share, ".0f"),
        size=_size(share),
        test=tr(pair.test),
        p_value=_p(pair.p_holm),
    )


def _mean_difference(pair: Pair) -> str:
    """Return a sentence on the mean of the differences with its interval; '' without pairs."""
    if not pair.differences:
        return ""
    is_first_larger, mean, low, high = _mean_of(pair)
    return " " + tr(
        "On average, {larger} has {difference} more (95 % interval of the difference {low} to "
        "{high}).",
        larger=pair.first if is_first_larger else pair.second,
        difference=figures(mean, ",.2f"),
        low=figures(low, ",.2f"),
        high=figures(high, ",.2f"),
    )


def describe_disagreement(pair: Pair) -> str:
    """Return which of test and interval to trust if only one shows a difference; else ''."""
    if not pair.differences:
        return ""
    is_first_larger, _, low, _ = _mean_of(pair)
    is_shown, is_interval_clear = pair.p_holm < SIGNIFICANCE, low > 0
    if is_shown is is_interval_clear and (not is_shown or is_first_larger is pair.is_first_larger):
        return ""
    return " " + tr(
        "The test compares ranks, the interval means, and they disagree here. Trust the test, and "
        "make more runs."
    )


def _mean_of(pair: Pair) -> tuple[bool, float, float, float]:
    """Return whether the mean of the first is larger, by how much, and the bounds of that."""
    values = np.asarray(pair.differences)
    is_first_larger = bool(values.mean() >= 0)
    values = values if is_first_larger else -values
    return is_first_larger, float(values.mean()), *mean_interval(values)


def _scipy() -> ModuleType:
    try:
        from scipy import stats
    except ModuleNotFoundError:
        raise missing_package(tr("Tests need scipy"), "statistics") from None
    module: ModuleType = stats
    return module


def _pair(
    first: str, second: str, one: Sequence[float], other: Sequence[float], *, paired: bool
) -> Pair:
    effect = effect_size(one, other)
    differences: tuple[float, ...] = ()
    if paired:
        differences = tuple(np.subtract(one, other, dtype=np.float64).tolist())
        test = marked("Wilcoxon signed-rank test")
        statistic, p, is_first_larger = _signed_ranks(one, other)
    else:
        test, is_first_larger = marked("Mann–Whitney test"), effect >= 0.5
        found = _scipy().mannwhitneyu(one, other, alternative="two-sided")
        statistic, p = float(found.statistic), float(found.pvalue)
    return Pair(first, second, test, statistic, p, p, effect, is_first_larger, differences)


def _signed_ranks(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, bool]:
    """Return the statistic and p of Wilcoxon's test, and whether the first is larger by it."""
    stats = _scipy()

    differences = np.asarray(one, np.float64) - np.asarray(other, np.float64)
    changed = differences[differences != 0]
    if not len(changed):
        return 0.0, 1.0, True
    ranks = stats.rankdata(np.abs(changed))
    is_first_larger = float((np.sign(changed) * ranks).sum()) >= 0
    has_ties = len(np.unique(ranks)) < len(ranks) or len(changed) < len(differences)
    if has_ties and len(differences) <= _FEW_PAIRS:
        statistic, p = _all_signs(ranks, changed > 0)
        return statistic, p, is_first_larger
    found = stats.wilcoxon(differences)
    return float(found.statistic), float(found.pvalue), is_first_larger


def _all_signs(ranks: Floats, is_positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Return Wilcoxon's statistic and its p among all signs that the ranks might have.

    ranks: float64 (n,), whole or half ones. This counts the choices for each sum; scipy is slow.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    n_choices = np.ones(1)
    for rank in doubled.tolist():
        n_choices = np.pad(n_choices, (0, rank)) + np.pad(n_choices, (rank, 0))
    total, above = int(doubled.sum()), int(doubled[is_positive].sum())
    tails = n_choices[: above + 1].sum(), n_choices[above:].sum()
    p = min(1.0, 2 * float(min(tails)) / 2.0 ** len(ranks))
    return min(above, total - above) / 2, p


def _omnibus(groups: Sequence[Sequence[float]], *, paired: bool) -> tuple[str, float, float]:
    stats = _scipy()

    name = marked("Friedman test") if paired else marked("Kruskal–Wallis test")
    arrays = [np.asarray(values, np.float64) for values in groups]
    together = np.stack(arrays) if paired else np.concatenate(arrays)
    if len(np.unique(together, axis=0)) == 1:  # no ranks at all
        return name, 0.0, 1.0
    found = stats.friedmanchisquare(*arrays) if paired else stats.kruskal(*arrays)
    return name, float(found.statistic), float(found.pvalue)


def _size(effect: float) -> str:
    words = ((_LARGE, tr("large")), (_MEDIUM, tr("medium")), (_SMALL, tr("small")))
    return next((word for bound, word in words if effect >= bound), tr("negligible"))


def _p(value: float) -> str:
    return f"p = {figures(value, '.3f')}" if value >= 0.001 else f"p < {figures(0.001, '.3f')}"
