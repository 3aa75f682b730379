"""The runs of a plan in their order, each with its setting, instance, repeat and seed."""

import bisect
import itertools
import json
import math
import shlex
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tilelab import catalog
from tilelab.core.errors import UsageError, solver_errors
from tilelab.core.flags import Flag, flag_words
from tilelab.core.parameters import describe, validate
from tilelab.core.plain import Value
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures
from tilelab.core.text.shown_text import quoted
from tilelab.experiments.plan import (
    Plan,
    SolverTable,
    as_flag,
    check_kind,
    check_puzzle_value,
    combinations,
    name_errors,
    run_limits,
    spec_of,
    unknown_key,
)
from tilelab.runs.recipe import Recipe

MAX_RUNS = 1_000_000
_SEED_BITS = 53  # so that every program that reads JSON keeps all of a seed
_INSTANCE_SEEDS = 10**9
PlainValues = dict[str, Value]


@dataclass(frozen=True, kw_only=True)
class Job:
    """All that a worker needs to do a run, in plain values."""

    place: int = 0  # place among all runs, from 0
    puzzle: str
    values: PlainValues  # values of the flags that make the puzzle's instances
    number: int = 0  # index among these instances, from 0
    solver: str
    params: PlainValues  # parameters in the plan
    instance: int = 1
    repeat: int = 1  # numbers of the instance and of the repeat, from 1
    seed: int
    limits: dict[str, int | float | None]  # the values of [limits], by their keys
    varied: PlainValues = field(default_factory=dict)  # params, and values of the puzzle that vary
    checkpoints: str = ""  # folder of the checkpoints of long runs, or ''
    state: str = ""  # file that keeps the run after its end for higher limits, or ''


@dataclass(frozen=True)
class PlannedInstance:
    """An instance: the values that make it, and its index among those that they make."""

    instance: int  # number of the instance, from 1
    values: PlainValues
    number: int  # index among the instances of the same values, from 0


@dataclass(frozen=True)
class Setting:
    solver: str
    params: PlainValues
    varied: PlainValues
    boards: tuple[PlannedInstance, ...]


@dataclass(frozen=True)
class Runs:
    """All runs of a plan: setting by setting, instance by instance, repeat by repeat."""

    plan: Plan
    settings: tuple[Setting, ...]
    firsts: tuple[int, ...]  # place of the first run of each setting, and last the number of runs

    def __len__(self) -> int:
        return self.firsts[-1]

    @property
    def files(self) -> Collection[str]:
        flags = catalog.instance_flags(catalog.puzzle(self.plan.puzzle.kind))
        names = [flag.name for flag in flags if flag.takes_file]
        texts = {
            str(setting.boards[0].values.get(name)) for setting in self.settings for name in names
        }
        # Files are searched in the folder of the plan; the other texts are words.
        return sorted(text for text in texts if Path(text).is_absolute() and Path(text).is_file())

    def job(self, place: int) -> Job:
        at = self.setting_at(place)
        setting = self.settings[at]
        index, repeat = divmod(place - self.firsts[at], self.plan.repeats)
        repeat += (self.plan.first_repeat or 1) - 1
        board = setting.boards[index]
        # So that every solver has the same seeds on the same instances.
        key = (board.instance, repeat) if self.plan.paired else (at, board.instance, repeat)
        return Job(
            place=place,
            puzzle=self.plan.puzzle.kind,
            values=board.values,
            number=board.number,
            solver=setting.solver,
            params=setting.params,
            instance=board.instance,
            repeat=repeat + 1,
            seed=_seed(self.plan.seed, key),
            limits=self.plan.limits.model_dump(),
            varied=setting.varied,
        )

    def setting_at(self, place: int) -> int:
        return bisect.bisect_right(self.firsts, place) - 1

    def kernel_samples(self) -> Iterator[Job]:
        """Return a run of each kind that may need own kernels: by solver, words and shape."""
        known = set()
        for setting, first in zip(self.settings, self.firsts, strict=False):
            job = self.job(first)
            puzzle = puzzle_of(job)
            words = [(name, text) for name, text in setting.varied.items() if _is_word(text)]
            key = json.dumps([setting.solver, puzzle.shape, words])
            if key not in known:
                known.add(key)
                yield job


def runs_of(plan: Plan, folder: Path | None = None) -> Runs:
    """Return the runs of a plan; raises TileLabError. folder: searched for files that it names."""
    kind = plan.puzzle.kind
    with name_errors("puzzle.kind", kind):
        puzzle_class = catalog.puzzle(kind)
    own = catalog.instance_flags(puzzle_class)
    values = {flag.name: flag.default for flag in own}
    kinds = []
    _check_keys(plan, puzzle_class, own)
    # Before they are made: a few long axes make more than fit into memory.
    _require_few(_least_runs(plan))
    for chosen in combinations({}, plan.puzzle.axes):
        given = {**plan.puzzle.values, **chosen}
        as_flags = {name: as_flag(name, value, own, folder) for name, value in given.items()}
        kinds.append((chosen, _boards(plan, puzzle_class, {**values, **as_flags})))
    settings, known = [], set[object]()
    for place, table in enumerate(plan.solvers, 1):
        for params in _solver_params(plan, f"solvers[{place}]", table):
            _require_new(f"solvers[{place}]", table.solver, params, known)
            for chosen, boards in kinds:
                settings.append(Setting(table.solver, params, {**chosen, **params}, boards))
    firsts = itertools.accumulate(
        (len(setting.boards) * plan.repeats for setting in settings), initial=0
    )
    runs = Runs(plan, tuple(settings), tuple(firsts))
    _require_few(len(runs))
    return runs


def _least_runs(plan: Plan) -> int:
    """Return the number of a plan's runs, or fewer: boards that a file names are not counted."""
    numbers = plan.instances.numbers
    n_boards = (plan.instances.random or 1) if numbers is None else len(numbers)
    n_kinds = math.prod(map(len, plan.puzzle.axes.values()))
    n_settings = sum(math.prod(map(len, table.axes.values())) for table in plan.solvers)
    return n_settings * n_kinds * n_boards * plan.repeats


def _require_few(n_runs: int) -> None:
    if n_runs > MAX_RUNS:
        raise UsageError.tr(
            "the plan makes {n_runs} runs or more; at most {most_runs} are allowed",
            n_runs=figures(n_runs, ","),
            most_runs=figures(MAX_RUNS, ","),
        )


def _require_new(key: str, solver: str, params: PlainValues, known: set[object]) -> None:
    """Raise for a setting that is already known: its runs would count twice; else note it."""
    # 5 and 5.0 are the same, 1 and true are not.
    setting = solver, frozenset((name, _is_word(value), value) for name, value in params.items())
    if setting in known:
        words = [solver, *(f"{name}={value}" for name, value in params.items())]
        raise UsageError.tr(
            "{key}: the plan already has the setting {setting}", key=key, setting=" ".join(words)
        )
    known.add(setting)


_PUZZLES: dict[str, tuple[Puzzle, ...]] = {}
_PUZZLES_LOCK = threading.Lock()  # a cluster's worker may do several runs in one process
_MAX_KEPT = 32  # a setting of a paper's sweep has 30 puzzles, as has the next one


def puzzle_of(job: Job) -> Puzzle:
    return make_instances(job)[job.number]


def recipe_of(job: Job) -> Recipe:
    """Return the recipe of a run; raises TileLabError."""
    return Recipe(
        puzzle=puzzle_of(job),
        solver=job.solver,
        params=catalog.solver_params(job.puzzle, job.solver, job.params),
        seed=job.seed,
        limits=run_limits(job.limits),
    )


@solver_errors()
def make_instances(job: Job) -> tuple[Puzzle, ...]:
    """Return all instances that a run's values make; the last few are kept, with their tables."""
    key = json.dumps([job.puzzle, job.values])
    with _PUZZLES_LOCK:
        if key not in _PUZZLES:
            made = tuple(catalog.puzzle(job.puzzle).from_flags(job.values))
            while len(_PUZZLES) >= _MAX_KEPT:
                _PUZZLES.pop(next(iter(_PUZZLES)))
            _PUZZLES[key] = made
        return _PUZZLES[key]


def _seed(master: int, key: Sequence[int]) -> int:
    """Return a seed that follows from the master seed by a run's place, in 0..2**53 - 1."""
    (word,) = np.random.SeedSequence(master, spawn_key=tuple(key)).generate_state(1, np.uint64)
    return int(word) >> (64 - _SEED_BITS)


def _check_keys(plan: Plan, puzzle_class: type[Puzzle], own: Sequence[Flag]) -> None:
    """Raise for a key of the puzzle's table that is none of its flags, and for a wrong value."""
    model = puzzle_class.spec.params
    names = [*(flag.name for flag in own), *(spec.name for spec in describe(model))]
    for name, value in plan.puzzle.values.items():
        check_puzzle_value("puzzle", name, value, model, names)
        if name in plan.puzzle.axes:
            raise UsageError.tr(
                "puzzle.{name}: it has both a value, {value}, and an axis",
                name=name,
                value=quoted(value),
            )
    for name, values in plan.puzzle.axes.items():
        for value in values:
            check_puzzle_value("puzzle.axes", name, value, model, names)


@solver_errors()
def _boards(
    plan: Plan, puzzle_class: type[Puzzle], values: PlainValues
) -> tuple[PlannedInstance, ...]:
    table = plan.instances
    if table.random is not None:
        return _choose_boards(plan, _random_boards(plan, puzzle_class, values))
    if table.seed is not None:
        raise UsageError.tr("instances.seed: {seed} goes with instances.random", seed=table.seed)
    with name_errors("puzzle"):
        n_boards = sum(1 for _ in puzzle_class.from_flags(values))
    if not n_boards:
        raise UsageError.tr("puzzle: it names no board")
    return _choose_boards(
        plan, [PlannedInstance(number + 1, values, number) for number in range(n_boards)]
    )


def _random_boards(
    plan: Plan, puzzle_class: type[Puzzle], values: PlainValues
) -> list[PlannedInstance]:
    n_boards, first = plan.instances.random, plan.instances.seed
    assert n_boards is not None
    boards = []
    for index in range(n_boards):
        drawn = _seed(plan.seed, (index,)) % _INSTANCE_SEEDS if first is None else first + index
        more = dict(puzzle_class.seeded(values, drawn))
        if not more:
            for name in values:
                if puzzle_class.seeded({key: values[key] for key in values if key != name}, drawn):
                    raise UsageError.tr(
                        "instances.random: {n_boards} boards cannot be drawn while {key} names "
                        "another; remove one of the two",
                        n_boards=n_boards,
                        key=f"puzzle.{name}",
                    )
            raise UsageError.tr(
                "instances.random: {n_boards} boards cannot be drawn: the puzzle names its board, "
                "or its solvers make their own; then repeats says how many runs there are",
                n_boards=n_boards,
            )
        boards.append(PlannedInstance(index + 1, {**values, **more}, 0))
    with name_errors("instances.random"):
        for board in (boards[0], boards[-1]):
            next(puzzle_class.from_flags(board.values))
    return boards


def _choose_boards(plan: Plan, boards: Sequence[PlannedInstance]) -> tuple[PlannedInstance, ...]:
    numbers = plan.instances.numbers
    if numbers is None:
        return tuple(boards)
    wanted = set(numbers)
    for number in wanted:
        if type(number) is not int or not 1 <= number <= len(boards):
            raise UsageError.tr(
                "instances.numbers: {number} is not a whole number in 1..{n_boards}",
                number=quoted(number),
                n_boards=len(boards),
            )
    return tuple(board for board in boards if board.instance in wanted)


def _solver_params(plan: Plan, key: str, table: SolverTable) -> list[PlainValues]:
    with name_errors(f"{key}.solver", table.solver):
        model = catalog.solver(plan.puzzle.kind, table.solver).spec.params
    known = [spec.name for spec in describe(model)]
    for name, value in table.params.items():
        if name in table.axes:
            raise UsageError.tr(
                "{key}.params.{name}: it has both a value, {value}, and an axis",
                key=key,
                name=name,
                value=quoted(value),
            )
    for part, axes in (
        ("params", {name: (value,) for name, value in table.params.items()}),
        ("axes", table.axes),
    ):
        for name, values in axes.items():
            spec = spec_of(model, name)
            if spec is None:
                raise unknown_key(f"{key}.{part}.{name}", known)
            if name in plan.puzzle.axes:
                raise UsageError.tr(
                    "{key}.{part}.{name} is an axis of the puzzle, too",
                    key=key,
                    part=part,
                    name=name,
                )
            for value in values:
                check_kind(f"{key}.{part}.{name}", spec, value)
                with name_errors(f"{key}.{part}"):
                    validate(model, {name: value})
    memory = plan.limits.memory
    settings: list[PlainValues] = []
    for chosen in combinations(table.params, table.axes):
        has_limit = memory is None or "memory" not in known or "memory" in chosen
        params: PlainValues = {**chosen} if has_limit else {**chosen, "memory": memory}
        with name_errors(key):
            validate(model, params)
        settings.append(params)
    return settings


def _is_word(value: Value) -> bool:
    return isinstance(value, bool | str)


def command_of(job: Job, units: int | None) -> list[str]:
    """Return the words of the command that makes a run again; units: its end, None: its own."""
    words = ["tilelab", "run", job.puzzle]
    defaults = {
        flag.name: flag.default for flag in catalog.instance_flags(catalog.puzzle(job.puzzle))
    }
    values: Mapping[str, Value] = {
        name: value for name, value in job.values.items() if defaults.get(name, "") != value
    }
    if len(make_instances(job)) > 1 and "number" in defaults:
        values = {**values, "number": job.number + 1}
    words += flag_words(values)
    words += ["--solver", job.solver, *flag_words(job.params), "--seed", str(job.seed)]
    # The name from 1.0.0: a row is the same in each version.
    return words if units is None else [*words, "--limit", str(units)]


def puzzle_of_command(command: str) -> Puzzle:
    """Return the instance of a :func:`command_of`; raises TileLabError when it is gone."""
    _, _, kind, *words = shlex.split(command)
    puzzle_class = catalog.puzzle(kind)
    values: PlainValues = {flag.name: flag.default for flag in catalog.instance_flags(puzzle_class)}
    words = words[: words.index("--solver")]
    while words:
        name = words.pop(0).removeprefix("--").replace("-", "_")
        if words and not words[0].startswith("--"):
            values[name] = words.pop(0)
        else:
            values[name.removeprefix("no_")] = not name.startswith("no_")
    return next(iter(puzzle_class.from_flags(values)))
