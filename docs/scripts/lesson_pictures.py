"""Draw the pictures of the lessons: run ``python docs/scripts/lesson_pictures.py``.

Boards are drawn as the window draws them; each picture is made for the light and the dark theme.
"""

import collections
import itertools
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

import tilelab
from tilelab import catalog
from tilelab.core.views import Fate, ViewKind
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.scene import BoardLayout, paint_ring
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.text_painter import TextPainter, svg_bytes
from tilelab.gui.widgets.theme import load_theme, mix, tokens
from tilelab.puzzles.sliding.board import goal_board
from tilelab.runs.actions import Action
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session

FOLDER = Path(__file__).parents[2] / "resources" / "lessons"
WIDTH = 344
SMALL = tokens()["sizes"]["small"]


def words(painter, theme, x, y, text, *, align=0.5, strong=False, colour=None):
    """Write a short text with its middle at a place."""
    ink = TextPainter(painter, SMALL, colour or theme.muted, strong=strong)
    ink.draw(QPointF(x, y), text, align)


def arrow(painter, theme, begin, end):
    """Draw an arrow from one point to another."""
    painter.setPen(QPen(theme.muted, 1.5, c=Qt.PenCapStyle.RoundCap))
    painter.drawLine(begin, end)
    step = end - begin
    step /= max((step.x() ** 2 + step.y() ** 2) ** 0.5, 1e-9)
    across = QPointF(-step.y(), step.x())
    for side in (1, -1):
        painter.drawLine(end, end - step * 6 + across * 4 * side)


def tiles(cells, **more):
    """Make a scene of numbered tiles with the blank last."""
    cells = np.array(cells, np.uint8)
    side = round(len(cells) ** 0.5)
    return TileScene(cells, np.argsort(goal_board(side, side, "blank-last")), side, **more)


def neighbours(cells):
    """The boards that are one move away, with 3 columns."""
    blank = cells.index(0)
    row, col = divmod(blank, 3)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < 3 and 0 <= col + right < 3:
            other = (row + down) * 3 + col + right
            moved = list(cells)
            moved[blank], moved[other] = moved[other], 0
            yield tuple(moved)


def children(painter, theme):
    """A board and its children."""
    start = (1, 2, 3, 0, 4, 6, 7, 5, 8)
    side, left = 84, (WIDTH - 84) / 2
    draw(painter, theme, tiles(start), QRectF(left, 0, side, side))
    words(painter, theme, left - 12, side / 2, "expanded", align=1.0)
    row = list(neighbours(start))
    gap = (WIDTH - len(row) * side) / (len(row) - 1)
    for place, cells in enumerate(row):
        box = QRectF(place * (side + gap), 124, side, side)
        draw(painter, theme, tiles(cells), box)
        arrow(
            painter,
            theme,
            QPointF(WIDTH / 2 + (place - 1) * 26, side + 6),
            QPointF(box.center().x(), box.top() - 5),
        )
        words(painter, theme, box.center().x(), box.bottom() + 12, "open")


def draw(painter, theme, scene, box):
    """Draw a board into a box; returns where its tiles stand."""
    layout = BoardLayout.fitted(scene.shape, box, max_pitch=1000)
    scene.paint(painter, layout, theme)
    return layout


def by_depth(painter, theme):
    """How many boards of the eight puzzle are how far from the goal."""
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    depth, waiting = {goal: 0}, collections.deque([goal])
    while waiting:
        board = waiting.popleft()
        for other in neighbours(board):
            if other not in depth:
                depth[other] = depth[board] + 1
                waiting.append(other)
    counts = collections.Counter(depth.values())
    bars(painter, theme, [counts[n] for n in range(32)], QRectF(0, 22, WIDTH, 118))
    for n in (0, 10, 20, 30):
        words(painter, theme, (n + 0.5) * WIDTH / 32, 152, str(n))
    words(painter, theme, WIDTH / 2, 170, "moves from the goal")
    words(painter, theme, 0, 8, f"{max(counts.values()):,} boards at most", align=0.0)


def bars(painter, theme, values, box):
    """Draw bars that stand on the lower edge of a box."""
    pitch = box.width() / len(values)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent)
    for place, value in enumerate(values):
        height = max(box.height() * value / max(values), 1)
        bar = QRectF(box.left() + place * pitch, box.bottom() - height, pitch * 0.8, height)
        painter.drawRect(bar)


def distances(painter, theme):
    """The hardest board, with the distance of each tile."""
    puzzle = tilelab.load("sliding", instances="hardest-eight", number=1)
    far = puzzle.distances(puzzle.start)
    scene = tiles(puzzle.start, distances=far, shows_distances=True)
    draw(painter, theme, scene, QRectF((WIDTH - 168) / 2, 0, 168, 168))
    total = " + ".join(str(n) for tile, n in zip(puzzle.start, far, strict=True) if tile)
    words(painter, theme, WIDTH / 2, 182, f"{total} = {far.sum()}", strong=True)


def thresholds(painter, theme):
    """The stair of IDA* on a board 12 moves away."""
    run = tilelab.solve(
        tilelab.load("sliding", instances="damodaran", number=3),
        "ida-star",
        heuristic="manhattan",
        expansions_per_update=1,
    )
    bounds, expanded = run.trace["bound"].values, run.trace["expanded"].values
    ends = [int(expanded[bounds == bound].max()) for bound in np.unique(bounds)]
    counts = np.diff([0, *ends])
    step = WIDTH / len(counts)
    for place, (bound, count) in enumerate(zip(np.unique(bounds), counts, strict=True)):
        top = 112 - place * 20
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mix(theme.card, theme.accent, 0.25))
        painter.drawRect(QRectF(place * step, top, step, 132 - top))
        painter.setBrush(theme.accent)
        painter.drawRect(QRectF(place * step, top, step, 3))
        words(painter, theme, (place + 0.5) * step, top - 12, f"{count} boards", colour=theme.text)
        words(painter, theme, (place + 0.5) * step, 146, f"f ≤ {bound:g}")


def both_ends(painter, theme):
    """A large circle, and two small ones."""
    for centre, reach in (
        (QPointF(88, 88), 80),
        (QPointF(222, 88), 40),
        (QPointF(302, 88), 40),
    ):
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(mix(theme.card, theme.accent, 0.2))
        painter.drawEllipse(centre, reach, reach)
    painter.setPen(Qt.PenStyle.NoPen)
    for point, colour in (
        (QPointF(88, 88), theme.text),
        (QPointF(168, 88), theme.selection),
        (QPointF(222, 88), theme.text),
        (QPointF(302, 88), theme.selection),
    ):
        painter.setBrush(colour)
        painter.drawEllipse(point, 4, 4)
    words(painter, theme, 88, 104, "start")
    words(painter, theme, 160, 104, "goal", align=1.0)
    words(painter, theme, 222, 104, "start")
    words(painter, theme, 302, 104, "goal")
    words(painter, theme, 88, 184, "from one end")
    words(painter, theme, 262, 184, "from both ends")


def child(painter, theme):
    """Two parents and their child, whose cells have the colours of the parents."""
    first, second = ("TEXA", "INOS", "OHIO", "UTAH"), ("MAIN", "IOWA", "EDLR", "NVUE")
    from_first = np.array([1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1], bool)
    mutated = 11
    letters = [
        one if mine else other
        for one, other, mine in zip("".join(first), "".join(second), from_first, strict=True)
    ]
    letters[mutated] = "K"
    rows = tuple("".join(letters[row : row + 4]) for row in range(0, 16, 4))
    ones, none = np.ones(16, np.int32), np.zeros(16, np.int32)
    side = 96
    for place, (grid, heat) in enumerate(
        ((first, ones), (second, none), (rows, from_first.astype(np.int32)))
    ):
        box = QRectF(place * (WIDTH - side) / 2, 0, side, side)
        layout = draw(painter, theme, BoardScene(rows=grid, usage=heat), box)
        words(painter, theme, box.center().x(), 112, ("parent", "parent", "child")[place])
        if place == 2:
            paint_ring(painter, layout, mutated, QPen(theme.stop, 2.5))
    for place, sign in enumerate("+="):
        x = side + (WIDTH - 3 * side) / 4 + place * (WIDTH - side) / 2
        words(painter, theme, x, side / 2, sign, strong=True)


def hills(painter, theme):
    """A small hill, and a mountain behind a valley."""
    ground = QPainterPath(QPointF(0, 150))
    ground.lineTo(0, 120)
    ground.cubicTo(40, 112, 50, 66, 88, 66)
    ground.cubicTo(128, 66, 130, 122, 168, 122)
    ground.cubicTo(214, 122, 214, 22, 262, 22)
    ground.cubicTo(304, 22, 306, 108, WIDTH, 116)
    ground.lineTo(WIDTH, 150)
    ground.closeSubpath()
    painter.setPen(QPen(theme.accent, 1.5))
    painter.setBrush(mix(theme.card, theme.accent, 0.2))
    painter.drawPath(ground)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    way = QPainterPath(QPointF(100, 56))
    way.cubicTo(132, 60, 140, 106, 168, 108)
    way.cubicTo(202, 108, 206, 40, 232, 22)
    painter.setPen(QPen(theme.muted, 1.5, Qt.PenStyle.DashLine))
    painter.drawPath(way)
    arrow(painter, theme, QPointF(226, 30), QPointF(236, 19))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tile_heat)
    painter.drawEllipse(QPointF(88, 58), 8, 8)
    words(painter, theme, 88, 90, "hill")
    words(painter, theme, 168, 138, "valley")
    words(painter, theme, 262, 50, "mountain")


def hive(painter, theme):
    """The board that all bees begin with, in lesson 8."""
    puzzle = tilelab.load("wordtiles", lexicon="english-small", rows=4, cols=4)
    scene = TileScene(puzzle.start, None, 4, letters=puzzle.letters)
    draw(painter, theme, scene, QRectF((WIDTH - 168) / 2, 0, 168, 168))


def still_open(painter, theme):
    """The boards that are open when A* and greedy search stop, with g + h of each."""
    board = "1 5 2 8 0 3 4 7 6"
    for place, (key, title) in enumerate((("a-star", "A*"), ("greedy", "Greedy"))):
        values, length = open_at_end(board, key)
        top = place * 78
        words(
            painter, theme, 0, top + 8, f"{title}: path of {length} moves", align=0.0, strong=True
        )
        for at, value in enumerate(values):
            box = QRectF(at * 25, top + 24, 22, 22)
            is_shorter = value < length
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.stop if is_shorter else mix(theme.card, theme.accent, 0.25))
            painter.drawRoundedRect(box, 3, 3)
            colour = theme.on_stop if is_shorter else theme.text
            words(painter, theme, box.center().x(), box.center().y(), f"{value:g}", colour=colour)
        n_shorter = sum(value < length for value in values)
        said = f"{n_shorter} of {len(values)} open boards can still give a shorter path"
        words(painter, theme, 0, top + 58, said, align=0.0)


def open_at_end(board, key):
    """Return g + h of each board that is open when a search ends, in order, and the length."""
    puzzle = tilelab.load("sliding", rows=3, cols=3, board=board)
    session = Session()
    params = catalog.solver_params("sliding", key, {"heuristic": "manhattan"})
    session.begin(Recipe(puzzle, key, params, 1))
    session.watch(frozenset({ViewKind.TREE}))
    while session.allows(Action.STEP):
        session.step()
    view = session.solver.view(ViewKind.TREE)
    is_open = (view.fates == Fate.OPEN) & (view.h > 0)
    return sorted((view.g + view.h)[is_open].tolist()), session.best.n_moves


PICTURES = {
    "children": (children, 230),
    "by-depth": (by_depth, 182),
    "distances": (distances, 196),
    "thresholds": (thresholds, 154),
    "both-ends": (both_ends, 196),
    "child": (child, 124),
    "hills": (hills, 152),
    "hive": (hive, 168),
    "still-open": (still_open, 144),
}


def picture(name, theme_name):
    """A picture, as SVG."""
    paint, height = PICTURES[name]
    theme = load_theme(theme_name)

    def painted(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter, theme)

    return svg_bytes(QSize(WIDTH, height), theme.card, name, paint.__doc__, painted)


def main():
    """Write all pictures."""
    make_application(sys.argv[:1], "light")
    for name, theme in itertools.product(PICTURES, ("light", "dark")):
        ending = "" if theme == "light" else "-dark"
        (FOLDER / f"{name}{ending}.svg").write_bytes(picture(name, theme))


if __name__ == "__main__":
    main()
