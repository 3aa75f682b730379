"""Lines and points out of arrays are those that Qt would have been given one by one."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from tilelab.gui.views.tree_painter import lines_of, points_of

N = 1000


@pytest.mark.parametrize("n", [0, 1, N])
def test_points_stand_where_the_arrays_say(n):
    lefts, tops = np.random.default_rng(5).normal(0, 400, (2, n))
    points = points_of(lefts, tops)
    assert [point.toTuple() for point in points] == list(zip(lefts, tops, strict=True))


@pytest.mark.parametrize("n", [0, 1, N])
def test_lines_are_those_of_a_path_that_is_made_line_by_line(n):
    ends = np.random.default_rng(6).normal(0, 400, (n, 4))
    path = QPainterPath()
    for left, top, right, bottom in ends.tolist():
        path.moveTo(QPointF(left, top))
        path.lineTo(QPointF(right, bottom))
    lines = lines_of(ends)
    assert lines == path
    assert lines.boundingRect() == path.boundingRect()
