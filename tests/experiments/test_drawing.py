"""The pictures of charts: each kind is drawn, the same bytes every time, whatever it holds."""

import importlib
import io
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.experiments.test_charts import TWO_AXES, VALUES, kept_of, ran
from tilelab.core.errors import UsageError
from tilelab.experiments.charts import KINDS, chart_of


@pytest.fixture(scope="module")
def drawing():
    """The module, which loads matplotlib: not for all who only list these tests."""
    return importlib.import_module("tilelab.experiments.drawing")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    runs = [ran(40, (0, value / 2), (3 + value, value)) for value in VALUES]
    return kept_of(tmp_path_factory.mktemp("kept"), TWO_AXES, runs)


@pytest.mark.every(5)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_the_same_each_time(drawing, kind, kept):
    chart = chart_of(kept, kind)
    image = Image.open(io.BytesIO(drawing.picture(chart, "png")))
    n_colours = len(image.convert("RGB").getcolors(1 << 20))
    assert image.width >= 800
    assert n_colours > 20
    drawn = drawing.picture(chart, "svg")
    assert drawn == drawing.picture(chart, "svg")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert len(drawing.picture(chart, "svg", has_words=False)) < len(drawn)


def test_a_line_has_the_colour_of_its_setting(drawing, kept):
    """Noticed: the only line of a picture has the first colour, which other pictures give another.

    Noticed too: the highest of many lines share colours.
    """
    chart = chart_of(kept, "best-so-far")
    _, palette = drawing._tokens()
    only = replace(chart, series=(replace(chart.series[0], colour=2),))
    drawn = drawing.picture(only, "svg").decode().lower()
    assert [colour.lower() in drawn for colour in palette[:4]] == [False, False, True, False]
    many = replace(chart, series=tuple(replace(only.series[0]) for _ in range(20)))
    drawn = drawing.picture(many, "svg").decode().lower()
    assert all(colour.lower() in drawn for colour in palette)


def test_a_chart_of_one_run_and_one_of_odd_texts(drawing, tmp_path):
    odd = {**TWO_AXES, "title": "$x$ <b>&\n漢字 " + "long " * 40, "repeats": 1}
    kept = kept_of(tmp_path, odd, [ran(4, (0, 7))])
    for kind in ("boxes", "best-so-far", "run-length"):
        assert drawing.picture(chart_of(kept, kind), "png")


def test_a_file_is_written_by_its_ending(drawing, kept, tmp_path):
    chart = chart_of(kept, "boxes")
    assert drawing.write_picture(chart, tmp_path / "boxes.PNG").read_bytes()[1:4] == b"PNG"
    assert drawing.write_picture(chart, tmp_path / "boxes.svg").read_bytes().startswith(b"<?xml")
    with pytest.raises(UsageError, match=r"'boxes\.pdf' does not end with \.png or \.svg"):
        drawing.write_picture(chart, "boxes.pdf")


def test_more_settings_than_a_picture_has_room_for(drawing, tmp_path):
    growth = list(range(drawing.MAX_SETTINGS + 1))
    solvers = [{"solver": "annealing", "axes": {"growth": growth}}]
    wide = {**TWO_AXES, "repeats": 1, "solvers": solvers}
    kept = kept_of(tmp_path, wide, [({"value": value}, []) for value in growth])
    with pytest.raises(UsageError, match=f"has room for {drawing.MAX_SETTINGS} settings"):
        drawing.picture(chart_of(kept, "boxes"), "png")
