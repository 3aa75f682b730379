"""Folders of the tests' own in place of those of whoever runs them; only kernels are shared."""

import os
import shutil
from pathlib import Path

from platformdirs import user_cache_path

_HOME = {
    "HOME": "",
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}
_OWN = {"TILELAB_CONFIG_DIR": "config", "TILELAB_DATA_DIR": "data", "TILELAB_TABLES_DIR": "tables"}
IN_MEMORY = Path("/dev/shm")
"""Files that are kept in memory: how long a disk takes for one, half a second at times while others
write to it, says nothing of the program."""
_ROOM_BYTES = 2 << 30


def has_room(folder: Path) -> bool:
    """Return whether all that the tests write can be kept in a folder."""
    return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= _ROOM_BYTES


def environment(folder: Path) -> dict[str, str]:
    """Return variables, for child processes too, that keep everything below a folder.

    Compiled kernels stay where they are: making them takes minutes, and they say nothing of runs.
    """
    kernels = os.environ.get("TILELAB_CACHE_DIR") or user_cache_path("tilelab", appauthor=False)
    return {
        "TILELAB_CACHE_DIR": str(kernels),
        "TILELAB_NO_WARM_UP": "1",
        "TILELAB_LANGUAGE": "en",
        # Its threads spin for a tenth of a second in each program that is started.
        "OPENBLAS_NUM_THREADS": "1",
        **{name: str(folder / "home" / part) for name, part in _HOME.items()},
        **{name: str(folder / part) for name, part in _OWN.items()},
    }


def left_at_home(folder: Path) -> list[str]:
    """List what the program has left in the home that it was given: there it should find nothing.

    Whoever asks the system for the user's folders, and not the variables, is seen here.
    """
    home = folder / "home"
    return sorted(str(path.relative_to(home)) for path in home.rglob("*tilelab*"))
