"""The bars below a board: buttons and counters of play, and a place in a solution."""

from tilelab.gui.widgets.play_bar import PlayAction, PlayBar, SolutionBar


def test_no_button_moves_when_the_counters_are_hidden(qtbot):
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


def test_moves_are_counted_from_the_first_one(qtbot):
    """Noticed: '0 moves' of the board in play next to a run that says 'Solved'."""
    bar = PlayBar()
    qtbot.addWidget(bar)
    bar.resize(900, 40)
    bar.show()
    shown = []
    for counters in ((0, 0.0), (1, 0.0), (0, 2.0)):
        bar.show_counters(*counters)
        shown.append(bar._counters.text())
    assert shown == ["", "1 move · 00:00:00", "0 moves · 00:00:02"]


def test_a_narrow_bar_leaves_the_slider_its_room(qtbot):
    """Noticed: a slider of 20 pixels for 39 slides, which looks like a switch."""
    bar = SolutionBar()
    qtbot.addWidget(bar)
    bar.set_length(39)
    bar.show()
    shown, usual = [], bar.sizeHint().width()
    narrow = usual - bar._slider.sizeHint().width() + 20
    for width in (narrow, usual, narrow):
        bar.resize(width, 40)
        bar.layout().activate()
        assert bar._slider.width() > 60
        shown.append([name for name, button in bar._buttons.items() if button.isVisible()])
    inner = ["back", "play", "forward"]
    assert shown == [inner, ["first", *inner, "last"], inner]


def test_a_slider_that_is_dragged_stops_playing(qtbot):
    bar = SolutionBar()
    qtbot.addWidget(bar)
    bar.set_length(10)
    bar.turn()
    assert bar.is_playing
    bar._slider.setSliderDown(True)
    bar._slider.setValue(4)
    assert not bar.is_playing
    assert bar.place == 4
