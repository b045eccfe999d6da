"""How mixed some rows are: the impurity of class counts with its derivation, and splits of whole tables."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

import explorer as ex
from explorer.candidates.candidates import Candidate
from explorer.explaining import Derivation
from explorer.explaining.formulas.derivation import Formula
from explorer.explaining.formulas.impurity import impurity as impurity_formula
from explorer.explaining.formulas.impurity import of_rows
from pages.results.cache import kept

BITS, NATS = "bits", "nats"
_BASE: dict[str, int | str] = {BITS: 2, NATS: "e"}


def impurity_of(kind: str, counts: Sequence[float], unit: str = BITS) -> float:
    """The "entropy", "gini" or "error" of class counts.

    >>> round(impurity_of("entropy", [9, 5]), 3), round(impurity_of("entropy", [9, 5], NATS), 3)
    (0.94, 0.652)
    """
    return impurity_formula(kind, counts, _BASE[unit]).value


def impurity_derivation(kind: str, counts: Sequence[float], unit: str = BITS, rows: str = "") -> Derivation:
    """The same with all its fractions; `rows` says which rows D are.

    >>> impurity_derivation("gini", [9, 5]).text
    'Gini(D) = 1 − (9/14)^2 − (5/14)^2 = 45/98 ≈ 0.459'
    """
    quantity = of_rows(kind, "D", "D", counts, _BASE[unit])
    return Derivation((Formula(quantity, impurity_of(kind, counts, unit)),), (("D", rows),) if rows else ())


@kept()
def root_of(table: str, target: str, feature: str, impurity: str = "entropy") -> tuple[ex.Tree, Candidate]:
    """A tree that splits a table's rows on one feature to predict one column, and that split; see `_table`."""
    data = ex.Dataset.from_frame(_table(table), target, features=[feature])
    tree = ex.grow(data, ex.ID3.replace(impurity=impurity))
    return tree, ex.decide(tree, data, 0).best[feature]


def _table(name: str) -> pd.DataFrame:
    """A built-in table; "coin" is PlayTennis with each day twice, once with heads and once with tails."""
    if name != "coin":
        return ex.load_sample(name).frame
    days = ex.load_sample("play_tennis").frame
    return pd.concat([days.assign(Coin=side) for side in ("heads", "tails")], ignore_index=True)
