"""The command that makes a run of a sweep again, alone."""

import shlex
from collections.abc import Mapping

from tilelab import catalog
from tilelab.core.flags import flag_words
from tilelab.core.plain import Value
from tilelab.core.puzzle import Puzzle
from tilelab.experiments.cells import Job, PlainValues, made_of


def command_of(job: Job, units: int | None) -> list[str]:
    """Return the words of the command that makes a run again, alone.

    units: after which it is to end; None: it ends by itself.
    """
    words = ["tilelab", "run", job["puzzle"]]
    defaults = {
        flag.name: flag.default for flag in catalog.instance_flags(catalog.puzzle(job["puzzle"]))
    }
    values: Mapping[str, Value] = {
        name: value for name, value in job["values"].items() if defaults.get(name, "") != value
    }
    if len(made_of(job)) > 1 and "number" in defaults:
        values = {**values, "number": job["number"] + 1}
    words += flag_words(values)
    words += ["--solver", job["solver"], *flag_words(job["params"]), "--seed", str(job["seed"])]
    return words if units is None else [*words, "--limit", str(units)]


def puzzle_of_command(command: str) -> Puzzle:
    """Return the instance that :func:`command_of` names, wherever the plan's file is by now.

    Raises TileLabError when it cannot be made any more.
    """
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
