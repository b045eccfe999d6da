"""Trees with everything that led to them, as the pages hand them to their reports."""

import dataclasses
from pathlib import Path

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.evaluation.folds import one_left_out
from tests.oracles.repairs import apply_all


def provenance(key, recipe, shares=(), seed=0, alpha=None, hand=(), risk="impurity", **more):
    """A built-in table, grown and pruned as the pages do it."""
    sample, table = SAMPLES[key], ex.load_sample(key)
    features = more.pop("features", sample.features)
    data = ex.Dataset.from_frame(table.frame, sample.target, features=features, kinds=sample.kinds)
    facts = {"sample": key, "kinds": sample.kinds, "shares": shares, "seed": seed}
    return grown(table, data, recipe, alpha, hand, risk, **(facts | more))


def grown(table, data, recipe, alpha=None, hand=(), risk="impurity", shares=(), seed=0, choices=None, **more):
    parts = data.split(*shares, seed=seed) if shares else (data,)
    if "split_times" in more:
        parts = data.split_at(*more["split_times"])
    if "split_column" in more:
        parts = data.split_by(more["split_column"], more["split_values"])
    tree = ex.grow(parts[0], recipe, parts[1] if recipe.prepruning else None, choices=choices)
    if alpha is not None:
        path = ex.cost_complexity_path(tree, risk=risk)
        tree = tree.with_pruned(ex.pruned_at(path, path.position(alpha)))
    tree = PRUNE[more.get("method")](tree, parts, **more.get("options", {}))
    tree = ex.prune_by_hand(tree, hand)
    return ex.Provenance(table, data, tree, parts, shares=shares, seed=seed, alpha=alpha, hand=hand, risk=risk, **more)


PRUNE = {
    None: lambda tree, parts: tree,
    "reduced_error": lambda tree, parts, **options: ex.reduced_error_prune(tree, parts[1], **options),
    "pessimistic": lambda tree, parts, **options: ex.pessimistic_prune(tree, train=parts[0], **options),
    "mdl": lambda tree, parts: ex.mdl_prune(tree, parts[0]),
}


def cross_validated(known, fold_seed=None, folds=5, metric=None):
    """The same with the cross-validation of its sequence, or every row left out once."""
    train, recipe = known.train, known.tree.recipe
    assigned = {"folds": one_left_out(train)} if fold_seed is None else {"folds": folds, "seed": fold_seed}
    valid = known.parts[1] if recipe.prepruning else None
    more = {"risk": known.risk, "metric": metric, "choices": known.tree.choices, "validation": valid}
    folded = ex.cross_validate_path(train, recipe, **assigned, **more)
    return dataclasses.replace(known, folded=folded, fold_seed=fold_seed)


def own_file(folder: Path, name="my table (1).csv"):
    """A file of one's own, with names that a script has to quote and a column that does not count."""
    text = 'who,it\'s "odd",天气,grade\n' + "".join(
        f"p{i},{i % 7},{'晴雨雪'[i % 3]},{'yes' if i % 7 > 3 or i % 3 == 2 else 'no'}\n" for i in range(60)
    )
    folder.joinpath(name).write_text(text, "utf-8")
    table = ex.read_table(text.encode(), name=name)  # as an upload comes: bytes and a name
    kinds = {'it\'s "odd"': "categorical"}
    data = ex.Dataset.from_frame(table.frame, "grade", kinds=kinds)
    return grown(table, data, ex.CART.replace(min_rows_leaf=2), shares=(0.6, 0.2), seed=3, kinds=kinds)


def repaired(folder: Path, name="untidy loans.csv"):
    """A file whose columns are repaired first: money, dates, levels, spellings, codes for missing, a total."""
    lines = ["amount;when;risk;town;rate;state"]
    for i in range(1, 91):
        state = "paid" if (i % 7 > 2) ^ (i % 5 == 0) else "default"
        risk, town = ("low", "Medium", "high")[i % 7 // 3], ("Bonn", "bonn ", "Köln")[i % 3]
        rate = -999 if i % 11 == 0 else i % 13
        lines.append(f"${1 + i % 17},{100 + i:03d}.50;{i % 28 + 1}.{i % 12 + 1}.2023;{risk};{town};{rate};{state}")
    text = "\n".join([*lines, "Total;;;;;"]) + "\n"
    folder.joinpath(name).write_text(text, "utf-8")
    table = apply_all(ex.read_table(text.encode(), name=name))
    data = ex.Dataset.from_frame(table.frame, "state")
    return grown(table, data, ex.CART.replace(min_rows_leaf=2), shares=(0.7,), seed=1)


def decided():
    """Titanic with a custom threshold and grouping, a leaf, a forbidden feature, and a constraint without effect."""
    plain = provenance("titanic", ex.CART.replace(max_depth=3), (0.7,)).tree
    choices = ex.Choices().lock(plain.place(plain.children_of(0)[0])).force((), "age", threshold=12.5)
    choices = choices.force((1,), "embarked", categories=["S"]).forbid((0,), "sex")
    return provenance("titanic", ex.CART.replace(max_depth=3), (0.7,), alpha=0.001, choices=choices)


VOTE_COSTS = {"democrat": {"republican": 5.0}}
