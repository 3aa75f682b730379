"""The program's own files are for their owner alone, whatever the umask says.

What somebody has played and noted, and where his files are, is nobody else's business.
"""

import contextlib
import errno
import os
import stat
from pathlib import Path

OWNER_FILE, OWNER_FOLDER = 0o600, 0o700
_OTHERS = 0o077
_OURS = ("history", "runs", "experiments", "lists", "window.ini", ".tilelab-")
"""How the names begin that the program gives in its folders."""


def private_folder(path: Path) -> None:
    """Make a folder for the program's files alone, or close one from before; raises OSError.

    With it is closed what lies in it. One that holds other things, too, is left as it is: then it
    was chosen by the environment. Folders above it get the usual rights.
    """
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(OWNER_FOLDER)
            path.chmod(OWNER_FOLDER)  # which a mask may have taken away
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        return
    with contextlib.suppress(OSError):
        if all(entry.name.startswith(_OURS) for entry in path.iterdir()):
            close_to_others(path)


def private_file(path: Path) -> None:
    """See to it that a file is there, and is the owner's alone; raises OSError if it cannot be."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_FILE)
    except FileExistsError:
        close_to_others(path)
    else:
        os.close(handle)
        path.chmod(OWNER_FILE)


def close_to_others(path: Path) -> None:
    """Take all rights from others, of a folder and all in it; what cannot be closed stays open.

    What is closed already is not looked through again.
    """
    with contextlib.suppress(OSError):
        found = path.lstat()
        if not found.st_mode & _OTHERS or not _is_own(found):
            return
        if stat.S_ISREG(found.st_mode):
            path.chmod(OWNER_FILE)
        elif stat.S_ISDIR(found.st_mode) and not found.st_mode & stat.S_ISVTX:
            for entry in path.iterdir():
                close_to_others(entry)
            path.chmod(OWNER_FOLDER)  # last, so that a pass that was broken off is made again


def _is_own(found: os.stat_result) -> bool:
    return os.name != "nt" and found.st_uid == os.geteuid()
