"""Texts that others have written, for each kind of output."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.nasty_texts import NASTY, steers
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.parameters import validate
from tilelab.core.text.shown_text import (
    MAX_QUOTED,
    csv_cell,
    file_stem,
    menu_text,
    one_line,
    quoted,
    shortened,
    shown_path,
    tool_tip,
    window_title,
)
from tilelab.runs.session import Limits


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;x\x07.txt", r"a\x1b]0;x\x07.txt"),
        ("a\tb\nc\rd", r"a\tb\nc\rd"),
        ("\x9b1m\x7f", r"\x9b1m\x7f"),
        ("non\udcff.txt", r"non\xff.txt"),
        ("\ud800", r"\ud800"),
        ("a\u202eb\u2028", r"a\u202eb\u2028"),
        ("Straße – ü 日本 क्‍ष", "Straße – ü 日本 क्‍ष"),
    ],
)
def test_one_line(text, shown):
    assert one_line(text) == shown


@given(st.text())
def test_nothing_steers_a_terminal_and_cleaning_twice_changes_nothing(text):
    line = one_line(text)
    assert not steers(line)
    assert "\n" not in line
    assert one_line(line) == line
    line.encode()


@given(st.text(max_size=300))
def test_sentences_quote_a_bounded_part(text):
    assert len(quoted(text)) <= len(repr(text[:MAX_QUOTED])) + 1
    assert shortened(text) == one_line(text) or shortened(text).endswith("…")
    assert shown_path(text) == one_line(text) or "…" in shown_path(text)


def test_long_values_keep_their_beginning_and_long_paths_their_end_too():
    assert quoted("x" * 81) == repr("x" * 79) + "…"
    assert quoted("x" * 80) == repr("x" * 80)
    assert quoted(10**99) == "1" + "0" * 78 + "…"
    assert shortened("x" * 81) == "x" * 79 + "…"
    assert shown_path("/home/" + "x" * 99 + "/name.txt").startswith("/home/")
    assert shown_path("/home/" + "x" * 99 + "/name.txt").endswith("/name.txt")
    assert len(shown_path("x" * 99)) == MAX_QUOTED


@pytest.mark.parametrize(
    "text", ["=1", "+1+1", "-1+1", "@x", "\n=1", " =1", "\u3000=1", "=HYPERLINK()", "--", "-a"]
)
def test_a_formula_is_a_text_in_a_table(text):
    assert csv_cell(text) == "'" + text


@pytest.mark.parametrize(
    "value", ["-1", "+1.5", "-.5e-3", "a=b", "", "1-2", "a\nb", 7, -7.5, None, True]
)
def test_other_cells_stay(value):
    assert csv_cell(value) == value
    assert csv_cell("\t=1") == r"\t=1"


def test_menus_tool_tips_titles_and_file_names():
    assert menu_text("a & b\t\x1b") == r"a && b\t\x1b"
    assert tool_tip("a & b") == "a & b"
    assert tool_tip("<b>\x1b\nb & c") == (
        "<p style='white-space:pre'>&lt;b&gt;\\x1b\nb &amp; c</p>"
    )
    assert window_title("a[*]b") == "a[*][*]b"
    assert file_stem("../../a:b\x1b*c") == "a-b-c"
    assert file_stem("///") == "tilelab"
    assert file_stem("Scrambled, 4 × 4") == "Scrambled-4x4"
    assert file_stem("english-small") == "english-small"


@pytest.mark.parametrize("kind", NASTY)
def test_errors_are_one_line_whatever_they_quote(kind):
    assert not steers(str(TileLabError(f"it is {NASTY[kind]}")))
    assert "\n" not in str(ParameterError("x", f"it is {NASTY[kind]}"))


@pytest.mark.parametrize("value", ["x" * 9999, "9" * 9999, -(10**400), ["x" * 9999]])
def test_a_bad_parameter_is_quoted_in_part(value):
    with pytest.raises(ParameterError) as caught:
        validate(Limits, {"limit": value})
    assert len(str(caught.value)) < 200
    with pytest.raises(ParameterError) as caught:
        validate(Limits, {"x" * 9999: 1})
    assert len(str(caught.value)) < 300


@given(st.lists(st.text(), min_size=1))
def test_cells_are_read_again_but_for_the_quote(texts):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow([csv_cell(text) for text in texts])
    read = next(csv.reader(io.StringIO(written.getvalue(), newline="")))
    shown = ["\n".join(map(one_line, text.split("\n"))) for text in texts]
    assert [cell.removeprefix("'") for cell in read] == [text.removeprefix("'") for text in shown]
