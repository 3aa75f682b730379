"""Signals of a user who asks from another thread."""

from threading import Event


class Asked:
    """What the user has asked of many runs, from another thread."""

    def __init__(self) -> None:
        self._stopped, self._killed = Event(), Event()

    def stop(self) -> None:
        """Let no further run begin."""
        self._stopped.set()

    def kill(self) -> None:
        """Give up what is going, too."""
        self._killed.set()
        self._stopped.set()

    def is_stopped(self) -> bool:
        """Return whether no further run is to begin."""
        return self._stopped.is_set()

    def is_killed(self) -> bool:
        """Return whether what is going is to be given up, too."""
        return self._killed.is_set()
