"""The reference of the library as Markdown, from its docstrings; the site has one by Sphinx."""

import inspect
import re
from collections.abc import Iterator

import tilelab

_ROLE = re.compile(r":\w+:`~?([^`]+)`")


def library_reference() -> str:
    """Return a section for each name that ``import tilelab`` offers."""
    names = [name for name in tilelab.__all__ if not name.startswith("_")]
    return "\n".join(_section(name, getattr(tilelab, name)) for name in names)


def _section(name: str, thing: object) -> str:
    parts = [f"## {name}\n", f"```text\n{_signed(name, thing)}\n```\n", _prose(thing)]
    if inspect.isclass(thing):
        parts += _members(thing)
    return "\n".join(parts)


def _members(owner: type) -> Iterator[str]:
    """A line of a table for each method and property that a class has of its own."""
    lines = []
    for name, member in vars(owner).items():
        is_shown = inspect.isfunction(member) or isinstance(member, property)
        if is_shown and not name.startswith("_"):
            text = " ".join(_prose(member).split()).replace("|", "\\|")
            lines.append(f"| `{_signed(name, member)}` | {text} |".replace("\n", " "))
    if lines:
        yield "\n".join(["| member | what |", "|---|---|", *lines, ""])


def _signed(name: str, thing: object) -> str:
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
    """A docstring, with the marks of Sphinx written as those of Markdown."""
    text = _ROLE.sub(r"`\1`", inspect.getdoc(thing) or "")
    return text.replace("``", "`") + "\n"
