"""Running the command line inside the tests."""

import signal

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


@pytest.fixture
def usual_signals():
    """Let signals do here, and in programs begun here, what they do in a terminal.

    Whoever runs the tests may have them ignored, as nohup does and as shells do for what they put
    into the background; that is inherited.
    """
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL}
    usual["SIGHUP"] = signal.SIG_DFL
    before = {
        number: signal.signal(number, handler)
        for name, handler in usual.items()
        if (number := getattr(signal, name, None)) is not None
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def own_data(tmp_path, monkeypatch):
    """A history of its own for every test."""
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))
