"""A process that has loaded the program once and forks for each program that a test starts.

``python -m tests.program_server`` reads orders from the socket that is its standard input; see
``programs``.
"""

import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys

MAX_ORDER_BYTES = 1 << 17
N_STREAMS = 3


def load():
    """Import what programs import, and load the kernels that all solvers need."""
    from tilelab import catalog, cli
    from tilelab.runs.kernel_warming import list_jobs
    from tilelab.runs.recipe import Recipe, warm_up

    for module in pkgutil.iter_modules(cli.__path__, f"{cli.__name__}."):
        importlib.import_module(module.name)
    for job in list_jobs():
        puzzle = next(catalog.instances(catalog.puzzle(job.puzzle), {}, 1))
        params = catalog.solver(job.puzzle, job.solver).spec.params()
        warm_up(Recipe(puzzle, job.solver, params))
    gc.collect()
    # Otherwise the first collection in each fork copies all that is shared.
    gc.freeze()


def serve(channel):
    """Carry out orders; returns in each fork, with its own order and the handles of its streams.

    When the process of the tests has ended, even by a signal, the remaining programs are killed.
    """
    going = set()
    while True:
        text, handles, _, _ = socket.recv_fds(channel, MAX_ORDER_BYTES, N_STREAMS)
        if not text:
            for program in going:
                os.kill(program, signal.SIGKILL)
            sys.exit()
        order = json.loads(text)
        if "wait" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1])
            going.discard(order["wait"])
        else:
            answer = os.fork()
            if not answer:
                channel.close()
                return order, handles
            going.add(answer)
            for handle in handles:
                os.close(handle)
        channel.send(json.dumps(answer).encode())


def become(order, handles):
    """Take over what a program is given by the process that starts it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, signal.SIG_IGN if number in order["ignored"] else usual)
    if order["has_session"]:
        os.setsid()
    os.chdir(order["cwd"])
    own_path = _entries(os.environ)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.path[:] = [order["cwd"], *_entries(os.environ), *sys.path[1 + len(own_path) :]]
    sys.argv[1:] = order["arguments"]
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = sys.__stdin__ = _stream(0, "r", sys.__stdin__)
    sys.stdout = sys.__stdout__ = _stream(1, "w", sys.__stdout__)
    sys.stderr = sys.__stderr__ = _stream(2, "w", sys.__stderr__, buffering=1)


def _entries(environment):
    """Return what Python puts into its path at the start, behind the first entry."""
    text = environment.get("PYTHONPATH", "")
    return text.split(os.pathsep) if text else []


def _stream(number, mode, before, buffering=-1):
    """Open a stream again: whether it is a terminal, or can be searched, may be different now."""
    options = {"encoding": before.encoding, "errors": before.errors}
    return open(number, mode, buffering, closefd=False, **options)


if __name__ == "__main__":
    with socket.socket(fileno=os.dup(0)) as commands:
        # Ctrl-C in a terminal is for those who started this, and for the programs.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        load()
        own_order = serve(commands)
    become(*own_order)
    runpy.run_module("tilelab", run_name="__main__", alter_sys=True)
