"""Pattern databases: exact distances if only some tiles count.

They are additive (Korf & Felner 2002). A move counts only if it moves a tile of the pattern, so
that the values of patterns without common tiles may be added. The blank is not part of a pattern;
the table has the minimum over its places.

A placement of a pattern's tiles is a set of cells and an order of the tiles in it. The set is its
number among the sets of that size, the order its number among all orders. The index is number of
the order * number of sets + number of the set. Most moves keep the order, so that searches stay
close together in memory.

A *node* is a set of cells with one connected region of free cells for the blank. All orders of a
node have the same moves, and a move along a row keeps the order. The search from the goal therefore
goes through whole rows of memory. Sets of cells are bits of an int64.
"""

import numpy as np

from tilelab.kernels.decorators import kernel

UNKNOWN = 255
NODE, N_FOUND = 0, 1
_LOW, _HIGH = 0x0101010101010101, 0x8080808080808080


@kernel
def _around(cells, rows, cols):
    """Return the neighbours of a set of cells."""
    first_col = np.int64(0)
    for row in range(rows):
        first_col |= np.int64(1) << (row * cols)
    last_col = first_col << (cols - 1)
    near = ((cells & ~first_col) >> 1) | ((cells & ~last_col) << 1)
    return (near | (cells << cols) | (cells >> cols)) & ((np.int64(1) << (rows * cols)) - 1)


@kernel
def _set_number(cells, binomial):
    """Return the number of a set among the sets of its size, which are sorted by their bits."""
    number, n_below = np.int64(0), 0
    for cell in range(binomial.shape[0]):
        if (cells >> cell) & 1:
            n_below += 1
            number += binomial[cell, n_below]
    return number


@kernel
def pattern_index(places, n_sets, binomial):
    """Return the index of a placement in its table.

    places: int64 (tiles,), cell of each tile. n_sets: number of sets of this size. binomial: int64
    (cells, tiles + 1), binomial coefficients.
    """
    n_tiles = places.shape[0]
    cells, order = np.int64(0), np.int64(0)
    for tile in range(n_tiles):
        n_below, n_before = 0, 0
        for other in range(n_tiles):
            is_below = places[other] < places[tile]
            n_below += is_below
            n_before += is_below and other < tile
        cells += binomial[places[tile], n_below + 1]
        order = order * (n_tiles - tile) + n_below - n_before
    return order * n_sets + cells


@kernel
def find_nodes(first, last, cells, n_nodes, rows, cols, node_cells, node_region, first_node):
    """Split the sets ``first`` to ``last`` into nodes; returns (next set, number of nodes).

    cells: the set ``first``. n_nodes: number of nodes before it. node_cells, node_region: int64
    (capacity,), cells of the tiles, and cells of the blank. first_node: int64 (sets + 1,).
    """
    board = (np.int64(1) << (rows * cols)) - 1
    for number in range(first, last):
        first_node[number] = n_nodes
        free = board & ~cells
        while free:
            region = free & -free
            while True:
                wider = (region | _around(region, rows, cols)) & free
                if wider == region:
                    break
                region = wider
            node_cells[n_nodes], node_region[n_nodes] = cells, region
            n_nodes += 1
            free &= ~region
        # This is the next larger number with the same number of bits.
        low = cells & -cells
        ripple = cells + low
        cells = (((ripple ^ cells) >> 2) // low) | ripple
    first_node[last] = n_nodes
    return cells, n_nodes


@kernel
def link_nodes(first, last, rows, cols, nodes, binomial, edge_first, edge_target, edge_turn):
    """Find the moves from the nodes ``first`` to ``last``.

    nodes: (node_cells, node_region, first_node). edge_first: int64 (nodes + 1,), place of each
    node's first move. edge_target: int32, node that a move leads to. edge_turn: int16, change of
    the order: a row of ``turns``, or -1 for none.
    """
    node_cells, node_region, first_node = nodes
    n_edges = edge_first[first]
    for node in range(first, last):
        cells, slot = node_cells[node], -1
        for cell in range(rows * cols):
            bit = np.int64(1) << cell
            if not cells & bit:
                continue
            slot += 1
            into = _around(bit, rows, cols) & node_region[node]
            while into:
                free_cell = into & -into
                into ^= free_cell
                after = cells ^ bit ^ free_cell
                target = first_node[_set_number(after, binomial)]
                while not node_region[target] & bit:
                    target += 1
                slot_after, below = 0, after & (free_cell - 1)
                while below:
                    below &= below - 1
                    slot_after += 1
                turn = slot * (2 * cols - 1) + slot_after - slot + cols - 1
                edge_target[n_edges] = target
                edge_turn[n_edges] = turn if slot_after != slot else -1
                n_edges += 1
        edge_first[node + 1] = n_edges


@kernel
def turn_orders(slot, slot_after, n_tiles, turned):
    """Compute the number of each order after the tile in one slot moves to another slot.

    turned: uint16 (orders,), overwritten.
    """
    slots = np.empty(n_tiles, np.int64)
    for order in range(turned.shape[0]):
        rest = order
        for tile in range(n_tiles - 1, -1, -1):
            slots[tile] = rest % (n_tiles - tile)
            rest //= n_tiles - tile
        # A digit is the number of a slot among the remaining slots.
        for tile in range(n_tiles - 1, -1, -1):
            for later in range(tile + 1, n_tiles):
                if slots[later] >= slots[tile]:
                    slots[later] += 1
        for tile in range(n_tiles):
            here = slots[tile]
            if here == slot:
                slots[tile] = slot_after
            elif slot < here <= slot_after:
                slots[tile] = here - 1
            elif slot_after <= here < slot:
                slots[tile] = here + 1
        after = 0
        for tile in range(n_tiles):
            n_left_below = slots[tile]
            for earlier in range(tile):
                n_left_below -= slots[earlier] < slots[tile]
            after = after * (n_tiles - tile) + n_left_below
        turned[order] = after


@kernel
def spread_level(level, work, edges, turns, distance, words, is_now, is_next, orders, scalars):
    """Expand all placements of a depth, from node scalars[NODE] on; returns whether it is done.

    work: approximate number of placements times moves before a pause. edges: see link_nodes. turns:
    uint16 (turns, orders). distance: uint8 (nodes, number of orders or more, a multiple of 8),
    initially UNKNOWN. words: the same memory as uint64. is_now, is_next: uint8 (nodes,), whether a
    node has placements at this depth, and at the next. orders: uint16 (orders,), a working array.
    scalars: int64 (2,).
    """
    edge_first, edge_target, edge_turn = edges
    level_bytes = np.uint64(level) * np.uint64(_LOW)
    deeper = np.uint8(level + 1)
    node, n_new = scalars[NODE], 0
    while node < distance.shape[0] and work > 0:
        if not is_now[node]:
            node += 1
            continue
        is_now[node] = 0
        n_orders = 0
        for word in range(words.shape[1]):
            difference = words[node, word] ^ level_bytes
            # The result is zero unless a byte is zero (Mycroft 1987).
            if (difference - np.uint64(_LOW)) & ~difference & np.uint64(_HIGH):
                for order in range(8 * word, 8 * word + 8):
                    if distance[node, order] == level:
                        orders[n_orders] = order
                        n_orders += 1
        for edge in range(edge_first[node], edge_first[node + 1]):
            row, n_before = distance[edge_target[edge]], n_new
            if edge_turn[edge] < 0:
                for index in range(n_orders):
                    order = orders[index]
                    if row[order] == UNKNOWN:
                        row[order] = deeper
                        n_new += 1
            else:
                turn = turns[edge_turn[edge]]
                for index in range(n_orders):
                    order = turn[orders[index]]
                    if row[order] == UNKNOWN:
                        row[order] = deeper
                        n_new += 1
            if n_new > n_before:
                is_next[edge_target[edge]] = 1
        work -= words.shape[1] + n_orders * (edge_first[node + 1] - edge_first[node])
        node += 1
    scalars[NODE] = node
    scalars[N_FOUND] += n_new
    return node == distance.shape[0]


@kernel
def least_of_nodes(first, last, first_node, distance, table):
    """Compute the part of a table for some sets: the minimum over the regions of the blank.

    table: uint8 (orders, sets).
    """
    for order in range(table.shape[0]):
        for number in range(first, last):
            least = distance[first_node[number], order]
            for node in range(first_node[number] + 1, first_node[number + 1]):
                least = min(least, distance[node, order])
            table[order, number] = least


@kernel
def open_table(n_tiles, binomial, table, opened):
    """Compute ``opened``, uint8 (16 ** tiles,), a table whose index has four bits for each tile.

    The first tile has the lowest bits.
    """
    n_sets = table.shape[0]
    for tile in range(n_tiles):
        n_sets //= tile + 1
    places = np.empty(n_tiles, np.int64)
    for index in range(opened.shape[0]):
        taken, n_taken = 0, 0
        for tile in range(n_tiles):
            places[tile] = (index >> (4 * tile)) & 15
            if not (taken >> places[tile]) & 1:
                taken |= 1 << places[tile]
                n_taken += 1
        opened[index] = 0
        if n_taken == n_tiles:
            opened[index] = table[pattern_index(places, n_sets, binomial)]


@kernel
def excess_of_placings(first, last, cols, homes, binomial, table, excess):
    """Compute a part of ``excess``, uint8 (cells ** tiles,), the moves beyond the distances.

    The first tile has the highest digit of an index. It is 0 if two tiles have the same cell.
    """
    n_cells, n_tiles = binomial.shape[0], homes.shape[0]
    n_sets = table.shape[0]
    for tile in range(n_tiles):
        n_sets //= tile + 1
    places = np.empty(n_tiles, np.int64)
    for index in range(first, last):
        rest, taken, distance, is_placing = index, np.int64(0), 0, True
        for tile in range(n_tiles - 1, -1, -1):
            place = rest % n_cells
            rest //= n_cells
            is_placing &= not (taken >> place) & 1
            taken |= np.int64(1) << place
            places[tile] = place
            distance += abs(place // cols - homes[tile] // cols)
            distance += abs(place % cols - homes[tile] % cols)
        excess[index] = 0
        if is_placing:
            excess[index] = table[pattern_index(places, n_sets, binomial)] - distance
