"""Pictures show what they have to: colours and places are known by hand, pixel by pixel."""

import numpy as np
import pytest

from tests.gui.pixels import colour_at, grabbed, is_colour, pixels, svg_pixels
from tests.gui.tiles_by_hand import solve, take
from tests.gui.words_by_hand import paste, run
from tests.history_records import made
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.letter_view import HeatLegend
from tilelab.gui.boards.scene import scene_png, scene_svg
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.lab.history.thumbnails import picture_of
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.theme import load_theme

pytestmark = pytest.mark.usefixtures("without_style_sheet")

CARD, FACE, HEAT, INK = "#FFFFFF", "#F5EAD3", "#E0872E", "#2A2620"
TRAY = "#EEEAE1"
FIRST, LAST = "#F7E6BE", "#9DB7DE"
"""The numbered tiles whose goal cells are the first and the last."""
# Two by two in 400 by 400: tiles of 164 pixels every 178, the first one at (29, 29).
START, PITCH, TILE = 29, 178, 164
KINDS = ["png", "svg"]


@pytest.fixture(autouse=True)
def fonts(qapp):
    make_application([], "light")


def picture_in(kind, scene):
    theme = load_theme("light")
    if kind == "png":
        return pixels(scene_png(scene, theme, 400))
    return svg_pixels(scene_svg(scene, theme, 400), 400, 400)


def saved_in(kind, driver, folder):
    """The pixels of the file of the best."""
    driver.page.best_files.save(folder / f"best.{kind}")
    written = (folder / f"best.{kind}").read_bytes()
    return pixels(written) if kind == "png" else svg_pixels(written, 1024, 1024)


def part(picture, cell):
    """The pixels of a tile."""
    top, left = (START + place * PITCH for place in divmod(cell, 2))
    return picture[top : top + TILE, left : left + TILE]


def face(picture, cell):
    """The colour of a tile's face, clear of its letter and its corners."""
    return colour_at(part(picture, cell), 20, 60)


def near(colour, code):
    """Whether a pixel of a gradient has one of its ends' colours."""
    wanted = [int(code[at : at + 2], 16) for at in (1, 3, 5)]
    return max(abs(one - other) for one, other in zip(colour, wanted, strict=True)) <= 8


def ink(picture, cell):
    """How many pixels of a tile are its letter's."""
    return int(is_colour(part(picture, cell), INK).sum())


@pytest.mark.parametrize("kind", KINDS)
def test_letters_stand_on_tiles_as_warm_as_they_are_used(kind):
    usage = np.array([0, 2, 4, 0], np.int32)
    picture = picture_in(kind, BoardScene(rows=("iw", "m "), usage=usage))
    assert picture.shape == (400, 400, 3)
    assert colour_at(picture, 3, 3) == CARD
    assert [face(picture, cell) for cell in (0, 2)] == [FACE, HEAT]
    # Half way from #F5EAD3 to #E0872E.
    assert face(picture, 1) in ("#EAB880", "#EAB881")
    assert face(picture, 3) == TRAY
    assert ink(picture, 3) == 0
    # An I is a stroke, a W and an M are broad.
    assert 200 < ink(picture, 0) < ink(picture, 1)
    assert ink(picture, 2) > 2 * ink(picture, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_numbered_tiles_have_the_colour_of_their_goal_cell(kind):
    scene = TileScene(np.array([3, 1, 0, 2], np.uint8), np.array([2, 0, 1, 3]), 2)
    picture = picture_in(kind, scene)
    assert colour_at(picture, 3, 3) == CARD
    assert face(picture, 1) == FIRST
    assert face(picture, 0) == LAST
    assert face(picture, 2) == TRAY
    assert ink(picture, 2) == 0
    # A 1 takes less ink than a 3.
    assert 200 < ink(picture, 1) < ink(picture, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_of_a_run_is_that_of_its_best(driver, tmp_path, kind):
    driver.run(rows=2, cols=2, seed=1, units=3)
    report = driver.session.puzzle.report(driver.page.run.best.cells)
    picture = saved_in(kind, driver, tmp_path)
    pitch, tile = 457, 420
    start = (1024 - (2 * pitch - 37)) // 2
    for cell, n_uses in enumerate(report.usage.tolist()):
        top, left = (start + place * pitch for place in divmod(cell, 2))
        shown = picture[top : top + tile, left : left + tile]
        warm = n_uses / max(report.usage.max(), 1)
        wanted = [
            round(int(FACE[at : at + 2], 16) * (1 - warm) + int(HEAT[at : at + 2], 16) * warm)
            for at in (1, 3, 5)
        ]
        assert abs(shown[150, 50] - wanted).max() <= 2, cell
        assert is_colour(shown, INK).sum() > 500, cell
    assert report.usage.max() > 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_of_a_solution_is_its_start(sliding, tmp_path, kind):
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    solve(sliding)
    picture = saved_in(kind, sliding, tmp_path)
    # Three by three in 1024 by 1024: tiles every 315 pixels, with 25 between them.
    start = (1024 - (3 * 315 - 25)) // 2
    shown = [
        colour_at(picture, start + col * 315 + 40, start + row * 315 + 110)
        for row, col in ((0, 0), (2, 0))
    ]
    assert shown == [FIRST, TRAY]


def test_the_strip_of_heat_goes_from_pale_to_warm(qtbot):
    legend = HeatLegend()
    qtbot.addWidget(legend)
    legend.resize(200, 20)
    blank = grabbed(legend)
    legend.set_most(1200)
    picture = grabbed(legend)
    assert (blank == blank[0, 0]).all()
    assert legend.accessibleName() == "Usage of a cell, 0 to 1200"
    line = picture[10].tolist()
    pale = [col for col, colour in enumerate(line) if near(colour, FACE)]
    warm = [col for col, colour in enumerate(line) if near(colour, HEAT)]
    assert pale
    assert warm
    # The strip is 56 pixels long.
    assert 35 < min(warm) - max(pale) < 56


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_of_word_tiles_is_as_warm_as_the_words(words, tmp_path, kind):
    paste(words)
    run(words, iterations=3)
    picture = saved_in(kind, words, tmp_path)
    # Four by four in 1024 by 1024: tiles of 222 pixels every 241, the first one at (39, 39).
    cells = words.page.run.best.cells.tolist()
    usage = words.session.puzzle.report(words.page.run.best.cells).usage.tolist()
    # The redder, the less green there is.
    green = {}
    for cell, n_words in enumerate(usage):
        top, left = (39 + place * 241 for place in divmod(cell, 4))
        face = picture[top + 80, left + 24]
        if not cells[cell]:
            assert colour_at(picture, left + 110, top + 110) == TRAY
        elif not n_words:
            assert colour_at(picture, left + 24, top + 80) == FACE
        else:
            green.setdefault(n_words, set()).add(int(face[1]))
            assert face[1] < int(FACE[3:5], 16)
    assert all(len(found) == 1 for found in green.values())
    by_use = [green[n_words].pop() for n_words in sorted(green)]
    assert by_use == sorted(by_use, reverse=True)
    assert by_use


def test_the_small_picture_of_a_record_has_its_letters():
    picture = pixels(picture_of(made(board=("IW", "MI"), rows=2, cols=2)))
    assert picture.shape == (96, 96, 3)
    # Two by two in 96 by 96: tiles every 42 pixels, the first one at 7; 39 pixels each.
    dark = [
        int(
            (picture[7 + 42 * row : 46 + 42 * row, 7 + 42 * col : 46 + 42 * col] < 100)
            .all(axis=2)
            .sum()
        )
        for row, col in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]
    assert 10 < dark[0] < min(dark[1:3])
    assert abs(dark[3] - dark[0]) <= 3
    pale = [int(code, 16) for code in (FACE[1:3], FACE[3:5], FACE[5:7])]
    assert abs(picture[20, 12] - pale).max() <= 4
