"""The search for the best parameters of a solver on some instances."""
