"""The records of runs that have ended, and queries on them."""
