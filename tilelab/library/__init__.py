"""The interface that ``import tilelab`` offers to scripts and notebooks; see docs/library.md."""
