"""A thread, a process or a locked file that a test leaves behind is found."""

import subprocess
import sys
import threading

from filelock import FileLock

from tests import leftovers
from tests.leftovers import Leftovers


def test_what_is_left_behind_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "_PATIENCE_SECONDS", 0)
    before, end, lock = Leftovers(), threading.Event(), FileLock(tmp_path / "lock")
    thread = threading.Thread(target=end.wait, name="forgotten")
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    thread.start()
    lock.acquire()
    kinds = {name.split()[0] for name in before.wait_for_end()}
    lock.release()
    end.set()
    thread.join()
    program.communicate()
    assert kinds == {"thread", "process", *(["locked"] if sys.platform == "linux" else [])}
    assert before.wait_for_end() == []
