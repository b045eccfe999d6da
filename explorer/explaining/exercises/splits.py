"""Exercises on a split: the gain of an attribute, its gain ratio, and the Gini decrease of a binary split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.candidates.candidates import Candidate
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.exercises.exercise import Cell, Exercise, Line, cell_of, drawn, filled
from explorer.explaining.exercises.slips import (
    decrease_slips,
    entropy_slips,
    gini_slips,
    log_slips,
    ratio_slips,
    split_information_slips,
    weighting_slips,
)
from explorer.explaining.formulas.expression import Quantity, ratio, total
from explorer.explaining.formulas.gain import CandidateFormulas
from explorer.explaining.formulas.symbols import word_symbol
from explorer.formatting import value_text, visible
from explorer.growing.decide import Decision, decide
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.recipe.recipe import C45, CART, ID3, Recipe
from explorer.tree.tree import Tree

MOST_BRANCHES = 5
_ENTROPY, _GINI = "H = −Σ pₖ·log₂ pₖ", "Gini = 1 − Σ pₖ²"


def root_of(data: Dataset, recipe: Recipe) -> tuple[Tree, Decision]:
    """A tree of these rows, and the candidates at its root."""
    tree = grow(data, recipe)
    return tree, decide(tree, data, 0)


def gain_exercise(data: Dataset, seed: int) -> Exercise:
    """ID3: the information gain of one attribute."""
    return _by_entropy("gain", data, seed, ID3.replace(numeric="leave_out"))


def ratio_exercise(data: Dataset, seed: int) -> Exercise:
    """C4.5: its gain ratio."""
    return _by_entropy("gain_ratio", data, seed, C45.replace(numeric="leave_out"))


def _by_entropy(kind: str, data: Dataset, seed: int, recipe: Recipe) -> Exercise:
    tree, decision = root_of(data, recipe)
    formulas = CandidateFormulas(tree.node(0), _drawn_split(decision, seed))
    feature, target = visible(formulas.candidate.feature), visible(tree.target)
    if kind == "gain":
        task = message("Work out the information gain of {feature} for {target}.", feature=feature, target=target)
        return _exercise(kind, task, data, formulas, [])
    task = message("Work out the gain ratio of {feature} for {target}.", feature=feature, target=target)
    return _exercise(kind, task, data, formulas, _ratio_cells(formulas))


def gini_exercise(data: Dataset, seed: int) -> Exercise:
    """CART: the decrease of the Gini index by a split into two branches."""
    tree, decision = root_of(data, CART)
    candidate = _drawn_split(decision, seed)
    split, target = visible(candidate.condition.word(0)), visible(tree.target)
    task = message(
        "Work out by how much the split on {split} lowers the Gini index of {target}.", split=split, target=target
    )
    return _exercise("gini", task, data, CandidateFormulas(tree.node(0), candidate), [])


def _is_fit(candidate: Candidate) -> bool:
    """Whether a split can be worked out by hand and says something."""
    branches = sum(weight > 0 for weight in candidate.weights)
    return 2 <= branches <= MOST_BRANCHES and candidate.gain > 1e-9


def _drawn_split(decision: Decision, seed: int) -> Candidate:
    """A fitting split by seed; InputError where there is none."""
    candidates = [candidate for candidate in decision.candidates if _is_fit(candidate)]
    if not candidates:
        raise InputError(
            message("No split of this node can be worked out by hand. Choose another table, node or kind of exercise.")
        )
    return drawn(candidates, seed)


def _exercise(kind: str, task: str, data: Dataset, formulas: CandidateFormulas, extra: Sequence[Cell]) -> Exercise:
    """The branch table with an impurity a line, then what remains, the decrease, and what is built on it."""
    impurity = formulas.own
    classes = [visible(value_text(name)) for name in formulas.node.tree.classes]
    columns = (*classes, message("rows"), "H" if impurity == "entropy" else "Gini")
    lines = [_branch_line(formulas, i, quantity) for i, quantity in formulas.after(impurity).items()]
    lines.append(_node_line(formulas))
    totals = [*_totals(formulas), *extra]
    lines += [
        Line(message("{name}: {value}", name=cell.symbol, value=cell.says), filled([cell], len(columns)))
        for cell in totals
    ]
    return Exercise(kind, task, data.frame, columns, tuple(lines), legend=tuple(formulas.legend()))


def _branch_line(formulas: CandidateFormulas, branch: int, quantity: Quantity) -> Line:
    """The rows of a branch by class, and its impurity."""
    symbol, words = formulas.branch_symbol(branch)[0], visible(formulas.candidate.condition.word(branch))
    stats = formulas.candidate.branch_stats[branch].tolist()
    recorded = formulas.candidate.impurities[branch]
    return Line(
        message("{name}: {value}", name=symbol, value=words), _counted(formulas, symbol, stats, quantity, recorded)
    )


def _node_line(formulas: CandidateFormulas) -> Line:
    quantity = formulas.before(formulas.own)
    return Line(
        message("D: all rows"),
        _counted(formulas, "D", formulas.known_stats.tolist(), quantity, formulas.node.impurity),
    )


def _counted(
    formulas: CandidateFormulas, symbol: str, stats: list[float], quantity: Quantity, recorded: float
) -> tuple[Cell, ...]:
    """The cells of some rows: those of each class, all of them, and their impurity."""
    tree, is_entropy = formulas.node.tree, formulas.own == "entropy"
    counts = [
        count_cell(f"{symbol} {k}", visible(value_text(name)), symbol, stats[k]) for k, name in enumerate(tree.classes)
    ]
    counts.append(count_cell(f"{symbol} n", message("all classes"), symbol, sum(stats)))
    says = message("entropy of {symbol}", symbol=symbol) if is_entropy else message("Gini of {symbol}", symbol=symbol)
    slips = (entropy_slips if is_entropy else gini_slips)(stats, formulas.known)
    return (*counts, cell_of(quantity, recorded, says, _ENTROPY if is_entropy else _GINI, slips))


def count_cell(name: str, what: str, symbol: str, value: float) -> Cell:
    """A number of rows to be counted."""
    return Cell(name, message("number of rows of {symbol}: {what}", symbol=symbol, what=what), value)


def _totals(formulas: CandidateFormulas) -> Iterator[Cell]:
    """The impurity that remains, and the decrease."""
    candidate, own, before = formulas.candidate, formulas.own, formulas.node.impurity
    impurities = [candidate.impurities[i] for i in formulas.after(own)]
    weights = [weight for weight in candidate.weights if weight > 0]
    in_bits = own == "entropy"
    remaining = formulas.conditional_entropy() if in_bits else _weighted_gini(formulas)
    letter = "H" if in_bits else "Gini"
    slips = [*weighting_slips(impurities, weights, before), *(log_slips(remaining.value) if in_bits else ())]
    says = message("conditional entropy") if in_bits else message("weighted Gini of the branches")
    yield cell_of(remaining, remaining.value, says, f"{remaining.symbol} = Σ |Dᵢ|/|D|·{letter}(Dᵢ)", slips)
    gain = formulas.information_gain() if in_bits else formulas.gain(own)
    slips = [*decrease_slips(impurities, weights, before), *(log_slips(candidate.gain) if in_bits else ())]
    says = message("information gain") if in_bits else message("Gini decrease")
    yield cell_of(gain, candidate.gain, says, f"{gain.symbol} = {letter}(D) − {remaining.symbol}", slips)


def _weighted_gini(formulas: CandidateFormulas) -> Quantity:
    after = formulas.after("gini")
    terms = [ratio(formulas.candidate.weights[i], formulas.known) * gini for i, gini in after.items()]
    return Quantity("Gini(D|A)", r"\operatorname{Gini}(D \mid A)", total(terms))


def _ratio_cells(formulas: CandidateFormulas) -> tuple[Cell, Cell]:
    """Split information and gain ratio."""
    candidate, before = formulas.candidate, formulas.node.impurity
    information, gain = formulas.split_information(), formulas.information_gain()
    weights = [weight for weight in candidate.weights if weight > 0]
    divided = formulas.named(word_symbol(message("gain ratio")), gain / information)
    recorded = divided.value if candidate.gain_ratio is None else candidate.gain_ratio
    return (
        cell_of(
            information,
            candidate.split_info,
            message("split information"),
            f"{information.symbol} = −Σ |Dᵢ|/|D|·log₂ |Dᵢ|/|D|",
            split_information_slips(weights, before),
        ),
        cell_of(
            divided,
            recorded,
            message("gain over split information"),
            f"{divided.symbol} = {gain.symbol}/{information.symbol}",
            ratio_slips(candidate.gain, candidate.split_info, before),
        ),
    )
