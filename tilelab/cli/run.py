"""``tilelab run``: a solver on a puzzle, with live progress, until it is done or stopped."""

import sys
from functools import partial

import click

from tilelab import catalog
from tilelab.cli.completion import completes_files
from tilelab.cli.flags import WritingCommand, flags, option, own_flags, refuse_others, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.interruption import present_interruption
from tilelab.cli.play import OUTPUT_FLAGS, SCHEDULER, RunOutputs, machines_at, play, print_best
from tilelab.cli.profile import profile_command
from tilelab.cli.progress import report_preparation
from tilelab.cli.terminal import print_json, say
from tilelab.core.errors import GridError, ParameterError, UsageError, solver_errors
from tilelab.core.files.grid_file import MAX_BYTES, GridFile, parse_grid, read_grid
from tilelab.core.flags import checked, flag_of, named_by_flag, path_of, text_of, whole_of
from tilelab.core.parameters import Params
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import figures, tr
from tilelab.library.loading import random_seed, seed_for
from tilelab.runs.recipe import Recipe, warm_up
from tilelab.runs.session import Limits, Session


def run_command(puzzle_key: str) -> click.Command:
    return WritingCommand(
        puzzle_key,
        example=f"--solver {catalog.default_solver(puzzle_key)} --seed 1 --seconds 10",
        callback=partial(_run, puzzle_key),
        params=[*run_params(puzzle_key), SCHEDULER, *OUTPUT_FLAGS],
        help=help_of(puzzle_key),
    )


def run_params(puzzle_key: str) -> list[click.Parameter]:
    """Make the flags that determine a run: instance, solver, seed, parameters, limits."""
    puzzle_class, solvers = catalog.puzzle(puzzle_key), catalog.solvers(puzzle_key)
    models: list[type[Params]] = [
        puzzle_class.spec.params,
        *(cls.spec.params for cls in solvers.values()),
        Limits,
    ]
    default = catalog.default_solver(puzzle_key)
    return [
        *own_flags(catalog.instance_flags(puzzle_class)),
        option(
            "--solver",
            "KEY",
            tr(
                "The solver: {solvers} [default: {default}].",
                solvers=", ".join(solvers),
                default=default,
            ),
            default=default,
            known=lambda: solvers,
        ),
        option("--seed", "N", tr("The same seed gives the same run [default: random].")),
        *flags(models),
    ]


def help_of(puzzle_key: str) -> str:
    """Return the title of a puzzle and its source."""
    spec = catalog.puzzle(puzzle_key).spec
    return f"{tr(spec.title)} ({spec.source})."


def validate_params(puzzle_key: str, values: Values) -> tuple[str, Params]:
    """Return the solver's key and its parameters; refuse flags that other solvers have."""
    solver_key = str(values["solver"])
    model = catalog.solver(puzzle_key, solver_key).spec.params
    others = [cls.spec.params for cls in catalog.solvers(puzzle_key).values()]
    refuse_others(values, model, others, solver_key)
    return solver_key, checked(model, values)


def _run(puzzle_key: str, **values: Value) -> int:
    wanted = RunOutputs.of(values)
    solver_key, params = validate_params(puzzle_key, values)
    limits = checked(Limits, values)
    seed = whole_of(values, "seed", MAX_SEED)
    if seed is None:
        seed = seed_for(catalog.solver(puzzle_key, solver_key).spec)
    puzzles = _puzzles(puzzle_key, values)
    for flag, file in (("--out", wanted.out), ("--save-run", wanted.save_file)):
        if file is not None and len(puzzles) > 1:
            raise UsageError.tr(
                "{flag} takes one board, not {n_puzzles}; choose one with --number",
                flag=flag,
                n_puzzles=len(puzzles),
            )
    try:
        with (
            profile_command(wanted.profile, has_table=not wanted.as_json),
            machines_at(text_of(values, "scheduler")) as machines,
        ):
            recipes = [Recipe(puzzle, solver_key, params, seed, limits) for puzzle in puzzles]
            with report_preparation() as prepare:
                # Those of one shape need the same kernels and tables.
                for recipe in {recipe.puzzle.shape: recipe for recipe in recipes}.values():
                    prepare(partial(warm_up, recipe))
            interruption = present_interruption()
            for recipe in recipes:
                if interruption.number:
                    return interruption.exit_status
                session = Session()
                session.begin(recipe)
                if status := play(session, wanted, machines=machines):
                    return status
    except ParameterError as error:
        raise named_by_flag(error) from None
    return 0


def _puzzles(puzzle_key: str, values: Values) -> list[Puzzle]:
    puzzle_class = catalog.puzzle(puzzle_key)
    with solver_errors():
        drawn = puzzle_class.drawn(values, random_seed())
        puzzles = list[Puzzle](puzzle_class.from_flags({**values, **drawn}))
    for puzzle in puzzles:
        for line in puzzle.reported():
            say(line, err=True)
        for name, value in drawn.items():
            say(
                tr(
                    "A random board ({flag} {value}): {board}",
                    flag=flag_of(name),
                    value=value,
                    board=_in_a_line(puzzle),
                ),
                err=True,
            )
    return puzzles


def _in_a_line(puzzle: Puzzle) -> str:
    rows = () if puzzle.start is None else puzzle.rows_of(puzzle.start)
    return " / ".join(" ".join(row.split()) for row in rows)


def score_command(puzzle_key: str) -> click.Command:
    """Make the command that scores boards of one puzzle, which must support that."""
    puzzle_class = catalog.puzzle(puzzle_key)

    def score(grid: str, as_json: bool, **values: Value) -> int:
        scored = puzzle_class.scored(_read(grid).rows, values)
        for line in scored.reported:
            say(line, err=True)
        if as_json:
            best = {"puzzle": puzzle_key, "params": scored.params, "best": scored.best}
            print_json({**best, **scored.further})
        else:
            print_best(scored.text)
            for remark in scored.remarks:
                say(remark)
        return 0

    return ProgramCommand(
        puzzle_key,
        example="best.txt",
        callback=score,
        params=[
            click.Argument(["grid"], metavar="GRID", shell_complete=completes_files),
            *own_flags(catalog.lexicon_flags(puzzle_class)),
            *own_flags(puzzle_class.score_flags()),
            *flags([puzzle_class.spec.params]),
            switch("--json as_json", tr("Print one JSON object.")),
        ],
        help=tr(
            "Score a board: a file with rows of letters, or - for standard input. {title} "
            "({source}).",
            title=puzzle_class.spec.title,
            source=puzzle_class.spec.source,
        ),
    )


def _read(name: str) -> GridFile:
    if name != "-":
        return read_grid(path_of("GRID", name))
    if sys.stdin is None:
        raise GridError.tr("standard input is closed")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise GridError.tr(
            "standard input is larger than a board can be ({max_bytes} bytes)",
            max_bytes=figures(MAX_BYTES, ","),
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise GridError.tr("standard input is not UTF-8 text")
    return parse_grid(text, tr("standard input"))
