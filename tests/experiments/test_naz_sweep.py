"""The published sweep: its shape on seeded boards, and the printed figures beside it."""

import pytest

from tilelab.experiments.naz_sweep import Cell, printed_cells, sweep, table
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.words.builtin import open_lexicon


def test_the_printed_tables_are_whole():
    cells = printed_cells()
    assert len(cells) == 2 * 5 * 4
    assert Cell(100, 16, 30, 32.57, 36, 29) in cells
    assert all(cell.minimum <= cell.average <= cell.maximum for cell in cells)


@pytest.fixture(scope="module")
def cells():
    lexicon = open_lexicon("english-large")
    puzzles = [
        WordTilesPuzzle.create(lexicon, WordTilesParams(letters_seed=seed)) for seed in range(1, 21)
    ]
    return {
        (cell.iterations, cell.agents, cell.steps): cell
        for cell in sweep(puzzles, agents=(2, 16), steps=(10, 20, 40))
    }


def test_the_sweep_has_the_papers_shape(cells):
    average = {key: cell.average for key, cell in cells.items()}
    assert len(average) == 12
    for iterations in (100, 200):
        for steps in (10, 20, 40):
            # More agents help.
            assert average[iterations, 16, steps] > average[iterations, 2, steps] + 1
        for agents in (2, 16):
            # From 10 to 20 steps is a gain; beyond that there is hardly one.
            first = average[iterations, agents, 20] - average[iterations, agents, 10]
            second = average[iterations, agents, 40] - average[iterations, agents, 20]
            assert first > 0.5
            assert second < 1.5
    for agents in (2, 16):
        for steps in (10, 20, 40):
            # Twice the iterations bring little more.
            assert 0 <= average[200, agents, steps] - average[100, agents, steps] < 1.5
    assert all(cell.minimum <= cell.average <= cell.maximum for cell in cells.values())


def test_the_table_has_the_paper_in_brackets(cells):
    lines = table(list(cells.values()), 100)
    assert lines[0] == "| agents | 10 steps | 20 steps | 40 steps |"
    assert lines[2].startswith(f"| 2 | {cells[100, 2, 10].average:.1f} (27.6) | ")
    assert len(lines) == 4
