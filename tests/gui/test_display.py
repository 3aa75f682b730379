"""The probe for a display, which must never end this process."""

import os
import sys

import pytest

from tilelab.gui.display import display_available


@pytest.fixture
def bare(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_offscreen_is_a_display(bare):
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert display_available()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their displays have no name")
def test_no_display_is_named(bare):
    assert not display_available()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their displays have no name")
def test_a_dead_display_is_survived(bare):
    bare.setenv("DISPLAY", ":987")
    assert not display_available()
    assert os.environ["DISPLAY"] == ":987"
