"""Small plans that the tests of sweeps run."""

import json

from tilelab.cli.command import main
from tilelab.experiments.jobs import runs_of
from tilelab.experiments.plan import plan_of

STATES = {"kind": "boggle", "lexicon": "us-states", "rows": 4, "cols": 4}


def small(**more):
    """Two settings of the genetic algorithm, two repeats."""
    return {
        "title": "Small",
        "seed": 5,
        "repeats": 2,
        "puzzle": STATES,
        "solvers": [{"solver": "genetic", "axes": {"mutation": [5, 60]}}],
        "limits": {"units": 6},
        **more,
    }


def runs(raw, folder=None):
    return runs_of(plan_of(raw), folder)


def jobs(raw, folder=None):
    made = runs(raw, folder)
    return [made.job(place) for place in range(len(made))]


def without_times(rows):
    return [{**row, "seconds": None} for row in rows]


def alone(capsys, words):
    """Run a command of a row by itself; returns its JSON object."""
    program, *arguments = words
    assert program == "tilelab"
    assert main([*arguments, "--json", "--no-history"]) == 0
    return json.loads(capsys.readouterr().out)
