"""Figures of many runs: against scipy, and against worked examples that are published.

The examples: Hollander & Wolfe, Nonparametric Statistical Methods (1973), with the figures that R
prints for them (wilcox.test, friedman.test); Kruskal & Wallis (1952), bottle caps.
"""

import math
import sys
import tracemalloc

import numpy as np
import pytest

from tilelab.core.errors import TileLabError
from tilelab.core.text import language
from tilelab.experiments.statistics import (
    compare_groups,
    describe_comparison,
    effect_size,
    expected_running_time,
    holm,
    mean_interval,
    mean_intervals,
    success_rate,
    summarize,
)

DEPRESSION = (
    (1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30),
    (0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29),
)
"""Hollander & Wolfe, p. 29: a depression scale at two visits of nine patients."""
PERMEABILITY = (
    (0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46),
    (1.15, 0.88, 0.90, 0.74, 1.21),
)
"""Hollander & Wolfe, p. 69."""
_ROUNDING = """
    5.40 5.50 5.55  5.85 5.70 5.75  5.20 5.60 5.50  5.55 5.50 5.40  5.90 5.85 5.70  5.45 5.55 5.60
    5.40 5.40 5.35  5.45 5.50 5.35  5.25 5.15 5.00  5.85 5.80 5.70  5.25 5.20 5.10  5.65 5.55 5.45
    5.60 5.35 5.45  5.05 5.00 4.95  5.50 5.50 5.40  5.45 5.55 5.50  5.55 5.55 5.35  5.45 5.50 5.55
    5.50 5.45 5.25  5.65 5.60 5.40  5.70 5.65 5.55  6.30 6.30 6.25
    """
ROUNDING = np.array(_ROUNDING.split(), float).reshape(22, 3)
"""Hollander & Wolfe, p. 140: three ways to round first base."""
CAPS = {
    "standard": (340, 345, 330, 342, 338),
    "first": (339, 333, 344),
    "second": (347, 343, 349, 355),
}
"""Kruskal & Wallis 1952, Table 1.1: bottle caps that three machines make in a day."""


@pytest.fixture(scope="module", autouse=True)
def stats():
    """Scipy's own; loaded by whoever runs these tests, not by all who only list them."""
    return pytest.importorskip("scipy.stats")


def test_published_paired_example_of_two():
    (pair,) = compare_groups(dict(zip("ab", DEPRESSION, strict=True)), paired=True).pairs
    # R: V = 40, of 45; one-sided p-value = 0.01953.
    assert pair.statistic == 45 - 40
    assert pair.p == pytest.approx(2 * 0.01953, abs=2e-5)
    assert pair.test == "Wilcoxon signed-rank test"


def test_published_unpaired_example_of_two():
    (pair,) = compare_groups(dict(zip("ab", PERMEABILITY, strict=True)), paired=False).pairs
    # R: W = 35; one-sided p-value = 0.1272.
    assert pair.statistic == 35
    assert pair.p == pytest.approx(2 * 0.1272, abs=1e-4)
    # A is U over the number of pairs (Vargha & Delaney 2000).
    assert pair.effect == pytest.approx(35 / 50)


def test_published_paired_example_of_three():
    found = compare_groups(dict(zip("abc", ROUNDING.T.tolist(), strict=True)), paired=True)
    # R: Friedman chi-squared = 11.143, df = 2, p-value = 0.003805.
    assert found.statistic == pytest.approx(11.143, abs=5e-4)
    assert found.p == pytest.approx(0.003805, abs=5e-7)
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]


def test_published_unpaired_example_of_three():
    found = compare_groups(CAPS, paired=False)
    assert found.test == "Kruskal–Wallis test"
    assert found.statistic == pytest.approx(5.656, abs=5e-4)


def test_holm_as_r_does_it():
    # R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize("paired", [False, True])
def test_comparisons_are_scipys(stats, paired):
    rng = np.random.default_rng(4)
    groups = {name: rng.integers(0, 9, 9) + 0.5 * k for k, name in enumerate("abcd")}
    found = compare_groups({name: each.tolist() for name, each in groups.items()}, paired=paired)
    together = stats.friedmanchisquare if paired else stats.kruskal
    assert (found.statistic, found.p) == tuple(together(*groups.values()))
    for pair in found.pairs:
        one, other = groups[pair.first], groups[pair.second]
        expected = stats.wilcoxon(one, other) if paired else stats.mannwhitneyu(one, other)
        assert pair.statistic == expected.statistic
        assert pair.p == pytest.approx(expected.pvalue, rel=1e-12)
        assert pair.effect == stats.mannwhitneyu(one, other).statistic / 81
    assert [pair.p_holm for pair in found.pairs] == holm([pair.p for pair in found.pairs])


@pytest.mark.parametrize(
    "differences",
    [
        [1, 1, -1, 2],
        [3, 0, 0, -1, 2, 5],
        [-4, 2, 2, 2, 1, -1, 7, 7],
        [5],
        [1, -1],
        [1, 2, -3, 4.5, 6],
    ],
)
def test_few_pairs_with_ties_are_tested_as_scipy_does(stats, differences):
    one = np.array(differences, float)
    (pair,) = compare_groups({"a": one.tolist(), "b": [0.0] * len(one)}, paired=True).pairs
    expected = stats.wilcoxon(one)
    assert (pair.statistic, pair.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_settings_that_are_all_alike_do_not_differ():
    alike = {name: [3.0, 3.0, 3.0] for name in "abc"}
    for paired in (False, True):
        found = compare_groups(alike, paired=paired)
        assert found.p == 1.0
        assert {(pair.p, pair.effect) for pair in found.pairs} == {(1.0, 0.5)}


def test_a_summary_has_scipys_interval(stats):
    values = [3.0, 4.0, 8.0, 5.0, 5.0, 12.0, 7.0]
    found = summarize(values)
    assert (found.n, found.median, found.minimum, found.maximum) == (7, 5, 3, 12)
    assert found.mean == pytest.approx(44 / 7)
    theirs = stats.bootstrap((values,), np.mean, rng=np.random.default_rng(20_261))
    assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval), rel=1e-9)
    assert summarize(values) == found
    assert mean_interval(np.array(values)) == (found.low, found.high)


@pytest.mark.parametrize("scale", [1.0, 0.1])
@pytest.mark.parametrize(
    ("values", "interval"),
    [
        # One draw of 27 is all 1, more than 2.5 %; bias and acceleration are 0.
        ((1, 2, 3), (1, 3)),
        # Bias from (10 + 6 / 2) of 27 below the mean: 0.9630 is more than 26 of 27.
        ((1, 4, 6), (1, 6)),
        # And mirrored: 0.0370 is 1 of 27, less than the bound's share.
        ((1, 3, 6), (1, 6)),
        # Scipy has 0.92 and 18.09: of the 6 draws with the same mean it takes 4 for larger.
        ((0.92, 1.05, 26.61), (2.89 / 3, 26.61)),
    ],
)
def test_the_interval_of_three_values_is_that_of_all_27_draws(values, interval, scale):
    """Drawn at random, chance decided between two bounds."""
    found = mean_interval(scale * np.array(values, float))
    assert found == pytest.approx(scale * np.array(interval))


def test_many_values_are_drawn_in_parts():
    values = np.random.default_rng(3).normal(5.0, 1.0, 2_000)
    low, high = mean_interval(values)
    half = 1.96 * values.std() / math.sqrt(len(values))
    assert low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_tests_need_scipy_and_intervals_do_not(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert summarize([1.0, 2.0]).n == 2
    with pytest.raises(TileLabError, match=r"Tests need scipy, .* pip install 'tilelab\[stat"):
        compare_groups(CAPS, paired=False)


def test_the_interval_holds_the_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(7)
    samples = rng.normal(10.0, 2.0, (30, 25))
    found = [summarize(sample.tolist()) for sample in samples]
    n_holding = sum(each.low <= 10.0 <= each.high for each in found)
    assert 25 <= n_holding <= 30


def test_one_value_and_equal_values_have_no_interval():
    for values in ([4.0], [4.0, 4.0, 4.0]):
        found = summarize(values)
        assert (found.mean, found.low, found.high) == (4.0, 4.0, 4.0)


def test_success_and_what_it_costs():
    values, costs = [10, 7, 10, 3], [100, 500, 200, 500]
    assert success_rate(values, 10) == 0.5
    assert expected_running_time(costs, values, 10) == 650
    assert expected_running_time(costs, values, 11) == math.inf


def test_the_effect_size_counts_ties_half():
    assert effect_size([2, 2], [1, 1]) == 1.0
    assert effect_size([1, 2], [1, 2]) == 0.5
    assert effect_size([1], [1, 2, 2, 2]) == 0.125


def test_the_effect_size_of_many_runs_needs_little_memory():
    values = np.arange(10_000)
    tracemalloc.start()
    try:
        assert effect_size(values, values) == 0.5
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000


def test_of_pairs_the_larger_one_is_that_of_the_test_whatever_the_effect_size_says():
    first = list(range(20))
    second = [100, *(value - 0.5 for value in first[1:])]
    assert effect_size(first, second) < 0.5
    for one, other in ((first, second), (second, first)):
        named = {"low" if one is second else "high": one, "high" if one is second else "low": other}
        (said,) = describe_comparison(compare_groups(named, paired=True))
        assert said.startswith(
            "high has larger values than low: in 48 % of all pairs of runs, where"
        )


def test_a_finding_is_in_one_language():
    """Noticed: the English name of a test, or a decimal point, in a French sentence."""
    groups = {name: [10 * k + place for place in range(9)] for k, name in enumerate("abc")}
    language.use("fr")
    try:
        together, *_ = describe_comparison(compare_groups(groups, paired=True))
    finally:
        language.use(language.ENGLISH)
    assert together.endswith("(test de Friedman, p < 0,001).")


def test_words_say_who_is_larger_and_what_is_not_shown():
    low, high = list(range(10)), list(range(20, 30))
    clear = describe_comparison(compare_groups({"few": low, "many": high}, paired=False))
    assert clear == [
        "many has larger values than few: in 100 % of all pairs of runs, where ties count half, a "
        "large difference (Mann–Whitney test, p < 0.001 after Holm's correction)."
    ]
    paired = describe_comparison(compare_groups({"few": low, "many": high}, paired=True))
    assert paired[0].endswith(
        " On average, many has 20.00 more (95 % interval of the difference 20.00 to 20.00)."
    )
    # One pair that is far apart decides the mean, but not the ranks.
    groups = {"a": [11.0] * 9 + [0.0], "b": [10.0] * 9 + [91.0]}
    comparison = compare_groups(groups, paired=True)
    assert comparison.pairs[0].is_first_larger
    assert "On average, b has 8.20 more" in describe_comparison(comparison)[0]
    (open_one,) = describe_comparison(compare_groups({"a": low, "b": low[::-1]}, paired=True))
    assert "On average, a has 0.00 more (95 % interval of the difference -3.40 to " in open_one
    assert "a and b: these runs show no difference" in open_one
    assert "This does not prove that there is none" in open_one
    three = describe_comparison(compare_groups({"a": low, "b": high, "c": low}, paired=False))
    assert three[0].startswith("All together: the settings differ (Kruskal–Wallis test, p < 0.001)")


@pytest.mark.parametrize(
    ("differences", "is_shown", "is_clear", "disagrees"),
    [
        ([0, -1, 2, 3, 10, -3, 4, 12, 1, 11], False, True, True),
        ([1] * 12 + [-91], True, False, True),
        ([1, -1, 2, -2, 3, -3], False, False, False),
        ([1, 2, 3, 4, 5, 6, 7, 8], True, True, False),
    ],
)
def test_a_finding_says_when_test_and_interval_disagree(differences, is_shown, is_clear, disagrees):
    """Noticed: "no difference" beside an interval without 0, without a word on which to trust."""
    groups = {"a": [float(each) for each in differences], "b": [0.0] * len(differences)}
    comparison = compare_groups(groups, paired=True)
    (pair,), (said,) = comparison.pairs, describe_comparison(comparison)
    low, high = mean_interval(np.array(pair.differences))
    assert (pair.p < 0.05, low > 0 or high < 0) == (is_shown, is_clear)
    assert said.endswith("Trust the test, and make more runs.") is disagrees


def test_a_curve_has_the_intervals_of_its_points():
    curves = np.random.default_rng(8).integers(0, 5, (9, 30)).cumsum(axis=1).astype(float)
    curves[:, 4] = 7.0
    low, high = mean_intervals(curves)
    for column, values in enumerate(curves.T):
        assert (low[column], high[column]) == pytest.approx(mean_interval(values), rel=1e-12)
    assert (low[4], high[4]) == (7.0, 7.0)
    assert [each.tolist() for each in mean_intervals(curves[:1])] == [curves[0].tolist()] * 2
