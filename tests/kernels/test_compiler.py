"""The cache of machine code: used when it is sound, and never a reason to fail."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
from tilelab.kernels.breeding import letter_of
letter = letter_of(np.uint32(5), np.array([3, 2**32], np.uint64))
print(letter, len(letter_of.stats.cache_hits))
"""


def _run(cache):
    environment = {**os.environ, "TILELAB_CACHE_DIR": str(cache)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    letter, hits = done.stdout.split()
    assert letter == "1"
    return int(hits)


def test_a_second_process_loads_what_the_first_compiled(tmp_path):
    assert _run(tmp_path) == 0
    assert _run(tmp_path) == 1
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("kernels-")


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("content", [b"", b"garbage", None], ids=["empty", "garbage", "cut"])
def test_a_damaged_cache_is_compiled_anew_and_mended(tmp_path, ending, content):
    _run(tmp_path)
    for file in tmp_path.rglob(f"*{ending}"):
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2] if content is None else content)
    assert _run(tmp_path) == 0
    assert _run(tmp_path) == 1


def test_without_a_writable_folder_kernels_still_run(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("in the way")
    assert _run(blocker) == 0
    assert _run(blocker) == 0
