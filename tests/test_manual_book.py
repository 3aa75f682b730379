"""The manual as a book: its contents, its pages without marks of the site, and its search."""

import re
from importlib import metadata
from pathlib import Path

import pytest

import tilelab
from tilelab.manual import book, places

DOCS = Path(__file__).parents[1] / "docs"


def test_the_book_has_every_page_once():
    there = {file.relative_to(DOCS).with_suffix("").as_posix() for file in DOCS.rglob("*.md")}
    assert sorted(book.names()) == sorted(there)
    assert book.names()[:2] == ("index", "start")


@pytest.mark.parametrize("name", book.names())
def test_a_page_has_no_marks_of_the_site(name):
    page = book.page(name)
    assert not re.search(r"^```\{|<!--|^```\w+ shown", page.markdown, re.MULTILINE)
    assert page.title
    assert page.sections[0].title == page.title
    assert page.sections[0].anchor == ""
    anchors = [section.anchor for section in page.sections[1:]]
    assert all(anchors)


def test_a_page_that_is_not_there():
    with pytest.raises(KeyError):
        book.page("../README")


def test_the_release_notes_are_the_changelog(monkeypatch, tmp_path):
    changelog = (DOCS.parent / "CHANGELOG.md").read_text("utf-8")
    newest = changelog.partition("## [Unreleased]")[2].strip().splitlines()[-1]
    assert newest in book.page("release-notes").markdown
    # Where it is installed the changelog stands behind the readme, in the package's description.
    told = {"description": f"# TileLab\n\nreadme\n\n{changelog}"}
    monkeypatch.setattr(book, "folder", lambda: tmp_path)
    monkeypatch.setattr(metadata.PathDistribution, "metadata", Described(told))
    assert newest in book._changes()
    assert "readme" not in book._changes()


class Described:
    """What importlib says of a package."""

    def __init__(self, told):
        self.json = told


def test_the_reference_has_every_name_of_the_library():
    text = book.page("library-reference").markdown
    names = [name for name in tilelab.__all__ if not name.startswith("_")]
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == names
    assert "| `advance(units=None)` |" in text
    assert "``" not in re.sub(r"^```.*$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("mutation rate", "solvers/genetic#parameters"),
        ("glossary", "glossary"),
        ("window", "window"),
        ("beam", "solvers/beam"),
        ("Pattern databases", "sliding-tiles#pattern-databases"),
        ("korf felner tables", None),
        ("two processors", "sliding-tiles#threads-on-several-processors"),
        ("one processor run", "islands#one-run-on-several-processors"),
    ],
)
def test_a_search_finds_what_explains_it_first(asked, place):
    """Noticed: only who guesses "cores" finds how to use all processors."""
    found = book.search(asked)
    assert found
    assert place is None or found[0].place == place
    for one in found:
        text = f"{one.section.title} {one.section.text}".casefold()
        assert one.has_all
        assert all(re.search(word, text) for word in book.search_patterns(asked))


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        *(("hint", "puzzle-maker"), ("nearest", "sliding-tiles")),
        *(("resume", "run-file"), ("status", "experiments")),
    ],
)
def test_pages_for_users_come_before_those_of_the_terminal_and_for_developers(asked, first):
    """Noticed: the glossary's translations, release notes and "Adding a puzzle" came first."""
    pages = [found.page.name for found in book.search(asked)]
    terminal, developers = (set(chapter.pages) for chapter in book.contents()[-2:])
    places = [
        3 if name == "release-notes" else 2 if name in developers else int(name in terminal)
        for name in pages
    ]
    assert pages[0] == first
    assert places == sorted(places)


def test_a_word_that_is_nowhere_hides_no_place_with_the_others():
    """Noticed: "Nothing found." for "44.1 points", although "points" has a page."""
    found = book.search("xyzzy points")
    assert [one.place for one in found] == [one.place for one in book.search("points")]
    assert not any(one.has_all for one in found)
    assert "puzzle-maker#how-hard-it-is" in [one.place for one in found[:3]]


def test_a_plural_finds_the_singular_but_no_part_of_another_word():
    """Noticed: "cores" finds each section with a score."""
    (cores,) = book.search_patterns("Cores")
    assert [bool(re.search(cores, text)) for text in ("one core", "scores")] == [True, False]
    for plural, words in (
        ("searches", ["search"]), ("entries", ["entry"]), ("ties", ["tie"]), ("uses", ["use"]),
    ):  # fmt: skip
        (pattern,) = book.search_patterns(plural)
        text = f"{plural} {' '.join(words)} types usual"
        assert re.findall(pattern, text) == [plural, *words]
    assert book.search_patterns("loss a* is") == ["loss", r"a\*", "is"]


def test_a_search_for_nothing_finds_nothing():
    assert book.search("  ") == []
    assert book.search("xyzzy") == []


def test_a_snippet_has_the_word_and_cuts_none():
    for found in book.search("temperature"):
        line = " ".join(book.plain(found.section.text).split())
        cut = found.snippet.removeprefix("… ").removesuffix(" …")
        assert "temperature" in f"{found.section.title} {cut}".casefold()
        assert f" {cut} " in f" {line} "
        assert found.snippet.startswith("… ") == (not line.startswith(cut))
        assert found.snippet.endswith(" …") == (not line.endswith(cut))


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("A* and weighted A*", "A* and weighted A*"),
        (r"**GO** *now*, `A*`, [a link](page.md)", "GO now, A*, a link"),
        ("| a | b |\n|---|---|\n| c | d |", " a  b \n\n c  d "),
    ],
)
def test_plain_text(markdown, text):
    assert book.plain(markdown) == text


def test_the_place_of_a_parameter():
    assert places.parameter_place("boggle", "genetic", "mutation") == "solvers/genetic#--mutation"
    assert places.parameter_place("boggle", "", "rows") == "letter-grids#--rows"
    assert places.page_of("a plug-in's") == "index"
    assert places.page_of("boggle", "a plug-in's") == "solvers/index"
