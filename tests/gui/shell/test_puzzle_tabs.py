"""The tabs of the puzzles show how their runs stand, also while another puzzle is shown."""

import pytest

from tests.gui.runs_by_hand import going
from tilelab import catalog
from tilelab.gui.run.messages import RunStatus
from tilelab.gui.shell.puzzle_tab import _WORDS, PuzzleTab, TabMark
from tilelab.gui.widgets.theme import apply_theme
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def tab(driver, key):
    return driver.window.findChild(PuzzleTab, f"puzzle_{key}")


def mark(driver, key):
    """What a tab shows of its puzzle's run, as a screen reader says it."""
    words = tab(driver, key).accessibleName().partition(", ")[2]
    return next((mark for mark, said in _WORDS.items() if said == words), TabMark.NONE)


@pytest.mark.exhaustive
def test_a_run_is_marked_on_its_tab_whichever_puzzle_is_shown(driver):
    letters = driver.page
    assert mark(driver, "boggle") is TabMark.NONE
    going(driver)
    assert mark(driver, "boggle") is TabMark.GOING
    driver.show("sliding")
    assert mark(driver, "boggle") is TabMark.GOING
    assert mark(driver, "sliding") is TabMark.NONE
    first_line, purpose = tab(driver, "boggle").toolTip().splitlines()
    assert first_line == "Letter boards (Schafer 1999): running"
    assert purpose == catalog.puzzle("boggle").spec.purpose
    assert tab(driver, "boggle").accessibleName() == "Letter boards, running"
    letters.control.act(Action.STOP)
    driver.until(lambda: letters.run.status.state is State.PAUSED)
    assert mark(driver, "boggle") is TabMark.STOPPED
    assert "paused" in tab(driver, "boggle").toolTip()
    driver.window.show_puzzle("boggle")
    assert mark(driver, "boggle") is TabMark.NONE
    assert tab(driver, "boggle").toolTip().startswith("Letter boards (Schafer 1999)\n")


def test_a_run_that_ends_out_of_sight_is_marked_until_it_is_looked_at(driver):
    letters = driver.page
    going(driver)
    driver.show("wordtiles")
    letters.panel.controls["units"].set_value(letters.run.status.units + 1)
    driver.until(lambda: letters.run.status.state is State.FINISHED)
    assert mark(driver, "boggle") is TabMark.ENDED
    driver.window.show_puzzle("boggle")
    assert mark(driver, "boggle") is TabMark.NONE
    driver.window.show_puzzle("wordtiles")
    assert mark(driver, "boggle") is TabMark.NONE
    # One that ends before the user's eyes is no news either.
    driver.window.show_puzzle("boggle")
    driver.set(units=3)
    driver.click(Action.START_AGAIN)
    driver.state(State.FINISHED)
    driver.window.show_puzzle("wordtiles")
    assert mark(driver, "boggle") is TabMark.NONE


@pytest.mark.exhaustive
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_mark_is_seen_and_takes_no_room(driver, qapp, theme):
    apply_theme(qapp, theme)
    shown = tab(driver, "sliding")
    size, pictures = shown.size(), []
    running = RunStatus(state=State.RUNNING)
    for steps in (
        [RunStatus()],
        [running],
        [RunStatus(state=State.PAUSED)],
        [running, RunStatus(state=State.FINISHED)],
        [running, RunStatus(state=State.FAILED)],
    ):
        for status in steps:
            shown.show_status(status)
        pictures.append(shown.grab().toImage())
    assert all(
        one != other for place, one in enumerate(pictures) for other in pictures[place + 1 :]
    )
    assert shown.size() == size
