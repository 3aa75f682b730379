"""Reading lexicons: what is kept, what is dropped and reported, and every fault."""

import gzip
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.text import language
from tilelab.letters import lexicon as reading
from tilelab.letters.lexicon import Accents, clean, parse_lexicon, read_lexicon


def test_a_small_file_is_read_as_described():
    text = "\ufeff# games\r\nChess\rGo Fish\n\nchess\n!!\nCafé\t2.5\n21\n"
    lexicon = parse_lexicon(text.encode(), "games.txt")
    assert lexicon.strings == ("21", "café", "chess", "gofish")
    assert lexicon.weights.tolist() == [1, 2.5, 1, 1]
    assert lexicon.alphabet == "12acefghiosé"
    assert lexicon.report.dropped == {"repeated": 1, "without a letter or digit": 1}
    assert lexicon.report.summary() == (
        "4 words · 12 symbols · 2 lines dropped: 1 repeated, 1 without a letter or digit"
    )
    assert lexicon.report.details() == (
        "repeated: line 5 'chess'\nwithout a letter or digit: line 6 '!!'"
    )


@pytest.mark.parametrize(("n_lines", "end"), [(4, "line 4 'a'"), (5, "line 4 'a', …")])
def test_dropped_lines_beyond_the_named_ones_are_hinted_at(n_lines, end):
    report = parse_lexicon(b"a\n" * n_lines, "x").report
    assert report.details() == f"repeated: line 2 'a', line 3 'a', {end}"


def test_the_reasons_of_dropped_lines_are_translated():
    """Noticed: "1 ligne écartée : 1 repeated"."""
    report = parse_lexicon(b"a\na\n", "x").report
    language.use("fr")
    try:
        assert "repeated" not in report.summary() + report.details()
    finally:
        language.use(language.ENGLISH)


def test_codes_frequencies_and_lengths():
    lexicon = parse_lexicon(b"ba\nb", "x")
    assert lexicon.strings == ("b", "ba")
    assert lexicon.codes.tolist() == [1, 1, 0]
    assert lexicon.offsets.tolist() == [0, 1, 3]
    assert np.allclose(lexicon.frequencies, [1 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("text", "kept", "folded"),
    [
        ("New York", "newyork", "newyork"),
        ("Beggar-my-neighbor's", "beggarmyneighbors", "beggarmyneighbors"),
        ("ÉCARTÉ", "écarté", "ecarte"),
        ("e\u0301carte\u0301", "écarté", "ecarte"),
        ("Straße", "strasse", "strasse"),
        ("İ", "i\u0307", "i"),
        ("7½", "7½", "712"),
        ("—", "", ""),
    ],
)
def test_cleaning(text, kept, folded):
    assert clean(text) == kept
    assert clean(text, Accents.FOLD) == folded


@given(st.text(max_size=20), st.sampled_from(Accents))
def test_cleaning_twice_changes_nothing(text, accents):
    once = clean(text, accents)
    assert clean(once, accents) == once


@given(st.text(max_size=20))
def test_folded_text_has_no_marks_and_no_capitals(text):
    folded = clean(text, Accents.FOLD)
    assert folded == folded.casefold()
    assert all(symbol.isalnum() for symbol in folded)


def test_gzip_is_known_by_its_content(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert read_lexicon(path).strings == ("one", "two")


def test_of_duplicates_the_largest_weight_is_kept():
    lexicon = parse_lexicon(b"a\t2\nA\t5\na\t1", "x")
    assert (lexicon.strings, lexicon.weights.tolist()) == (("a",), [5])


@pytest.mark.parametrize("weight", ["many", "nan", "inf", "-1"])
def test_a_bad_weight_drops_the_line_and_says_so(weight):
    lexicon = parse_lexicon(f"a\nb\t{weight}".encode(), "x")
    assert lexicon.strings == ("a",)
    assert lexicon.report.dropped == {
        "with a weight that is not a number in 0..1,000,000,000,000": 1
    }


def test_strings_longer_than_the_limit_are_dropped():
    lexicon = parse_lexicon(b"a" * 255 + b"\n" + b"b" * 256, "x")
    assert lexicon.strings == ("a" * 255,)
    assert lexicon.report.dropped == {"longer than 255 symbols": 1}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "x has no word"),
        (b"# only a comment\n\n", "x has no word"),
        (b"...\n---", r"no word with a letter or digit \(.*2 without"),
        (b"a\r\nb\r\nc\xff\n", r"^x, line 3, is not UTF-8 text; save the file as UTF-8$"),
        (b"a\0b", "x is not a text file"),
        (b"%PDF-1.4\n1 0 obj\nendobj", "x is not a text file"),
        (gzip.compress(b"\x7fELF\0\0", mtime=0), "x is not a text file"),
        (gzip.compress(b"abc\n" * 99, mtime=0)[:-9], "ends too early"),
        (b"\x1f\x8b\x08\x00garbage-garbage", "damaged gzip"),
    ],
)
def test_faults_are_one_sentence(data, words):
    with pytest.raises(LexiconError, match=words) as raised:
        parse_lexicon(data, "x")
    assert "\n" not in str(raised.value)


def test_more_than_64_symbols_are_named():
    symbols = "".join(chr(0x4E00 + index) for index in range(65))
    with pytest.raises(LexiconError, match="65 different symbols; at most 64 .* " + symbols):
        parse_lexicon(symbols.encode(), "x")
    assert len(parse_lexicon(symbols[:64].encode(), "x").alphabet) == 64


def test_a_folder_a_missing_and_a_forbidden_file(tmp_path):
    with pytest.raises(LexiconError, match="is a folder"):
        read_lexicon(tmp_path)
    with pytest.raises(LexiconError, match="cannot be read: No such file"):
        read_lexicon(tmp_path / "none.txt")


@pytest.mark.parametrize("packed", [False, True])
def test_a_huge_file_is_refused_within_bounded_memory(tmp_path, monkeypatch, packed):
    monkeypatch.setattr(reading, "MAX_BYTES", 2**20)
    path = tmp_path / "huge.txt"
    huge = b"abc\n" * 2**22
    path.write_bytes(gzip.compress(huge) if packed else huge)
    del huge
    tracemalloc.start()
    with pytest.raises(LexiconError, match="larger than 1 MB"):
        read_lexicon(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6 * 2**20


def test_a_gzip_file_of_several_members_is_read_whole():
    data = gzip.compress(b"one\ntwo\n") + gzip.compress(b"three\nfour\n") + b"\0" * 100
    assert parse_lexicon(data, "test").strings == ("four", "one", "three", "two")


def test_a_weight_too_large_to_be_added_exactly_is_dropped_and_said():
    lexicon = parse_lexicon(b"one\t1e308\ntwo\t3\n", "test")
    assert lexicon.strings == ("two",)
    assert "1,000,000,000,000" in lexicon.report.summary()


def test_a_path_in_the_home_of_nobody_is_a_sentence():
    with pytest.raises(TileLabError, match="unknown user"):
        read_lexicon("~there-is-no-such-user/words.txt")


def test_very_many_members_are_unpacked_in_a_time_that_grows_with_their_bytes(monkeypatch):
    make, n_given = zlib.decompressobj, []

    class Counted:
        def __init__(self, **named):
            self._real = make(**named)

        def decompress(self, data, *limits):
            n_given.append(len(data))
            return self._real.decompress(data, *limits)

        def __getattr__(self, name):
            return getattr(self._real, name)

    monkeypatch.setattr(reading.zlib, "decompressobj", Counted)
    empty = gzip.compress(b"")
    words = "".join(f"word{number}\n" for number in range(3000)).encode()
    data = empty * 500 + gzip.compress(words) + b"\0" * 10_000 + empty * 500
    assert len(parse_lexicon(data, "test").strings) == 3000
    assert sum(n_given) < 5 * len(data)


@pytest.mark.parametrize("n_missing", [1, 8, 9, 10, 17])
def test_a_last_member_that_is_cut_off_is_found_out(n_missing):
    data = gzip.compress(b"one\n") + gzip.compress(b"two\n")
    with pytest.raises(LexiconError, match="ends too early"):
        parse_lexicon(data[:-n_missing], "test")
