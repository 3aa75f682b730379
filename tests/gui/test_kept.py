"""What users set in a window is kept, in every widget, except where a list here says why not."""

import re

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tests.gui import tiles_by_hand, words_by_hand
from tests.gui.lab.experiments.conftest import PLAN
from tests.gui.lab.experiments.threads import in_threads
from tests.gui.shown_state import difference, state_of
from tests.gui.user_values import turn, values_of
from tests.history_records import made as record
from tilelab.gui.lab.experiments.control import SweepCommand
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.runs.actions import Action
from tilelab.runs.history.store import History
from tilelab.runs.limits import Limits

pytestmark = pytest.mark.usefixtures("without_style_sheet", "any_language")

PUZZLES = ("boggle", "sliding", "wordtiles")


class Windows:
    """The main window and those beside it, each with something to choose from."""

    def __init__(self, driver):
        self.driver = driver

    def all(self):
        """The windows that are open, by their names."""
        window = self.driver.window
        beside = {
            "race": window._races.get(self.driver.page.puzzle_key),
            "history": window.made("history"),
            "records": window.made("records"),
            "experiments": window.made("experiments"),
            "manual": window.made("manual"),
        }
        return {"main": window, **{name: one for name, one in beside.items() if one is not None}}

    def values(self):
        """All values by the names of their windows and their places in them."""
        self.wait()
        return {
            f"{name}/{place}": value
            for name, window in self.all().items()
            for place, value in values_of(window).items()
        }

    def known(self):
        """All that the parts of the windows show and know, but for what is of the window itself."""
        return {
            f"{name}/{place}": known
            for name, window in self.all().items()
            for place, known in state_of(window, *NOT_KNOWN).items()
        }

    def wait(self):
        """Wait for what is read and drawn in the background, or a moment later."""
        self.driver.settled()
        self.driver.until(lambda: not any(map(is_busy, self.all().values())))
        QApplication.processEvents()

    def show(self):
        """Show the other windows, once the history has the whole of the run."""
        self.wait()
        window = self.driver.window
        names = ("records", "history", "experiments", "manual", "race")
        for name in names:
            getattr(window, name).bring()
        self.driver.until(lambda: window.records.table.items.rowCount() > 0)

    def fill(self):
        """Give each window beside the main one something to choose from."""
        with History() as history:
            for seed in range(1, 4):
                begun = f"2026-03-01T09:0{seed}:00.000Z"
                history.put(record(seed=seed, begun=begun, key=str(seed), title=f"a{seed}"))
        window = self.driver.window
        experiments = window.experiments
        experiments.control._choose_workers = in_threads
        experiments.show_plan(PLAN)
        self.show()
        window.history._delete()
        window.manual.open("records", "best")
        self.driver.until(lambda: experiments.plan.found is not None)
        experiments.act(SweepCommand.RUN)
        race = window.race
        race.frame.form.set_limits(Limits(units=3))
        race.act(Action.GO)
        self.driver.until(lambda: not race.is_running and not experiments.control.is_busy)
        self.wait()

    def turn(self, *leave):
        """Change every value but some, by parts of their places; returns what did not change."""
        # show_code_small would turn the value of show_code back.
        always = "puzzle_selector", "experiment_(form|text|as_)", "show_code_small"
        left = re.compile("|".join((*always, *leave)))
        return [
            f"{name}/{place}"
            for name, window in self.all().items()
            for place in turn(window, left.search)
        ]


def is_busy(window):
    """Whether a window reads something, or will show something in less than a second."""
    timers = [one for one in window.findChildren(QTimer) if one.isActive() and one.isSingleShot()]
    return any(job.is_busy for job in window.findChildren(TaskRunner)) or any(
        one.interval() < 1000 for one in timers
    )


def by_hand(driver, puzzle):
    """Show the page of a puzzle with a run on it."""
    driver.window.show_puzzle(puzzle)
    driver.settled()
    if puzzle == "boggle":
        driver.run(seed=3, units=60)
    elif puzzle == "sliding":
        load, desk = driver.page.face.load, driver.page.face.desk
        load.scramble(desk.position.params, 7)
        driver.settled()
        tiles_by_hand.take(driver, [1, 2, 3, 4, 0, 6, 7, 5, 8])
        tiles_by_hand.solve(driver)
        driver.window.show_lessons()
    else:
        words_by_hand.paste(driver)
        words_by_hand.run(driver, units=100)


def different(before, after, reasons):
    """Say in lines which values are not the same, but for those with a reason."""
    places = sorted(before.keys() | after.keys())
    pairs = ((place, before.get(place, "none"), after.get(place, "none")) for place in places)
    return "\n".join(
        f"{place}: {old}, then {new}"
        for place, old, new in pairs
        if old != new and not is_one_of(place, reasons)
    )


def is_one_of(place, patterns):
    return any(re.search(pattern, place) for pattern in patterns)


NOT_KEPT = {
    "experiments/.*experiment_chart$": "it is drawn again, and its zoom is of what was drawn",
    "race/.*RunCard/ViewStack/pseudocode_pane/": "it is closed, and made when it is opened",
}
NARROW = {
    "main/PuzzlePage/QScrollArea/QSplitter(/QSplitter)?$": "its parts have their smallest sizes",
    "race/QScrollArea/QSplitter(/QSplitter)?$": "its room follows the height of the form",
}
"""Values that are not kept, by parts of their places, with the reasons.

The second ones are so in windows as narrow as the screen of the tests.
"""


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_all_is_kept(driver, puzzle):
    """In windows that are closed and shown again, after another puzzle, in another language."""
    windows = Windows(driver)
    by_hand(driver, puzzle)
    if puzzle == "boggle":
        windows.fill()
    n_left = len(windows.turn(*ENDS_RUN[puzzle]))
    if puzzle == "wordtiles":
        driver.window.commands["show_parameters"].trigger()  # folds them
    before = windows.values()
    assert n_left < len(before) / 4
    driver.window.show_puzzle(next(one for one in PUZZLES if one != puzzle))
    driver.window.show_puzzle(puzzle)
    if puzzle == "boggle":
        for window in list(windows.all().values())[1:]:
            window.close()
        windows.show()
    assert not different(before, windows.values(), NARROW)
    known = windows.known()
    driver.make_again()
    with driver.qtbot.waitSignal(driver.window.loaded):
        pass
    assert not different(before, windows.values(), NOT_KEPT | NARROW)
    assert not difference(known, windows.known())


ENDS_RUN = {
    "boggle": (),
    "sliding": ("param_(rows|cols|goal)$", "play_edit"),
    "wordtiles": ("param_(rows|cols|random_letters|letters_seed|counting|fitness)$", "play_edit"),
}
NOT_KNOWN = (
    *("NoticeShelf", "notice_bar"),  # sentences in another language
    *("_since", "status_line1._marks"),  # times
    *("MainWindow._makers", "istory_writer", "HistoryWriter", "RunClient"),  # of each window
    *("view_tabs1._tabs", "view_tabs1.buttons", "view_tab_"),  # hidden tabs, which are used again
    *("Face1.first", "Face1._first"),  # what a window begins with
    *("puzzle_selector1", "Plot1.curves", "._scene", "BestBoards1._sought"),
    *("AppearancePage", "ResultPages1._is_stale", "TunePage1._has"),  # made if seen
    *(f"RunCard{n}/ViewStack1/pseudocode_pane1" for n in (1, 2)),  # it is made when it is opened
    *(f"RunCard{n}/ViewStack1._code" for n in (1, 2)),
    "show_code_small",  # it is shown where it has room
    "_FirstPaint1",  # it is gone once its widget has been painted
)
"""What a window in another language does not know of the one before."""
SHARED_ROOM = (
    "PuzzlePage/QScrollArea/QSplitter",  # columns of the main window, as wide as its narrow parts
    # In a low window of races, as high as the form at the left, whose open parts are not kept.
    *("race/QScrollArea/QSplitter", "race/QScrollArea/QSplitter/QSplitter"),
)
"""Sizes that follow the room that other parts leave."""
KEPT_AT_START = (
    *("/window$", "QSplitter$", "(history_table|manual_contents)/QHeaderView"),  # sizes
    *("Plot/log_axis$", "captions$", "control_panel/.*Section [^/]+/QPushButton$"),  # how to look
    *("show_code(_small)?$", "inside_(code|curves)$"),  # the pseudocode, and the curves below it
    *("solver_selector$", "param_(rows|cols|fitness)$"),  # what is run next
    "main/RunBar/LabelledSpeed/speed$",  # how fast it is run
    "param_(reuse|adjacency|directions|torus|stay|slips|qu_tile)$",  # rules of the puzzle
    *("history_tags$", "experiment_scheduler$"),
)
"""Values that the next start keeps; all others begin with their defaults."""


def test_what_the_next_start_keeps(driver, another_driver):
    windows = Windows(driver)
    by_hand(driver, "boggle")
    windows.show()
    fresh = windows.values()
    # Pages of other widths would give the columns of a narrow window other widths.
    windows.turn("view_tab", "experiment_(papers|charts|tune)$", "race_look")
    before = windows.values()
    driver.window.close()
    windows = Windows(another_driver(driver.window.settings))
    windows.show()
    after = windows.values()
    turned = [place for place in fresh if before.get(place, fresh[place]) != fresh[place]]
    assert len(turned) > 60
    there = [place for place in turned if place in after and not place.endswith(SHARED_ROOM)]
    kept = [place for place in there if after[place] == before[place]]
    assert kept == [place for place in there if is_one_of(place, KEPT_AT_START)]
