"""``tilelab records``: lists the best known values, or shows one of them with its board."""

import shlex
from collections.abc import Sequence

import click

from tilelab.cli.flags import option, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import print_json, print_table, say
from tilelab.core.errors import UsageError
from tilelab.core.flags import whole
from tilelab.core.plain import Json, JsonObject
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import searched
from tilelab.core.text.wording import plain_number
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import History
from tilelab.runs.records import (
    BestKnown,
    BuiltinRecord,
    KnownValue,
    best_known,
    command_of,
    counted_text,
    rules_text,
    size_text,
)

_HEADINGS = (
    marked("N"),
    marked("puzzle"),
    marked("lexicon"),
    marked("size"),
    marked("what counts"),
    marked("rules"),
    marked("best known"),
    marked("by"),
    marked("proven"),
    marked("yours"),
)
_MAX_NUMBER = 10**9


def records_commands() -> list[click.Command]:
    """Make the commands that need no run."""
    as_json = switch("--json as_json", tr("Print JSON."))
    choice: list[click.Parameter] = [
        option("--puzzle", "KEY", tr("Only of this puzzle."), default=""),
        option("--search", "WORDS", tr("Only those with all of these words."), default=""),
    ]
    return [
        ProgramCommand(
            "list",
            example="--search 4×4",
            callback=_list,
            params=[*choice, as_json],
            help=tr(
                "List the best known value for each lexicon, size and rules: from the list "
                "that ships with TileLab and from your own runs."
            ),
        ),
        ProgramCommand(
            "show",
            example="1",
            callback=_show,
            params=[click.Argument(["record"], metavar="N"), as_json],
            help=tr(
                "Show the record with a number from the list: its board, its source and the "
                "command that reaches it."
            ),
        ),
    ]


def _list(puzzle: str, search: str, as_json: bool) -> int:
    known = _known()
    numbered = [
        (number, one)
        for number, one in enumerate(known, 1)
        if puzzle in ("", one.category.puzzle) and _has(one, search)
    ]
    if as_json:
        print_json([plain(number, one) for number, one in numbered])
    elif numbered:
        rows = [_cells(number, one) for number, one in numbered]
        print_table(_HEADINGS, rows, bold="best known", numbers=("N", "best known", "yours"))
    else:
        say(tr("There is no such record."))
    return 0


def _show(record: str, as_json: bool) -> int:
    number = whole("N", record, 1, _MAX_NUMBER)
    known = _known()
    if number > len(known):
        raise UsageError.tr(
            "N: {number} is outside 1..{n_known}, the numbers of the list",
            number=number,
            n_known=len(known),
        )
    one = known[number - 1]
    if as_json:
        print_json(plain(number, one))
        return 0
    for row in one.best.board:
        say(row)
    say()
    for name, text in _facts(one).items():
        if text:
            say(f"{name:14}{text}")
    return 0


def _facts(one: BestKnown) -> dict[str, str]:
    best, own = one.best, one.own
    is_both = own is not None and own is not best
    proven = tr(", proven") if best.is_proven else ""
    return {
        "puzzle": f"{one.category.puzzle} {size_text(one.category)}",
        "lexicon": one.title,
        "what counts": counted_text(one.category),
        "rules": rules_text(one.category),
        "best known": f"{best.value_text} ({tr(best.by)}){proven}",
        "yours": own.value_text if is_both and own is not None else "",
        "again": command_text(best.record) or tr("no command is known that reaches it"),
    }


def command_text(record: BuiltinRecord | RunRecord) -> str:
    """Return the command that makes a run again; '' where none is known."""
    return shlex.join(record.command if isinstance(record, BuiltinRecord) else command_of(record))


def plain(number: int, one: BestKnown) -> JsonObject:
    facts: dict[str, Json] = {
        "number": number,
        "puzzle": one.category.puzzle,
        "lexicon": one.title,
        "category": one.category.facts,
        "value": plain_number(one.best.value),
        "builtin": None if one.builtin is None else _plain_reached(one.builtin),
        "own": None if one.own is None else _plain_reached(one.own),
    }
    return facts


def _plain_reached(reached: KnownValue) -> JsonObject:
    return {
        "value": plain_number(reached.value),
        "board": list(reached.board),
        "by": reached.by,
        "proven": reached.is_proven,
        "run": reached.record.id or None,
        "command": command_text(reached.record) or None,
    }


def _cells(number: int, one: BestKnown) -> Sequence[str]:
    best, category = one.best, one.category
    return (
        str(number),
        category.puzzle,
        one.title,
        size_text(category),
        counted_text(category),
        rules_text(category),
        best.value_text,
        tr(best.by),
        "proven" if best.is_proven else "",
        "" if one.own is None else one.own.value_text,
    )


def _has(one: BestKnown, search: str) -> bool:
    text = searched(" ".join(_cells(0, one)))
    return all(word in text for word in searched(search).split())


def _known() -> list[BestKnown]:
    """Return all known values; report errors of the history."""
    try:
        with History() as history:
            known, notice = best_known(history), history.notice
    except HistoryError as error:
        known, notice = best_known(None), str(error)
    if notice:
        say(notice, err=True)
    return known
