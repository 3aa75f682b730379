"""Questions about the next step of a run, and why an answer is right or wrong."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import capital, number
from tilelab.core.views import EntryState, Frontier
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.parts import calling, row_layout, small_button, text_label
from tilelab.gui.widgets.theme import keep_themed

FATES = (EntryState.ACCEPTED, EntryState.REJECTED)  # states of moves


class Answer(NamedTuple):
    is_right: bool
    reason: str  # clause, such as 'f = 5 is larger than f = 3'


def is_of_moves(view: Frontier) -> bool:
    """Return whether a list has moves, so that a question is about the fate of the newest."""
    return bool(len(view.states)) and view.states[0] in FATES


def can_ask(view: Frontier) -> bool:
    """Return whether there is a question about a list with more than one answer."""
    return is_of_moves(view) or (view.next_place is not None and len(view.boards) > 1)


def answer_board(view: Frontier, place: int) -> Answer:
    """Judge a board as the answer to which one comes next; of equal boards each is right."""
    following = view.next_place
    assert following is not None
    is_right = view.ties[place] == view.ties[following]
    if view.on_path:
        return Answer(is_right, _reason_on_path(view, place, is_right=is_right))
    name, column = tr(view.columns[-1]), view.values[:, -1]
    chosen, first = (f"{name} = {number(value)}" for value in column[[place, following]])
    if column[following] == column.min():
        smallest, differs = tr("{value} is the smallest"), tr("{value} is larger than {other}")
    elif column[following] == column.max():
        smallest, differs = tr("{value} is the largest"), tr("{value} is smaller than {other}")
    else:
        smallest = differs = ""
    if is_right and place != following:
        rule = view.tie_rule or tr("the rule for ties takes another")
        return Answer(True, tr("{value}, too; {rule}", value=chosen, rule=rule))
    if is_right:
        reason = smallest.format(value=chosen)
    else:
        reason = differs.format(value=chosen, other=first) if chosen != first else ""
    words = tr("it is the first") if is_right else tr("another board is before it")
    return Answer(is_right, reason or words)


def _reason_on_path(view: Frontier, place: int, *, is_right: bool) -> str:
    if is_right:
        return tr("it is the deepest board with a move left")
    if view.states[place] == EntryState.DONE:
        return tr("it has no move left")
    return tr("a deeper board has a move left")


def answer_fate(view: Frontier, *, accepted: bool) -> Answer:
    """Judge whether the newest move was accepted."""
    was_accepted = view.states[0] == EntryState.ACCEPTED
    values = dict(zip(view.columns, view.values[0].tolist(), strict=True))
    odds, result = values.get("p"), tr("accepted") if was_accepted else tr("rejected")
    if odds is not None and 0.0 < odds < 1.0:
        share = odds if was_accepted else 1.0 - odds
        reason = tr("{result}, with probability {odds}", result=result, odds=figures(share, ".2g"))
    elif values["Δ"] < 0:
        reason = tr("{result}, for the board gets worse", result=result)
        if was_accepted:
            reason = tr("{result}, although the board gets worse", result=result)
    else:
        reason = tr("{result}, for the board does not get worse", result=result)
        if not was_accepted:
            reason = tr("{result}, although the board does not get worse", result=result)
    return Answer(accepted == was_accepted, reason)


class HiddenAnswer(NamedTuple):
    """A list that does not show the answer."""

    view: Frontier
    places: list[int]  # place of each of its entries in the list itself


def hide_answer(view: Frontier) -> HiddenAnswer:
    """Return a list without the fate and odds of the newest move, or in a meaningless order.

    The order follows from the boards alone, so that each look at a moment shows the same one.
    """
    places = list(range(len(view.boards)))
    states = np.full(len(places), EntryState.WAITING, np.uint8)
    if not is_of_moves(view):
        places.sort(key=lambda place: view.boards[place].tobytes())
        # Neighbours in this order are alike, and the next board would often be the first.
        seed = zlib.crc32(view.boards[places].tobytes())
        places = np.random.default_rng(seed).permutation(places).tolist()
    boards, values = view.boards[places], view.values[places]
    if is_of_moves(view):
        states[1:] = view.states[1:]
        values[0, 2:] = np.nan
    ties = np.arange(len(places))
    hidden = replace(view, boards=boards, values=values, ties=ties, states=states)
    return HiddenAnswer(hidden, places)


def next_words(*, has_ended: bool) -> str:
    """Return what is said in place of a list that is not known. has_ended: whether the run has."""
    if has_ended:
        return tr("The run has finished.")
    return tr("Press STEP to see what comes next.")


class QuestionBar(QWidget):
    """The question, the answer with its reason, and how many were right."""

    fate_chosen = Signal(bool)  # emitted with whether the user thinks that the move is accepted

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("question_bar")
        self._label = text_label("", self, wraps=True)
        keep_themed(self._label, self._fit)
        self.score = text_label("small", parent)
        """Label of the number of right answers, for a place next to the heading of the list."""
        self.buttons: list[QPushButton] = []
        for name, title, is_accepted in (
            ("say_accepted", capital(tr("accepted")), True),
            ("say_rejected", capital(tr("rejected")), False),
        ):
            chosen = calling(self.fate_chosen.emit, is_accepted)
            self.buttons.append(small_button(title, name, "", self, chosen))
        row_layout(self, 0, 8, (self._label, 1), *self.buttons)
        self.n_right = self.n_asked = 0
        self.has_ended = False
        """Whether the run has ended, so that STEP does not continue it; see set_ended."""
        self._say_again: Callable[[], None] = partial(self.ask, None)
        self.forget()

    @property
    def text(self) -> str:
        """Question or answer that is shown."""
        return self._label.text()

    @Slot()
    def forget(self) -> None:
        """Count from zero."""
        self.n_right = self.n_asked = 0
        self._show_score()

    def take_over(self, before: "QuestionBar") -> None:
        """Continue the count of another bar, before its next question."""
        self.n_right, self.n_asked = before.n_right, before.n_asked
        self._show_score()
        self.ask(None)
        self.show()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._show_score()

    def ask(self, view: Frontier | None, *, is_after_skipped: bool = False) -> None:
        """Ask what comes next in a list, if there is more than one possible answer.

        None: nothing is known of the next step. is_after_skipped: whether the question before has
        no answer.
        """
        self._say_again = partial(self.ask, view, is_after_skipped=is_after_skipped)
        is_of_fate = view is not None and is_of_moves(view)
        for button in self.buttons:
            button.setVisible(is_of_fate)
        if is_of_fate:
            words = tr("Is it accepted?")
        elif view is not None and can_ask(view):
            words = tr("Which board comes next? Click it.")
        elif view is None or self.has_ended:
            words, is_after_skipped = next_words(has_ended=self.has_ended), False
        else:
            words = tr("There is nothing to choose from in this step. STEP continues.")
        self._say(tr("No answer. {question}", question=words) if is_after_skipped else words)

    def show_answer(self, answer: Answer) -> None:
        """Show whether an answer is right, and why; count it."""
        self.n_asked += 1
        self.n_right += answer.is_right
        for button in self.buttons:
            button.hide()
        self._show_score()
        self.explain(answer)

    def explain(self, answer: Answer) -> None:
        """Show whether a board would be right, and why; and how to continue."""
        self._say_again = partial(self.explain, answer)
        words = tr("Right: {reason}.") if answer.is_right else tr("No: {reason}.")
        then = "" if self.has_ended else tr("STEP continues.")
        self._say(f"{words.format(reason=answer.reason)} {then}".rstrip())

    def set_ended(self, has_ended: bool) -> None:
        """Set whether the run has ended, so that STEP does not continue it."""
        self.has_ended = has_ended
        self._say_again()

    def _show_score(self) -> None:
        n_right, n_asked = (figures(count, ",") for count in (self.n_right, self.n_asked))
        text = tr("{n_right} of {n_asked} right at once", n_right=n_right, n_asked=n_asked)
        self.score.setText(text)
        self.score.setVisible(self.n_asked > 0 and not self.isHidden())

    def _fit(self) -> None:
        """Keep two lines, so that nothing above moves with a longer sentence."""
        self._label.setFixedHeight(2 * self._label.fontMetrics().lineSpacing())

    def _say(self, text: str) -> None:
        self._label.setText(text)
        self._label.setToolTip(text)
        if self.isVisible():
            announce(self, text)


def is_same(one: Frontier | None, other: Frontier | None) -> bool:
    """Return whether two lists are of the same moment."""
    if one is None or other is None:
        return one is other
    return (
        (one.side, one.n_closed, one.n_entries) == (other.side, other.n_closed, other.n_entries)
        and np.array_equal(one.boards, other.boards)
        and np.array_equal(one.states, other.states)
        and np.array_equal(one.values, other.values, equal_nan=True)
    )
