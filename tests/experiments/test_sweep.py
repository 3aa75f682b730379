"""Whole sweeps by real processes and a real cluster: the same rows, whatever happens to them."""

import contextlib
import csv
import json
import logging
import os
import signal
import socket
import subprocess
import threading

import psutil
import pytest

from tests.experiments.loopback import NEEDS_DASK, NEEDS_KILLING, wait_beside
from tests.experiments.plans import jobs, runs, small, without_times
from tests.full_disks import fill, small_file_system
from tests.patience import MAX_SECONDS
from tests.programs import Program
from tests.workers_here import follow
from tilelab.core.errors import TileLabError, UsageError
from tilelab.experiments.job_run import run_job
from tilelab.experiments.results import TABLE, Results
from tilelab.experiments.sweep import prepare, sweep
from tilelab.experiments.workers import Processes, StopRequest, Workers

PLAN = small(
    repeats=20,
    solvers=[
        {"solver": "genetic", "axes": {"mutation": [5, 60]}},
        {"solver": "annealing"},
    ],
    limits={"evaluations": 2000},
)
LONGER = {**PLAN, "limits": {"evaluations": 20_000}}


def rows_of(raw, folder, workers, report=lambda progress: None):
    made = runs(raw)
    with Results(folder, made, resume=True) as results:
        follow(sweep(results, workers, StopRequest()), report)
        assert results.counts == (len(made), len(made), 0)
        return list(results.rows())


@pytest.fixture(scope="module")
def expected():
    """The rows of the plan, run by run in this process."""
    prepare([runs(PLAN)], lambda act: act())
    return without_times([run_job(job).row for job in jobs(PLAN)])


@pytest.fixture(scope="module")
def expected_longer():
    """The rows of the longer plan."""
    prepare([runs(LONGER)], lambda act: act())
    return without_times([run_job(job).row for job in jobs(LONGER)])


@pytest.mark.exhaustive
@pytest.mark.parametrize("n_workers", [2, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_rows_do_not_depend_on_the_number_of_processes(n_workers, expected, tmp_path):
    with Processes(n_workers) as workers:
        assert without_times(rows_of(PLAN, tmp_path, workers)) == expected
    with (tmp_path / TABLE).open(newline="", encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    assert [int(row["seed"]) for row in table] == [row["seed"] for row in expected]
    assert [float(row["value"]) for row in table] == [row["value"] for row in expected]


@pytest.mark.exhaustive
@pytest.mark.long
@NEEDS_KILLING
def test_workers_that_are_killed_are_replaced_and_their_runs_done_again(expected_longer, tmp_path):
    killed = []

    def report(progress):
        # Those that replace the first are not there at once.
        workers = workers_of(psutil.Process())
        if workers and len(killed) < 2 and progress.n_left > 10:
            killed.append(workers[0].pid)
            workers[0].kill()

    with Processes(2) as workers:
        rows = rows_of(LONGER, tmp_path / "killed", workers, report)
    assert len(killed) == 2
    assert without_times(rows) == expected_longer


def test_the_first_error_of_a_full_disk_is_said(tmp_path):
    with small_file_system(tmp_path):
        folder = tmp_path / "results"
        with pytest.raises(TileLabError) as fault:
            rows_of(PLAN, folder, Workers(), lambda progress: fill(tmp_path))
        assert str(fault.value).endswith("cannot be used: database or disk is full")


def workers_of(program):
    """The worker processes of a program; it may have others that keep its resources."""
    workers = []
    for child in program.children():
        with contextlib.suppress(psutil.NoSuchProcess):  # it may have ended since it was listed
            if any("spawn_main" in word for word in child.cmdline()):
                workers.append(child)
    return workers


def write_plan(folder, raw):
    """Write a plan as TOML; what it holds here needs no more than JSON's ways of writing."""
    lines = [f"{key} = {json.dumps(raw[key])}" for key in ("title", "seed", "repeats")]
    for name in ("puzzle", "limits"):
        lines += [f"[{name}]", *(f"{key} = {json.dumps(part)}" for key, part in raw[name].items())]
    for solver in raw["solvers"]:
        lines += ["[[solvers]]", f"solver = {json.dumps(solver['solver'])}", "[solvers.axes]"]
        lines += [f"{key} = {json.dumps(part)}" for key, part in solver.get("axes", {}).items()]
    file = folder / "plan.toml"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def start(*arguments, command="sweep"):
    return Program(
        *(command, *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_rows(process, folder):
    """Wait until some rows are on disk: the log of the database has grown by more than a few."""
    log = folder / "sweep.sqlite-wal"
    wait_beside(process, lambda: log.exists() and log.stat().st_size > 60_000)


@pytest.mark.long
@NEEDS_KILLING
def test_a_program_that_is_killed_loses_nothing_and_repeats_nothing(expected_longer, tmp_path):
    plan, folder = write_plan(tmp_path, LONGER), tmp_path / "results"
    killed = start(plan, "--out", folder, "--workers", 2)
    with killed:
        wait_for_rows(killed, folder)
        workers = workers_of(psutil.Process(killed.pid))
        assert len(workers) == 2
        killed.kill()
        killed.communicate(timeout=MAX_SECONDS)
    # They end by themselves: nobody is left who would tell them to.
    assert psutil.wait_procs(workers, timeout=MAX_SECONDS)[1] == []
    made = runs(LONGER)
    with Results(folder, made, resume=True) as results:
        kept = list(results.rows())
        assert 0 < len(kept) < len(made)
        kept_places = sorted(set(range(len(made))) - set(results.left()))
    with start(plan, "--out", folder, "--workers", 2, "--resume", "--json") as resumed:
        out, err = resumed.communicate(timeout=MAX_SECONDS)
    assert resumed.returncode == 0, err
    rows = json.loads(out)["rows"]
    assert [rows[place] for place in kept_places] == kept
    assert without_times(rows) == expected_longer


@pytest.mark.exhaustive
@NEEDS_KILLING
def test_ctrl_c_finishes_what_is_going_and_says_how_to_go_on(tmp_path):
    plan, folder = write_plan(tmp_path, LONGER), tmp_path / "results"
    with start(plan, "--out", folder, "--workers", 2, "--json") as stopped:
        wait_for_rows(stopped, folder)
        # As a terminal sends it: to all of its processes.
        os.killpg(stopped.pid, signal.SIGINT)
        out, err = stopped.communicate(timeout=MAX_SECONDS)
    assert stopped.returncode == 130
    result = json.loads(out)
    assert 0 < result["n_done"] == len(result["rows"]) < result["n_runs"] == 60
    assert result["n_failed"] == 0
    assert "Stopping after the current runs; press again to end them now.\n" in err
    assert f"{60 - result['n_done']} runs left. To continue: tilelab sweep {plan} --out" in err
    with Results(folder, runs(LONGER), resume=True) as results:
        assert list(results.rows()) == result["rows"]


@pytest.mark.exhaustive
@NEEDS_KILLING
def test_ctrl_c_twice_ends_at_once(tmp_path):
    # Four states are soon found in four rows, and never in one.
    endless = {**PLAN, "limits": {"target": 4}, "solvers": [{"solver": "genetic"}]}
    plan, folder = write_plan(tmp_path, endless), tmp_path / "results"
    plan.write_text(
        plan.read_text("utf-8").replace("rows = 4\n", "") + "[puzzle.axes]\nrows = [4, 1]\n",
        "utf-8",
    )
    with start(plan, "--out", folder, "--workers", 2) as stopped:
        wait_for_rows(stopped, folder)
        # Signals of one kind that come together are one: the second has to be another.
        os.kill(stopped.pid, signal.SIGINT)
        os.kill(stopped.pid, signal.SIGTERM)
        _, err = stopped.communicate(timeout=MAX_SECONDS)
    assert stopped.returncode in (130, 143)
    assert "runs left. To continue: " in err


# A cluster


@pytest.mark.exhaustive
@NEEDS_DASK
def test_rows_of_a_cluster_are_the_same(cluster, expected, tmp_path):
    from tilelab.experiments.cluster import Cluster

    address, _ = cluster
    with Cluster(address) as workers:
        assert workers.n_workers == 2
        assert without_times(rows_of(PLAN, tmp_path / "results", workers)) == expected
    with Cluster(address, 1) as workers:
        assert workers.n_workers == 1


@pytest.mark.exhaustive
@NEEDS_DASK
@NEEDS_KILLING
def test_a_cluster_that_loses_a_worker_and_then_its_scheduler(
    cluster, expected, tmp_path, caplog, monkeypatch
):
    from tilelab.experiments.cluster import Cluster

    address, (scheduler, worker, _) = cluster
    said = []
    logger = logging.getLogger("distributed.client")
    monkeypatch.setattr(logger, "handlers", [caplog.handler])

    def report(progress):
        said.append(progress)
        if len(said) == 2:
            worker.kill()
        if progress.n_left < 20:
            scheduler.kill()
            scheduler.wait(MAX_SECONDS)

    with (
        Cluster(address) as workers,
        pytest.raises(
            TileLabError,
            match=r"The connection to the scheduler at .* is lost; finished runs are kept",
        ),
    ):
        rows_of(PLAN, tmp_path / "results", workers, report)
    assert not caplog.records
    with Results(tmp_path / "results", runs(PLAN), resume=True) as results:
        kept = list(results.rows())
        assert 40 < len(kept) < 60
    rows = rows_of(PLAN, tmp_path / "results", Workers())
    assert without_times(rows) == expected
    assert all(row in rows for row in kept)


@NEEDS_DASK
@pytest.mark.parametrize(
    "address",
    [
        *("nonsense", "", "tcp://", "tcp://:8786", "http://127.0.0.1:8786", "nonsense://x"),
        *("tcp://127.0.0.1:1\n", "tcp://127.0.0.1:0", "tcp://127.0.0.1:99999", "inproc://x:1"),
        "tcp://a..b:8786",
    ],
)
def test_what_is_no_address_is_refused_before_a_client_waits_for_it(address, monkeypatch):
    from tilelab.experiments import cluster

    monkeypatch.setattr(cluster, "Client", None)
    with pytest.raises(UsageError, match="is not the address of a Dask scheduler, such as tcp://"):
        cluster.Cluster(address)


@NEEDS_DASK
@pytest.mark.parametrize(
    ("answer", "seconds", "why"),
    [(b"", 0.2, "no answer after"), (b"HTTP/1.1 400 No\r\n", MAX_SECONDS, "another server")],
)
def test_a_server_that_is_no_scheduler_is_refused_in_time(answer, seconds, why, monkeypatch):
    from tilelab.experiments import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", seconds)
    monkeypatch.setattr(cluster, "Client", None)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connections = [server.accept()[0] for _ in range(2)]
            connections[1].sendall(answer)
            ended.wait(MAX_SECONDS)
            for connection in connections:
                connection.close()

        ended, thread = threading.Event(), threading.Thread(target=serve)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        try:
            with pytest.raises(TileLabError, match=f"no Dask scheduler at '{address}': {why}"):
                cluster.Cluster(address)
        finally:
            ended.set()
            thread.join(MAX_SECONDS)
