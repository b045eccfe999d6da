"""A node in words: what its numbers are called, what it splits on and by which margin, or why it stopped."""

from __future__ import annotations

import explorer as ex
from explorer.evaluation.comparison.why_different import distinct_texts
from explorer.growing.best_first import split_left_out
from explorer.messages import listing, message, paragraph, plural
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.split_score import GAIN, SCORES
from pages.text import escape_markdown, number, prediction_text
from pages.widgets import terms
from pages.widgets.tables import heading


def impurity_name(recipe: ex.Recipe, is_regression: bool) -> str:
    """The impurity in force, as the page calls it."""
    return IMPURITIES[recipe.impurity_for(is_regression)].label


def gain_name(recipe: ex.Recipe, is_regression: bool) -> str:
    """What the recipe calls the decrease of impurity."""
    return IMPURITIES[recipe.impurity_for(is_regression)].decrease


def gain_heading(recipe: ex.Recipe, is_regression: bool) -> str:
    """The same in the reader's language."""
    return heading(gain_name(recipe, is_regression))


def score_column(recipe: ex.Recipe, is_regression: bool) -> str:
    """The column of what features compete by."""
    compares = SCORES[recipe.score].compares
    return gain_name(recipe, is_regression) if compares == GAIN else compares


def score_heading(recipe: ex.Recipe, is_regression: bool) -> str:
    """What features compete by, in words: XGBoost's gain and LogWorth have names of their own."""
    own = {"newton": message("Newton gain"), "p_value": message("adjusted LogWorth")}
    return own.get(recipe.score) or heading(score_column(recipe, is_regression))


def score_called(node: ex.Node) -> str:
    """What the features competed by, as the table's column is called."""
    tree = node.tree
    return score_heading(tree.recipe, tree.is_regression)


def filter_text(recipe: ex.Recipe) -> str:
    """What the mean gain decides under this recipe."""
    words = {
        "at_least": message("Features with a lower gain are not compared."),
        "greater": message("Only features with a higher gain are compared."),
        "off": message("The filter is off: all features are compared."),
    }
    return words[recipe.mean_gain_filter]


def stop_text(node: ex.Node, decision: ex.Decision) -> str:
    """Why the node is a leaf, or what it splits on and by which margin."""
    if decision.is_of_file and decision.by_hand:
        return _of_file_text(node, decision)
    if decision.chosen is None or node.condition is None:
        reason = escape_markdown(node.stop_reason or decision.stop_reason or message("it was pruned"))
        if decision.by_hand:
            return message("**Leaf**: {reason}. {otherwise}", reason=reason, otherwise=otherwise_text(decision))
        return " ".join(filter(None, [message("**Leaf**: {reason}.", reason=reason), _left_out_text(node, decision)]))
    feature, score = escape_markdown(node.condition.feature), score_called(node)
    if decision.by_hand:
        otherwise = otherwise_text(decision)
        return message("**Splits on {feature}**, chosen by hand. {otherwise}", feature=feature, otherwise=otherwise)
    own = number(decision.chosen.score)
    if decision.runner_up is None or decision.margin is None:
        rejected = [candidate for candidate in decision.best.values() if candidate.rejected]
        if rejected:
            nearest = max(rejected, key=lambda candidate: candidate.gain)
            return message(
                "**Splits on {feature}**: {score} {own}. No other feature competes; {rival}: {reason}.",
                feature=feature,
                score=score,
                own=own,
                rival=escape_markdown(nearest.feature),
                reason=escape_markdown(nearest.rejected or ""),
            )
        return message(
            "**Splits on {feature}**: {score} {own}. No other feature has an admissible split.",
            feature=feature,
            score=score,
            own=own,
        )
    if decision.tied:
        return plural(
            len(decision.tied),
            "**Splits on {feature}**: {score} {own}. {rivals} ties; the earlier column wins.",
            "**Splits on {feature}**: {score} {own}. {rivals} tie; the earliest column wins.",
            feature=feature,
            score=score,
            own=own,
            rivals=escape_markdown(listing(decision.tied)),
        )
    own, theirs = distinct_texts(decision.chosen.score or 0.0, decision.runner_up.score or 0.0)
    return message(
        "**Splits on {feature}**: {score} {own}, runner-up {rival} {theirs}, {margin} {lead}.",
        feature=feature,
        score=score,
        own=own,
        rival=escape_markdown(decision.runner_up.feature),
        theirs=theirs,
        margin=terms.explained(terms.MARGIN, message("margin")),
        lead=number(decision.margin),
    )


def _of_file_text(node: ex.Node, decision: ex.Decision) -> str:
    """What the tree of a file does at a node, and what the recipe would do with the same rows."""
    best = decision.would_win
    if best is None:
        reason = escape_markdown(decision.would_stop or message("no admissible split"))
        otherwise = message("On these rows the algorithm would stop: {reason}.", reason=reason)
    else:
        own = (decision.chosen.score or 0.0) if decision.chosen is not None else 0.0
        split, score = escape_markdown(best.condition.title), score_called(node)
        theirs, mine = distinct_texts(best.score or 0.0, own)
        if theirs == mine:
            otherwise = message("On these rows “{split}” ties with it and would win.", split=split)
        else:
            otherwise = message(
                "On these rows “{split}” would win: {score} {value}.", split=split, score=score, value=theirs
            )
    if node.condition is None:
        return message("**Leaf** in the file. {otherwise}", otherwise=otherwise)
    feature = escape_markdown(node.condition.feature)
    if decision.chosen is None:
        return message(
            "**Splits on {feature}**, which divides none of these rows. {otherwise}",
            feature=feature,
            otherwise=otherwise,
        )
    if best is not None and best.condition == decision.chosen.condition:
        otherwise = message("It would win on these rows too.")
    elif best is not None:
        otherwise = paragraph(filter(None, (otherwise, _why_not(node.tree, decision, decision.chosen, best))))
    value = distinct_texts(decision.chosen.score or 0.0, (best.score if best is not None else None) or 0.0)[0]
    return message(
        "**Splits on {feature}**: {score} {value}. {otherwise}",
        feature=feature,
        score=score_called(node),
        value=value,
        otherwise=otherwise,
    )


def _why_not(tree: ex.Tree, decision: ex.Decision, chosen: ex.Candidate, best: ex.Candidate) -> str:
    """Why the split of a file does not win though its score is the higher one; "" where the scores say why."""
    if chosen.rejected:
        return message("The split of the file does not compete: {reason}.", reason=escape_markdown(chosen.rejected))
    if (chosen.score or 0.0) <= (best.score or 0.0):
        return ""
    gain, of_feature = gain_heading(tree.recipe, tree.is_regression), decision.best.get(chosen.feature)
    if of_feature is not None and of_feature.gain > chosen.gain:
        most, own = distinct_texts(of_feature.gain, chosen.gain)
        return message(
            "Within a feature the test with the highest {gain} competes: “{split}” has {most}, the split of the file "
            "{own}.",
            gain=gain,
            split=escape_markdown(of_feature.condition.title),
            most=most,
            own=own,
        )
    if decision.mean_gain is None or chosen.gain >= decision.mean_gain:
        return ""
    own, mean = distinct_texts(chosen.gain, decision.mean_gain)
    return message(
        "The split of the file does not compete: its {gain} {own} is below the mean gain {mean}.",
        gain=gain,
        own=own,
        mean=mean,
    )


def _left_out_text(node: ex.Node, decision: ex.Decision) -> str:
    """How far the split of a leaf is behind those that were made, where the number of leaves is limited."""
    if decision.winner is None:
        return ""
    left_out = split_left_out(node.tree, node.id, decision.winner.gain)
    if left_out is None:
        return ""
    return message(
        "Splitting on {feature} would decrease the tree’s impurity by {decrease} (share of the rows × decrease); every "
        "split that was made decreases it by at least {least}.",
        feature=escape_markdown(decision.winner.feature),
        decrease=number(left_out.decrease),
        least=number(left_out.least_made),
    )


def otherwise_text(decision: ex.Decision) -> str:
    """What would have become of a node that a person decided, safe for Markdown."""
    if decision.would_win is not None:
        winner = decision.would_win.condition.title
        return message("Without it, “{split}” would have won.", split=escape_markdown(winner))
    reason = escape_markdown(decision.would_stop or message("no admissible split"))
    return message("Without it, the node would have stopped: {reason}.", reason=reason)


def predicted(node: ex.Node, is_regression: bool) -> str:
    """What the node predicts, safe for Markdown."""
    return escape_markdown(prediction_text(node, is_regression))
