"""The best parameters of a solver for some instances, searched for."""
