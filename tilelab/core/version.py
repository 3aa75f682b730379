"""The version of the program, apart from the package itself, which offers what lies above."""

VERSION = "1.0.0"
