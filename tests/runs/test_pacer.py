"""The pacer finds the units of a slice and never jumps."""

from tilelab.runs.pacer import Pacer


def test_starts_with_one_unit_and_settles_on_the_slice():
    pacer = Pacer(slice_seconds=0.02)
    assert pacer.units == 1
    for _ in range(20):
        pacer.note(pacer.units, pacer.units * 0.0001)
    assert pacer.units == 200


def test_grows_at_most_fourfold_and_shrinks_at_once():
    pacer = Pacer(slice_seconds=0.02)
    pacer.note(1, 0.0)
    assert pacer.units == 4
    pacer.note(4, 4.0)
    assert pacer.units == 1


def test_an_empty_slice_teaches_nothing():
    pacer = Pacer()
    pacer.note(0, 0.0)
    assert pacer.units == 1
