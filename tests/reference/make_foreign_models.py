"""Fit small models with XGBoost and scikit-learn, and keep their files beside the libraries' own predictions.

Run it once for each version of a library, in an environment of its own, from the top folder; continuous integration
only reads the result, `tests/reference/foreign/<library>-<version>.json`, one case a line:

    python3.11 -m venv /tmp/old && /tmp/old/bin/pip install xgboost==2.1.4 scikit-learn==1.5.2 numpy==1.26.4 pandas==2.2.3
    /tmp/old/bin/python tests/reference/make_foreign_models.py xgboost scikit-learn
    python3.12 -m venv /tmp/new && /tmp/new/bin/pip install xgboost==3.4.1 scikit-learn==1.9.1 skops==0.16.0 pandas==3.1.1
    /tmp/new/bin/python tests/reference/make_foreign_models.py xgboost scikit-learn histograms skops

and so on with xgboost==3.0.5 and xgboost==3.3.0 (from 3.3 on XGBoost needs Python 3.12). The files of scikit-learn are
written by the snippets that the product shows.
"""  # noqa: E501 - commands to paste

from __future__ import annotations

import ast
import base64
import json
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def table():
    """36 rows: two numbers, one of them with gaps, a whole number and a truth value; scores that they decide."""
    rng = np.random.default_rng(7)
    n = 36
    frame = pd.DataFrame({"width": rng.normal(size=n).round(2), "length": rng.normal(size=n).round(1)})
    frame["rooms"] = rng.integers(-3, 6, size=n)
    frame["is_new"] = rng.random(n) < 0.5
    score = frame["width"] * 2 - frame["length"] ** 2 + frame["rooms"] * 0.4 + frame["is_new"] + rng.normal(size=n) / 4
    frame.loc[rng.random(n) < 0.2, "length"] = np.nan
    return frame, score.round(3)


def rows_to_predict(frame):
    """Some rows of the table, and the same a little moved, with other cells missing."""
    moved = frame.iloc[:8].copy()
    moved["width"] += 0.005
    moved["length"] = moved["length"].shift(1)
    return pd.concat([frame.iloc[8:16], moved], ignore_index=True)


def record(name, content, rows, predictions, **more):
    """One case: the file's content, the rows, and what the library predicts for them."""
    cells = {column: [None if pd.isna(cell) else cell for cell in rows[column].tolist()] for column in rows}
    listed = np.asarray(predictions).tolist()
    return {"name": name, **more, "rows": cells, "predictions": listed, "content": content}


def write(library, version, cases):
    """One line for each case."""
    folder = HERE / "foreign"
    folder.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    (folder / f"{library}-{version}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


# XGBoost

THREE = {"objective": "multi:softprob", "num_class": 3}
DART = {"booster": "dart", "rate_drop": 0.5}
VECTORS = {"multi_strategy": "multi_output_tree", "tree_method": "hist"}
BOOSTERS = {
    "numbers": {"objective": "reg:squarederror"},
    "numbers, exact": {"objective": "reg:squarederror", "tree_method": "exact"},
    "two classes": {"objective": "binary:logistic"},
    "three classes": THREE,
    "three classes, labels": {"objective": "multi:softmax", "num_class": 3},
    "dart": {"objective": "reg:squarederror", **DART},
    "dart, one drop, forest": {"booster": "dart", "one_drop": True, "normalize_type": "forest"},
    "dart, two classes": {"objective": "binary:logistic", **DART},
    "dart, three classes": {**THREE, **DART},
    "dart, parallel trees": {**DART, "num_parallel_tree": 2},
    "gbtree with rate_drop": {"objective": "reg:squarederror", "rate_drop": 0.5},
    "lossguide": {"grow_policy": "lossguide", "max_leaves": 4, "tree_method": "hist"},
    "deleted nodes": {"tree_method": "exact", "gamma": 6.0, "max_depth": 3},
    "deleted nodes, two classes": {"objective": "binary:logistic", "tree_method": "exact", "gamma": 0.9},
    "parallel trees": {"num_parallel_tree": 3, "subsample": 0.7},
    "parallel trees, three classes": {**THREE, "num_parallel_tree": 2, "subsample": 0.7},
    "scale_pos_weight": {"objective": "binary:logistic", "scale_pos_weight": 2.0},
    "base score, three classes": {**THREE, "base_score": 0.5},
    "base score, two classes": {"objective": "binary:logistic", "base_score": 0.3},
    "all labels 0": {"objective": "binary:logistic"},
    "all labels 1": {"objective": "binary:logistic"},
    "reg:absoluteerror": {"objective": "reg:absoluteerror"},
    "reg:pseudohubererror": {"objective": "reg:pseudohubererror"},
    "reg:squaredlogerror": {"objective": "reg:squaredlogerror"},
    "reg:quantileerror": {"objective": "reg:quantileerror", "quantile_alpha": 0.7},
    "two quantiles": {"objective": "reg:quantileerror", "quantile_alpha": [0.2, 0.8]},
    "reg:logistic": {"objective": "reg:logistic"},
    "binary:logitraw": {"objective": "binary:logitraw"},
    "binary:hinge": {"objective": "binary:hinge"},
    "count:poisson": {"objective": "count:poisson"},
    "reg:gamma": {"objective": "reg:gamma"},
    "reg:tweedie": {"objective": "reg:tweedie", "tweedie_variance_power": 1.3},
    "survival:cox": {"objective": "survival:cox"},
    "gblinear": {"booster": "gblinear", "updater": "coord_descent"},
    "vector leaves, two targets": VECTORS,
    "vector leaves, three classes": {**THREE, **VECTORS},
    "two targets": {"objective": "reg:squarederror"},
    "several labels": {"objective": "binary:logistic"},
    "categories": {"tree_method": "hist", "max_cat_to_onehot": 1},
    "categories, one-hot": {"tree_method": "hist", "max_cat_to_onehot": 9},
}  # fmt: skip
"""Parameters of `xgboost.train` for each case."""
POSITIVE = ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "reg:squaredlogerror")
IN_BYTES = ("numbers", "two classes", "three classes", "categories", "dart", "parallel trees")
"""Cases whose file is kept in Universal Binary JSON, too (`save_model("model.ubj")`)."""
DUMPED = (
    *("numbers", "numbers, exact", "two classes", "three classes"),
    *("parallel trees, three classes", "dart", "categories"),
)


def labels(name, given, score):
    """The target of a case."""
    third = np.digitize(score, np.quantile(score, [0.4, 0.7]))
    if name in ("two targets", "vector leaves, two targets"):
        return np.column_stack([score, score**2])
    if name == "several labels":
        return np.column_stack([score > 0, score > 1]).astype(int)
    if name.startswith("all labels"):
        return np.full(len(score), int(name[-1]))
    objective = given.get("objective", "reg:squarederror")
    if objective.startswith("multi"):
        return third
    if objective in POSITIVE:
        return third + (objective != "count:poisson")
    if objective.startswith("binary"):
        return (score > 0).astype(int)
    return (score - score.min()) / (score.max() - score.min()) if objective == "reg:logistic" else score


def as_rows(xgboost, frame, label=None):
    return xgboost.DMatrix(frame, label, enable_categorical=True)


def trained(xgboost, name, given, frame, score):
    rounds = 2 if "parallel" in name else 4 if "dart" in name or "drop" in name else 3
    settings = {"max_depth": 2, "eta": 0.5, "seed": 3, "nthread": 1, **given}
    return xgboost.train(settings, as_rows(xgboost, frame, labels(name, given, score)), rounds)


def text_of(booster):
    return json.loads(bytes(booster.save_raw("json")))


def xgboost_cases(xgboost):
    frame, score = table()
    for name, given in BOOSTERS.items():
        used = frame
        if name.startswith("categories"):
            city = pd.Series(list("abcdefabcfed") * 3).astype("category")
            used, score_of = frame.assign(city=city), score + city.cat.codes * 3 % 4
        else:
            score_of = score
        try:
            booster = trained(xgboost, name, given, used, score_of)
        except xgboost.core.XGBoostError:  # 3.0.5 does not train on labels that are all 0 or all 1
            print("not trained:", name)
            continue
        rows = rows_to_predict(used)
        predictions = booster.predict(as_rows(xgboost, rows))
        ubj = {"ubj": base64.b64encode(booster.save_raw("ubj")).decode()} if name in IN_BYTES else {}
        yield record(name, text_of(booster), rows, predictions, **ubj)
        if name in DUMPED:
            dump = [json.loads(tree) for tree in booster.get_dump(dump_format="json", with_stats=True)]
            base = json.loads(text_of(booster)["learner"]["learner_model_param"]["base_score"])
            options = {"base_score": base}
            if "objective" in given:
                options["objective"] = given["objective"]
            if "num_class" in given:
                options |= {"n_classes": 3, "num_parallel_tree": given.get("num_parallel_tree", 1)}
            yield record(f"dump of {name}", dump, rows, predictions, options=options)
    yield from stopped_early(xgboost, frame, score)
    yield from continued(xgboost, frame, score)


def stopped_early(xgboost, frame, score):
    """Training that ends some rounds after the best one; `all_rounds` are the predictions of all."""
    for name, given, goal in (
        ("stopped early", {"objective": "reg:squarederror"}, score),
        ("stopped early, three classes", {**THREE, "num_parallel_tree": 2},
         np.digitize(score, [-1, 1])),
    ):  # fmt: skip
        train, valid = as_rows(xgboost, frame[:24], goal[:24]), as_rows(xgboost, frame[24:], goal[24:])
        settings = {"max_depth": 2, "eta": 0.5, "seed": 3, "nthread": 1, **given}
        watched = {"evals": [(valid, "valid")], "early_stopping_rounds": 3, "verbose_eval": False}
        booster = xgboost.train(settings, train, 20, **watched)
        rows = rows_to_predict(frame)
        best = booster.best_iteration + 1
        predictions = booster.predict(as_rows(xgboost, rows), iteration_range=(0, best))
        every = booster.predict(as_rows(xgboost, rows)).tolist()
        yield record(name, text_of(booster), rows, predictions, best=best, all_rounds=every)


def continued(xgboost, frame, score):
    """Training that goes on with other parameters, and a slice of rounds."""
    first = trained(xgboost, "numbers", {"num_parallel_tree": 2, "subsample": 0.7}, frame, score)
    settings = {"max_depth": 2, "seed": 3, "nthread": 1, "num_parallel_tree": 2}
    booster = xgboost.train(settings, as_rows(xgboost, frame, score), 2, xgb_model=first)
    rows = rows_to_predict(frame)
    yield record("continued", text_of(booster), rows, booster.predict(as_rows(xgboost, rows)))
    part = trained(xgboost, "dart, three classes", BOOSTERS["dart, three classes"], frame, score)[1:3]
    yield record("rounds 2 and 3", text_of(part), rows, part.predict(as_rows(xgboost, rows)))
    pruned = {"process_type": "update", "updater": "prune", "gamma": 8.0, "max_depth": 1, "nthread": 1}
    grown = trained(xgboost, "numbers", {"max_depth": 3}, frame, score)
    after = xgboost.train(pruned, as_rows(xgboost, frame, score), 3, xgb_model=grown)
    yield record("pruned afterwards", text_of(after), rows, after.predict(as_rows(xgboost, rows)))


# scikit-learn


def snippet_of(path):
    """The lines that the product shows, read from its source: it is not installed here."""
    for statement in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "SNIPPET":
            return ast.literal_eval(statement.value)
    raise LookupError(path)


def written(fitted, path, file):
    """What the snippet writes for a fitted estimator."""
    with tempfile.TemporaryDirectory() as folder:
        target = str(pathlib.Path(folder) / file)
        exec(snippet_of(path).replace(f'"{file}"', repr(target)), {"clf": fitted})
        return json.loads(pathlib.Path(target).read_text("utf-8"))


def estimators(version):
    """Every estimator by the name of its case; whether it is a tree."""
    from sklearn import ensemble, linear_model
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    few, line = {"n_estimators": 3, "random_state": 0}, linear_model.LinearRegression()
    trees = {
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
        "tree, entropy and weights": DecisionTreeClassifier(
            criterion="entropy", class_weight="balanced", max_depth=3, random_state=0
        ),
        "tree of numbers": DecisionTreeRegressor(max_depth=4, random_state=0),
        "tree, increasing": DecisionTreeClassifier(monotonic_cst=[1, 0, 0, 0], max_depth=3, random_state=0),
    }
    ensembles = {
        "forest": ensemble.RandomForestClassifier(max_depth=3, **few),
        "forest, balanced": ensemble.RandomForestClassifier(max_depth=3, class_weight="balanced", **few),
        "forest of numbers": ensemble.RandomForestRegressor(max_depth=3, **few),
        "extra trees": ensemble.ExtraTreesClassifier(max_depth=3, **few),
        "extra trees of numbers": ensemble.ExtraTreesRegressor(max_depth=3, **few),
        "gradient boosting": ensemble.GradientBoostingClassifier(max_depth=2, **few),
        "gradient boosting, exponential": ensemble.GradientBoostingClassifier(max_depth=2, loss="exponential", **few),
        "gradient boosting of numbers": ensemble.GradientBoostingRegressor(max_depth=2, **few),
        "gradient boosting, huber": ensemble.GradientBoostingRegressor(max_depth=2, loss="huber", **few),
        "gradient boosting from zero": ensemble.GradientBoostingRegressor(max_depth=2, init="zero", **few),
        "gradient boosting from a line": ensemble.GradientBoostingRegressor(init=line, **few),
        "adaboost": ensemble.AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=2), **few, **({"algorithm": "SAMME"} if version < "1.6" else {})
        ),
    }  # fmt: skip
    if version < "1.6":
        ensembles["adaboost, SAMME.R"] = ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **few)
    return {name: (fitted, True) for name, fitted in trees.items()} | {
        name: (fitted, False) for name, fitted in ensembles.items()
    }


TREE_PATH, ENSEMBLE_PATH = "explorer/tree/from_sklearn_json.py", "explorer/foreign/scikit_learn_json.py"


def sklearn_cases(version):
    frame, score = table()
    for name, (estimator, is_tree) in estimators(version).items():
        has_gaps = is_tree and "increasing" not in name
        used = frame if has_gaps else frame.fillna({"length": 0.0})
        n_classes = 0 if type(estimator).__name__.endswith("Regressor") else 2 if "exponential" in name else 3
        if "increasing" in name:
            n_classes = 2
        goal = score
        if n_classes:
            codes = np.digitize(score, np.quantile(score, [0.4, 0.7][: n_classes - 1]))
            goal = np.array(["low", "middle", "high"])[codes]
        yield sklearn_case(name, estimator.fit(used, goal), is_tree, rows_to_predict(used).ffill().bfill())
    yield from ties()


def histogram_cases():
    """What the snippet writes of them."""
    for name, fitted, rows in histograms():
        yield sklearn_case(name, fitted, False, rows)


def histograms():
    """HistGradientBoosting: categories by name, as numbers and with gaps, missing values, unknown categories."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    rng = np.random.default_rng(11)
    n = 120
    frame = pd.DataFrame({"width": rng.normal(size=n).round(2), "city": rng.choice([*"dbca", "é <b>"], n)})
    frame["length"], frame["zip"] = rng.normal(size=n).round(1), rng.choice([7, 30, 50, 90, 100], n)
    score = frame["width"] * 2 - frame["length"] ** 2 + frame["city"].map({"d": 3, "a": -2}).fillna(0)
    score = (score + frame["zip"].map({30: 2.5, 100: -2}).fillna(0) + rng.normal(size=n) / 4).round(3)
    frame.loc[rng.random(n) < 0.2, "length"] = np.nan
    frame.loc[rng.random(n) < 0.1, "city"] = None
    rows = frame.iloc[rng.integers(0, n, 200)].reset_index(drop=True)
    rows.loc[rng.random(200) < 0.2, "width"] = np.nan
    rows.loc[rng.random(200) < 0.1, "city"] = "zzz"
    rows.loc[rng.random(200) < 0.1, "zip"] = 8
    goals = [score, np.array(["no", "yes"])[(score > 0).astype(int)]]
    goals += [np.array(["low", "middle", "high"])[np.digitize(score, np.quantile(score, [0.4, 0.7]))]]
    few = {"max_iter": 4, "min_samples_leaf": 4, "max_leaf_nodes": 8}
    by_name = {**few, "categorical_features": ["city", "zip"]}
    only_numbers = ["width", "length", "zip"]
    for name, make, options, columns, goal in (
        ("numbers", HistGradientBoostingRegressor, few, only_numbers, goals[0]),
        ("categories", HistGradientBoostingRegressor, by_name, list(frame), goals[0]),
        ("two classes", HistGradientBoostingClassifier, by_name, list(frame), goals[1]),
        ("three classes", HistGradientBoostingClassifier, by_name, list(frame), goals[2]),
        ("poisson", HistGradientBoostingRegressor, {**by_name, "loss": "poisson"}, list(frame), np.exp(score / 3)),
        ("gamma", HistGradientBoostingRegressor, {**by_name, "loss": "gamma"}, list(frame), np.exp(score / 3)),
        ("absolute error", HistGradientBoostingRegressor, {**few, "loss": "absolute_error"}, only_numbers, goals[0]),
        ("quantile", HistGradientBoostingRegressor, {**few, "loss": "quantile", "quantile": 0.7}, only_numbers, score),
        ("stopped early", HistGradientBoostingClassifier, {**by_name, "early_stopping": True}, list(frame), goals[1]),
    ):
        fitted = make(random_state=0, **options).fit(frame[columns], goal)
        own = rows[columns].copy()
        splits = [node for of_round in fitted._predictors for tree in of_round for node in tree.nodes]
        cuts = [node["num_threshold"] for node in splits if not node["is_leaf"] and not node["is_categorical"]]
        cuts = [float(cut) for cut in cuts if np.isfinite(cut)]
        for row, cut in zip(rng.permutation(200)[:40], cuts, strict=False):
            own.loc[row, "width"] = [cut, np.nextafter(cut, 9.0), np.nextafter(cut, -9.0)][row % 3]
        yield f"histograms, {name}", fitted, own


def ties():
    """Where rounding decides in scikit-learn, and a split of the missing from the known."""
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    x = pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]})
    even = GradientBoostingClassifier(n_estimators=5, random_state=0).fit(x, ["no", "yes", "no", "no", "yes", "yes"])
    yield sklearn_case("boosting that ends at 0", even, False, x)
    gaps = pd.DataFrame({"x": [1.0, 2.0, 3.0, np.nan, np.nan]})
    yield sklearn_case("missing or not", DecisionTreeClassifier(random_state=0).fit(gaps, list("aaabb")), True, gaps)
    rng = np.random.default_rng(5)
    grid = pd.DataFrame(rng.integers(0, 4, size=(60, 3)).astype(float), columns=["a", "b", "c"])
    noisy = rng.integers(0, 2, size=60)
    forest = RandomForestClassifier(n_estimators=10, max_depth=3, random_state=2, class_weight="balanced")
    rows = pd.DataFrame([(a, b, c) for a in range(4) for b in range(4) for c in range(4)], columns=["a", "b", "c"])
    yield sklearn_case("forest near ties", forest.fit(grid, noisy), False, rows.astype(float))


def skops_cases(version):
    """Files of skops, packed tighter than it does by itself but for the first, and predictions for 200 rows each."""
    frame, score = table()
    rng = np.random.default_rng(9)
    left_out = ("tree, increasing", "forest, balanced", "extra trees", "gradient boosting, huber")
    for name, (estimator, is_tree) in estimators(version).items():
        if name in left_out:
            continue
        used = frame if is_tree else frame.fillna({"length": 0.0})
        n_classes = 0 if type(estimator).__name__.endswith("Regressor") else 2 if "exponential" in name else 3
        codes = np.digitize(score, np.quantile(score, [0.4, 0.7][: n_classes - 1]))
        fitted = estimator.fit(used, np.array(["low", "middle", "high"])[codes] if n_classes else score)
        rows = used.iloc[rng.integers(0, len(used), 200)].reset_index(drop=True)
        rows["width"] += rng.choice([0.0, 0.005, 1e-9, -1e-9], 200)
        if is_tree:
            rows.loc[rng.random(200) < 0.2, "length"] = np.nan
        yield skops_case(name, fitted, rows, compression=0 if name == "tree" else 8)
    for case, fitted, rows in histograms():
        yield skops_case(case, fitted, rows, compression=8)


def skops_case(name, fitted, rows, compression):
    import skops.io

    content = base64.b64encode(skops.io.dumps(fitted, compression=compression)).decode()
    more = {"shares": fitted.predict_proba(rows).tolist()} if hasattr(fitted, "predict_proba") else {}
    return record(name, content, rows, fitted.predict(rows), **more)


def sklearn_case(name, fitted, is_tree, rows):
    path, file = (TREE_PATH, "tree.json") if is_tree else (ENSEMBLE_PATH, "ensemble.json")
    more = {"shares": fitted.predict_proba(rows).tolist()} if hasattr(fitted, "predict_proba") else {}
    return record(name, written(fitted, path, file), rows, fitted.predict(rows), is_tree=is_tree, **more)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if "xgboost" in sys.argv[1:]:
        import xgboost

        xgboost.set_config(verbosity=0)
        write("xgboost", xgboost.__version__, xgboost_cases(xgboost))
    if "scikit-learn" in sys.argv[1:]:
        import sklearn

        write("scikit-learn", sklearn.__version__, sklearn_cases(sklearn.__version__))
    if "histograms" in sys.argv[1:]:
        import sklearn

        write("scikit-learn-histograms", sklearn.__version__, histogram_cases())
    if "skops" in sys.argv[1:]:
        import sklearn

        write("skops", sklearn.__version__, skops_cases(sklearn.__version__))
