"""Shells complete the program's words: by a variable of the environment, and a script for each."""

import os
import shutil
import subprocess
import sys

import pytest

from tests import programs

WORDS = {
    "tilelab ": {
        "run",
        "score",
        "prove",
        "sweep",
        "tune",
        "table",
        "export",
        "plot",
        "report",
        "paper",
        "fit",
        "resume",
        "list",
        "history",
        "tables",
        "completion",
    },
    "tilelab run ": {"boggle", "sliding", "wordtiles"},
    "tilelab run boggle --solver an": {"annealing"},
    "tilelab run boggle --lexicon pl": {"planets", "pl"},
    "tilelab run boggle --nothing-else pl": {"planets", "pl"},
    "tilelab score boggle grid.txt --nothing-else pl": {"planets", "pl"},
    "tilelab run boggle --fitness ": {"count", "weight", "length", "points"},
    "tilelab run sliding --instances k": {"korf100", "korf24"},
    "tilelab list s": {"solvers"},
    "tilelab history ": {"list", "show", "export"},
    "tilelab paper naz-table-5": {"naz-table-5"},
    "tilelab completion z": {"zsh"},
    "tilelab nonsense ": set(),
}


@pytest.fixture
def answer(monkeypatch, command, capsys):
    """A function that asks as bash does; returns the words offered."""

    def ask(line):
        words = line.split()
        monkeypatch.setenv("_TILELAB_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - (not line.endswith(" "))))
        with pytest.raises(SystemExit) as ended:
            command()
        assert ended.value.code == 0
        return {line.partition(",")[2] for line in capsys.readouterr().out.splitlines()}

    return ask


@pytest.mark.parametrize("line", WORDS)
def test_words_are_completed(line, answer):
    assert WORDS[line] <= answer(line)
    if WORDS[line]:
        assert len(answer(line)) < 25


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_variable_prints_the_script_instead_of_opening_the_window(shell):
    done = programs.run(env={**os.environ, "_TILELAB_COMPLETE": f"{shell}_source"})
    assert (done.returncode, "_TILELAB_COMPLETE" in done.stdout) == (0, True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_printed_with_how_to_install_it(shell, command):
    status, out, err = command("completion", shell)
    assert (status, err) == (0, "")
    assert f"_TILELAB_COMPLETE={shell}_complete" in out
    assert f"completion {shell}" in out.splitlines()[-1]
    if shell_found := shutil.which(shell):
        done = subprocess.run([shell_found, "-n"], input=out, text=True, timeout=600, check=False)
        assert done.returncode == 0


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_with_the_script(command, tmp_path):
    program = tmp_path / "tilelab"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tilelab "$@"\n', "utf-8")
    program.chmod(0o755)
    ask = (
        f"{command('completion', 'bash')[1]}\n"
        f"COMP_WORDS=({program} list lex) COMP_CWORD=2\n"
        f'_tilelab_completion {program}; echo "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(
        ["bash", "-c", ask], capture_output=True, text=True, timeout=600, check=True
    )
    assert (done.stdout, done.stderr) == ("lexicons\n", "")
