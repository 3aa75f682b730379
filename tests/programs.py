"""Programs that tests start: forks of one that is loaded already, and what they leave on disk."""

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from tests.patience import MAX_SECONDS
from tests.program_server import MAX_ORDER_BYTES

ROOT = Path(__file__).resolve().parents[1]
ALLOWED_SECONDS = 1.0
"""How long after it was shown a best is on disk (docs/run-file.md)."""
N_LATER = 10
"""What a program must have shown meanwhile: one that was not given the time to show anything, on a
busy machine, was given none to write either."""
_READ_AT_START = ("LC_", "LD_", "NUMBA_", "PYTHON", "TILELAB_CACHE_DIR")
"""How variables begin that count when a process starts or imports; PYTHONPATH can be changed."""


def environment(**settings):
    """Variables for a program that runs this tree's code and never waits for the disk."""
    folders = (ROOT, ROOT / "tests" / "unflushed")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), **settings}


class Program(subprocess.Popen):
    """``python -m tilelab`` with its arguments, started by a fork of a process that has loaded it.

    It has working directory, environment, streams, signals, exit status and session of its own, as
    a real start has. What it does not show is the start itself: the interpreter's options and the
    variables that are read at imports, their order, modules that are missing or broken, plug-ins of
    another environment, a hash seed of its own. Tests of these start a real process. Nor does it
    wait for the disk (``unflushed``), and its parent is the server.

    Where a process cannot be forked, or only its parent can wait for it, it is a real one.
    """

    def __init__(self, *arguments, **options):
        self._handle = None
        words = [sys.executable, "-m", "tilelab", *map(str, arguments)]
        super().__init__(words, **options)

    if hasattr(os, "fork") and hasattr(os, "pidfd_open"):

        def _execute_child(
            self,
            words,
            executable,
            preexec_fn,
            close_fds,
            pass_fds,
            cwd,
            env,
            startupinfo,
            creationflags,
            shell,
            read_in,
            written_in,
            read_out,
            written_out,
            read_error,
            written_error,
            restore_signals,
            gid,
            gids,
            uid,
            umask,
            start_new_session,
            *_,
        ):
            assert not preexec_fn
            assert not pass_fds
            settings = dict(os.environ if env is None else env)
            server = _server()
            server.require_alike(settings)
            order = {
                "arguments": words[3:],
                "cwd": str(Path(cwd or ".").absolute()),
                "environment": settings,
                "has_session": start_new_session,
                "ignored": [
                    number
                    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
                    if signal.getsignal(number) == signal.SIG_IGN
                ],
            }
            streams = enumerate((read_in, written_out, written_error))
            self.pid = server.ask(order, [own if end == -1 else end for own, end in streams])
            self._child_created = True
            self._handle = os.pidfd_open(self.pid)
            self._close_pipe_fds(
                read_in, written_in, read_out, written_out, read_error, written_error
            )

        def _internal_poll(self, **_):
            self._look(0.0)
            return self.returncode

        def _wait(self, timeout):
            self._look(timeout)
            if self.returncode is None:
                raise subprocess.TimeoutExpired(self.args, timeout)
            return self.returncode

        def _look(self, seconds):
            """Wait that long, or for ever, for the end of the program."""
            if self._handle and select.select([self._handle], [], [], seconds)[0]:
                self.returncode = _server().ask({"wait": self.pid})
                os.close(self._handle)
                self._handle = None


def run(*arguments, timeout=MAX_SECONDS, check=False, **options):
    """Run a :class:`Program` to its end, its output captured as text as subprocess.run does."""
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with Program(*arguments, **{**piped, **options}) as program:
        try:
            out, error = program.communicate(timeout=timeout)
        except BaseException:
            program.kill()
            raise
    done = subprocess.CompletedProcess(program.args, program.returncode, out, error)
    if check:
        done.check_returncode()
    return done


class _Server:
    """The process that is forked."""

    def __init__(self):
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._environment = environment()
        self._lock = threading.Lock()
        with other:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.program_server"],
                cwd=ROOT,
                stdin=other,
                env=self._environment,
            )

    def require_alike(self, settings):
        """Refuse a variable that a fork would not heed."""
        for name, value in {**self._environment, **settings}.items():
            if name.startswith(_READ_AT_START) and name != "PYTHONPATH":
                there = self._environment.get(name), settings.get(name)
                assert there[0] == there[1], f"{name}={value} needs a real start"

    def ask(self, order, handles=()):
        """Send an order, with the handles of a program's streams; returns its answer."""
        with self._lock:
            socket.send_fds(self._channel, [json.dumps(order).encode()], handles)
            answer = self._channel.recv(MAX_ORDER_BYTES)
        assert answer, "the server has ended"
        return json.loads(answer)

    def end(self):
        """Close its input, which ends it, and wait for that."""
        self._channel.close()
        self.process.wait(MAX_SECONDS)


@functools.cache
def _server():
    server = _Server()
    atexit.register(server.end)
    return server


def shown_for_long(lines, killed, seconds=ALLOWED_SECONDS):
    """Of (moment, what was shown), in order, what must be on disk when a program is killed."""
    for moment, shown in lines[:-N_LATER]:
        if moment < killed - seconds:
            yield shown
