"""The language of texts: catalogues, figures, plurals, and the languages made up to find faults."""

from datetime import datetime

import pytest

from tilelab.core.text import language
from tilelab.core.text.language import (
    LANGUAGES,
    figures,
    marked,
    moment_text,
    of_system,
    tr,
    tr_count,
    use,
)
from tilelab.core.text.wording import NOUNS, boards_expanded, counted, duration, number


@pytest.fixture(autouse=True)
def _english_again():
    yield
    use("en")


def test_english_is_what_stands_in_the_code():
    use("en")
    assert tr("Getting ready…") == marked("Getting ready…") == "Getting ready…"
    assert counted(1, "class") == "1 class"
    assert counted(1234, "class") == "1,234 classes"
    assert figures(1234.5, ",.2f") == "1,234.50"


@pytest.mark.parametrize("key", ["xx", "", "tlh", "de_AT.UTF-8"])
def test_a_language_that_is_not_there_is_english(key):
    use(key)
    assert language.language() == "en"


@pytest.mark.parametrize(
    ("key", "whole", "part"),
    [("de", "1.234.567", "1.234,50"), ("fr", "1\u202f234\u202f567", "1\u202f234,50")],
)
def test_figures_have_the_signs_of_the_language(key, whole, part):
    use(key)
    assert figures(1234567, ",") == whole
    assert number(1234.5) == part
    assert figures(0.5, ".1f") == "0,5"
    assert figures(0.5, ".0%") == "50\u00a0%"
    assert duration(0.25) == "0,25 s"


def test_spanish_groups_only_numbers_from_five_digits_on():
    """Noticed: 1.000 in a text next to 1000 in Qt's fields."""
    use("es")
    texts = [figures(value, ",.1f") for value in (1_000, -1_000, 10_000, 1_234_567)]
    assert texts == ["1000,0", "-1000,0", "10.000,0", "1.234.567,0"]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("en", "2026-03-01 09:05"),
        ("de", "01.03.2026 09:05"),
        ("fr", "01/03/2026 09:05"),
        ("es", "1/3/2026 09:05"),
        ("xl", "2026-03-01 09:05"),
    ],
)
def test_a_moment_is_written_as_the_language_does(key, text):
    use(key)
    assert moment_text(datetime(2026, 3, 1, 9, 5, 59)) == text


def test_long_texts_keep_what_is_no_text():
    use("xl")
    said = tr("<b>Save</b> {name} to &file\n(*.txt) at {share:.1f} %")
    assert said.startswith("[")
    assert said.endswith("~]")
    for kept in ("<b>", "</b>", "{name}", "{share:.1f}", "&", "\n", "*.txt"):
        assert kept in said
    assert "Save" not in said
    assert len(said) > 1.3 * len("<b>Save</b> {name} to &file\n(*.txt) at {share:.1f} %")
    assert counted(3, "string").startswith("[3 ")


@pytest.mark.parametrize(
    ("variables", "key"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE", "LANGUAGE": "es:fr"}, "es"),
        ({"LANG": "de_DE", "TILELAB_LANGUAGE": "xl"}, "xl"),
        ({"LANG": "de_DE", "TILELAB_LANGUAGE": "en"}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "it_IT.UTF-8"}, "en"),
        ({"LC_MESSAGES": "es-MX"}, "es"),
    ],
)
def test_the_environment_asks_for_a_language(variables, key, monkeypatch):
    for name in ("TILELAB_LANGUAGE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(language.locale, "getlocale", lambda: (None, None))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert of_system() == key


def test_a_number_of_things_has_a_form_in_each_language():
    for key in LANGUAGES:
        use(key)
        for noun in NOUNS:
            assert "7" in counted(7, noun)
    use("en")
    assert tr_count("{count} day", "{count} days", 1) == "{count} day"


def test_boards_expanded_agree_with_their_number():
    assert [boards_expanded(count) for count in (1, 1_614)] == [
        "1 board expanded",
        "1,614 boards expanded",
    ]
    use("fr")  # whose 0 is singular
    assert [boards_expanded(count) for count in (0, 1, 2)] == [
        "0 plateau développé",
        "1 plateau développé",
        "2 plateaux développés",
    ]
