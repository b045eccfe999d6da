"""Labels of classes: everything shows them, nothing else changes, and a second file is read by its own values."""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.explaining.predict_table import predict_table
from tests.oracles.bridge import through_json

LABELS = {"0": "died", "1": "survived"}


def titanic(labels=None):
    sample = ex.SAMPLES["titanic"]
    frame = ex.load_sample("titanic").frame
    frame = frame.assign(survived=frame["survived"].map({"no": 0, "yes": 1}).fillna(frame["survived"]).astype(int))
    data = ex.Dataset.from_frame(frame, sample.target, sample.features, {"survived": [0, 1]})
    return data if labels is None else data.with_class_labels(labels)


def test_classes_are_renamed_and_order_and_codes_stay():
    plain, data = titanic(), titanic(LABELS)
    assert plain.classes == (0, 1)
    assert data.classes == ("died", "survived")
    assert data.class_labels == ((0, "died"), (1, "survived"))
    np.testing.assert_array_equal(data.y, plain.y)
    assert data.frame["survived"].tolist() == [("died", "survived")[code] for code in plain.y]
    assert plain.frame["survived"].tolist() == plain.y.tolist(), "the table before stays as it was"


def test_a_tree_is_the_same_but_for_the_names():
    (plain, plain_valid), (data, valid) = titanic().split(0.7), titanic(LABELS).split(0.7)
    first, second = ex.grow(plain, ex.CART.replace(max_depth=5)), ex.grow(data, ex.CART.replace(max_depth=5))
    np.testing.assert_array_equal(first.stats, second.stats)
    assert second.predict(valid).tolist() == [("died", "survived")[code] for code in first.predict(plain_valid)]
    scores, own = (ex.evaluate(tree, part).scores for tree, part in ((first, plain_valid), (second, valid)))
    assert {name: score.value for name, score in scores.items()} == {name: s.value for name, s in own.items()}
    assert ex.evaluate(second, valid).labels == ("died", "survived")


def test_exports_show_the_labels():
    data = titanic({"0": "lost", "1": "alive"})
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    rule_texts = "\n".join(rule.text for rule in ex.rules(tree))
    saved = json.dumps(tree.to_dict())
    for text in (ex.to_python(tree), ex.to_sql(tree), ex.to_text(tree), ex.to_dot(tree), rule_texts, saved):
        assert "alive" in text
        assert "lost" in text
    again = through_json(tree)
    assert again.classes == ("lost", "alive")
    assert again.predict(data).tolist() == tree.predict(data).tolist()


def test_a_second_file_is_read_by_the_values_of_the_first():
    plain, data = titanic(), titanic(LABELS)
    tree, other = (ex.grow(d, ex.CART.replace(max_depth=3)) for d in (data, plain))
    file = plain.frame.iloc[::3]
    labelled, unlabelled = predict_table(tree, data, file), predict_table(other, plain, file)
    assert labelled.score == unlabelled.score
    assert labelled.score.n_rows == len(file)
    assert labelled.frame["prediction"].tolist() == [("died", "survived")[c] for c in unlabelled.frame["prediction"]]
    by_label = predict_table(tree, data, data.frame.iloc[::3])
    assert by_label.score == labelled.score, "a file may hold the labels too"


def test_exchanged_labels_are_read_by_value_first():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "t": list("aabb")})
    data = ex.Dataset.from_frame(frame, "t").with_class_labels({"a": "b", "b": "a"})
    tree = ex.grow(data, ex.CART)
    assert predict_table(tree, data, frame).score.value == 1.0


def test_labels_change_the_fingerprint_and_no_labels_do_not():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "t": ["p", "q", "p", "q"]})
    renamed = frame.assign(t=["yes", "no", "yes", "no"])
    data = ex.Dataset.from_frame(frame, "t")
    labelled = data.with_class_labels({"p": "yes", "q": "no"})
    prints = {d.fingerprint for d in (data, labelled, ex.Dataset.from_frame(renamed, "t"))}
    assert len(prints) == 3
    assert data.with_class_labels({}).fingerprint == data.fingerprint


def test_labels_can_be_changed_again_and_one_class_may_keep_its_name():
    data = titanic({"1": "alive"})
    assert data.classes == (0, "alive")
    again = data.with_class_labels({"alive": "survived", 0: " died "})
    assert (again.classes, again.class_labels) == (("died", "survived"), ((0, "died"), (1, "survived")))


def test_a_note_says_so():
    texts = [note.text for note in titanic(LABELS).notes]
    assert "The classes of 'survived' have labels: 0 → died, 1 → survived." in texts


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"2": "unknown"}, "The target 'survived' has no class '2': it has 0, 1."),
        ({"0": "same", "1": "same"}, "Two classes would have the label 'same'"),
        ({"0": "1"}, "Two classes would have the label '1'"),
        ({"0": "  "}, "The label of class '0'"),
        ({"0": "NA"}, "The label of class '0'"),
        ({"0": 7}, "The label of class '0'"),
    ],
)
def test_impossible_labels_are_refused(labels, words):
    with pytest.raises(ex.InputError, match=words.replace("'", ".")):
        titanic(labels)


def test_numbers_have_no_classes():
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": [0.5, 1.5, 2.5]}), "y", kinds={"y": "numeric"})
    with pytest.raises(ex.InputError, match="numeric and has no classes"):
        data.with_class_labels({"0.5": "low"})
