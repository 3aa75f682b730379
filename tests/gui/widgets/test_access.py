"""Nothing moves by itself when the system says so."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QAbstractAnimation

from tests.gui.test_atspi import PYTHON, begun
from tests.programs import environment
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.run.messages import Pending
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.access import ask_system, is_still, set_still

# A portal of settings that knows one wish, on the bus that its environment names.
PORTAL = """
import sys
from gi.repository import Gio, GLib
NAME = "org.freedesktop.portal.Desktop"
DESCRIPTION = '''<node><interface name="org.freedesktop.portal.Settings"><method name="Read">
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
</method></interface></node>'''
wish = GLib.Variant.parse(None, sys.argv[2], None, None)
def answer(bus, sender, path, interface, method, arguments, invocation):
    if arguments.unpack()[1] == sys.argv[1]:
        invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", wish),)))
    else:
        invocation.return_dbus_error("org.freedesktop.portal.Error.NotFound", "no such setting")
node = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION)
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
bus.register_object("/org/freedesktop/portal/desktop", node.interfaces[0], answer, None, None)
Gio.bus_own_name_on_connection(bus, NAME, 0, lambda *_: print("ready", flush=True), None)
GLib.MainLoop().run()
"""
ASKING = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tilelab.gui.widgets import access
app = QApplication([])
access.ask_system(app)
QTimer.singleShot(1_000, app.quit)
app.exec()
print(access.is_still())
"""


@pytest.fixture(autouse=True)
def _moving_again(qapp):
    make_application([], "light")
    yield
    set_still(False)


def moves(view):
    view.show_scene(TileScene(np.array([1, 2, 3, 0], np.uint8), np.arange(4), 2))
    view.show_scene(TileScene(np.array([1, 2, 0, 3], np.uint8), np.arange(4), 2), 120)
    return view._animation.state() == QAbstractAnimation.State.Running


@pytest.mark.parametrize("still", [False, True])
def test_tiles_slide_only_where_things_may_move(qtbot, still):
    set_still(still)
    view = TileView()
    qtbot.addWidget(view)
    assert moves(view) is not still


@pytest.mark.exhaustive
@pytest.mark.parametrize("still", [False, True])
def test_a_bar_without_an_end_moves_only_where_things_may_move(driver, still):
    set_still(still)
    driver.page.control.await_answer(Pending.KERNELS, frozenset())
    bar = driver.page.status._bar
    assert (bar.maximum() == 0) is not still


@pytest.mark.parametrize(
    ("text", "still"), [("0", True), ("false", True), ("1", False), ("", False)]
)
def test_the_variable_of_gtk_is_heard(qapp, monkeypatch, text, still):
    monkeypatch.setenv("GTK_ENABLE_ANIMATIONS", text)
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    ask_system(qapp)
    assert is_still() is still


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "wish", "still"),
    [
        ("enable-animations", "false", "True"),
        ("enable-animations", "true", "False"),
        *(
            pytest.param(*case, marks=pytest.mark.exhaustive)
            for case in (
                ("reduced-motion", "uint32 1", "True"),
                ("AnimationDurationFactor", "'0'", "True"),
                ("nothing", "true", "False"),
            )
        ),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a bus")
def test_the_desktop_is_asked(name, wish, still):
    bindings = [PYTHON, "-c", "from gi.repository import Gio"]
    if shutil.which("dbus-daemon") is None or shutil.which(PYTHON) is None:
        pytest.skip("dbus-daemon or the system's Python is missing")
    if subprocess.run(bindings, check=False, capture_output=True).returncode:
        pytest.skip("the bindings are missing (package python3-gi)")
    variables = environment(QT_QPA_PLATFORM="offscreen")
    variables.pop("GTK_ENABLE_ANIMATIONS", None)
    bus = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
    with begun(bus, variables, stdout=subprocess.PIPE, text=True) as daemon:
        variables["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().strip()
        portal = [PYTHON, "-c", PORTAL, name, wish]
        with begun(portal, variables, stdout=subprocess.PIPE, text=True) as service:
            assert service.stdout.readline().strip() == "ready"
            done = subprocess.run(
                [sys.executable, "-c", ASKING],
                env=variables, capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
    assert done.stdout.strip() == still, done.stderr
