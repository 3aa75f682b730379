"""The catalogues of the languages: up to date, compiled, and with the placeholders of the texts."""

import ast
import functools
import importlib.util
import re
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from tilelab import catalog
from tilelab.core.text.wording import NOUNS

ROOT = Path(__file__).parents[1]


def _loaded():
    # The folder has the name of an installed package.
    file = ROOT / "packaging" / "catalogues.py"
    spec = importlib.util.spec_from_file_location("catalogues", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


catalogues = _loaded()
_KEPT = re.compile(r"\{[^{}]*\}|<[^<>]+>|\(\*[^)]*\)")
"""What a translation must have as often as the text: placeholders, markup, file patterns."""


@pytest.fixture(scope="module")
def template():
    return catalogues.template()


def _ids(catalog):
    return {message.id for message in catalog if message.id}


def test_the_template_has_all_texts_of_the_code(template):
    with catalogues.TEMPLATE.open("rb") as stream:
        there = read_po(stream)
    assert _ids(there) == _ids(template), "packaging/catalogues.py brings it up to date"


_TRANSLATING = ("tr", "marked", "tr_count")


def _nodes(*functions):
    """Walk through the program's files that call one of these functions."""
    called = re.compile(rf"\b({'|'.join(functions)})\(")
    for file in (ROOT / "tilelab").rglob("*.py"):
        if called.search(file.read_text("utf-8")):
            place = file.relative_to(ROOT)
            yield from ((place, node) for node in _parsed(file))


@functools.cache
def _parsed(file):
    """Return all nodes of a file, in any order."""
    return tuple(ast.walk(ast.parse(file.read_text("utf-8"))))


def _translates(node):
    """Return whether a node is a call that names a text which is translated."""
    function = getattr(node, "func", None)
    return (getattr(function, "id", "") or getattr(function, "attr", "")) in _TRANSLATING


@pytest.mark.exhaustive
def test_the_extraction_misses_no_text(template):
    """It sees no text inside an f-string, and none in what another call translates."""
    found = {text for each in _ids(template) for text in (each if type(each) is tuple else [each])}
    for file, call in _nodes(*_TRANSLATING):
        if not _translates(call):
            continue
        where = f"{file}:{call.lineno}"
        for text in (each.value for each in call.args if isinstance(each, ast.Constant)):
            assert not isinstance(text, str) or text in found, (where, text)
        assert not any(_translates(node) for each in call.args for node in ast.walk(each)), where


@pytest.mark.parametrize("code", catalogues.CODES)
def test_each_language_has_all_texts_and_is_compiled(code, template):
    written = catalogues.read(code)
    assert _ids(written) == _ids(template)
    with catalogues.file_of(code, "mo").open("rb") as stream:
        compiled = {_key(message): _forms(message) for message in read_mo(stream) if message.id}
    assert compiled == {
        _key(message): _forms(message)
        for message in written
        if message.id and catalogues.is_done(message)
    }


@pytest.mark.parametrize("code", catalogues.CODES)
def test_each_language_is_complete(code):
    there = [message for message in catalogues.read(code) if message.id]
    assert [message.id for message in there if not catalogues.is_done(message)] == []


def _key(message):
    return tuple(message.id) if isinstance(message.id, list) else message.id


def _forms(message):
    return tuple(message.string) if isinstance(message.string, list) else message.string


@pytest.mark.parametrize("code", catalogues.CODES)
def test_translations_keep_placeholders_and_markup(code):
    wrong = []
    for message in catalogues.read(code):
        if not message.id or not message.string:
            continue
        is_plural = isinstance(message.id, tuple)
        texts = message.id if is_plural else (message.id,)
        strings = message.string if is_plural else (message.string,)
        for string in filter(None, strings):
            kept = set(_KEPT.findall(string))
            if all(kept != set(_KEPT.findall(text)) for text in texts):
                wrong.append((message.id, string))
    assert wrong == []


def test_what_is_counted_is_in_the_list_of_nouns():
    counted = set()
    for _, node in _nodes("counted", "plural"):
        name = getattr(getattr(node, "func", None), "id", "")
        if isinstance(node, ast.Call) and name in ("counted", "plural") and node.args:
            counted |= {
                part.value
                for part in ast.walk(node.args[-1])
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
    assert counted - set(NOUNS) == set()


def test_units_and_steps_of_solvers_are_in_the_list_of_nouns():
    """The status line counts them: '100 generations', '3 generated boards'."""
    solvers = [each for key in catalog.puzzles() for each in catalog.solvers(key).values()]
    specs = [solver.spec for solver in solvers]
    counted = {noun for spec in specs for noun in (spec.unit, spec.smallest_step)}
    assert counted - set(NOUNS) == set()


def test_no_choice_between_texts_is_half_translated():
    """``tr("not found") if … else "found"``: one of the words stayed English in all languages."""
    found = []
    for file, node in _nodes("tr"):
        texts = []
        if isinstance(node, ast.IfExp):
            texts = [node.body, node.orelse]
        elif isinstance(node, ast.BoolOp):
            texts = node.values
        if any(map(_is_translated, texts)) and any(map(_is_word, texts)):
            found.append(f"{file}: {ast.unparse(node)}")
    assert found == []


def _is_translated(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tr"


def _is_word(node):
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text and any(letter.isalpha() for letter in node.value)
