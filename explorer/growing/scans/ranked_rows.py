"""The rows of a node in the order of the target, for losses around a quantile (DEFINITIONS section 2).

Such losses do not add up over rows. A node is *ranked* once, before its features are searched. Each feature then lays
out the rows as it sees them in its thread's `LossRoom`, and takes the losses of branches from there: those of all
thresholds at once (`find_losses`), or those of a few groups of rows (`sum_groups`).
"""

from explorer.candidates.quantile_loss import ABSENT, KNOWN, LOSS, MISSING, POSITION, find_losses, sum_groups
from explorer.growing.scans.buffers import N_LOSSES
from explorer.growing.scans.problem import code_of, row_of, weight_of
from explorer.jit import borrowing


@borrowing
def rank_rows(problem, start, end):
    """Note where each row of the node [start, end) is in the order of the target."""
    order = problem.by_target
    order.end_of[start] = end
    for i in range(start, end):
        row = row_of(order.keys[i])
        order.places[row] = i
        order.numbers[i], order.weights[i] = problem.numbers[row], weight_of(problem.weights, row)


@borrowing
def put_quantile(problem, parameters, start, end, stats):
    """Put quantile and total loss of the node [start, end), whose rows are ordered by the target, into `stats`."""
    order, sums = problem.by_target, problem.by_target.sums[start : start + 1]
    rank_rows(problem, start, end)
    sum_groups(parameters, order.numbers[start:end], order.weights[start:end], order.one_group[start:end], sums)
    stats[1], stats[2] = sums[0, POSITION], sums[0, LOSS]


@borrowing
def lay_out(problem, start, mean, room):
    """Lay out the rows of the node that begins at `start`, less its quantile, none of them known yet."""
    order, end = problem.by_target, problem.by_target.end_of[start]
    room.size[0] = end - start
    for rank in range(end - start):
        room.numbers[rank], room.weights[rank] = order.numbers[start + rank] - mean, order.weights[start + rank]
        room.kinds[rank], room.groups[rank] = ABSENT, -1


@borrowing
def put_known_quantile(problem, parameters, feature, start, known_end, end, known, room):
    """Put quantile and total loss of the rows with a value into `known`, and keep the loss of the others."""
    keys, places, n = problem.keys[feature], problem.by_target.places, end - start
    lay_out(problem, start, known[1], room)
    for i in range(start, end):
        room.groups[places[row_of(keys[i])] - start] = 0 if i < known_end else 1
    sum_groups(parameters, room.numbers[:n], room.weights[:n], room.groups[:n], room.sums[:2])
    known[1] += room.sums[0, POSITION]
    known[2], room.of_missing[0] = room.sums[0, LOSS], room.sums[1, LOSS]


@borrowing
def find_threshold_losses(problem, parameters, feature, start, known_end, end, mean, room):
    """The losses of both sides of every threshold of a feature; rows in [known_end, end) have no value."""
    keys, places = problem.keys[feature], problem.by_target.places
    lay_out(problem, start, mean, room)
    for i in range(start, end):
        rank = places[row_of(keys[i])] - start
        room.kinds[rank] = KNOWN if i < known_end else MISSING
        if i < known_end:
            room.order[i - start] = rank
    n, n_known = room.size[0], known_end - start
    for side in range(N_LOSSES):
        with_missing = side % 2 == 1
        if with_missing and known_end == end:
            continue
        find_losses(
            parameters, room.numbers[:n], room.weights[:n], room.kinds[:n], room.order[:n_known], with_missing,
            side >= 2, room.links, room.losses[side],
        )  # fmt: skip


@borrowing
def take_losses(room, n_left, left_stats):
    """The losses at the threshold that so many rows lie up to, in place of statistics of these."""
    for side in range(N_LOSSES):
        left_stats[side] = room.losses[side, n_left]


@borrowing
def rank_categories(problem, parameters, feature, start, known_end, end, imputed, n_present, mean, buffers):
    """Total loss, and quantile less the node's, of every present category in place of sums of its rows."""
    keys, places, room, stats = problem.keys[feature], problem.by_target.places, buffers.loss, buffers.categories.stats
    lay_out(problem, start, mean, room)
    position = 0
    for i in range(start, end):
        if i < known_end:
            while buffers.categories.codes[position] != code_of(keys[i]):
                position += 1
        room.groups[places[row_of(keys[i])] - start] = position if i < known_end else imputed
    n = room.size[0]
    sum_groups(parameters, room.numbers[:n], room.weights[:n], room.groups[:n], room.sums[:n_present])
    for position in range(n_present):
        stats[position, 0], stats[position, stats.shape[1] - 1] = (
            room.sums[position, LOSS],
            room.sums[position, POSITION],
        )


@borrowing
def put_losses_of_branches(parameters, buffers):
    """The total losses of two groups of categories, those of `branches`, into `scan.first` and `scan.second`."""
    room, n = buffers.loss, buffers.loss.size[0]
    for rank in range(n):
        group = room.groups[rank]
        room.halves[rank] = room.branches[group] if group >= 0 else -1
    sum_groups(parameters, room.numbers[:n], room.weights[:n], room.halves[:n], room.sums[:2])
    buffers.scan.first[0], buffers.scan.second[0] = room.sums[0, LOSS], room.sums[1, LOSS]
