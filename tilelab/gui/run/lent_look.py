"""The look of a page, which a lesson borrows: its view, its pseudocode and its speed."""

from collections.abc import Callable
from typing import NamedTuple, final

from PySide6.QtCore import QObject, Signal

from tilelab.core.views import ViewKind
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.views.view_stack import ViewStack


@final
class Look(NamedTuple):
    view: ViewKind | None
    pseudocode: bool  # whether it is open
    pace: float | None  # steps per second; None for full speed


class LentLook(QObject):
    """The look of a page, and the user's own one while a lesson has another."""

    pace_wanted = Signal(object)  # emitted with the speed that a lesson or its end wants

    def __init__(self, stack: ViewStack, context: RunContext, parent: QObject) -> None:
        super().__init__(parent)
        self._stack, self._context = stack, context
        self._looks: tuple[Look, Look] | None = None
        """The user's own look and that of a lesson, until the own one returns."""

    def take_over(self, before: "LentLook") -> None:
        """Take over whose look it is from another page, which shows the same."""
        self._looks = before._looks

    def lend(self, view: ViewKind | None, pace: float | None, *, with_pseudocode: bool) -> None:
        """Show the look of a lesson until :meth:`give_back`."""
        own = self._look
        self._show(Look(view, own.pseudocode or with_pseudocode, pace))
        self._looks = own, self._look

    def give_back(self) -> None:
        """Show the user's own look; what the user has changed meanwhile stays."""
        if self._looks is None:
            return
        (own, lent), now, pace = self._looks, self._look, self.own_pace
        self._looks = None
        # A solver may not have the view of the lesson.
        view = own.view if now.view in (lent.view, None) else now.view
        code = own.pseudocode if now.pseudocode is lent.pseudocode else now.pseudocode
        self._show(Look(view, code, pace))

    def keeper(self) -> Callable[["LentLook"], None]:
        """Return a function that restores the look of now, on any page."""
        look, looks = self._look, self._looks

        def restore(lent: LentLook) -> None:
            lent._show(look)
            lent._looks = looks

        return restore

    @property
    def own_pace(self) -> float | None:
        """Steps per second that the user has chosen, not those of a lesson; None for full speed."""
        pace = self._context.client.pace
        if self._looks is None:
            return pace
        own, lent = self._looks
        return own.pace if pace == lent.pace else pace

    @property
    def _look(self) -> Look:
        stack = self._stack
        return Look(stack.chosen, stack.pseudocode.isChecked(), self._context.client.pace)

    def _show(self, look: Look) -> None:
        self._stack.choose(look.view)
        self._stack.pseudocode.setChecked(look.pseudocode)
        self.pace_wanted.emit(look.pace)
