"""Colour is never the only sign: what is drawn, as three kinds of colour blindness see it.

The matrices are those of Machado, Oliveira & Fernandes 2009 ("A physiologically-based model for
simulation of color vision deficiency") for a severity of 1.0; they work on linear RGB. Distances
are those of CIELAB (1976) under D65: 2.3 can just be told apart.
"""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from tilelab import catalog
from tilelab.core.views import Fate
from tilelab.gui.charts.curves import default_curves, further_curves
from tilelab.gui.puzzles.sliding.face import CURVES
from tilelab.gui.puzzles.wordtiles.face import curves_of
from tilelab.gui.shell.puzzle_tab import PuzzleTab, TabMark
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.views.tree_painter import paint_mark
from tilelab.gui.widgets.theme import NAMES, curve_colours, load_theme

THEMES = NAMES[:-1]
SEEN = {
    "by most": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.072175],
        [0.0193339, 0.119192, 0.9503041],
    ]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
ENOUGH = 15.0
"""For lines beside each other in a chart."""


def linear(colour):
    channels = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(colour, seen):
    """The colour in CIELAB as it is seen."""
    whole = TO_XYZ @ np.clip(SEEN[seen] @ linear(colour), 0, 1) / WHITE
    bent = np.where(whole > 216 / 24389, np.cbrt(whole), (24389 / 27 * whole + 16) / 116)
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


def distance(one, other, seen):
    return float(np.linalg.norm(lab(one, seen) - lab(other, seen)))


def test_the_simulation_knows_what_cannot_be_told_apart():
    red, green = QColor("#B40000"), QColor("#5D5200")
    assert distance(red, green, "by most") > 60
    assert distance(red, green, "protanopia") < 25
    grey = QColor("#808080")
    for seen in SEEN:
        assert distance(grey, QColor("#FFFFFF"), seen) == pytest.approx(46.4, abs=0.5)
    assert lab(QColor("#FF0000"), "by most") == pytest.approx([53.2, 80.1, 67.2], abs=0.1)


@pytest.mark.every(4)
@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("name", THEMES)
def test_curves_of_several_solvers_can_be_told_apart(name, seen):
    colours = curve_colours(load_theme(name))
    for one, other in itertools.combinations(colours, 2):
        assert distance(one, other, seen) >= ENOUGH, (one.name(), other.name())


def sets_of_curves():
    """All curves that the chart of a run draws together."""
    yield from CURVES.values()
    for puzzle in ("boggle", "wordtiles"):
        for solver in catalog.solvers(puzzle).values():
            metrics = solver.spec.metrics
            yield default_curves(metrics)
            yield from further_curves(metrics).values()
            yield from curves_of(metrics).values()


@pytest.mark.every(4)
@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("name", THEMES)
def test_curves_of_one_run_differ_in_colour_or_width(name, seen):
    theme, n_pairs = load_theme(name), 0
    for curves in sets_of_curves():
        for one, other in itertools.combinations(curves, 2):
            if one.title == other.title or one.width != other.width:
                continue
            n_pairs += 1
            far = distance(getattr(theme, one.token), getattr(theme, other.token), seen)
            assert far >= ENOUGH, (one.title, other.title)
    assert n_pairs


def test_fates_in_the_search_tree_have_shapes_of_their_own(qapp):
    make_application([], "light")
    theme, shapes = load_theme("light"), []
    for fate in Fate:
        image = QImage(40, 40, QImage.Format.Format_ARGB32)
        image.fill(theme.card)
        painter = QPainter(image)
        paint_mark(painter, QRectF(10, 10, 20, 20), fate, is_path=False, theme=theme)
        painter.end()
        ground = theme.card.rgb()
        shapes.append(
            frozenset((x, y) for x in range(40) for y in range(40) if image.pixel(x, y) != ground)
        )
    assert len(set(shapes)) == len(shapes) == len(Fate)


def test_marks_on_the_tabs_have_shapes_of_their_own(qapp, qtbot, monkeypatch):
    make_application([], "light")
    ground = QWidget()
    qtbot.addWidget(ground)
    tab = PuzzleTab("Letter boards", "", "", ground)
    tab.resize(120, 32)
    images = []
    for mark in TabMark:
        tab._mark = mark
        images.append(tab.grab().toImage())
    plain, size = images[0], images[0].size()
    shapes = {
        frozenset(
            (x, y)
            for x in range(size.width())
            for y in range(size.height())
            if image.pixel(x, y) != plain.pixel(x, y)
        )
        for image in images
    }
    assert len(shapes) == len(TabMark)
