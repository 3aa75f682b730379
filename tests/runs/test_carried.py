"""Pictures carry what made them: all of it comes back, or a sentence says why not."""

import io
import random

import numpy as np
import pytest
from PIL import Image

from tests import made_sheets
from tests.asking import recipe
from tests.run_files import signed, unsigned
from tilelab.core.errors import RunFileError, TileLabError
from tilelab.core.puzzle import Best
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.files.carried import (
    CarriedRun,
    carried_text,
    has_run,
    is_start,
    picture_with,
    read_carried,
    run_of_board,
    xmp_with,
)
from tilelab.runs.session import Session

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>\n'


def a_png():
    made = io.BytesIO()
    Image.new("RGB", (30, 20), "white").save(made, "PNG")
    return made.getvalue()


def carrying(suffix, text):
    """Return a file of a kind that carries a text."""
    if suffix == ".pdf":
        return b"%PDF-1.4\nstream\n" + xmp_with(text) + b"\nendstream\n%%EOF\n"
    return picture_with(a_png() if suffix == ".png" else SVG, suffix, text)


def letters_with_constraints():
    lexicon = parse_lexicon(b"Cat\nDNA\nRat\t3\nant\n", "pets.txt", title="Pets")
    asked = Constraints(
        required=("cat",), forbidden=("tan",), nothing_else=open_lexicon("planets"), holes=(3,)
    )
    params = BoggleParams(rows=2, cols=4)
    puzzle = BogglePuzzle.create(lexicon, params, ("CAT#", "DNAR"), asked)
    return puzzle, Best(puzzle.start, puzzle.score(puzzle.start), 5)


MADE = {
    "letters": (letters_with_constraints, "random-walk"),
    "tiles": (made_sheets.tiles, "a-star"),
    "words": (made_sheets.word_tiles, "random-walk"),
}


def a_run(name="letters"):
    make, solver = MADE[name]
    puzzle, best = make()
    session = Session()
    session.begin(recipe(puzzle, solver, {}, 77))
    return CarriedRun(session.recipe, 12, best)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("name", list(MADE))
def test_what_made_a_picture_comes_back(name, suffix, tmp_path):
    run = a_run(name)
    file = tmp_path / f"best{suffix}"
    file.write_bytes(carrying(suffix, carried_text(run)))
    opened = read_carried(file)
    assert opened.recipe.puzzle.params == run.recipe.puzzle.params
    assert opened.recipe.puzzle.instance() == run.recipe.puzzle.instance()
    np.testing.assert_array_equal(opened.recipe.puzzle.start, run.recipe.puzzle.start)
    assert opened.best is not None
    np.testing.assert_array_equal(opened.best.cells, run.best.cells)
    assert (opened.best.value, opened.best.moves) == (run.best.value, run.best.moves)
    assert (opened.recipe.seed, opened.units, opened.snapshot.solver) == (77, 0, run.recipe.solver)
    assert opened.recipe.params == run.recipe.params
    if name == "letters":
        asked = opened.recipe.puzzle.constraints
        assert (asked.required, asked.forbidden, asked.holes) == (("cat",), ("tan",), (3,))
        assert asked.nothing_else.digest == open_lexicon("planets").digest
        assert opened.recipe.puzzle.lexicon.spelling("dna") == "DNA"
    if suffix == ".png":
        with Image.open(file) as picture:
            picture.load()


def test_slid_word_tiles_without_a_run_carry_none(tmp_path):
    """Noticed: "RESUME runs it again" of a search that has not made the printed board."""
    file = tmp_path / "best.svg"
    file.write_bytes(carrying(".svg", carried_text(run_of_board(*made_sheets.word_tiles()))))
    opened = read_carried(file)
    assert not has_run(opened)
    assert not is_start(opened)
    file.write_bytes(carrying(".svg", carried_text(a_run("words"))))
    assert has_run(read_carried(file))


def test_a_built_in_lexicon_is_named_and_not_carried():
    lexicon = open_lexicon("english-large")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2))
    best = Best(np.zeros(4, np.uint8), puzzle.score(np.zeros(4, np.uint8)), 0)
    assert len(carried_text(CarriedRun(recipe(puzzle, "random-walk", {}, 1), 0, best))) < 2_000


def test_a_thousand_damaged_pictures_are_the_right_board_or_a_sentence(tmp_path):
    run = a_run()
    text = carried_text(run)
    files = {suffix: carrying(suffix, text) for suffix in (".png", ".svg", ".pdf")}
    draw = random.Random(14)
    n_opened = 0
    sentences = set()
    for _ in range(1000):
        suffix = draw.choice(list(files))
        data = bytearray(files[suffix])
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(max(len(data), 1))
            kind = draw.randrange(4)
            if kind == 0 and data:
                data[at] ^= 1 << draw.randrange(8)
            elif kind == 1:
                del data[at:]
            elif kind == 2:
                data[at:at] = draw.randbytes(draw.randint(1, 2000))
            else:
                del data[at : at + draw.randint(1, 100)]
        file = tmp_path / f"damaged{suffix}"
        file.write_bytes(data)
        try:
            opened = read_carried(file)
        except RunFileError as error:
            sentences.add(str(error).removeprefix(f"{file.name} cannot be opened: "))
            continue
        n_opened += 1
        assert opened.best.cells.tolist() == run.best.cells.tolist()
        assert opened.recipe.seed == 77
    assert 20 < n_opened < 980
    # The digest finds all that is damaged in the text; only the version stands before it.
    others = {one for one in sentences if not one.startswith("it has version ")}
    assert len(others - {"it is empty"}) == 2, sentences


def forged(*path, value):
    """Return the description of a run with another value in one place."""
    part = plain = unsigned(carried_text(a_run()))
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return plain


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        (b"no JSON", "damaged"),
        (b"[" * 100_000, "nested too deeply"),
        ({"format": "another"}, "wrong at"),
        ((("best", "value"), 1e9), "but 1000000000.0 is stated"),
        ((("best", "cells"), [0] * 7), "has 7 cells"),
        ((("best", "cells"), [0] * 8), "a hole of the board holds a letter"),
        ((("best", "cells"), [300]), "wrong at best.cells"),
        ((("best", "moves"), "UU"), "has no moves"),
        ((("filling",), {"cells": [8], "message": ""}), "wrong at filling"),
        ((("seed",), -1), "wrong at seed"),
        ((("solver", "key"), "magic"), "magic"),
        ((("puzzle", "key"), "chess"), "chess"),
        ((("puzzle", "description", "params"), {"rows": 99}), "rows"),
        ((("puzzle", "description", "lexicon"), {"builtin": "planets", "digest": "0"}), "planets"),
        ((("puzzle", "description", "start"), {"array": "object", "data": ""}), "an unknown kind"),
    ],
)
def test_what_was_made_to_deceive_costs_a_sentence(plain, said, tmp_path):
    file = tmp_path / "forged.svg"
    value = forged(*plain[0], value=plain[1]) if isinstance(plain, tuple) else plain
    file.write_bytes(carrying(".svg", signed(value)))
    with pytest.raises(TileLabError, match=said) as raised:
        read_carried(file)
    assert str(raised.value).startswith("forged.svg cannot be opened: ")


def test_a_missing_picture_has_its_reason_once(tmp_path):
    """Noticed: "one.png cannot be opened: one.png cannot be read: …"."""
    with pytest.raises(RunFileError) as raised:
        read_carried(tmp_path / "one.png")
    assert str(raised.value).count("one.png") == 1


@pytest.mark.exhaustive
def test_a_bomb_is_not_unpacked(tmp_path):
    file = tmp_path / "bomb.png"
    file.write_bytes(signed(b" " * (97 * 2**20)).encode())
    with pytest.raises(RunFileError, match="too large"):
        read_carried(file)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is empty"),
        (b"\x89PNG", "carries no puzzle"),
        (b"tilelab-run:2:" + b"0" * 16 + b":AAAA;", "newer program"),
        (2 * (b"tilelab-run:1:" + b"0" * 16 + b":AAAA; "), "more than one"),
    ],
)
def test_a_picture_of_something_else_costs_a_sentence(data, said, tmp_path):
    file = tmp_path / "other.png"
    file.write_bytes(data)
    with pytest.raises(RunFileError, match=said):
        read_carried(file)
