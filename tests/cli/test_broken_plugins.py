"""A plug-in that does not work costs a sentence on standard error, and nothing else."""

import os
import subprocess
import sys

import pytest

from tests.broken_plugins import BROKEN, SAID, install
from tests.programs import ROOT


def _run(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tilelab", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("name", BROKEN)
def test_each_is_named_with_its_reason(name, tmp_path):
    install(tmp_path, name, BROKEN[name])
    done = _run(tmp_path, "list", "puzzles")
    assert done.returncode == 0
    assert done.stderr == SAID[name] + "\n"
    assert "boggle" in done.stdout


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
    done = _run(tmp_path, "list", "heuristics")
    assert done.stderr.splitlines() == [SAID[name] for name in sorted(BROKEN)]
    assert "sound" in done.stdout


def test_what_one_registered_before_it_failed_is_forgotten(tmp_path):
    source = """
import dataclasses
from tilelab.core.registry import HEURISTICS, register_heuristic
register_heuristic(dataclasses.replace(HEURISTICS["manhattan"], key="half", title="Half"))
import a_module_that_nobody_has
"""
    install(tmp_path, "half", source)
    done = _run(tmp_path, "list", "heuristics")
    assert "'half' of half-package 1.5 is left out" in done.stderr
    assert "half" not in done.stdout
