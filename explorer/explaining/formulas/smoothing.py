"""The probability of a class at a node as a fraction of rows, smoothed or not (ensembles/DEFINITIONS.md section 24)."""

from __future__ import annotations

from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Expression, Number, Quantity, ratio, total
from explorer.explaining.formulas.symbols import Pair, remarks_on
from explorer.formatting import value_text, visible
from explorer.messages import message
from explorer.tree.smoothing import LAPLACE
from explorer.tree.tree import Tree


def probability_formula(tree: Tree, node: int, code: int) -> Derivation:
    """The probability of a class, by its code, at a node; an empty branch has its parent's.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, ID3.replace(max_depth=1))
    >>> for smoothed in (tree, tree.with_smoothing("laplace"), tree.with_smoothing("m_estimate")):
    ...     print(probability_formula(smoothed, 2, 1).result.text)
    p(k) = n(k)/n = 4/4 = 1
    p(k) = (n(k) + 1)/(n + K) = (4 + 1)/(4 + 2) = 5/6 ≈ 0.833
    p(k) = (n(k) + m·π(k))/(n + m) = (4 + 1·9/14)/(4 + 1) = 13/14 ≈ 0.929
    """
    while tree.weight[node] == 0:
        node = int(tree.parent[node])
    counts = tree.prior_stats[node].tolist()
    own, rows = Quantity("n(k)", "n_k", Number(counts[code])), Quantity("n", "n", Number(sum(counts)))
    top, bottom, legend = _parts(tree, code)
    meaning = total([own, *top]) / total([rows, *bottom]) if top else own / rows
    probability = Quantity("p(k)", "p_k", meaning)
    formula = Formula(probability, float(tree.probabilities[node, code]))
    return Derivation((formula,), (*_rows_legend(tree, node, code), *legend), remarks_on(tree, counts))


def _parts(tree: Tree, code: int) -> tuple[list[Expression], list[Expression], list[Pair]]:
    """What smoothing adds above and below the bar, and what its symbols stand for."""
    if tree.smoothing is None:
        return [], [], []
    if tree.smoothing.method == LAPLACE:
        size = len(tree.classes)
        return [Number(1)], [Quantity("K", "K", Number(size))], [("K", message("number of classes"))]
    m = Quantity("m", "m", Number(tree.smoothing.m))
    root = tree.prior_stats[0].tolist()
    share = Quantity("π(k)", r"\pi_k", ratio(root[code], sum(root)))
    legend = [
        ("m", message("rows that are added to the node’s own")),
        ("π(k)", message("share of the class at the root, by which they are divided among the classes")),
    ]
    return [m * share], [m], legend


def _rows_legend(tree: Tree, node: int, code: int) -> list[Pair]:
    name = visible(value_text(tree.classes[code]))
    return [
        ("p(k)", message("probability of class {name} at node {node}", name=name, node=node)),
        ("n(k)", message("training rows of class {name} at the node", name=name)),
        ("n", message("all training rows at the node")),
    ]
