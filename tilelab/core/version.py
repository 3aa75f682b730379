"""The version of the program, apart from the package itself, which offers what lies above."""

VERSION = "2.0.0.dev0"
