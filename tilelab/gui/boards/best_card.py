"""The card at the right of a page, the part that all puzzles share."""

from math import floor

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.wording import about, counted, duration
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    Part,
    column_layout,
    heading_of,
    push_button,
    row_layout,
    text_label,
)

MARGIN = 16


class BestCard(Card):
    """A value in large figures, what it counts, and when it was found."""

    copied = Signal(str)  # emitted with a sentence when something was copied
    needed = Signal()  # emitted before the keyboard goes to a part of it
    film_requested = Signal()  # emitted when the user asks for a film of the solution

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """name: the accessible name."""
        super().__init__(parent, "best_panel", name)
        self._best_seconds: float | None = None
        self._moment = ""
        self._title, self._value = text_label("title", self), text_label("display", self)
        self._of, self._age = text_label("muted", self), text_label("small", self)
        self._value.setObjectName("best_value")
        self._age.setToolTip(tr("When this board was found"))
        self._whose = text_label("muted", self, wraps=True)
        self._whose.hide()

    def name_solvers(self, of_result: str, chosen: str) -> None:
        """Say whose result is shown while another solver is chosen; '' for no need to.

        of_result, chosen: titles of the solvers of the result and of the next run.
        """
        words = tr(
            "Result of {solver}; START AGAIN runs {chosen}.", solver=of_result, chosen=chosen
        )
        self._whose.setText(words if of_result else "")
        self._whose.setVisible(bool(of_result))

    def show_played(self, moves: str) -> None:
        """Offer the moves of a game by hand to be copied; do nothing by default.

        moves: letters of the moves, '' for none.
        """

    def show_moment(self, text: str) -> None:
        """Say when the board was found instead of how long ago; '' for the best so far."""
        self._moment = text
        self._age.setText(text)

    def show_age(self, seconds: float | None) -> None:
        """Say how long ago the best was found; seconds: the running time now.

        None while the run is paused; then the running time of the best is shown.
        """
        if self._moment:
            return
        found, text = self._best_seconds, ""
        if found is not None and seconds is not None:
            text = tr("{time} ago", time=about(floor(max(seconds - found, 0.0))))
        elif found is not None:
            text = tr("after {time}", time=duration(found)) if found > 0 else tr("at the start")
        self._age.setText(text)

    def _show_worth(self, figures: str, what: str) -> None:
        """Show a value and the unit that it counts."""
        self._value.setText(figures)
        self._of.setText(what)

    def _lay_out_card(self, *parts: Part) -> QVBoxLayout:
        """Lay out the top of the card and the parts below it."""
        manual = ManualButton(tr("The result"), self)
        heading = heading_of(self._title, manual, STRETCH, self._age, spacing=None)
        values = row_layout(spacing=8)
        # Reserve the height, so that nothing below moves when the first value comes.
        values.addStrut(48)
        values.addWidget(self._value, 0, Qt.AlignmentFlag.AlignBaseline)
        values.addWidget(self._of, 1, Qt.AlignmentFlag.AlignBaseline)
        return column_layout(self, MARGIN, 8, heading, self._whose, values, *parts)


class MovesBar(QWidget):
    """Buttons that copy the moves of a solution, or ask for a film of it."""

    def __init__(self, film_tip: str, card: BestCard) -> None:
        """film_tip: a sentence about what the film shows. card: card that emits the signals."""
        super().__init__(card)
        self._card = card
        self.moves = ""  # letters of the moves, or ''
        self.played = ""  # those of a game by hand, which are copied if there is no solution
        tip = tr("Copy the moves of the blank, as letters U D L R")
        self._copy = push_button(tr("Copy moves"), "copy_moves", tip, self, self.copy)
        self._film = push_button(tr("Film…"), "film", film_tip, self, card.film_requested)
        row_layout(self, 0, 8, self._copy, self._film)

    def set_moves(self, moves: str) -> None:
        self.moves = moves
        self._allow()

    def set_played(self, moves: str) -> None:
        self.played = moves
        self._allow()

    @Slot()
    def copy(self) -> None:
        """Put the letters of the moves on the clipboard."""
        if moves := self.moves or self.played:
            QGuiApplication.clipboard().setText(moves + "\n")
            count = counted(len(moves), "move")
            self._card.copied.emit(tr("Copied {count} of the blank.", count=count))

    def _allow(self) -> None:
        self._copy.setEnabled(bool(self.moves or self.played))
        self._film.setEnabled(bool(self.moves))
