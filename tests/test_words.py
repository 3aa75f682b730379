"""The program speaks the field's terms in plain English: its texts, pages and code.

They are compared with the glossary's table of words to avoid. Docstrings of attributes make sense
alone, and no sentence is long.
"""

import ast
import functools
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from tilelab import catalog
from tilelab.cli.command import commands
from tilelab.core.parameters import describe
from tilelab.runs.session import Limits

TREE = Path(__file__).parents[1]
GLOSSARY = TREE / "docs" / "glossary.md"
PAGES = [
    *(TREE / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")),
    *sorted((TREE / "docs").rglob("*.md")),
]
FILES = sorted((TREE / "tilelab").rglob("*.py"))
CODE = {
    folder: list(files)
    for folder, files in itertools.groupby(FILES, lambda file: file.relative_to(TREE).parts[1])
}
MAX_WORDS = 40
"""Maximum number of words in a sentence."""
FRAGMENT = re.compile(
    r"(?!u?int\d|float\d)[a-z]"
    r"|(?:Of|With|In|By|From|To|At|On|For|As|And|Or|But|That|Which|Whose|What|How|Why|Its?|They)\b"
    r"|Whether (?:it|they)\b(?! is proven)"
)
"""The beginning of an attribute's docstring that needs the attribute's name to make sense."""


COMMENT = re.compile(r"(?<!\S)#.*")


@dataclass(frozen=True)
class Avoided:
    """A row of the glossary's table of words to avoid."""

    words: re.Pattern[str]
    instead: str
    where: str
    """'all' texts and the code, all 'texts' alone, or those of the 'program'."""
    phrases: tuple[str, ...]
    """Phrases in which the words are allowed."""

    def found_in(self, text):
        for phrase in self.phrases:
            text = re.sub(re.escape(phrase), " ", text, flags=re.IGNORECASE)
        return [match.group() for match in self.words.finditer(text)]


def listed(cell):
    return tuple(word.strip() for word in cell.split(",") if word.strip())


def words_to_avoid():
    part = GLOSSARY.read_text("utf-8").split("## Words to avoid")[1]
    rows = [line.strip().split("|")[1:-1] for line in part.splitlines() if line.startswith("|")]
    for avoid, instead, where, phrases in ([cell.strip() for cell in row] for row in rows[2:]):
        words = "|".join(map(re.escape, listed(avoid)))
        yield Avoided(re.compile(rf"\b({words})\b", re.I), instead, where, listed(phrases))


AVOIDED = list(words_to_avoid())
ANY_AVOIDED = re.compile("|".join(avoided.words.pattern for avoided in AVOIDED), re.I)
"""Few texts have any of the words, so each row is only looked for in these."""


def faulted(texts, *where):
    """Say of each text which words it should not have, and what it should say."""
    return [
        f"{place}: {word!r} ({avoided.instead}) in {text!r}"
        for place, text in texts
        if ANY_AVOIDED.search(text)
        for avoided in AVOIDED
        if avoided.where in where
        for word in avoided.found_in(text)
    ]


def models():
    yield "limits", Limits
    for puzzle_key, puzzle in catalog.puzzles().items():
        yield puzzle_key, puzzle.spec.params
        for key, solver in catalog.solvers(puzzle_key).items():
            yield f"{puzzle_key} {key}", solver.spec.params


def parameter_texts():
    for owner, model in models():
        for spec in describe(model):
            for text in (spec.title, spec.help, spec.unit, spec.group, *spec.choice_titles):
                yield f"{owner} {spec.name}", text


def spec_texts():
    for puzzle_key, puzzle in catalog.puzzles().items():
        yield puzzle_key, f"{puzzle.spec.title} {puzzle.spec.value_title}"
        for key, solver in catalog.solvers(puzzle_key).items():
            yield f"{puzzle_key} {key}", f"{solver.spec.title}, {solver.spec.unit}"


def help_texts(command=None, parent=None, name="tilelab"):
    command = command or commands()
    context = click.Context(command, parent=parent, info_name=name)
    yield context.command_path, " ".join(command.get_help(context).split())
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            yield from help_texts(command.get_command(context, word), context, word)


def is_shown(text):
    """Say a sentence or a label from a key, a name or a format."""
    is_text = re.search(r"[A-Za-z]{2}", text) and (" " in text or text[0].isupper())
    is_code = re.match(r"(CREATE|ALTER|INSERT|SELECT|UPDATE|DELETE)\b|\s*[\w:]+ {", text)
    return bool(is_text) and not is_code


def shown_texts(file):
    """The strings in a file that may be shown; what is put into one is written as {}."""
    nodes = nodes_of(file.read_text("utf-8"))
    silent = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            silent |= set(map(id, node.values))
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            text = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in silent:
                continue
            text = re.sub(r"{\w*}", "{}", node.value)
        else:
            continue
        if is_shown(text):
            yield f"{file.relative_to(TREE)}:{node.lineno}", text


@functools.lru_cache(maxsize=1)  # several checks in turn look at the same text
def nodes_of(text):
    return list(ast.walk(ast.parse(text)))


def documented(file):
    """Docstrings in a file: (place, text, whether it is an attribute's)."""
    for node in nodes_of(file.read_text("utf-8")):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            for number, statement in enumerate(node.body):
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    place = f"{file.relative_to(TREE)}:{statement.lineno}"
                    yield place, str(statement.value.value), number > 0


def names_in(file):
    """The names that a file gives, their words apart: ``runs_folder`` is 'runs folder'."""
    for node in nodes_of(file.read_text("utf-8")):
        name = ""
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr
        if name:
            words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
            yield f"{file.relative_to(TREE)}:{node.lineno}", " ".join(words)


def comments_in(file):
    """Yield the comments of a file, and the ends of strings that look like one."""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if comment := COMMENT.search(line):
            yield f"{file.relative_to(TREE)}:{number}", comment.group()


def code_texts(file):
    """All words of a file that readers of the code see, without what is marked as code."""
    documents = ((place, text) for place, text, _ in documented(file))
    for place, text in itertools.chain(documents, names_in(file), comments_in(file)):
        yield place, " ".join(re.sub(r"``.*?``|:\w+:`[^`]*`", "", text, flags=re.DOTALL).split())


def long_sentences(texts):
    """Name the sentences that have too many words; a cell and an item of a list end one."""
    for place, text in texts:
        for part in re.split(r"\n\s*\n|\n\s*(?=[*#|]|\d+\. )|\s\|\s|<[^>]*>", text):
            for sentence in re.split(r"(?<=[.!?…])[)\"'*_]*\s+", part):
                if len(re.findall(r"[^\W_][\w'’./:-]*", sentence)) > MAX_WORDS:
                    yield f"{place}: {' '.join(sentence.split())}"


def prose(page):
    """The text of a page without what is marked as code; of the glossary, only the terms."""
    text = page.read_text("utf-8").split("## Words to avoid")[0]
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`", "code", text)


def test_the_table_is_read_whole():
    assert len(AVOIDED) > 15
    assert {avoided.where for avoided in AVOIDED} == {"all", "texts", "program"}
    assert all(avoided.instead for avoided in AVOIDED)


def test_a_word_to_avoid_is_found_and_a_right_phrase_is_not():
    texts = [("here", "The way there has 4 moves."), ("there", "It can be done in this way.")]
    assert faulted(texts, "texts") == [
        "here: 'way' (solution, path) in 'The way there has 4 moves.'"
    ]
    assert list(shown_texts(Path(__file__)))


@pytest.mark.parametrize("texts", [parameter_texts, spec_texts, help_texts])
def test_labels_and_help_use_the_fields_terms(texts):
    assert not faulted(texts(), "all", "texts", "program")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_use_the_fields_terms(page):
    text = prose(page)
    assert not faulted([(page.name, " ".join(text.split()))], "all", "texts")
    assert not [*long_sentences([(page.name, text)])]


@pytest.mark.parametrize("folder", CODE)
def test_messages_names_docstrings_and_comments_are_plain(folder):
    """Docstrings are short sentences that make sense alone; each file is parsed once."""
    faults = []
    for file in CODE[folder]:
        shown, documents = list(shown_texts(file)), list(documented(file))
        faults += faulted(shown, "all", "texts", "program")
        faults += faulted(code_texts(file), "all")
        faults += long_sentences(shown)
        faults += long_sentences((place, text) for place, text, _ in documents)
        faults += [
            f"{place}: a fragment: {text}"
            for place, text, is_attribute in documents
            if is_attribute and FRAGMENT.match(text)
        ]
    assert not faults


def test_a_fragment_a_long_sentence_and_a_name_in_dialect_are_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "TREE", tmp_path)
    file = tmp_path / "one.py"
    file.write_text('goes_on = 1\n"""Of its row."""\nRows = 2\n"""int64 (n,): rows."""\n# anew\n')
    fragments = [bool(FRAGMENT.match(text)) for _, text, _ in documented(file)]
    assert fragments == [True, False]
    found = [line.split(" in ")[0] for line in faulted(code_texts(file), "all")]
    assert found == ["one.py:1: 'goes on' (continue)", "one.py:5: 'anew' (restarts, again)"]
    long = "word " * MAX_WORDS
    assert not [*long_sentences([("", f"{long}. {long}\n* {long}")])]
    assert len([*long_sentences([("", f"A {long}."), ("", f"* {long}\n  end.")])]) == 2
