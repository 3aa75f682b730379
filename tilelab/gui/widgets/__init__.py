"""Theme, settings and small widgets that know nothing of runs."""
