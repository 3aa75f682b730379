"""The dialog that compares all heuristics of a board: pictures, estimates and errors."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import HEURISTICS
from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted, labelled, number
from tilelab.gui.boards.heuristic_marks import HeuristicMarks, group_letter
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.puzzles.sliding.play import heuristic_marks
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import Card, column_layout, row_of, show_in_front, text_label
from tilelab.gui.widgets.theme import current_theme, keep_scaled, scaled, set_role
from tilelab.gui.widgets.window_place import Dialog, scrolled
from tilelab.puzzles.sliding.board import distances
from tilelab.puzzles.sliding.heuristics.choice import titles
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.pattern_database import (
    SPEC,
    building,
    is_in_memory,
    partition_named,
    ready_partition,
)
from tilelab.puzzles.sliding.heuristics.pattern_slots import pattern_sums
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.solvers.hint import SLICES, Hint

_CARD = QSize(218, 264)
_SPACE = 12
_BOTH = {"larger", "hybrid", "hybrid-unrounded"}
_CONFLICTS = {"linear-conflict", "linear-conflict-hasan", *_BOTH}
"""Heuristics that use conflicts and distances of tiles."""
_WALKS = {"walking-distance", *_BOTH}
"""Heuristics that use the number of each line's tiles in each line."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimate of a heuristic for a board."""

    title: str
    source: str
    moves: float
    is_admissible: bool
    scene: TileScene
    parts: str = ""  # sum of the estimate in letters and numbers, or how it is rounded; '' for none

    def verdict(self, distance: int | None) -> str:
        """Return the error of the estimate in words; None for an unknown distance."""
        if distance is None or distance == self.moves:
            return "" if distance is None else tr("exact")
        count = number(round(abs(distance - self.moves), 2))
        text = tr("{count} too few") if self.moves < distance else tr("{count} too many")
        return text.format(count=count)


def estimating(position: Position) -> Iterator[Estimate | int | None]:
    """Yield the estimates of a board one by one, and None while one takes longer.

    At last yields the distance of the board from its goal, if a short search proves it.
    """
    for key in titles():
        try:
            yield _estimate(HEURISTICS[key], position)
        except TileLabError:
            continue  # walking distance has no tables for large boards
    shape = (position.params.rows, position.params.cols)
    name = ready_partition(shape, position.goal)
    if name:
        if partition_named(name).is_instant and not is_in_memory(name):
            # These are built here, in slices; others are in the cache.
            for _ in building(name):
                yield None
        yield _pattern_estimate(name, position)
    if position.is_solvable:
        yield from _searching(position)


def _estimate(spec: HeuristicSpec, position: Position) -> Estimate:
    evaluation = Evaluation.towards(spec, position.goal, position.cols)
    moves = evaluation.of(position.cells) / spec.scale
    scene = _scene(evaluation, position)
    parts = tr("rounded down to hundredths") if spec.key == "euclidean" else ""
    return Estimate(tr(spec.title), tr(spec.source), moves, spec.admissible, scene, parts)


def _scene(evaluation: Evaluation, position: Position) -> TileScene:
    """Return the picture of what a heuristic sees, if known."""
    key, cells = evaluation.spec.key, position.cells
    marks = heuristic_marks(position, conflicts=key in _CONFLICTS, walks=key in _WALKS)
    parts = None
    if evaluation.spec.scale == 1 and evaluation.by_tile.any():
        parts = evaluation.by_tile[cells, np.arange(len(cells))]
    elif key in _CONFLICTS:
        parts = distances(cells, position.goal, position.cols)
    has_marks = parts is not None or marks.row_counts is not None
    seen = marks if has_marks else None
    return TileScene(cells, np.argsort(position.goal), position.cols, parts, marks=seen)


def _pattern_estimate(name: str, position: Position) -> Estimate:
    groups = pattern_sums(name, position.cells, position.goal).larger
    of_tile = {tile: place for place, group in enumerate(groups) for tile in group.tiles}
    scene = TileScene(
        position.cells,
        np.argsort(position.goal),
        position.cols,
        marks=HeuristicMarks((), None, None, of_tile),
    )
    said = " + ".join(f"{group_letter(place)} {group.moves}" for place, group in enumerate(groups))
    moves = sum(group.moves for group in groups)
    return Estimate(
        tr("Pattern database {name}", name=name), SPEC.source, moves, SPEC.admissible, scene, said
    )


def _searching(position: Position) -> Iterator[int | None]:
    """Prove the distance of the board from its goal, if a search of about a second can."""
    hint = Hint(position.build())
    for _ in range(SLICES):
        if not hint.work():
            break
        yield None
    if hint.is_shortest and hint.path is not None:
        yield len(hint.path)


class HeuristicsDialog(Dialog):
    """A dialog with a card for each heuristic, admissible ones first, weakest to strongest.

    Tab moves from card to card, the arrow keys scroll, Escape closes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            parent,
            tr("Heuristics side by side"),
            "heuristics_dialog",
            "sliding-tiles#heuristics",
            (980, 640),
        )
        self.cards: list[EstimateCard] = []  # cards shown so far
        self._distance: int | None = None
        self._said = text_label("muted", self, "", "heuristics_distance", wraps=True)
        self._ground = QWidget(self)
        set_role(self._ground, "page")
        self._grid = QGridLayout(self._ground)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_SPACE)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._area = scrolled(self._ground, self)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.setAccessibleName(tr("Heuristics of the board"))
        column_layout(self, 20, 12, self._said, (self._area, 1))
        self._job = TaskRunner(self, self._take, failed=self._said.setText, ended=self._finish)
        self.finished.connect(self._job.cancel)

    def show_position(self, position: Position) -> None:
        """Show the estimates of a board, in front of the window."""
        for one in self.cards:
            one.deleteLater()
        self.cards, self._distance = [], None
        self._said.setText(tr("Searching for the exact distance…"))
        self._job.start(estimating(position))
        show_in_front(self)
        self._area.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot(object)
    def _take(self, item: object) -> None:
        if isinstance(item, Estimate):
            card = EstimateCard(item, self._ground)
            self.cards.append(card)
            self._arrange()
            card.show()  # the layout would show it later, and Tab skips hidden widgets
        elif isinstance(item, int):
            self._distance = item
            for one in self.cards:
                one.show_distance(item)

    @Slot()
    def _finish(self) -> None:
        if self._distance is None:
            self._said.setText(
                tr("The exact distance is not known: a short search did not prove it.")
            )
        else:
            moves = counted(self._distance, "move")
            self._said.setText(tr("Exact distance: {moves}, proven by a search.", moves=moves))

    def _arrange(self) -> None:
        n_columns = max(
            (self._area.viewport().width() + _SPACE) // (scaled(_CARD.width()) + _SPACE), 1
        )
        corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        self.cards.sort(key=lambda one: one.rank)
        for place, one in enumerate(self.cards):
            if place:
                QWidget.setTabOrder(self.cards[place - 1], one)
            self._grid.addWidget(one, *divmod(place, n_columns), corner)


class EstimateCard(Card):
    """A card with the picture and the estimate of a heuristic."""

    def __init__(self, estimate: Estimate, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        keep_scaled(self, width=_CARD.width(), height=_CARD.height())
        self._estimate = estimate
        title = text_label("strong", self, estimate.title, wraps=True)
        self._value = text_label("large", self, number(round(estimate.moves, 2)))
        self._verdict = ElidedLabel(self, role="muted")
        sure = tr("never overestimates") if estimate.is_admissible else tr("may overestimate")
        foot = ElidedLabel(self, role="small")
        foot.setText(estimate.parts or sure)
        foot.setToolTip(f"{estimate.title} ({estimate.source}): {sure}")
        self._sure = sure
        board = TileView(self, is_small=True)
        board.show_scene(estimate.scene)
        said = row_of(self._value, (self._verdict, 1))
        column_layout(self, 12, 4, title, said, (board, 1), foot)
        self.show_distance(None)

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key: admissible ones first, the weakest before the strongest."""
        return not self._estimate.is_admissible, self._estimate.moves

    @property
    def words(self) -> str:
        """Text of the card in one sentence."""
        parts = (self._value.text(), self._verdict.text(), self._estimate.parts, self._sure)
        return labelled(self._estimate.title, ", ".join(filter(None, parts)))

    def show_distance(self, distance: int | None) -> None:
        """Show the error of the estimate; None for an unknown distance."""
        self._verdict.setText(self._estimate.verdict(distance))
        too_many = distance is not None and self._estimate.moves > distance
        set_role(self._verdict, "error" if too_many else "muted")
        self.setAccessibleName(self.words)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(current_theme().selection, 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 12, 12)
            painter.end()
