"""The version of the program, in a module that imports nothing."""

VERSION = "2.0.0.dev0"
