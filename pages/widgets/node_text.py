"""A node in words: what its numbers are called, what it splits on and by which margin, or why it stopped."""

from __future__ import annotations

import explorer as ex
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.split_score import GAIN, SCORES
from pages.text import escape_markdown, number, prediction_text


def impurity_name(recipe: ex.Recipe, is_regression: bool) -> str:
    """The impurity in force, as the page calls it."""
    return IMPURITIES[recipe.impurity_for(is_regression)].label


def gain_name(recipe: ex.Recipe, is_regression: bool) -> str:
    """What the recipe calls the decrease of impurity."""
    return IMPURITIES[recipe.impurity_for(is_regression)].decrease


def score_column(recipe: ex.Recipe, is_regression: bool) -> str:
    """The column of what features compete by."""
    compares = SCORES[recipe.score].compares
    return gain_name(recipe, is_regression) if compares == GAIN else compares


def score_called(node: ex.Node) -> str:
    """What the features competed by, as the table's column is called."""
    tree = node.tree
    return score_column(tree.recipe, tree.is_regression)


def filter_text(recipe: ex.Recipe) -> str:
    """What the mean gain decides under this recipe."""
    words = {
        "at_least": "A feature below it does not compete.",
        "greater": "Only a feature above it competes.",
        "off": "The filter is off: every feature competes.",
    }
    return words[recipe.mean_gain_filter]


def stop_text(node: ex.Node, decision: ex.Decision) -> str:
    """Why the node is a leaf, or what it splits on and by which margin."""
    if decision.chosen is None or node.condition is None:
        reason = node.stop_reason or decision.stop_reason or "it was pruned"
        otherwise = f" Otherwise {otherwise_text(decision)}." if decision.by_hand else ""
        return f"**A leaf.** {escape_markdown(reason[0].upper() + reason[1:])}.{otherwise}"
    text = f"**It asks for {escape_markdown(node.condition.feature)}.** "
    if decision.by_hand:
        return text + f"Chosen by hand; otherwise {otherwise_text(decision)}."
    if decision.runner_up is None or decision.margin is None:
        return text + "No other feature competed."
    rival = escape_markdown(decision.runner_up.feature)
    if decision.tied:
        rivals = escape_markdown(" and ".join(decision.tied))
        return text + f"It ties with {rivals}; the earlier column wins."
    return text + f"Ahead of {rival} by {number(decision.margin)} in {score_called(node)}."


def otherwise_text(decision: ex.Decision) -> str:
    """What would have become of a node that a person decided, safe for Markdown."""
    if decision.would_win is not None:
        winner = ex.SplitRequest.of(decision.would_win.condition).text
        return f"“{escape_markdown(winner)}” would have won"
    return f"it would have stopped ({escape_markdown(decision.would_stop or 'no test')})"


def predicted(node: ex.Node, is_regression: bool) -> str:
    """What the node predicts, safe for Markdown."""
    return escape_markdown(prediction_text(node, is_regression))
