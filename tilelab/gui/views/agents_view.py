"""The agents of a colony: their boards, their loyalty, and which agent follows which."""

import dataclasses

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import Agents
from tilelab.gui.boards.tile_pictures import BoardTexts
from tilelab.gui.views.boards_picture import BoardsPicture, Footer, SmallBoards

_FOOT_WIDTH = 70.0  # width of the longest text below a board, in pixels
_NOTE = marked("probability of staying loyal, in percent")


def agents_picture(view: Agents, puzzle: Puzzle) -> BoardsPicture:
    """Draw the boards of all agents, with lines from each to the one that it follows."""
    top = view.values.max(initial=0.0)
    feet = [
        Footer(
            f"{agent + 1}",
            number(value),
            value == top,
            *_choice(view, agent),
            bool(view.loyal[agent]),
        )
        for agent, value in enumerate(view.values.tolist())
    ]
    n_loyal = int(view.loyal.sum())
    words = tr(
        "Slide {slide}: {n_agents}, {n_loyal} loyal",
        slide=figures(view.slide, ","),
        n_agents=counted(len(feet), "agent"),
        n_loyal=figures(n_loyal, ","),
    )
    follows = enumerate(view.follows.tolist())
    links = [(agent, followed) for agent, followed in follows if agent != followed]
    texts = BoardTexts.of(puzzle, view.boards)
    return BoardsPicture(texts, feet, words, _FOOT_WIDTH, tr(_NOTE), links)


def one_of(picture: BoardsPicture, agent: int) -> BoardsPicture:
    """Return the view of a single agent, with the agent that it follows, if any."""
    chosen = [agent, *(end for begin, end in picture.links if begin == agent)]
    codes = picture.texts.codes[chosen]
    return dataclasses.replace(
        picture,
        texts=dataclasses.replace(picture.texts, codes=codes),
        feet=[picture.feet[place] for place in chosen],
        links=[(0, 1)] if len(chosen) > 1 else [],
    )


class AgentsView(SmallBoards):
    """A view of the agents; the lines of the hovered or focused one are bold.

    A chosen agent is shown large, with the one that it follows; choosing again, or Escape, shows
    all.
    """

    agent_opened = Signal(object)
    """Emitted with the board of the agent shown large, uint8 (cells,), or None when all are shown.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Agent"), parent)
        self.setObjectName("agents_view")
        self.setAccessibleName(tr("Agents"))
        self._view: Agents | None = None
        self._all: BoardsPicture | None = None
        self._open: int | None = None
        self.board_chosen.connect(self._turn)

    def show_view(self, view: Agents, puzzle: Puzzle) -> None:
        """Show the agents after another slide; an agent shown large stays large."""
        self._view, self._all = view, agents_picture(view, puzzle)
        if self._open is not None and self._open >= len(view.boards):
            self._open = None
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._open is not None:
            self._turn()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.agent_opened.emit(None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()

    @Slot(int)
    def _turn(self, agent: int | None = None) -> None:
        """Show an agent large, or all again."""
        was_open, self._open = self._open, agent if self._open is None else None
        self._show()
        focused = 0 if self._open is not None else was_open
        self.focus_board(focused if self.hasFocus() else None)

    def _show(self) -> None:
        if self._all is not None:
            shown = self._all if self._open is None else one_of(self._all, self._open)
            self.show_boards(shown)
            self._tell()

    def _tell(self) -> None:
        if self._view is not None and self.isVisible():
            is_open = self._open is not None
            self.agent_opened.emit(self._view.boards[self._open] if is_open else None)


def _choice(view: Agents, agent: int) -> tuple[str, str]:
    """Return which board an agent continues from, in short and in words."""
    chance, followed = figures(view.chances[agent], ".0%"), int(view.follows[agent]) + 1
    if view.loyal[agent]:
        return tr("loyal · {chance}", chance=chance), tr(
            "stays loyal, probability {chance}", chance=chance
        )
    return f"→ {followed} · {chance}", tr(
        "follows {followed}, probability of loyalty {chance}", followed=followed, chance=chance
    )
