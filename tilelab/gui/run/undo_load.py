"""Undo and Redo of what LOAD puts in the place of a puzzle or a run."""

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shortened
from tilelab.gui.run.messages import BringBack, Replaced, RunBefore
from tilelab.gui.run.run_control import RunControl
from tilelab.gui.widgets.notice_bar import NoticeBar

MAX_TITLE = 40  # largest number of a title's characters in a sentence
# A user who shuffles and searches in turns would fill the memory. When the next run starts, the
# oldest runs before are given up, so that no more are kept.
MAX_KEPT_RUNS = 5
MAX_KEPT_BYTES = 200 << 20


class LoadedFace(Protocol):
    """What Undo has to know of the part of a page that belongs to its puzzle."""

    @property
    def title(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what LOAD replaces, such as a board and its words; a notice has the first."""
        ...

    @property
    def subject(self) -> object:
        """Object that an offer is about; another one when the board changes."""
        ...

    @property
    def subjects(self) -> Sequence[object]:
        """The subject, and those of the boards that Undo on the board goes back to."""
        ...

    def loaded_words(self) -> str:
        """Return a sentence about the loaded puzzle."""
        ...

    def keeper(self) -> Callable[[Any], object]:
        """Return a function that restores what was done on the board, once its puzzle is loaded.

        It takes the face that shows it, which may be another one of this kind.
        """
        ...

    def forget_redo(self) -> None:
        """Drop the changes of the board that were undone."""
        ...

    @property
    def keeps_run_before(self) -> bool:
        """Whether Undo brings a replaced run back even after the next run has started."""
        ...


class LoadingPage(Protocol):
    """What Undo has to know of a page."""

    @property
    def face(self) -> LoadedFace: ...
    @property
    def notice(self) -> NoticeBar: ...
    @property
    def control(self) -> RunControl: ...
    @property
    def undo_load(self) -> "UndoLoad[Any]": ...
    def present(self) -> Replaced: ...  # describes what is shown, and how to bring that back


P = TypeVar("P", bound=LoadingPage)


class Here(Generic[P]):
    """The page where offers bring something back: the one that has taken over last."""

    def __init__(self, page: P) -> None:
        self.page = page
        self._runs: list[weakref.ref[RunBefore]] = []  # runs before, oldest first

    def keep(self, run: RunBefore) -> RunBefore:
        """Count a run among those that :meth:`give_up` may give up; returns it."""
        self._runs.append(weakref.ref(run))
        return run

    def give_up(self, n_safe: int) -> None:
        """Give up the oldest runs that are too many or take too much; n_safe: not the last ones."""
        runs = [run for ref in self._runs if (run := ref()) is not None and run.open_again]
        while len(runs) > n_safe and (
            len(runs) > MAX_KEPT_RUNS or sum(run.n_bytes for run in runs) > MAX_KEPT_BYTES
        ):
            runs.pop(0).open_again = None
        self._runs = list(map(weakref.ref, runs))


@dataclass(eq=False)
class _Offer:
    """Function that undoes a load."""

    here: Here[Any]
    replaced: Replaced
    has_subject: bool  # whether the key of Undo is about it, too
    waits: bool = False  # whether a run must stop before; it was not started by the load

    @property
    def is_given_up(self) -> bool:
        return self.replaced.run is not None and self.replaced.run.open_again is None

    def __call__(self) -> None:
        now = self.here.page.undo_load
        now.undo(self.replaced, now._face.subject if self.has_subject else None)


class UndoLoad(QObject, Generic[P]):
    """Offers to bring back what a load has replaced, and to load again what was undone.

    Both are about a board, and are offered until it changes: later changes are undone first.
    """

    changed = Signal()  # emitted when something else may be offered

    def __init__(self, page: P) -> None:
        super().__init__(page.notice)
        self.here = Here(page)
        """Place of the page; what is offered uses it, because another page may take it over."""
        self._face, self._notice, self._control = page.face, page.notice, page.control
        self._again: tuple[object, BringBack] | None = None
        """The board after Undo, and what loads again what was undone."""
        page.notice.turned.connect(self.changed)

    def take_over(self, before: "UndoLoad[P]") -> None:
        """Offer what another page offers about its board, which this page shows now."""
        page, self.here = self.here.page, before.here
        self.here.page = page
        before._notice.keep_offer(before._face.subjects)(self._notice, self._face.subjects)
        self.offer_again(before._to_load_again, self._face.subject)

    def offer(self, replaced: Replaced, subject: object) -> None:
        """Say what was loaded and what it replaces, if anything, and offer to bring that back.

        subject: object of the board that the key of Undo is about; None if only the button is.
        """
        notice, undo = self._notice, _Offer(self.here, replaced, subject is not None)
        if not (said := replaced.say()):
            notice.offer_undo(undo, subject)
            return
        # The notice of an opened run stays, and comes back under this one.
        text = said if notice.text in said else f"{said} {notice.text}"
        notice.show_note(text, undo=undo, buttons=notice.buttons, subject=subject)

    def undo(self, replaced: Replaced, subject: object) -> None:
        """Stop the run, if it is going, and bring back what a load replaced.

        The offer, with its subject, stays if the user keeps what is shown.
        """
        here = self.here

        def undo() -> None:
            load_again = here.page.present().bring_back
            if not replaced.bring_back(partial(after, load_again)):
                here.page.undo_load.offer(replaced, subject)

        def after(load_again: BringBack) -> None:
            face = here.page.face
            face.forget_redo()  # the load came later
            here.page.undo_load.offer_again(load_again, face.subject)
            here.page.undo_load._say_again()

        self._control.after_stop(undo)

    def offer_again(self, load_again: BringBack | None, subject: object) -> None:
        """Offer to load again what Undo has taken away, as long as its board is shown; or None."""
        self._again = None if load_again is None else (subject, load_again)
        self.changed.emit()

    def begin_run(self, *, is_of_load: bool) -> None:
        """Offer as a run starts only what brings back a run before, where the face keeps it.

        is_of_load: whether the load that is offered to undo starts the run, so that it stays, too.
        """
        self._again = None
        if self._face.keeps_run_before:
            self.here.give_up(n_safe=int(is_of_load))
        if (offer := self._offer_of_run) is not None:
            offer.waits = offer.waits or not is_of_load
        elif not is_of_load:
            self._notice.forget_undo()
        self.changed.emit()

    @property
    def run_before(self) -> RunBefore | None:
        """The newest run before that Undo brings back, maybe after changes of the board; or None.

        None, too, where the face does not keep it after the next run has started.
        """
        return None if self._offer_of_run is None else self._offer_of_run.replaced.run

    @property
    def _offer_of_run(self) -> _Offer | None:
        undo = self._notice.undo_about(self._face.subjects)
        if not isinstance(undo, _Offer) or undo.is_given_up or not self._face.keeps_run_before:
            return None
        return undo if undo.replaced.run else None

    def offered(self, action: str) -> Callable[[], object] | None:
        """Return what 'undo' or 'redo' does before any change on the board; None for nothing."""
        if action == "undo" and self._notice.offers_undo(self._face.subject):
            undo = self._notice.undo_about([self._face.subject])
            waits = isinstance(undo, _Offer) and (
                undo.is_given_up or (undo.waits and self._control.is_busy)
            )
            return None if waits else self._notice.take_undo
        if action == "redo" and self._to_load_again is not None:
            return partial(self._load_again, self._to_load_again)
        return None

    def keeper(self) -> Callable[[], None]:
        """Return a function that restores what was done on the board, and what is offered."""
        restore_board = self._face.keeper()
        restore_offer = self._notice.keep_offer(self._face.subjects)
        load_again, here = self._to_load_again, self.here

        def restore() -> None:
            page = here.page
            restore_board(page.face)
            restore_offer(page.notice, page.face.subjects)
            page.undo_load.offer_again(load_again, page.face.subject)

        return restore

    def _say_again(self) -> None:
        """Say what Undo has brought back, before what is said of it."""
        name = next(filter(None, self._face.names), self._face.title)
        said = tr("{title} is loaded again.", title=shortened(name, MAX_TITLE))
        text = f"{said} {self._notice.text}".rstrip()
        self._notice.show_note(text, buttons=self._notice.buttons)

    def loaded_words(self, before: tuple[str, ...], replaced: str = "") -> str:
        """Return what was loaded, and what it replaces.

        before: the names of that. replaced: a sentence about it; '' for the usual one.
        """
        names, title = self._face.names, self._face.title
        pairs = zip(names, before, strict=False)
        same = next((name for name in names if name and name != title), title)
        changed = [(name, other) for name, other in pairs if name != other] or [(same, same)]
        new = next((name for name, _ in changed if name), title)
        said = self._face.loaded_words()
        if new != title:
            said = tr("{title} is loaded.", title=shortened(new, MAX_TITLE))
        old = next((other for _, other in changed if other), "")
        if old and not replaced:
            replaced = tr("It takes the place of {title}.", title=shortened(old, MAX_TITLE))
        return f"{said} {replaced}".rstrip()

    @property
    def _to_load_again(self) -> BringBack | None:
        if self._again is None or self._again[0] is not self._face.subject:
            return None
        return self._again[1]

    def _load_again(self, load_again: BringBack) -> None:
        here = self.here

        def redo() -> None:
            replaced = here.page.present()
            load_again(partial(after, replaced))

        def after(replaced: Replaced) -> None:
            here.page.undo_load.offer(replaced, here.page.face.subject)

        self._control.after_stop(redo)
