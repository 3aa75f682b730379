"""The lexicons that ship with the program."""

import pytest

from tilelab.core.errors import UsageError
from tilelab.letters.builtin import DEFAULT, builtin_lexicons, open_lexicon
from tilelab.letters.lexicon import Accents, clean

COUNTS = {
    "game-titles": 172,
    "us-states": 50,
    "english-small": 40_000,
    "english-medium": 63_000,
    "english-large": 115_000,
    "enable": 173_528,
    "german": 355_613,
    "french": 341_700,
    "spanish": 86_009,
    "numbers-1-1000": 1000,
    "numbers-1-397": 397,
    "planets": 8,
    "elements": 118,
}


def test_all_are_listed_with_the_default_first():
    assert [entry.key for entry in builtin_lexicons()] == list(COUNTS)
    assert builtin_lexicons()[0].key == DEFAULT


@pytest.mark.every(5)
@pytest.mark.parametrize("key", COUNTS)
def test_each_is_read_without_a_dropped_line(key):
    lexicon = open_lexicon(key)
    assert lexicon.name == key
    assert lexicon.report.n_dropped == 0
    if key.startswith("english"):
        assert COUNTS[key] <= len(lexicon.strings) < COUNTS[key] + 2000
        assert lexicon.alphabet == "abcdefghijklmnopqrstuvwxyz"
    else:
        assert len(lexicon.strings) == COUNTS[key]


def test_known_facts():
    states = open_lexicon("us-states")
    population = dict(zip(states.strings, states.weights, strict=True))
    assert population["california"] == 39_538_223
    assert population["newyork"] == 20_201_249
    assert open_lexicon("numbers-1-1000").alphabet == "0123456789"


@pytest.mark.parametrize(
    ("key", "word", "accents"),
    [
        pytest.param("german", "größe", "äöü", marks=pytest.mark.exhaustive),
        pytest.param("french", "élève", "àâçèéêëîïôùûü", marks=pytest.mark.exhaustive),
        ("spanish", "año", "áéíñóúü"),
    ],
)
def test_accents_are_letters_of_other_languages(key, word, accents):
    lexicon = open_lexicon(key)
    assert clean(word) in lexicon.strings
    assert set(accents) <= set(lexicon.alphabet)
    assert set(open_lexicon(key, Accents.FOLD).alphabet) <= set("abcdefghijklmnopqrstuvwxyz")


def test_an_unknown_name_lists_the_built_in_ones(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere is neither .* planets"):
        open_lexicon("nowhere")
    path = tmp_path / "mine.txt"
    path.write_text("one\ntwo\n")
    assert open_lexicon(path).name == "mine.txt"


def test_the_last_lexicon_is_kept():
    """A sweep makes many puzzles of it, and the tables of its words belong to it."""
    assert open_lexicon("planets") is open_lexicon("planets")
    assert open_lexicon("planets", Accents.FOLD) is not open_lexicon("planets", Accents.KEEP)
