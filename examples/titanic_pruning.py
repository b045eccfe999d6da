# %% [markdown]
# # Titanic: from a table to a tree that you can defend
#
# An analyst's walk: read a table, see what was assumed about it, grow a full tree, choose its size by a validation set
# and by cross-validation, and hand on the rules and a report. For a table of your own, put `ex.read_table("your.csv")`
# in place of `ex.load_sample("titanic")`.
#
# Run it from the top folder, cell by cell or as a whole: `.venv/bin/python -m examples.titanic_pruning`
# It writes two files into the working folder.

# %%
from pathlib import Path

import explorer as ex

table = ex.load_sample("titanic")
data = ex.Dataset.from_frame(table.frame, target="survived")
print(f"{data.n_rows} rows, features: {', '.join(feature.name for feature in data.features)}")
for note in data.notes:
    print(f"- {note.text}")

# %% [markdown]
# ## Split the rows, then grow
#
# The tree learns from the training set. The validation set is for choosing its size. The test set stays untouched
# until the last cell.

# %%
shares, seed = (0.6, 0.2), 0
train, valid, test = data.split(*shares, seed=seed)
full_tree = ex.grow(train, ex.CART)
print(f"Training set: {train.n_rows} rows. Validation set: {valid.n_rows}. Test set: {test.n_rows}.")
print(f"Full tree: {full_tree.n_leaves} leaves.")

# %% [markdown]
# ## Why the root splits on this feature

# %%
root = ex.decide(full_tree, train, node=0)
print(f"Splits on {root.chosen.condition.text}: Gini decrease {root.chosen.gain:.4f}.")
print(f"Runner-up {root.runner_up.condition.text}: Gini decrease {root.runner_up.gain:.4f}.")

# %% [markdown]
# ## α and the validation curve
#
# Cost-complexity pruning gives one nested sequence of subtrees. The curve scores each of them on the validation set.

# %%
path = ex.cost_complexity_path(full_tree)
curve = path.curve(valid)
best = path.best(curve)
print(f"{len(path)} subtrees. Validation accuracy of the full tree {curve[0]:.1%}, of the root alone {curve[-1]:.1%}.")
print(f"Best: {path.n_leaves[best]} leaves at α = {path.alphas[best]:.5f}, {curve[best]:.1%}.")

# %% [markdown]
# ## Cross-validation
#
# One small validation set is a noisy judge. Ten folds of the training set score every subtree with a standard error;
# the 1-SE rule takes the smallest tree whose error is within one standard error of the best. It runs on the sequence of
# the same training set, so its positions are those of `path`.

# %%
cross_validation = ex.cross_validate_path(train, ex.CART, folds=10, seed=0)
for name, position in (("best", cross_validation.best), ("1-SE", cross_validation.one_se)):
    mean, error = cross_validation.mean[position], cross_validation.standard_error[position]
    print(f"{name}: {path.n_leaves[position]} leaves, accuracy {mean:.1%} ± {error:.1%}")

# %%
alpha = float(path.alphas[cross_validation.one_se])
tree = path.subtree(alpha)
print(ex.to_text(tree))

# %% [markdown]
# ## Rules and report
#
# The rules predict every row as the tree does. The report lists data, settings, pruning and scores; `ex.to_script`
# gives a script that grows the same tree again.

# %%
rules = ex.rules(tree)
for rule in rules:
    print(rule.text)

provenance = ex.Provenance(
    table, data, tree, parts=(train, valid, test), shares=shares, seed=seed, sample="titanic", alpha=alpha
)
Path("titanic_report.html").write_text(ex.to_report(provenance), encoding="utf-8")
Path("titanic_tree.sql").write_text(ex.to_sql(tree, table="passengers"), encoding="utf-8")

# %% [markdown]
# ## The test set, once
#
# The accuracy always stands beside the majority-class baseline: what predicting one class for everybody would score.

# %%
accuracy = ex.evaluate(tree, test).scores["accuracy"]
print(f"Test accuracy {accuracy.value:.1%}, majority baseline {accuracy.baseline:.1%}.")
