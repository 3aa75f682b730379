"""Values of the lines of a word-tile board, and how a slide changes them.

A board is uint8 (rows * cols,), row by row, 0 for the blank and numbers from 1 for the letters. The
numbers of its lines are those of the rows from the top, then those of the columns from the left. If
lines are short and letters few, a table has an entry for every possible line. Other lines are
walked through a trie, letter by letter.

``words`` is always the tuple (row_table, col_table, child, word_of, values, settings):

* row_table, col_table: uint8 or float64, value of each line. The index is the line as a number in
  base letters + 1, with the first cell as the highest digit. They are empty if lines are walked.
* child: int32 (nodes, letters + 1), next node of the trie by letter, or 0 for none. The root is 0.
* word_of: int32 (nodes,), word that ends at a node, or -1. values: float64 (words,).
* settings: int64 (3,): rows, cols, and 1 if a word counts once for the board, otherwise 0.
"""

import numpy as np

from tilelab.kernels.decorators import kernel

_MAX_WORDS_IN_LINE = 64
"""Upper bound of the number of words in a line; a line of ten cells has at most 45."""


@kernel
def fill_children(symbol, depth, string, letter_of_symbol, child, word_of):
    """Convert a trie in preorder into one that is looked up by letter.

    symbol, depth: uint8 (nodes,), string: int32 (nodes,), see :class:`tilelab.letters.trie.Trie`.
    letter_of_symbol: uint8 (symbols,). child: int32 (nodes + 1, letters + 1), initially zeros.
    word_of: int32 (nodes + 1,). The last two are filled; the root is node 0.
    """
    on_path = np.zeros(257, np.int32)
    word_of[0] = -1
    for index in range(symbol.shape[0]):
        level, node = np.int64(depth[index]), np.int32(index + 1)
        child[on_path[level], letter_of_symbol[symbol[index]]] = node
        word_of[node] = string[index]
        on_path[level + 1] = node


@kernel
def extend_table(shorter, length, base, codes, offsets, values, table):
    """Make the table of lines of some length from the table of lines that are one cell shorter.

    A line has the words of the line without its first cell. Words that begin in the first cell are
    added unless they are repeated later in the line.

    shorter: (base ** (length - 1),). table: (base ** length,), overwritten.
    codes: uint8, letters of all words, one word after another. offsets: int64 (words + 1,).
    """
    size = shorter.shape[0]
    for first in range(base):
        for index in range(size):
            table[first * size + index] = shorter[index]
    line = np.zeros(length, np.uint8)
    for word in range(values.shape[0]):
        begin, n_letters = offsets[word], offsets[word + 1] - offsets[word]
        n_free = length - n_letters
        if n_free < 0:
            continue
        code, span = 0, 1
        for place in range(n_letters):
            line[place] = codes[begin + place]
            code = code * base + np.int64(line[place])
        for place in range(n_letters, length):
            line[place] = 0
            span *= base
        for rest in range(code * span, (code + 1) * span):
            again = False
            for start in range(1, n_free + 1):
                place = 0
                while place < n_letters and line[start + place] == line[place]:
                    place += 1
                if place == n_letters:
                    again = True
                    break
            if not again:
                table[rest] += values[word]
            place = length - 1
            while place >= n_letters and line[place] == base - 1:
                line[place] = 0
                place -= 1
            if place >= n_letters:
                line[place] += 1


@kernel
def new_scratch(words):
    """Return an int32 array in which the functions below record the words that they have found."""
    if words[5][2]:
        return np.zeros(words[4].shape[0] + 1, np.int32)
    return np.zeros(_MAX_WORDS_IN_LINE, np.int32)


@kernel
def line_value(cells, line, words, scratch):
    """Return the value of a line, in which each word counts once."""
    rows, cols = words[5][0], words[5][1]
    child, word_of, values = words[2], words[3], words[4]
    if line < rows:
        first, stride, length, table = line * cols, np.int64(1), cols, words[0]
    else:
        first, stride, length, table = line - rows, cols, rows, words[1]
    if table.shape[0]:
        code, base = np.int64(0), np.int64(child.shape[1])
        for place in range(length):
            code = code * base + np.int64(cells[first + place * stride])
        return np.float64(table[code])
    n_found, total = 0, 0.0
    for start in range(length - 1):
        node = np.int64(0)
        for place in range(start, length):
            node = np.int64(child[node, cells[first + place * stride]])
            if node == 0:
                break
            word = word_of[node]
            if word < 0:
                continue
            known = 0
            while known < n_found and scratch[known] != word:
                known += 1
            if known == n_found:
                scratch[n_found] = word
                n_found += 1
                total += values[word]
    return total


@kernel
def distinct_value(cells, words, scratch):
    """Return the value of a board, on which each word counts once."""
    rows, cols = words[5][0], words[5][1]
    child, word_of, values = words[2], words[3], words[4]
    if scratch[0] == 2**31 - 1:
        scratch[:] = 0
    scratch[0] += 1
    stamp, total = scratch[0], 0.0
    for line in range(rows + cols):
        if line < rows:
            first, stride, length = line * cols, np.int64(1), cols
        else:
            first, stride, length = line - rows, cols, rows
        for start in range(length - 1):
            node = np.int64(0)
            for place in range(start, length):
                node = np.int64(child[node, cells[first + place * stride]])
                if node == 0:
                    break
                word = word_of[node]
                if word >= 0 and scratch[word + 1] != stamp:
                    scratch[word + 1] = stamp
                    total += values[word]
    return total


@kernel
def score_board(cells, words, scratch, lines):
    """Return the value of a board; lines: float64 (rows + cols,), overwritten with their values."""
    if words[5][2]:
        return distinct_value(cells, words, scratch)
    total = 0.0
    for line in range(lines.shape[0]):
        lines[line] = line_value(cells, line, words, scratch)
        total += lines[line]
    return total


@kernel
def rescore(cells, one, other, words, scratch, lines):
    """Return the value of a board after a swap of two cells; only their lines are counted again.

    lines: the values from :func:`score_board` for the previous board; they are updated.
    """
    if words[5][2]:
        return distinct_value(cells, words, scratch)
    rows, cols = words[5][0], words[5][1]
    row, col = one // cols, one % cols
    other_row, other_col = other // cols, other % cols
    lines[row] = line_value(cells, row, words, scratch)
    lines[rows + col] = line_value(cells, rows + col, words, scratch)
    if other_row != row:
        lines[other_row] = line_value(cells, other_row, words, scratch)
    if other_col != col:
        lines[rows + other_col] = line_value(cells, rows + other_col, words, scratch)
    # The order is always the same, so that a board has the same value on every path to it.
    total = 0.0
    for line in range(lines.shape[0]):
        total += lines[line]
    return total


@kernel
def score_boards(boards, words, scores):
    """Write the values of boards, uint8 (n, cells), into ``scores``, float64 (n,)."""
    scratch = new_scratch(words)
    lines = np.empty(words[5][0] + words[5][1])
    for board in range(boards.shape[0]):
        scores[board] = score_board(boards[board], words, scratch, lines)
