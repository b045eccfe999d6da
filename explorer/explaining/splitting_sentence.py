"""One sentence on how a node was split: its rows, its impurity, the winner and its rivals, or why it is a leaf."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from explorer.candidates.candidates import Candidate
from explorer.formatting import figure, number, value_text
from explorer.growing.decide import Decision
from explorer.messages import listing, message, plural
from explorer.recipe import parameters as stop
from explorer.recipe.split_score import GAIN, GAIN_RATIO, SCORES
from explorer.tree.tree import Tree

MOST_RIVALS = 3
"""How many of the features that lost a sentence names, the best first."""

Fields = Mapping[str, str]
_BECAUSE: dict[int, Callable[[], str]] = {
    stop.PURE: lambda: message("all rows are of one class"),
    stop.NO_FEATURE: lambda: message("no feature is left on this path"),
    stop.FEW_ROWS: lambda: message("it has fewer rows than the minimum to split"),
    stop.DEPTH: lambda: message("the maximum depth is reached"),
    stop.LOW_IMPURITY: lambda: message("the impurity is below the limit"),
    stop.LOW_ERROR: lambda: message("the squared error is below the limit"),
    stop.NO_CANDIDATE: lambda: message("no admissible split separates its rows"),
    stop.LOW_SCORE: lambda: message("the best score is below the limit"),
    stop.LOW_DECREASE: lambda: message("the best decrease of impurity is below the limit"),
    stop.BELOW_GAMMA: lambda: message("the gain of its split is below γ"),
    stop.MOST_LEAVES: lambda: message("other splits decrease the impurity more and use up the leaves"),
    stop.NOT_SIGNIFICANT: lambda: message("the split is not significant by χ²"),
    stop.NOT_BETTER: lambda: message("the split does not improve the validation score"),
    stop.RAISED: lambda: message("other rows came when a subtree was raised"),
    stop.NOT_SHORTER: lambda: message("the split does not shorten the description (MDL)"),
}
"""Why a node is a leaf, for every reason to stop that is no sentence of its own."""

_IMPURITY: dict[str, Callable[[str], str]] = {
    "entropy": lambda value: message("entropy {value} bits", value=value),
    "gini": lambda value: message("Gini {value}", value=value),
    "error": lambda value: message("error rate {value}", value=value),
    "variance": lambda value: message("variance {value}", value=value),
    "poisson": lambda value: message("Poisson deviance {value}", value=value),
    "absolute_error": lambda value: message("absolute error {value}", value=value),
    "quantile": lambda value: message("quantile loss {value}", value=value),
}
_DECREASE: dict[str, Callable[[], str]] = {
    "entropy": lambda: message("gain"),
    "gini": lambda: message("Gini decrease"),
    "error": lambda: message("error decrease"),
    "variance": lambda: message("variance decrease"),
    "poisson": lambda: message("Poisson deviance decrease"),
    "absolute_error": lambda: message("absolute error decrease"),
    "quantile": lambda: message("quantile loss decrease"),
}


def start_sentence(tree: Tree) -> str:
    """The tree before its first split: a single leaf with all rows, and what it predicts.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> print(start_sentence(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)))
    Before the first split: one leaf with all 14 rows, entropy 0.940 bits, predicts Yes.
    """
    root = tree.node(0)
    return message(
        "Before the first split: one leaf with all {rows}, {impurity}, predicts {label}.",
        rows=tree.rows_text(root.weight),
        impurity=_impurity_text(tree, root.impurity),
        label=value_text(root.label),
    )


def splitting_sentence(tree: Tree, decision: Decision, node: int) -> str:
    """How a node of the grown tree was split, or why it is a leaf, with the numbers of its decision.

    Features that the recipe let compete are named with their scores, the best `MOST_RIVALS` of those that lost.

    >>> from explorer import ID3, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(data, ID3)
    >>> print(splitting_sentence(tree, decide(tree, data, 1), 1))
    Outlook = Sunny, 5 rows, entropy 0.971 bits: Humidity wins with gain 0.971, Temperature 0.571, Wind 0.02.
    >>> print(splitting_sentence(tree, decide(tree, data, 2), 2))
    Outlook = Overcast, 4 rows, entropy 0 bits: leaf, because all rows are of one class.
    """
    fields = _node_fields(tree, decision, node)
    if decision.chosen is None:
        return _leaf_sentence(tree, decision, node, fields)
    if decision.by_hand:
        return _by_hand_sentence(tree, decision, decision.chosen, fields)
    return _winner_sentence(tree, decision, decision.chosen, fields)


def _node_fields(tree: Tree, decision: Decision, node: int) -> dict[str, str]:
    """The node by the branch that leads to it, its rows and its impurity."""
    above = int(tree.parent[node])
    condition = tree.condition(above) if above >= 0 else None
    name = message("Root")
    if condition is not None:
        name = condition.word(node - int(tree.first_child[above]))
    return {
        "node": name,
        "rows": plural(decision.n_rows, "{n:,} row", "{n:,} rows"),
        "impurity": _impurity_text(tree, decision.impurity),
    }


def _impurity_text(tree: Tree, impurity: float) -> str:
    """An impurity with its name and unit."""
    name, value = tree.recipe.impurity_for(tree.is_regression), _value(impurity)
    in_nats = name == "entropy" and tree.recipe.log_base == "e"
    return message("entropy {value} nats", value=value) if in_nats else _IMPURITY[name](value)


def _leaf_sentence(tree: Tree, decision: Decision, node: int, fields: Fields) -> str:
    """Why a node is a leaf, as it was grown."""
    reason = int(tree.stop[node])
    if decision.by_hand and decision.would_win is not None:
        return message(
            "{node}, {rows}, {impurity}: leaf, made by hand. {algorithm} would split on {feature} ({score} {value}).",
            **fields,
            **_would_win(tree, decision.would_win),
        )
    if reason == stop.EMPTY:
        return message("{node}: leaf, because no training row has this value here.", node=fields["node"])
    if reason == stop.LOCKED:
        return message("{node}, {rows}, {impurity}: leaf, made by hand.", **fields)
    if reason not in _BECAUSE:
        return message("{node}, {rows}, {impurity}: leaf.", **fields)
    same_value = reason == stop.PURE and tree.is_regression
    because = message("all rows have the same target value") if same_value else _BECAUSE[reason]()
    return message("{node}, {rows}, {impurity}: leaf, because {reason}.", **fields, reason=because)


def _by_hand_sentence(tree: Tree, decision: Decision, chosen: Candidate, fields: Fields) -> str:
    """The split that a person chose, and what the algorithm would have done."""
    by_hand = {
        **fields,
        "chosen": chosen.condition.text,
        "chosen_score": _score(tree),
        "chosen_value": _text_of(chosen),
    }
    if decision.would_win is None:
        return message(
            "{node}, {rows}, {impurity}: split by hand on {chosen} ({chosen_score} {chosen_value}). "
            "{algorithm} would make it a leaf.",
            **by_hand,
            algorithm=tree.recipe.name,
        )
    return message(
        "{node}, {rows}, {impurity}: split by hand on {chosen} ({chosen_score} {chosen_value}). "
        "{algorithm} would split on {feature} ({score} {value}).",
        **by_hand,
        **_would_win(tree, decision.would_win),
    )


def _would_win(tree: Tree, candidate: Candidate) -> dict[str, str]:
    """The fields of the split that the algorithm would have chosen."""
    return {
        "algorithm": tree.recipe.name,
        "feature": candidate.condition.text,
        "score": _score(tree),
        "value": _text_of(candidate),
    }


def _winner_sentence(tree: Tree, decision: Decision, chosen: Candidate, fields: Fields) -> str:
    """The winner with its score and its rivals; of tied features, that the earlier column wins."""
    numbers = {"feature": chosen.condition.text, "score": _score(tree), "value": _text_of(chosen)}
    rivals = _rivals(decision, chosen)
    if not rivals:
        return message(
            "{node}, {rows}, {impurity}: {feature} wins with {score} {value}; no other feature competes.",
            **fields,
            **numbers,
        )
    listed = listing(f"{rival.condition.text} {_text_of(rival)}" for rival in rivals)
    if decision.tied:
        return message(
            "{node}, {rows}, {impurity}: {feature} ties with {others} at {score} {value} and wins as the earlier "
            "column. Rivals: {rivals}.",
            **fields,
            **numbers,
            others=listing(decision.tied),
            rivals=listed,
        )
    return message(
        "{node}, {rows}, {impurity}: {feature} wins with {score} {value}, {rivals}.", **fields, **numbers, rivals=listed
    )


def _rivals(decision: Decision, chosen: Candidate) -> list[Candidate]:
    """The best tests of the other features that compete, by score; equal ones in feature order."""
    others = [c for c in decision.best.values() if c.feature != chosen.feature and c.rejected is None]
    competing = [(c.score, c) for c in others if c.score is not None]
    return [c for _, c in sorted(competing, key=lambda pair: -float(f"{pair[0]:.9g}"))[:MOST_RIVALS]]


def _score(tree: Tree) -> str:
    """What features compete by, as the books call it."""
    compares = SCORES[tree.recipe.score].compares
    if compares == GAIN:
        return _DECREASE[tree.recipe.impurity_for(tree.is_regression)]()
    return message("gain ratio") if compares == GAIN_RATIO else message("score")


def _text_of(candidate: Candidate) -> str:
    return "–" if candidate.score is None else _value(candidate.score)


def _value(value: float) -> str:
    """A score or an impurity as formulas end; large ones to three digits.

    >>> _value(0.0199), _value(0.0), _value(0.00012), _value(61.87654), _value(6187.654)
    ('0.0199', '0', '0.00012', '61.877', '6188')
    """
    return figure(value) if abs(value) < 1000 else number(value, 3)
