"""When a checkpoint is due: by the run's own clock, and never dearer than its share."""

import pytest

from tilelab.runs.checkpoints.autosave import SHARE, SavingPlan


def ages(cost, total, step=0.02, write_wall=0.0, growth=0.0):
    """Run a plan against a fake clock; returns the greatest age of what is on disk, and the cost.

    cost: what a checkpoint takes, at the beginning; growth: how much more for each second.
    """
    plan, seconds, on_disk, oldest, n_saved = SavingPlan(0.0), 0.0, 0.0, 0.0, 0
    pending = None
    while seconds < total:
        seconds += step
        now_costs = cost * (1.0 + growth * seconds)
        if pending is not None and seconds >= pending[0]:
            on_disk, pending = pending[1], None
            plan.note_write(now_costs / 2, write_wall)
        if pending is None and plan.wants(seconds, int(1e6 * now_costs)):
            plan.note_copy(seconds, now_costs / 2, int(1e6 * now_costs))
            pending = (seconds + write_wall, seconds)
            n_saved += 1
        oldest = max(oldest, seconds - on_disk)
    return oldest, plan.spent_seconds, n_saved


@pytest.mark.parametrize("write_wall", [0.0, 0.5, 3.0])
def test_an_ordinary_run_is_never_more_than_ten_seconds_ahead_of_the_disk(write_wall):
    oldest, spent, n_saved = ages(0.02, 600.0, write_wall=write_wall)
    assert oldest <= 10.0
    assert spent <= SHARE * 600
    assert n_saved >= 60


def test_it_saves_at_once_and_then_in_its_period():
    plan = SavingPlan(100.0)
    assert not plan.wants(100.0)
    assert plan.wants(100.2)
    plan.note_copy(100.2, 0.001, 1000)
    plan.note_write(0.001, 0.001)
    assert not plan.wants(101.0)
    assert not plan.wants(109.0)
    assert plan.wants(109.3)


def test_what_is_on_disk_already_is_not_written_at_once():
    plan = SavingPlan(100.0, is_saved=True)
    assert not plan.wants(100.2)
    assert plan.wants(109.1)


@pytest.mark.parametrize("cost", [0.5, 2.0, 20.0])
def test_a_dear_state_is_saved_less_often(cost):
    _, spent, n_saved = ages(cost, 4000.0)
    # The first one, whose cost nobody can know, comes besides.
    assert spent <= SHARE * 4000 + cost
    assert n_saved > 1
    assert spent >= SHARE * 4000 / 4 or n_saved >= 400


def test_a_growing_state_keeps_within_the_share():
    _, spent, n_saved = ages(0.01, 2000.0, growth=0.1)
    assert spent <= SHARE * 2000 + 0.01
    assert n_saved > 20


def test_costs_that_are_always_higher_than_foreseen_keep_within_the_share():
    # Each is foreseen at half of what it takes, so that only what has been spent holds the next.
    plan, seconds, cost, unforeseen, n_saved = SavingPlan(0.0), 0.0, 0.0, 0.0, 0
    while seconds < 4000.0:
        seconds += 0.5
        if plan.wants(seconds, 1000):
            unforeseen = cost or 0.5
            cost, n_saved = cost + unforeseen, n_saved + 1
            plan.note_copy(seconds, cost / 2, 1000)
            plan.note_write(cost / 2, 0.0)
        assert plan.spent_seconds <= SHARE * seconds + unforeseen
    assert n_saved >= 6


def test_what_is_lost_is_due_again_and_a_live_change_hurries():
    plan = SavingPlan(0.0)
    plan.note_copy(50.0, 0.001, 1000)
    assert not plan.wants(52.0)
    plan.save_soon()
    assert not plan.wants(50.5)
    assert plan.wants(51.1)
    plan.note_copy(51.1, 0.001, 1000)
    assert not plan.wants(53.0)
    plan.lose()
    assert plan.wants(53.0)
