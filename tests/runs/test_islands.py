"""A run on islands as a session, its file and its journal have it."""

import dataclasses

import numpy as np
import pytest

from tests.asking import recipe
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.files.array_zip import read_zip
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.fork import fork_run
from tilelab.runs.limits import Limits
from tilelab.runs.session import Session
from tilelab.solvers.islands import IslandParams
from tilelab.testing.solvers import same_snapshot

VALUES = {"islands": 3, "migrate_every": 6}


def _session(solver="genetic", limit=40, changes=(), **values):
    puzzle = BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=3, cols=3))
    session = Session()
    session.begin(recipe(puzzle, solver, values, 5, Limits(units=limit), changes))
    return session


def _to_the_end(session):
    while session.run_slice() is not None:
        pass
    return session.snapshot()


def _is_same(one, other):
    assert same_snapshot(one.snapshot, other.snapshot)
    assert one.evaluations == other.evaluations
    assert (one.best.value, one.best.unit) == (other.best.value, other.best.unit)
    for name, array in one.trace.to_plain().items():
        assert np.array_equal(array, other.trace.to_plain()[name])


@pytest.mark.every(2)
@pytest.mark.parametrize("solver", ["genetic", "annealing"])
def test_a_run_that_was_written_goes_on_as_the_unbroken_one(tmp_path, solver):
    unbroken = _to_the_end(_session(solver, **VALUES))
    stopped = _session(solver, **VALUES)
    while stopped.units < 17:
        stopped.run_slice(3)
    stopped.stop()
    file = save_run(stopped, tmp_path / "run.tilelab")
    resumed = Session()
    resumed.restore(read_run(file))
    resumed.resume()
    _is_same(_to_the_end(resumed), unbroken)
    again = resumed.snapshot()
    assert again.trace.names[-3:] == ("island_1", "island_2", "island_3")
    assert again.evaluations == unbroken.evaluations


def test_a_file_of_one_run_alone_does_not_speak_of_islands(tmp_path):
    session = _session(limit=3)
    _to_the_end(session)
    with save_run(session, tmp_path / "run.tilelab").open("rb") as stream:
        header, _ = read_zip(stream)
    for part in (header["solver"]["params"], header["first_params"]):
        assert not IslandParams.model_fields.keys() & part.keys()


def test_a_live_parameter_is_turned_on_all_islands_and_again_in_a_replay():
    turned = _session(**VALUES)
    turned.run_slice(9)
    turned.set_live("mutation", 90)
    first = _to_the_end(turned)
    assert [change.name for change in first.recipe.changes] == ["mutation"]
    prefixes = {name.split(".")[0] for name in first.snapshot.arrays if "." in name}
    assert prefixes == {"island_1", "island_2", "island_3"}
    _is_same(_to_the_end(_session(changes=first.recipe.changes, **VALUES)), first)
    plain = _to_the_end(_session(**VALUES))
    assert not same_snapshot(plain.snapshot, first.snapshot)


def test_a_fork_of_islands_has_them_too():
    session = _session(limit=20, **VALUES)
    checkpoint = _to_the_end(session)
    new = fork_run(checkpoint, {"letters": "frequency"}, Limits(units=30))
    assert new.snapshot.params["islands"] == 3
    going = Session()
    going.restore(new)
    going.resume()
    done = _to_the_end(going)
    assert done.units == 30
    assert [dataclasses.asdict(change)["name"] for change in done.recipe.changes] == ["letters"]


def test_boards_are_counted_on_all_islands():
    alone, together = (_to_the_end(_session(limit=12, **values)) for values in ({}, VALUES))
    assert together.evaluations == 3 * alone.evaluations
