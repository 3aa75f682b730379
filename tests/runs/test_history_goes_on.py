"""The history of runs that go on, are made again, and whose files are known."""

import dataclasses
import gzip
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.asking import recipe
from tests.history_records import made
from tilelab import catalog
from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.files.paths import path_text
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import Accents
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.history.record import record_of_session
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import History, puzzle_of, recipe_of, required_run_file, run_file_of
from tilelab.runs.recipe import LiveChange
from tilelab.runs.session import Limits, Session

KEY = "ab12" * 8
EARLY, LATE = "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"


@pytest.fixture(autouse=True)
def data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def history():
    with History() as opened:
        yield opened


def kept_again(history, **values):
    """Put the record of a run that is there already."""
    return history.record(history.put(made(key=KEY, **values)))


def session_of(puzzle, solver, params=None, seed=3, limit=40, changes=()):
    session = Session()
    session.begin(recipe(puzzle, solver, params or {}, seed, Limits(units=limit), changes))
    return session


def finished(session):
    while session.state is State.RUNNING:
        session.run_slice()
    return session


def recorded(session):
    """The record of a session, as the history gives it back."""
    with History() as history:
        return history.record(history.put(record_of_session(session, begun=EARLY)))


def letters(lexicon="planets", rows=None, **params):
    cls = catalog.puzzle("boggle")
    opened = open_lexicon(lexicon) if isinstance(lexicon, (str, Path)) else lexicon
    return cls.create(opened, cls.spec.params(rows=3, cols=3, **params), rows)


# A run that goes on


def test_a_run_that_went_further_is_brought_up_to_date(history):
    first = kept_again(history, units=100, begun=EARLY, thumbnail=b"old", params={"mutation": 0.1})
    history.set_tags(first.id, "night")
    history.set_note(first.id, "long")
    later = kept_again(
        history,
        units=200,
        seconds=9.0,
        status="solved",
        value=40.0,
        value_text="40",
        begun=LATE,
        ended=LATE,
        params={"mutation": 0.7},
        journal=(LiveChange(150, "mutation", 0.7),),
        cells=np.zeros(6, np.uint8),
    )
    assert (later.id, later.units, later.seconds, later.status) == (first.id, 200, 9.0, "solved")
    assert (later.value, later.begun, later.ended) == (40, EARLY, LATE)
    assert (later.tags, later.note) == ("night", "long")
    assert later.params == {"mutation": 0.1}
    assert later.journal == (LiveChange(150, "mutation", 0.7),)
    assert later.thumbnail is None


def test_the_picture_of_the_same_board_stays(history):
    kept_again(history, units=100, thumbnail=b"old")
    assert kept_again(history, units=200).thumbnail == b"old"
    assert kept_again(history, units=300, thumbnail=b"new").thumbnail == b"new"


def test_an_older_state_that_comes_later_changes_nothing(history):
    first = kept_again(history, units=200, status="limit", ended=EARLY)
    again = kept_again(history, units=199, status="paused", ended=LATE, value=1.0)
    for part in dataclasses.fields(first):
        if part.name not in ("cells", "curves"):
            assert getattr(again, part.name) == getattr(first, part.name), part.name
    assert kept_again(history, units=200, status="paused").status == "paused"


def test_a_deleted_run_comes_back_when_it_goes_on(history):
    number = kept_again(history, units=100).id
    history.delete([number])
    kept_again(history, units=100)
    kept_again(history, units=99)
    assert history.ids() == []
    kept_again(history, units=101)
    assert history.ids() == [number]


# Live changes that are made again


@pytest.mark.parametrize("units", [(0, 7, 20), (1, 1, 2), (39,)])
def test_a_run_with_its_live_changes_made_again_is_the_same_bit_for_bit(units):
    session = session_of(letters(), "genetic", {"parents": 5})
    for unit, rate in zip(units, (50, 0, 20), strict=False):
        if session.units < unit:
            session.set_limits(Limits(units=unit))
            finished(session)
            session.set_limits(Limits(units=40))
            session.resume()
        session.set_live("mutation", rate)
    record = recorded(finished(session))
    assert [change.unit for change in record.journal] == list(units)
    again = finished(
        session_of(puzzle_of(record), record.solver, {"parents": 5}, changes=record.journal)
    )
    assert again.journal == session.journal
    assert again.units == session.units == 40
    assert again.best.value == session.best.value
    np.testing.assert_array_equal(again.best.cells, session.best.cells)
    one, other = again.solver.snapshot(), session.solver.snapshot()
    assert one.scalars == other.scalars
    for name, array in other.arrays.items():
        np.testing.assert_array_equal(one.arrays[name], array, name)


def test_who_changes_a_live_parameter_by_hand_ends_the_repetition():
    journal = (LiveChange(0, "mutation", 50), LiveChange(20, "mutation", 10))
    session = session_of(letters(), "genetic", changes=journal)
    session.run_slice()
    assert session.units <= 20
    session.set_live("mutation", 30)
    finished(session)
    assert [change.value for change in session.journal] == [50, 30]


def test_a_live_change_that_does_not_fit_fails_the_run_and_not_the_program():
    session = finished(session_of(letters(), "genetic", changes=(LiveChange(5, "no such", 1),)))
    assert (session.state, session.units) == (State.FAILED, 5)
    assert "no such" in session.message


# Instances that are made again


def test_letters_with_a_start_grid_are_made_again():
    puzzle = letters(rows=("sat", "urn", "ejm"), torus=True)
    again = puzzle_of(recorded(finished(session_of(puzzle, "random-walk", limit=2))))
    assert again.params == puzzle.params
    assert again.lexicon.strings == puzzle.lexicon.strings
    np.testing.assert_array_equal(again.start, puzzle.start)
    assert puzzle_of(recorded(session_of(letters(), "genetic"))).start is None


def test_word_tiles_are_made_again():
    cls = catalog.puzzle("wordtiles")
    puzzle = cls.create(open_lexicon("elements"), cls.spec.params(rows=3, cols=3, letters_seed=4))
    again = puzzle_of(recorded(finished(session_of(puzzle, "bees", limit=2))))
    assert again.params == puzzle.params
    np.testing.assert_array_equal(again.start, puzzle.start)


def test_sliding_tiles_with_a_goal_of_their_own_are_made_again():
    goal = goal_board(3, 3, SlidingParams().goal)
    own = SlidingParams(rows=3, cols=3, goal="board")
    puzzle = SlidingPuzzle.create(own, scrambled(goal, 3, 5), goal[::-1].copy())
    record = recorded(finished(session_of(puzzle, "a-star")))
    again = puzzle_of(record)
    np.testing.assert_array_equal(again.start, puzzle.start)
    np.testing.assert_array_equal(again.goal, puzzle.goal)
    assert recipe_of(record)(puzzle_of(record)).plain_params == record.params


def test_what_came_later_is_as_it_was_before():
    goal = goal_board(3, 3, SlidingParams().goal)
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), scrambled(goal, 3, 5))
    record = recorded(finished(session_of(puzzle, "anytime")))
    assert recipe_of(record)(puzzle).params.ranking == "squares"
    params = {name: value for name, value in record.params.items() if name != "ranking"}
    former = recipe_of(replace(record, params=params))(puzzle)
    assert former.params.ranking == "distance"


@pytest.mark.parametrize("accents", list(Accents))
def test_a_lexicon_from_a_file_is_read_as_it_was(tmp_path, accents):
    file = tmp_path / "mine.txt"
    file.write_text("été\nnuit\n", "utf-8")
    record = recorded(session_of(letters(open_lexicon(file, accents)), "genetic"))
    assert puzzle_of(record).lexicon.strings == open_lexicon(file, accents).strings
    assert record.origin["n_strings"] == 2


@pytest.mark.parametrize("accents", list(Accents))
def test_words_that_came_with_a_run_file_are_in_the_record(tmp_path, accents):
    """Noticed: a run of own words whose record cannot give back its board."""
    file = tmp_path / "mine.txt"
    file.write_text("# title: My own\nÉté\t2.5\nSt. Helens\nnuit\n", "utf-8")
    given = open_lexicon(file, accents)
    session = finished(session_of(letters(given), "genetic"))
    saved = save_run(session, tmp_path / "run.tilelab")
    words = read_run(saved).recipe.puzzle.lexicon
    record = recorded(session_of(letters(words), "genetic"))
    file.unlink()
    with History() as history:
        again = puzzle_of(history.record(history.put(record))).lexicon
    assert (again.title, again.path, again.digest) == ("My own", None, given.digest)
    assert again.spellings == given.spellings
    record.origin["words"] = "other\nwords"
    with pytest.raises(LexiconError, match="had 3 words, now it has 2"):
        puzzle_of(record)


def test_a_lexicon_that_is_gone_or_changed_is_named(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("one\ntwo\n")
    record = recorded(session_of(letters(file), "genetic"))
    file.write_bytes(gzip.compress(b"two\none\n"))
    assert puzzle_of(record).lexicon.strings == ("one", "two")
    file.write_text("one\ntwo\nthree\n")
    with pytest.raises(LexiconError, match=r"has changed: run 1 had 2 words, now it has 3"):
        puzzle_of(record)
    file.write_text("one\t5\ntwo\n")
    with pytest.raises(LexiconError, match="had 2 words, now it has other words"):
        puzzle_of(record)
    file.unlink()
    with pytest.raises(LexiconError, match=r"the lexicon of run 1, .*mine.txt, no longer exists"):
        puzzle_of(record)


@pytest.mark.parametrize(
    "values",
    [
        {"puzzle": "of a plug-in"},
        {"instance": {"lexicon": "mine.txt"}},
        {"puzzle_params": {"rows": 99}},
        {"puzzle": "sliding", "instance": {}, "puzzle_params": {}},
        {"puzzle": "sliding", "instance": {"board": "1 x"}, "puzzle_params": {}},
    ],
)
def test_what_cannot_be_made_again_is_one_sentence(values):
    with pytest.raises(TileLabError) as caught:
        puzzle_of(made(**values))
    assert "\n" not in str(caught.value)


# Files of runs


def test_the_file_of_a_run_is_found_and_missed(history, tmp_path):
    record = kept_again(history, units=100)
    assert run_file_of(record) is None
    with pytest.raises(HistoryError, match="neither saved nor interrupted"):
        required_run_file(record)
    saved = tmp_path / "mine.tilelab"
    saved.write_text("")
    assert run_file_of(kept_again(history, units=50, run_file=path_text(saved))) == saved
    assert run_file_of(kept_again(history, units=300)) == saved
    saved.unlink()
    with pytest.raises(HistoryError, match=r"mine.tilelab, the file of run 1, no longer exists"):
        required_run_file(history.record(record.id))


def test_the_newer_of_two_files_is_taken(history, tmp_path):
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=3))
    session = finished(session_of(puzzle, "genetic"))
    autosave = Autosave(session)
    autosave.checkpoint(session)
    saved = tmp_path / "mine.tilelab"
    saved.write_text("")
    record = history.record(history.put(made(key=session.key, run_file=str(saved))))
    assert autosave.wait()
    assert run_file_of(record) == saved  # the other one is its program's
    autosave.end(keep=True)
    interrupted = autosave.folder / "run.tilelab"
    os.utime(saved, (1, 1))
    assert run_file_of(record) == interrupted
    os.utime(interrupted, (0, 0))
    assert run_file_of(record) == saved
    assert run_file_of(dataclasses.replace(record, key="*", run_file=None)) is None
    other = session.key[:8] + "0" * 24
    assert run_file_of(dataclasses.replace(record, key=other, run_file=None)) is None


def test_a_file_belongs_to_the_run_that_was_saved_last(history, tmp_path):
    file = str(tmp_path / "mine.tilelab")
    one = history.put(made(key="1", run_file=file))
    two = history.put(made(key="2", run_file=file))
    assert [record.run_file for record in history.records([one, two])] == [None, file]


def test_pictures_are_read_by_themselves(history):
    ids = [history.put(made(thumbnail=b"png")), history.put(made())]
    assert history.thumbnails([*ids, 99]) == {ids[0]: b"png", ids[1]: None}
    history.set_thumbnail(ids[1], b"")
    assert history.thumbnails(ids)[ids[1]] == b""


@pytest.mark.parametrize("text", ["7", "[[1]]", '[["a", "b", 1]]', "[", "null"])
def test_a_journal_that_is_none_is_read_as_empty(history, text):
    number = history.put(made(journal=(LiveChange(1, "mutation", 0.5),)))
    history._connection.execute("UPDATE run_details SET journal = ?", (text,))
    assert history.record(number).journal == ()
