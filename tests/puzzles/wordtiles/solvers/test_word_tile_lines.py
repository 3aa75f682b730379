"""The pseudocode of beam and bees on word tiles: lines and values, next to plain Python."""

import pytest

from tests import naive
from tests.naive_searches import BeamLayer
from tests.solver_lines import TINY_WORDS, WORDS, shown_lines
from tilelab.core.text.wording import counted, number


def score_of(puzzle, text):
    cols = puzzle.shape[1]
    rows = [text[begin : begin + cols] for begin in range(0, len(text), cols)]
    return naive.word_tile_score(rows, puzzle.values)


def slides_of(puzzle):
    def slides(text):
        found = ((letter, naive.slide(text, puzzle.shape[1], letter)) for letter in "UDLR")
        return [(letter, child) for letter, child in found if child is not None]

    return slides


@pytest.mark.parametrize("width", [3, 40])
@pytest.mark.parametrize("puzzle", [TINY_WORDS, WORDS], ids=["to the end", "larger"])
def test_the_lines_of_a_beam_are_the_oracles(puzzle, width):
    """Noticed: a board counted twice, a layer that is not the best children, a false best."""
    start = "".join(puzzle.rows_of(puzzle.start))
    visited, best = {start}, score_of(puzzle, start)

    def is_new(child):
        is_known = child in visited
        visited.add(child)
        return not is_known

    steps = shown_lines(puzzle, "beam", {"width": width}, 199)
    assert next(steps)[1] == {"start": f"v = {number(best)}"}
    layer = BeamLayer([(start, None)], slides_of(puzzle), is_new)
    for _, ran in steps:
        if not layer.expand():
            assert ran == {
                "expand": f"{layer.n_expanded} / {len(layer.boards)}",
                "child": counted(len(layer.children), "new board"),
            }
            continue
        if not layer.children:
            assert ran == {"expand": "", "end": ""}
            break
        order = sorted(layer.children, key=lambda child: -score_of(puzzle, child))[:width]
        expected = {"expand": "", "child": counted(len(layer.children), "new board")}
        expected["keep"] = f"{len(order)} / {len(layer.children)}"
        top = score_of(puzzle, order[0])
        expected |= {"best": f"v = {number(top)}"} if top > best else {}
        assert ran == expected
        best = max(best, top)
        boards = [(child, layer.children[child]) for child in order]
        layer = BeamLayer(boards, slides_of(puzzle), is_new)
    assert next(steps, None) is None


@pytest.mark.parametrize(
    ("start", "n_steps"), [("archive", 7), ("archive", 1), ("hive", 7), ("stay", 7)]
)
def test_the_lines_of_the_bees_are_the_oracles(start, n_steps):
    """Noticed: values after recruitment, a wrong number of loyal agents, a board of no archive."""
    title = {"archive": "a best board", "hive": "initial board", "stay": "where it is"}[start]
    params = {"agents": 6, "steps": n_steps, "iterations": 12, "start": start}
    best, names = score_of(WORDS, "".join(WORDS.rows_of(WORDS.start))), set()
    steps = shown_lines(WORDS, "bees", params, 199)
    assert next(steps)[1] == {}
    oracle = enumerate(naive.bee_slides(WORDS, 7, n_agents=6, n_steps=n_steps, start=start))
    for (_, ran), (n_done, slide) in zip(steps, oracle, strict=False):
        lowest, highest = min(slide.values), max(slide.values)
        expected = {"slide": f"u = {n_done % n_steps + 1}", "loyal": f"{slide.n_loyal} / 6"}
        expected |= {"start": ""} if n_done == 0 else {}
        expected |= {"trip": title} if n_done % n_steps == 0 else {}
        expected |= {"best": f"v = {number(highest)}"} if highest >= best else {}
        expected["scale"] = f"v = {number(lowest)} … {number(highest)}"
        n_left = 6 - slide.n_loyal
        expected |= {"recruit": counted(n_left, "agent")} if n_left else {}
        assert ran == expected
        best, names = max(best, highest), names | set(ran)
    assert n_done == n_steps * 12 - 1
    assert "best" in names
    assert "recruit" in names
