"""Lexicons, boards and grids that chance has written: a sound value or one sentence, never more."""

import gzip
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import cases
from tilelab.catalog import puzzle_of_board, puzzles
from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.files.grid_file import MAX_BYTES, parse_grid, read_grid
from tilelab.core.files.paths import read_text
from tilelab.core.files.resources import resource
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import (
    MAX_LENGTH,
    MAX_SYMBOLS,
    MAX_WEIGHT,
    Accents,
    parse_lexicon,
    read_lexicon,
)
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.text import parse_board, parse_boards
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import split_rows

MAX_SENTENCE = 700
MAX_READ_BYTES = 96 << 20
"""That reading may take: a text of 1 MB, the most that a board has, is half a million tokens."""


def _resource(*names):
    return resource(*names).read_bytes()[:6000]


LEXICONS = {
    "planets.txt": _resource("lexicons", "planets.txt"),
    "states.txt": _resource("lexicons", "us-states.txt"),
    "elements.txt.gz": gzip.compress(_resource("lexicons", "elements.txt"), mtime=0),
    "weighed.csv": "Zürich\t12.5\nGöteborg\t3\n# a note\nnaïve\t1e3\n\nstraße,strasse\n".encode(),
}
GRIDS = {
    "saved.txt": b"F E S T\nA R E A\nL O N G\n\n# score: 12 strings\n# lexicon: planets\n",
    "plain.txt": "| Ä | b |\n| c | ß |\n".encode("utf-8-sig"),
    "commas.csv": b"a,b,c\r\nd,e,f\r\n",
}
BOARDS = {
    "korf.csv": _resource("boards", "korf100.csv"),
    "lines.txt": b"5 1 2 4\n9 6 3 8\n13 15 10 11\n14 0 7 12\n",
    "framed.txt": b"+--+--+--+\n| 1| 2| 3|\n+--+--+--+\n| 4| _| 6|\n| 7| 5| 8|\n",
    "many.txt": b"1 2 3 4 5 6 7 0 8\n867254301\n\n1 2 3\n4 5 6\n7 8 0\n",
    "nested.py": b"[[1, 2, 3], [4, 5, 6], [7, 8, 0]]",
    "words.txt": b"tin.\ngold\nlead\n",
}
ENCODINGS = ("utf-16", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp037")
ODD = (
    b"\0", b"\0" * 999, b"\xff\xfe", b"\xef\xbb\xbf", b"9" * 5000, b"-" * 50, b"1e999", b"\t-1",
    b"\tnan", b"\t1_000", b"a" * 20_000, b" " * 20_000, b"\r", b"\x85", "\u2028".encode(),
    "٣".encode(), "²".encode(), "ⅷ".encode(), "\U0001f600".encode(), "e\u0301\u0323".encode(),
    "İ".encode(), b"\xed\xa0\x80", b"\x1f\x8b\x08", b"#", b"# score", b"/", b"[(", b"\n" * 3000,
    "".join(map(chr, range(0x3041, 0x3097))).encode(),
)  # fmt: skip


def _flip(data, draw):
    out = bytearray(data)
    for _ in range(draw(st.integers(1, 6))):
        if out:
            out[draw(st.integers(0, len(out) - 1))] ^= draw(st.integers(1, 255))
    return bytes(out)


def _cut(data, draw):
    first, last = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    return data[:first] + data[last:] if draw(st.booleans()) else data[first:last]


def _lines(data, draw):
    """Swap, repeat or join lines."""
    lines = data.splitlines(keepends=True) or [b""]
    one, two = draw(st.tuples(*[st.integers(0, len(lines) - 1)] * 2))
    lines[one], lines[two] = lines[two], lines[one]
    most = 300 if len(lines[one]) < 2_000 else 2  # lines are joined, and repeated again
    lines[one] *= min(draw(st.sampled_from([1, 1, 2, 300])), most)
    return draw(st.sampled_from([b"", b"", b"\r", b" "])).join(lines)


def _put_in(data, draw):
    place = draw(st.integers(0, len(data)))
    return data[:place] + draw(st.sampled_from(ODD) | st.binary(max_size=20)) + data[place:]


def _recode(data, draw):
    return data.decode("utf-8", "replace").encode(draw(st.sampled_from(ENCODINGS)), "replace")


def _pack(data, draw):
    return gzip.compress(data, 1, mtime=0) * draw(st.integers(1, 2))


SIDES = st.none() | st.integers(1, 17)
WAYS = (_flip, _cut, _lines, _put_in, _recode, _pack)


@st.composite
def spoiled(draw, files):
    """Bytes of a file after up to four mishaps, or of none at all."""
    if not draw(st.integers(0, 9)):
        return draw(st.binary(max_size=200) | st.text(max_size=200).map(_utf8))
    data = files[draw(st.sampled_from(sorted(files)))]
    for way in draw(st.lists(st.sampled_from(WAYS), max_size=4)):
        data = way(data, draw)
    return data


def _utf8(text):
    return text.encode(errors="surrogatepass")


def _sentence(fault):
    said = str(fault)
    assert said
    assert said.isprintable() or "\n" not in said
    assert len(said) < MAX_SENTENCE, said[:200]


def _tried(action, *arguments, **named):
    """The action's value, or None when it says in a sentence why not."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        return action(*arguments, **named)
    except TileLabError as fault:
        _sentence(fault)
        return None
    finally:
        assert tracemalloc.get_traced_memory()[1] - before < MAX_READ_BYTES


@pytest.fixture(autouse=True)
def traced():
    tracemalloc.start()
    yield
    tracemalloc.stop()


def _written(folder, data):
    file = folder / "fuzz.txt"
    file.write_bytes(data)
    return file


@cases(40)
@given(data=spoiled(LEXICONS), accents=st.sampled_from(Accents))
def test_lexicons(data, accents, tmp_path):
    file = _written(tmp_path, data)
    lexicon = _tried(parse_lexicon, data, "words", accents=accents)
    assert file.read_bytes() == data
    if lexicon is None:
        with pytest.raises(LexiconError):
            read_lexicon(file, accents)
        return
    assert read_lexicon(file, accents).strings == lexicon.strings
    assert list(lexicon.strings) == sorted(set(lexicon.strings))
    assert 0 < len(lexicon.alphabet) <= MAX_SYMBOLS
    assert lexicon.lengths.min() >= 1
    assert lexicon.lengths.max() <= MAX_LENGTH
    assert lexicon.codes.max() < len(lexicon.alphabet)
    assert ((lexicon.weights >= 0) & (lexicon.weights <= MAX_WEIGHT)).all()
    assert np.isclose(lexicon.frequencies.sum(), 1)
    assert "\n" not in lexicon.report.summary()
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2))
    cells = np.full(4, len(lexicon.alphabet) - 1, np.uint8)
    assert 0 <= puzzle.score(cells) <= puzzle.full_value


@cases(40)
@given(data=spoiled({**GRIDS, **BOARDS}))
def test_grids(data, tmp_path):
    file = _written(tmp_path, data)
    grid = _tried(read_grid, file)
    assert puzzle_of_board(file) in ("", *puzzles())
    assert file.read_bytes() == data
    if grid is not None:
        assert {len(row) for row in grid.rows} == {len(grid.rows[0])}
        _make_of_letters(grid.rows)


@cases(40)
@given(data=spoiled(BOARDS), rows=SIDES, cols=SIDES)
def test_boards(data, rows, cols, tmp_path):
    text = _tried(read_text, _written(tmp_path, data), MAX_BYTES)
    if text is None:
        return
    for board in [_tried(parse_board, text, rows, cols), *(_tried(parse_boards, text) or ())]:
        if board is not None:
            params = SlidingParams(rows=board.rows, cols=board.cols)
            puzzle = _tried(SlidingPuzzle.create, params, board.tiles)
            assert puzzle is None or sorted(puzzle.start) == list(range(len(board.tiles)))
    pieces = _tried(split_rows, text, rows, cols)
    if pieces is not None:
        _make_of_letters(pieces)


@cases(40)
@given(text=st.text(max_size=80) | st.text("0123456789 ._/,x-\n", max_size=80))
def test_pasted_text(text):
    for board in [_tried(parse_board, text), *(_tried(parse_boards, text) or ())]:
        if board is not None:
            _tried(
                SlidingPuzzle.create, SlidingParams(rows=board.rows, cols=board.cols), board.tiles
            )
    for rows in (_tried(split_rows, text), getattr(_tried(parse_grid, text), "rows", None)):
        if rows is not None:
            _make_of_letters(rows)


def _make_of_letters(rows):
    """Make boards of rows that may have any symbols and any length."""
    lexicon, shape = open_lexicon("planets"), {"rows": len(rows), "cols": len(rows[0])}
    for params, puzzle in ((BoggleParams, BogglePuzzle), (WordTilesParams, WordTilesPuzzle)):
        if max(shape.values()) <= 10 and min(shape.values()) >= 2:
            _tried(puzzle.create, lexicon, params(**shape), rows)
        _tried(puzzle.create, lexicon, params(rows=2, cols=2), rows)
