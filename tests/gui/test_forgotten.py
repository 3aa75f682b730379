"""Nothing of one subject is left when another one has taken its place."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from tests.gui.conftest import Driver
from tests.gui.lab.experiments.conftest import PLAN, Experiment
from tests.gui.runs_by_hand import begin_bare, find_bare, look_at_bare
from tests.gui.scrub_by_hand import look_at, run_on
from tests.gui.shown_state import difference, nonsense, state_of
from tests.gui.tiles_by_hand import take
from tests.gui.words_by_hand import paste
from tests.history_records import made as record
from tilelab import catalog
from tilelab.core.solver import Best
from tilelab.gui.lab.history.window import HistoryWindow
from tilelab.gui.lab.records.window import RecordsWindow
from tilelab.gui.learn.lessons.panel import LessonPanel, QuestionCard
from tilelab.gui.learn.manual.window import ManualWindow
from tilelab.gui.puzzles.boggle.fit_dialog import FitDialog
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.sliding.heuristics_dialog import HeuristicsDialog
from tilelab.gui.run.choices import PUZZLE
from tilelab.gui.run.messages import RunStatus
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.status_bar import StatusLine
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.play_bar import SolutionBar
from tilelab.gui.widgets.settings import Settings
from tilelab.lessons.lesson import Question
from tilelab.lessons.lesson_files import read_lessons
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import Goal, SlidingParams
from tilelab.puzzles.sliding.play import Position
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.history.store import History
from tilelab.runs.limits import Limits
from tilelab.sheets.sheet_files import sheets_of, source_of

pytestmark = pytest.mark.usefixtures("without_style_sheet")


class Near:
    """What a case needs in addition to its window."""

    def __init__(self, qtbot, folder):
        make_application([], "light")
        self.qtbot, self.folder = qtbot, folder
        self.settings = Settings(folder / "window.ini")
        self.settings.folder = folder
        self.endings = []

    def end(self):
        while self.endings:
            self.endings.pop()()

    def state(self, window, leave):
        jobs = window.findChildren(TaskRunner)
        self.until(lambda: not any(job.is_busy for job in jobs))
        return state_of(window, "._since", *leave)  # a time at which a notice was shown

    def shown(self, widget):
        self.qtbot.addWidget(widget)
        widget.show()
        return widget

    def until(self, condition):
        self.qtbot.waitUntil(condition)

    def press(self, window, *names):
        for name in names:
            button = window.findChild(QPushButton, name) or window.findChild(QWidget, name)
            assert button.isEnabled(), name
            button.click()


@pytest.fixture
def near(qtbot, tmp_path, monkeypatch):
    """A function that makes what the next window needs, with settings and data of its own."""
    made = []

    def make():
        folder = tmp_path / f"near-{len(made)}"
        folder.mkdir()
        monkeypatch.setenv("TILELAB_DATA_DIR", str(folder / "data"))
        made.append(Near(qtbot, folder))
        return made[-1]

    yield make
    for one in made:
        one.end()


def letters(*words, rows=3, cols=3, **params):
    lexicon = parse_lexicon("\n".join(words).encode(), words[0])
    return BogglePuzzle.create(lexicon, BoggleParams(rows=rows, cols=cols, **params))


class StatusCase:
    """The line at the bottom: another run begins."""

    def make(self, near):
        return near.shown(StatusLine(RunModel()))

    def before(self, near, line):
        begin_bare(line._run, catalog.solver("sliding", "a-star").spec)
        status = RunStatus(
            State.RUNNING, ALLOWED[State.RUNNING], limits=Limits(units=900, seconds=90.0)
        )
        for units in (100, 300, 800):
            said = replace(status, units=units, seconds=units / 100, steps=3, has_run=True)
            line._run.status = said
            line.refresh()

    def after(self, near, line):
        begin_bare(line._run, catalog.solver("boggle", "genetic").spec)
        for units in (10, 30):
            status = RunStatus(State.RUNNING, ALLOWED[State.RUNNING], has_run=True)
            line._run.status = replace(status, units=units, seconds=units / 5)
            line.refresh()


class GameCase:
    """A game on another grid."""

    def make(self, near):
        return near.shown(GameWindow(near.settings))

    def play(self, window, puzzle, rows):
        window.play(puzzle, puzzle.parse(rows, foreign=True))

    def before(self, near, window):
        self.play(window, letters("cat", "cart", "toe"), ("cat", "ors", "tep"))
        for letter in "cat\rtoe\rzip\rca":
            window.board.typed.emit(letter)
        near.press(window, "game_hint", "game_hint", "game_give_up")
        window._list.word_chosen.emit("cart")

    def after(self, near, window):
        self.play(window, letters("dog", "god", rows=2, cols=2), ("do", "gx"))


class FitCase:
    """The smallest board for other words."""

    def make(self, near):
        return near.shown(FitDialog())

    def before(self, near, dialog):
        dialog.ask(letters("cell", "enzyme"), 1)
        near.press(dialog, "fit_start")
        near.until(lambda: not dialog._job.is_busy)
        assert dialog._use.isEnabled()

    def after(self, near, dialog):
        dialog.ask(letters("dog", "god"), 5)

    leave = ("FitDialog._recorded",)


class HeuristicsCase:
    """All heuristics of another board."""

    def make(self, near):
        warm = near.shown(HeuristicsDialog())
        self.look(near, warm, [3, 0, 2, 1], 2)  # a cold search does not end in its time
        warm.close()
        return near.shown(HeuristicsDialog())

    def look(self, near, dialog, tiles, side):
        params = SlidingParams(rows=side, cols=side)
        dialog.show_position(Position.of(params, np.array(tiles), None, "by hand"))
        near.until(lambda: not dialog._job.is_busy)

    def before(self, near, dialog):
        self.look(near, dialog, [1, 2, 3, 4, 0, 6, 7, 5, 8], 3)

    def after(self, near, dialog):
        # Its distance is not known, because it cannot be solved.
        self.look(near, dialog, [2, 1, 3, 0], 2)
        yield
        self.look(near, dialog, [1, 2, 0, 3], 2)


class PlaybackCase:
    """Another solution to play."""

    def make(self, near):
        return near.shown(SolutionBar())

    def before(self, near, bar):
        bar.set_length(60, 20)
        bar.act("turn")
        bar.act("last")
        bar.act("turn")

    def after(self, near, bar):
        bar.set_length(4)


class LessonCase:
    """Another lesson."""

    def make(self, near):
        panel = near.shown(LessonPanel(read_lessons(), near.settings))
        panel.resize(300, 600)  # not as wide as the first lesson needs, since titles are wrapped
        return panel

    def before(self, near, panel):
        runs = [one for one in panel.page.findChildren(QPushButton) if "run" in one.objectName()]
        asked = []
        panel.run_requested.connect(asked.append)
        runs[0].click()
        panel.set_up(asked[0])
        panel.show_state(State.READY)
        panel.add(near.folder / "nothing.md")

    def after(self, near, panel):
        panel.show_lesson(panel._lessons[2].key)


class QuestionCase:
    """Another choice of a question."""

    def make(self, near):
        asked = Question(text="Which?", answer="The second.", choices=("One", "Two"), right=2)
        host = near.shown(QWidget())
        QuestionCard(asked, host).show()
        return host

    def choose(self, host, number):
        host.findChild(QuestionCard).choices.button(number).click()

    def before(self, near, host):
        self.choose(host, 1)
        near.press(host, "show_answer")

    def after(self, near, host):
        self.choose(host, 2)


class ManualCase:
    """Another page, after a search and ways back."""

    def make(self, near):
        self.host = near.shown(QWidget())
        manual = ManualWindow(self.host, near.settings)
        manual.bring("")
        return manual

    def before(self, near, manual):
        manual.open("records", "best")
        manual.open("sheets", "title")
        manual.go_back()
        manual.go_back()

    def after(self, near, manual):
        manual.open("forks")


class RecordsCase:
    """A list that is searched no more; a category without a run."""

    def make(self, near):
        window = near.shown(RecordsWindow(None, near.settings))
        window.bring()
        near.until(lambda: window.table.items.rowCount() > 0)
        return window

    def before(self, near, window):
        window.search.setText("usa")
        window._show_some()
        window.table.selectRow(1)

    def after(self, near, window):
        window.search.setText("nowhere at all")
        window._show_some()

    leave = ("BoardPicture1.scene",)


class HistoryCase:
    """Other filters, other chosen runs."""

    def make(self, near):
        with History() as history:
            for seed in range(1, 5):
                begun = f"2026-03-01T09:0{seed}:00.000Z"
                solver = "genetic" if seed % 2 else "annealing"
                tags = "old" if seed == 2 else ""
                history.put(record(seed=seed, begun=begun, solver=solver, tags=tags, key=str(seed)))
        window = near.shown(HistoryWindow(None, near.settings))
        window.bring()
        return window

    def before(self, near, window):
        window.bar.search.setText("old")
        window._search()
        window._choose(list(window.table.ids[:1]))
        window.details.note.setPlainText("")
        window.bar.search.clear()
        window.bar.solver.setCurrentIndex(1)
        window._choose(list(window.table.ids))
        window.bar.solver.setCurrentIndex(0)
        window._search()

    def after(self, near, window):
        window._choose(list(window.table.ids[2:3]))

    leave = ("history_other1",)


class SheetCase:
    """A booklet of two puzzles, of which one is taken out again."""

    def make(self, near):
        source = self.source("cat", "dog")
        (sheets,) = sheets_of([source])
        return near.shown(SheetDialog(sheets, near.settings, None, "a run", [source]))

    def source(self, *words):
        puzzle = letters(*words, rows=2, cols=6, adjacency="straight")
        rows = ("catxxx", "dogxxx")
        return source_of(puzzle, Best(puzzle.parse(rows, foreign=True), 2.0, 0))

    def before(self, near, dialog):
        dialog.filling.box.setCurrentIndex(dialog.filling.box.findData("message"))
        dialog.filling.message.setText("More than six letters")
        near.until(lambda: dialog._said.text() != "")
        dialog.filling.message.clear()
        dialog.filling.box.setCurrentIndex(0)
        near.until(dialog.save_button.isEnabled)
        dialog.booklet.add([self.source("cat")])
        near.until(lambda: len(dialog.sheets) == 2)
        dialog.booklet.list.setCurrentRow(1)
        dialog.turn_to(3)
        dialog.booklet.remove()
        near.until(lambda: len(dialog.sheets) == 1)

    def after(self, near, dialog):
        dialog.turn_to(0)

    # Undo brings the other puzzle back, and one of the dialogs may not be painted yet.
    leave = (
        *("sheet_puzzles1", "BookletList1._earlier", "BookletList1._named"),
        *("_FirstPaint1._then", "_FirstPaint1._widget"),
    )


class ExperimentsCase:
    """The results in another folder, and then a plan that is wrong."""

    def make(self, near):
        made = self.made = Experiment(near.qtbot, near.settings)
        near.endings.append(made.window.end)
        self.folders = []
        for plan in (PLAN, PLAN.replace("[5, 60]", "[7]").replace("Small", "Other")):
            made.run(plan)
            self.folders.append(made.window.control.outcomes.folder)
        made.window.show_plan("")
        near.until(lambda: len(made.window.plan.beginnings.found) == 2)  # listed in the background
        return made.window

    def before(self, near, window):
        self.made.opened(self.folders[0])
        self.counted(2)
        window.results.settings.selectRow(1)
        near.until(window.plan.pilot.button.isVisible)

    def counted(self, n_settings):
        items = self.made.window.results.settings.items
        self.made.until(lambda: len(items.items) >= n_settings)

    def after(self, near, window):
        self.made.opened(self.folders[1])
        self.counted(1)
        near.until(lambda: window.plan.found is not None)
        yield
        window.plan.text.set_text("title = 3")
        near.until(lambda: window.plan.found is None)

    leave = ("ExperimentWindow._before", "outcomes")


class RunCase:
    """Another board, and another run on it."""

    def make(self, near):
        near.settings.set_text(PUZZLE, self.puzzle)
        self.driver = Driver(near.qtbot, near.settings)
        near.endings.append(self.driver.end)
        return self.driver.window

    def after(self, near, window):
        self.load_second()
        self.run(limit=25)

    def run(self, limit):
        driver = self.driver
        driver.set(seed=3, units=limit)
        driver.click(Action.GO if not driver.page.run.status.has_run else Action.START_AGAIN)
        driver.state(State.FINISHED)
        for part in (driver.page.chart, driver.page.face.best_panel):
            getattr(part, "refresh", bool)()  # what is drawn a moment later
        driver.page.notice.clear()

    leave = (
        # Which runs are in files, and what the history and the clock say of them.
        *("RunFiles1._", "HistoryRecorder1._moment", "HistoryRecorder1._recorded"),
        "status_line1._marks",
        # What is asked anew before it is used, and an empty notice.
        *("MainWindow._makers", "Timeline1._metrics", "notice_bar1"),
        *("look_back_text1._wordings", "look_back_text1._measured"),
        # What the slices of a run report depends on how fast it is.
        *("best_panel1._gain", "best_panel1/QLabel3", "_a_second1", "Face1._marks"),
        "control_panel1._in_force",  # the memory that is free
        *("Play1.history", "Face1.first_game"),  # what can be undone
        "RunModel1.step_rows",  # with times; the chart draws them
    )


class LettersCase(RunCase):
    puzzle = "boggle"

    def before(self, near, window):
        driver, page = self.driver, self.driver.page
        page.face.load.lexicon_requested.emit("elements")
        driver.settled()
        driver.set(seed=5)
        run_on(driver, 1, 4, 20, 80)
        page.run_files.save(near.folder / "run.tilelab")
        near.until(lambda: not page.run_files.is_busy)
        page.face.best_panel.choose_first()
        look_at(driver, 6)
        page.best_files.save(near.folder / "best.txt")
        page.watching.stepping_back.back()
        near.until(lambda: not page.watching.stepping_back.is_busy)

    def load_second(self):
        self.driver.page.face.load.lexicon_requested.emit("us-states")
        self.driver.settled()


class TilesCase(RunCase):
    puzzle = "sliding"

    def run(self, limit):
        super().run(limit)
        # The rows inside the only unit are computed when it has ended.
        self.driver.until(lambda: len(self.driver.page.run.step_rows) > 0)
        self.driver.page.chart.refresh()

    def before(self, near, window):
        driver = self.driver
        take(driver, [8, 1, 3, 4, 0, 2, 7, 6, 5])
        driver.page.choose_solver("a-star")
        self.run(limit=None)
        driver.page.face.desk.solution_bar.act("last")

    def load_second(self):
        self.driver.page.choose_solver("a-star")
        take(self.driver, [1, 2, 3, 4, 5, 0, 7, 8, 6], goal=Goal.BLANK_LAST)


class WordTilesCase(RunCase):
    puzzle = "wordtiles"

    def before(self, near, window):
        driver = self.driver
        paste(driver)
        self.run(limit=100)
        page = driver.page
        near.until(lambda: not page.face.bests.is_busy)
        page.face.desk.archive_bar.place_requested.emit(1)
        page.face.best_panel.choose_first()

    def load_second(self):
        paste(self.driver, "catx\noneb\nlift\nrat.")


class RaceCase(RunCase):
    """Another race, on another board."""

    puzzle = "boggle"

    def race(self, lexicon, seed, limit):
        driver, page = self.driver, self.driver.page
        page.face.load.lexicon_requested.emit(lexicon)
        driver.settled()
        race = driver.window.race
        race.bring()
        race.frame.form.set_limits(Limits(units=limit))
        line = race.frame.form.seed_field._line
        line.clear()
        driver.qtbot.keyClicks(line, str(seed))
        race.act(Action.START_AGAIN if race._race else Action.GO)
        driver.until(lambda: not race.is_running)
        return race

    def make(self, near):
        super().make(near)
        race = self.driver.window.race
        race.frame.table.selectRow(1)
        race.choose_solver(race.entries.drafts[0].solver)
        return race

    def before(self, near, race):
        self.race("elements", 5, 40)
        race.frame.table.selectRow(0)
        race.frame.form.show_error("mutation", "It is wrong.")
        race.frame.chart.view.leave()
        race.frame.chart._buttons["units"].click()
        race.frame.chart._buttons["seconds"].click()

    def after(self, near, race):
        self.race("us-states", 8, 20)
        race.frame.table.selectRow(1)

    leave = (
        *("RaceDialog._race", "RaceDialog.statuses", "._racers", "Plot1.curves"),
        *("race_table1.row", "race_table1._needed"),  # rates are those of a busy moment, too
    )


CASES = {
    "status line": StatusCase,
    "game": GameCase,
    "fit": FitCase,
    "heuristics": HeuristicsCase,
    "playback": PlaybackCase,
    "lessons": LessonCase,
    "question": QuestionCase,
    "manual": ManualCase,
    "records": RecordsCase,
    "history": HistoryCase,
    "sheet": SheetCase,
    "experiments": ExperimentsCase,
    "letters": LettersCase,
    "tiles": TilesCase,
    "word tiles": WordTilesCase,
    "race": RaceCase,
}
DEAR = ("experiments", "tiles", "word tiles", "race")
"""Cases of whole pages, which test_kept.py opens in a new window, too."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.exhaustive if name in DEAR else ()) for name in CASES],
)
def test_nothing_is_left_of_the_subject_before(near, name):
    case, states = CASES[name](), ([], [])
    for was_there, kept in enumerate(states):
        here = near()
        window = case.make(here)
        if was_there:
            case.before(here, window)
        for _ in itertools.chain(case.after(here, window) or (), [None]):
            kept.append(here.state(window, getattr(case, "leave", ())))
        window.close()
        here.end()
    for alone, after_another in zip(*states, strict=True):
        assert len(alone) > 20
        left = difference(alone, after_another)
        assert not left, left
        assert nonsense(alone) == []


def test_what_an_earlier_moment_says_goes_with_it(near):
    line = near().shown(StatusLine(RunModel()))
    run = line._run
    begin_bare(run, catalog.solver("boggle", "genetic").spec)
    run.status = RunStatus(State.PAUSED, ALLOWED[State.PAUSED], units=9, seconds=2.0, has_run=True)
    find_bare(run, 7.0, 8)
    line.refresh()
    before = state_of(line)
    look_at_bare(run, 3, 3.0, 2)
    assert difference(before, state_of(line))
    run.look_at_present()
    line.refresh()
    assert not difference(before, state_of(line))


def test_a_list_that_is_read_again_keeps_what_is_chosen(near):
    here, case = near(), HistoryCase()
    window = case.make(here)
    window.bar.solver.setCurrentIndex(1)
    window._choose(list(window.table.ids[:1]))
    before = here.state(window, ())
    window.bring()
    after = here.state(window, ())
    window.close()
    assert not difference(before, after), difference(before, after)
