"""How a command ends: signals, outputs that nobody takes, and what it must not load."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import programs
from tests.saved_grids import assert_score_is_true
from tilelab.cli import play, run
from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import read_grid

FULL = Path("/dev/full")
NEEDS_SIGNALS = pytest.mark.skipif(
    sys.platform == "win32", reason="signals are sent otherwise there"
)
SMALL = ("run", "boggle", "--rows", 4, "--cols", 4, "--seed", 3)


@NEEDS_SIGNALS
@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.exhaustive),
    ],
)
@pytest.mark.usefixtures("usual_signals")
def test_a_signal_stops_cleanly_and_the_best_is_written(tmp_path, number, status):
    file = tmp_path / "best.txt"
    script = (
        "import signal, sys\n"
        "from tilelab.cli import run\n"
        "from tilelab.cli.command import main\n"
        "run_slice = run.Session.run_slice\n"
        "def signalled(self):\n"
        "    progress = run_slice(self)\n"
        "    if self.units >= 3:\n"
        # Raised here, they reach this thread in this order; sent, another thread may be slower.
        f"        signal.raise_signal({int(number)})\n"
        f"        signal.raise_signal({int(signal.SIGINT)})\n"
        "    return progress\n"
        "run.Session.run_slice = signalled\n"
        f"sys.exit(main(['run', 'boggle', '--out', {str(file)!r}, '--json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == status
    result = json.loads(done.stdout)
    assert result["status"] == "interrupted"
    assert "Traceback" not in done.stderr
    assert [row.lower() for row in read_grid(file).rows] == result["best"]["rows"]
    assert assert_score_is_true(file) == result["best"]["value"]


@NEEDS_SIGNALS
def test_a_signal_while_the_program_loads_is_one_line():
    script = (
        "import os, sys\n"
        "class Sender:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'tilelab.cli.command':\n"
        f"            os.kill(os.getpid(), {int(signal.SIGINT)})\n"
        "sys.meta_path.insert(0, Sender())\n"
        "sys.argv = ['tilelab', 'list', 'lexicons']\n"
        "from tilelab.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Stopped before there was anything to write.\n"


@NEEDS_SIGNALS
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_kernels_are_compiled_is_one_line(
    command, monkeypatch, tmp_path, number, status
):
    before = signal.getsignal(number)
    monkeypatch.setattr(run, "warm_up", lambda *_: signal.raise_signal(number))
    file = tmp_path / "best.txt"
    ended, out, err = command(*SMALL, "--out", file, "--json")
    assert (ended, out) == (status, "")
    assert err.splitlines()[1:] == ["Stopped before there was anything to write."]
    assert not file.exists()
    assert signal.getsignal(number) is before


@NEEDS_SIGNALS
@pytest.mark.parametrize("place", ["outcome", "print_json"])
def test_a_signal_after_the_end_does_not_change_the_result(command, monkeypatch, place):
    step = getattr(play, place)

    def signalled(value):
        signal.raise_signal(signal.SIGINT)
        return step(value)

    monkeypatch.setattr(play, place, signalled)
    status, out, _ = command(*SMALL, "--limit", 3, "--json")
    assert status == 0
    assert json.loads(out)["status"] == "limit"


@NEEDS_SIGNALS
def test_a_signal_in_the_last_slice_does_not_change_the_result(command, monkeypatch):
    run_slice = run.Session.run_slice

    def signalled(session):
        progress = run_slice(session)
        if session.units >= 3:
            signal.raise_signal(signal.SIGINT)
        return progress

    monkeypatch.setattr(run.Session, "run_slice", signalled)
    status, out, _ = command(*SMALL, "--limit", 3, "--json")
    assert status == 0
    assert json.loads(out)["status"] == "limit"


@NEEDS_SIGNALS
def test_a_closed_terminal_is_ignored_under_nohup(command, monkeypatch):
    run_slice = run.Session.run_slice

    def signalled(session):
        signal.raise_signal(signal.SIGHUP)
        return run_slice(session)

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        monkeypatch.setattr(run.Session, "run_slice", signalled)
        status, out, _ = command(*SMALL, "--limit", 3, "--json")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert status == 0
    assert json.loads(out)["status"] == "limit"


def test_a_result_is_printed_even_when_its_file_cannot_be_written(command, monkeypatch, tmp_path):
    def refuse(*_):
        raise TileLabError("the disk is full")

    file = tmp_path / "best.txt"
    with monkeypatch.context() as patch:
        patch.setattr(play, "save_grid", refuse)
        status, out, err = command(*SMALL, "--limit", 3, "--out", file, "--json")
    assert status == 1
    assert json.loads(out)["units"] == 3
    how, why = err.splitlines()[1:]
    assert why == "the disk is full"
    assert how.startswith("To continue: tilelab resume boggle-genetic-seed-3-")
    assert command(*how.split()[3:], "--out", file)[0] == 0  # it is not lost
    assert read_grid(file).rows


def test_an_output_of_few_symbols_takes_every_lexicon(command, monkeypatch, tmp_path):
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("é\nλ\n", encoding="utf-8")  # cp1252 has the first alone
    narrow = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(narrow, encoding="cp1252"))
    assert command(*SMALL, "--lexicon", lexicon, "--json")[0] == 0
    assert json.loads(narrow.getvalue())["best"]["words"] == ["é", "λ"]
    assert command(*SMALL, "--lexicon", lexicon)[0] == 0
    assert "2 of 2 words" in narrow.getvalue().decode("cp1252")


def test_closed_outputs_are_no_error(command, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert command(*SMALL, "--limit", 2)[0] == 0
    assert command("list", "lexicons")[0] == 0


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device to write to")
def test_a_full_disk_behind_the_output_is_one_sentence():
    with FULL.open("w", encoding="utf-8") as full:
        done = programs.run("list", "lexicons", stdout=full)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_a_reader_that_goes_away_leaves_no_traceback():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    child = programs.Program("list", "lexicons", **pipes)
    child.stdout.close()
    with child.stderr:
        err = child.stderr.read()
    child.wait(timeout=600)
    assert "Traceback" not in err


@pytest.mark.exhaustive
def test_help_and_lists_of_lexicons_load_neither_kernels_nor_qt():
    script = (
        "import sys\n"
        "from tilelab.cli.command import main\n"
        "for line in (['--help'], ['--version'], ['list', 'lexicons']):\n"
        "    assert main(line) == 0\n"
        "loaded = {'numba', 'PySide6', 'pyqtgraph'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, timeout=600)


def test_without_a_display_the_window_is_refused_in_a_sentence():
    settings = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    if sys.platform in ("win32", "darwin"):
        pytest.skip("there is always a display there")
    done = programs.run(env={**os.environ, **settings})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "tilelab run boggle" in done.stderr


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("asked", "said", "optimal"),
    [
        (("--rows", 2, "--cols", 2), "proven optimal", True),
        (("--rows", 3, "--cols", 3, "--limit", 3), "proven: at most 8", None),
    ],
)
def test_an_exact_run_says_what_it_has_proven(command, asked, said, optimal):
    exact = ("run", "boggle", "--lexicon", "planets", "--solver", "exact", "--climbs", 0, *asked)
    status, out, _ = command(*exact)
    assert status == 0
    assert said in out
    assert json.loads(command(*exact, "--json")[1])["best"]["optimal"] is optimal
