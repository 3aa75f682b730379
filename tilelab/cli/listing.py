"""``tilelab list``: the puzzles, solvers, lexicons, heuristics and instances that there are."""

from collections.abc import Callable

import click

from tilelab import catalog
from tilelab.cli.completion import completes
from tilelab.cli.output import print_json, print_table
from tilelab.core.text.language import tr
from tilelab.core.text.unknown_names import unknown_name
from tilelab.letters.builtin import builtin_lexicons

Entries = list[dict[str, str]]


def list_command() -> click.Command:
    """Make the command."""
    return click.Command(
        "list",
        callback=_list,
        params=[
            click.Argument(
                ["what"], metavar="|".join(_LISTS), shell_complete=completes(lambda: _LISTS)
            ),
            click.Option(["--json", "as_json"], is_flag=True, help=tr("Print one JSON array.")),
        ],
    )


def _list(what: str, as_json: bool) -> int:
    if what not in _LISTS:
        raise unknown_name(what, "list", _LISTS)
    entries = _LISTS[what]()
    if as_json:
        print_json(entries)
    elif entries:
        rows = [list(entry.values()) for entry in entries]
        print_table(list(entries[0]), rows, bold="key", whole="key", wraps=True)
    return 0


def _puzzles() -> Entries:
    return [
        {"key": key, "title": cls.spec.title, "source": cls.spec.source}
        for key, cls in catalog.puzzles().items()
    ]


def _solvers() -> Entries:
    return [
        {
            "key": key,
            "puzzle": puzzle_key,
            "title": cls.spec.title,
            "unit": cls.spec.unit,
            "source": cls.spec.source,
        }
        for puzzle_key in catalog.puzzles()
        for key, cls in catalog.solvers(puzzle_key).items()
    ]


def _lexicons() -> Entries:
    return [
        {"key": entry.key, "title": entry.title, "description": entry.description}
        for entry in builtin_lexicons()
    ]


def _heuristics() -> Entries:
    return [
        {
            "key": key,
            "title": spec.title,
            "admissible": "admissible" if spec.admissible else tr("not admissible"),
            "consistent": "consistent" if spec.consistent else tr("not consistent"),
            "source": spec.source,
        }
        for key, spec in catalog.heuristics().items()
    ]


def _instances() -> Entries:
    return [
        {"key": key, "title": boards.title, "description": boards.description}
        for cls in catalog.puzzles().values()
        for key, boards in cls.board_sets().items()
    ]


_LISTS: dict[str, Callable[[], Entries]] = {
    "puzzles": _puzzles,
    "solvers": _solvers,
    "lexicons": _lexicons,
    "heuristics": _heuristics,
    "instances": _instances,
}
