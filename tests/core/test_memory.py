"""How much memory is free, in the machine and in its container."""

from types import SimpleNamespace

import pytest

from tilelab.core.memory import free_bytes, free_megabytes


def _files(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


AVAILABLE = 4_000_000 << 10
GIGABYTE = 1 << 30


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({}, AVAILABLE),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/b/memory.max": "max\n",
                "sys/fs/cgroup/a/b/memory.current": "5\n",
                "sys/fs/cgroup/a/memory.max": str(2 * GIGABYTE),
                "sys/fs/cgroup/a/memory.current": str(GIGABYTE),
                "sys/fs/cgroup/a/memory.stat": "anon 7\ninactive_file 1000\n",
            },
            GIGABYTE + 1000,
        ),
        (
            {
                "proc/self/cgroup": "4:cpu:/x\n3:memory:/gone\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": str(GIGABYTE),
                "sys/fs/cgroup/memory/memory.usage_in_bytes": "24",
            },
            GIGABYTE - 24,
        ),
        (
            {
                "proc/self/cgroup": "0::/\n",
                "sys/fs/cgroup/memory.max": "100",
                "sys/fs/cgroup/memory.current": "200",
            },
            64 << 20,
        ),
    ],
)
def test_free_memory_is_the_machines_or_its_containers(tmp_path, files, free, monkeypatch):
    machine = SimpleNamespace(available=AVAILABLE)
    monkeypatch.setattr("psutil.virtual_memory", lambda: machine)
    assert free_bytes(_files(tmp_path, files)) == free


def test_free_memory_of_this_machine_is_something():
    assert 64 << 20 <= free_bytes() < 1 << 50
    assert free_megabytes() >= 64
