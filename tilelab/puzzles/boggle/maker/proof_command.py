"""``tilelab prove``: all boards with at least a value, with a log that proves it."""

from pathlib import Path

import click

from tilelab.cli.flags import flags, own_flags, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.interruption import present_interruption
from tilelab.cli.progress import report_count, report_preparation
from tilelab.cli.terminal import print_json, say
from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.flags import Flag, checked, path_of, whole
from tilelab.core.plain import Json, Value, Values
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import cut_rows
from tilelab.core.text.wording import about, counted
from tilelab.letters.builtin import LEXICON_FLAGS, lexicon_from_flags
from tilelab.puzzles.boggle.maker.proof import (
    ClassProof,
    claim_of,
    header_of,
    read_log,
    require_provable,
    words_of,
)
from tilelab.puzzles.boggle.maker.proof_check import CheckError, check
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.session import Limits

_N_SHOWN = 10
_SECONDS_APART = 60.0  # between two lines of progress where there is no terminal
_MAX_AT_LEAST = 10**6
_MAX_THREADS = 64
_OWN = (
    Flag("at_least", "N", marked("List all boards with this value or more.")),
    Flag(
        "log",
        "FILE",
        marked("The file of closed classes; a proof that was stopped continues from it."),
        takes_file=True,
    ),
    Flag(
        "threads",
        "N",
        marked("How many cores examine classes at the same time [default: 1]."),
        default="1",
    ),
    Flag(
        "sample",
        "N",
        marked("How many classes --check examines again, in plain Python [default: 3]."),
        default="3",
    ),
)
_HELP = marked(
    "List all boards with at least a value, and prove that there is no other: letter grids of up "
    "to 12 cells whose words use a cell once. --check checks a finished log with a second program."
)


def prove_command() -> click.Command:
    """Make the command that proves which boards are the best."""
    return ProgramCommand(
        "prove",
        example="--lexicon enable --rows 3 --cols 3 --fitness points --reuse once --qu-tile "
        "--at-least 500 --log proof.jsonl",
        callback=_prove,
        params=[
            *own_flags((*LEXICON_FLAGS, *_OWN)),
            switch("--check", tr("Check the log instead.")),
            *flags([BoggleParams]),
            *(one for one in flags([Limits]) if one.name == "seconds"),
            switch("--json as_json", tr("Print one JSON object.")),
        ],
        help=tr(_HELP),
    )


def _prove(**values: Value) -> int:
    for name in ("at_least", "log"):
        if values.get(name) is None:
            raise UsageError.tr(
                "a proof needs --{name}; see tilelab prove --help", name=name.replace("_", "-")
            )
    path = path_of("--log", str(values["log"]))
    at_least = whole("--at-least", str(values["at_least"]), 1, _MAX_AT_LEAST)
    params = checked(BoggleParams, values)
    puzzle = BogglePuzzle.create(lexicon_from_flags(values), params)
    if values["check"]:
        return _check(puzzle, at_least, path, values)
    limits = checked(Limits, {"seconds": values.get("seconds")})
    n_threads = whole("--threads", str(values["threads"]), 1, _MAX_THREADS)
    proof = ClassProof(puzzle, at_least, path, n_threads)
    with report_preparation() as prepare:
        prepare(proof.rehearse)
    interruption = present_interruption()
    interruption.can_wait = True
    with report_count(len(proof.classes), _SECONDS_APART) as show:

        def is_stopped() -> bool:
            is_late = limits.seconds is not None and proof.seconds >= limits.seconds
            return bool(interruption.number) or is_late

        proof.run(is_stopped, lambda: show(len(proof.closed), _line(proof)))
    _report(proof, "interrupted" if interruption.number else "limit", values)
    return interruption.exit_status if interruption.number else 0


def _line(proof: ClassProof) -> str:
    n_closed, n_classes = len(proof.closed), len(proof.classes)
    parts = [
        tr(
            "{n_closed} of {n_classes} closed",
            n_closed=figures(n_closed, ","),
            n_classes=counted(n_classes, "class"),
        ),
        f"{figures(100 * n_closed / n_classes, '.1f')} %",
        counted(proof.n_boards, "board"),
    ]
    if proof.seconds_left:
        parts.append(tr("about {time} left", time=about(proof.seconds_left)))
    return " · ".join(parts)


def _report(proof: ClassProof, status: str, values: Values) -> None:
    """Print the boards; status: why the proof ended if it is not complete."""
    boards, cols = proof.boards, proof.claim.shape[1]
    rows_of = {board: list(cut_rows(board, cols)) for board, _ in boards}
    if values["as_json"]:
        listed: list[Json] = [{"rows": rows_of[board], "value": value} for board, value in boards]
        print_json(
            {
                "status": "solved" if proof.is_done else status,
                "at_least": proof.claim.at_least,
                "classes": len(proof.classes),
                "closed": len(proof.closed),
                "boards": listed,
                "seconds": round(proof.seconds, 6),
            }
        )
        return
    for board, value in boards[:_N_SHOWN]:
        say(f"{figures(value, ',')}  {' '.join(rows_of[board])}")
    count, least = counted(proof.n_boards, "board"), figures(proof.claim.at_least, ",")
    if proof.is_done:
        say(
            tr(
                "Proven: {n_boards} with {least} or more, and no other except rotations and "
                "reflections.",
                n_boards=count,
                least=least,
            )
        )
        return
    say(tr("Stopped: {progress}. The same command continues.", progress=_line(proof)))


def _check(puzzle: BogglePuzzle, at_least: int, path: Path, values: Values) -> int:
    """Check a log with the second program."""
    require_provable(puzzle)
    claim = claim_of(puzzle, at_least)
    logged, _ = read_log(path, header_of(puzzle, claim))
    n_samples = min(whole("--sample", str(values["sample"])), len(logged))
    n_boards = sum(len(one.boards) for one in logged)
    with report_count(n_boards + n_samples, _SECONDS_APART) as show:

        def show_done(n_scored: int, n_examined: int) -> None:
            show(n_scored + n_examined, _checked(n_scored, n_examined))

        try:
            check(claim, words_of(puzzle), logged, n_samples, 0, show_done)
        except CheckError as error:
            raise TileLabError.tr("the log is no proof: {reason}", reason=error) from None
    facts = {"classes": len(logged), "boards": n_boards, "sample": n_samples}
    if values["as_json"]:
        print_json({"status": "solved", "at_least": at_least, **facts})
        return 0
    say(
        tr(
            "The log is complete: {n_classes}; {done}.",
            n_classes=counted(len(logged), "class"),
            done=_checked(n_boards, n_samples),
        )
    )
    return 0


def _checked(n_boards: int, n_classes: int) -> str:
    return tr(
        "scored again: {n_boards}, examined again: {n_classes}",
        n_boards=counted(n_boards, "board"),
        n_classes=counted(n_classes, "class"),
    )
