"""Constraints of letter grids: what they are worth, how they are written, and what is refused."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from tests.naive import constrained_score, naive_bans
from tilelab.core.errors import GridError, LexiconError, UsageError
from tilelab.core.puzzle import Best
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

WISHES = parse_lexicon(b"cat\t2\ndog\t0.5\ngoat\t3\ntoad\t1\nact\t1\n", "wishes")
OTHERS = parse_lexicon(b"tad\ntot\ncoat\ndoc\nog\ntac\nago\noat\nzoo\ndodo\ncatt\n", "others")


def made(rows=4, cols=4, start_rows=None, constraints=UNCONSTRAINED, **params):
    values = {"rows": rows, "cols": cols, **params}
    return BogglePuzzle.from_values(WISHES, values, start_rows, constraints)


RULES = {
    "schafer": {},
    "weight": {"fitness": "weight"},
    "once": {"reuse": "once"},
    "stay": {"stay": True},
    "rook": {"adjacency": "rook"},
    "slip": {"slips": 1},
    "torus": {"torus": True, "fitness": "length"},
    "large": {"rows": 9, "cols": 8},
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_values_are_those_of_the_plain_scorer(rules):
    asked = Constraints(
        required=("toad", "dot"), forbidden=("god", "cod"), nothing_else=OTHERS, holes=(0, 6, 11)
    )
    puzzle = made(**rules, constraints=asked)
    rng = np.random.Generator(np.random.PCG64(5))
    assert list(puzzle.banned) == naive_bans(puzzle)
    values = set()
    n_cells = puzzle.params.rows * puzzle.params.cols
    for _ in range(12):
        # Half of the cells hold a symbol of no string, so that much is missing.
        cells = rng.integers(0, 2 * len(puzzle.lexicon.alphabet), n_cells).astype(np.uint8)
        cells[cells >= len(puzzle.lexicon.alphabet)] = FOREIGN
        cells[list(asked.holes)] = FOREIGN
        wanted = constrained_score(puzzle.rows_of(cells), puzzle)
        assert puzzle.score(cells) == puzzle.report(cells).value == wanted
        values.add(wanted)
    assert len(values) > 1


def test_the_own_value_of_a_sum_of_fractions_has_no_tail():
    """A remainder that is written as 2.300000000000182, or 1,000 for 0."""
    puzzle = made(fitness="weight", constraints=Constraints(required=("dot",)))
    per = puzzle.per_constraint
    values = [3 * per + 2.3, 3 * per - 1e-12]
    assert [puzzle.own_value(value) for value in values] == [2.3, 0]
    assert puzzle.own_value(np.array(values)).tolist() == [2.3, 0]


def test_a_required_string_outweighs_all_wishes_and_can_be_read_off():
    puzzle = made(2, 4, constraints=Constraints(required=("Dot!",)))
    assert "dot" in puzzle.lexicon.strings
    assert puzzle.score(puzzle.parse(["dotc", "tact"])) == 14
    assert puzzle.full_value == 16


def test_what_stands_on_a_grid_is_reported():
    asked = Constraints(required=("dot", "toad"), forbidden=("cat",))
    puzzle = made(1, 4, constraints=asked)
    assert "cat" not in puzzle.lexicon.strings
    best = Best(puzzle.parse(["catd"]), 0.0, 0)
    outcome = puzzle.outcome(best)
    assert (outcome["required_missing"], outcome["forbidden_found"]) == (["dot", "toad"], ["cat"])
    assert puzzle.best_text(best).value == (
        "0 of 5 words · required words missing: dot, toad · forbidden words found: cat"
    )


def test_nothing_is_said_of_constraints_that_are_not_there():
    puzzle = made(2, 2)
    best = Best(puzzle.parse(["ca", "td"]), 1.0, 0)
    assert set(puzzle.outcome(best)) == {"value", "rows", "words", "missing_count"}
    assert set(puzzle.describe()) == {"params", "lexicon", "start"}
    assert puzzle.instance() == {"lexicon": "wishes"}
    assert "constraints" not in puzzle.origin()


def test_rows_show_holes_and_are_read_again():
    puzzle = made(2, 3, ["#at", "do#"])
    assert puzzle.constraints.holes == (0, 5)
    assert puzzle.start[[0, 5]].tolist() == [FOREIGN, FOREIGN]
    assert puzzle.rows_of(puzzle.start) == ("#at", "do#")
    again = puzzle.starting_with(puzzle.parse(["gat", "dog"]))
    assert again.rows_of(again.start) == ("#at", "do#")
    with pytest.raises(GridError, match="row 1, column 2 is no hole of this board"):
        puzzle.parse(["##t", "do#"])


def everything():
    asked = Constraints(
        ("dot",), ("cod", "act"), OTHERS, (1, 4), (0, 5), {"dot": "Dot", "cod": "Cod"}
    )
    return made(2, 3, ["#at", "do#"], asked)


def test_a_description_keeps_everything():
    """Noticed: spellings of forbidden words that are lost; files of before that are refused."""
    puzzle = everything()
    description = puzzle.describe()
    again = BogglePuzzle.from_description(description)
    assert again.lexicon.spellings == {"dot": "Dot", "cod": "Cod"}
    description["constraints"]["spellings"] = ["Dot"]  # those of required words alone
    assert BogglePuzzle.from_description(description).lexicon.spellings == {"dot": "Dot"}
    for one in (again, puzzle.starting_with(puzzle.start)):
        assert one.lexicon.strings == puzzle.lexicon.strings
        assert one.start.tolist() == puzzle.start.tolist()
        assert one.banned == puzzle.banned
        assert one.constraints.locked == (1, 4)
        assert one.origin() == puzzle.origin()


def test_a_record_keeps_everything(tmp_path):
    files = {"wishes": b"cat\ndog\n", "others": b"tad\ncoat\n"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    values = {
        "lexicon": str(tmp_path / "wishes"),
        "accents": "keep",
        "nothing_else": str(tmp_path / "others"),
        "lock": "0,1",
        "start": str(tmp_path / "start"),
        "mask": str(tmp_path / "start"),
    }
    (tmp_path / "start").write_text("#at\ndo#\n")
    (puzzle,) = BogglePuzzle.from_flags(values)
    record = SimpleNamespace(
        id=7,
        puzzle_params=puzzle.params.model_dump(mode="json"),
        instance=puzzle.instance(),
        origin=json.loads(json.dumps(puzzle.origin())),
    )
    again = BogglePuzzle.from_record(record)
    assert again.origin() == puzzle.origin()
    assert again.banned == puzzle.banned == ("coat", "tad")
    assert puzzle.instance() == {
        "lexicon": "wishes",
        "nothing_else": "others",
        "locked": "0,1",
        "holes": 2,
    }


@pytest.mark.parametrize(
    ("error", "text", "asked"),
    [
        (LexiconError, "'dot' is required and forbidden", Constraints(("dot",), ("DOT",))),
        (LexiconError, "required word '…' has 0 letters", Constraints(("…",))),
        (LexiconError, "'tac' is forbidden, but is part of", Constraints(("cat",), ("tac",))),
        (GridError, "hole in row 5, column 1 is outside", Constraints(holes=(16,))),
        (GridError, "row 1, column 2 is a hole and", Constraints(locked=(1,), holes=(1,))),
        (GridError, "every cell is a hole", Constraints(holes=tuple(range(16)))),
        (GridError, "locked cells keep the letters", Constraints(locked=(1,))),
        (LexiconError, "every word of wishes is", Constraints(forbidden=WISHES.strings)),
    ],
)
def test_what_cannot_be_is_refused(error, text, asked):
    with pytest.raises(error, match=text):
        made(constraints=asked)


def test_cells_of_another_board_are_refused():
    puzzle = everything()
    for row, col, text in ((0, 0, "a hole of the board holds"), (0, 1, "a locked cell has")):
        cells = puzzle.start.copy()
        cells[3 * row + col] = 2
        with pytest.raises(GridError, match=text):
            puzzle.require(cells)


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        ({"lock": "1;2"}, "--lock: '1;2' is not ROW,COL"),
        ({"lock": "0,9"}, "--lock: '0,9' is outside the board; rows are 0..7, columns 0..7"),
        ({"lock": "0,1"}, "--lock keeps letters of a board: name it with --start"),
    ],
)
def test_flags_that_cannot_be_are_refused(flags, text):
    values = {"lexicon": "game-titles", "accents": "keep", **flags}
    with pytest.raises(UsageError, match=text):
        list(BogglePuzzle.from_flags(values))
