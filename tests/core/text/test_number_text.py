"""Numbers as text: the same ones are taken wherever a number is typed or read."""

import pytest

from tilelab.cli.results import target_of
from tilelab.core.errors import UsageError
from tilelab.core.flags import whole
from tilelab.core.plain import number_from, typed_text, whole_from
from tilelab.core.text import language
from tilelab.core.text.wording import number, number_again
from tilelab.letters.lexicon import weight_of

ODD = ["", " ", *["1_0", "inf", "-Infinity", "nan", "1e999", "0x10", "1,5", "١", "２", "²"]]
"""Most of these are numbers to Python."""


@pytest.mark.parametrize("text", ODD)
def test_what_is_no_plain_number_is_refused_everywhere(text):
    for read in (number_from, whole_from):
        with pytest.raises(ValueError, match=r"."):
            read(text)
    with pytest.raises(UsageError, match="is not a number"):
        target_of(text)
    with pytest.raises(UsageError, match="is not a whole number"):
        whole("--seed", text)
    assert weight_of(text) is None


def test_numbers_are_read_as_they_are_written():
    texts = ["007", "-12", "+2", " 5 ", ".5", "1.", "1e3", "9" * 30]
    assert [number_from(text) for text in texts] == [7, -12, 2, 5, 0.5, 1.0, 1000.0, 10**30 - 1]
    assert [whole_from(text) for text in ("12.0", "1e3")] == [12, 1000]
    with pytest.raises(ValueError, match=r"0\.5"):
        whole_from("0.5")


def test_only_thousands_are_separated():
    """Half a second, typed with a comma, was five."""
    texts = ["1,000", "-12,345,678.5", "1\u202f000", "0,5", "1,00", "1,0000", "5, 20"]
    read = ["1000", "-12345678.5", "1000", "0,5", "1,00", "1,0000", "5, 20"]
    assert [typed_text(text) for text in texts] == read


def test_numbers_are_typed_with_the_signs_of_the_language():
    """In German, 1.000 was one."""
    language.use("de")
    try:
        typed = [typed_text(text) for text in ("1.000", "-1.234,5", "0,5", "0.5", "1,000")]
    finally:
        language.use("en")
    assert typed == ["1000", "-1234.5", "0.5", "0.5", "1.000"]


@pytest.mark.parametrize("value", [0, 33, 5655, 20_000, -1234, 1_234_567, 0.25, -5.5, 5655.13])
def test_a_number_of_one_language_is_the_same_in_another(value):
    """Noticed: 5,655 in a German window, which is five point six there."""
    shown = {}
    for key in ("en", "de", "fr", "es"):
        language.use(key)
        shown[key] = number(value)
    again = {}
    for key in shown:
        language.use(key)
        again[key] = {number_again(other) for other in shown.values()}
    language.use("en")
    assert again == {key: {text} for key, text in shown.items()}


def test_what_is_no_number_stays_as_it_was_recorded():
    texts = ["", "46 moves", "nearest: 12+ to goal", "1:05", "5,6", "1,23,456", "12.3456", "–"]
    texts += ["0.875", "0,125", "12.345,678", "1,234,56"]
    assert [number_again(text) for text in texts] == texts
