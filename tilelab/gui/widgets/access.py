"""What a screen reader says, and whether the system asks programs not to move things.

Linux desktops say so on the session's bus (the portal of settings), Windows in a call. A program
cannot ask all systems; then ``GTK_ENABLE_ANIMATIONS=0`` says it."""

import ctypes
import os
import sys

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QWidget


def announce(widget: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Let a screen reader, if there is one, speak a text; widget: what it is about.

    is_urgent: it breaks off what is being read; else it waits for the end of that.
    """
    if not text or not QAccessible.isActive():
        return
    event = QAccessibleAnnouncementEvent(widget, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if is_urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


def report_focus(widget: QWidget, child: int) -> None:
    """Let a screen reader read a part of a widget that the keyboard stands on, such as a cell."""
    if QAccessible.isActive():
        event = QAccessibleEvent(widget, QAccessible.Event.Focus)
        event.setChild(child)
        QAccessible.updateAccessibility(event)


_STILL = "tilelab_is_still"
_PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
_INTERFACE = "org.freedesktop.portal.Settings"
_WISHES = (
    ("org.freedesktop.appearance", "reduced-motion", "1"),
    ("org.gnome.desktop.interface", "enable-animations", "False"),
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", "0"),
)
"""Where desktops keep the wish, and what it is when nothing shall move."""
_MILLISECONDS = 2_000
_GET_ANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION of Windows."""


def is_still() -> bool:
    """Whether nothing shall move by itself."""
    app = QApplication.instance()
    return app is not None and bool(app.property(_STILL))


def set_still(is_wanted: bool) -> None:
    """Let nothing move by itself, or all that does."""
    app = QApplication.instance()
    assert app is not None
    app.setProperty(_STILL, is_wanted)


def ask_system(parent: QObject) -> None:
    """Ask the system what it wishes; returns at once, the answer counts when it comes."""
    if os.environ.get("GTK_ENABLE_ANIMATIONS", "").lower() in ("0", "false"):
        set_still(True)
    elif sys.platform == "win32":
        moves = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_GET_ANIMATION, 0, ctypes.byref(moves), 0)
        set_still(not moves.value)
    elif sys.platform == "linux" and os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        _Portal(parent).ask()


class _Portal(QObject):
    """Asks for all three wishes; any of them is enough."""

    def ask(self) -> None:
        """Send the questions."""
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        for group, name, wish in _WISHES:
            message = QDBusMessage.createMethodCall(*_PORTAL, _INTERFACE, "Read")
            message.setArguments([group, name])
            watcher = QDBusPendingCallWatcher(bus.asyncCall(message, _MILLISECONDS), self)
            watcher.setProperty("wish", wish)
            watcher.finished.connect(self._answered)

    @Slot(object)
    def _answered(self, watcher: object) -> None:
        from PySide6.QtDBus import QDBusPendingCallWatcher

        assert isinstance(watcher, QDBusPendingCallWatcher)
        # A refusal, as where there is no portal, has a sentence for its argument, which is no wish.
        arguments = watcher.reply().arguments()
        watcher.deleteLater()
        if arguments and plain(arguments[0]) == watcher.property("wish"):
            set_still(True)


def plain(value: object) -> str:
    """Return what an answer of the portal says, out of the variants around it."""
    while hasattr(value, "variant"):
        value = value.variant()
    return str(value)
