"""Where runs are kept that were broken off and that nobody has named a file for."""

import os
import re
import secrets
import time
from pathlib import Path

from platformdirs import user_data_path

from tilelab.core.errors import RunFileError, TileLabError
from tilelab.runs.session import Session
from tilelab.runs.store import SUFFIX, save_run

_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")


def kept_folder() -> Path:
    """Return the folder, which need not exist: in TILELAB_DATA_DIR, or the user's data folder."""
    base = os.environ.get("TILELAB_DATA_DIR")
    folder = Path(base) if base else user_data_path("tilelab", appauthor=False)
    return folder / "runs"


def keep_run(session: Session) -> Path:
    """Write a run to a new file of the folder; raises TileLabError."""
    folder = kept_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise TileLabError(f"{folder} cannot be made: {fault.strerror or fault}") from fault
    name = f"{session.puzzle.spec.key}-{session.solver.spec.key}-seed-{session.seed}"
    # The tail tells apart what two programs keep in the same second.
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
    return save_run(session, folder / f"{_UNFIT.sub('-', name)}-{stamp}{SUFFIX}")


def newest_kept() -> Path:
    """Return the run that was kept last; raises RunFileError when there is none."""
    try:
        files = [(file.stat().st_mtime_ns, file) for file in kept_folder().glob(f"*{SUFFIX}")]
    except OSError:
        files = []
    if not files:
        raise RunFileError(f"no interrupted run is kept in {kept_folder()}; name a run file")
    return max(files)[1]
