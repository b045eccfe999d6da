"""The formulas of split selection: mean gain, margin, χ², validation rows and missing cells (sections 4 to 6)."""

from __future__ import annotations

from explorer.explaining.formulas.adjusted_p import Chi2Quantities
from explorer.explaining.formulas.candidate import legend_of_score, score_formula
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Number, Quantity, ratio, total
from explorer.explaining.formulas.gain import CandidateFormulas
from explorer.explaining.formulas.impurity import below
from explorer.explaining.formulas.symbols import Pair, remarks_on, remarks_on_rows, word_symbol
from explorer.formatting import METRIC_NAMES, value_text, visible
from explorer.growing.decide import Decision
from explorer.growing.stopping import VALIDATED_BY
from explorer.messages import listing, message
from explorer.recipe.split_score import has_ratio
from explorer.tree.tree import Node


def mean_gain_formula(node: Node, decision: Decision) -> Derivation | None:
    """The mean of the features' best gains, by which gain ratios are filtered; None where the score is not a ratio.

    The mean omits a feature with many values, without split information, or with a gain that is not above its penalty.
    """
    counted = [c for name, c in decision.best.items() if name not in decision.many_values]
    within = [c for c in counted if _is_in_the_mean(c.split_info, c.n_thresholds, c.gain, node)]
    if not within or decision.mean_gain is None or node.tree.recipe.score != "gain_ratio":
        return None
    candidates = [CandidateFormulas(node, candidate, f"{i}") for i, candidate in enumerate(within, 1)]
    gains = [formulas.gain(formulas.own) for formulas in candidates]
    mean = Quantity(*word_symbol(message("mean gain")), total(gains) / Number(len(gains)))
    formulas = [Formula(gain, candidate.gain) for gain, candidate in zip(gains, within, strict=True)]
    legend = dict.fromkeys(pair for candidate in candidates for pair in candidate.legend())
    return Derivation((*formulas, Formula(mean, decision.mean_gain)), tuple(legend), candidates[0].remarks())


def _is_in_the_mean(split_info: float, n_thresholds: int, gain: float, node: Node) -> bool:
    unit = node.tree.recipe.unit(node.tree.is_regression)
    return bool(has_ratio(split_info / unit)) and (gain > 0 or not n_thresholds)


def margin_formula(node: Node, decision: Decision) -> Derivation | None:
    """The lead in score of the best feature over the runner-up; None without a runner-up."""
    if decision.chosen is None or decision.runner_up is None or decision.margin is None:
        return None
    rivals = CandidateFormulas(node, decision.chosen, "1"), CandidateFormulas(node, decision.runner_up, "2")
    first, second = (score_formula(rival) for rival in rivals)
    lead = Quantity(*word_symbol(message("margin")), first - second)
    scores = decision.chosen.score or 0.0, decision.runner_up.score or 0.0
    formulas = (Formula(first, scores[0]), Formula(second, scores[1]), Formula(lead, decision.margin))
    legend = dict.fromkeys(pair for rival in rivals for pair in legend_of_score(rival))
    return Derivation(formulas, tuple(legend), rivals[0].remarks())


def chi2_formula(node: Node, decision: Decision) -> Derivation | None:
    """Pearson's χ² of the branches and the classes, its degrees of freedom, and p; None without a split to test.

    The split is the custom split, or else the best candidate.

    >>> from explorer import ID3, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(data, ID3)
    >>> [formula.text[-16:] for formula in chi2_formula(tree.node(0), decide(tree, data, 0)).formulas[-3:]]
    ['= 266/75 ≈ 3.547', '− 1)·(2 − 1) = 2', '5·9/14)) ≈ 0.170']
    """
    if decision.chi2 is None:
        return None
    chi2, observed = decision.chi2, decision.chi2.observed
    quantities = Chi2Quantities.of(observed)
    results = (
        Formula(quantities.statistic, chi2.statistic),
        Formula(quantities.df, chi2.df),
        Formula(quantities.p, chi2.p),
    )
    formulas = (*(Formula(count, count.value) for count in quantities.expected), *results)
    return Derivation(formulas, tuple(_chi2_legend(node, decision)), remarks_on_rows(observed.ravel().tolist()))


def _chi2_legend(node: Node, decision: Decision) -> list[Pair]:
    assert decision.chi2 is not None
    assert decision.tested is not None, "a test was tested"
    classes = listing(visible(value_text(name)) for name in node.tree.classes)
    expected = message(
        "expected rows of a branch (first index) and a class (second index): "
        "rows of the branch · rows of the class / all rows"
    )
    statistic = message("Σ (O − E)²/E, where O are the observed rows. Classes: {classes}", classes=classes)
    lines = [("E", expected), ("χ²", statistic)]
    if decision.chi2.p == 0:
        lines.append(("p", message("p-value: below 10⁻³⁰⁰, the smallest number a computer holds")))
    for branch, rows in enumerate(decision.chi2.observed.sum(axis=1).tolist()):
        name, condition = message("branch {number}", number=branch + 1), visible(decision.tested.condition.word(branch))
        lines.append((name, f"{condition} · {node.tree.rows_text(rows)}"))
    return lines


def validation_formula(node: Node, decision: Decision, rows: float) -> Derivation | None:
    """Accuracy (or mean loss) on `rows` validation rows without and with a split; None if not evaluated."""
    before, after = decision.validation_before, decision.validation_after
    if before is None or after is None:
        return None
    if node.tree.recipe.impurity in VALIDATED_BY:
        loss = METRIC_NAMES[VALIDATED_BY[node.tree.recipe.impurity]]
        names = message("{loss} before", loss=loss), message("{loss} after", loss=loss)
        counted = message("sum of the losses on the validation set")
    elif node.tree.is_regression:
        names = message("MSE before"), message("MSE after")
        counted = message("sum of squared errors on the validation set")
    else:
        names, counted = (
            (message("accuracy before"), message("accuracy after")),
            message("correctly classified validation rows"),
        )
    formulas = [
        Formula(Quantity(*word_symbol(name), ratio(value * rows, rows)), value)
        for name, value in zip(names, (before, after), strict=True)
    ]
    legend = (message("numerator"), counted), (message("denominator"), message("all validation rows"))
    return Derivation(tuple(formulas), legend)


def missing_formula(node: Node, decision: Decision, branch_weights: tuple[float, ...]) -> Derivation | None:
    """How the policy "fractional" distributes the weight of rows with a missing value over the branches."""
    chosen, recipe = decision.chosen, node.tree.recipe
    if chosen is None or recipe.missing != "fractional" or not node.missing_weight:
        return None
    known = float(sum(chosen.weights))
    share = Quantity("F", "F", ratio(known, known + chosen.missing_weight))
    formulas = [Formula(share, chosen.known_share)]
    legend = [("F", message("share of the rows with a known value; the gain is multiplied by it"))]
    for i, (weight, recorded) in enumerate(zip(chosen.weights, branch_weights, strict=True), 1):
        if weight > 0:
            part = Number(chosen.missing_weight) * ratio(weight, known)
            symbol, condition = f"m{below(str(i))}", visible(chosen.condition.word(i - 1))
            formulas.append(Formula(Quantity(symbol, f"m_{{{i}}}", part), recorded))
            legend.append(
                (symbol, message("weight of the rows with a missing value sent to {branch}", branch=condition))
            )
    return Derivation(tuple(formulas), tuple(legend), remarks_on(node.tree, [*chosen.weights]))
