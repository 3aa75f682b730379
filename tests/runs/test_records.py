"""The best known values: the built-in list, the user's own, and what is said of a run."""

import dataclasses
import itertools
import json
import shlex

import numpy as np
import pytest

from tests.asking import recipe
from tests.history_records import made
from tests.naive import constrained_score
from tilelab.cli.command import main
from tilelab.core.text import language
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.history.record import BY_HAND, record_of_session
from tilelab.runs.history.store import History
from tilelab.runs.records import (
    OWN,
    best_known,
    builtin_records,
    category_of,
    command_of,
    counted_text,
    keep_record,
    rules_text,
    size_text,
    verdict,
)
from tilelab.runs.session import Limits, Session

STATES = open_lexicon("us-states")
FOUR = {"rows": 4, "cols": 4, "fitness": "length"}
"""A category of the built-in list: 74 letters are known."""
KNOWN = ("chtu", "daro", "coks", "lina")


@pytest.fixture
def file(tmp_path):
    """A history of its own."""
    return tmp_path / "history.sqlite"


def run_of(value, board=KNOWN, params=FOUR, lexicon=STATES, **more):
    """A record of a run on a lexicon that never was."""
    origin = {"lexicon": lexicon.name, "file": None, "digest": lexicon.digest, "start": None}
    return made(
        puzzle_params=params,
        origin=origin,
        value=float(value),
        value_text=f"{value:,}",
        board=board,
        rows=len(board),
        cols=len(board[0]),
        **more,
    )


@pytest.mark.every(5)
@pytest.mark.parametrize("record", builtin_records(), ids=lambda record: record.title)
def test_each_value_of_the_built_in_list_is_its_board_s_by_the_naive_oracle(record):
    lexicon = open_lexicon(record.lexicon)
    assert (lexicon.digest, lexicon.title) == (record.digest, record.title)
    # Of a large lexicon only what the board's letters can spell.
    letters = set("".join(record.board))
    is_likely = np.array([letters.issuperset(string) for string in lexicon.strings])
    if not record.puzzle_params.get("slips"):
        lexicon = dataclasses.replace(
            lexicon,
            strings=tuple(itertools.compress(lexicon.strings, is_likely)),
            weights=lexicon.weights[is_likely],
        )
    puzzle = BogglePuzzle.from_values(lexicon, record.puzzle_params)
    assert constrained_score(record.board, puzzle) == record.value
    assert record.by


def test_the_built_in_list_has_each_category_once():
    keys = [category_of(record.puzzle, record).key for record in builtin_records()]
    assert len(set(keys)) == len(keys) > 5


def test_sides_may_change_places_and_directions_say_nothing_of_other_rules():
    def key(**params):
        return category_of("boggle", run_of(1, params=params)).key

    assert key(rows=3, cols=4) == key(rows=4, cols=3)
    assert key(rows=3, cols=4) != key(rows=3, cols=5)
    assert key() == key(directions="two")
    assert key(adjacency="straight") != key(adjacency="straight", directions="two")
    lying, standing = ({"rows": r, "cols": 7 - r, "directions": "two"} for r in (3, 4))
    assert key(adjacency="straight", **lying) != key(adjacency="straight", **standing)
    assert key(slips=1) != key() != key(fitness="length")


def test_a_run_with_constraints_or_an_unknown_lexicon_is_compared_with_no_other():
    origin = {"digest": "d", "constraints": {"required": ["ohio"]}}
    assert category_of("boggle", made(origin=origin)) is None
    assert category_of("boggle", made()) is None
    assert category_of("sliding", made(puzzle="sliding")) is None
    assert category_of("boggle", run_of(1, params={"rows": 99})) is None


def test_word_tiles_are_compared_by_what_is_on_the_board():
    lexicon = parse_lexicon(b"ab ba", "two")

    def category(*rows, seed=1):
        params = WordTilesParams(rows=2, cols=2, letters_seed=seed)
        puzzle = WordTilesPuzzle.create(lexicon, params, rows)
        session = Session()
        session.begin(recipe(puzzle, "random-walk", {}, 1, Limits(units=1)))
        session.run_slice()
        return category_of("wordtiles", record_of_session(session, begun="now"))

    assert category("ab", "b.").key == category("bb", "a.", seed=9).key
    assert category("ab", "b.").key != category("aa", "b.").key


def test_the_better_of_the_built_in_and_the_own_value_is_known(file):
    with History(file) as history:
        (before,) = best_known(history, category_of("boggle", run_of(1)))
        assert (before.best.value, before.best.by, before.own) == (74, "TileLab", None)
        history.put(run_of(65))
        (known,) = best_known(history, category_of("boggle", run_of(1)))
        assert (known.best.by, known.own.value) == ("TileLab", 65)
        equal = history.put(run_of(74, key="equal"))
        (known,) = best_known(history, category_of("boggle", run_of(1)))
        assert (known.best.by, known.own.value) == ("TileLab", 74)
        history.delete([equal])
        number = history.put(run_of(80, key="better"))
        (known,) = best_known(history, category_of("boggle", run_of(1)))
        assert (known.best.by, known.best.value, known.best.record.id) == (OWN, 80, number)
        (known,) = best_known(history, category_of("boggle", run_of(1)), but_run="better")
        assert known.own.value == 65
        history.delete([number])
        (known,) = best_known(history, category_of("boggle", run_of(1)))
        assert known.own.value == 65


def test_a_value_is_shown_in_the_language_of_now(file):
    """Noticed: 5,655 of an English run next to 1.651 in a German list; it means five point six."""
    with History(file) as history:
        number = history.put(run_of(5655))
        language.use("de")
        (known,) = best_known(history, category_of("boggle", run_of(1)))
        (line,) = history.lines([number])
        shown = line.shown_value
    language.use("en")
    assert [known.best.value_text, shown] == ["5.655", "5.655"]


def test_of_many_runs_the_best_of_each_kind_is_listed(file):
    with History(file) as history:
        for value in (3, 9, 7):
            history.put(run_of(value, params={"rows": 2, "cols": 3}, board=("abc", "def")))
            history.put(run_of(value + 1, params={"rows": 3, "cols": 2}, board=("ab", "cd", "ef")))
        history.put(made(puzzle="sliding", value=-3.0))
        known = best_known(history)
    own = [one for one in known if one.own is not None]
    assert [(size_text(one.category), one.own.value) for one in own] == [("2×3", 10)]
    assert len(known) == len(builtin_records()) + 1


def test_what_is_said_of_a_run(file):
    """Noticed: a resumed run is compared with its own earlier best, or seems to be."""
    with History(file) as history:

        def said(*value_and_board, **more):
            return verdict(run_of(*value_and_board, **more), history)

        assert said(72) == ""
        assert said(75) == "New record: 75. Before this run, the best was 74 (TileLab)."
        turned = tuple(row[::-1] for row in KNOWN)
        assert said(74, turned) == "As good as the best known, 74 (TileLab): the same board."
        assert said(74, ("dhtu", "daro", "coks", "lina")).endswith("another board.")
        history.put(run_of(75, key="mine"))
        assert said(76, key="mine").endswith("Before this run, the best was 74 (TileLab).")
        assert said(75) == ""
        assert said(76) == "New record: 76. Before this run, the best was 75 (yours)."
        assert said(5, ("ab", "cd"), params={"rows": 2, "cols": 2}) == ""


def test_the_words_that_a_player_found_are_no_record_but_a_board_of_slides_is_one(file):
    """Noticed: the next run beats "the previous best" of a player, which was no board's value."""
    game = run_of(75, solver=BY_HAND, key="game")
    slid = {"board": ("ab", "b."), "params": {"rows": 2, "cols": 2}, "puzzle": "wordtiles"}
    slides = run_of(3, solver=BY_HAND, key="slides", moves="LR", **slid)
    with History(file) as history:
        history.put(run_of(65))
        assert verdict(game, history) == ""
        history.put(game)
        (known,) = best_known(history, category_of("boggle", game))
        assert (known.best.by, known.own.value) == ("TileLab", 65)
        assert verdict(run_of(75), history).startswith(
            "New record: 75. Before this run, the best was 74"
        )
        history.put(slides)
        (known,) = best_known(history, category_of("wordtiles", slides))
        assert known.own.value == 3


def test_the_board_that_a_run_began_with_is_no_record_but_a_better_one_is(file):
    """Noticed: a run that began with the published board gave its value to *Yours*."""
    puzzle = BogglePuzzle.from_values(STATES, FOUR, KNOWN)
    session = Session()
    session.begin(recipe(puzzle, "tabu", {}, 1, Limits(units=1)))
    session.run_slice()
    opened = record_of_session(session, begun="now")
    assert (opened.value, opened.board) == (74, KNOWN)
    better = made(**{**vars(opened), "key": "better", "value": 75.0, "board": ("x", *KNOWN[1:])})
    with History(file) as history:
        assert verdict(opened, history) == ""
        history.put(opened)
        (known,) = best_known(history, category_of("boggle", opened))
        assert (known.best.value, known.own) == (74, None)
        history.put(better)
        (known,) = best_known(history, category_of("boggle", opened))
        assert known.own.value == 75


def test_a_run_is_kept_and_compared(file):
    assert keep_record(run_of(75), file) == (
        "",
        "New record: 75. Before this run, the best was 74 (TileLab).",
    )
    with History(file) as history:
        assert history.count() == 1
    notice, said = keep_record(run_of(75), file / "no" / "folder")
    assert (notice.startswith("This run is not in the history: "), said) == (True, "")


def test_rules_are_named_where_they_are_not_the_defaults():
    params = {"rows": 2, "cols": 3, "slips": 1, "reuse": "once", "torus": True}
    category = category_of("boggle", run_of(1, params={**params, "fitness": "length"}))
    assert (size_text(category), counted_text(category)) == ("2×3", "summed length")
    assert rules_text(category) == "reuse of a cell: once a word, wrap around, slips: 1"
    assert rules_text(category_of("boggle", run_of(1))) == ""


def test_the_command_of_a_run_makes_it_again(capsys):
    params = BoggleParams(rows=3, cols=3, fitness="length", torus=True)
    session = Session()
    values = {"swaps": 20, "islands": 2}
    puzzle = BogglePuzzle.create(STATES, params)
    session.begin(recipe(puzzle, "annealing", values, 3, Limits(units=20)))
    while session.state.value == "running":
        session.run_slice()
    record = record_of_session(session, begun="now")
    program, *words = command_of(record)
    assert program == "tilelab"
    assert {"--torus", "--swaps", "--islands", "--lexicon"} <= set(words)
    assert main([*words, "--json", "--no-history"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert tuple(again["best"]["rows"]) == record.board
    assert (again["best"]["value"], again["units"]) == (record.value, 20)


def test_no_command_makes_a_run_again_that_flags_cannot_say():
    assert command_of(run_of(1)) == []  # its parameters are of no solver
    plain = run_of(1, params={}, solver="annealing", limits={})
    plain = made(**{**vars(plain), "params": {}})
    assert shlex.join(command_of(plain)).endswith("--solver annealing --seed 7 --units 100")
    # A target ended it before its limit; its best came in that unit.
    aimed = made(**{**vars(plain), "limits": {"units": 100, "target": 3}, "best_unit": 12})
    assert command_of(aimed)[-2:] == ["--units", "13"]
    # Noticed: a run that was stopped long before its limit is repeated for days.
    stopped = {"limits": {"units": 10**8}, "best_unit": 12, "status": "interrupted"}
    assert command_of(made(**{**vars(plain), **stopped}))[-2:] == ["--units", "13"]
    by_hand = made(**{**vars(plain), "solver": "by-hand"})
    started = made(**{**vars(plain), "origin": {**plain.origin, "start": list(KNOWN)}})
    assert command_of(by_hand) == command_of(started) == []
