"""A real window under Xvfb, seen through AT-SPI as a screen reader sees it.

The system's Python looks at it (tests/gui/atspi_walk.py): the bindings come with it alone.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.programs import environment

WALK = Path(__file__).with_name("atspi_walk.py")
MAX_SECONDS = 240
_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
_BINDINGS = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
PYTHON = "/usr/bin/python3"


def launcher():
    """Where the program is that starts the bus of screen readers; '' for nowhere."""
    return next((path for path in _LAUNCHERS if Path(path).is_file()), "")


def lacking():
    """What this test needs and the machine has not; '' for nothing."""
    if sys.platform != "linux":
        return "AT-SPI is Linux's"
    for name in ("Xvfb", "dbus-daemon"):
        if shutil.which(name) is None:
            return f"{name} is missing (packages xvfb, dbus)"
    if not launcher():
        return "at-spi-bus-launcher is missing (package at-spi2-core)"
    if (
        not Path(PYTHON).is_file()
        or subprocess.run([PYTHON, "-c", _BINDINGS], check=False, capture_output=True).returncode
    ):
        return "the bindings are missing (packages python3-gi, gir1.2-atspi-2.0)"
    return ""


@contextlib.contextmanager
def begun(command, variables, **options):
    """A program in a group of its own, which ends with the block."""
    process = subprocess.Popen(
        command, env=variables, start_new_session=True, stderr=subprocess.DEVNULL, **options
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture
def desktop():
    """Variables of a screen, a bus and a bus for screen readers that nothing else uses."""
    if reason := lacking():
        pytest.skip(reason)
    # Not in the test's folder: the path of a socket has to be short.
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tl-"))
        variables = environment(
            XDG_RUNTIME_DIR=folder,
            QT_QPA_PLATFORM="xcb",
            QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
            TILELAB_LANGUAGE="en",
        )
        for name in ("WAYLAND_DISPLAY", "AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE"):
            variables.pop(name, None)
        piped = {"stdout": subprocess.PIPE, "text": True}
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x860x24", "-ac"]
        server = stack.enter_context(begun([*screen, "-nolisten", "tcp"], variables, **piped))
        variables["DISPLAY"] = f":{server.stdout.readline().strip()}"
        bus = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
        daemon = stack.enter_context(begun(bus, variables, **piped))
        variables["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().strip()
        stack.enter_context(
            begun([launcher(), "--launch-immediately"], variables, stdout=subprocess.DEVNULL)
        )
        yield variables


@pytest.mark.exhaustive
@pytest.mark.long
def test_a_screen_reader_can_read_the_window_and_make_a_run(desktop):
    with begun([sys.executable, "-m", "tilelab"], desktop, stdout=subprocess.DEVNULL):
        done = subprocess.run(
            [PYTHON, str(WALK)],
            env=desktop,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["title"] == "Game titles — TileLab"
    assert found["n_nodes"] > 100
    assert {"Load", "Go", "Step", "Save"} <= set(found["buttons"])
    assert {"Solver", "Speed"} <= set(found["selectors"])
    assert found["selectors"]["Speed"] == "full speed"
    assert found["nameless"] == []
    assert len(found["cells"]) >= 16
    for cell in found["cells"]:
        assert re.fullmatch(r"row \d+, column \d+: .+", cell), cell
    assert found["status"].startswith("Paused")
    titles = {"Pseudocode": "Genetic algorithm", "What comes next": "Parents of the next gen"}
    for name, (described, items) in found["lists"].items():
        assert described.startswith(titles[name])
        assert all(item.startswith(f"{place}: ") for place, item in enumerate(items, 1))
    assert "The run is in progress" in found["spoken"]
