"""A grid that is changed by hand, its steps, and the shapes of boards."""

import numpy as np
import pytest

from tilelab.core.play import UndoHistory
from tilelab.core.text.shown_text import HOLE
from tilelab.puzzles.boggle.maker.draft import Draft
from tilelab.puzzles.boggle.masks import (
    MASKS,
    fitted_holes,
    mask_rows,
    offered_shapes,
    shape_rows,
    share_of_cells,
)


def test_letters_locks_and_holes():
    draft = Draft.of(["cat", "d#g"], [0], "e")
    assert (draft.rows, draft.shape, draft.holes) == (("cat", "d#g"), (2, 3), {4})
    assert draft.typed(1, "O").rows == ("cot", "d#g")
    assert draft.typed(0, "x") == draft
    assert draft.typed(4, "o").rows == ("cat", "dog")
    assert draft.swapped(1, 2).rows == ("cta", "d#g")
    assert draft.swapped(0, 1) == draft.swapped(1, 4) == draft
    assert draft.hole_turned(4).rows == ("cat", "deg")
    assert draft.hole_turned(0) == draft.with_holes((0, 1)) == draft
    assert draft.hole_turned(5).hole_turned(5) == draft
    assert draft.lock_turned(4) == draft
    assert draft.lock_turned(1).lock_turned(0).locked == {1}
    assert (draft.after(3), draft.after(5), draft.before(5), draft.before(0)) == (5, 0, 3, 5)


def test_another_size_keeps_rows_and_columns():
    draft = Draft.of(["cat", "d#g"], [0, 2], "e")
    assert draft.resized((3, 2), "x") == Draft.of(["ca", "d#", "xx"], [0], "e")
    assert draft.resized((1, 4), "x") == Draft.of(["catx"], [0, 2], "e")
    assert draft.resized((2, 3), "x") is draft


def test_the_last_cell_of_a_board_stays():
    draft = Draft.of(["a#"], [], "e")
    assert draft.hole_turned(0) == draft
    assert draft.with_holes((0, 1)) == draft


def test_steps_are_taken_back_and_again_without_limit():
    history = UndoHistory(0)
    for step in range(1, 5_001):
        history.push(step)
    for _ in range(6_000):
        history.undo()
    assert (history.position, history.can_undo, history.can_redo) == (0, False, True)
    history.redo()
    history.push(-1)
    assert (history.position, history.can_redo) == (-1, False)
    history.undo()
    assert history.position == 1


CUTS = (*MASKS, *set(offered_shapes().values()).difference(MASKS))


@pytest.mark.parametrize("cut", CUTS)
def test_masks_fit_boards_of_any_size(cut):
    rows = shape_rows(cut)
    assert len({len(row) for row in rows}) == 1
    assert set("".join(rows)) == {".", "#"}
    for shape in ((16, 16), (9, 9), (6, 8)):
        holes = fitted_holes(rows, shape)
        n_cells = shape[0] * shape[1]
        assert 0 < len(holes) < n_cells
        assert abs(1 - len(holes) / n_cells - share_of_cells(rows)) < 0.2


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("side", range(6, 17))
def test_a_shape_reaches_all_sides_and_stays_even(cut, side):
    cells = np.ones((side, side), np.bool_)
    cells.flat[list(fitted_holes(shape_rows(cut), (side, side)))] = False
    assert all(edge.any() for edge in (cells[:, 0], cells[:, -1], cells[0], cells[-1]))
    assert (cells == cells[:, ::-1]).all()


@pytest.mark.parametrize("side", range(5, 17))
def test_the_heart_that_is_offered_has_a_notch_and_a_stored_one_stays(side):
    """Noticed: the heart is round at the top on all boards up to 12×12."""
    middle = side // 2
    assert middle in fitted_holes(shape_rows(offered_shapes()["heart"]), (side, side))
    assert len(fitted_holes(shape_rows("heart"), (12, 12))) == 36


def test_a_mask_is_itself_in_its_own_size_and_a_thin_line_is_not_lost():
    rows = mask_rows("heart")
    holes = fitted_holes(rows, (len(rows), len(rows[0])))
    assert holes == tuple(at for at, symbol in enumerate("".join(rows)) if symbol == HOLE)
    assert fitted_holes(("#########", ".########", "#########"), (1, 3)) == (1, 2)
