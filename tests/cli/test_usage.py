"""What a command line is expected to do: -h, suggestions, status 2, a board without being
reported."""

import json
import re
import shlex
import subprocess
import sys

import click
import pytest

from tilelab.cli.command import commands

NEAR = {
    "command": (["lsit", "lexicons"], "'lsit' is not a command (did you mean list?)"),
    "puzzle": (["run", "slidng"], "'slidng' is not a puzzle to run (did you mean sliding?)"),
    "capitals": (["run", "Boggle"], "(did you mean boggle?)"),
    "flag": (["run", "boggle", "--sovler", "tabu"], "'--solver'"),
    "solver": (["run", "boggle", "--solver", "anealing"], "(did you mean annealing?)"),
    "lexicon": (["run", "boggle", "--lexicon", "planet"], "(did you mean planets?)"),
    "accents": (["run", "boggle", "--accents", "kepe"], "keep, fold (did you mean keep?)"),
    "choice": (["run", "boggle", "--fitness", "lenght"], "(did you mean length?)"),
    "boards": (["run", "sliding", "--instances", "korf10"], "(did you mean korf100?)"),
    "list": (["list", "lexicon"], "(did you mean lexicons?)"),
    "of history": (["history", "exprot"], "(did you mean export?)"),
    "order": (["history", "list", "--sort", "solvr"], "(did you mean solver?)"),
    "of tables": (["tables", "biuld"], "'biuld' is not a command (did you mean build?)"),
    "partition": (["tables", "build", "5-5-6"], "(did you mean 5-5-5?)"),
    "shell": (["completion", "bsh"], "(did you mean bash?)"),
}


@pytest.mark.parametrize("case", NEAR)
def test_what_was_probably_meant_is_said(command, case):
    arguments, said = NEAR[case]
    status, out, err = command(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_nothing_is_suggested_where_nothing_is_near(command):
    assert "did you mean" not in command("fly")[2]
    assert "did you mean" not in command("run", "boggle", "--solver", "x" * 5000)[2]


def test_the_short_flag_helps_like_the_long_one(command):
    names = [[], *([name] for name in commands().list_commands(None))]
    for arguments in (*names, ["run", "boggle"], ["history", "list"], ["tables", "build"]):
        long = command(*arguments, "--help")
        assert command(*arguments, "-h") == long
        assert (long[0], "-h, --help" in long[1]) == (0, True)


def test_without_a_board_a_random_one_is_drawn_that_can_be_had_again(command):
    shape = ["run", "sliding", "--rows", 2, "--cols", 3, "--json"]
    status, out, err = command(*shape)
    assert status == 0
    seed, board = re.fullmatch(r"A random board \(--scramble-seed (\d+)\): (.+)\n", err).groups()
    best = json.loads(out)["best"]
    assert best["optimal"]
    for again in (["--scramble-seed", seed], ["--board", board]):
        status, out, err = command(*shape, *again)
        assert (status, err) == (0, "")
        assert json.loads(out)["best"]["moves"] == best["moves"]


def test_a_random_board_may_be_near(command):
    status, out, _ = command("run", "sliding", "--scramble-slides", 1, "--json")
    assert (status, json.loads(out)["best"]["length"]) == (0, 1)


LIGHT = """
import sys
from tilelab.__main__ import main
sys.argv = ["tilelab", *sys.argv[1:]]
try:
    main()
finally:
    heavy = {"numpy", "pydantic", "tilelab.catalog", "tilelab.puzzles.boggle.maker.command"}
    print(heavy & {*sys.modules}, "tilelab.puzzles.boggle.commands" in sys.modules)
"""


@pytest.mark.parametrize(("word", "own_are_read"), [("--help", True), ("licences", False)])
def test_help_loads_no_puzzles_and_no_numbers(word, own_are_read):
    """They take ten times as long as the help itself, which alone has to know all commands."""
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, word], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.splitlines()[-1] == f"set() {own_are_read}"


def test_help_lists_each_command_in_its_section(command):
    """Noticed: a command that no section lists, or a puzzle's own command in another one."""
    status, out, _ = command("--help")
    _, *sections = re.split(r"^(\w.*):$", out, flags=re.MULTILINE)
    found = {
        title: re.findall(r"^  (\w+)", lines, re.MULTILINE)
        for title, lines in zip(sections[::2], sections[1::2], strict=True)
    }
    del found["Options"]
    assert status == 0
    assert [*found] == ["Solve", "Puzzles on paper", "Results", "Experiments", "Set-up"]
    listed = [name for names in found.values() for name in names]
    assert listed == commands().list_commands(None)
    assert found["Puzzles on paper"] == ["sheet", "fit"]
    assert "tables" in found["Set-up"]


def with_groups(command, context):
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            yield from with_groups(below, click.Context(below, parent=context, info_name=name))


def test_each_help_begins_with_an_example_that_the_command_accepts():
    """Noticed: a flag that no longer exists, a missing argument, a command without an example."""
    top = commands()
    n_parsed = 0
    for command, context in with_groups(top, click.Context(top, info_name="tilelab")):
        usage, example = command.get_help(context).splitlines()[:2]
        line = f"Example: {context.command_path}"
        assert usage.startswith(f"Usage: {context.command_path} ")
        assert example == line or example.startswith(f"{line} ")
        if not isinstance(command, click.Group):
            words = shlex.split(example.removeprefix(line))
            command.make_context(context.info_name, words, parent=context.parent)
            n_parsed += 1
    assert n_parsed > 25
