"""A film of a run: its frames are the run's moments, in a GIF or a WebP."""

import pytest
from PIL import Image
from PySide6.QtWidgets import QDialogButtonBox

from tilelab.core.views import ViewKind
from tilelab.gui.run import run_pictures
from tilelab.gui.run.run_pictures import LAST_MILLISECONDS, SIZE, RunFilmDialog
from tilelab.runs.actions import Action

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def ran(driver, qtbot):
    """A window with a run of twelve generations."""
    driver.page.panel.set_values({"units": 12})
    driver.click(Action.GO)
    qtbot.waitUntil(lambda: driver.page.run.trace.n_units == 12)
    driver.settled()
    return driver


def film(driver, qtbot, monkeypatch, path, choose=lambda dialog: None):
    def accepted(dialog):
        choose(dialog)
        return True

    monkeypatch.setattr(run_pictures, "accepted", accepted)
    monkeypatch.setattr(run_pictures, "ask_to_save", lambda *_: path)
    driver.page.notice.clear()
    driver.page.watching.films.ask(driver.page.face.saved_kind, driver.page.view_stack.shown)
    qtbot.waitUntil(lambda: driver.page.notice.text == f"Saved {path}")


@pytest.mark.parametrize("kind", ["gif", pytest.param("webp", marks=pytest.mark.exhaustive)])
def test_it_has_a_frame_for_each_moment(ran, qtbot, monkeypatch, tmp_path, kind):
    path = tmp_path / f"run.{kind}"

    def every_fourth(dialog):
        dialog.every.setValue(4)
        dialog.rate.setValue(10)

    film(ran, qtbot, monkeypatch, path, every_fourth)
    with Image.open(path) as shown:
        assert shown.n_frames == 4
        assert shown.size == SIZE.toTuple()
        times = []
        for frame in range(shown.n_frames):
            shown.seek(frame)
            n_colours = len(shown.convert("RGB").getcolors(1 << 20))
            times.append(shown.info["duration"])
    assert n_colours > 50  # letters on tiles of many tints
    assert times == [100, 100, 100, LAST_MILLISECONDS]


@pytest.mark.exhaustive
def test_it_ends_where_it_is_told_to(ran, qtbot, monkeypatch, tmp_path):
    path = tmp_path / "run.gif"
    film(ran, qtbot, monkeypatch, path, lambda dialog: dialog.up_to.setValue(3))
    with Image.open(path) as shown:
        assert shown.n_frames == 4


@pytest.mark.exhaustive
def test_the_run_that_was_there_when_it_was_asked_is_filmed(ran, qtbot, monkeypatch, tmp_path):
    """While the dialog is open, a run that was being opened may take the place of this one."""
    path, page, filmed = tmp_path / "run.gif", ran.page, []

    def another(dialog):
        dialog.up_to.setValue(5)
        page.client.ask(page.client.worker.drop)
        page.run.clear()

    make = run_pictures.Film
    monkeypatch.setattr(
        run_pictures, "Film", lambda *fields: filmed.append(fields[0]) or make(*fields)
    )
    seed = page.run.started.recipe.seed
    film(ran, qtbot, monkeypatch, path, another)
    (past,) = filmed
    assert (past.recipe.seed, past.units) == (seed, 5)
    with Image.open(path) as shown:
        assert shown.n_frames == 6


def test_the_dialog_says_how_long_it_will_be(ran):
    page = ran.page
    dialog = RunFilmDialog(page.run.started.solver, 5_000, {}, None, page)
    assert dialog.every.value() == 50
    assert dialog._said.text() == "101 pictures, 22 s."
    dialog.every.setValue(1)
    assert dialog._said.text() == "5,001 pictures are too many; at most 500 are allowed."
    ok = dialog._buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    dialog.up_to.setValue(499)
    assert ok.isEnabled()


@pytest.mark.exhaustive
def test_a_kind_that_is_none_is_refused(ran, qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(run_pictures, "accepted", lambda _: True)
    monkeypatch.setattr(run_pictures, "ask_to_save", lambda *_: tmp_path / "run.avi")
    ran.page.watching.films.ask(ran.page.face.saved_kind, ran.page.view_stack.shown)
    said = "run.avi is not a film: its name must end in one of .gif, .webp"
    qtbot.waitUntil(lambda: ran.page.notice.text == said)


@pytest.mark.exhaustive
def test_it_shows_a_view_with_its_caption(ran, qtbot, monkeypatch, tmp_path):
    path = tmp_path / "run.gif"
    film(ran, qtbot, monkeypatch, path, lambda dialog: dialog.every.setValue(12))
    with Image.open(path) as shown:
        shown.seek(shown.n_frames - 1)
        board = shown.convert("RGB").tobytes()

    def population(dialog):
        dialog.every.setValue(12)
        dialog.view.setCurrentIndex(dialog.view.findData(ViewKind.POPULATION))

    film(ran, qtbot, monkeypatch, path, population)
    with Image.open(path) as shown:
        shown.seek(shown.n_frames - 1)
        picture = shown.convert("RGB")
    assert picture.tobytes() != board
    below = picture.crop((0, SIZE.height() - 80, SIZE.width(), SIZE.height()))
    assert len(below.getcolors(1 << 20)) > 5
