"""Parameters that had another name in an earlier version keep it in files, journals and records."""

import dataclasses

import pytest

from tests.asking import go
from tests.runs.test_store import begun
from tests.stored_runs import FOLDER
from tilelab.core.errors import ParameterError
from tilelab.core.parameters import (
    Params,
    live_value,
    parameter,
    replaced,
    validate,
    with_former_names,
)
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import Genetic, GeneticParams
from tilelab.puzzles.wordtiles.solvers.local_searches import WordTileAnnealingParams
from tilelab.runs.actions import State
from tilelab.runs.files.array_zip import read_zip, write_zip
from tilelab.runs.files.store import read_run
from tilelab.runs.recipe import LiveChange
from tilelab.runs.result import outcome
from tilelab.runs.session import Limits, Session


class Example(Params):
    pace: int = parameter(3, "Pace", low=1, high=9, help="How fast.", live=True, former="speed")


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


def test_a_former_name_is_taken_for_the_present_one():
    params = validate(WordTileAnnealingParams, {"hottest": 3.0, "coldest": 2.0, "trip": 5})
    assert (params.initial_temperature, params.final_temperature, params.walk) == (3.0, 2.0, 5)
    assert replaced(params, hottest=4.0).initial_temperature == 4.0
    assert live_value(Example(), "speed", 5) == Example(pace=5)
    with pytest.raises(ParameterError, match=r"pace: 99 is outside 1\.\.9"):
        validate(Example, {"speed": 99})


def test_values_can_be_given_out_under_both_names():
    assert with_former_names(Example, {"pace": 4}) == {"pace": 4, "speed": 4}


def test_json_has_both_names(puzzle):
    params = outcome(begun(puzzle, "annealing", {"hottest": 3.5}, 1, 2))["params"]
    assert params["hottest"] == params["initial_temperature"] == 3.5


def test_a_stored_run_has_the_present_names():
    checkpoint = read_run(FOLDER / "wordtiles-annealing-1.tilelab")
    names = {"walk", "initial_temperature", "final_temperature"}
    assert names <= checkpoint.snapshot.params.keys() & checkpoint.recipe.plain_params.keys()


def test_a_journal_of_former_names_is_read(tmp_path):
    with (FOLDER / "boggle-annealing-1.tilelab").open("rb") as stream:
        header, arrays = read_zip(stream)
    header["journal"] = [{"unit": 3, "name": "hottest", "value": 2.5}]
    header["solver"]["params"]["hottest"] = 2.5
    file = tmp_path / "run.tilelab"
    with file.open("wb") as stream:
        write_zip(stream, header, arrays)
    checkpoint = read_run(file)
    assert checkpoint.recipe.changes == (LiveChange(3, "initial_temperature", 2.5),)
    assert checkpoint.recipe.params.initial_temperature == 0.0
    assert checkpoint.snapshot.params["initial_temperature"] == 2.5


def test_a_journal_of_former_names_is_replayed(puzzle):
    session = Session()
    session.load(puzzle)
    journal = [LiveChange(2, "hottest", 9.0)]
    go(session, "annealing", {"first_cycle": 3}, 3, Limits(units=6), journal)
    while session.state is State.RUNNING:
        session.run_slice()
    assert session.journal == [LiveChange(2, "initial_temperature", 9.0)]
    assert session.solver.params.initial_temperature == 9.0


class RenamedParams(GeneticParams):
    mutation: int = parameter(20, "Rate", low=0, high=100, help="Now.", live=True, former="change")


def test_a_live_parameter_is_noted_under_its_present_name(puzzle, monkeypatch):
    monkeypatch.setattr(Genetic, "spec", dataclasses.replace(Genetic.spec, params=RenamedParams))
    session = begun(puzzle, "genetic", RenamedParams(), 1, 2)
    session.set_live("change", 30)
    assert session.solver.params.mutation == 30
    assert session.journal == [LiveChange(2, "mutation", 30)]
