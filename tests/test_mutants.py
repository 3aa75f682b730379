"""The chosen mistakes still fit the code, and what is said of them is right."""

import dataclasses

import pytest

from tests.mutants import __main__ as program
from tests.mutants.__main__ import judged
from tests.mutants.chosen import ROOT, Mutant, read_mutants

MUTANTS = read_mutants()
SURVIVOR_TEST = "test_a_survivor_is_named_and_the_tree_stays_as_it_is"
SOME = Mutant(
    name="some",
    file="tests/mutants/chosen.py",
    before="An entry is a table",
    after="An entry is a chair",
    tests=("tests/test_mutants.py",),
    why="nobody finds a seat",
)


def test_every_mistake_can_be_made():
    assert [fault for mutant in MUTANTS for fault in mutant.faults()] == []
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 30


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        ({"before": "nowhere"}, ["some: its text before stands 0 times"]),
        ({"before": "Mutant"}, ["some: its text before stands"]),
        ({"file": "none.py"}, ["some: its text before stands 0 times in none.py"]),
        ({"after": "An entry is a table"}, ["some: it changes nothing"]),
        ({"tests": ("tests/none.py::test_it",)}, ["some: tests/none.py::test_it is not there"]),
        (
            {"tests": ("tests/test_mutants.py::test_it",)},
            ["some: tests/test_mutants.py::test_it is not there"],
        ),
        ({"tests": ()}, ["some: it names no tests"]),
        (
            {"tests": (f"tests/test_mutants.py::{SURVIVOR_TEST}",)},
            [f"some: tests/test_mutants.py::{SURVIVOR_TEST} is run by --all alone"],
        ),
    ],
)
def test_an_entry_that_does_not_fit_is_told(change, said):
    faults = dataclasses.replace(SOME, **change).faults()
    assert len(faults) == len(said)
    assert all(fault.startswith(part) for fault, part in zip(faults, said, strict=True))


def test_a_file_of_mistakes_is_read(tmp_path):
    (tmp_path / "some.toml").write_text(
        "[[mutant]]\n"
        + "".join(f'{name} = "{getattr(SOME, name)}"\n' for name in ("name", "file", "before"))
        + f'after = "{SOME.after}"\ntests = ["{SOME.tests[0]}"]\nwhy = "{SOME.why}"\n'
    )
    assert read_mutants(tmp_path) == [SOME]


@pytest.mark.exhaustive
def test_a_survivor_is_named_and_the_tree_stays_as_it_is(monkeypatch, capsys):
    file, tests = "tilelab/runs/checkpoints/run_folder.py", ("tests/runs/test_saved_best.py",)
    noticed = Mutant("noticed", file, "-len(saved.moves)", "len(saved.moves)", tests, "wrong")
    missed = Mutant("missed", file, "Write it atomically", "Write it", tests, "nobody reads it")
    unread = Mutant("unread", file, "import hashlib", "import hash", tests, "it does not load")
    monkeypatch.setattr(program, "read_mutants", lambda: [noticed, missed, unread])
    before = (ROOT / file).read_bytes()
    assert program.main(["--trust", "--jobs", "2"]) == 1
    assert (ROOT / file).read_bytes() == before
    said = capsys.readouterr().out.splitlines()
    lines = {line.partition(":")[0]: line for line in said}
    assert "caught by test_what_is_worth_more" in lines["noticed"]
    assert lines["missed"].startswith("missed: SURVIVED (")
    assert lines["unread"].startswith("unread: NOT JUDGED")
    assert "1 of 3 mistakes were caught." in said


def test_only_tests_that_fail_catch_a_mistake():
    passed = "..\n2 passed in 0.10s\n"
    failed = "F\nFAILED tests/runs/test_a.py::test_b[x-y] - assert 1 == 2\n1 failed in 0.1s\n"
    assert judged(0, passed, 5) == (False, "SURVIVED")
    assert judged(1, failed, 5) == (True, "caught by test_b[x-y] in tests/runs/test_a.py")
    assert judged(None, "", 5) == (True, "caught: no end in 5 s")
    assert judged(1, f"{'+' * 9} Timeout {'+' * 9}\n", 5)[0]
    assert judged(4, "ERROR: file not found", 5)[0] is False
