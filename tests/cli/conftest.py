"""Running the command line inside the tests."""

import pytest

from tilelab.cli.command import main


@pytest.fixture
def command(capsys):
    """A function that runs a command line; returns (exit status, standard output, error)."""

    def run(*arguments):
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture(autouse=True)
def own_data(tmp_path, monkeypatch):
    """A history of its own for every test."""
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))
