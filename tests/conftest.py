"""What all tests share: no test reads or writes the folders of whoever runs them."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

from tests.leftovers import Leftovers
from tests.own_folders import IN_MEMORY, environment, has_room, left_at_home

# How long an example takes says more of the machine than of the code.
for profile, n_examples in (("default", 10), ("exhaustive", 100)):
    hypothesis.settings.register_profile(
        f"tilelab-{profile}",
        deadline=None,
        max_examples=n_examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
hypothesis.settings.load_profile("tilelab-default")
FOLDER = pytest.StashKey[Path]()
COMPILED = pytest.StashKey[set[str]]()


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run the exhaustive tests, too")


def pytest_configure(config):
    """Before any test is imported, and in every process that runs tests."""
    if config.getoption("--all"):
        hypothesis.settings.load_profile("tilelab-exhaustive")
        os.environ.setdefault("TILELAB_FUZZ", "1")
    # Whatever the shell says: else every program that a test starts compiles all sources again.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if has_room(IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
        tempfile.tempdir = str(IN_MEMORY)
    folder = config.stash[FOLDER] = Path(tempfile.mkdtemp(prefix="tilelab-tests-"))
    # Worker processes do not learn of their end.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "home").mkdir()
    os.environ.update(environment(folder))
    config.stash[COMPILED] = compiled()


def compiled():
    """The names of all kernels that are kept."""
    return {file.stem for file in Path(os.environ["TILELAB_CACHE_DIR"]).rglob("*.nbi")}


def pytest_terminal_summary(terminalreporter, config):
    """Name the kernels that tests need and ``tilelab warm`` had not compiled."""
    if new := sorted(compiled() - config.stash[COMPILED]):
        terminalreporter.section("kernels compiled by tests")
        terminalreporter.line(f"{len(new)}: {', '.join(new)}")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect the tests without a search for garbage: whatever they import and are, stays.

    Nor is it searched later: else each pass would go through half a million objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Leave out what only --all runs, and begin with what takes long.

    Else one process would still work at the end while the others wait.
    """
    if not config.getoption("--all"):
        left_out = list_exhaustive(items)
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def list_exhaustive(items):
    """Return the tests that only --all runs, among them the cases that the mark "every" skips."""
    found, n_cases = set(), Counter()
    for item in items:
        test, every = item.nodeid.partition("[")[0], item.get_closest_marker("every")
        if item.get_closest_marker("exhaustive") or (every and n_cases[test] % every.args[0]):
            found.add(item)
        if not item.get_closest_marker("exhaustive"):
            n_cases[test] += 1
    return found


@pytest.fixture(scope="session", autouse=True)
def own_folder(request):
    """The folder that everything is kept below; at the end nothing stands elsewhere."""
    folder = request.config.stash[FOLDER]
    yield folder
    assert left_at_home(folder) == []


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """Fail a test that leaves a thread, a process or a locked file behind."""
    leftovers = Leftovers()
    yield
    assert leftovers.wait_for_end() == []


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """An empty folder for pattern databases, and small ones to be made in it."""
    # Not before the folders are set: kernels look for theirs when they are imported.
    from tests.small_tables import SMALL, patterns

    folder = tmp_path / "tables"
    folder.mkdir()
    monkeypatch.setenv("TILELAB_TABLES_DIR", str(folder))
    monkeypatch.setattr(patterns, "PARTITIONS", SMALL)
    patterns._held.cache_clear()
    yield folder
    patterns._held.cache_clear()


@pytest.fixture
def slow_building(tables, monkeypatch):
    """Makes these tables for as long as a test wants."""
    from tests.small_tables import SlowBuilding, patterns

    slow = SlowBuilding()
    monkeypatch.setattr(patterns, "building", slow)
    return slow


@pytest.fixture
def usual_signals():
    """Let signals do here, and in programs begun here, what they do in a terminal.

    Whoever runs the tests may have them ignored, as nohup does and as shells do for what they put
    into the background; that is inherited.
    """
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL}
    usual["SIGHUP"] = signal.SIG_DFL
    before = {
        number: signal.signal(number, handler)
        for name, handler in usual.items()
        if (number := getattr(signal, name, None)) is not None
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
