"""Every best of a run, in bounded memory."""

import numpy as np
import pytest

from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Best
from tilelab.runs.bests import MAX_BESTS, Bests


def best(unit, value=0.0, moves=None, optimal=None):
    return Best(np.array([unit % 200, 1, 2], np.uint8), value, unit, moves, optimal)


def of(*all_of_them):
    bests = Bests()
    for each in all_of_them:
        bests.append(each, seconds=each.unit / 4)
    return bests


def test_the_best_of_a_moment_is_the_last_one_found_until_then():
    bests = of(best(3), best(10), best(11))
    assert bests.at(2) is None
    assert bests.at(2.9) is None
    assert bests.at(3).best.unit == 3
    assert bests.at(9).best.unit == 3
    assert bests.at(10.5).best.unit == 10
    assert bests.at(10**9) is bests.newest
    assert bests.newest.seconds == 11 / 4


def test_a_proof_takes_the_place_of_what_it_proves():
    bests = of(best(3), best(7, moves="UD"), best(7, moves="UD", optimal=True))
    assert [found.best.optimal for found in bests] == [None, True]


def test_many_bests_are_thinned_and_the_newest_stays():
    bests = of(*(best(unit) for unit in range(5000)))
    units = [found.best.unit for found in bests]
    assert len(units) == MAX_BESTS
    assert units[0] == 0
    assert units[-1] == 4999
    assert max(np.diff(units)) <= 4 * 5000 / MAX_BESTS


def test_long_ways_are_thinned(monkeypatch):
    monkeypatch.setattr("tilelab.runs.bests.MAX_MOVES", 100)
    bests = of(*(best(unit, moves="U" * 30) for unit in range(9)))
    assert [found.best.unit for found in bests][-1] == 8
    assert sum(len(found.best.moves) for found in bests) <= 100


def test_what_is_copied_out_comes_back():
    bests = of(best(1, 2.5), best(4, 3.5, "UDLR", False), best(9, 4.5, "", True))
    again = Bests.from_plain(bests.to_plain())
    assert len(again) == 3
    for one, other in zip(bests, again, strict=True):
        assert one.seconds == other.seconds
        assert np.array_equal(one.best.cells, other.best.cells)
        assert not other.best.cells.flags.writeable
        for name in ("value", "unit", "moves", "optimal"):
            assert getattr(one.best, name) == getattr(other.best, name)
    assert len(Bests.from_plain(Bests().to_plain())) == 0


def test_a_copy_does_not_grow():
    bests = of(best(1))
    copy = bests.copy()
    bests.append(best(2), 1.0)
    assert len(copy) == 1


@pytest.mark.parametrize("name", Bests().to_plain())
def test_every_part_is_needed_and_of_its_type(name):
    plain = of(best(1, moves="U"), best(2, moves="L")).to_plain()
    for wrong in (
        {**plain, name: plain[name].astype(np.float32)},
        {**plain, name: plain[name][:1]},
    ):
        with pytest.raises(SnapshotError):
            Bests.from_plain(wrong)
    del plain[name]
    with pytest.raises(SnapshotError, match=name):
        Bests.from_plain(plain)


def test_units_ascend():
    plain = of(best(1), best(2)).to_plain()
    plain["unit"][1] = 1
    with pytest.raises(SnapshotError, match="not in the order"):
        Bests.from_plain(plain)
