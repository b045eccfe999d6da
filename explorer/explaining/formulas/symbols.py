"""What the symbols of a formula stand for, in plain text; names from a table appear nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.explaining.formulas.expression import Number
from explorer.formatting import number, value_text, visible
from explorer.messages import listing, message, plural
from explorer.recipe.impurity import IMPURITIES
from explorer.tree.tree import Tree

Pair = tuple[str, str]


def word_symbol(word: str) -> Pair:
    r"""A word as the symbol of a quantity, in text and in LaTeX.

    >>> print(*word_symbol("margin"))
    margin \text{margin}
    """
    return word, rf"\text{{{word}}}"


def counts_text(tree: Tree, stats: Sequence[float]) -> str:
    """The rows behind a symbol: their weight by class, or their number n, mean ȳ (quantile ỹ) and total loss.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> counts_text(tree, tree.node(0).stats.tolist())
    'No: 5, Yes: 9'
    """
    if tree.is_regression:
        weight, mean, squares = stats
        impurity = IMPURITIES[tree.recipe.impurity_for(True)]
        loss = f"{impurity.loss_symbol[0]} = {impurity.loss}"
        if not tree.counts_rows:
            return message(
                "weight {weight}, {sign} = {mean}, {loss} = {squares}",
                weight=exactly(weight),
                sign=impurity.predicted,
                mean=number(mean),
                loss=loss,
                squares=number(squares),
            )
        return plural(
            weight,
            "{weight} row, {sign} = {mean}, {loss} = {squares}",
            "{weight} rows, {sign} = {mean}, {loss} = {squares}",
            weight=exactly(weight),
            sign=impurity.predicted,
            mean=number(mean),
            loss=loss,
            squares=number(squares),
        )
    named = [f"{visible(value_text(name))}: {exactly(w)}" for name, w in zip(tree.classes, stats, strict=True) if w > 0]
    return listing(named) or message("no rows")


def exactly(weight: float) -> str:
    """A count as formulas print it.

    >>> exactly(9.0), exactly(5 / 13)
    ('9', '5/13')
    """
    return Number(weight).written(latex=False, unfold=False)


def remarks_on(tree: Tree, counts: Sequence[float]) -> tuple[str, ...]:
    """A remark where counts are not numbers of rows."""
    if tree.class_factors is None:
        return remarks_on_rows(counts)
    return (message("Counts are weighted: each row counts with its class weight, which costs may set."),)


def remarks_on_rows(counts: Sequence[float]) -> tuple[str, ...]:
    """The same for counts that are row weights, whatever weights the tree is grown with."""
    if all(float(count).is_integer() for count in counts):
        return ()
    return (message("Counts are sums of row weights, so a row may count as a fraction."),)
