"""Runs that are kept on disk, and programs that are killed over them."""

from tests.asking import go
from tests.patience import MAX_SECONDS
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.session import Limits, Session


def session_of(seed=3, n_units=5):
    session = Session()
    session.load(BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4)))
    go(session, "genetic", {"parents": 5}, seed, Limits(units=10**9))
    advance(session, n_units)
    return session


def advance(session, n_units):
    session.set_limits(Limits(units=session.units + n_units))
    if session.state is State.FINISHED:
        session.resume()
    while session.state is State.RUNNING:
        session.run_slice()


def saved(session, **settings):
    """An autosave that has written the run as it stands."""
    saving = Autosave(session, **settings)
    saving.note_best(session.bests.newest, session.units, session.seconds)
    assert saving.checkpoint(session)
    assert saving.wait(), saving.error
    return saving


def killed(saving):
    """End the writers and let go of the lock, as the system does when the program is killed."""
    for writer in (saving._checkpoints, saving._bests):
        assert writer.end(flush=False, timeout_seconds=MAX_SECONDS)
    saving._folder._release_lock()
