"""Records of runs that never were."""

import numpy as np

from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.store import History, Query

UNITS = np.array([0.0, 10.0, 99.0])
VALUES = np.array([3.0, 7.5, 33.0])


def made(**values):
    """A record of a run on a letter grid, with some values changed."""
    usual = {
        "puzzle": "boggle",
        "title": "Game titles",
        "rows": 2,
        "cols": 3,
        "solver": "genetic",
        "solver_title": "Genetic algorithm",
        "seed": 7,
        "status": "limit",
        "unit": "generation",
        "units": 100,
        "seconds": 1.5,
        "value": 33.0,
        "value_text": "33",
        "best_unit": 99,
        "best_seconds": 1.25,
        "begun": "2026-03-01T09:30:00.000Z",
        "ended": "2026-03-01T09:30:02.000Z",
        "instance": {"lexicon": "game-titles"},
        "puzzle_params": {"rows": 2, "cols": 3, "torus": False},
        "params": {"mutation": 0.01},
        "limits": {"units": 100},
        "cells": np.array([1, 2, 3, 4, 5, 6], np.uint8),
        "board": ("ABC", "DEÉ"),
        "curves": {"best_ever": (UNITS, VALUES)},
    }
    return RunRecord(**(usual | values))


def put(*records):
    """Write records into the history, the last one as the newest."""
    with History() as history:
        for record in records:
            history.put(record)


def kept(search=""):
    """All records of the history that fit a search, the oldest first."""
    with History() as history:
        return history.records(sorted(history.ids(Query(search=search))))
