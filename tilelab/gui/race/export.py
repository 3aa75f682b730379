"""Writing what a race has brought: its best boards, its table, its chart."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from tilelab.gui.race.chart import RaceChart, Racer
from tilelab.gui.run.save_best import SavedBest, SaveDialog
from tilelab.gui.widgets.file_dialog import answer, ask_to_save
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.races.race import table_csv

KINDS = {"csv": "Table", "png": "Chart", "svg": "Chart"}
"""What a file of each kind holds."""


def ask_for_file(parent: QWidget, kind: str, folder: Path) -> Path | None:
    """Ask where a file of a kind shall be written; None when that was called off."""
    title = f"{KINDS[kind]} as {kind.upper()}"
    return ask_to_save(parent, title, folder / f"race.{kind}", f"{kind.upper()} (*.{kind})")


def ask_for_best(parent: QWidget, saved: SavedBest, folder: Path) -> Path | None:
    """Ask where the best board of an entry shall be written; None when that was called off."""
    return answer(SaveDialog(parent, saved, folder))


def content(kind: str, racers: Sequence[Racer], chart: RaceChart) -> bytes | str:
    """Return the table ('csv') or the chart ('png', 'svg') as a file holds it."""
    if kind != "csv":
        return chart.png() if kind == "png" else chart.svg()
    reported = [(racer.title, racer.status) for racer in racers if racer.status is not None]
    return table_csv([title for title, _ in reported], [status for _, status in reported])


def write(path: Path, content: bytes | str) -> str:
    """Write a file whole or not at all; returns the sentence that says so."""
    return f"Saved {write_atomically(path, content)}"
