"""The compiled loops, one file a job; each has a plain oracle in the tests."""
