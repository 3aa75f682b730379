"""``tilelab plot``: charts of results as pictures."""

import sys

import pytest

from tests.experiments.test_charts import TWO_AXES, VALUES, kept_of
from tilelab.cli.command import main


@pytest.fixture
def folder(tmp_path):
    kept_of(tmp_path / "results", TWO_AXES, [({"value": value}, []) for value in VALUES])
    return tmp_path / "results"


def test_a_picture_and_what_it_shows(folder, tmp_path, capsys):
    file = tmp_path / "heat.png"
    assert main(["plot", str(folder), "--kind", "heat-map", "--out", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out.strip() == str(file)
    assert "3 runs" in err
    assert file.read_bytes()[1:4] == b"PNG"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "pie"], "kind: 'pie' is not"),
        (["--of", "weight"], "'weight' is not a figure"),
        (["--target", "high", "--kind", "run-length"], "--target: 'high' is not a number"),
        (["--x", "colour", "--kind", "lines"], "'colour' is not"),
    ],
)
def test_a_wrong_word_writes_nothing(words, said, folder, tmp_path, capsys):
    file = tmp_path / "chart.svg"
    assert main(["plot", str(folder), *words, "--out", str(file)]) == 2
    assert said in capsys.readouterr().err
    assert not file.exists()


def test_without_matplotlib_a_sentence_says_how_to_get_it(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "tilelab.experiments.drawing", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["plot", str(folder), "--out", str(tmp_path / "boxes.svg")]) == 1
    assert "pip install 'tilelab[report]'" in capsys.readouterr().err
