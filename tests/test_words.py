"""The program speaks the field's terms: its texts, held against the glossary."""

import ast
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
PAGES = [TREE / "README.md", TREE / "CONTRIBUTING.md", *sorted((TREE / "docs").rglob("*.md"))]
CODE = {
    folder: sorted((TREE / "tilelab" / folder).rglob("*.py"))
    for folder in ("gui", "cli", "core", "runs", "puzzles", "solvers", "letters", "slides")
}


@dataclass(frozen=True)
class Avoided:
    """A row of the glossary's table of words to avoid."""

    words: re.Pattern[str]
    instead: str
    where: str
    """'all' texts, or those of the 'program'."""
    phrases: tuple[str, ...]
    """In which the words are right."""

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


def faulted(texts, *where):
    """Say of each text which words it should not have, and what it should say."""
    return [
        f"{place}: {word!r} ({avoided.instead}) in {text!r}"
        for place, text in texts
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
    return bool(is_text) and not re.match(r"(CREATE|ALTER|INSERT|SELECT|UPDATE|DELETE)\b", text)


def shown_texts(file):
    """The strings in a file that may be shown; what is put into one is written as {}."""
    tree = ast.parse(file.read_text("utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
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


def prose(page):
    """The text of a page without what is marked as code; of the glossary, only the terms."""
    text = page.read_text("utf-8").split("## Words to avoid")[0]
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    return " ".join(re.sub(r"`[^`]*`", "", text).split())


def test_the_table_is_read_whole():
    assert len(AVOIDED) > 15
    assert {avoided.where for avoided in AVOIDED} == {"all", "program"}
    assert all(avoided.instead for avoided in AVOIDED)


def test_a_word_to_avoid_is_found_and_a_right_phrase_is_not():
    texts = [("here", "The way there has 4 moves."), ("there", "It can be done in this way.")]
    assert faulted(texts, "all") == ["here: 'way' (solution, path) in 'The way there has 4 moves.'"]
    assert list(shown_texts(Path(__file__)))


@pytest.mark.parametrize("texts", [parameter_texts, spec_texts, help_texts])
def test_labels_and_help_use_the_fields_terms(texts):
    assert not faulted(texts(), "all", "program")


@pytest.mark.parametrize("folder", CODE)
def test_messages_use_the_fields_terms(folder):
    texts = [text for file in CODE[folder] for text in shown_texts(file)]
    assert texts
    assert not faulted(texts, "all", "program")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_use_the_fields_terms(page):
    assert not faulted([(page.name, prose(page))], "all")
