"""Optuna's part of a tuning, without any runs."""

import importlib.util

import pytest

from tilelab.core.errors import TileLabError
from tilelab.experiments.tuning.trials import DONE, FAILED, PRUNED, ParameterRange

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("optuna") is None, reason="Optuna is an extra"
)
AXES = (
    ParameterRange("rate", tuple(range(0, 101, 5))),
    ParameterRange("size", (3, 4, 8, 16, 32)),
    ParameterRange("kind", ("plain", "fancy")),
)
FIRST = {"rate": 20, "size": 8, "kind": "plain"}


def opened(file, **more):
    from tilelab.experiments.tuning.study import Study

    return Study(file, AXES, 7, **{"maximize": True, "first": FIRST, **more})


def worth(setting):
    """What matters is the rate, a little the kind, the size not at all."""
    return -abs(setting["rate"] - 70) + (2 if setting["kind"] == "fancy" else 0)


def do(study, n_trials, value=worth):
    """Do so many trials on three rungs."""
    for _ in range(n_trials):
        setting = study.ask()
        for rung in range(3):
            study.report(rung, value(setting) * (rung + 1) / 3)
            if rung < 2 and not study.is_promoted():
                study.finish(PRUNED)
                break
        else:
            study.finish(DONE)
    return study.trials()


@pytest.mark.exhaustive
def test_the_first_trial_is_the_default_and_the_best_comes_near_the_optimum(tmp_path):
    with opened(tmp_path / "a?b%20.sqlite") as study:
        trials = do(study, 40)
        best, importance = study.best(), study.importance()
    assert trials[0].setting == FIRST
    assert [trial.number for trial in trials] == list(range(40))
    assert {trial.state for trial in trials} == {DONE, PRUNED}
    assert abs(best.setting["rate"] - 70) <= 10
    assert best.value == worth(best.setting) == max(t.value for t in trials if t.state == DONE)
    assert next(iter(importance)) == "rate"
    assert sum(importance.values()) == pytest.approx(1)
    assert [file.name for file in tmp_path.iterdir()] == ["a?b%20.sqlite"]


@pytest.mark.exhaustive
def test_a_third_of_the_trials_goes_on(tmp_path):
    with opened(tmp_path / "tune.sqlite") as study:
        trials = do(study, 30)
    n_second = sum(len(trial.rungs) > 1 for trial in trials)
    assert 30 // 3 <= n_second < 30 * 2 / 3
    assert sum(len(trial.rungs) > 2 for trial in trials) < n_second


@pytest.mark.exhaustive
def test_less_is_better_where_it_is_minimized(tmp_path):
    with opened(tmp_path / "tune.sqlite", maximize=False) as study:
        trials = do(study, 12, lambda setting: float(setting["rate"]))
        best = study.best()
    assert best.value == min(trial.value for trial in trials if trial.state == DONE)


def test_what_matters_for_more_matters_as_much_for_less_of_its_opposite(tmp_path):
    with opened(tmp_path / "more.sqlite") as study:
        more, importance = do(study, 12), study.importance()
    with opened(tmp_path / "less.sqlite", maximize=False) as study:
        less = do(study, 12, lambda setting: -worth(setting))
        assert [trial.setting for trial in less] == [trial.setting for trial in more]
        assert study.importance() == importance


@pytest.mark.exhaustive
def test_trials_go_on_as_if_nothing_had_happened(tmp_path):
    with opened(tmp_path / "whole.sqlite") as study:
        whole = do(study, 14)
    for n_before in (0, 1, 12):
        with opened(tmp_path / f"{n_before}.sqlite") as study:
            do(study, n_before)
            asked = study.ask()  # and the program ends
            study.report(0, worth(asked) / 3)
        with opened(tmp_path / f"{n_before}.sqlite") as study:
            assert len(study.trials()) == n_before
            assert do(study, 1)[-1].setting == asked
            assert do(study, 13 - n_before) == whole


def test_what_has_failed_teaches_nothing_and_is_counted(tmp_path):
    with opened(tmp_path / "tune.sqlite") as study:
        study.ask()
        study.finish(FAILED, "it broke")
        study.ask()
        study.finish(PRUNED, "no figure")
        failed, pruned = study.trials()
        assert study.best() is None
        assert study.importance() == {}
    assert (failed.state, failed.note, failed.rungs, failed.value) == (FAILED, "it broke", (), None)
    assert (pruned.state, pruned.note, pruned.rungs) == (PRUNED, "no figure", ())


@pytest.mark.exhaustive
def test_importance_counts_those_that_were_left_early_behind_the_others(tmp_path):
    with opened(tmp_path / "tune.sqlite", first=None) as study:
        do(study, 20)
        assert {trial.state for trial in study.trials()} == {DONE, PRUNED}
        assert set(study.importance()) == {"rate", "size", "kind"}


def test_a_file_that_is_no_database_is_named(tmp_path):
    file = tmp_path / "tune.sqlite"
    file.write_text("This is no database at all, and it never was one.\n" * 20, "utf-8")
    with pytest.raises(TileLabError, match=r"tune\.sqlite cannot be used: "):
        opened(file)
