"""The manual as a book: chapters, pages as plain Markdown, and a search in them."""

import functools
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata

import tilelab
from tilelab.manual.places import fill_tables, folder

FIRST = "start"  # the page that the manual opens with
_CONTENTS = ("index", "solvers/index")
_WORD_LISTS = ("index", "glossary")  # pages that name things without explaining how to use them
_TERMINAL, _ADDING, _RELEASE_NOTES = "Terminal and Python", "Adding to it", "release-notes"
_FENCE = re.compile(r"^```\{([\w-]+)\}([^\n]*)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^<!--.*?-->\n?", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"^```(\w+) shown$", re.MULTILINE)
_HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^\|[-|]+\|$|^#+ |^```.*$", re.MULTILINE)
_STRESSED = re.compile(r"(?<!\w)(\*\*?)(?=\w)(.+?)(?<=\S)\1(?!\w)")
"""The star of A* follows a letter, and begins nothing."""
_PLURALS = {r"ies$": "(?:ie|y)", r"(?<=[sxz])es$|(?<=[cs]h)es$": "e?", r"(?<=..[^s])s$": ""}
"""Endings of plurals, and those of a singular in their place."""
_AROUND = 60  # number of letters of a snippet before the match
_SNIPPET = 160
_ROLE = re.compile(r":\w+:`~?([^`]+)`")


@dataclass(frozen=True)
class Chapter:
    title: str
    pages: tuple[str, ...]


@dataclass(frozen=True)
class PageSection:
    """A part of a page from one heading to the next."""

    title: str
    anchor: str  # anchor of its heading; '' for the part above the second heading
    text: str


@dataclass(frozen=True)
class ManualPage:
    """A page with its tables filled, without what only a site needs."""

    name: str  # path below the folder of pages, without the suffix
    title: str
    markdown: str

    @functools.cached_property
    def sections(self) -> tuple[PageSection, ...]:
        # A line of a script may begin as a heading does.
        without_code = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), self.markdown)
        heads = list(_HEADING.finditer(without_code))
        ends = [head.start() for head in heads[1:]] + [len(self.markdown)]
        return tuple(
            PageSection(
                plain(head[2]), slug(head[2]) if place else "", self.markdown[head.end() : end]
            )
            for place, (head, end) in enumerate(zip(heads, ends, strict=True))
        )


@dataclass(frozen=True)
class SearchHit:
    """A section that has words of a search."""

    page: ManualPage
    section: PageSection
    snippet: str
    has_all: bool  # whether it has all of them; otherwise no section has more

    @property
    def place(self) -> str:
        """The name of the page, with the anchor of the section."""
        return f"{self.page.name}#{self.section.anchor}".rstrip("#")


def slug(heading: str) -> str:
    """Return the anchor of a heading, as forges and the site make it."""
    words = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return words.strip().replace(" ", "-")


def plain(markdown: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", _RULE.sub("", markdown))
    text = _STRESSED.sub(r"\2", text.replace("`", "").replace("|", ""))
    return re.sub(r"\\([|*<\[\]])", r"\1", text)


@functools.cache
def contents() -> tuple[Chapter, ...]:
    chapters = []
    for kind, _, inside in _FENCE.findall(_text("index")):
        if kind == "toctree":
            title = re.search(r"^:caption: (.*)$", inside, re.MULTILINE)
            pages = tuple(_list_pages("index", inside))
            chapters.append(Chapter("" if title is None else title[1], pages))
    return tuple(chapters)


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all pages in order, the contents first."""
    return ("index", *(name for chapter in contents() for name in chapter.pages))


@functools.cache
def title_of(name: str) -> str:
    """Return the title of a page in the contents, without filling its tables."""
    heading = _HEADING.search(_text(name))
    assert heading is not None  # a test requires it of every page
    return plain(heading[2]).partition(":")[0]


@functools.cache
def page(name: str) -> ManualPage:
    """Return a page by its name; raises KeyError for an unknown one."""
    if name not in names():
        raise KeyError(name)
    text = _FENCE.sub(_include, fill_tables(_text(name)))
    text = _SHOWN.sub(r"```\1", _COMMENT.sub("", text))
    title = _HEADING.search(text)
    assert title is not None  # a test requires it of every page
    return ManualPage(name, plain(title[2]), text)


@functools.cache
def _search_order(name: str) -> int:
    """Return the place of a page in a search: pages for users of the window come first."""
    chapter = next((each.title for each in contents() if name in each.pages), "")
    later = name in _WORD_LISTS, chapter == _TERMINAL, chapter == _ADDING, name == _RELEASE_NOTES
    return max((place for place, is_it in enumerate(later, start=1) if is_it), default=0)


def search_patterns(query: str) -> list[str]:
    """Return a regular expression for each word of a search; that of a plural finds one, too."""
    return [_pattern(word) for word in query.casefold().split()]


def _pattern(word: str) -> str:
    for ending, of_one in _PLURALS.items():
        if (stem := re.sub(ending, "", word)) != word:
            return rf"(?<!\w)(?:{re.escape(word)}|{re.escape(stem)}{of_one}(?!\w))"
    return re.escape(word)


def search(query: str) -> list[SearchHit]:
    """Return the sections that contain all words, or else those with most of them.

    A page that is named so comes first, then pages for users of the window, others, and those for
    developers; of each, headings with the words come first.
    """
    words, query = search_patterns(query), " ".join(query.casefold().split())
    hits = [hit for name in names() for hit in _hits(page(name), words, query)]
    found = sorted(hits, key=lambda one: one[0])
    return [hit for order, hit in found if order[0] == found[0][0][0]]


def _hits(
    shown: ManualPage, words: list[str], query: str
) -> Iterator[tuple[tuple[int, ...], SearchHit]]:
    """Return the sections that contain any of the words, each with what sorts them.

    words: regular expressions. query: the words as they were typed, in small letters.
    """
    for section in shown.sections:
        title, text = section.title.casefold(), plain(section.text)
        folded = text.casefold()
        of_page = shown.title.casefold() if section is shown.sections[0] else ""
        in_title = [bool(re.search(word, title)) for word in words]
        counts = [len(re.findall(word, folded)) for word in words]
        n_words = sum(map(any, zip(in_title, counts, strict=True)))
        if not n_words:
            continue
        worth = 10 * sum(in_title) + sum(min(count, 5) for count in counts)
        worth += 20 * sum(bool(re.search(word, of_page)) for word in words)
        # The line of a table explains its first cell, above all that of a parameter.
        lines = re.findall(
            rf"^\| {re.escape(query)}[^|\n]*?(`--[^|\n]*)?\|", section.text.casefold(), re.M
        )
        worth += 15 * bool(lines) + 30 * any(lines) + 40 * (query in title)
        is_named = of_page.removeprefix("the ").startswith(query)
        order = -n_words, not is_named, _search_order(shown.name), not all(in_title), -worth
        has_all = n_words == len(words)
        yield order, SearchHit(shown, section, _snippet(text, words), has_all)


def _snippet(text: str, words: list[str]) -> str:
    """Return the part of a text around the first word that occurs in it, in one line."""
    line = " ".join(text.split())
    places = [found.start() for word in words if (found := re.search(word, line.casefold()))]
    begin = max(min(places, default=0) - _AROUND, 0)
    # No word is cut.
    begin = line.rfind(" ", 0, begin) + 1
    end = begin + _SNIPPET
    end = line.rfind(" ", begin, end + 1) if end < len(line) else len(line)
    return f"{'… ' if begin else ''}{line[begin:end]}{' …' if end < len(line) else ''}"


def _list_pages(name: str, toctree: str) -> Iterator[str]:
    """Return the pages of a table of contents, and of those below it."""
    before = name.rpartition("/")[0]
    for line in toctree.splitlines():
        entry = f"{before}/{line}".lstrip("/")
        if line and not line.startswith(":"):
            yield entry
            if entry in _CONTENTS:
                for _, _, inside in _FENCE.findall(_text(entry)):
                    yield from _list_pages(entry, inside)


def library_reference() -> str:
    """Return a section for each name that ``import tilelab`` offers."""
    names = [name for name in tilelab.__all__ if not name.startswith("_")]
    return "\n".join(_section(name, getattr(tilelab, name)) for name in names)


def _section(name: str, thing: object) -> str:
    parts = [f"## {name}\n", f"```text\n{_signature(name, thing)}\n```\n", _prose(thing)]
    if inspect.isclass(thing):
        parts += _members(thing)
    return "\n".join(parts)


def _members(owner: type) -> Iterator[str]:
    """Return a line of a table for each method and property of the class itself."""
    lines = []
    for name, member in vars(owner).items():
        is_shown = inspect.isfunction(member) or isinstance(member, property)
        if is_shown and not name.startswith("_"):
            text = " ".join(_prose(member).split()).replace("|", "\\|")
            lines.append(f"| `{_signature(name, member)}` | {text} |".replace("\n", " "))
    if lines:
        yield "\n".join(["| member | what |", "|---|---|", *lines, ""])


def _signature(name: str, thing: object) -> str:
    if not callable(thing):
        return name
    try:
        words = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    bare = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in words.parameters.values()
        if each.name != "self"
    ]
    return f"{name}{words.replace(parameters=bare, return_annotation=inspect.Signature.empty)}"


def _prose(thing: object) -> str:
    """Return a docstring, with the marks of Sphinx written as those of Markdown."""
    text = _ROLE.sub(r"`\1`", inspect.getdoc(thing) or "")
    return text.replace("``", "`") + "\n"


def _include(fence: re.Match[str]) -> str:
    """Return the text that replaces an instruction for the site."""
    kind = fence[1]
    if kind == "eval-rst":
        return library_reference()
    return _changes() if kind == "include" else ""


def _changes() -> str:
    """Return the changelog without its title: of the checkout, or of the installed package."""
    file = folder().joinpath("..", "CHANGELOG.md")
    if file.is_file():
        whole = file.read_text("utf-8")
    else:
        try:
            whole = str(metadata("tilelab").json.get("description", ""))
        except PackageNotFoundError:
            return ""
    return whole.partition("# Changelog\n")[2]


def _text(name: str) -> str:
    return folder().joinpath(f"{name}.md").read_text("utf-8")
