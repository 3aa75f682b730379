"""Files that are dragged onto the window and dropped there."""

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent


def drop(driver, *files):
    """Drop files; returns whether the window takes them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return drop_data(driver, data)


def drop_data(driver, data):
    """Drag something in and drop it; returns whether the window takes it."""
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(20, 20), copy, data, Qt.MouseButton.LeftButton, none)
    driver.window.dragEnterEvent(event)
    dropped = QDropEvent(QPoint(20, 20), copy, data, Qt.MouseButton.LeftButton, none)
    driver.window.dropEvent(dropped)
    driver.settled()
    assert event.isAccepted() == dropped.isAccepted()
    return dropped.isAccepted()
