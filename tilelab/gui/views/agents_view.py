"""The agents of a colony: their boards, who stays loyal to its own, and who follows whom."""

from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.views import Agents
from tilelab.core.wording import counted, number
from tilelab.gui.boards.tile_texts import BoardTexts
from tilelab.gui.views.boards_picture import BoardsPicture, Foot
from tilelab.gui.views.small_boards import SmallBoards

_FOOT_WIDTH = 70.0
"""Pixels of the longest text below a board."""
_NOTE = "in percent: the chance to stay loyal"


def agents_picture(view: Agents, puzzle: Puzzle) -> BoardsPicture:
    """Draw the boards of all agents, with lines from each to the one that it follows."""
    top = view.values.max(initial=0.0)
    feet = [
        Foot(
            f"{agent + 1}",
            number(value),
            value == top,
            *_choice(view, agent),
            bool(view.loyal[agent]),
        )
        for agent, value in enumerate(view.values.tolist())
    ]
    n_loyal = int(view.loyal.sum())
    words = f"Slide {view.slide:,}: {counted(len(feet), 'agent')}, {n_loyal:,} loyal"
    follows = enumerate(view.follows.tolist())
    links = [(agent, followed) for agent, followed in follows if agent != followed]
    texts = BoardTexts.of(puzzle, view.boards)
    return BoardsPicture(texts, feet, words, _FOOT_WIDTH, _NOTE, links)


class AgentsView(SmallBoards):
    """Shows the agents; the lines of the one that mouse or keyboard points at are strong."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Agent", parent)
        self.setObjectName("agents_view")
        self.setAccessibleName("Agents")

    def show_view(self, view: Agents, puzzle: Puzzle) -> None:
        """Show the agents after another slide."""
        self.show_boards(agents_picture(view, puzzle))


def _choice(view: Agents, agent: int) -> tuple[str, str]:
    """Say whom an agent goes on from, in short and in words."""
    chance, followed = f"{view.chances[agent]:.0%}", int(view.follows[agent]) + 1
    if view.loyal[agent]:
        return f"loyal · {chance}", f"stays loyal, chance {chance}"
    return f"→ {followed} · {chance}", f"follows {followed}, chance of loyalty {chance}"
