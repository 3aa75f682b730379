"""``tilelab fit``: the smallest board that has every word of a lexicon."""

import contextlib
import time
from collections.abc import Callable, Iterator
from functools import partial

import click
from rich.live import Live
from rich.text import Text

from tilelab.cli.flags import WritingCommand, flags, option, own_flags
from tilelab.cli.interruption import present_interruption
from tilelab.cli.play import OUTPUT_FLAGS, RunOutputs, print_run, record
from tilelab.cli.progress import UPDATE_SECONDS, report_preparation, terminal
from tilelab.cli.terminal import print_json, say
from tilelab.core.flags import Flag, checked, whole_of, word_of
from tilelab.core.plain import Json, Value
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, counted, duration
from tilelab.letters.builtin import LEXICON_FLAGS, lexicon_from_flags, lexicon_report
from tilelab.library.loading import random_seed
from tilelab.puzzles.boggle.constraints import STRING_FLAGS, constraints_of
from tilelab.puzzles.boggle.difficulty import LEVELS
from tilelab.puzzles.boggle.maker.aim import Aiming
from tilelab.puzzles.boggle.maker.fit import SOLVER, FitProgress, Fitting, named_shapes
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.history.record import now
from tilelab.runs.recipe import Recipe, warm_up
from tilelab.runs.result import outcome, save_grid
from tilelab.runs.session import Limits

_DIFFICULTY = Flag(
    "difficulty",
    "LEVEL",
    marked("Make a board that is easy, medium or hard instead of the smallest."),
    known=lambda: LEVELS,
)
_OUTPUT = ("out", "as_json", "no_history")
_HELP = marked(
    "Find the smallest board that holds every word of a lexicon, by annealing on growing and "
    "then on shrinking boards. --rows or --cols fix a side. With --difficulty, find a board "
    "that holds the words and is as hard as requested."
)


def fit_command() -> click.Command:
    """Make the command that packs a list of words."""
    return WritingCommand(
        "fit",
        example="--lexicon planets --out planets.txt",
        callback=_fit,
        params=[
            *own_flags((*LEXICON_FLAGS, *STRING_FLAGS, _DIFFICULTY)),
            option("--seed", "N", tr("The same seed gives the same board [default: random].")),
            *map(_with_free_side, flags([BoggleParams])),
            *(one for one in flags([Limits]) if one.name == "seconds"),
            *(one for one in OUTPUT_FLAGS if one.name in _OUTPUT),
        ],
        help=tr(_HELP),
    )


def _with_free_side(flag: click.Parameter) -> click.Parameter:
    """Say that a side is chosen by the search, which a run's default would contradict."""
    if flag.name in ("rows", "cols") and isinstance(flag, click.Option):
        flag.help = tr("Fix this side [default: as small as needed].")
    return flag


def _fit(**values: Value) -> int:
    wanted = RunOutputs.of({**values, "save_run": None, "autosave": None})
    limits = checked(Limits, {"seconds": values.get("seconds")})
    lexicon = lexicon_from_flags(values)
    for line in lexicon_report(lexicon):
        say(line, err=True)
    params = checked(BoggleParams, values)
    rows, cols = (None if values.get(s) is None else getattr(params, s) for s in ("rows", "cols"))
    seed = whole_of(values, "seed", MAX_SEED)
    search: Callable[..., Fitting] = Fitting
    if values.get("difficulty") is not None:
        search = partial(Aiming, level=word_of(values, "difficulty", LEVELS))
    fitting = search(
        lexicon,
        params,
        seed=random_seed() if seed is None else seed,
        rows=rows,
        cols=cols,
        constraints=constraints_of(values, (params.rows, params.cols), None),
    )
    with report_preparation() as prepare:
        for shape in {fitting.shapes[0], fitting.shapes[-1]}:
            puzzle, seed = fitting.puzzle_of(shape), fitting.seed
            prepare(partial(warm_up, Recipe(puzzle, SOLVER, fitting.solver_params(), seed)))
    interruption = present_interruption()
    interruption.can_wait = True
    begun = now()
    has_time = True
    with _following() as show:
        while not interruption.number and has_time and fitting.work():
            show(fitting)
            has_time = limits.seconds is None or fitting.seconds < limits.seconds
    _report(fitting, wanted, begun, was_stopped=bool(interruption.number), has_time=has_time)
    return interruption.exit_status if interruption.number else 0


def _report(
    fitting: Fitting, wanted: RunOutputs, begun: str, *, was_stopped: bool, has_time: bool
) -> None:
    session = fitting.best
    if session is None:
        say(tr("Stopped before the first board was found."), err=True)
        return
    status = "solved" if fitting.found else "limit"
    if was_stopped:
        status = "interrupted"
    puzzle = session.puzzle
    assert isinstance(puzzle, BogglePuzzle)
    written = [] if wanted.out is None else [save_grid(session, wanted.out)]
    if wanted.has_record:
        record(session, begun, status, None)
    if wanted.as_json:
        result: dict[str, Json] = {**outcome(session), "status": status}
        result["fit"] = {
            "cells": puzzle.params.rows * puzzle.params.cols,
            "bound": fitting.bound,
            "is_proven": fitting.is_proven,
            "n_tried": fitting.n_tried,
            "smaller_tried": [[*shape] for shape in fitting.progress.failed],
            "seconds": round(fitting.seconds, 6),
        }
        if isinstance(fitting, Aiming):
            result["difficulty"] = fitting.plain()
        print_json(result)
        return
    print_run(session, status, written, tr("Limit reached") if status == "limit" else "")
    if isinstance(fitting, Aiming):
        say(capital(f"{fitting.verdict}."))
    else:
        say(_verdict(fitting, puzzle, has_ended=has_time and not was_stopped))


def _verdict(fitting: Fitting, puzzle: BogglePuzzle, *, has_ended: bool) -> str:
    rows, cols = puzzle.shape
    n_cells = counted(rows * cols, "cell")
    tried = tr(
        "{n_tried} tried in {time}",
        n_tried=counted(fitting.n_tried, "board"),
        time=duration(fitting.seconds),
    )
    needed = tr("at least {bound} are needed", bound=counted(fitting.bound, "cell"))
    if fitting.found is None:
        return tr("No tried board holds all words; {tried}, {needed}.", tried=tried, needed=needed)
    if fitting.is_proven:
        return tr(
            "{rows} × {cols}, {n_cells}: no smaller board can hold all words; {tried}.",
            rows=rows,
            cols=cols,
            n_cells=n_cells,
            tried=tried,
        )
    failed = named_shapes(fitting.progress.failed)
    smaller = tr("; tried without success: {shapes}", shapes=failed) if failed else ""
    if not has_ended:
        smaller = tr("; not all smaller boards were tried")
    return tr(
        "{rows} × {cols}, {n_cells}, holds all words; {tried}, {needed}{smaller}.",
        rows=rows,
        cols=cols,
        n_cells=n_cells,
        tried=tried,
        needed=needed,
        smaller=smaller,
    )


@contextlib.contextmanager
def _following() -> Iterator[Callable[[Fitting], None]]:
    """Yield a function that shows the progress of the search on a terminal."""
    console = terminal()
    if console is None:
        yield lambda _fitting: None
        return
    shown = 0.0
    with Live(console=console, transient=True, auto_refresh=False) as live:

        def show(fitting: Fitting) -> None:
            nonlocal shown
            if time.monotonic() - shown >= UPDATE_SECONDS:
                shown = time.monotonic()
                text = _line(fitting.progress, fitting.seconds)
                live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

        yield show


def _line(progress: FitProgress, seconds: float) -> str:
    rows, cols = progress.shape
    parts = [
        tr(
            "{rows} × {cols}: {n_found} of {n_strings}",
            rows=rows,
            cols=cols,
            n_found=figures(progress.n_found, ","),
            n_strings=counted(progress.n_strings, "word"),
        ),
        duration(seconds),
        tr("at least {bound}", bound=counted(progress.bound, "cell")),
    ]
    if progress.smallest is not None:
        rows, cols = progress.smallest
        parts.insert(1, tr("all on {rows} × {cols}", rows=rows, cols=cols))
    if progress.figure is not None:
        parts.insert(1, tr("difficulty {figure}", figure=progress.figure))
    return " · ".join(parts)
