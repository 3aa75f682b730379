"""A worker's thread that is still compiling when its window closes."""

import subprocess
import sys

PROGRAM = """
import sys, threading
from PySide6.QtCore import QCoreApplication, QObject, Signal
from tilelab.gui.threads import task_runner as own_thread

own_thread.CLOSING_MILLISECONDS = 10
begun, compiled = threading.Event(), threading.Event()

class Worker(QObject):
    def do(self, question):
        question()

    def compile(self):
        begun.set()
        compiled.wait(600)
        sys.stdout.write("compiled ")
        sys.stdout.flush()

    def stop(self):
        sys.stdout.write("stopped ")
        sys.stdout.flush()

class Client(QObject):
    call = Signal(object)

app, worker, client = QCoreApplication([]), Worker(), Client()
client.call.connect(worker.do)
thread = own_thread.OwnThread("worker", worker, client.call.emit, worker.stop)
client.call.emit(worker.compile)
assert begun.wait(600)
assert not thread.end()
assert own_thread.any_unfinished()
timer = threading.Timer(0.2, compiled.set)
timer.daemon = True  # the end of the process does not wait for this one
timer.start()
"""


def test_a_script_that_ends_meanwhile_waits_for_it_and_does_not_abort():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "compiled stopped ", "")
