"""Texts that users read and write: language, numbers, symbols, names."""
