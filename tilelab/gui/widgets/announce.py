"""What a screen reader is told at once: sentences, and which part of a widget is read next."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget


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
