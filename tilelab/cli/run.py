"""``tilelab run``: a solver on a puzzle, with live progress, until it is done or stopped."""

import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from tilelab import catalog
from tilelab.cli.flags import (
    checked,
    flags,
    lexicon_flags,
    named_by_flag,
    opened_lexicon,
    refuse_others,
)
from tilelab.cli.interruption import Interruption
from tilelab.cli.output import print_json, print_run
from tilelab.cli.progress import follow, preparing
from tilelab.core.errors import ParameterError, RunError, TileLabError
from tilelab.runs.grid_file import GridFile, read_grid
from tilelab.runs.outcome import outcome, save_grid
from tilelab.runs.session import Limits, Session, State
from tilelab.runs.warm_up import warm_up

_FRESH_SEEDS = 1_000_000


def run_command(puzzle_key: str) -> click.Command:
    """Make the command that runs solvers of one puzzle."""
    puzzle_class, solvers = catalog.puzzle(puzzle_key), catalog.solvers(puzzle_key)
    models = [puzzle_class.spec.params, *(cls.spec.params for cls in solvers.values()), Limits]

    def run(**values: Any) -> int:
        return _run(puzzle_key, values)

    return click.Command(
        puzzle_key,
        callback=run,
        params=[
            *(lexicon_flags() if puzzle_class.spec.uses_lexicon else []),
            click.Option(["--start"], metavar="GRID", help="A file with a grid to start from."),
            click.Option(
                ["--solver"],
                default=next(iter(solvers)),
                help=f"The solver: {', '.join(solvers)} [default: {next(iter(solvers))}].",
            ),
            click.Option(
                ["--seed"], metavar="N", help="The same seed gives the same run [default: random]."
            ),
            *flags(models),
            click.Option(["--out"], metavar="FILE", help="Write the best grid to this file."),
            click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object."),
        ],
        help=f"{puzzle_class.spec.title} ({puzzle_class.spec.source}).",
    )


def _run(puzzle_key: str, values: dict[str, Any]) -> int:
    out = None if values["out"] is None else _writable(Path(values["out"]))
    solver_class = catalog.solver(puzzle_key, values["solver"])
    others = [cls.spec.params for cls in catalog.solvers(puzzle_key).values()]
    refuse_others(values, solver_class.spec.params, others, values["solver"])
    limits = checked(Limits, values)
    params = checked(solver_class.spec.params, values)
    seed = _seed(values["seed"])
    with Interruption() as interruption:
        puzzle = _puzzle(puzzle_key, values)
        session = Session()
        try:
            with preparing():
                warm_up(puzzle, values["solver"], params, seed)
            session.load(puzzle)
            session.go(values["solver"], params, seed, limits)
        except ParameterError as fault:
            raise named_by_flag(fault) from None
        interruption.can_wait = True
        with follow(session) as show:
            while session.state is State.RUNNING and not interruption.number:
                session.tick()
                show()
        return _finish(session, interruption, out, as_json=values["as_json"])


def _finish(
    session: Session, interruption: Interruption, out: Path | None, *, as_json: bool
) -> int:
    """Write and print what the run has come to; returns the exit status."""
    if session.state is State.RUNNING:
        session.stop()
    result = outcome(session)
    if interruption.number:
        result["status"] = "interrupted"
    written = save_grid(session, out) if out is not None and session.best is not None else None
    if as_json:
        print_json(result)
    else:
        print_run(session, result, written)
    if session.state is State.FAILED:
        raise RunError(f"the solver failed: {session.message}")
    return interruption.exit_status if interruption.number else 0


def _puzzle(puzzle_key: str, values: Mapping[str, Any]) -> Any:
    puzzle_class = catalog.puzzle(puzzle_key)
    start = None if values["start"] is None else read_grid(values["start"])
    params = checked(puzzle_class.spec.params, with_shape(values, start))
    rows = None if start is None else start.rows
    lexicon = opened_lexicon(values["lexicon"], values["accents"])
    return puzzle_class.create(lexicon, params, rows)


def with_shape(values: Mapping[str, Any], grid: GridFile | None) -> dict[str, Any]:
    """Take rows and columns from a grid where no flag gives them."""
    if grid is None:
        return dict(values)
    shape = {"rows": len(grid.rows), "cols": len(grid.rows[0])}
    return {**values, **{name: n for name, n in shape.items() if values.get(name) is None}}


def _seed(text: str | None) -> int:
    if text is None:
        return random.SystemRandom().randrange(_FRESH_SEEDS)
    if not (text.isascii() and text.isdigit()):
        raise TileLabError(f"--seed: {text!r} is not a whole number from 0 up")
    return int(text)


def _writable(path: Path) -> Path:
    """Refuse a file that could not be written after the run, before it begins."""
    target = path.expanduser()
    if target.is_dir():
        raise TileLabError(f"--out: {path} is a folder")
    if not target.parent.is_dir():
        raise TileLabError(f"--out: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise TileLabError(f"--out: nothing can be written to the folder {target.parent}")
    return target
