"""``tilelab lesson``: checks a lesson, and packs it with its pictures."""

from collections.abc import Iterator
from pathlib import Path

import click

from tilelab.cli.completion import completes_files
from tilelab.cli.flags import FILE, Output, WritingCommand, switch
from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import say
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of
from tilelab.core.registry import Lazy
from tilelab.core.text.language import tr
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.kinds import LESSON

# Lessons know the library, and the command line does not.
_check_lesson: Lazy[[Path, bool], Iterator[str]] = Lazy("tilelab.lessons.check:check_lesson")
_pack: Lazy[[Path, Path], bytes] = Lazy("tilelab.lessons.check:pack")


def lesson_commands() -> list[click.Command]:
    file = click.Argument(["file"], type=FILE, metavar="FILE", shell_complete=completes_files)
    return [
        ProgramCommand(
            "check",
            example="two-searches.md --run",
            callback=_check,
            params=[
                file,
                switch(
                    "--run with_runs", tr("Do each run, and compare its results with [figures].")
                ),
            ],
            help=tr("Read a lesson as the window does, and report the first error."),
        ),
        WritingCommand(
            "pack",
            example="two-searches.md --out two-searches.tilelesson",
            callback=_write_packed,
            params=[
                file,
                Output(
                    "--out",
                    "FILE",
                    LESSON,
                    tr("The file to write; its name ends with .tilelesson."),
                    required=True,
                ),
            ],
            help=tr("Write a lesson and its pictures as one file, which a double click opens."),
        ),
    ]


def _check(file: str, with_runs: bool) -> int:
    for line in _check_lesson(path_of("FILE", file), with_runs):
        say(line)
    return 0


def _write_packed(file: str, out: str) -> int:
    target = path_of("--out", out)
    say(path_text(write_atomically(target, _pack(path_of("FILE", file), target))))
    return 0
