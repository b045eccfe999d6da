"""Loops over the rows of one chunk: sending rows down the tree, choosing and counting them.

All codes, slots and cells are int32, and no weights ([0]) stand for weights of 1, so each loop is compiled once. Sums
take the rows in order.
"""

from explorer.jit import kernel

UNDECIDED = -2
"""The node after a test whose outcome the fine code does not decide: the number itself has to be looked at."""
NO_TEST, BY_THRESHOLD, BY_TABLE = range(3)


@kernel
def follow(nodes, codes, begin, end, tests, following, waiting):
    """Send rows `begin` to `end` down from their nodes as far as fine codes decide; how many of them stop undecided.

    `codes` are [columns, rows]. A row of `tests` [nodes, 8] is (kind, column, missing code, child of missing, low,
    high, left, right). By a threshold, codes below `low` go left, those above `high` right, others are undecided; by a
    table, code c goes to `following[low + c]`. A child that is the node itself says that the row stays. The positions
    of undecided rows are written into `waiting` from `begin` on.
    """
    n_waiting = 0
    for row in range(begin, end):
        node = nodes[row]
        while node >= 0 and tests[node, 0] != NO_TEST:
            code = codes[tests[node, 1], row]
            if code == tests[node, 2]:
                child = tests[node, 3]
            elif tests[node, 0] == BY_TABLE:
                child = following[tests[node, 4] + code]
            elif (code >= tests[node, 4]) & (code <= tests[node, 5]):
                child = UNDECIDED
            else:
                child = tests[node, 6 + (code > tests[node, 5])]  # no jump, which would often be mispredicted
            if child == UNDECIDED:
                waiting[begin + n_waiting] = row
                n_waiting += 1
            if child in (UNDECIDED, node):
                break
            node = child
        nodes[row] = node
    return n_waiting


@kernel
def count_classes(places, codes, offset, weights, counts):
    """Add the weight of every row with place ≥ 0 to `counts[offset[code] + place]`."""
    if weights.size:
        for row in range(codes.size):
            if places[row] >= 0:
                counts[offset[codes[row]] + places[row]] += weights[row]
    else:
        for row in range(codes.size):
            if places[row] >= 0:
                counts[offset[codes[row]] + places[row]] += 1.0


@kernel
def count_numbers(places, codes, offset, terms, counts):
    """Add the three terms [rows, 3] of every row with place ≥ 0 to `counts[offset[code] + place]` and the next two."""
    for row in range(codes.size):
        if places[row] >= 0:
            at = offset[codes[row]] + places[row]
            counts[at] += terms[row, 0]
            counts[at + 1] += terms[row, 1]
            counts[at + 2] += terms[row, 2]


@kernel
def choose(slots, codes, group, within, first, rows, cells):
    """Write the rows that have a cell, and their cells; how many they are.

    A row at slot s ≥ 0 with code c has cell `first[s, group[c]] + within[c]`, unless `group` or `first` is negative.
    """
    n_rows = 0
    for row in range(codes.size):
        code = codes[row]
        if group[code] >= 0 and slots[row] >= 0 and first[slots[row], group[code]] >= 0:
            rows[n_rows] = row
            cells[n_rows] = first[slots[row], group[code]] + within[code]
            n_rows += 1
    return n_rows


@kernel
def add_rows(cells, begin, n_rows, first_row):
    """Count the rows of every cell, and note the first one of all; `begin` is the position of the chunk's first row."""
    for row in range(cells.size):
        cell = cells[row]
        if cell >= 0:
            if n_rows[cell] == 0:
                first_row[cell] = begin + row
            n_rows[cell] += 1


@kernel
def extend_ranges(cells, y, low, high):
    """Extend the range of target values of every cell by those of its rows."""
    for row in range(cells.size):
        cell = cells[row]
        if cell >= 0:
            low[cell] = min(low[cell], y[row])
            high[cell] = max(high[cell], y[row])
