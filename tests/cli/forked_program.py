"""The program, loaded once and forked for each command line, so that many can be killed.

Reads one JSON object a line: ``argv``, ``env``, ``terminal`` (a path, for standard error) and
``out`` (a file, for standard output). Writes the number of the process as a line, and at its end
its status as another one.
"""

import json
import os
import sys


def _load(lines):
    """Compile, or load, whatever these command lines need."""
    from tilelab.cli.command import main

    out, err = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (1, 2):
        os.dup2(nowhere, number)
    for line in lines:
        main(line)
    sys.stdout.flush()
    for number, kept in ((1, out), (2, err)):
        os.dup2(kept, number)


def _become(order):
    """Run a command line in this process, which ends with it."""
    from tilelab.cli.command import main

    os.environ.update(order["env"])
    terminal = os.open(order["terminal"], os.O_RDWR | os.O_NOCTTY)
    out = os.open(order["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, out), (2, terminal)):
        os.dup2(file, number)
        os.close(file)
    # What Python knew of the old ones, such as that they can be searched, may no longer be so.
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", closefd=False)
    status = main(order["argv"])
    sys.stdout.flush()
    os._exit(status)


def _say(word):
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def serve(lines):
    """Load what the lines need, then do as is ordered until standard input ends."""
    _load(lines)
    _say("loaded")
    for text in sys.stdin:
        number = os.fork()
        if not number:
            _become(json.loads(text))
        _say(number)
        _say(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]))


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
