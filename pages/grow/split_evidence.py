"""What speaks for a node's split beside its score, and what became of rows without a value. All numbers are fields."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

import explorer as ex
from explorer import explaining
from explorer.explaining import Derivation
from explorer.formatting import METRIC_NAMES, shortened, visible
from explorer.growing.stopping import VALIDATED_BY
from explorer.messages import listing, message, sentence
from pages.results import pruned_tree, trees
from pages.results.resampled import near_ties
from pages.settings.settings import Settings
from pages.text import chance, escape_markdown, number, readable, score_text
from pages.widgets import formula, tables, terms
from pages.widgets.tree_view import Mark

_LONGEST = 24
"""Letters of a feature's name in a heading."""


def show(settings: Settings, node_id: int, slot: str = "grow") -> None:
    """The χ² test, bits, the validation rows before and after, and where rows without a value went; with formulas."""
    tree, decision = trees.grown(settings, slot).tree, trees.decision(settings, node_id, slot)
    node = tree.node(node_id)
    if slot == "grow":
        _near_tie(settings, node_id)
    chi2 = chi2_text(decision, tree.recipe) + _adjusted_text(decision)
    if chi2 and not tree.counts_rows:
        chi2 += message(" The test takes each weight as so many rows: p is wrong where weights are no counts.")
    chi2 = chi2.replace(terms.CHI2, terms.explained(terms.CHI2), 1)
    _sentence_with_formula(chi2, partial(explaining.chi2_formula, node, decision), "chi2")
    _sentence_with_formula(
        bits_text(decision, tree.recipe), partial(explaining.split_bits_formula, node, decision), "bits"
    )
    valid = None if settings.connected else trees.parts(settings).valid
    weight = float(valid.weight_of_rows().sum()) if valid is not None else 0.0
    validation_formula = partial(explaining.validation_formula, node, decision, weight)
    _sentence_with_formula(validation_text(decision, tree), validation_formula, "validation")
    if node.condition is None:
        return
    if tree.recipe.missing == "default_direction" and not node.missing_weight:
        _no_missing_rows(tree, node)
    if node.missing_weight and not settings.connected:
        _missing_rows(node, decision, trees.missing_row_branches(settings, node_id, slot))
    if decision.surrogates:
        surrogates(node.condition, decision)
    elif node.missing_weight and tree.recipe.missing == "surrogate":
        st.caption(
            message("No surrogate split agrees better than the largest branch does, so these rows take that branch.")
        )


def _no_missing_rows(tree: ex.Tree, node: ex.Node) -> None:
    """Where a row without a value would go from a node that has none."""
    condition = node.condition
    if condition is None:
        return
    st.caption(
        message(
            "No missing rows here: no side of {feature} is the better one. A row without a value takes the branch "
            "{branch}.",
            feature=escape_markdown(visible(condition.feature)),
            branch=escape_markdown(readable(condition.branch_word(int(tree.missing_branch[node.id])))),
        )
    )


def near_tie_marks(settings: Settings) -> list[Mark]:
    """A sign at every node whose split was nearly another one; none while the reader is to guess the splits."""
    if settings.timeline.asks:
        return []
    selected = pruned_tree.selected_node(settings, "grow") or 0
    ties = near_ties.marked(settings, selected)
    return [Mark(node, "near_tie", ex.near_tie_text(tie)) for node, tie in ties.items()]


def _near_tie(settings: Settings, node_id: int) -> None:
    """Which feature nearly won, and by which rows it lost."""
    tie = near_ties.at_node(settings, node_id)
    if tie is not None:
        st.caption(f"{terms.explained(terms.NEAR_TIE)} {escape_markdown(ex.near_tie_text(tie))}")


def _sentence_with_formula(sentence: str, derive: Callable[[], Derivation | None], key: str) -> None:
    """A sentence with its formula beside it; nothing where there is nothing to say."""
    if sentence:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(sentence, width="content")
            formula.opened(message("Formula"), derive, key)


def chi2_text(decision: ex.Decision, recipe: ex.Recipe) -> str:
    """The χ² test of the node's split, or of the best one, and what the recipe makes of it; empty without one."""
    if decision.chi2 is None or not decision.chi2.df:  # a pure node has nothing to test
        return ""
    chi2 = decision.chi2
    text = message(
        "χ² of {split} = {statistic}, df = {df}, p {p}",
        split=_split_called(decision),
        statistic=number(chi2.statistic, 3),
        df=chi2.df,
        p=chance(chi2.p),
    )
    if recipe.chi2_level is None:
        return sentence(text)
    level = number(recipe.chi2_level)
    if chi2.p > recipe.chi2_level:
        if decision.by_hand and decision.chosen is not None:
            return message("{chi2}: above {level}, but a split by hand stays.", chi2=text, level=level)
        if decision.by_hand:
            return message("{chi2}: above {level}, so the node would have stopped.", chi2=text, level=level)
        return message("{chi2}: above {level}, so the node stopped.", chi2=text, level=level)
    if decision.chosen is not None:
        return message("{chi2}: not above {level}, so the split stays.", chi2=text, level=level)
    return message("{chi2}: not above {level}, so χ² would allow the split.", chi2=text, level=level)


def _adjusted_text(decision: ex.Decision) -> str:
    """The p of the best of all candidates, which is larger than that of one split; empty for a split by hand."""
    test = decision.tested.significance if decision.tested is not None and not decision.by_hand else None
    if test is None or (decision.chi2 is not None and not decision.chi2.df):
        return ""
    shown = {"features": f"{test.n_features:,}", "p": chance(test.best_of_all)}
    known = ""
    if decision.chi2 is not None and not math.isclose(decision.chi2.statistic, test.chi2, abs_tol=1e-9):
        # the χ² of the split counts rows without a value, too
        known = message(" On the rows with a known value alone, p {p}.", p=chance(test.p))
    if test.ways == 1:
        return known + message(" Adjusted as the best of {features} features: p {p}.", **shown)
    return known + message(
        " Adjusted as the best of {features} features and of {ways} ways to split this one: p {p}.",
        ways=number(test.ways, 3),
        **shown,
    )


def bits_text(decision: ex.Decision, recipe: ex.Recipe) -> str:
    """Tree and exceptions in bits without and with the split, where the recipe stops by them; else empty."""
    if decision.bits is None or not recipe.mdl_stop:
        return ""
    bits = decision.bits
    shown = {
        "leaf": f"{bits.tree_as_leaf:.2f} + {bits.exceptions_as_leaf:.2f} = {bits.as_leaf:.2f}",
        "split": f"{bits.tree_as_split:.2f} + {bits.exceptions_as_split:.2f} = {bits.as_split:.2f}",
        "called": _split_called(decision),
    }
    if bits.as_split >= bits.as_leaf:
        return message("Tree + exceptions: {leaf} bits as a leaf, {split} bits with {called}: no fewer.", **shown)
    return message("Tree + exceptions: {leaf} bits as a leaf, {split} bits with {called}: fewer.", **shown)


def _split_called(decision: ex.Decision) -> str:
    """Which split the numbers are about."""
    is_by_hand = decision.by_hand and decision.chosen is not None
    return message("the split by hand") if is_by_hand else message("the best split")


def validation_text(decision: ex.Decision, tree: ex.Tree) -> str:
    """The score on the validation rows before and after the split, under pre-pruning; empty if it was not scored."""
    before, after = decision.validation_before, decision.validation_after
    if before is None or after is None:
        return ""
    metric = "mse" if tree.is_regression else "accuracy"
    shown = {
        "score": METRIC_NAMES[VALIDATED_BY.get(tree.recipe.impurity_for(tree.is_regression), metric)],
        "before": score_text(before, tree.is_regression),
        "after": score_text(after, tree.is_regression),
    }
    if decision.by_hand:
        return message("Validation {score}: {before} before the split, {after} after it; decided by hand.", **shown)
    if decision.chosen is None:
        return message("Validation {score}: {before} before the split, {after} after it, so the node stopped.", **shown)
    return message("Validation {score}: {before} before the split, {after} after it, so the split stays.", **shown)


def _missing_rows(node: ex.Node, decision: ex.Decision, weights: tuple[float, ...]) -> None:
    """Rows without a value by the branch that they took."""
    assert node.condition is not None
    feature = escape_markdown(node.condition.feature)
    st.markdown(
        message(
            "**Rows with {feature} missing: {rows}**, by the branch they take:",
            feature=feature,
            rows=number(node.missing_weight, 2),
        )
    )
    amount = "rows" if node.tree.counts_rows else "weight"
    lines = [{"branch": node.condition.branch_word(branch), amount: weight} for branch, weight in enumerate(weights)]
    tables.numbers_table(pd.DataFrame(lines), [False] * len(lines), key="missing.ways")
    if node.tree.recipe.missing == "fractional":
        formula.opened(message("Formula"), partial(explaining.missing_formula, node, decision, weights), "missing")


def surrogates(condition: ex.Condition, decision: ex.Decision) -> None:
    """The surrogate splits of the node, best first."""
    st.markdown(
        message(
            "**Surrogate splits**: a row with a missing value takes the first of these whose feature it has, or else "
            "the largest branch."
        )
    )
    feature, lines = shortened(condition.feature, _LONGEST), []
    for surrogate in decision.surrogates:
        line: dict[str, object] = {"surrogate split": surrogate.feature}
        for branch in range(condition.n_branches):
            sides = [surrogate.condition.branch_word(side) for side, to in enumerate(surrogate.to) if to == branch]
            line[message("for {branch}", branch=f"{feature} {condition.branch_word(branch)}")] = listing(sides)
        lines.append({**line, "agreement": surrogate.agreement, "adjusted agreement": surrogate.adjusted})
    tables.numbers_table(pd.DataFrame(lines), [False] * len(lines), key="surrogates")
