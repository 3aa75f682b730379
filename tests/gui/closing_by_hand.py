"""Windows closed over runs, and the runs that are offered afterwards, as the user sees them."""

from tilelab.gui.shell.shutdown import ClosingChoice, ShutdownDialog
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.runs.actions import Action
from tilelab.runs.checkpoints.run_folder import runs_folder


def named_runs(dialog):
    """The runs that the question is about."""
    return "\n".join(label.accessibleName() for label in dialog.findChildren(FittingLabel))


def answering(monkeypatch, answer):
    """Answer the question at the window's end; returns what it was asked about."""
    asked = []

    def answered(dialog):
        asked.append(named_runs(dialog))
        return answer

    monkeypatch.setattr(ShutdownDialog, "answer", answered)
    return asked


def choosing(monkeypatch, *targets):
    """Answer where runs shall be saved with one path after the other, and then call it off.

    A double that runs out must not raise within closeEvent: shiboken does not survive a bare
    StopIteration there.
    """
    left = list(targets)
    monkeypatch.setattr(
        "tilelab.gui.run.run_files.ask_to_save",
        lambda *_: left.pop(0) if left else None,
    )


def kept():
    """The folders of runs that are there, a living program's too."""
    return sorted(runs_folder().iterdir()) if runs_folder().exists() else []


def going(driver, **values):
    """Begin a run that does not end by itself, and wait until it has come to something."""
    driver.set(**values)
    driver.click(Action.GO)
    driver.until(lambda: driver.page.run.best is not None and driver.page.run.status.units > 20)


def on_disk(driver):
    """Wait until a checkpoint and the newest best are written."""
    autosave = driver.page.client.worker.keeping.autosave
    driver.until((autosave.folder / "run.tilelab").exists)
    driver.until((autosave.folder / "best.json").exists)
    return autosave


def offered(driver):
    """The dialog of a window, once it has looked."""
    dialog = driver.window.recovery
    dialog.offer()
    driver.until(lambda: len(dialog.runs) > 0)
    return dialog


def abandoned(driver, monkeypatch):
    """Leave an interrupted run behind, as a window that keeps it does."""
    going(driver, seed=3)
    on_disk(driver)
    answering(monkeypatch, ClosingChoice.KEEP)
    driver.window.close()
    answering(monkeypatch, ClosingChoice.DISCARD)
