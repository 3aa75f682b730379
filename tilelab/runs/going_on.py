"""Going on with a run that was kept, whoever asks for it."""

from tilelab.runs.actions import Action
from tilelab.runs.session import Checkpoint, Limits, Session


def gone_on(checkpoint: Checkpoint, limits: Limits) -> Session:
    """Return a session in which a run goes on, or is finished as it was; raises TileLabError.

    limits: those that are given take the place of its own; one that is given as None is lifted.
    """
    session = Session()
    session.restore(checkpoint)
    given = limits.model_dump(exclude_unset=True)
    session.set_limits(checkpoint.limits.model_copy(update=given))
    if session.allows(Action.RESUME):
        session.resume()
    return session
