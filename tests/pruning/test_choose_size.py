"""The one-standard-error rule by hand, and the two sentences that say why a tree has its size."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import InputError
from explorer.pruning import SizeFacts, one_se_position, why_this_size
from explorer.pruning.cost_complexity.choose_size import size_lines

FEW = SizeFacts(
    leaves=3,
    score=0.929,
    metric="accuracy",
    how="cross-validation",
    count=10,
    baseline=0.643,
    best_leaves=5,
    best_score=0.95,
    full_leaves=12,
    full_score=0.9,
    mine="one_se",
    alpha_from=2 / 35,
    alpha_to=113 / 980,
    one_se_leaves=3,
    one_se_score=0.929,
    standard_error=0.025,
)


@pytest.mark.parametrize(
    ("leaves", "means", "errors", "expected"),
    [
        ([5, 3, 2, 1], [0.20, 0.10, 0.14, 0.30], [0.0, 0.05, 0.0, 0.0], 2),
        ([5, 3, 2, 1], [0.20, 0.10, 0.16, 0.30], [0.9, 0.05, 0.9, 0.9], 1),
        ([5, 3, 2, 1], [0.20, 0.10, 0.16, 0.15], [0.0, 0.05, 0.0, 0.0], 3),
        ([5, 1], [0.10, 0.15], [0.05, 0.0], 1),
        ([7], [0.4], [0.1], 0),
    ],
    ids=["near enough", "only the error of the best counts", "past a hill", "just within", "alone"],
)
def test_the_fewest_leaves_within_one_error_of_the_best(leaves, means, errors, expected):
    assert one_se_position(leaves, means, errors) == expected
    assert one_se_position(leaves, [1 - mean for mean in means], errors, higher_is_better=True) == expected


def test_it_is_never_a_larger_tree_than_the_best():
    # trees of 9 and 6 leaves are within 0.2 of the best, which has 2: the first one within would be the largest
    assert one_se_position([9, 6, 2, 1], [0.15, 0.12, 0.10, 0.50], [0.2] * 4) == 2
    assert one_se_position([9, 6, 2, 1], [0.10, 0.10, 0.10, 0.50], [0.0] * 4) == 2, "of equal ones the smallest"


@given(st.data(), st.booleans())
def test_the_law_of_one_standard_error(data, higher):
    size = data.draw(st.integers(1, 8))
    tenths = st.lists(st.integers(0, 10).map(lambda n: n / 10), min_size=size, max_size=size)
    losses, errors = np.array(data.draw(tenths)), np.array(data.draw(tenths))
    leaves = np.sort(data.draw(st.lists(st.integers(1, 50), min_size=size, max_size=size, unique=True)))[::-1]
    best = np.flatnonzero(losses == losses.min())[-1]
    chosen = one_se_position(leaves, -losses if higher else losses, errors, higher)
    within = losses <= losses[best] + errors[best] + 1e-9
    assert chosen == np.flatnonzero(within)[-1]
    assert leaves[chosen] <= leaves[best]


def said(facts):
    """The sentences; there are two, whatever the facts."""
    text = why_this_size(facts)
    sentences = re.split(r"(?<=\.) ", text)
    assert len(sentences) == 2
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)
    assert not re.search(r"None|nan|inf|(?<![ep])-", text.replace("-fold", "").replace("cross-", ""))
    return text


def test_the_smallest_within_one_standard_error():
    assert said(FEW) == (
        "With α from 0.05714 up to 0.1153: 3 leaves, accuracy 92.9 % by 10-fold cross-validation (majority baseline "
        "64.3 %); it is the smallest within one standard error (2.5 points) of the best, which has "
        "5 leaves and 95.0 %. The full tree has 12 leaves and 90.0 %, so the smaller tree is better by 2.9 points, "
        "where one standard error of the best score is 2.5 points."
    )


def test_the_best_on_one_validation_set_has_no_standard_error():
    plain = replace(FEW, mine="best", how="validation", count=1234, standard_error=None, one_se_leaves=None,
                    one_se_score=None, best_leaves=3, best_score=0.929)  # fmt: skip
    text = said(plain)
    assert "on 1,234 validation rows" in text
    assert "no tree of the sequence scores better, and it is the smallest with this score" in text
    assert text.endswith(
        "so this one is 2.9 points better, but one validation set does not show how much of that is chance."
    )
    assert "within one standard error" not in text


@pytest.mark.parametrize(("full", "verdict"), [(0.91, "better"), (0.945, "worse")])
def test_a_difference_within_one_error_is_called_that(full, verdict):
    text = said(replace(FEW, full_score=full))
    assert "that is within one standard error" in text
    assert f"not shown to be {verdict}" in text


def test_a_difference_is_that_of_the_scores_shown():
    """79.66 − 79.54 = 0.12; with one decimal, 79.7 and 79.5 would be said to differ by 0.1."""
    close = replace(FEW, mine="best", best_leaves=3, score=0.7966, best_score=0.7966, full_score=0.79542)
    text = said(close)
    assert "accuracy 79.66 % by" in text
    assert "12 leaves and 79.54 %, a difference of 0.12 points" in text
    assert size_lines(close)[1].endswith("3 leaves, 79.7 %"), "one decimal as everywhere, where no difference is shown"
    text = said(replace(close, full_score=0.79451))
    assert "accuracy 79.7 % by" in text
    assert "79.5 %, a difference of 0.2 points" in text


def test_by_hand_has_no_alpha():
    text = said(replace(FEW, mine="by_hand"))
    assert text.startswith("Pruned by hand: 3 leaves")
    assert "α" not in text
    assert "the best of the sequence has 5 leaves and 95.0 %, the smallest within one standard error of it" in text


def test_the_root_the_full_tree_and_equal_scores():
    assert ": 1 leaf, accuracy" in said(replace(FEW, leaves=1, mine="neither", alpha_to=np.inf))
    assert "α from 0.05714 on" in said(replace(FEW, leaves=1, mine="neither", alpha_to=np.inf))
    assert "the full tree with all its 12 leaves, so nothing was pruned" in said(replace(FEW, leaves=12, mine="best"))
    assert "12 leaves and 92.9 % as well" in said(replace(FEW, full_score=0.929))


def test_a_tree_no_better_than_none_is_reported():
    assert "(no better than the majority baseline, 64.3 %)" in said(replace(FEW, score=0.643, mine="neither"))
    numbers = replace(FEW, metric="mse", score=70.0, baseline=61.0, best_score=12.5, full_score=14.0,
                      mine="neither", one_se_score=13.0, standard_error=1.25)  # fmt: skip
    assert "mean squared error 70 by" in said(numbers)
    assert "(worse than the mean baseline, 61)" in said(numbers)
    assert "(no better than the mean baseline, 70)" in said(replace(numbers, baseline=70.0))
    assert "(worse than the majority baseline, 64.3 %)" in said(replace(FEW, score=0.0, mine="neither"))
    assert "the smaller tree is worse by 56, where one standard error of the best score is 1.25" in said(numbers)


def test_best_and_one_error_may_be_one_tree():
    same = replace(FEW, mine="best", best_leaves=3, best_score=0.929)
    assert "and no smaller one comes within one standard error (2.5 points)" in said(same)
    other = replace(FEW, mine="best", leaves=5, score=0.95)
    assert "though one with 3 leaves and 92.9 % is within one standard error" in said(other)
    assert "by leave-one-out over 14 rows" in said(replace(FEW, how="leave-one-out", count=14))
    assert "by leave-one-group-out over 6 groups" in said(replace(FEW, how="leave-one-group-out", count=6))
    assert "by 5 rolling folds" in said(replace(FEW, how="rolling", count=5))


def test_unknown_words_are_refused():
    with pytest.raises(InputError, match="explained as one of"):
        why_this_size(replace(FEW, mine="luck"))


@given(st.sampled_from(["accuracy", "error", "mse", "log_loss", "auc"]), st.sampled_from(["best", "one_se", "neither"]),
       st.integers(1, 12), st.sampled_from([None, 0.0, 0.1]), st.floats(0, 1), st.floats(0, 1))  # fmt: skip
def test_there_are_always_two_sentences(metric, mine, leaves, error, score, full):
    near = {"one_se_leaves": None, "one_se_score": None} if error is None else {}
    said(
        replace(
            FEW, metric=metric, mine=mine, leaves=leaves, standard_error=error, score=score, full_score=full, **near
        )
    )


def test_the_full_tree_before_what_costs_nothing_is_taken_back():
    text = said(replace(FEW, alpha_from=0.0, alpha_to=0.0, mine="neither"))
    assert text.startswith("Unpruned, with the splits that reduce no risk: 3 leaves")


def test_a_small_alpha_is_written_out():
    assert "With α from 0.00005935 up to 0.0001: 3 leaves" in said(replace(FEW, alpha_from=5.935e-5, alpha_to=1e-4))
