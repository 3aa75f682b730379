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
