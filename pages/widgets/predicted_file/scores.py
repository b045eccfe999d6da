"""The score of a file's rows beside the baseline and the validation rows, and whether they differ by chance."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

import explorer as ex
from explorer import formatting
from explorer.evaluation.deciding.second_scores import AtThreshold, SecondScores, second_scores
from explorer.evaluation.evaluation import Evaluation
from explorer.explaining.predict_table import KnownScore
from explorer.messages import message, plural
from explorer.recipe.class_weights import Floats
from pages.results.cache import kept
from pages.settings import session
from pages.settings.page_settings import PROFITS
from pages.text import chance, escape_markdown, number, numbers_in_markdown, score_name, score_text


@kept()
def of_rows(key: str, _tree: ex.Tree, _valid: ex.Dataset | None, _rows: pd.DataFrame, _truth: Floats) -> SecondScores:
    """The scores of rows as a tree reads them; `key` names tree, rows and validation rows."""
    return second_scores(_tree, _valid, _rows, _truth)


def show(score: KnownScore, found: SecondScores | None, is_regression: bool) -> None:
    """The score, its baseline and that of the validation rows, and what the difference is."""
    name = "mse" if is_regression else "accuracy"
    with st.container(key="file_score"):
        st.metric(score_name(is_regression).capitalize(), score_text(score.value, is_regression), width="content")
        st.metric(_baseline_name(score, is_regression), score_text(score.baseline, is_regression), width="content")
        if found is not None and found.of_validation is not None:
            value = found.of_validation.scores[name].value
            st.metric(message("Validation rows"), score_text(value, is_regression), width="content")
    sentences = [
        plural(score.n_rows, "On the {n:,} row whose target is known.", "On the {n:,} rows whose target is known.")
    ]
    if found is not None and found.of_validation is not None:
        sentences.append(_comparison(found, name, is_regression))
    st.caption(" ".join(sentences))
    if found is not None and not is_regression:
        st.caption(_others(found))
        if found.at_threshold is not None:
            _show_at_threshold(found.at_threshold)


def _show_at_threshold(found: AtThreshold) -> None:
    """Recall, precision and, where the reader has set what rows bring, profit of both tables at the threshold."""
    lines = [["", message("these rows"), message("validation rows"), "p"]]
    for name, share in ((message("recall"), found.recall), (message("precision"), found.precision)):
        lines.append([name, _share(share.now), _share(share.before), _p(share.p_value)])
    profits = session.read().evaluate.profits
    if profits != PROFITS:
        before, now = found.profits((profits[0], profits[1], profits[2], profits[3])).tolist()
        lines.append(
            [message("profit a row"), *("–" if math.isnan(each) else number(each) for each in (now, before)), ""]
        )
    st.markdown(numbers_in_markdown(lines))
    sentences = [
        escape_markdown(found.decision.sentence),
        message("Accuracy is not its aim, and it may lower it."),
        message("p: {test}; – where rows are too few.", test=message("χ² test of two shares")),
    ]
    st.caption(" ".join(sentences))


def _share(share: float) -> str:
    return "–" if math.isnan(share) else formatting.percent(share)


def _p(p_value: float) -> str:
    return "–" if math.isnan(p_value) else chance(p_value).removeprefix("= ")


def _comparison(found: SecondScores, name: str, is_regression: bool) -> str:
    """Whether the tree is as good on these rows as on the validation rows, with the test that says so."""
    assert found.of_validation is not None
    if found.p_value != found.p_value:
        return message("Too few rows to compare with the validation rows.")
    now, before = found.of_rows.scores[name].value, found.of_validation.scores[name].value
    test = message("z-test of two means") if is_regression else message("χ² test of two shares")
    fields = {"test": test, "p": chance(found.p_value)}
    if not found.is_beyond_chance:
        return message("No difference from the validation rows beyond chance ({test}, p {p}).", **fields)
    if (now > before) == is_regression:
        return message(":orange[Worse than on the validation rows, beyond chance] ({test}, p {p}).", **fields)
    return message("Better than on the validation rows, beyond chance ({test}, p {p}).", **fields)


def _others(found: SecondScores) -> str:
    """AUC and Brier score, and those of the validation rows."""
    both = message("AUC {auc}, Brier score {brier}.", **_values(found.of_rows))
    if found.of_validation is None:
        return both
    return f"{both} {message('Validation rows: AUC {auc}, Brier score {brier}.', **_values(found.of_validation))}"


def _values(scores: Evaluation) -> dict[str, str]:
    auc = scores.scores.get("auc")
    return {"auc": "–" if auc is None else number(auc.value), "brier": number(scores.scores["brier"].value)}


def _baseline_name(score: KnownScore, is_regression: bool) -> str:
    if score.of_rows:
        return message("Mean of these rows") if is_regression else message("Majority of these rows")
    return message("Mean baseline") if is_regression else message("Majority baseline")
