"""``tilelab warm``: says how far it is, in a terminal and in a pipe."""

import io

import pytest
from rich.console import Console

from tests.patience import eventually
from tilelab.cli import progress
from tilelab.core.errors import TileLabError
from tilelab.runs import kernel_warming as warming
from tilelab.runs.kernel_warming import WarmUpJob

JOBS = [WarmUpJob("boggle", name, 1) for name in ("first", "second", "third", "fourth")]


class Crew:
    """Stands for the processes: each look finds one job done."""

    error = ""
    seconds = 0.0

    def __init__(self, jobs, n_processes):
        self.jobs, self.n_processes = list(jobs), n_processes
        self.has_ended = False
        Crew.last = self

    @property
    def is_busy(self):
        return bool(self.jobs)

    def finished(self, seconds):
        return [(self.jobs.pop(0), Crew.error)]

    def end(self):
        self.has_ended = True


@pytest.fixture
def crew(monkeypatch):
    monkeypatch.setattr(warming, "WarmUpProcesses", Crew)
    monkeypatch.setattr(warming, "require_cache", lambda: None)
    monkeypatch.setattr(warming, "list_jobs", lambda: JOBS)
    monkeypatch.setattr(warming, "list_pending_jobs", lambda: JOBS[1:])
    monkeypatch.setattr(Crew, "error", "")
    return Crew


def test_a_pipe_gets_a_line_for_each(command, crew):
    status, out, err = command("warm", "--jobs", 2)
    assert status == 0
    assert out.startswith("All 4 solvers are ready, after ")
    assert [line.partition(",")[0] for line in err.splitlines()] == [
        f"Compiling: {n} of 4 solvers" for n in (1, 2, 3, 4)
    ]
    assert err.splitlines()[1].endswith(", about 1 s left")
    assert (crew.last.n_processes, crew.last.has_ended) == (2, True)


def test_a_terminal_gets_a_bar(command, crew, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=70, color_system=None)
    monkeypatch.setattr(progress, "terminal", lambda: console)
    look = crew.finished

    def slowly(self, seconds):
        n_done = 3 - len(self.jobs)
        assert eventually(lambda: f"{1 + n_done} of 4 solvers" in screen.getvalue())
        return look(self, seconds)

    monkeypatch.setattr(crew, "finished", slowly)
    status, _, err = command("warm")
    assert (status, err) == (0, "")
    assert "━" in screen.getvalue()
    assert "3 of 4 solvers, about 1 s left" in screen.getvalue()


def test_nothing_is_begun_where_all_is_there(command, crew, monkeypatch):
    monkeypatch.setattr(warming, "list_pending_jobs", list)
    assert command("warm") == (0, "All 4 solvers are ready.\n", "")


def test_what_fails_is_named(command, crew, monkeypatch):
    monkeypatch.setattr(crew, "error", "there is not enough memory")
    status, out, err = command("warm")
    assert (status, out) == (1, "")
    assert "second of boggle: there is not enough memory; third of boggle" in err


@pytest.mark.parametrize("given", ["0", "65", "x", "-1", "9" * 50])
def test_how_many_processes_there_may_be(command, crew, given):
    status, out, err = command("warm", "--jobs", given)
    assert (status, out) == (2, "")
    assert "is not a whole number in 1..64" in err


def test_a_cache_that_cannot_be_written_is_told(command, crew, monkeypatch):
    def refuse():
        raise TileLabError("it cannot be written")

    monkeypatch.setattr(warming, "require_cache", refuse)
    assert command("warm") == (1, "", "it cannot be written\n")
