"""``--profile FILE``: where the time of a run went, by threads, spans and kernels."""

import itertools
import json
import math

import pytest

from tilelab.cli.profile import profile_command
from tilelab.core.errors import TileLabError
from tilelab.kernels.decorators import Kernel
from tilelab.solvers import profile

SEARCH = ("run", "sliding", "--instances", "korf100", "--number", 82, "--heuristic", "manhattan")
THREADS = ("--solver", "ida-star", "--threads", 2, "--limit", 100)


def read(file):
    """Check a file by speedscope's schema; returns seconds by thread and stack of names."""
    whole = json.loads(file.read_text("utf-8"))
    assert whole["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert set(whole) <= {"$schema", "exporter", "shared", "profiles", "name"}
    frames = whole["shared"]["frames"]
    assert all(set(frame) <= {"name", "file", "line", "col"} for frame in frames)
    seconds = {}
    for one in whole["profiles"]:
        assert one["type"] == "sampled"
        assert one["unit"] == "seconds"
        assert len(one["samples"]) == len(one["weights"])
        assert math.isclose(one["endValue"] - one["startValue"], sum(one["weights"]), abs_tol=1e-6)
        stacks = seconds[one["name"]] = {}
        for sample, weight in zip(one["samples"], one["weights"], strict=True):
            assert weight > 0
            stack = tuple(frames[place]["name"] for place in sample)
            stacks[stack] = stacks.get(stack, 0.0) + weight
    return seconds


def test_the_kernel_of_a_search_on_two_threads_has_most_of_the_time(command, tmp_path):
    file = tmp_path / "p.json"
    status, out, err = command(*SEARCH, *THREADS, "--profile", file)
    assert (status, err) == (0, "")
    seconds = read(file)
    assert set(seconds) == {"MainThread", "subtrees_0"}
    solver = {
        stack: value
        for stacks in seconds.values()
        for stack, value in stacks.items()
        if "Solver" in stack and "Waiting" not in stack
    }
    in_kernel = [value for stack, value in solver.items() if stack[-1] == "deepen"]
    assert sum(in_kernel) > 0.5 * sum(solver.values())
    assert ("Solver", "deepen") in seconds["subtrees_0"]
    assert ("Other", "Solver", "Waiting") in seconds["MainThread"]
    rows = [line.split("\t") for line in out.splitlines()]
    named = {tuple(row[1:3]) for row in rows if len(row) == 6}
    assert named >= {("Solver", "deepen"), ("Solver", "Python"), ("Solver › Waiting", "")}
    assert f"Wrote {file}" in out


def test_a_run_that_ends_with_an_error_leaves_its_profile(tmp_path):
    file = tmp_path / "p.json"
    with pytest.raises(TileLabError, match="lost"), profile_command(file, has_table=False):
        raise TileLabError("the scheduler is lost")
    assert read(file)


def test_a_profile_beside_json_is_only_written_and_leaves_nothing_behind(command, tmp_path):
    usual, file, run = Kernel.__call__, tmp_path / "p.json", tmp_path / "run.tilelab"
    begun = command(*SEARCH, "--limit", 1, "--json", "--profile", file, "--save-run", run)
    assert json.loads(begun[1])["units"] == 1
    read(file)
    resumed = command("resume", run, "--limit", 2, "--json", "--profile", file)
    assert json.loads(resumed[1])["units"] == 2
    assert any("Solver" in stack for stack in read(file)["MainThread"])
    assert Kernel.__call__ is usual


def test_a_long_profile_stays_small_and_loses_no_time(monkeypatch):
    clock = itertools.count(0.0, 0.7 * profile.FIRST_WINDOW_SECONDS)
    monkeypatch.setattr(profile.time, "perf_counter", lambda: next(clock))
    track = profile.Track("any", next(clock))
    n_spans = 5 * profile.MAX_WINDOWS
    for _ in range(n_spans):
        track.enter("work")
        track.leave()
    assert len(track.windows) <= profile.MAX_WINDOWS
    expected = n_spans * 0.7 * profile.FIRST_WINDOW_SECONDS
    assert track.totals == pytest.approx({(): expected, ("work",): expected})
    # Time stays in order: each window has as much of both.
    assert all(set(window) == {(), ("work",)} for window in track.windows[:-1])
