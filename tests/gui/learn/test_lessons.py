"""Lessons in the window: each button sets its run up, and the keyboard alone is enough."""

import sys

import pytest
from PySide6.QtCore import QEvent, QPoint, QRegularExpression, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QPushButton

from tilelab import __main__
from tilelab.core.views import ViewKind
from tilelab.gui.learn.lessons import panel as lesson_panel
from tilelab.gui.learn.lessons.panel import READ, LessonPage, QuestionCard
from tilelab.gui.run.load_menu import LoadTarget
from tilelab.gui.run.watching import FRONTIER
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.shell import app
from tilelab.gui.widgets.parts import Answer
from tilelab.lessons import PACKED
from tilelab.lessons.lesson_files import own_folder, pack_lesson, read_lesson, read_lessons
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")

LESSONS = read_lessons().lessons
OWN = """+++
title = "Mine"
summary = "About it."
+++
Hello.

```run
title = "At once"
puzzle = "sliding"
solver = "a-star"
begins = true
asks = true

[board]
board = "1 2 3 0 4 6 7 5 8"
rows = 3
cols = 3
```

```run
title = "Never"
puzzle = "sliding"

[board]
board = "2 1 3 4 5 6 7 8 0"
rows = 3
cols = 3
```

```question
text = "Why?"
answer = "So."
```
"""


@pytest.fixture
def lessons(driver):
    """The driver of a window that shows lessons."""
    driver.window.show_lessons()
    return driver


def panel(driver):
    return driver.window.lessons.panel


def run_buttons(driver):
    found = panel(driver).page.findChildren(QPushButton)
    return [button for button in found if button.objectName().startswith("lesson_run_")]


def set_up(driver, place, number=0):
    """Show a lesson by its place in the list, from 0, and press one of its buttons."""
    panel(driver).show_lesson(LESSONS[place].key)
    run_buttons(driver)[number].click()
    driver.settled()


def pressed(driver, key, *modifier):
    driver.qtbot.keyClick(driver.window.focusWidget(), key, *modifier)


def tabbed_to(driver, name, most=60):
    """Walk with the Tab key to the widget of a name, over what can be seen and has a name."""
    for _ in range(most + 1):
        here = driver.window.focusWidget()
        assert here.isVisible(), here
        assert QAccessible.queryAccessibleInterface(here).text(QAccessible.Text.Name), here
        if here.objectName() == name:
            return
        pressed(driver, Qt.Key.Key_Tab)
    raise AssertionError(name)


def require_set_up(driver, run):
    block, page = run.block, driver.page
    assert page.puzzle_key == block.puzzle
    assert page.choices.solver_key == block.solver_key
    shown = page.panel.values("solver")
    assert shown == block.solver_params().model_dump()
    assert page.panel.seed_field.seed() == block.seed
    assert page.panel.limits() == block.limits()
    puzzle, wanted = driver.session.puzzle, run.build()
    assert puzzle.params == wanted.params
    assert page.panel.values("puzzle") == wanted.params.model_dump()
    if wanted.start is None:
        assert puzzle.start is None
        assert page.face.lexicon.name == wanted.lexicon.name
    else:
        assert puzzle.start.tolist() == wanted.start.tolist()
    assert driver.window.bar.speed.speed == block.speed
    assert page.view_stack.shown is block.view_kind
    assert page.view_stack.pseudocode.isChecked() or not block.pseudocode
    assert page.view_stack.frontier.is_asking is block.asks
    assert page.run.started is None
    assert page.run.status.state is State.READY


def test_a_run_that_is_set_up_is_said_to_be_ready_only_at_its_puzzle(lessons):
    """Noticed: GO that is said to begin a lesson's run, and begins another one."""
    shown = panel(lessons)
    set_up(lessons, 0)
    assert shown._said.isVisible()
    key = lessons.page.puzzle_key
    lessons.window.show_puzzle("wordtiles")
    lessons.settled()
    assert shown.isVisible()
    assert shown._said.isHidden()
    lessons.window.show_puzzle(key)
    lessons.settled()
    assert shown._said.isVisible()
    chosen = lessons.page.choices.solver_key
    lessons.page.choose_solver("ida-star")
    assert shown._said.isHidden()
    lessons.page.choose_solver(chosen)
    assert shown._said.isVisible()
    lessons.page.face.draw_another()
    lessons.settled()
    assert shown._said.isHidden()


def test_the_next_run_of_a_lesson_is_not_said_to_have_the_solver_from_before(lessons):
    """Noticed: "The solver is IDA* again", while the panel has that of the second button."""
    lessons.window.show_puzzle("sliding")
    lessons.page.choose_solver("ida-star")
    for number in range(len(LESSONS[8].runs)):
        set_up(lessons, 8, number)
        assert lessons.page.choices.solver_key != "ida-star"
        assert "as before" not in lessons.page.notice.text


def test_the_solver_of_a_lesson_stays_for_another_board_and_comes_back_with_undo(lessons):
    """Noticed: the user's own solver in its place, on the board and under the lesson's name."""
    lessons.window.show_puzzle("sliding")
    page, face = lessons.page, lessons.page.face
    page.choose_solver("ida-star")
    set_up(lessons, 8)
    name, puzzle = face.desk.position.name, page.source.puzzle

    def chosen():
        return page.choices.solver_key, page.panel.values("solver")["heuristic"]

    lent = chosen()
    assert lent[0] != "ida-star"
    undo = lessons.window.commands["undo"]
    for _ in range(2):  # once without a run, once in place of one
        face.load.choose(face.load.load_goal)
        lessons.settled()
        assert chosen() == lent
        assert "as before" not in page.notice.text
        page.choose_solver("beam")
        undo.perform()
        lessons.settled()
        assert chosen() == lent
        assert (page.source.puzzle.start == puzzle.start).all()
        if page.run.started is None:
            assert face.desk.position.name == name
            assert page.choices.own_solver_key == "ida-star"  # from before the lesson
            lessons.click(Action.STEP)
            lessons.state(State.PAUSED, State.FINISHED)
    assert page.run.started.solver.key == lent[0]


def test_undo_after_a_lesson_leaves_its_last_run_with_its_board(lessons):
    """Noticed: the name of the example before, next to the solver and tree of the last one."""
    lessons.window.show_puzzle("sliding")
    page, face = lessons.page, lessons.page.face
    lessons.settled()
    own = face.desk.position
    for number in range(2):
        set_up(lessons, 0, number)
        lessons.click(Action.STEP)
        lessons.state(State.PAUSED, State.FINISHED)
    assert (page.source.puzzle.start == face.desk.position.cells).all()
    page.notice.clear()
    page.notice.forget_undo()
    lessons.window.commands["undo"].perform()
    lessons.settled()
    assert face.desk.position.board == own.board
    assert page.run.started is None


def test_a_solver_chosen_in_a_lesson_is_still_the_users_own_after_undo(lessons):
    """Noticed: it counts as that of the lesson, and closing keeps the one from before."""
    lessons.window.show_puzzle("sliding")
    set_up(lessons, 8)
    lessons.page.choose_solver("beam")
    face = lessons.page.face
    face.load.choose(face.load.load_goal)
    lessons.settled()
    lessons.window.commands["undo"].perform()
    lessons.settled()
    assert lessons.page.choices.solver_key == lessons.page.choices.own_solver_key == "beam"


@pytest.mark.usefixtures("with_style_sheet")
@pytest.mark.parametrize("ends", ["undo", "close", "close elsewhere", "language"])
def test_what_a_lesson_has_set_does_not_outlast_it(lessons, any_language, ends):
    """Noticed: the next board is solved by a lesson's solver, a few steps a second, for hours."""
    lessons.window.show_puzzle("sliding")
    lessons.page.choose_solver("ida-star")
    lessons.page.view_stack.choose(ViewKind.TREE)
    lessons.settled()

    def state():
        page, speed = lessons.page, lessons.window.bar.speed
        stack = page.view_stack
        return page.choices.solver_key, stack.chosen, stack.pseudocode.isChecked(), speed.speed

    own = state()
    set_up(lessons, 2)
    first = state()
    assert first[:2] == ("a-star", ViewKind.DEPTHS)  # a view that IDA* does not have
    set_up(lessons, 0, 1)
    lent = state()
    assert lent == ("depth-first", ViewKind.TREE, True, 25)
    if ends == "undo":
        lessons.window.commands["undo"].perform()
        lessons.settled()
        assert state() == first
        lessons.window.commands["undo"].perform()
    else:
        if ends == "language":
            lessons.make_again("de")
        if ends == "close elsewhere":
            lessons.window.show_puzzle("boggle")
        lessons.window.lessons.close()
        lessons.window.show_puzzle("sliding")
        assert state() == lent
        load = lessons.page.face.load
        load.choose(load.load_goal)
        lessons.settled()
        assert state() == own
        lessons.window.commands["undo"].perform()
        lessons.settled()
        assert state()[0] == lent[0]
        load.choose(load.load_goal)
    lessons.settled()
    assert state() == own


def test_nothing_of_a_lesson_is_cut_in_a_narrow_column(lessons):
    """Noticed: texts, pictures and frames whose right edge is cut for the sake of a long title."""
    shown = panel(lessons)
    for lesson in LESSONS:
        shown.show_lesson(lesson.key)
        shown.resize(248, 600)
        area = shown._ground
        lessons.until(lambda area=area: shown.page.width() <= area.viewport().width() < 248)
        for button in run_buttons(lessons):
            # Its height follows once its title is wrapped.
            lessons.until(lambda one=button: one.size().expandedTo(one.sizeHint()) == one.size())


def test_a_run_that_was_set_up_stays_in_view_in_a_narrower_lesson(lessons):
    """Noticed: the button and the next instruction slid below the edge when it was pressed."""
    lessons.window.resize(1024, 700)
    shown = panel(lessons)
    for lesson in LESSONS[:2]:
        shown.show_lesson(lesson.key)
        for button in run_buttons(lessons):
            area = shown._ground
            area.ensureWidgetVisible(button, 0, 0)
            button.click()
            lessons.settled()
            lessons.until(lambda area=area, button=button: is_in_view(area, button))


def is_in_view(area, button):
    seen = area.viewport().rect()
    return seen.contains(button.rect().translated(button.mapTo(area.viewport(), QPoint())))


# That of each lesson comes to its figures is tried without a window.
@pytest.mark.parametrize(
    "chosen", [LESSONS[::3], pytest.param(LESSONS, marks=pytest.mark.exhaustive)], ids=len
)
def test_each_button_sets_its_run_up(lessons, chosen):
    for lesson in chosen:
        panel(lessons).show_lesson(lesson.key)
        buttons = run_buttons(lessons)
        assert [button.accessibleName() for button in buttons] == [
            run.block.title for run in lesson.runs
        ]
        for button, run in zip(buttons, lesson.runs, strict=True):
            button.click()
            lessons.settled()
            require_set_up(lessons, run)
            # Noticed: two searches said to be ready for GO where only the first one is.
            is_beside = panel(lessons)._said.text().endswith(" is in the window Compare.")
            assert is_beside is (run.block.compare is not None)
            assert panel(lessons).isVisible()
            assert lessons.page.isAncestorOf(panel(lessons))


def test_the_next_lesson_begins_at_its_top(driver):
    """Noticed: it began where the one before was scrolled to, if its room changed then."""
    pressed(driver, Qt.Key.Key_F2)
    area = panel(driver)._ground
    bar = area.verticalScrollBar()
    driver.until(lambda: not area._settling.isActive() and bar.maximum() > 0)
    bar.setValue(bar.maximum())
    driver.window.resize(1040, 690)
    driver.until(area._settling.isActive)
    panel(driver)._next.click()
    driver.until(lambda: not area._settling.isActive() and bar.maximum() > 0)
    assert bar.value() == 0


def test_a_lesson_is_read_with_the_keyboard_alone(driver):
    pressed(driver, Qt.Key.Key_F2)
    assert panel(driver).lesson.key == "01-what-a-search-is"
    bar = panel(driver)._ground.verticalScrollBar()
    driver.until(lambda: bar.maximum() > 0)
    pressed(driver, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    tabbed_to(driver, run_buttons(driver)[0].objectName())
    pressed(driver, Qt.Key.Key_Space)
    driver.settled()
    require_set_up(driver, LESSONS[0].runs[0])
    assert panel(driver)._said.text().endswith(" is ready: GO (F5) or STEP (F6).")
    assert driver.window.focusWidget() is run_buttons(driver)[0]
    for n_steps in (1, 2, 3):
        pressed(driver, Qt.Key.Key_F6)
        driver.settled()
        driver.state(State.PAUSED)
        assert driver.session.steps_done == n_steps
    assert panel(driver)._said.text().endswith(" is paused: RESUME (F5) or STEP (F6).")
    driver.window.bar.speed.set_speed(None)
    pressed(driver, Qt.Key.Key_F5)
    driver.state(State.FINISHED)
    assert driver.page.run.shown.best.n_moves == 3
    assert panel(driver)._said.isHidden()  # it is no longer ready
    run_buttons(driver)[0].click()
    driver.settled()
    assert panel(driver)._said.isVisible()
    tabbed_to(driver, "choice_1")
    pressed(driver, Qt.Key.Key_Space)
    pressed(driver, Qt.Key.Key_Tab)
    assert driver.window.focusWidget().objectName() == "show_answer"
    pressed(driver, Qt.Key.Key_Space)
    card = panel(driver).page.findChild(QuestionCard)
    assert card.verdict.text() == "Right."
    assert card.answer.isVisible()
    tabbed_to(driver, "lesson_next")
    pressed(driver, Qt.Key.Key_Space)
    assert panel(driver).lesson.key == "02-breadth-first-and-memory"
    # What was said of a run of the first lesson is gone with it.
    assert panel(driver)._said.isHidden()
    pressed(driver, Qt.Key.Key_Escape)
    assert not driver.window.lessons.is_open
    assert driver.page.face.best_panel.isVisible()


@pytest.mark.exhaustive
def test_the_keys_come_to_all_of_every_lesson_and_each_part_has_a_name(driver):
    pressed(driver, Qt.Key.Key_F2)
    for lesson in LESSONS:
        assert panel(driver).lesson.key == lesson.key
        for button in run_buttons(driver):
            tabbed_to(driver, button.objectName())
        card = panel(driver).page.findChild(QuestionCard)
        if card.choices.buttons():
            tabbed_to(driver, "choice_1")
            pressed(driver, Qt.Key.Key_Space)
        tabbed_to(driver, "show_answer")
        pressed(driver, Qt.Key.Key_Space)
        if card.check.text() == "Show the answer":  # to a question without choices, or a wrong one
            pressed(driver, Qt.Key.Key_Space)
        assert card.answer.isVisible()
        assert driver.window.focusWidget().objectName() == "show_answer"
        tabbed_to(driver, "lesson_next", most=2)  # only Back is between them
        pressed(driver, Qt.Key.Key_Space)
    assert not driver.window.lessons.is_open


def test_the_answer_belongs_to_the_choice(lessons):
    card = panel(lessons).page.findChild(QuestionCard)
    assert not card.check.isEnabled()
    assert not card.answer.isVisibleTo(card)
    card.choices.button(2).click()
    card.check.click()
    assert card.verdict.text().startswith("Not this one.")
    assert not card.answer.isVisibleTo(card)
    assert not panel(lessons).read  # noticed: a lesson that is read with its first wrong answer
    assert card.check.text() == "Show the answer"
    card.check.click()
    assert card.answer.isVisibleTo(card)
    assert panel(lessons).read
    card.choices.button(1).click()
    assert not card.verdict.isVisibleTo(card)
    assert not card.answer.isVisibleTo(card)
    assert card.check.text() == "Check"
    card.check.click()
    assert card.verdict.text() == "Right."


def test_what_was_read_and_the_place_are_remembered(lessons, own_ini):
    back, following = panel(lessons)._back, panel(lessons)._next
    assert "✓" not in panel(lessons).list.itemText(0)
    assert (back.isEnabled(), following.text()) == (False, "Next")
    following.click()
    assert back.isEnabled()
    assert "✓ read" in panel(lessons).list.itemText(0)
    assert own_ini.lines(READ) == ["01-what-a-search-is"]
    lessons.window.lessons.close()
    lessons.window.show_lessons()
    assert panel(lessons).lesson.key == "02-breadth-first-and-memory"
    panel(lessons).show_lesson(LESSONS[-1].key)
    following = panel(lessons)._next
    assert following.text() == "Done"
    following.click()
    assert not lessons.window.lessons.is_open


def test_the_room_is_as_before_when_they_are_closed(driver):
    page = driver.page
    before = page.columns.sizes()
    driver.window.show_lessons()
    assert page.columns.sizes() != before
    driver.window.show_puzzle("sliding")
    assert driver.page.isAncestorOf(panel(driver))
    assert page.face.best_panel.isVisibleTo(page)
    driver.window.show_puzzle(page.puzzle_key)
    driver.window.lessons.close()
    driver.until(lambda: page.columns.sizes() == before)
    assert page._result_button.text() == "Result"
    # A page that the lessons have left for another one has its room, too.
    driver.window.show_lessons()
    driver.window.show_puzzle("sliding")
    driver.window.lessons.close()
    assert page.side.count() == 1
    driver.window.show_puzzle(page.puzzle_key)
    driver.settled()
    assert page.columns.sizes() == before


@pytest.mark.usefixtures("with_style_sheet")
def test_parameters_that_gave_way_to_the_result_come_back_with_the_room(sliding):
    page = sliding.page
    sliding.window.resize(800, 700)
    sliding.until(page.side.isHidden)
    page.reveal_result()
    assert page.panel.is_folded
    assert not page.folds_parameters  # the user has not
    sliding.window.resize(1500, 900)
    sliding.until(lambda: not page.panel.is_folded)


@pytest.mark.usefixtures("with_style_sheet")
def test_parameters_that_were_unfolded_next_to_a_lesson_stay_unfolded(sliding):
    """Noticed: parameters folded by another view, by a question, or with the language."""
    sliding.page.choose_solver("a-star")
    sliding.window.resize(1024, 700)
    sliding.window.show_lessons()
    stack = sliding.page.view_stack
    stack.choose(ViewKind.TREE)
    sliding.settled()
    assert not sliding.page.panel.is_folded
    stack.pseudocode.setChecked(True)
    stack.captions.setChecked(True)
    stack.turn_asking()
    stack.choose(None)
    sliding.until(lambda: sliding.page.panel.is_folded)  # there is no room for both
    sliding.page.panel.set_folded(False)
    for kind in (ViewKind.TREE, None):
        stack.choose(kind)
        sliding.until(lambda kind=kind: sliding.page.side.isHidden() is (kind is None))
        assert not sliding.page.panel.is_folded
    sliding.make_again()
    sliding.until(lambda: sliding.page.width() > 1000)
    sliding.until(lambda: sliding.page.side.isHidden() and sliding.page.side.count() > 1)
    assert not sliding.page.panel.is_folded


@pytest.mark.usefixtures("with_style_sheet")
def test_a_text_that_is_opened_is_in_view_next_to_the_pseudocode(sliding):
    """Noticed: a lesson and the first steps behind a strip beyond the edge of the window.

    They had given way to the chart, or to parameters, that the user had shown before.
    """
    window, page = sliding.window, sliding.page
    sides = page.scroll_area.horizontalScrollBar()
    window.resize(1024, 676)
    page.choose_solver("depth-first")
    page.view_stack.choose(ViewKind.TREE)
    page.view_stack.pseudocode.setChecked(True)
    for show in (window.show_first_steps, window.show_lessons, window.show_lessons):
        sliding.until(page._chart_button.isVisible)
        page._chart_button.click()
        page.panel.set_folded(False)
        sliding.until(lambda: page.side.isHidden() and not sides.maximum())
        show()
        sliding.until(lambda: page.side.isVisible() and not sides.maximum())
    page.view_stack.choose(None)  # needs more room, which the unfolded parameters keep
    sliding.until(page.side.isHidden)
    window.show_lessons()
    sliding.until(page.side.isVisible)


@pytest.mark.exhaustive
def test_a_run_is_not_given_up_without_asking(lessons, monkeypatch):
    run_buttons(lessons)[0].click()
    lessons.settled()
    lessons.window.bar.speed.set_speed(None)
    lessons.click(Action.GO)
    lessons.state(State.FINISHED)
    asked = []

    def answer(*_arguments):
        asked.append(1)
        return Answer.Cancel

    monkeypatch.setattr("tilelab.gui.run.run_files.WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr("tilelab.gui.run.run_files.ask_before_losing", answer)
    run_buttons(lessons)[1].click()
    lessons.settled()
    assert asked == [1]
    assert lessons.page.run.started is not None
    assert lessons.page.choices.solver_key == "breadth-first"


def test_ones_own_lessons_may_begin_a_run_and_their_faults_are_said(driver):
    own_folder().mkdir(parents=True)
    (own_folder() / "mine.md").write_text(OWN, encoding="utf-8")
    (own_folder() / "bad.md").write_text("Hello.", encoding="utf-8")
    driver.window.show_lessons()
    shown = panel(driver)
    assert shown.errors.text() == (
        "bad.md, line 1: a lesson begins with its header, between a line +++ and a line +++"
    )
    shown.show_lesson("mine")
    assert shown.list.currentText() == f"{len(LESSONS) + 1}  Mine (your own)"
    run_buttons(driver)[0].click()
    driver.state(State.FINISHED)
    driver.until(shown._said.isHidden)  # it is no longer running
    shown.show_state(State.READY)
    assert shown._said.text() == "“At once” is running; F5 stops it."
    assert driver.page.run.started.solver.key == "a-star"
    assert driver.page.view_stack.frontier.is_asking
    run_buttons(driver)[1].click()
    driver.settled()
    assert driver.page.run.started.solver.key == "a-star"
    assert driver.page.notice.text.startswith("mine.md, line 20: the board ")
    assert shown.page.findChild(QuestionCard).check.text() == "Show the answer"


@pytest.mark.exhaustive
def test_a_lesson_goes_on_while_a_run_is_going(lessons):
    lessons.set(units=None)
    lessons.click(Action.GO)
    lessons.state(State.RUNNING)
    before = lessons.page.run.started
    panel(lessons).show_lesson("06-evolution")
    run_buttons(lessons)[0].click()
    assert "STOP" in lessons.page.notice.text
    assert lessons.page.run.started is before
    assert isinstance(panel(lessons).page, LessonPage)
    lessons.click(Action.STOP)
    lessons.state(State.PAUSED)


def test_a_lesson_that_stands_elsewhere_is_opened_by_its_name(driver, tmp_path):
    file = tmp_path / "elsewhere.md"
    file.write_text(OWN, encoding="utf-8")
    for _ in range(2):
        driver.window.open_file(file)
        assert panel(driver).list.currentText() == f"{len(LESSONS) + 1}  Mine (your own)"
        assert panel(driver).list.count() == len(LESSONS) + 1
    # One that has the file name of a built-in lesson is another lesson.
    namesake = tmp_path / f"{LESSONS[0].key}.md"
    namesake.write_text(OWN, encoding="utf-8")
    driver.window.open_file(namesake)
    assert panel(driver).list.currentText() == f"{len(LESSONS) + 2}  Mine (your own)"
    # A file that was edited meanwhile is read again.
    namesake.write_text(OWN.replace("Mine", "Ours"), encoding="utf-8")
    driver.window.open_file(namesake)
    assert panel(driver).lesson.header.title == "Ours"
    assert panel(driver).list.currentText() == f"{len(LESSONS) + 2}  Ours (your own)"
    file.write_text(OWN.replace("summary", "sumary"), encoding="utf-8")
    driver.window.open_file(file)
    assert panel(driver).errors.text().startswith("elsewhere.md, line 3: 'sumary' is not a key")
    assert panel(driver).errors.isVisible()


def test_the_name_of_a_lesson_alone_opens_the_window(tmp_path, monkeypatch):
    file = tmp_path / "mine.md"
    file.write_text(OWN, encoding="utf-8")
    opened = []
    monkeypatch.setattr(sys, "argv", ["tilelab", str(file)])
    monkeypatch.setattr(app, "run", lambda path: opened.append(path) or 0)
    with pytest.raises(SystemExit):
        __main__.main()
    assert opened == [file]


def test_a_packed_lesson_opens_from_the_menu_of_load(driver, tmp_path):
    """Noticed: one that is loaded as words."""
    text, file = tmp_path / "mine.md", tmp_path / f"shared{PACKED}"
    text.write_text(OWN, encoding="utf-8")
    file.write_bytes(pack_lesson(read_lesson(text)))
    load = driver.page.face.load
    assert load.becomes(file) is LoadTarget.LESSON
    load.open(file)
    assert panel(driver).lesson.header.title == "Mine"


@pytest.mark.exhaustive
def test_a_run_to_guess_stores_nothing_about_the_list(lessons, own_ini):
    """Noticed: a lesson that opens what comes next in all later windows."""
    set_up(lessons, 8, 1)
    stack = lessons.page.view_stack
    assert stack.frontier.is_asking
    assert stack.frontier.isVisible()
    assert not own_ini.flag(FRONTIER)


def test_a_run_without_questions_ends_those_of_a_lesson_and_not_of_the_user(lessons):
    """Noticed: questions that the user has turned on, and that the next button ends silently."""

    def asks_after(number):
        set_up(lessons, 8, number)
        return lessons.page.view_stack.is_asking

    assert [asks_after(number) for number in (0, 1, 0)] == [False, True, False]
    assert asks_after(1)
    for name in ("ask_first", "ask_first"):  # the user's own, in place of those of the lesson
        lessons.window.commands[name].perform()
    assert [asks_after(number) for number in (0, 1, 0)] == [True, True, True]


def test_questions_of_a_lesson_end_in_another_language_as_before(lessons, any_language):
    """Noticed: a lesson's questions that count as the user's and never end."""
    set_up(lessons, 8, 1)
    lessons.make_again("de")
    lessons.settled()
    assert lessons.page.view_stack.is_asking
    set_up(lessons, 8)
    assert not lessons.page.view_stack.is_asking


def test_a_lesson_is_read_on_in_another_language(lessons):
    """Noticed: a lesson that goes back to its top."""
    panel(lessons)._ground.verticalScrollBar().setValue(150)
    lessons.make_again()
    lessons.until(lambda: panel(lessons)._ground.verticalScrollBar().value() == 150)


def test_escape_closes_the_lessons_wherever_the_keyboard_is(lessons, qtbot):
    """Noticed: a tip that promises Esc, which did nothing after a click on the board."""
    lessons.window.show_puzzle("sliding")
    lessons.settled()
    for focused in (lessons.page.face.board, lessons.window):
        lessons.window.show_lessons()
        focused.setFocus()
        qtbot.keyClick(focused, Qt.Key.Key_Escape)
        assert not lessons.window.lessons.is_open
    # Noticed: a key that nothing is left to take, for ever after the first lesson.
    lessons.window.show_first_steps()
    lessons.window.first_steps.close()
    key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    lessons.window.keyPressEvent(key)
    assert not key.isAccepted()


@pytest.mark.parametrize("is_right", [True, False])
def test_a_card_takes_an_answer_over_in_silence(lessons, monkeypatch, is_right):
    """Noticed: an answer said once more, and a lesson that scrolls to it, in another language."""
    question = panel(lessons).page.findChild(QuestionCard)._question
    old, new = (QuestionCard(question, panel(lessons)) for _ in range(2))
    wrong = 1 if question.right != 1 else 2
    old.choices.button(question.right if is_right else wrong).setChecked(True)
    old._check_choice()
    emitted = []
    monkeypatch.setattr(lesson_panel.QAccessible, "updateAccessibility", emitted.append)
    new.answered.connect(lambda: emitted.append("answered"))
    monkeypatch.setattr(lesson_panel, "announce", lambda *_: emitted.append("said"))
    new.take_over(old)
    assert not emitted
    assert new.verdict.text() == old.verdict.text()
    assert (new.verdict.isHidden(), new.answer.isHidden()) == (False, not is_right)
    assert new.check.text() == old.check.text()


def test_a_run_is_shown_next_to_one_of_another_solver(lessons):
    """Noticed: a comparison that keeps entries of an earlier one, or another heuristic."""
    for number, second in ((1, "breadth-first"), (2, "ida-star"), (1, "breadth-first")):
        set_up(lessons, 9, number)
        race = lessons.window.race
        assert race.isVisible()
        assert race.frame.is_inside
        drafts = [(draft.solver, draft.values.get("heuristic")) for draft in race.entries.drafts]
        heuristic = None if second == "breadth-first" else "manhattan"
        assert drafts == [("a-star", "manhattan"), (second, heuristic)]
        assert race._race is None
        # Noticed: the window covers the lesson that says what to do in it.
        task = race.frame._task
        assert task.isVisible()
        assert task.text().startswith(
            "Press STEP some times." if number == 1 else "Compare Queue entries on the left card"
        )
        assert not set("\n*\\") & set(task.text().replace("A* ", ""))
    race.close()
    race.bring(is_inside=True)
    assert not task.isVisible()


@pytest.mark.exhaustive
def test_an_exercise_is_printed_with_its_solution(lessons, qtbot):
    """Noticed: a button that prints another run, or whose run replaces that of the page."""
    panel(lessons).list.setCurrentIndex(3)
    panel(lessons).list.activated.emit(3)
    (button,) = panel(lessons).page.findChildren(QPushButton, QRegularExpression("exercise"))
    lessons.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: lessons.window.findChild(SheetDialog) is not None)
    dialog = lessons.window.findChild(SheetDialog)
    assert dialog.title.text() == "A* on the board 12 moves away"
    assert [page.title for page in dialog.pages] == [
        "A* on the board 12 moves away",
        "Solution: A* on the board 12 moves away",
    ]
    assert not lessons.page.run.status.has_run
    dialog.reject()
