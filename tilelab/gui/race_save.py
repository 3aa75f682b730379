"""Writing what a race has brought: its table, its chart."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from tilelab.runs.atomic import write_atomically

KINDS = {"csv": "Table", "png": "Chart", "svg": "Chart"}
"""What a file of each kind holds."""


def ask_for_file(parent: QWidget, kind: str, folder: Path) -> Path | None:
    """Ask where a file of a kind shall be written; None when that was called off."""
    # With its default ending the dialog asks before the right file is overwritten.
    dialog = QFileDialog(parent, f"{KINDS[kind]} as {kind.upper()}", str(folder))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilter(f"{kind.upper()} (*.{kind})")
    dialog.setDefaultSuffix(kind)
    dialog.selectFile(f"race.{kind}")
    accepted = dialog.exec() == QFileDialog.DialogCode.Accepted
    files = dialog.selectedFiles() if accepted else []
    dialog.deleteLater()
    return Path(files[0]) if files else None


def write(path: Path, content: bytes | str) -> str:
    """Write a file whole or not at all; returns the sentence that says so."""
    return f"Saved {write_atomically(path, content)}"
