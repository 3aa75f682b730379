"""``tilelab run``: a solver on a puzzle, with live progress, until it is done or stopped."""

import random
import tempfile
from functools import partial
from pathlib import Path

import click

from tilelab import catalog
from tilelab.cli.completion import completes, completes_files
from tilelab.cli.flags import flags, own_flags, refuse_others
from tilelab.cli.interruption import Interruption
from tilelab.cli.keeping import Keep, Keeping, how_to_go_on, with_run_file
from tilelab.cli.output import print_json, print_run
from tilelab.cli.progress import follow, preparing
from tilelab.cli.recording import Recording
from tilelab.cli.saying import say
from tilelab.core.errors import ParameterError, RunError, TileLabError, UsageError
from tilelab.core.flags import Flag, checked, flag_of, named_by_flag, path_of, text_of
from tilelab.core.parameters import Params
from tilelab.core.paths import resolved
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.shown_text import quoted, shortened, shown_path
from tilelab.runs.files.in_place import is_stream
from tilelab.runs.files.store import save_run
from tilelab.runs.outcome import outcome, save_grid
from tilelab.runs.session import Limits, Session, State
from tilelab.runs.warm_up import warm_up
from tilelab.words.lexicon_flags import LEXICON_FLAGS

_FRESH_SEEDS = 1_000_000
_MOST_DIGITS = 40
"""Of a seed, leading zeros included."""
OUTPUT_FLAGS: list[click.Parameter] = [
    click.Option(
        ["--out"],
        metavar="FILE",
        shell_complete=completes_files,
        help="Write the best board to this file.",
    ),
    click.Option(
        ["--save-run"],
        metavar="FILE",
        shell_complete=completes_files,
        help="Write the whole run to this file at its end, to go on with `tilelab resume`. "
        "An interrupted run is kept without this, too.",
    ),
    *flags([Keep]),
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object a run."),
]

NO_HISTORY = click.Option(["--no-history"], is_flag=True, help="Leave no record in the history.")


def run_command(puzzle_key: str) -> click.Command:
    """Make the command that runs solvers of one puzzle."""
    puzzle_class, solvers = catalog.puzzle(puzzle_key), catalog.solvers(puzzle_key)
    models: list[type[Params]] = [
        puzzle_class.spec.params,
        *(cls.spec.params for cls in solvers.values()),
        Limits,
    ]
    default = catalog.default_solver(puzzle_key)

    def run(**values: Value) -> int:
        return _run(puzzle_key, values)

    return click.Command(
        puzzle_key,
        callback=run,
        params=[
            *own_flags(lexicon_flags(puzzle_class)),
            *own_flags(puzzle_class.flags()),
            click.Option(
                ["--solver"],
                default=default,
                metavar="KEY",
                shell_complete=completes(lambda: solvers),
                help=f"The solver: {', '.join(solvers)} [default: {default}].",
            ),
            click.Option(
                ["--seed"], metavar="N", help="The same seed gives the same run [default: random]."
            ),
            *flags(models),
            *OUTPUT_FLAGS,
            NO_HISTORY,
        ],
        help=f"{puzzle_class.spec.title} ({puzzle_class.spec.source}).",
    )


def lexicon_flags(puzzle_class: type[Puzzle]) -> tuple[Flag, ...]:
    """Return the flags that choose the lexicon of a puzzle that has one."""
    return LEXICON_FLAGS if puzzle_class.spec.uses_lexicon else ()


def _run(puzzle_key: str, values: Values) -> int:
    interruption = click.get_current_context().find_object(Interruption)
    assert interruption is not None
    out = writable("--out", text_of(values, "out"))
    save_file = writable("--save-run", text_of(values, "save_run"))
    solver_key, as_json = str(values["solver"]), bool(values["as_json"])
    solver_class = catalog.solver(puzzle_key, solver_key)
    others = [cls.spec.params for cls in catalog.solvers(puzzle_key).values()]
    refuse_others(values, solver_class.spec.params, others, solver_key)
    limits, wanted = checked(Limits, values), checked(Keep, values)
    params = checked(solver_class.spec.params, values)
    seed = _seed(text_of(values, "seed"))
    puzzles = _puzzles(puzzle_key, values)
    for flag, file in (("--out", out), ("--save-run", save_file)):
        if file is not None and len(puzzles) > 1:
            raise UsageError(f"{flag} holds one board, not {len(puzzles)}; --number chooses one")
    try:
        with preparing() as prepared:
            # Those of one shape need the same kernels and tables.
            for puzzle in {puzzle.shape: puzzle for puzzle in puzzles}.values():
                prepared(partial(warm_up, puzzle, solver_key, params, seed))
        for puzzle in puzzles:
            if interruption.number:
                return interruption.exit_status
            session = Session()
            session.load(puzzle)
            session.go(solver_key, params, seed, limits)
            interruption.can_wait = True
            recording = Recording(session, wanted=not values["no_history"])
            with Keeping(session, wanted) as keeping:
                was_stopped = play(session, interruption, keeping)
                finish(
                    session,
                    out,
                    save_file,
                    recording,
                    keeping,
                    was_stopped=was_stopped,
                    as_json=as_json,
                )
            if was_stopped:
                return interruption.exit_status
    except ParameterError as error:
        raise named_by_flag(error) from None
    return 0


def play(session: Session, interruption: Interruption, keeping: Keeping) -> bool:
    """Run to the end or to a signal; returns whether a signal has ended it."""
    with follow(session) as show:
        while session.state is State.RUNNING and not interruption.number:
            session.tick()
            keeping.follow(show.report)
            show()
    if session.state is not State.RUNNING:
        return False
    session.stop()
    return True


def finish(
    session: Session,
    out: Path | None,
    save_file: Path | None,
    recording: Recording,
    keeping: Keeping,
    *,
    was_stopped: bool,
    as_json: bool,
) -> None:
    """Write and print what the run has come to; raises what went wrong only after that.

    A run that a signal has stopped is kept, even where no file is named for it; so is one that
    could not be reported or written.
    """
    result = outcome(session)
    if was_stopped:
        result["status"] = "interrupted"
    written: list[Path] = []
    errors: list[TileLabError] = []
    try:
        if out is not None and session.best is not None:
            written.append(save_grid(session, out))
    except TileLabError as unwritten:
        errors.append(unwritten)
    kept: Path | None = None
    try:
        if save_file is not None:
            written.append(save_run(session, save_file))
            if not is_stream(save_file):  # from where nobody can open it again
                kept = written[-1]
    except TileLabError as unwritten:
        errors.append(unwritten)
    if kept is None and was_stopped:
        kept = keeping.keep()
    with_run_file(result, kept)
    # Before anything is printed: that may fail when nobody takes the output any more.
    recording.keep(result, kept if kept in written else None)
    if as_json:
        print_json(result)
    else:
        print_run(session, result, written)
        if was_stopped and kept is not None:
            say(how_to_go_on(kept))
    if session.state is State.FAILED:
        raise RunError(f"the solver failed: {session.message}")
    if errors:
        raise errors[0]
    keeping.drop()


def _puzzles(puzzle_key: str, values: Values) -> list[Puzzle]:
    puzzle_class = catalog.puzzle(puzzle_key)
    drawn = puzzle_class.drawn(values, _fresh_seed())
    puzzles = list[Puzzle](puzzle_class.from_flags({**values, **drawn}))
    for puzzle in puzzles:
        for line in puzzle.reported():
            say(line, err=True)
        for name, value in drawn.items():
            say(f"A random board ({flag_of(name)} {value}): {_in_a_line(puzzle)}", err=True)
    return puzzles


def _in_a_line(puzzle: Puzzle) -> str:
    rows = () if puzzle.start is None else puzzle.rows_of(puzzle.start)
    return " / ".join(" ".join(row.split()) for row in rows)


def _fresh_seed() -> int:
    return random.SystemRandom().randrange(_FRESH_SEEDS)


def _seed(text: str | None) -> int:
    if text is None:
        return _fresh_seed()
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"--seed: {quoted(text)} is not a whole number from 0 up")
    if len(text) > _MOST_DIGITS or int(text) > MAX_SEED:
        raise UsageError(f"--seed: {shortened(text)} is outside 0..{MAX_SEED}")
    return int(text)


def writable(flag: str, text: str | None) -> Path | None:
    """Return a flag's file; refuse one that could not be written after the run, before it."""
    if text is None:
        return None
    target = path_of(flag, text)
    if target.is_dir():
        raise TileLabError(f"{flag}: {shown_path(target)} is a folder")
    if not target.parent.is_dir():
        raise TileLabError(f"{flag}: there is no folder {shown_path(target.parent)}")
    if is_stream(target):
        return target
    if target.exists() and not target.is_file():
        raise TileLabError(f"{flag}: {shown_path(target)} is not an ordinary file")
    try:
        resolved(target)
        # Permissions, a read-only disk and too long a name: only trying shows them all.
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
            return target
    except OSError as error:
        raise TileLabError(
            f"{flag}: {shown_path(target)} cannot be written: {error.strerror or error}"
        ) from None
