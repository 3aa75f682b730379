"""The flat trie spells exactly the strings, in order, and its skips are right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.letters.trie import build_trie


def test_a_known_trie():
    trie = build_trie(parse_lexicon(b"a\nab\nb\nbca\nbcb", "x"))
    assert trie.symbol.tolist() == [0, 1, 1, 2, 0, 1]
    assert trie.depth.tolist() == [0, 1, 0, 1, 2, 2]
    assert trie.skip.tolist() == [2, 2, 6, 6, 5, 6]
    assert trie.string.tolist() == [0, 1, 2, -1, 3, 4]
    assert (trie.n_nodes, trie.max_level) == (6, 2)


def _spelt(trie, alphabet):
    """Read the strings off the trie, by the depths alone."""
    prefix, strings = [], {}
    for node in range(trie.n_nodes):
        del prefix[trie.depth[node] :]
        prefix.append(alphabet[trie.symbol[node]])
        if trie.string[node] >= 0:
            strings[int(trie.string[node])] = "".join(prefix)
    return strings


@given(st.sets(st.text("abc7é", min_size=1, max_size=6), min_size=1, max_size=40))
def test_the_trie_spells_the_strings_in_order(strings):
    lexicon = parse_lexicon("\n".join(strings).encode(), "x")
    trie = build_trie(lexicon)
    assert _spelt(trie, lexicon.alphabet) == dict(enumerate(lexicon.strings))
    prefixes = {string[:end] for string in lexicon.strings for end in range(1, len(string) + 1)}
    assert trie.n_nodes == len(prefixes)
    for node in range(trie.n_nodes):
        later = np.flatnonzero(trie.depth[node + 1 :] <= trie.depth[node])
        expected = node + 1 + later[0] if len(later) else trie.n_nodes
        assert trie.skip[node] == expected


@pytest.mark.parametrize("key", ["english-medium", "numbers-1-1000", "us-states"])
def test_built_in_lexicons_are_spelt_whole(key):
    lexicon = open_lexicon(key)
    assert _spelt(build_trie(lexicon), lexicon.alphabet) == dict(enumerate(lexicon.strings))
