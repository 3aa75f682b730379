"""The example of docs/adding-a-solver.md keeps the contract that it explains."""

import importlib.util
import re
from pathlib import Path

import pytest

from tilelab.core.registry import SOLVERS
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.testing.solvers import assert_same_run, run_in_slices

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-solver.md"


@pytest.fixture
def sampling(tmp_path):
    """The class of the page's example, registered for the length of a test."""
    file = tmp_path / "sampling.py"
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    file.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("sampling", file)
    module = importlib.util.module_from_spec(spec)
    before = dict(SOLVERS)
    spec.loader.exec_module(module)
    yield module.Sampling
    SOLVERS.clear()
    SOLVERS.update(before)


def test_the_example_registers_and_keeps_the_contract(sampling):
    assert SOLVERS["boggle", "sampling"] is sampling
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=3))
    params = sampling.spec.params()
    whole = run_in_slices(sampling.create(puzzle, params, 4), [12])
    assert_same_run(whole, run_in_slices(sampling.create(puzzle, params, 4), [5, 7]))
    stopped = sampling.create(puzzle, params, 4)
    first = run_in_slices(stopped, [5])
    second = run_in_slices(sampling.restore(puzzle, stopped.snapshot()), [3, 4])
    assert whole.trace.tobytes() == first.trace.tobytes() + second.trace.tobytes()
