"""The first difference of two trees in one sentence: what each splits on, by which number, and ahead of which feature.

All numbers are those of the two decisions.
"""

from __future__ import annotations

from dataclasses import dataclass

import explorer as ex
from explorer.candidates.candidates import Candidate
from explorer.evaluation.comparison.why_different import distinct_texts
from explorer.explaining import reached_by
from explorer.formatting import name_text
from explorer.messages import message, plural
from explorer.recipe.split_score import GAIN_RATIO
from pages.text import escape_markdown
from pages.widgets.node_text import score_heading

_LONGEST = 40
"""Letters of a split or a branch in the sentence, at most."""


@dataclass(frozen=True)
class Side:
    """One of the two trees at the node: what it is called, the node, and the decision there."""

    name: str
    node: ex.Node
    decision: ex.Decision

    @property
    def score(self) -> str:
        """What its features compete by."""
        return score_heading(self.node.tree.recipe, self.node.tree.is_regression)

    @property
    def is_leaf(self) -> bool:
        """Whether the tree stops there."""
        return self.decision.chosen is None or self.node.condition is None


def sentence(a: Side, b: Side) -> str:
    """The first difference, safe for Markdown."""
    if a.is_leaf:
        return _with_leaf(b, a)
    if b.is_leaf:
        return _with_leaf(a, b)
    rival_b, rival_a = _rival(b, a), _rival(a, b)
    if rival_b is not None:
        return _ahead(a, b, rival_b)
    if rival_a is not None:
        return _ahead(b, a, rival_a)
    return message(
        "{node}: {name_a} splits on {split_a} ({score_a}); {name_b} splits on {split_b} ({score_b}).",
        node=node_text(a.node, b.node),
        **_fields("a", a),
        **_fields("b", b),
    )


def node_text(node: ex.Node, other: ex.Node) -> str:
    """The node and the branch that leads to it; with both numbers where the trees number it differently."""
    if node.id == other.id == 0:
        return message("Root (node 0)")
    branch = _short(reached_by(node.tree, node.id))
    if node.id == other.id:
        return message("Node {node} ({branch})", node=node.id, branch=branch)
    return message("Nodes {node} and {other} ({branch})", node=node.id, other=other.id, branch=branch)


def _with_leaf(split: Side, leaf: Side) -> str:
    reason = leaf.node.stop_reason or leaf.decision.stop_reason or message("pruned")
    return message(
        "{node}: {name_a} splits on {split_a} ({score_a}); {name_b} stops ({reason}).",
        node=node_text(split.node, leaf.node),
        reason=_short(reason),
        name_b=escape_markdown(leaf.name),
        **_fields("a", split),
    )


def _ahead(a: Side, b: Side, rival: Candidate) -> str:
    """What `a` splits on is behind in `b`."""
    return message(
        "{node}: {name_a} splits on {split_a} ({score_a}); {name_b} splits on {split_b} ({score_b}), "
        "ahead of {rival} ({rival_score}).",
        node=node_text(a.node, b.node),
        rival=_short(rival.condition.text),
        rival_score=distinct_texts(_value(b, b.decision.chosen), _value(b, rival))[1],
        **_fields("a", a),
        **_fields("b", b, rival),
    )


def _rival(side: Side, other: Side) -> Candidate | None:
    """The other's feature where it competes on this side too; None where it does not, or where it is the winner."""
    assert other.decision.chosen is not None, "a split node has chosen its split"
    assert side.decision.chosen is not None, "a split node has chosen its split"
    feature = other.decision.chosen.feature
    rival = side.decision.best.get(feature)
    is_out = rival is None or rival.rejected is not None or rival.score is None
    return None if is_out or feature == side.decision.chosen.feature else rival


def _fields(letter: str, side: Side, rival: Candidate | None = None) -> dict[str, str]:
    """Name, split and score of a side as fields of a sentence."""
    chosen = side.decision.chosen
    value = distinct_texts(_value(side, chosen), *([_value(side, rival)] if rival is not None else []))[0]
    score = message("{score} {value}", score=side.score, value=value)
    assert chosen is not None, "a split node has chosen its split"
    if chosen.condition.kind in ("each_value", "bins") or chosen.condition.has_groups:
        n = chosen.condition.n_branches
        score = plural(n, "{n} branch, {score}", "{n} branches, {score}", score=score)
    return {
        f"name_{letter}": escape_markdown(side.name),
        f"split_{letter}": _short(chosen.condition.text),
        f"score_{letter}": score,
    }


def _value(side: Side, candidate: Candidate | None) -> float:
    """The number by which a candidate competes."""
    assert candidate is not None, "a candidate that competes"
    is_ratio = side.score == GAIN_RATIO and candidate.gain_ratio is not None
    value = candidate.gain_ratio if is_ratio else candidate.score
    return candidate.gain if value is None else value


def _short(text: str) -> str:
    return escape_markdown(name_text(text, _LONGEST))
