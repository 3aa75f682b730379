"""The bar of buttons and counters below a board in play."""

from tilelab.gui.widgets.play_bar import PlayAction, PlayBar


def test_no_button_moves_when_the_counters_are_hidden(qapp, qtbot):
    """Noticed: buttons that spread over the whole bar next to the best board."""
    bar = PlayBar()
    qtbot.addWidget(bar)
    bar.resize(600, 40)
    bar.show()
    places = []
    for is_counting in (True, False):
        bar.set_counting(is_counting)
        bar.layout().activate()
        places.append([bar._buttons[action].x() for action in PlayAction if action in bar._buttons])
    assert places[0] == places[1]
