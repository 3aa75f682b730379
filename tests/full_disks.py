"""Places where nothing can be written: a full file system, a read-only one, a closed folder."""

import contextlib
import errno
import io
import os
import shutil
import subprocess

import pytest

BYTES = 1 << 20


class FullFile(io.FileIO):
    """A file on a disk with room for so many bytes more."""

    room = 0

    def write(self, data):
        if len(data) > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= len(data)
        return super().write(data)


def opener(room):
    """A stand-in for os.fdopen whose files are on such a disk."""

    def fdopen(handle, mode):
        raw = FullFile(handle, mode.replace("b", ""))
        raw.room = room
        return io.BufferedRandom(raw)

    return fdopen


@contextlib.contextmanager
def small_file_system(folder):
    """Mount a file system of 1 MB; skips the test where that is not allowed."""
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("mounting is not allowed here")
    made = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={BYTES}", "none", str(folder)],
        capture_output=True,
        timeout=600,
        check=False,
    )
    if made.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], timeout=600, check=True)


def fill(folder):
    """Write until nothing more fits."""
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1 << 9, 1):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)):
                    pass


def make_read_only(folder):
    """Forbid every change in a mounted folder."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], timeout=600, check=True)
