"""Keys that point at parts, texts for screen readers, and whether the system wants animations.

Linux desktops provide this on the session bus (the settings portal), Windows by a call. For other
systems, ``GTK_ENABLE_ANIMATIONS=0`` turns animations off.
"""

import ctypes
import os
import sys

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QWidget

STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Rows and columns, or series and points, by which each arrow key moves."""
CHOOSE = (
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Space,
)  # keys that choose


def announce(widget: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Let a screen reader, if there is one, speak a text; widget: what it is about.

    is_urgent: whether it interrupts the current text, or waits for its end.
    """
    if not text or not QAccessible.isActive():
        return
    event = QAccessibleAnnouncementEvent(widget, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if is_urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


def report_focus(widget: QWidget, child: int) -> None:
    """Let a screen reader read the focused part of a widget, such as a cell."""
    if QAccessible.isActive():
        event = QAccessibleEvent(widget, QAccessible.Event.Focus)
        event.setChild(child)
        QAccessible.updateAccessibility(event)


_STILL = "tilelab_is_still"
_PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
_INTERFACE = "org.freedesktop.portal.Settings"
_STILL_SETTINGS = (
    ("org.freedesktop.appearance", "reduced-motion", "1"),
    ("org.gnome.desktop.interface", "enable-animations", "False"),
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", "0"),
)
"""Settings of desktops about animations, and their values that turn them off."""
_MILLISECONDS = 2_000
_GET_ANIMATION = 0x1042  # windows' constant SPI_GETCLIENTAREAANIMATION


def is_still() -> bool:
    """Return whether animations are off."""
    app = QApplication.instance()
    return app is not None and bool(app.property(_STILL))


def set_still(is_wanted: bool) -> None:
    """Turn animations off or on."""
    app = QApplication.instance()
    assert app is not None
    app.setProperty(_STILL, is_wanted)


def ask_system(parent: QObject) -> None:
    """Ask the system about animations; returns at once, and applies the answer later."""
    if os.environ.get("GTK_ENABLE_ANIMATIONS", "").lower() in ("0", "false"):
        set_still(True)
    elif sys.platform == "win32":
        moves = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_GET_ANIMATION, 0, ctypes.byref(moves), 0)
        set_still(not moves.value)
    elif sys.platform == "linux" and os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        _Portal(parent).ask()


class _Portal(QObject):
    """Asks the portal for all three settings; any of them is enough."""

    def ask(self) -> None:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        for group, name, value in _STILL_SETTINGS:
            message = QDBusMessage.createMethodCall(*_PORTAL, _INTERFACE, "Read")
            message.setArguments([group, name])
            watcher = QDBusPendingCallWatcher(bus.asyncCall(message, _MILLISECONDS), self)
            watcher.setProperty("still", value)
            watcher.finished.connect(self._answered)

    @Slot(object)
    def _answered(self, watcher: object) -> None:
        from PySide6.QtDBus import QDBusPendingCallWatcher

        assert isinstance(watcher, QDBusPendingCallWatcher)
        # An error, such as without a portal, has a sentence as its argument.
        arguments = watcher.reply().arguments()
        watcher.deleteLater()
        if arguments and plain(arguments[0]) == watcher.property("still"):
            set_still(True)


def plain(value: object) -> str:
    """Return the value of a portal's answer without its nested variants."""
    while hasattr(value, "variant"):
        value = value.variant()
    return str(value)
