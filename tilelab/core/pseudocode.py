"""The pseudocode of a solver: named lines in a file, which the steps of a run refer to.

A file has a heading, a paragraph with the source, and lines such as ``select:   take the best n``.
Two spaces after the colon and the first space are a level of indentation.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tilelab.core.errors import TileLabError
from tilelab.core.files.resources import resource

MAX_LINES = 16
_LINE = re.compile(r"([a-z][a-z-]*): ((?:  )*)(\S.*)")


class PseudocodeLine(NamedTuple):
    name: str  # name by which a step refers to the line
    level: int  # level of indentation, from 0
    text: str


@dataclass(frozen=True)
class PseudocodeText:
    title: str
    source: str  # paper and the place in it
    lines: tuple[PseudocodeLine, ...]


@dataclass(frozen=True)
class Pseudocode:
    """The pseudocode of a solver; solvers that differ in a few words share a file."""

    file: str | Path  # below resources/pseudocode; a plug-in names a file of its own by a Path
    # What replaces {name} in the file.
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    without: tuple[str, ...] = ()  # names of lines of the file that the solver never runs

    def read(self) -> PseudocodeText:
        """Read the file; raises TileLabError if it is not as described above."""
        file = self.file if isinstance(self.file, Path) else resource("pseudocode", self.file)
        try:
            head, source, code = file.read_text("utf-8").strip().split("\n\n")
            rows = [_LINE.fullmatch(row) for row in code.splitlines()]
            lines = [
                PseudocodeLine(row[1], len(row[2]) // 2, row[3].format_map(self.words))
                for row in rows
                if row is not None and row[1] not in self.without
            ]
            names = {line.name for line in lines}
            is_right = head.startswith("# ") and None not in rows and len(names) == len(lines)
        except (OSError, ValueError, KeyError) as error:
            raise TileLabError.tr("{file}: {error}", file=file, error=error) from error
        if not is_right or not 0 < len(lines) <= MAX_LINES:
            raise TileLabError.tr(
                "{file}: a heading, a source and 1 to {maximum} lines 'name: text' are needed",
                file=file,
                maximum=MAX_LINES,
            )
        title = head.removeprefix("# ").format_map(self.words)
        return PseudocodeText(title, source.format_map(self.words), tuple(lines))
