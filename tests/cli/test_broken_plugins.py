"""A plug-in that does not work costs a sentence on standard error, and nothing else."""

import os
import subprocess
import sys

import pytest

from tests.broken_plugins import BROKEN, SAID, install
from tests.programs import ROOT
from tilelab import catalog
from tilelab.cli.record_search import search_command
from tilelab.cli.run import run_command
from tilelab.core.declarations import COMMON_NAMES, claims


def _run(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tilelab", *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TILELAB_DATA_DIR": str(folder / "data"),
        },
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.exhaustive
def test_of_several_each_is_named_once_and_a_sound_one_is_there(tmp_path):
    for name in BROKEN:
        install(tmp_path, name, BROKEN[name])
    install(
        tmp_path,
        "sound",
        """
import dataclasses
from tilelab.core.registry import HEURISTICS, register_heuristic
register_heuristic(dataclasses.replace(HEURISTICS["manhattan"], key="sound", title="Sound"))
""",
    )
    install(tmp_path, "zapped", "raise KeyboardInterrupt('not by the user')")
    done = _run(tmp_path, "list", "heuristics")
    zapped = "The plug-in 'zapped' of zapped-package 1.5 was not loaded: "
    said = [SAID[name] for name in sorted(BROKEN)]
    assert done.stderr.splitlines() == [*said, f"{zapped}KeyboardInterrupt: not by the user"]
    assert "sound" in done.stdout
    flags = ["--lexicon", "us-states", "--rows", "4", "--cols", "4", "--seed", "1", "--limit", "1"]
    done = _run(tmp_path, "run", "boggle", *flags)
    assert (done.returncode, "seed 1" in done.stdout) == (0, True)


@pytest.mark.exhaustive
def test_one_that_ends_the_program_is_named_at_the_next_start(tmp_path):
    """Noticed: an end without a word, time after time."""
    install(tmp_path, "ends", "import os; os._exit(3)")
    first, second = _run(tmp_path, "list", "puzzles"), _run(tmp_path, "list", "puzzles")
    assert (first.returncode, first.stderr) == (3, "")
    said = (
        "The program stopped while it loaded the plug-in 'ends'; tilelab --no-plugins starts "
        "without plug-ins.\n"
    )
    assert (second.returncode, second.stderr) == (3, said)
    without = _run(tmp_path, "--no-plugins", "list", "puzzles")
    assert (without.returncode, without.stderr) == (0, "")
    (tmp_path / "ends_plugin.py").write_text("", "utf-8")
    assert [_run(tmp_path, "list", "puzzles").stderr for _ in range(2)] == [said, ""]


def test_the_names_of_common_flags_are_all_known():
    """Noticed: a new flag of all solvers that a plug-in may still take."""
    puzzle, solvers = catalog.puzzle("boggle"), catalog.solvers("boggle").values()
    own = {flag.name for flag in puzzle.flags()}
    for model in (puzzle.spec.params, *(solver.spec.params for solver in solvers)):
        own |= {*claims(model)}
    params = [*run_command("boggle").params, *search_command("boggle").params]
    names = {
        name.lstrip("-").replace("-", "_")
        for param in params
        for name in (param.name, *param.opts, *param.secondary_opts)
    }
    assert names - own <= COMMON_NAMES
    assert not own & COMMON_NAMES


def test_what_one_registered_before_it_failed_is_forgotten(tmp_path):
    source = """
import dataclasses
from tilelab.core.registry import HEURISTICS, register_heuristic
register_heuristic(dataclasses.replace(HEURISTICS["manhattan"], key="half", title="Half"))
import a_module_that_nobody_has
"""
    install(tmp_path, "half", source)
    done = _run(tmp_path, "list", "heuristics")
    assert "'half' of half-package 1.5 was not loaded" in done.stderr
    assert "half" not in done.stdout
