"""What a search expands next, as a list below its view; pointing at a board marks it in both."""

from functools import partial
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted, labelled, number
from tilelab.core.views import ENTRY_WORDS, BoardPlace, EntryState, Frontier
from tilelab.gui.boards.tile_pictures import BoardTexts
from tilelab.gui.views.asking import (
    FATES,
    Answer,
    HiddenAnswer,
    QuestionBar,
    answer_board,
    answer_fate,
    can_ask,
    hide_answer,
    is_of_moves,
    is_same,
    next_words,
)
from tilelab.gui.views.entry_list import EntryList, ListedBoard
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.gui.widgets.parts import column_layout, row_layout, row_of, text_label
from tilelab.gui.widgets.theme import keep_themed, scaled, set_role

_MARGIN = 8
_MAX_ROWS, _MAX_HEIGHT = 2, 150  # of entries, if there is room, and in pixels
_CLOSED_SHARE = 0.3  # maximum part of the width for the boards expanded last


def entries_of(
    view: Frontier, texts: BoardTexts, next_place: int | None, wrong_place: int | None = None
) -> list[ListedBoard]:
    """Return the entries of a frontier; texts: of its boards.

    next_place, wrong_place: those to be tinted, the second one as a wrong answer.
    """
    columns = [tr(name) for name in view.columns]
    is_tied = np.diff(view.ties, prepend=-1, append=-1) == 0
    _, groups, sizes = np.unique(view.ties, return_inverse=True, return_counts=True)
    entries = []
    for place, row in enumerate(view.values.tolist()):
        named = [(name, value) for name, value in zip(columns, row, strict=True) if value == value]
        parts = [f"{name} {_signed(name, value)}" for name, value in named]
        state = EntryState(int(view.states[place]))
        said = tr(ENTRY_WORDS[state]) if ENTRY_WORDS[state] else ""
        head, rest = (said, parts) if state in FATES else (parts[-1], parts[:-1])
        n_tied, is_next = int(sizes[groups[place]]) - 1, place == next_place
        facts = [*parts, said] if said else parts
        facts += [tr("tied with {boards}", boards=counted(n_tied, "other board"))] * (n_tied > 0)
        facts += [view.tie_rule] * (n_tied > 0 and view.tie_rule != "")
        facts = [tr("next"), *facts] if is_next else facts
        facts = [tr("your answer"), *facts] if place == wrong_place else facts
        entries.append(
            ListedBoard(
                BoardPlace.of(view.boards, place, view.side),
                head,
                " ".join(rest),
                labelled(f"{place + 1}", f"{', '.join(facts)}; {texts.words(place)}"),
                state,
                view.on_path,
                (bool(is_tied[place]), bool(is_tied[place + 1])),
                is_next,
                place == wrong_place,
            )
        )
    return entries


def _signed(name: str, value: float) -> str:
    """Write a value; a difference always has a sign."""
    plus = "+" if name == "Δ" and value > 0 else ""
    return f"−{number(-value)}" if value < 0 else plus + number(value)


def closed_of(view: Frontier, texts: BoardTexts) -> list[ListedBoard]:
    """Return the boards expanded last; texts: of these boards."""
    return [
        ListedBoard(
            BoardPlace.of(view.closed, place, view.side),
            "",
            "",
            tr("expanded; {board}", board=texts.words(place)),
            EntryState.DONE,
            is_last=place == 0,
        )
        for place in range(len(view.closed))
    ]


class FrontierPane(QFrame):
    """The list of what comes next, and the boards expanded last."""

    board_pointed = Signal(object)  # emitted with the BoardPlace that is pointed at, or None
    answered = Signal()  # emitted when the user has answered a question

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("frontier_pane")
        set_role(self, "well")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.view: Frontier | None = None
        self._puzzle: Puzzle | None = None
        self._title, self._count = FittingLabel(self), text_label("small", self)
        set_role(self._title, "small")
        self._hint = text_label("muted", self)
        self.entries = EntryList("frontier", tr("What comes next"), self)
        self.closed = EntryList("expanded_last", tr("Expanded last"), self)
        for part in (self.entries, self.closed):
            part.pointed.connect(partial(self._point, part))
        self.entries.chosen.connect(self._choose)
        self.question = QuestionBar(self)
        self.question.fate_chosen.connect(self._say_fate)
        self.question.hide()
        self._hidden: HiddenAnswer | None = None  # list that is shown until the answer
        self._answered: HiddenAnswer | None = None  # the list of a question that was answered
        self._wrong: int | None = None  # place in it of an answer that was wrong
        self._is_compact, self._max_rows = False, _MAX_ROWS
        self._head, hint = QWidget(self), (self._hint, 1, Qt.AlignmentFlag.AlignTop)
        row_layout(self._head, 0, 12, (self._title, 1), self.question.score, self._count)
        lists = row_of((self.entries, 1), hint, self.closed, spacing=12)
        self._whole = column_layout(self, _MARGIN, 4, self._head, (lists, 1), self.question)
        keep_themed(self, self._show)  # entries are as wide as their texts

    def show_view(
        self, view: Frontier | None, puzzle: Puzzle | None, *, is_new: bool = True
    ) -> None:
        """Show a frontier of a search on a puzzle; None before there is one.

        is_new: whether its newest move was made just now, so that there is a question about it.
        """
        if view is self.view and view is not None:
            return
        if self.is_asking and not is_same(view, self.view):
            is_known = not is_new and view is not None and is_of_moves(view)
            self._ask(None if is_known else view, is_after_skipped=self._hidden is not None)
        elif self.is_asking and is_new and self._answered is not None:
            self._ask(None)  # a step that changes nothing here, such as one that prunes a child
        is_asked = self._hidden is not None and not is_same(view, self.view)
        self.view, self._puzzle = view, puzzle
        self._show()
        if is_asked:
            self.entries.reveal(0)  # an answer may have scrolled to the end

    @property
    def is_asking(self) -> bool:
        """Whether it asks for the next step."""
        return not self.question.isHidden()

    @property
    def hides_step(self) -> bool:
        """Whether a question is about the fate of the newest move, which no view may show."""
        return self._hidden is not None and self.view is not None and is_of_moves(self.view)

    def set_asking(self, is_asking: bool) -> None:
        """Ask for each step, counted from zero, or ask no longer."""
        self.question.forget()
        self.question.setVisible(is_asking)
        # The fate of a move that is shown already is no question.
        is_known = self.view is None or is_of_moves(self.view)
        self._ask(None if is_known or not is_asking else self.view)
        self._show()
        self.entries.reveal(self._next_place)
        self.answered.emit()

    def set_ended(self, has_ended: bool) -> None:
        """Set whether the run has ended, so that no step follows."""
        if has_ended is not self.question.has_ended:
            self.question.set_ended(has_ended)
            self._show()

    def take_over(self, before: "FrontierPane") -> None:
        """Ask as another list does, which is in another language, and continue its count."""
        if before.is_asking:
            self.question.take_over(before.question)
            if before._hidden is not None:
                self._ask(self.view)
            else:  # the question about it has been answered
                if self.view is None:
                    self.view, self._puzzle = before.view, before._puzzle
                if is_same(self.view, before.view):
                    self._answered, self._wrong = before._answered, before._wrong
            self._show()

    def follow_in_tab_order(self, before: QWidget) -> None:
        """Place the lists after a widget in the Tab order."""
        order = before, self.entries, self.closed, *self.question.buttons
        for here, there in pairwise(order):
            QWidget.setTabOrder(here, there)

    def answer(self, board: BoardPlace) -> None:
        """Take a board of a view as the answer, if a question about boards is open."""
        place = self.entries.rows.place_of(board)
        if place is not None:
            self._choose(place)

    def _ask(self, view: Frontier | None, *, is_after_skipped: bool = False) -> None:
        self._answered = self._wrong = None
        self._hidden = hide_answer(view) if view is not None and can_ask(view) else None
        if self._hidden is not None:
            self.entries.clear_current()  # which is the answer to the question before
        self.question.ask(view, is_after_skipped=is_after_skipped and view is not None)

    def _choose(self, place: int) -> None:
        if self.view is None or is_of_moves(self.view):
            return
        if self._hidden is not None:
            answer = answer_board(self.view, self._hidden.places[place])
            self._wrong = None if answer.is_right else place
            self._show_answer(answer)
            if answer.is_right:  # of many equal boards, the next one may be out of view
                self.mark(self.entries.rows.entries[place].board)
        elif self._answered is not None:
            self.question.explain(answer_board(self.view, self._answered.places[place]))

    @Slot(bool)
    def _say_fate(self, accepted: bool) -> None:
        if self._hidden is not None and self.view is not None:
            self._show_answer(answer_fate(self.view, accepted=accepted))

    def _show_answer(self, answer: Answer) -> None:
        self._hidden, self._answered = None, self._hidden
        self.question.show_answer(answer)
        self._show()
        self.entries.reveal(self._next_place)
        self.answered.emit()

    def _show(self) -> None:
        view, puzzle = self.view, self._puzzle
        is_empty = view is None or not len(view.boards)
        none, how = tr("No board comes next."), next_words(has_ended=self.question.has_ended)
        self._hint.setText(how if view is None else none)
        # An empty box would only take the room of the board, so its heading says that it is empty.
        is_line = is_empty and view is not None and (self._is_compact or self._max_rows == 1)
        # The question says the same as before the first step.
        is_said = is_line or (view is None and self.is_asking)
        self._hint.setVisible(is_empty and not is_said)
        self.entries.setVisible(not is_empty)
        has_closed = view is not None and view.n_closed >= 0
        # Those that a run at full speed has expanded last may not be known.
        is_unknown = view is not None and view.n_closed > 0 and not len(view.closed)
        self.closed.setVisible(has_closed and not (is_unknown or self._is_compact or is_line))
        # The score needs the room of this number, which the result has, too.
        has_count = has_closed and not self._is_compact and self.question.score.isHidden()
        self._count.setVisible(has_count)
        name = title = whole = short = count = tr("What comes next")
        if view is not None and EntryState.LEFT in view.states:
            name = tr("Left at the end")
        if view is not None and puzzle is not None:
            asked = self._hidden or (None if is_of_moves(view) else self._answered)
            listed = view if asked is None else asked.view
            texts = BoardTexts.of(puzzle, listed.boards)
            entries = entries_of(listed, texts, self._next_place, self._wrong)
            self.entries.show_entries(entries, texts, is_compact=self._is_compact)
            texts = BoardTexts.of(puzzle, view.closed)
            self.closed.show_entries(closed_of(view, texts), texts)
            count = figures(view.n_entries, ",")
            title = whole = labelled(view.title, count)
            short = labelled(view.short_title or view.title, count)
            if 0 < len(view.boards) < view.n_entries:
                shown = figures(len(view.boards), ",")
                whole = tr("{title}; the first {n_shown} are here", title=title, n_shown=shown)
            self._count.setText(tr("Expanded: {count}", count=figures(view.n_closed, ",")))
        longer = () if view is None else (f"{name} · {whole}", f"{name} · {title}")
        # A part of the number would be another one.
        wordings = *longer, whole, title, short, count
        if is_line:
            wordings = *(f"{words} · {none}" for words in (*longer[1:], title, short)), none
        self._title.show_wordings(*wordings)
        self._title.setToolTip(whole)
        self.entries.setAccessibleDescription(whole)
        self._fit()

    @property
    def _next_place(self) -> int | None:
        """Place of the next board in the shown list; None during a question, or if not known."""
        following = None if self.view is None else self.view.next_place
        if following is None or self._hidden is not None:
            return None
        # A board that was clicked third stays the third one until the next step.
        return following if self._answered is None else self._answered.places.index(following)

    @property
    def pointed(self) -> BoardPlace | None:
        """Board that is pointed at, by the mouse or the keys."""
        places = ((part.rows.entries, part.pointed_place) for part in (self.entries, self.closed))
        return next((entries[place].board for entries, place in places if place is not None), None)

    def set_low(self, is_low: bool) -> None:
        """Show only one row, where two would take the room of the view; or as many as usual."""
        n_rows = 1 if is_low else _MAX_ROWS
        if n_rows != self._max_rows:
            self._max_rows = n_rows
            self._show()

    def set_compact(self, is_compact: bool) -> None:
        """Show only one row of small boards, where there is little room; or all again."""
        if is_compact is not self._is_compact:
            self._is_compact = is_compact
            margin = scaled(_MARGIN // 2 if is_compact else _MARGIN)
            self._whole.setContentsMargins(margin, margin, margin, margin)
            self._show()

    def mark(self, board: BoardPlace | None) -> None:
        """Mark a board that is pointed at in a view."""
        for part in (self.entries, self.closed):
            part.mark(board)

    def _point(self, source: EntryList, place: int | None) -> None:
        self.board_pointed.emit(None if place is None else source.rows.entries[place].board)

    def _fit(self) -> None:
        """Give the lists the height of their rows."""
        for part in (self.entries, self.closed):
            part.setMinimumHeight(self._height(1))
            part.setMaximumHeight(self._height(self._n_rows))
        self._share_width()
        self.updateGeometry()

    def _share_width(self) -> None:
        """Give the boards expanded last as many columns as they need, if there is room."""
        across, n_closed = max(self.closed.item_size.width(), 1), len(self.closed.rows.entries)
        columns = max(min(int(_CLOSED_SHARE * self.width()) // across, n_closed), 1)
        bar = self.closed.verticalScrollBar().sizeHint().width()
        width = columns * across + bar + scaled(8)
        if self.closed.minimumWidth() != width:
            self.closed.setFixedWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def sizeHint(self) -> QSize:
        least = super().minimumSizeHint().height()
        return QSize(scaled(360), least + self._height(self._n_rows) - self._height(1))

    @property
    def _n_rows(self) -> int:
        """Maximum number of rows of entries."""
        if self._is_compact:
            return 1
        height = max(self.entries.item_size.height(), 1)
        return min(max(scaled(_MAX_HEIGHT) // height, 1), self._max_rows)

    def _height(self, n_rows: int) -> int:
        bar = self.entries.horizontalScrollBar().sizeHint().height() if n_rows == 1 else 0
        return n_rows * self.entries.item_size.height() + bar + scaled(4)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(200), super().minimumSizeHint().height())
