"""Where ID3 leaves the shortest tree: the sentence, and the candidates that ID3 compared there."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.comparison.first_difference import Walk
from explorer.explaining import reached_by
from explorer.formatting import name_text
from explorer.messages import listing, message
from pages.grow import candidates_table
from pages.text import escape_markdown, number
from pages.widgets.tables import numbers_table

_LONGEST = 40
_NAMED = 5
"""Features below the first difference that a sentence names, at most, with the first."""


def sentence(walk: Walk, greedy: ex.Tree, shortest: ex.Tree) -> str:
    """The first difference with both gains, safe for Markdown."""
    difference = walk.difference
    if difference is None:
        return message("**The trees are identical.** ID3 has found a shortest tree without going back once.")
    chosen, other = difference.decision_a.chosen, difference.decision_b.chosen
    place = _place(greedy, difference.node_a)
    if chosen is None or other is None:
        longer = message("ID3") if other is None else message("the shortest tree")
        return message("**First difference.** {place}: only {tree} splits here.", place=place, tree=longer)
    ranked = candidates_table.ranked(difference.decision_a)
    rank = 1 + sum(candidate.gain > other.gain and candidate.feature != other.feature for candidate in ranked)
    return message(
        "**First difference.** {place}: ID3 splits on {chosen} (gain {gain}), the shortest tree on {other} "
        "(gain {other_gain}, rank {rank} of {count}).",
        place=place,
        chosen=_short(chosen.feature),
        gain=number(chosen.gain),
        other=_short(other.feature),
        other_gain=number(other.gain),
        rank=rank,
        count=len(ranked),
    )


def _place(tree: ex.Tree, node: int) -> str:
    if node == 0:
        return message("Root (node 0)")
    return message("Node {node} ({branch})", node=node, branch=_short(reached_by(tree, node)))


def _short(text: str) -> str:
    return escape_markdown(name_text(text, _LONGEST))


def show_why(walk: Walk, greedy: ex.Tree, shortest: ex.Tree) -> None:
    """Why choosing the largest gain failed: ID3's candidates there, and which of them the shortest tree tests."""
    st.markdown(sentence(walk, greedy, shortest))
    difference = walk.difference
    if difference is None:
        return
    decision, node = difference.decision_a, difference.node_b
    tested = _tested_below(shortest, node)
    if len(tested) > 1 and decision.chosen is not None:
        below = listing(map(_short, tested[1:_NAMED]))
        st.markdown(
            message(
                "ID3 sees the gain of one test alone. {first} gains {gain} here, and only together with {below} below "
                "it do the classes come apart.",
                first=_short(tested[0]),
                gain=number(decision.best[tested[0]].gain),
                below=below,
            )
        )
    numbers_table(_table(decision, shortest, node, tested), _tints(decision, tested), "shortest.why")
    st.caption(
        message(
            "Tinted: what the shortest tree tests here and below. ID3 takes the largest gain, never looks below the "
            "next split, and never goes back."
        )
    )


def _tested_below(tree: ex.Tree, node: int) -> list[str]:
    """The features that a tree tests at a node and below, each once, from the top down."""
    below, names = [node], dict[str, None]()
    for current in below:
        if tree.feature[current] >= 0:
            names[tree.features[tree.feature[current]].name] = None
            below.extend(tree.children_of(current))
    return list(names)


def _table(decision: ex.Decision, shortest: ex.Tree, node: int, tested: list[str]) -> pd.DataFrame:
    """Every feature's gain by rank, who chose it, and where the shortest tree tests it."""
    chosen = decision.chosen.feature if decision.chosen else ""
    first = shortest.features[shortest.feature[node]].name if shortest.feature[node] >= 0 else ""
    lines = []
    for candidate in candidates_table.ranked(decision):
        name = candidate.feature
        choices = [message("✓ ID3")] if name == chosen else []
        choices += [message("✓ shortest tree")] if name == first else []
        choices += [message("shortest tree, below")] if name in tested and name != first else []
        lines.append({"feature": name, "gain": candidate.gain, message("chosen by"): listing(choices)})
    return pd.DataFrame(lines)


def _tints(decision: ex.Decision, tested: list[str]) -> list[bool]:
    return [candidate.feature in tested for candidate in candidates_table.ranked(decision)]


def show_candidates(decision: ex.Decision, tree: ex.Tree, key: str, title: str) -> None:
    """What competes at a node of one tree, by gain."""
    st.markdown(f"**{title}**")
    if decision.candidates:
        candidates_table.show(decision, tree.recipe, False, key, abreast=2)
    elif decision.stop_reason:
        st.markdown(escape_markdown(decision.stop_reason))
