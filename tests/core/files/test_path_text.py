"""Paths as text: whatever bytes a name has, it is shown, kept and found again."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import cases
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.files.paths import expanded, path_from, path_text
from tilelab.core.text.shown_text import encodable

ODD = os.fsdecode(b"nonutf\xff\xfe.txt")


def test_what_is_text_stays_as_it_is():
    for text in ("/a/b.txt", "words.txt", "Größe %41.txt", "a\\xff", "file:x", "🂡"):
        assert encodable(text) == text
        assert path_text(text) == text
        assert path_from(text) == Path(text)


def test_other_bytes_are_shown_and_found_again():
    assert encodable(ODD) == r"nonutf\xff\xfe.txt"
    assert path_text(Path("/dir") / ODD) == "file:///dir/nonutf%FF%FE.txt"
    assert path_from("file:///dir/nonutf%FF%FE.txt") == Path("/dir") / ODD
    assert path_from(path_text(ODD)) == Path.cwd() / ODD
    assert encodable("\ud800") == r"\ud800"


def test_a_path_that_is_not_one_plain_line_is_a_uri():
    for name in ("a\tb", "a\nb", "a\x1b]0;x\x07", "a\u202eb"):
        text = path_text(Path("/dir") / name)
        assert text.startswith("file:///dir/a%")
        assert path_from(text) == Path("/dir") / name


@pytest.mark.skipif(os.name == "nt", reason="there names are text")
@cases(200)
@given(name=st.binary(min_size=1, max_size=30))
def test_names_of_any_bytes(name):
    path = Path("/") / os.fsdecode(name.replace(b"\0", b"x"))
    text = path_text(path)
    assert path_from(text) == path
    for written in (text, encodable(str(path))):
        assert written.encode("utf-8").decode("utf-8") == written


def test_every_reader_and_writer_takes_the_kept_form():
    assert expanded(path_text(Path("/dir") / ODD)) == Path("/dir") / ODD


def test_sentences_are_text():
    for fault in (TileLabError(f"{ODD} is gone"), ParameterError("a", f"{ODD} is gone")):
        assert str(fault) == r"nonutf\xff\xfe.txt is gone"
