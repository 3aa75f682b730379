"""Texts that adapt to the room that they have."""

from PySide6.QtWidgets import QWidget

from tilelab.gui.widgets.elided import WrappedButton


def test_a_wrapped_title_has_its_room_when_texts_grow_but_not_the_window(qapp, qtbot):
    """Noticed: lines that were cut at the same width, in larger texts."""
    window = QWidget()
    qtbot.addWidget(window)
    button = WrappedButton("Search the same board with depth first", window)
    button.resize(button.sizeHint().width(), 30)
    window.show()
    assert "\n" not in button.text()
    font = button.font()
    font.setPixelSize(2 * button.fontInfo().pixelSize())
    button.setFont(font)
    assert button.sizeHint().width() <= button.width()
