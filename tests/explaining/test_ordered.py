"""Ordered levels: split as their ranks are, worded as levels, read alike by trees, exports, saved trees and reports."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.explaining import path_words, rule_terms
from explorer.explaining.predict_table import predict_table
from explorer.explaining.row_form import cells_at, inputs, row_of
from explorer.explaining.rules.matching import Rows
from explorer.tree.serialize import fields_from_dict
from tests.oracles import exported_code

LEVELS = ("tiny", "small, or so", "medium", "NA", "huge")
RECIPES = {
    "cart": ex.CART,
    "surrogates": ex.CART.replace(missing="surrogate"),
    "c45": ex.C45,
    "own branch": ex.CART.replace(missing="own_branch"),
    "heaviest": ex.CART.replace(unseen="heaviest", missing="most_common"),
    "fractional": ex.C45.replace(unseen="fractional"),
    "bins": ex.CART.replace(numeric="bins", categorical="each_value", bins=3),
    "each value": ex.CART.replace(numeric="each_value", categorical="each_value"),
}


def words(seed: int, missing: float = 0.15) -> pd.DataFrame:
    """A level, a number and a category that decide on three classes, each with missing cells."""
    draw = np.random.default_rng(seed)
    rank, x, colour = draw.integers(0, 5, 90), draw.normal(size=90).round(1), draw.choice(["red", "blue"], 90)
    y = np.where(rank + x > 2.5, "a", np.where(colour == "red", "b", "c"))
    size = np.array(LEVELS, dtype=object)[rank]
    frame = pd.DataFrame({"size": size, "x": x, "colour": colour.astype(object), "y": y})
    for name in ("size", "x", "colour"):
        frame.loc[draw.random(90) < missing, name] = None
    return frame


def ranked(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(size=frame["size"].map(dict(zip(LEVELS, range(1, 6), strict=True))))


def grown(frame: pd.DataFrame, recipe: ex.Recipe) -> tuple[ex.Dataset, ex.Tree]:
    data = ex.Dataset.from_frame(frame, "y", kinds={"size": ex.Ordered(LEVELS)})
    return data, ex.grow(data, recipe)


@pytest.mark.law
@given(seed=st.integers(0, 10_000), name=st.sampled_from(list(RECIPES)), missing=st.sampled_from([0.0, 0.2]))
def test_a_tree_of_levels_is_that_of_their_ranks(seed: int, name: str, missing: float) -> None:
    frame, new = words(seed, missing), words(seed + 1)
    data, tree = grown(frame, RECIPES[name])
    of_ranks = ex.grow(ex.Dataset.from_frame(ranked(frame), "y", kinds={"size": "numeric"}), RECIPES[name])
    assert data.features[0].type == "ordered"
    for rows, numbers in ((frame, ranked(frame)), (new, ranked(new))):
        assert np.array_equal(tree.predict_proba(rows), of_ranks.predict_proba(numbers))
        assert np.array_equal(tree.apply(rows), of_ranks.apply(numbers))
    assert np.array_equal(tree.predict_proba(data), tree.predict_proba(frame))


@pytest.mark.parametrize("name", RECIPES)
def test_every_export_predicts_the_same(name: str) -> None:
    _, tree = grown(words(1), RECIPES[name])
    rows = words(2)
    rows.loc[::7, "size"] = "vast"
    assert "size" in {term.feature for leaf in tree.leaves().tolist() for term in rule_terms(tree, leaf)}
    for run in (exported_code.by_python, exported_code.by_sql, exported_code.by_duckdb):
        exported_code.assert_same_predictions(tree, rows, run)


@pytest.mark.parametrize("recipe", [name for name in RECIPES if name != "each value"])
def test_words_select_the_rows_of_each_leaf(recipe: str) -> None:
    frame = words(3, missing=0.0)
    data, tree = grown(frame, RECIPES[recipe])
    ends, place = (
        tree.apply(frame),
        {text: i for i, text in enumerate(("tiny", '"small, or so"', "medium", "NA", "huge"))},
    )
    n_checked = 0
    for leaf in tree.leaves().tolist():
        for term in rule_terms(tree, leaf):
            if term.feature != "size":
                continue
            text = term.words
            low = next(
                (rank for name, rank in place.items() if text.startswith(f"{name} < ") or text.endswith(f"> {name}")),
                -1,
            )
            high = next((rank for name, rank in place.items() if text.endswith(f"≤ {name}")), 4)
            alone = next((rank for name, rank in place.items() if text == f"size = {name}"), None)
            if alone is not None:
                low, high = alone - 1, alone
            assert (low, high) != (-1, 4), text
            is_between = " < size ≤ " in text or recipe == "bins"
            assert not (is_between and high - low == 1 and alone is None), "one level is named alone"
            ranks = frame["size"].map({level: i for i, level in enumerate(LEVELS)})[ends == leaf]
            assert ((ranks > low) & (ranks <= high)).all(), text
            n_checked += 1
    assert n_checked > 2
    assert data.columns[0].kind == "ordered"


@pytest.mark.parametrize("name", RECIPES)
def test_rules_are_fulfilled_by_the_rows_that_the_tree_sends_there(name: str) -> None:
    _, tree = grown(words(3), RECIPES[name])
    rules, new = ex.rules(tree), words(4)
    new.loc[:5, "size"] = "unheard of"
    whole = (np.bincount(tree.routes(new)[0], minlength=len(new)) == 1) & tree.is_leaf[tree.apply(new)]
    assert rules.predict(new)[whole].tolist() == tree.predict(new)[whole].tolist()
    for index, match in Rows(tree, new).matches([rule.steps for rule in rules.rules]):
        ends = rules.rules[index].leaves
        wholly = match.rows[whole[match.rows]]
        assert wholly.tolist() == np.flatnonzero(whole & np.isin(tree.apply(new), ends)).tolist()


def test_an_unknown_level_follows_the_rule_of_unseen_categories() -> None:
    frame = pd.DataFrame({"size": list("SSSMLLLL"), "y": list("aaaabbbb")})
    data = ex.Dataset.from_frame(frame, "y", kinds={"size": ex.Ordered(["S", "M", "L"])})
    row = pd.DataFrame({"size": ["XXL", None, "M"]})
    stays, moves = ex.grow(data, ex.CART.replace(unseen="node")), ex.grow(data, ex.CART.replace(unseen="heaviest"))
    assert path_words(stays, 1) == ["size ≤ M"]
    assert stays.apply(row).tolist()[::2] == [0, 1]
    assert moves.apply(row).tolist()[::2] == [1, 1]
    notes = [note.text for note in predict_table(stays, data, row).notes]
    assert any("'XXL'" in text and "not seen in training" in text for text in notes)


@pytest.mark.parametrize("name", RECIPES)
def test_a_saved_tree_keeps_the_levels(name: str) -> None:
    frame = words(4)
    _, tree = grown(frame, RECIPES[name])
    again = ex.Tree(**fields_from_dict(json.loads(json.dumps(tree.to_dict()))))
    assert again.features == tree.features
    assert np.array_equal(again.predict_proba(frame), tree.predict_proba(frame))
    assert [path_words(again, leaf) for leaf in again.leaves()] == [path_words(tree, leaf) for leaf in tree.leaves()]


@pytest.mark.parametrize("levels", [[], ["one"], ["a", "a"], [None, "a"], "ab"])
def test_a_saved_tree_with_damaged_levels_is_refused(levels: object) -> None:
    content = grown(words(4), ex.CART)[1].to_dict()
    content["features"][0] |= {"levels": levels}
    with pytest.raises(ex.InputError):
        fields_from_dict(content)


@pytest.mark.parametrize("name", ["cart", "surrogates", "own branch", "heaviest", "bins"])
def test_a_proposed_level_changes_the_prediction(name: str) -> None:
    data, tree = grown(words(5), RECIPES[name])
    rows = words(6).drop(columns="y")
    rows.loc[::5, "size"] = "vast"
    n_changed = 0
    for i in range(30):
        row = rows.iloc[[i]].reset_index(drop=True)
        found = ex.flip(tree, data, row)
        alone = pd.concat([row.assign(size=level) for level in LEVELS])
        if (tree.predict(alone) != tree.predict(row)[0]).any():
            assert found is not None
            assert len(found.changes) == 1
        if found is None:
            continue
        changed = row.astype(object)
        for change in found.changes:
            changed.loc[0, change.feature] = change.new
            n_changed += change.feature == "size"
            assert change.feature != "size" or change.new in LEVELS
        changed = changed.astype({"x": float})
        assert tree.predict(changed)[0] != tree.predict(row)[0]
    assert n_changed > 0


def test_the_form_of_a_row_offers_the_levels() -> None:
    frame = pd.DataFrame({"size": list("SSMLL"), "y": list("aaabb")})
    data = ex.Dataset.from_frame(frame, "y", kinds={"size": ex.Ordered([*"SML", "XL"])})
    tree = ex.grow(data, ex.CART)
    (field,) = inputs(tree, data)
    assert (field.categories, field.usual, field.is_numeric) == (("S", "M", "L", "XL"), "M", False)
    assert tree.predict(row_of([field], cells_at(data, 3))).tolist() == ["b"]
    assert tree.predict(row_of([field], {"size": "XL"})).tolist() == ["b"]


def test_types_that_have_an_order_can_be_taken_by_it() -> None:
    cells, y = ["M", "S", "L", "S", None, "L"], list("babacb")
    of_pandas = pd.DataFrame({"size": pd.Categorical(cells, list("SML"), ordered=True), "y": y})
    of_polars = pl.DataFrame({"size": pl.Series(cells, dtype=pl.Enum(list("SML"))), "y": y})
    coded = pa.DictionaryArray.from_arrays(pa.array([1, 0, 2, 0, None, 2]), pa.array(list("SML")), ordered=True)
    wanted = ex.Dataset.from_frame(
        pd.DataFrame({"size": cells, "y": y}), "y", kinds={"size": ex.Ordered("SML"[i] for i in range(3))}
    )
    for frame in (of_pandas, of_polars, pa.table({"size": coded, "y": y})):
        data = ex.Dataset.from_frame(frame, "y", kinds={"size": "ordered"})
        assert data.fingerprint == wanted.fingerprint


def test_what_is_no_order_is_refused() -> None:
    frame = pd.DataFrame({"size": ["S", "M", "XXL"], "y": ["a", "b", "a"]})
    with pytest.raises(ex.InputError, match="Column 'size' has 'XXL', not in the order given for it"):
        ex.Dataset.from_frame(frame, "y", kinds={"size": ex.Ordered(["S", "M", "L"])})
    with pytest.raises(ex.InputError, match="Column 'size' has no order of its own"):
        ex.Dataset.from_frame(frame, "y", kinds={"size": "ordered"})
    for levels in (["S"], ["S", "S"], "SML"):
        with pytest.raises(ex.InputError, match="needs two levels or more, each once"):
            ex.Ordered(levels)


def test_an_ordered_target_has_its_levels_as_classes_in_order() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "y": ["high", "low", "high"]})
    assert ex.Dataset.from_frame(frame, "y", kinds={"y": ex.Ordered(["low", "high"])}).classes == ("low", "high")


def test_id3_takes_levels_for_categories() -> None:
    frame = pd.DataFrame({"size": list("SSMLL"), "y": list("aaabb")})
    data = ex.Dataset.from_frame(frame, "y", kinds={"size": ex.Ordered(list("SML"))})
    assert ex.grow(data, ex.ID3.replace(numeric="leave_out")).condition(0).branches == (("S",), ("M",), ("L",))


def test_the_script_of_a_report_names_the_levels() -> None:
    frame = words(7)
    kinds = {"size": ex.Ordered(LEVELS)}
    data = ex.Dataset.from_frame(frame, "y", kinds=kinds)
    tree = ex.grow(data, ex.CART)
    script = ex.to_script(ex.Provenance(ex.Table(frame, (), "sizes.csv"), data, tree, (data,), kinds=kinds))
    assert "ex.Ordered(['tiny', 'small, or so', 'medium', 'NA', 'huge'])" in " ".join(script.split())


def test_dependence_on_levels_has_a_step_for_each() -> None:
    data, tree = grown(words(8, missing=0.0), ex.CART)
    steps = ex.partial_dependence(tree, "size", data)
    assert steps.values == LEVELS
    for level, mean in zip(LEVELS, steps.means, strict=True):
        set_to = data.frame.assign(size=level)
        assert np.allclose(mean, tree.predict_proba(set_to).mean(axis=0))


def test_levels_are_part_of_what_a_table_is_told_by() -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L", "S"], "y": list("abab")})
    prints = {
        ex.Dataset.from_frame(frame, "y", kinds={"size": ex.Ordered(levels)}).fingerprint
        for levels in (["S", "M", "L"], ["S", "M", "L", "XL"], ["L", "M", "S"])
    }
    assert len(prints) == 3
    assert replace(ex.Dataset.from_frame(frame, "y")).fingerprint not in prints
