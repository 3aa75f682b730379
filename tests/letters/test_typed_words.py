"""Words as they are typed or pasted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilelab.core.errors import LexiconError
from tilelab.letters.lexicon import Accents, clean, parse_lexicon
from tilelab.letters.packed_lexicon import pack_lexicon, unpack_lexicon
from tilelab.letters.puzzle_list import MAX_CHARACTERS, read_typed


def spelt(text, accents=Accents.KEEP):
    return [word.spelling for word in read_typed(text, accents).words]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cat dog rat", ["cat", "dog", "rat"]),
        ("Cat and Rat\ndog", ["Cat and Rat", "dog"]),
        ("Cat and Rat, dog; St. Helens", ["Cat and Rat", "dog", "St. Helens"]),
        ("cat\r\n\r\ndog\n", ["cat", "dog"]),
        ("cat\tdog\trat", ["cat", "dog", "rat"]),
        ("1. Cat\n2) Dog\n(3) Rat\n10. Cow", ["Cat", "Dog", "Rat", "Cow"]),
        ("1. cat 2. dog 3. rat", ["cat", "dog", "rat"]),
        ("• cat • hot dog • rat", ["cat", "hot dog", "rat"]),
        ("- cat\n* dog\n– rat\n[ ] cow\n# pig", ["cat", "dog", "rat", "cow", "pig"]),
        ('"cat", “dog”, «rat»', ["cat", "dog", "rat"]),
        ("3 musketeers\n1.5 litres\n1984\n7-up", ["3 musketeers", "1.5 litres", "1984", "7-up"]),
        ("| cat | dog |", ["cat", "dog"]),
        ("Star Wars - A New Hope, col·lecció", ["Star Wars - A New Hope", "col·lecció"]),
        ("", []),
        ("猫、犬", ["猫", "犬"]),
    ],
)
def test_any_separators(text, words):
    assert spelt(text) == words


def test_what_is_dropped_is_said_with_its_reason():
    read = read_typed("cat, CAT, ?!, dog, " + "x" * 256)
    assert [word.string for word in read.words] == ["cat", "dog"]
    assert read.report.dropped == {
        "repeated": 1,
        "without a letter or digit": 1,
        "longer than 255 symbols": 1,
    }
    assert read.report.examples["repeated"] == [(2, "CAT")]


def test_accents_stay_in_the_spelling_and_are_folded_in_the_string_as_chosen():
    (kept,), (folded,) = (read_typed("Été", accents).words for accents in Accents)
    assert (kept.spelling, kept.string) == ("Été", "été")
    assert (folded.spelling, folded.string) == ("Été", "ete")


def test_a_number_behind_a_tab_is_a_weight():
    read = read_typed("cat\t3\ndog\t0.5\nrat")
    assert [(word.string, word.weight) for word in read.words] == [
        ("cat", 3.0),
        ("dog", 0.5),
        ("rat", None),
    ]


def test_a_text_without_end_is_refused():
    with pytest.raises(LexiconError, match="at most 200,000"):
        read_typed("x" * (MAX_CHARACTERS + 1))


@given(st.text(max_size=60))
def test_whatever_is_pasted_is_read(text):
    for accents in Accents:
        read = read_typed(text, accents)
        strings = [word.string for word in read.words]
        assert len(set(strings)) == len(strings)
        assert all(clean(string, accents) == string for string in strings)


def test_a_file_keeps_spellings_and_says_its_title():
    lexicon = parse_lexicon(b"# title: Pets & co\nCat and Rat\ndog\nDOG\n  Ant \n", "pets.txt")
    assert lexicon.title == "Pets & co"
    assert lexicon.strings == ("ant", "catandrat", "dog")
    assert lexicon.spellings == {"catandrat": "Cat and Rat", "ant": "Ant"}
    assert [lexicon.spelling(string) for string in lexicon.strings] == ["Ant", "Cat and Rat", "dog"]


def test_spellings_are_kept_in_what_a_run_file_holds():
    lexicon = parse_lexicon("Cat and Rat\ndog\nÉté".encode(), "pets.txt")
    again = unpack_lexicon(pack_lexicon(lexicon))
    assert again.spellings == lexicon.spellings
    assert again.digest == lexicon.digest
    assert "spellings" not in pack_lexicon(parse_lexicon(b"cat\ndog", "plain"))


@pytest.mark.parametrize("lines", ["Cat", "Cat\nCow\nx", "Cat\nCow", "\x1b[0mCat\n", "C\xff\n"])
def test_spellings_of_other_strings_are_refused(lines):
    parts = dict(pack_lexicon(parse_lexicon(b"cat\ndog", "pets")))
    parts["spellings"] = np.frombuffer(lines.encode("latin-1"), np.uint8)
    with pytest.raises(LexiconError, match="spelling"):
        unpack_lexicon(parts)
