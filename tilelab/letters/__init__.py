"""Lexicons and the trie that the kernels walk."""
