"""The thread that writes the newest thing, with writers that wait and fail on command."""

import errno
import struct
import threading
import zipfile

from tests.patience import MAX_SECONDS, eventually
from tilelab.core.errors import TileLabError
from tilelab.runs.checkpoints.autosave import LatestWriter

LONG = MAX_SECONDS


def test_the_newest_wins_and_nobody_waits():
    may_go, begun, written = threading.Event(), threading.Event(), []

    def write(thing):
        begun.set()
        assert may_go.wait(LONG)
        written.append(thing)

    writer = LatestWriter("test", write)
    writer.put(1)
    assert begun.wait(LONG)
    for thing in range(2, 100):
        writer.put(thing)
    assert writer.is_busy
    may_go.set()
    assert writer.wait(LONG)
    assert written == [1, 99]
    assert not writer.is_busy
    assert writer.end(flush=True, timeout_seconds=LONG)
    writer.put(100)
    assert written == [1, 99]


def test_an_error_is_reported_and_the_write_tried_again_until_it_works():
    faults = [
        OSError(errno.ENOSPC, "No space left on device", "run.tilelab"),
        TileLabError("the folder is gone"),
        MemoryError(),
        zipfile.LargeZipFile("too large"),
        struct.error(),
    ]
    said, written = [], []

    def write(thing):
        said.append(writer.error)
        if faults:
            raise faults.pop(0)
        written.append(thing)
        done.set()

    done = threading.Event()
    writer = LatestWriter("test", write, retry_seconds=(0.0,))
    writer.put("a")
    assert done.wait(LONG)
    assert writer.wait(LONG)
    assert written == ["a"]
    assert said == [
        "",
        "run.tilelab cannot be written: No space left on device",
        "the folder is gone",
        "it cannot be written: there is not enough memory",
        "it cannot be written: too large",
        "it cannot be written: error",
    ]
    assert writer.error == ""
    assert writer.end(flush=True, timeout_seconds=LONG)


def test_the_newest_takes_the_place_of_what_has_failed():
    written, failed = [], threading.Event()

    def write(thing):
        if thing == "old":
            failed.set()
            raise TileLabError("full")
        written.append(thing)

    writer = LatestWriter("test", write, retry_seconds=(LONG,))
    writer.put("old")
    assert failed.wait(LONG)
    assert not writer.wait(LONG)
    assert not writer.is_busy  # so that something newer is copied out for the next try
    writer.put("new")
    assert writer.end(flush=True, timeout_seconds=LONG)
    assert written == ["new"]


def test_the_end_tries_once_more_or_drops_what_waits():
    for flush in (True, False):
        tries, failed = [], threading.Event()

        def write(thing, tries=tries, failed=failed):
            tries.append(thing)
            failed.set()
            raise TileLabError("full")

        writer = LatestWriter("test", write, retry_seconds=(LONG,))
        writer.put(1)
        assert failed.wait(LONG)
        assert not writer.wait(LONG)
        assert writer.end(flush=flush, timeout_seconds=LONG)
        assert len(tries) == 1 + flush
        assert writer.error == "full"


def test_a_write_that_never_returns_does_not_hold_the_end_up():
    stuck, begun = threading.Event(), threading.Event()

    def write(_):
        begun.set()
        stuck.wait(LONG)

    writer = LatestWriter("test", write)
    writer.put(1)
    assert begun.wait(LONG)
    assert not writer.end(flush=True, timeout_seconds=0.0)
    stuck.set()
    assert writer.end(flush=True, timeout_seconds=LONG)


def test_one_that_was_given_nothing_has_no_thread():
    writer = LatestWriter("test", lambda _: None)
    assert writer.wait(0.0)
    assert writer.end(flush=True, timeout_seconds=0.0)
    assert not [thread for thread in threading.enumerate() if thread.name == "test"]


def test_what_a_plug_in_may_raise_does_not_end_the_writing():
    written = []

    def write(thing):
        if thing == "a":
            raise TypeError("no text can be made of it")
        written.append(thing)

    writer = LatestWriter("test", write, retry_seconds=(0.0,))
    writer.put("a")
    assert not writer.wait(LONG)
    assert writer.error == "it cannot be written: no text can be made of it"
    writer.put("b")
    assert eventually(lambda: writer.wait(LONG))
    assert (written, writer.error) == (["b"], "")
    assert writer.end(flush=True, timeout_seconds=LONG)
