"""Derivations of the package, shortened to the lines that a step needs."""

from __future__ import annotations

import explorer as ex
from explorer.explaining import Derivation, mean_gain_formula


def mean_derived(tree: ex.Tree, decision: ex.Decision) -> Derivation | None:
    """The mean of the best gains of a decision at the root, without the derivations of the gains."""
    whole = mean_gain_formula(tree.node(0), decision)
    if whole is None:
        return None
    return Derivation(whole.formulas[-1:], tuple(pair for pair in whole.legend if pair[0].startswith("A")))
