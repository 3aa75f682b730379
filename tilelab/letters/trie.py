"""A lexicon as a trie in flat preorder arrays, as the kernels use it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.letters.lexicon import Lexicon


@dataclass(frozen=True, eq=False)
class LexiconTrie:
    """Nodes in preorder, without root; a walk goes to i + 1 if the board has i, else to skip[i]."""

    symbol: NDArray[np.uint8]  # (nodes,), index of each node's symbol in the lexicon's alphabet
    depth: NDArray[np.uint8]  # (nodes,), depth of each node, 0 for first letters
    skip: NDArray[np.int32]  # (nodes,), first node after the subtree, or the number of nodes
    string: NDArray[np.int32]  # (nodes,), index of the word that ends in each node, or -1

    @property
    def n_nodes(self) -> int:
        return len(self.symbol)

    @property
    def max_level(self) -> int:
        return int(self.depth.max())

    def node_values(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value of the word that ends in each node, or -1; float64 (nodes,)."""
        found = np.full(self.n_nodes, -1.0)
        ends = self.string >= 0
        found[ends] = values[self.string[ends]]
        return found


def build_trie(lexicon: Lexicon) -> LexiconTrie:
    lengths = lexicon.lengths
    shared = _shared_prefixes(lexicon)
    new_nodes = lengths - shared
    ends = np.cumsum(new_nodes)
    owner = np.repeat(np.arange(len(lengths)), new_nodes)
    depth = np.arange(ends[-1]) - (ends - new_nodes)[owner] + shared[owner]
    string = np.full(ends[-1], -1, np.int32)
    string[ends - 1] = np.arange(len(lengths))
    return LexiconTrie(
        symbol=lexicon.codes[lexicon.offsets[owner] + depth],
        depth=depth.astype(np.uint8),
        skip=_subtree_ends(depth),
        string=string,
    )


def _shared_prefixes(lexicon: Lexicon) -> NDArray[np.int64]:
    """Return the length of the prefix that each word shares with the previous one, (strings,)."""
    codes, offsets, lengths = lexicon.codes, lexicon.offsets, lexicon.lengths
    shared = np.zeros(len(lengths), np.int64)
    # Column by column: a pair of neighbours drops out at its first difference.
    pairs = np.arange(1, len(lengths))
    for position in range(int(lengths.max())):
        long_enough = np.minimum(lengths[pairs], lengths[pairs - 1]) > position
        pairs = pairs[long_enough]
        same = codes[offsets[pairs] + position] == codes[offsets[pairs - 1] + position]
        pairs = pairs[same]
        if not len(pairs):
            break
        shared[pairs] += 1
    return shared


def _subtree_ends(depth: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return, for each node in preorder, the next node that is not deeper, (nodes,)."""
    skip = np.empty(len(depth), np.int32)
    nodes = np.arange(len(depth))
    for level in range(int(depth.max()), -1, -1):
        # None of ``nodes`` is deeper than this level: the next of them is where a subtree ends.
        ends = np.append(nodes[1:], len(depth))
        is_here = depth[nodes] == level
        skip[nodes[is_here]] = ends[is_here]
        nodes = nodes[~is_here]
    return skip
