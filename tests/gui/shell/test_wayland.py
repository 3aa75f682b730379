"""The window under Wayland (a headless Weston), and on a screen of twice the density."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.gui.test_atspi import begun
from tests.patience import MAX_SECONDS
from tests.programs import ROOT, environment
from tilelab.runs.files.store import read_run

PROGRAM = Path(__file__).parents[1] / "window_program.py"
SCREENSHOT = [sys.executable, ROOT / "packaging" / "screenshot.py", "--seconds", "0.1"]


@pytest.fixture
def compositor():
    """Variables of a Wayland display that nobody looks at."""
    if shutil.which("weston") is None:
        pytest.skip("weston is missing (package weston)")
    # Not in the test's folder: the path of a socket has to be short.
    with tempfile.TemporaryDirectory(prefix="tl-") as folder:
        variables = environment(XDG_RUNTIME_DIR=folder, QT_QPA_PLATFORM="wayland")
        variables.pop("DISPLAY", None)
        variables["WAYLAND_DISPLAY"] = "tilelab-0"
        command = ["weston", "--no-config", "--socket=tilelab-0", "--idle-time=0"]
        command += ["--width=1280", "--height=800"]
        # Its name was another one up to Weston 11.
        for backend in ("headless-backend.so", "headless"):
            server = begun([*command, f"--backend={backend}"], variables, stdout=subprocess.DEVNULL)
            with server as process:
                if _has_begun(process, Path(folder) / "tilelab-0"):
                    yield variables
                    return
        pytest.skip("weston has no headless backend here")


def _has_begun(process, socket):
    end = time.monotonic() + MAX_SECONDS
    while process.poll() is None and time.monotonic() < end:
        if socket.exists():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.exhaustive
@pytest.mark.long
def test_a_run_is_made_and_saved_under_wayland(compositor, tmp_path):
    order = {"puzzle": "boggle", "solver": "genetic", "limit": 40, "save": str(tmp_path / "a.run")}
    done = subprocess.run(
        [sys.executable, str(PROGRAM), json.dumps(order)],
        env=compositor,
        capture_output=True,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Could not" not in done.stderr
    assert read_run(tmp_path / "a.run").units == 40


@pytest.mark.long
@pytest.mark.exhaustive
def test_a_window_of_twice_the_density_looks_the_same_and_is_sharper(tmp_path):
    pictures = []
    for factor in (1, 2):
        file = tmp_path / f"{factor}.png"
        variables = environment(QT_QPA_PLATFORM="offscreen", QT_SCALE_FACTOR=str(factor))
        variables.pop("DISPLAY", None)
        subprocess.run([*SCREENSHOT, "--out", file], env=variables, check=True, timeout=240)
        pictures.append(Image.open(file).convert("L"))
    usual, dense = pictures
    assert usual.size == (1280, 800)
    assert dense.size == (2560, 1600)
    apart = ImageStat.Stat(ImageChops.difference(usual, dense.resize(usual.size))).mean[0]
    blurred = usual.resize(dense.size)
    sharper = ImageStat.Stat(ImageChops.difference(blurred, dense)).mean[0]
    assert apart < 6
    assert sharper > apart / 2
