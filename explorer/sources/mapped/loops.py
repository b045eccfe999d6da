"""Loops over the rows of one chunk: sending rows down the tree, choosing and counting them.

Codes are uint16, and no weights ([0]) stand for weights of 1, so each loop is compiled once. What is read at a place
that depends on the row has an unsigned index, which costs no look at its sign. Sums take the rows in order.
"""

import numpy as np

from explorer.jit import kernel

UNDECIDED = -2
"""The node after a test whose outcome the fine code does not decide: the number itself has to be looked at."""
BY_RANK, BY_TABLE = range(2)


@kernel
def follow(nodes, codes, begin, end, n_passes, tests, following, waiting):
    """Send rows `begin` to `end` down from their nodes as far as fine codes decide; how many of them stop undecided.

    `codes` are [columns, rows]. Row node + 1 of `tests` [nodes + 1, 6] is (kind, column, low, high, missing code,
    start), and a row goes to `following[start + place]`. The place by a table is its code; else it is how many hold of
    code ≥ low, code > high and code = missing. No step has a jump that depends on the row, as those are often
    mispredicted: so each of the passes, one for every level of tests, looks at all rows. The positions of undecided
    rows are written into `waiting` from `begin` on.
    """
    n_waiting = np.uint32(0)
    for _ in range(n_passes):
        n_waiting = np.uint32(0)
        for row in range(np.uint32(begin), np.uint32(end)):
            node = nodes[row]
            test = np.uint32(node + 1)
            code = np.int32(codes[np.uint32(tests[test, 1]), row])
            rank = (code >= tests[test, 2]) + (code > tests[test, 3]) + (code == tests[test, 4])
            place = code if tests[test, 0] == BY_TABLE else np.int32(rank)
            child = following[np.uint32(tests[test, 5] + place)]
            waiting[np.uint32(begin) + n_waiting] = row
            n_waiting += np.uint32(child == UNDECIDED)
            nodes[row] = node if child == UNDECIDED else child
    return n_waiting


@kernel
def find_slots(nodes, slot_of, positions, slots):
    """Write the positions of the rows that have a slot, `slot_of[node + 1]` ≥ 0, and the slots; how many they are."""
    n_rows = np.uint32(0)
    for row in range(np.uint32(nodes.size)):
        slot = slot_of[np.uint32(nodes[row] + 1)]
        positions[n_rows] = row
        slots[n_rows] = slot
        n_rows += np.uint32(slot >= 0)
    return n_rows


@kernel
def count_classes(positions, places, codes, offset, weights, counts):
    """Add the weight of every row i to `counts[offset[codes[positions[i]]] + places[i]]`."""
    if weights.size:
        for i in range(np.uint32(positions.size)):
            counts[offset[codes[positions[i]]] + places[i]] += weights[i]
    else:
        for i in range(np.uint32(positions.size)):
            counts[offset[codes[positions[i]]] + places[i]] += 1.0


@kernel
def count_numbers(positions, places, codes, offset, terms, counts):
    """Add the three terms [rows, 3] of every row i at `counts[offset[codes[positions[i]]] + places[i]]` and on."""
    for i in range(np.uint32(positions.size)):
        at = offset[codes[positions[i]]] + places[i]
        counts[at] += terms[i, 0]
        counts[at + np.uint32(1)] += terms[i, 1]
        counts[at + np.uint32(2)] += terms[i, 2]


@kernel
def choose(positions, slots, codes, group, within, first, chosen, cells):
    """Write which rows have a cell, and their cells; how many they are.

    A row at slot s with code c has cell `first[s, group[c]] + within[c]`, unless `group` or `first` is negative.
    """
    n_rows = np.uint32(0)
    for i in range(np.uint32(positions.size)):
        code = codes[positions[i]]
        if group[code] >= 0:
            begin = first[slots[i], np.uint32(group[code])]
            if begin >= 0:
                chosen[n_rows] = i
                cells[n_rows] = begin + within[code]
                n_rows += np.uint32(1)
    return n_rows


@kernel
def add_rows(cells, positions, begin, n_rows, first_row):
    """Count the rows of every cell, and note the first one of all; `begin` is the position of the chunk's first row."""
    for i in range(cells.size):
        cell = cells[i]
        if n_rows[cell] == 0:
            first_row[cell] = begin + positions[i]
        n_rows[cell] += 1


@kernel
def extend_ranges(cells, y, low, high):
    """Extend the range of target values of every cell by those of its rows."""
    for i in range(cells.size):
        cell = cells[i]
        low[cell] = min(low[cell], y[i])
        high[cell] = max(high[cell], y[i])
