"""Strings that must or must not be in, locks and holes, from the command line."""

import json

import pytest

from tilelab.puzzles.boggle.puzzle import BogglePuzzle

FILES = {
    "words.txt": "cat\ndog\ngoat\ntoad\nact\n",
    "must.txt": "dot\n",
    "ban.txt": "cod\nact\n",
    "others.txt": "tad\ncoat\n",
    "mask.txt": "#...\n....\n....\n...#\n",
    "start.txt": "xcat\ngodo\ntoad\ngogx\n",
}


@pytest.fixture
def flags(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.replace("x", "c"), encoding="utf-8")
    asked = {"lexicon": "words", "require": "must", "forbid": "ban", "nothing-else": "others"}
    given = {name: tmp_path / f"{file}.txt" for name, file in {**asked, "mask": "mask"}.items()}
    return [part for name, file in given.items() for part in (f"--{name}", file)]


def test_a_run_keeps_what_is_asked_and_score_says_the_same(command, tmp_path, flags):
    best, run = tmp_path / "best.txt", tmp_path / "run.tilelab"
    start = ("--start", tmp_path / "start.txt", "--lock", "0,1 1,0")
    limits = ("--solver", "genetic", "--limit", 30, "--seed", 3, "--json")
    status, out, err = command(
        "run", "boggle", *flags, *start, *limits, "--out", best, "--save-run", run
    )
    assert status == 0, err
    outcome = json.loads(out)
    found = outcome["best"]
    assert outcome["params"]["locked"] == "0,1 1,0"
    assert (outcome["params"]["required"], outcome["params"]["holes"]) == (1, 2)
    assert found["required_missing"] == []
    rows = found["rows"]
    assert (rows[0][0], rows[3][3]) == ("#", "#")
    assert (rows[0][1], rows[1][0]) == ("c", "g")
    assert "#" not in (rows[0] + rows[1] + rows[2] + rows[3])[1:-1]
    status, out, err = command("score", "boggle", best, *flags, "--json")
    assert status == 0, err
    scored = json.loads(out)["best"]
    assert scored == {key: found[key] for key in scored}
    status, out, _ = command("resume", run, "--limit", 31, "--json")
    assert json.loads(out)["best"]["rows"][0][0] == "#"


def test_a_grid_that_breaks_what_is_asked_is_scored_and_said(command, tmp_path, flags):
    grid = tmp_path / "grid.txt"
    grid.write_text("#tad\ngggg\ngggg\nggg#\n", encoding="utf-8")
    status, out, _ = command("score", "boggle", grid, *flags)
    assert status == 0
    assert "0 of 5 words · required words missing: dot · forbidden words found: tad" in out


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        (("--lock", "0,1"), 2, "--lock keeps letters of a board: name it with --start"),
        (("--rows", "5"), 2, "--mask: "),
        (("--require", "nowhere.txt"), 1, "nowhere.txt"),
    ],
)
def test_what_cannot_be_costs_a_sentence(command, flags, more, status, said):
    ended, out, err = command("run", "boggle", *flags, *more)
    assert (ended, out, err.count("\n")) == (status, "", 1)
    assert said in err


def test_required_strings_keep_how_they_were_written(tmp_path):
    (tmp_path / "words.txt").write_text("catandrat\nDog\nétude\n", encoding="utf-8")
    (tmp_path / "must.txt").write_text("Cat and Rat\nÉtude\nNew one\n", encoding="utf-8")
    given = {
        name: str(tmp_path / file)
        for name, file in (("lexicon", "words.txt"), ("require", "must.txt"))
    }
    for accents, etude in (("keep", "étude"), ("fold", "etude")):
        values = {"rows": 6, "cols": 6, **given, "accents": accents}
        (puzzle,) = BogglePuzzle.from_flags(values)
        again = BogglePuzzle.from_description(puzzle.describe())
        assert set(puzzle.constraints.required) == {"catandrat", etude, "newone"}
        for lexicon in (puzzle.lexicon, again.lexicon):
            assert {string: lexicon.spelling(string) for string in lexicon.strings} == {
                "catandrat": "Cat and Rat", "dog": "Dog", etude: "Étude", "newone": "New one"
            }  # fmt: skip
