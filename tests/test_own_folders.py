"""No test, and no program that a test starts, sees the folders of whoever runs the tests."""

import subprocess
import sys
from pathlib import Path

import platformdirs

from tests.own_folders import left_at_home
from tilelab.kernels import compiler
from tilelab.puzzles.sliding.heuristics.pattern_database import pattern_file
from tilelab.runs.checkpoints.run_folder import runs_folder
from tilelab.runs.history.schema import default_file

PROGRAM = """
import platformdirs
from tilelab.gui.widgets import settings
from tilelab.puzzles.sliding.heuristics.pattern_database import pattern_file
from tilelab.kernels.compiler import CACHE_FOLDER
from tilelab.runs.checkpoints.run_folder import runs_folder
print(CACHE_FOLDER)
for path in (
    pattern_file("7-8"), runs_folder(), settings.default_file(),
    platformdirs.user_cache_path(), platformdirs.user_data_path(), platformdirs.user_config_path(),
):
    print(path)
"""


def test_a_program_started_by_a_test_keeps_to_its_folders_and_shares_the_kernels(own_folder):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=600
    )
    kernels, *others = done.stdout.splitlines()
    assert kernels == str(compiler.CACHE_FOLDER)
    assert [path for path in others if not Path(path).is_relative_to(own_folder)] == []


def test_the_tests_themselves_keep_to_their_folders(own_folder):
    for path in (pattern_file("7-8"), runs_folder(), default_file(), Path.home()):
        assert Path(path).is_relative_to(own_folder)
    assert not compiler.CACHE_FOLDER.is_relative_to(own_folder)


def test_whatever_would_be_the_users_is_seen(tmp_path):
    assert left_at_home(tmp_path) == []
    cache = tmp_path / "home" / platformdirs.user_cache_path("tilelab").relative_to(Path.home())
    cache.mkdir(parents=True)
    (cache / "patterns").write_text("")
    assert left_at_home(tmp_path) == [str(Path(".cache", "tilelab"))]
