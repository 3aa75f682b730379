"""What tests of experiments share."""

import pytest

from tests.experiments.loopback import scheduler_and_two_workers
from tests.fourth_puzzle import Lamps, Zapping
from tilelab import catalog
from tilelab.core.registry import register_puzzle, register_solver, registered, set_registered


@pytest.fixture
def lamps():
    """A puzzle and a solver from outside, known for one test."""
    catalog.solvers("boggle")
    before = registered()
    register_puzzle(Lamps)
    register_solver(Zapping)
    yield
    set_registered(before)


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers on loopback, to be killed: its address and these processes."""
    with scheduler_and_two_workers(tmp_path) as address_and_processes:
        yield address_and_processes


@pytest.fixture(scope="module")
def living_cluster(tmp_path_factory):
    """The address of a scheduler with two workers that no test ends."""
    with scheduler_and_two_workers(tmp_path_factory.mktemp("cluster")) as (address, _):
        yield address
