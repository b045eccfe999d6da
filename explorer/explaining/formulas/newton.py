"""The formulas of XGBoost's gain and leaf values, and of a step of pruning by γ (section 22 of the ensembles)."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.candidates.candidates import NewtonNumbers
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Expression, Number, Product, Quantity, Quotient, total
from explorer.explaining.formulas.gain import CandidateFormulas
from explorer.explaining.formulas.impurity import below, squared
from explorer.explaining.formulas.symbols import Pair, exactly
from explorer.messages import message
from explorer.pruning.newton import NewtonStep
from explorer.tree.newton import base_of, lambda_of, node_sums
from explorer.tree.tree import Tree


def sums_of(
    subscript: str, stats: list[float], base: float, is_regression: bool, recorded: tuple[float, float]
) -> tuple[Formula, Formula]:
    """G and H of a node or branch from its weight and mean, or from the weights of its two classes."""
    b, (g, h) = Number(base), _symbols(subscript)
    if is_regression:
        weight = Number(stats[0])
        gradient: Expression = weight * (b - Number(stats[1]))
        hessian: Expression = weight
    else:
        weight = Number(stats[0] + stats[1])
        gradient = b * weight - Number(stats[1])
        hessian = Product((b, Number(1) - b, weight))
    return Formula(Quantity(*g, gradient), recorded[0]), Formula(Quantity(*h, hessian), recorded[1])


def _symbols(subscript: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The signs of G and H of a branch, in text and in LaTeX."""
    latex = f"_{{{subscript}}}" if subscript else ""
    return (f"G{below(subscript)}", f"G{latex}"), (f"H{below(subscript)}", f"H{latex}")


def _score(gradient: Expression, hessian: Expression, reg_lambda: float) -> Quotient:
    """G²/(H + λ)."""
    return squared(gradient) / total([hessian, _lambda(reg_lambda)])


def _lambda(reg_lambda: float) -> Quantity:
    return Quantity("λ", r"\lambda", Number(reg_lambda))


def newton_lines(candidate: CandidateFormulas) -> list[Formula]:
    """G and H of the node and of every branch, and the leaf value of each branch, −G/(H + λ)."""
    numbers, tree = _numbers_of(candidate), candidate.node.tree
    base, reg_lambda, regression = base_of(tree), float(tree.recipe.reg_lambda), candidate.is_regression
    lines = [*_node_sums(candidate, numbers, base)]
    for i, stats in enumerate(candidate.candidate.branch_stats.tolist()):
        if candidate.candidate.weights[i] > 0:
            sums = sums_of(
                _subscript(candidate, i), stats, base, regression, (numbers.gradients[i], numbers.hessians[i])
            )
            lines += sums
            lines.append(_leaf_line(_subscript(candidate, i), sums, reg_lambda, numbers.leaves[i]))
    return lines


def _numbers_of(candidate: CandidateFormulas) -> NewtonNumbers:
    numbers = candidate.candidate.newton
    assert numbers is not None, "a Newton tree has a numeric target or two classes"
    return numbers


def _subscript(candidate: CandidateFormulas, branch: int) -> str:
    return f"{candidate.index},{branch + 1}" if candidate.index else f"{branch + 1}"


def _node_sums(candidate: CandidateFormulas, numbers: NewtonNumbers, base: float) -> tuple[Formula, Formula]:
    stats = candidate.known_stats.tolist()
    return sums_of(candidate.index, stats, base, candidate.is_regression, (numbers.gradient, numbers.hessian))


def _leaf_line(subscript: str, sums: tuple[Formula, Formula], reg_lambda: float, recorded: float) -> Formula:
    """The leaf value of a branch: what it adds to the base score."""
    latex = f"v_{{{subscript}}}" if subscript else "v"
    gradient, hessian = (line.quantity for line in sums)
    value = Number(0) - gradient / total([hessian, _lambda(reg_lambda)])
    return Formula(Quantity(f"v{below(subscript)}", latex, value), recorded)


def newton_formula(candidate: CandidateFormulas) -> Quantity:
    """G_L²/(H_L + λ) + G_R²/(H_R + λ) − G²/(H + λ), without the paper's ½."""
    numbers, tree = _numbers_of(candidate), candidate.node.tree
    base, reg_lambda = base_of(tree), float(tree.recipe.reg_lambda)
    branches = []
    for i, stats in enumerate(candidate.candidate.branch_stats.tolist()):
        if candidate.candidate.weights[i] > 0:
            recorded = numbers.gradients[i], numbers.hessians[i]
            sums = sums_of(_subscript(candidate, i), stats, base, candidate.is_regression, recorded)
            branches.append(_score(sums[0].quantity, sums[1].quantity, reg_lambda))
    gradient, hessian = (line.quantity for line in _node_sums(candidate, numbers, base))
    gain = total(branches) - _score(gradient, hessian, reg_lambda)
    return candidate.named(("gain", r"\operatorname{gain}"), gain)


def newton_legend(candidate: CandidateFormulas) -> Iterator[Pair]:
    """What G, H, λ and γ are, and the factor in which the paper differs from the library."""
    recipe, numbers = candidate.node.tree.recipe, _numbers_of(candidate)
    if candidate.is_regression:
        yield "G", message("the sum of the gradients: weight · (base score − mean target)")
        yield "H", message("the sum of the second derivatives: of squared error 1 a row, so the weight")
    else:
        yield "G", message("the sum of the gradients of the log loss, p − y: p · rows − rows of the second class")
        yield "H", message("the sum of the second derivatives, p · (1 − p) a row, at the base score p")
    yield "v", message("the value of a branch as a leaf, added to the base score")
    yield "λ", message("{value}: shrinks leaves and gains", value=exactly(float(recipe.reg_lambda)))
    gamma = float(recipe.gamma)
    left = exactly(round(numbers.gain_less_gamma, 6))
    yield "γ", message("{value}: gain − γ = {left}", value=exactly(gamma), left=left)
    yield (
        "½",
        message(
            "Chen and Guestrin (2016) write ½·[…] − γ. XGBoost leaves the ½ out, here too: the paper's gain is {gain}, "
            "its γ is {gamma}.",
            gain=exactly(round(numbers.gain / 2, 6)),
            gamma=exactly(gamma / 2),
        ),
    )


def newton_step_formula(tree: Tree, step: NewtonStep) -> Derivation:
    """The gain of a split beside γ, from G and H of the node and its branches."""
    gradients, hessians = node_sums(tree)
    base, reg_lambda = base_of(tree), lambda_of(tree)

    def lines_of(node: int, subscript: str) -> tuple[Formula, Formula]:
        recorded = float(gradients[node]), float(hessians[node])
        return sums_of(subscript, tree.stats[node].tolist(), base, tree.is_regression, recorded)

    own = lines_of(step.node, "")
    below_it = [
        lines_of(child, str(i + 1)) for i, child in enumerate(tree.children_of(step.node)) if tree.weight[child]
    ]
    scores = [_score(g.quantity, h.quantity, reg_lambda) for g, h in below_it]
    gain = Quantity(
        "gain", r"\operatorname{gain}", total(scores) - _score(own[0].quantity, own[1].quantity, reg_lambda)
    )
    lines = [*own, *(line for pair in below_it for line in pair), Formula(gain, step.gain)]
    legend = (
        ("G, H", message("the sums of the gradients and of the second derivatives of the node, and of its branches")),
        ("λ", message("{value}, as the tree was grown", value=exactly(reg_lambda))),
        ("γ", message("{value}: the split goes if the gain is below", value=exactly(step.gamma))),
    )
    return Derivation(tuple(lines), legend)
