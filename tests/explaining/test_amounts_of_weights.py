"""A law of all texts: rows are rows. Where a column weighs them, a sum of weights is never called a number of rows."""

import html
import json
import re

import numpy as np
import pytest

import explorer as ex
from explorer import explaining
from explorer.drawing.figures import class_bar, data_figures, score_figures
from explorer.drawing.palette import LIGHT
from explorer.evaluation.leaf_calibration import leaf_calibration, leaf_sizes
from explorer.explaining.splitting_sentence import splitting_sentence

ROWS = 14
WEIGHTS = [80] * 13 + [84]
"""They add up to 1,124."""
AMOUNT = re.compile(r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)\s+(?:training |validation )?(?:rows?|errors?)\b")
FEATURES = ["Outlook", "Humidity", "Wind", "x"]


def table():
    frame = ex.load_sample("play_tennis").frame.copy()
    return frame.assign(w=WEIGHTS, x=np.arange(ROWS) % 5 + 0.5, y=np.arange(ROWS) % 4 * 1.25)


def amounts_of_rows(text):
    """The numbers that a text calls rows, or errors."""
    plain = html.unescape(str(text)).replace("\N{NO-BREAK SPACE}", " ")
    return [float(number.replace(",", "")) for number in AMOUNT.findall(plain)]


def texts_of_nodes(tree, data, path):
    for node in range(tree.n_nodes_grown):
        at, decision = tree.node(node), ex.decide(tree, data, node)
        yield splitting_sentence(tree, decision, node)
        for best in decision.best.values():
            yield from (derivation.text for derivation in explaining.candidate_formulas(at, best).values())
        formulas = [explaining.chi2_formula(at, decision), explaining.link_formula(path, node)]
        formulas.append(explaining.split_bits_formula(at, decision) if tree.classes else None)
        yield from (formula.text for formula in formulas if formula is not None)


def texts_of_pruning(tree, data):
    given = {"reduced_error": (data, "bottom_up"), "pessimistic": (), "mdl": ()}
    options = {"confidence": 0.25, "limit": "release8"}
    for method, arguments in given.items():
        if tree.classes or method == "reduced_error":
            steps = getattr(ex, f"{method}_steps")(tree, *arguments)
            for index, step in enumerate(steps):
                yield step.text
                yield explaining.step_formula(method, tree, steps, index, data, options).text
    if tree.classes:
        yield from (step.text for step in ex.pessimistic_steps(tree, raising=True, train=data))


def texts_of_figures(tree, data):
    calibration = leaf_calibration(tree, data)
    yield json.dumps(
        score_figures.calibration_figure(calibration, 0, "y", "#000000", LIGHT).to_plotly_json(), default=str
    )
    labels = tree.labels[leaf_sizes(tree).nodes].tolist() if tree.classes else []
    yield json.dumps(
        score_figures.leaf_size_figure(leaf_sizes(tree), labels, tree.classes, LIGHT).to_plotly_json(), default=str
    )
    if tree.classes:
        stats = tree.stats[0]
        yield class_bar.class_bar(tree.classes, stats, LIGHT, tree.counts_rows)
        yield data_figures.share_bar(tree.classes, stats, LIGHT, tree.counts_rows).to_json()


def texts(tree, data):
    yield from texts_of_nodes(tree, data, ex.cost_complexity_path(tree))
    yield from texts_of_pruning(tree, data)
    yield from texts_of_figures(tree, data)
    yield from (ex.row_path(tree, data.take([row])).sentence for row in range(ROWS))
    yield from (make(tree) for make in (ex.to_text, ex.to_dot, ex.to_svg))
    yield from (rule.finding for rule in ex.rules(tree))


@pytest.mark.parametrize(
    ("target", "recipe"),
    [("PlayTennis", ex.ID3), ("PlayTennis", ex.C45), ("PlayTennis", ex.CART.replace(chi2_level=0.99)), ("y", ex.CART)],
    ids=["ID3", "C4.5", "CART", "a number"],
)
def test_a_sum_of_weights_is_never_called_rows(target, recipe):
    weighted = ex.Dataset.from_frame(table(), target, FEATURES, weights="w")
    lines = [line for text in texts(ex.grow(weighted, recipe), weighted) for line in text.splitlines()]
    assert [line for line in lines if max(amounts_of_rows(line), default=0) > ROWS] == []


def test_the_same_texts_name_rows_where_there_is_no_column_of_weights():
    """Else the law above would hold of texts that name nothing."""
    data = ex.Dataset.from_frame(table(), "PlayTennis", FEATURES)
    named = [text for text in texts(ex.grow(data, ex.C45), data) if amounts_of_rows(text)]
    assert len(named) > 30
