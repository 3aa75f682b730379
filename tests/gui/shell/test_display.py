"""The probe for a display, which must never end this process."""

import os
import sys

import pytest

from tilelab.gui.shell import display
from tilelab.gui.shell.display import NO_DISPLAY, display_error


@pytest.fixture
def bare(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_offscreen_is_a_display(bare):
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert display_error() == ""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their displays have no name")
def test_no_display_is_named(bare):
    assert display_error() == NO_DISPLAY


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their displays have no name")
def test_a_dead_display_is_survived(bare):
    bare.setenv("DISPLAY", ":987")
    bare.setattr(display, "missing_libraries", lambda _: {})
    assert display_error() == NO_DISPLAY
    assert os.environ["DISPLAY"] == ":987"


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their displays have no name")
@pytest.mark.parametrize(("variable", "answers"), [("DISPLAY", False), ("QT_QPA_PLATFORM", True)])
def test_a_frozen_program_asks_a_process_of_its_own_kind(bare, variable, answers, capfd):
    """It has no interpreter that could be handed a script."""
    bare.setenv(variable, "offscreen" if answers else ":987")
    assert display._frozen_probe() is answers
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the libraries are Linux's")
@pytest.mark.parametrize(
    ("variables", "library", "package"),
    [
        ({"DISPLAY": ":987"}, "libxcb-cursor.so.0", "libxcb-cursor0"),
        ({"DISPLAY": ":987"}, "libEGL.so.1", "libegl1"),
        ({"WAYLAND_DISPLAY": "none"}, "libwayland-cursor.so.0", "libwayland-cursor0"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "libGL.so.1", "libgl1"),
    ],
)
def test_a_missing_library_is_named_with_the_line_that_brings_it(bare, variables, library, package):
    for name, value in variables.items():
        bare.setenv(name, value)
    bare.setattr(display, "_probe", lambda: False)
    bare.setattr(display, "missing_libraries", lambda needed: {library: needed[library]})
    bare.setattr(display.shutil, "which", lambda _: "/usr/bin/apt-get")
    said = display_error()
    assert said.startswith(
        f"This system lacks {library}. Install them with:\nsudo apt-get update && "
    )
    assert said.endswith(f" {package}")
    bare.setattr(display.shutil, "which", lambda _: None)
    assert display_error() == f"This system lacks {library}: install them from its packages."
