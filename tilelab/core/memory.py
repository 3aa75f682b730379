"""The memory that is available for new data; the memory limit's default depends on it."""

import contextlib
from pathlib import Path

_MIN_BYTES = 64 << 20
_FIRST = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_SECOND = ("memory.max", "memory.current", "inactive_file")


def free_bytes(root: Path = Path("/")) -> int:
    """Return the number of bytes free in both the machine and its container; at least 64 MB.

    root: folder with the ``proc`` and ``sys`` of control groups. Caches of files count as free.
    """
    # Imported here because most starts do not need it.
    import psutil

    machine = int(psutil.virtual_memory().available)
    return max(min([machine, *_free_of_containers(root)]), _MIN_BYTES)


def free_megabytes() -> int:
    return free_bytes() >> 20


def _free_of_containers(root: Path) -> list[int]:
    """Return the free bytes of each control group around this process, of both versions."""
    try:
        lines = (root / "proc/self/cgroup").read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return []
    free = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        base, names = root / "sys/fs/cgroup", _SECOND
        if controllers:
            base, names = base / "memory", _FIRST
        folder = base / path.lstrip("/")
        # Seen from inside a container, the outer folders of the path may be missing.
        for around in (folder, *folder.parents):
            left = _free_of_group(around, *names)
            if left is not None:
                free.append(left)
            if around == base:
                break
    return free


def _free_of_group(folder: Path, limit_name: str, used_name: str, cache_name: str) -> int | None:
    try:
        limit = int((folder / limit_name).read_text("ascii"))
        used = int((folder / used_name).read_text("ascii"))
    except (OSError, ValueError):  # no such group, or "max": no limit
        return None
    cached = 0
    with contextlib.suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text("ascii").splitlines():
            name, number = line.split()
            if name == cache_name:
                cached = int(number)
    return max(limit - used + cached, 0)
