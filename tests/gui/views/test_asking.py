"""Questions about the next step: what is right, why, and that nothing shows the answer before."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QWidget

from tests.gui.clipped import clipped_texts
from tests.gui.views.test_frontier_pane import EIGHT, frontier, words
from tilelab import catalog
from tilelab.core.text import language
from tilelab.core.views import EntryState, Step, ViewKind
from tilelab.gui.views.asking import (
    FATES,
    Answer,
    QuestionBar,
    answer_board,
    answer_fate,
    can_ask,
    hide_answer,
)
from tilelab.gui.views.frontier_pane import FrontierPane
from tilelab.puzzles.sliding.solvers.open_list import _TIE_RULES
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def moves(fate, gain, odds=None):
    """The last two moves, the newest with this fate."""
    values = [[20.0 + gain, gain, odds], [20.0, 0.0, 1.0]]
    return frontier(
        ("U", "L"),
        (0, 1),
        title="Last moves",
        columns=("E", "Δ", "p") if odds is not None else ("E", "Δ"),
        values=np.array(values if odds is not None else [row[:2] for row in values]),
        states=np.array([fate, EntryState.ACCEPTED], np.uint8),
        n_closed=-1,
    )


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.usefixtures("with_style_sheet", "any_language")
def test_questions_and_the_longest_answers_have_room_in_a_small_window(qtbot, code):
    """Noticed: the end of a sentence below the two lines that are kept for it."""
    language.use(code)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(288, 40)
    bar = QuestionBar(window)
    bar.resize(window.size())
    bar.show_answer(Answer(True, ""))
    bar.ask(moves(EntryState.ACCEPTED, 1.0))
    assert not clipped_texts(window)
    ties = frontier(ties=(0, 0, 1, 1, 2))
    ties, moved = replace(ties, values=ties.values + 100), (1.0, -1.0)
    path = path_of(EntryState.DONE, EntryState.WAITING, EntryState.WAITING)
    answers = [answer_board(ties, place) for place in range(5)]
    answers += [answer_board(path, place) for place in range(3)]
    rules = (language.tr(rule) for rule in _TIE_RULES.values())
    answers += [answer_board(replace(ties, tie_rule=rule), 1) for rule in rules]
    for fate, gain, odds in product(FATES, moved, (0.69, None)):
        view = moves(fate, gain, odds)
        answers += [answer_fate(view, accepted=accepted) for accepted in (True, False)]
    faults = []
    bar.show_answer(answers[0])
    bar.score.hide()
    for answer in answers:
        bar.explain(answer)
        faults += clipped_texts(window)
    assert not faults


def path_of(*states):
    return frontier(
        ("UL", "U", "L")[: len(states)],
        tuple(range(len(states))),
        states=np.array(states, np.uint8),
        on_path=True,
    )


def test_a_board_is_right_if_only_a_rule_for_ties_is_before_it():
    view = frontier(ties=(0, 0, 1, 1, 2))
    assert answer_board(view, 0) == (True, "f = 22 is the smallest")
    assert answer_board(view, 1) == (True, "f = 22, too; the rule for ties takes another")
    named = replace(view, tie_rule="the oldest of equal boards comes first")
    assert answer_board(named, 1) == (True, "f = 22, too; the oldest of equal boards comes first")
    assert answer_board(view, 4) == (False, "f = 24 is larger than f = 22")
    largest = replace(view, columns=("v",), values=np.array([[9.0], [9], [7], [7], [5]]))
    assert answer_board(largest, 0) == (True, "v = 9 is the largest")
    assert answer_board(largest, 2) == (False, "v = 7 is smaller than v = 9")
    # In rectangle search, a board with a larger estimate may be first.
    other = replace(view, columns=("h",), values=np.array([[7.0], [7], [9], [9], [5]]))
    assert answer_board(other, 0) == (True, "it is the first")
    assert answer_board(other, 4) == (False, "another board is before it")


def test_a_stack_continues_from_its_deepest_board_with_a_move():
    done, waiting = EntryState.DONE, EntryState.WAITING
    view = path_of(done, waiting, waiting)
    assert answer_board(view, 0) == (False, "it has no move left")
    assert answer_board(view, 1) == (True, "it is the deepest board with a move left")
    assert answer_board(view, 2) == (False, "a deeper board has a move left")
    assert not can_ask(path_of(done, done))
    assert not can_ask(path_of(waiting))


@pytest.mark.parametrize(
    ("fate", "gain", "odds", "reason"),
    [
        (EntryState.ACCEPTED, -3.0, 0.31, "accepted, with probability 0.31"),
        (EntryState.REJECTED, -3.0, 0.31, "rejected, with probability 0.69"),
        (EntryState.ACCEPTED, 2.0, 1.0, "accepted, for the board does not get worse"),
        (EntryState.REJECTED, -3.0, None, "rejected, for the board gets worse"),
        (EntryState.ACCEPTED, -3.0, None, "accepted, although the board gets worse"),
        (EntryState.REJECTED, 0.0, None, "rejected, although the board does not get worse"),
    ],
)
def test_the_fate_of_a_move_has_its_reason(fate, gain, odds, reason):
    view, is_accepted = moves(fate, gain, odds), fate is EntryState.ACCEPTED
    assert answer_fate(view, accepted=is_accepted) == (True, reason)
    assert answer_fate(view, accepted=not is_accepted) == (False, reason)


def test_a_hidden_list_does_not_show_the_answer():
    """Noticed: the next board is the first of the list, or the only one with a mark."""
    view = path_of(EntryState.DONE, EntryState.WAITING, EntryState.WAITING)
    hidden, places = hide_answer(view)
    assert sorted(places) == [0, 1, 2]
    assert len(set(hidden.states.tolist())) == 1
    assert len(set(hidden.ties.tolist())) == 3
    assert np.array_equal(hidden.boards, view.boards[places])
    reversed_view = replace(view, boards=view.boards[::-1])
    assert np.array_equal(hide_answer(reversed_view).view.boards, hidden.boards)
    # Noticed: the answer is the first board again and again.
    longer = [frontier(("U", "L", "R", "UL", "UR")[:n], tuple(range(n))) for n in range(2, 6)]
    assert len({hide_answer(each).places.index(0) for each in longer}) > 1
    move, _ = hide_answer(moves(EntryState.REJECTED, -3.0, 0.31))
    assert move.states.tolist() == [EntryState.WAITING, EntryState.ACCEPTED]
    assert np.isnan(move.values[0, 2])
    assert move.values[1, 2] == 1.0


@pytest.fixture
def pane(qtbot):
    made = FrontierPane()
    qtbot.addWidget(made)
    made.resize(700, 200)
    made.show()
    made.set_asking(True)
    made.show_view(frontier(), EIGHT)
    return made


def test_an_answer_marks_the_next_board_and_is_counted_once(pane):
    assert pane.question.text == "Which board comes next? Click it."
    assert not any("next" in said for said in words(pane.entries))
    boards = [entry.board for entry in pane.entries.rows.entries]
    pane.entries.chosen.emit(2)
    place = pane._hidden
    assert place is None
    # Noticed: the board that was clicked third was the first one then.
    assert [entry.board for entry in pane.entries.rows.entries] == boards
    following = [entry for entry in pane.entries.rows.entries if entry.is_next]
    assert [entry.board.cells for entry in following] == [frontier().boards[0].tobytes()]
    assert pane.question.n_asked == 1
    for _ in range(2):
        pane.entries.chosen.emit(0)
        # The same moment again, as after another view was opened.
        pane.show_view(frontier(), EIGHT)
    assert (pane.question.n_asked, pane._hidden) == (1, None)
    pane.show_view(frontier(n_closed=2), EIGHT)
    assert pane._hidden is not None
    pane.answer(pane.entries.rows.entries[0].board)
    assert pane.question.n_asked == 2
    pane.set_asking(False)
    pane.set_asking(True)
    assert pane.question.n_asked == 0


def test_a_wrong_answer_is_marked_until_the_next_question(pane):
    """Noticed: a second answer that takes the mark of the one that was counted."""
    pane.entries.chosen.emit([entry.head for entry in pane.entries.rows.entries].index("f 24"))
    for _ in range(2):
        wrong = [entry.head for entry in pane.entries.rows.entries if entry.is_wrong]
        assert wrong == ["f 24"]
        assert sum(": your answer, " in said for said in words(pane.entries)) == 1
        pane.entries.chosen.emit([entry.is_next for entry in pane.entries.rows.entries].index(True))
        pane.show_view(frontier(), EIGHT, is_new=False)
    assert pane.question.score.text() == "0 of 1 right at once"
    pane.show_view(frontier(n_closed=2), EIGHT)
    assert not any(entry.is_wrong for entry in pane.entries.rows.entries)


def test_a_question_begins_at_the_first_board_and_ends_at_the_next_one(pane, qtbot):
    """Noticed: a list that an answer has scrolled to its end, with the next board out of view."""
    pane.set_low(True)
    pane.resize(2 * pane.entries.item_size.width() + 150, 160)
    bar = pane.entries.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    pane.show_view(frontier(n_closed=2), EIGHT)
    assert bar.value() == 0
    bar.setValue(bar.maximum())
    pane.set_asking(False)
    assert bar.value() == 0


def test_a_right_answer_stays_in_view_and_is_marked(pane, qtbot):
    """Noticed: a list that scrolls from the clicked board to another one of the same f."""
    pane.set_low(True)
    pane.resize(2 * pane.entries.item_size.width() + 150, 160)
    pane.show_view(frontier(ties=(0,) * 5, n_closed=2), EIGHT)
    entries, bar = pane.entries, pane.entries.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    following = pane._hidden.places.index(0)
    clicked = 0 if following > 2 else 4
    entries.reveal(clicked)
    entries.chosen.emit(clicked)
    assert pane.question.text.startswith("Right: ")
    places = [entries.visualRect(entries.rows.index(each)) for each in (clicked, following)]
    assert [entries.viewport().rect().contains(each.center()) for each in places] == [True, False]
    assert entries.rows.marked == clicked


def test_an_answered_list_keeps_its_order_in_another_language(pane, qtbot):
    """Noticed: boards that jump to their true order when the language changes."""
    pane.entries.chosen.emit(2)
    boards = [entry.board for entry in pane.entries.rows.entries]
    again = FrontierPane()
    qtbot.addWidget(again)
    again.set_asking(True)
    again.take_over(pane)
    for _ in range(2):
        assert [entry.board for entry in again.entries.rows.entries] == boards
        again.show_view(frontier(), EIGHT, is_new=False)
    again.entries.chosen.emit(2)
    assert again.question.n_asked == 1


def test_what_is_said_belongs_to_the_board_that_was_clicked_last(pane):
    """Noticed: a step without a word about the question; a sentence that stays for all boards."""
    pane.show_view(frontier(n_closed=2), EIGHT)
    assert pane.question.text == "No answer. Which board comes next? Click it."
    pane.answer(pane.entries.rows.entries[0].board)
    entries = pane.entries.rows.entries
    pane.entries.chosen.emit([entry.head for entry in entries].index("f 24"))
    assert pane.question.text == "No: f = 24 is larger than f = 22. STEP continues."
    pane.entries.chosen.emit([entry.is_next for entry in entries].index(True))
    assert pane.question.text == "Right: f = 22 is the smallest. STEP continues."
    assert pane.question.n_asked == 1
    pane.show_view(frontier(n_closed=3), EIGHT)
    assert pane.question.text == "Which board comes next? Click it."


def test_a_step_without_a_question_leaves_no_answer_behind(pane):
    """Noticed: 'Right…' after a step of IDA* that prunes a child, which changes no list."""
    pane.entries.chosen.emit(0)
    pane.show_view(frontier(), EIGHT, is_new=False)  # as after another view was opened
    assert "STEP continues." in pane.question.text
    pane.show_view(frontier(), EIGHT)
    assert pane.question.text == "Press STEP to see what comes next."


def test_a_run_that_has_ended_promises_no_step(driver, qtbot):
    """Noticed: 'STEP continues.' while STEP is grey; a sentence that stays in the past."""
    pane = driver.choose("sliding", "a-star").view_stack.frontier
    driver.window.commands["ask_first"].perform()
    driver.set(units=1)
    driver.click(Action.GO)
    driver.state(State.FINISHED)
    qtbot.waitUntil(lambda: pane._hidden is not None)
    assert pane.question.text == "Which board comes next? Click it."
    pane.entries.chosen.emit(0)
    assert "STEP" not in pane.question.text
    empty = {name: getattr(pane.view, name)[:0] for name in ("boards", "values", "ties", "states")}
    pane.show_view(replace(pane.view, **empty), driver.page.run.started.puzzle)
    assert pane.question.text == "The run has finished."
    driver.page.watching.stepping_back.back()
    qtbot.waitUntil(lambda: driver.page.run.is_back)
    pane.entries.chosen.emit(0)
    assert "STEP" in pane.question.text


def test_a_step_that_changes_only_what_is_left_to_do_is_a_question(pane):
    """Noticed: a board without moves, after which the path is the same."""
    done, waiting = EntryState.DONE, EntryState.WAITING
    pane.show_view(path_of(waiting, waiting), EIGHT)
    pane.entries.chosen.emit(0)
    assert pane.question.n_asked == 1
    pane.show_view(path_of(done, waiting), EIGHT)
    pane.entries.chosen.emit(0)
    assert pane.question.n_asked == 2


def test_a_question_about_a_move_does_not_hide_the_views_of_another_solver(stack):
    """Noticed: a solver without a list, of which nothing is shown while a question is open."""
    stack.captions.setChecked(True)
    stack.offer(catalog.solver("wordtiles", "annealing").spec)
    stack.turn_asking()
    stack.show_views({ViewKind.FRONTIER: moves(EntryState.ACCEPTED, 3.0, 1.0)}, EIGHT)
    assert stack.frontier.hides_step
    stack.offer(catalog.solver("boggle", "exact").spec)
    stack.show_views({ViewKind.STEP: Step("A word is tried.")}, EIGHT)
    assert stack.caption == "A word is tried."


@pytest.mark.parametrize("was_open", [False, True])
@pytest.mark.parametrize("is_of_lesson", [False, True])
def test_the_list_that_a_question_opened_closes_with_it(stack, is_of_lesson, was_open):
    """Noticed: after the questions, a list that was not there before them."""
    stack.offer(catalog.solver("wordtiles", "annealing").spec)
    if was_open:
        stack.turn_frontier()
    turned = []
    stack.frontier_turned.connect(turned.append)
    for asks in (True, False):
        if is_of_lesson:
            stack.ask_for_lesson(asks=asks)
        else:
            stack.turn_asking()
        assert stack.is_asking is asks
    assert stack.is_frontier_open is was_open
    # What a lesson does is not the choice of the user, which is stored.
    assert turned == ([] if is_of_lesson or was_open else [True, False])


def test_a_move_that_is_shown_already_is_no_question(pane):
    pane.set_asking(False)
    pane.show_view(moves(EntryState.REJECTED, -3.0, 0.31), EIGHT)
    pane.set_asking(True)
    assert not pane.hides_step
    assert pane.question.text == "Press STEP to see what comes next."
    pane.show_view(moves(EntryState.ACCEPTED, 3.0, 1.0), EIGHT)
    assert pane.hides_step
    pane.show_view(None, None)
    assert not pane.hides_step
    shown = [label.text() for label in pane.findChildren(QLabel) if not label.isHidden()]
    assert shown.count(pane.question.text) == 1  # not said a second time in place of the list


def test_the_views_show_a_move_only_after_the_answer(driver, qtbot):
    """Noticed: the view above the question has the arrow 'Accepted'; a count that stays."""
    page = driver.choose("boggle", "annealing")
    stack = page.view_stack
    stack.choose(ViewKind.MOVE)
    driver.window.commands["ask_first"].perform()
    assert stack.frontier.is_asking
    assert not stack.frontier.isHidden()
    for n_moves in (1, 2):
        driver.settled()
        page.control.step()
        qtbot.waitUntil(
            lambda n=n_moves: stack.frontier.view is not None and stack.frontier.view.n_entries == n
        )
        driver.settled()
        assert stack.frontier.hides_step
        shown = stack._drawn.get(ViewKind.MOVE)
        newest = page.run.views[ViewKind.MOVE]
        assert shown is not newest
        stack.frontier.question.fate_chosen.emit(newest.accepted)
        assert stack._drawn[ViewKind.MOVE] is newest
        assert stack.frontier.question.n_right == n_moves
    driver.settled()
    page.run.run_changed.emit()
    assert stack.frontier.question.n_asked == 0
    driver.window.commands["show_frontier"].perform()
    assert not stack.frontier.is_asking


def test_a_move_made_before_the_questions_is_none(driver, qtbot):
    """Noticed: in a pause, the question whether a move is accepted whose result is on the board."""
    page = driver.choose("boggle", "annealing")
    stack = page.view_stack
    for _ in range(2):
        driver.settled()
        page.control.step()
    driver.settled()
    driver.window.commands["ask_first"].perform()
    qtbot.waitUntil(lambda: stack.frontier.view is not None)
    assert not stack.frontier.hides_step
    assert stack.frontier.question.text == "Press STEP to see what comes next."
    page.control.step()
    qtbot.waitUntil(lambda: stack.frontier.hides_step)


@pytest.mark.exhaustive
def test_the_tree_does_not_show_what_is_asked_for(driver, qtbot):
    """Noticed: the card next to the tree lists the next boards; a click that is no answer."""
    page = driver.choose("sliding", "a-star")
    stack = page.view_stack
    stack.choose(ViewKind.TREE)
    driver.window.commands["ask_first"].perform()
    for n_closed in (1, 2):
        driver.settled()
        page.control.step()
        qtbot.waitUntil(
            lambda n=n_closed: stack.frontier.view is not None and stack.frontier.view.n_closed == n
        )
    driver.settled()
    tree = stack.widgets[ViewKind.TREE]
    assert not tree.card._drawing.shows_next
    view = page.run.views[ViewKind.TREE]
    tree.canvas.node_clicked.emit(int(view.current))  # expanded already
    assert stack.frontier.question.n_asked == 0
    tree.canvas.node_clicked.emit(int(view.front[0]))
    assert (stack.frontier.question.n_right, stack.frontier.question.n_asked) == (1, 1)
    driver.window.commands["ask_first"].perform()
    assert tree.card._drawing.shows_next


@pytest.mark.parametrize("is_answered", [True, False])
@pytest.mark.parametrize("is_of_lesson", [True, False])
@pytest.mark.parametrize(
    ("puzzle", "solver", "kind"), [("sliding", "a-star", "tree"), ("boggle", "annealing", "move")]
)
def test_questions_go_on_in_another_language(
    driver, qtbot, any_language, puzzle, solver, kind, is_of_lesson, is_answered
):
    """Noticed: no question; a count that begins again; an answer that is counted twice or shown."""

    def step():
        driver.settled()
        driver.page.control.step()
        driver.settled()

    def answer(list_of_next):
        if list_of_next.hides_step:
            return list_of_next.question.fate_chosen.emit(True)
        return list_of_next.entries.chosen.emit(0)

    driver.choose(puzzle, solver)
    driver.page.view_stack.choose(ViewKind(kind))
    if is_of_lesson:  # whose list is not the choice of the user, which is stored
        driver.page.view_stack.ask_for_lesson(asks=True)
    else:
        driver.window.commands["ask_first"].perform()
    step()
    step()
    before = driver.page.view_stack
    qtbot.waitUntil(lambda: before.frontier._hidden is not None)
    if is_answered:
        answer(before.frontier)
    boards = [entry.board for entry in before.frontier.entries.rows.entries]
    driver.make_again("de")
    stack = driver.page.view_stack
    assert stack is not before
    assert stack.frontier.is_asking
    qtbot.waitUntil(lambda: stack.frontier.view is not None)
    driver.settled()
    # Noticed: boards that jump to their true order after the answer.
    assert [entry.board for entry in stack.frontier.entries.rows.entries] == boards
    assert stack.frontier.question.n_asked == is_answered
    assert (stack.frontier._hidden is None) == is_answered
    assert stack._drawn.keys() == before._drawn.keys()
    answer(stack.frontier)
    assert stack.frontier.question.n_asked == 1
    if is_answered:
        step()
        qtbot.waitUntil(lambda: stack.frontier._hidden is not None)
        answer(stack.frontier)
        assert stack.frontier.question.n_asked == 2
