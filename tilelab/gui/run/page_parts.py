"""What each puzzle's own page does: how it shows its boards, and what it offers besides."""

from abc import abstractmethod
from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QMenu

from tilelab.core.puzzle import Puzzle
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.charts.curves import Curve
from tilelab.gui.run.load_menu import LoadMenu
from tilelab.gui.run.messages import Begun, Loaded, News, PuzzleRequest, RunStatus
from tilelab.gui.run.page_layout import PageFrame
from tilelab.gui.run.run_model import Shown
from tilelab.gui.run.save_best import SavedBest, SavedLetters
from tilelab.words.lexicon import Lexicon


class PuzzleParts(PageFrame):
    """The places that a puzzle's page fills in."""

    saved_kind: type[SavedBest] = SavedLetters
    """How a best board of this puzzle is written."""
    load: LoadMenu
    """What the menu of LOAD offers."""
    best_panel: BestCard
    """The card at the right."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What is loaded, for the window's title."""

    @property
    def lexicon(self) -> Lexicon | None:
        """The lexicon that is shown; None for a puzzle that uses none."""
        return None

    @abstractmethod
    def puzzle_request(self) -> PuzzleRequest:
        """Return how to make the puzzle that the panel and the board show."""

    def origin_of_run(self, puzzle: Puzzle, name: str) -> object:
        """Return where a puzzle comes from that comes with a run, if the page wants to know that.

        name: the run file's, or ''.
        """
        return None

    @abstractmethod
    def show_no_run(self) -> None:
        """Show nothing of any run; a puzzle is loaded, or a run has begun, right after it."""

    @abstractmethod
    def show_loaded(self, loaded: Loaded, origin: object) -> None:
        """Show a puzzle that has no run yet; origin: as the wish for it said."""

    def show_begun(self, begun: Begun) -> None:
        """Note that a run has begun; nothing of it is known yet."""

    @abstractmethod
    def show_best(self, shown: Shown) -> None:
        """Show another best of the run."""

    def show_moment(self, text: str) -> None:
        """Say when the board that is shown was found; '' for the best by now."""
        self.best_panel.show_moment(text)

    def shortcuts(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        """Return the keys of this page, and what they do."""
        return ()

    def show_metrics(self, metrics: Mapping[str, float], status: RunStatus | None) -> None:
        """Show the metrics of the unit that is looked at, as far as they are known.

        status: how the run stands; None at an earlier moment.
        """

    def show_news(self, news: News) -> None:
        """Show what news says besides the best and the metrics."""
        self.best_panel.show_age(news.status.seconds)

    def point_out(self) -> None:
        """Show something of the best, for a picture: a word's path, a place of the solution."""

    def take_focus(self) -> None:
        """Give the keyboard to nothing in particular when the page is shown."""
        self.setFocus()

    def fill_menu(self, menu: QMenu) -> None:
        """Put what this page alone offers into the window's menu."""

    def curve_sets(self) -> dict[str, tuple[Curve, ...]]:
        """Return what the chart can draw, by title; the usual curves when there is nothing."""
        return {}
