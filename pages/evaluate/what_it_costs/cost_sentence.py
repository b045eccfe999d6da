"""What one constraint costs, in sentences: the loss, the leaves, and where the tree without it first differs."""

from __future__ import annotations

import explorer as ex
from explorer.evaluation.comparison.constraint_costs import ConstraintCost
from explorer.formatting import leaves, name_text, number
from explorer.messages import message, paragraph, plural
from pages.text import escape_markdown, typeset

_LONGEST = 40
_CLEAR = 2.0
"""So many standard errors are a clear difference."""


def cost_text(metric: str, loss: tuple[float, float], is_short: bool = False, has_sign: bool = False) -> str:
    """A loss or its change ± its standard error, with its unit unless it is to be short."""
    is_share = metric == "error"
    mean, error = (100 * value if is_share else value for value in loss)
    sign = "+" if has_sign and mean > 0 else ""
    fields = {"mean": sign + _digits(mean, is_share), "error": _digits(error, is_share)}
    if is_short:
        return "{mean} ± {error}".format(**fields)
    if metric == "expected_cost":
        return message("{mean} ± {error} of expected cost", **fields)
    if metric == "mse":
        return message("{mean} ± {error} of mean squared error", **fields)
    if metric == "mae":
        return message("{mean} ± {error} of mean absolute error", **fields)
    if metric == "quantile_loss":
        return message("{mean} ± {error} of quantile loss", **fields)
    return message("{mean} ± {error} points of error rate", **fields)


def _digits(value: float, is_share: bool) -> str:
    return f"{value:.1f}".replace("-", "−").replace("−0.0", "0.0") if is_share else typeset(number(value, 3))


def sentence(name: str, tree: ex.Tree, cost: ConstraintCost, metric: str) -> str:
    """All of it, safe for Markdown; `name` is the constraint's, `tree` the one with it."""
    return paragraph([_loss(name, cost, metric), _sizes(tree, cost), _difference(tree, cost)])


def _loss(name: str, cost: ConstraintCost, metric: str) -> str:
    mean, error = cost.change
    amount = cost_text(metric, (abs(mean), error))
    if mean == 0.0 and error == 0.0:
        return message("**{name}** costs nothing: every held-out row is predicted as well without it.", name=name)
    if abs(mean) < _CLEAR * error:
        if mean > 0.0:
            return message(
                "**{name}** saves **{amount}**, no clear difference (below 2 standard errors).",
                name=name,
                amount=amount,
            )
        return message(
            "**{name}** costs **{amount}**, no clear difference (below 2 standard errors).", name=name, amount=amount
        )
    if mean > 0.0:
        return message("**{name}** saves **{amount}**.", name=name, amount=amount)
    return message("**{name}** costs **{amount}**.", name=name, amount=amount)


def _sizes(tree: ex.Tree, cost: ConstraintCost) -> str:
    if tree.n_leaves == cost.tree.n_leaves:
        return message("{leaves}, as without it.", leaves=leaves(tree.n_leaves))
    return message("{leaves} instead of {n:,}.", leaves=leaves(tree.n_leaves), n=cost.tree.n_leaves)


def _difference(tree: ex.Tree, cost: ConstraintCost) -> str:
    """Where the trees on all rows part, or what it means that they do not."""
    first = cost.first_difference
    if first is not None:
        return message(
            "First difference at node {node}: {split} instead of {other}.",
            node=first.node_a,
            split=_split(tree, first.node_a),
            other=_split(cost.tree, first.node_b),
        )
    if cost.walk.shared_otherwise:
        return plural(
            cost.walk.shared_otherwise,
            "Both trees ask the same tests; {n:,} row with a missing value goes another way.",
            "Both trees ask the same tests; {n:,} rows with a missing value go another way.",
        )
    if cost.walk.leaves_otherwise:
        return plural(
            cost.walk.leaves_otherwise,
            "Both trees ask the same tests; {n:,} leaf predicts otherwise.",
            "Both trees ask the same tests; {n:,} leaves predict otherwise.",
        )
    if cost.differences.any():
        return message(
            "No first difference: on all training rows both trees ask the same tests, since the tree keeps to it by "
            "itself. The loss differs because trees of some folds would not."
        )
    return message(
        "No first difference: on all training rows both trees ask the same tests, since the tree keeps to it by itself."
    )


def _split(tree: ex.Tree, node: int) -> str:
    """What a node splits on, or that it is a leaf."""
    condition = tree.node(node).condition
    return message("a leaf") if condition is None else escape_markdown(name_text(condition.text, _LONGEST))
