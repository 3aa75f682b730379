"""What is asked of whoever draws sheets: the window's part does, the command line only asks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.sheets.sheet import Sheet, SheetOptions


@dataclass(frozen=True)
class SheetTargets:
    """The files that sheets are drawn into; None for those that nobody wants."""

    title: str
    """Of the PDF file."""
    pdf: Path | None = None
    png: Path | None = None
    svg: Path | None = None
    carried: str = ""
    """What the files carry of the run that made the sheets."""

    def __bool__(self) -> bool:
        """Return whether anything is to be drawn."""
        return any((self.pdf, self.png, self.svg))


DrawSheets = Callable[[Sequence[Sheet], SheetOptions, SheetTargets], tuple[Path, ...]]
"""Draws sheets into files, and returns those that it has written; raises TileLabError.

Of several pages each is a picture of its own, whose name ends with its number.
"""
