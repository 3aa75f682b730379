"""Checkpoints that are kept as they are, for tests of forks."""

from tilelab.core.errors import RunError


class CheckpointsInMemory:
    """A stand-in for the checkpoints that are kept on disk."""

    def __init__(self, checkpoints):
        self._by_units = {checkpoint.units: checkpoint for checkpoint in checkpoints}

    def units(self):
        return sorted(self._by_units)

    def read(self, units):
        if units not in self._by_units:
            raise RunError(f"no checkpoint of unit {units:,} is kept")
        return self._by_units[units]
