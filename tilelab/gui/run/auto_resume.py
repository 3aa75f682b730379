"""Lets a run go on by itself as soon as it has been opened."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from tilelab.runs.session import Action, State

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage


class RunOn(QObject):
    """Presses RESUME for a person who has asked for a run to go on, and not just to be shown."""

    def __init__(self, page: "PuzzlePage") -> None:
        super().__init__(page)
        self._page = page
        self._awaited = ""
        page.standing_changed.connect(self._follow)

    def expect(self, key: str) -> None:
        """Let the run of a key go on when it is there."""
        self._awaited = key

    @Slot()
    def _follow(self) -> None:
        page, begun = self._page, self._page.run_begun
        if begun is None or begun.key != self._awaited or page.standing.pending:
            return
        self._awaited = ""
        if page.standing.state is State.PAUSED:
            said = page.notice.text
            page.act(Action.RESUME)
            if said:  # what was said of the opening has still to be read
                page.notice.show_note(said)
        elif page.standing.limit_reached:
            page.notice.show_note("The run stands at its limit; raise it, and RESUME.")
