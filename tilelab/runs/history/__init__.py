"""The records of runs that have ended, and what can be asked of them."""
