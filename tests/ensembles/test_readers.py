"""Ensembles of scikit-learn and XGBoost are read with the same predictions, and nothing else is read."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from explorer.foreign.scikit_learn_json import sklearn_ensemble_snippet
from tests.folders import ROOT

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden_ensembles.json").read_text("utf-8"))["xgboost"]
MODELS = {
    "random forest": ensemble.RandomForestClassifier(12, random_state=0),
    "random forest of numbers": ensemble.RandomForestRegressor(12, random_state=0),
    "extra trees": ensemble.ExtraTreesClassifier(12, random_state=0),
    "extra trees of numbers": ensemble.ExtraTreesRegressor(12, random_state=0),
    "bagging, some features": ensemble.BaggingClassifier(
        n_estimators=12, max_features=2, max_samples=0.1, random_state=0
    ),
    "bagging of numbers": ensemble.BaggingRegressor(n_estimators=5, bootstrap_features=True, random_state=0),
    "gradient boosting": ensemble.GradientBoostingClassifier(n_estimators=12, random_state=0),
    "exponential": ensemble.GradientBoostingClassifier(n_estimators=12, loss="exponential", random_state=0),
    "gradient boosting of numbers": ensemble.GradientBoostingRegressor(n_estimators=12, random_state=0),
    "absolute error": ensemble.GradientBoostingRegressor(n_estimators=12, loss="absolute_error", random_state=0),
    "from zero": ensemble.GradientBoostingRegressor(n_estimators=5, init="zero", random_state=0),
    "adaboost": ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=8, random_state=0),
}


def fitted(name, n_classes):
    """The model fitted on a random table, and new rows with values that 32 bits cannot hold."""
    rng = np.random.default_rng(1)
    x = pd.DataFrame(rng.normal(size=(120, 4)).round(2), columns=["a", "b", "c", "d"])
    z = x["a"] + x["b"] ** 2 + rng.normal(size=120) / 3
    codes = np.digitize(z, np.quantile(z, [0.4, 0.7] if n_classes == 3 else [0.5]))
    y = z if n_classes == 0 else np.array(["low", "middle", "high"])[codes]
    rows = pd.concat([x, x + 0.005, pd.DataFrame(rng.normal(size=(50, 4)), columns=x.columns)], ignore_index=True)
    return MODELS[name].fit(x, y), rows


CASES = [
    (name, n_classes)
    for name, model in MODELS.items()
    for n_classes in ((0,) if type(model).__name__.endswith("Regressor") else (2, 3))
    if not (name == "exponential" and n_classes == 3)
]


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_scikit_learn_predicts_the_same(name, n_classes):
    model, rows = fitted(name, n_classes)
    read = ex.Ensemble.from_sklearn(model, "y")
    assert (read.origin, read.target, len(read.members)) == ("scikit-learn", "y", np.size(model.estimators_))
    if not n_classes:
        assert read.predict(rows) == pytest.approx(model.predict(rows), rel=1e-12)
        return
    assert read.predict(rows).tolist() == model.predict(rows).tolist()
    if name != "adaboost":
        assert read.predict_proba(rows) == pytest.approx(model.predict_proba(rows), abs=1e-12)
    if hasattr(model, "staged_predict"):
        for stage, expected in enumerate(model.staged_predict(rows), 1):
            assert read.predict(rows, stage).tolist() == expected.tolist()


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize(("name", "n_classes"), [case for case in CASES if not case[0].startswith("bagging")])
def test_the_snippet_s_json_predicts_the_same(name, n_classes, tmp_path, monkeypatch):
    model, rows = fitted(name, n_classes)
    monkeypatch.chdir(tmp_path)
    exec(compile(sklearn_ensemble_snippet(), "snippet.py", "exec"), {"clf": model})
    read = ex.Ensemble.from_sklearn_json((tmp_path / "ensemble.json").read_bytes())
    if n_classes:
        assert read.predict(rows).tolist() == model.predict(rows).tolist()
    else:
        assert read.predict(rows) == pytest.approx(model.predict(rows), rel=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[]", "holds no ensemble"),
        ('{"ensemble": "SVC"}', "holds no ensemble"),
        ('{"ensemble": "RandomForestClassifier"}', "incomplete"),
        ('{"ensemble": "RandomForestClassifier", "rounds": []}', "1 to 10,000 trees"),
        ('{"ensemble": "AdaBoostClassifier", "rounds": [[{}]], "classes_": 3}', "children_left"),
    ],
)
def test_other_json_of_scikit_learn_is_refused(text, words):
    with pytest.raises(ex.InputError, match=words):
        ex.Ensemble.from_sklearn_json(text)


def test_members_have_no_features_beside_those_of_the_ensemble():
    # With a list of its own for every tree, a small file would take minutes.
    tree = {
        "children_left": [1, -1, -1], "children_right": [2, -1, -1], "feature": [5, -2, -2], "threshold": [0.5, -2, -2],
        "value": [[1.5], [1.0], [2.0]], "impurity": [0.25, 0.0, 0.0], "n_node_samples": [2, 1, 1],
        "criterion": "squared_error", "n_features_in_": 100_000,
    }  # fmt: skip
    content = {"ensemble": "RandomForestRegressor", "rounds": [[tree]] * 300}
    assert ex.Ensemble.from_sklearn_json(content | {"n_features_in_": 6}).features[5].name == "x5"
    for stated in ({}, {"n_features_in_": 2}):
        with pytest.raises(ex.InputError, match="The splits use 6 features, but there are fewer names"):
            ex.Ensemble.from_sklearn_json(content | stated)


FROM_A_LINE = ensemble.GradientBoostingRegressor(n_estimators=1, init=LinearRegression())


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (LinearRegression(), "LinearRegression cannot be read: give one of RandomForestClassifier"),
        (ensemble.RandomForestClassifier(), "is not fitted: call its fit"),
        (ensemble.AdaBoostRegressor(), "AdaBoostRegressor cannot be read"),
        (ensemble.RandomForestRegressor(2).fit([[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]]), "2 targets at once"),
        (FROM_A_LINE.fit([[1.0], [2.0]], [1.0, 2.0]), "starts from another model .init=LinearRegression"),
    ],
)  # fmt: skip
def test_other_estimators_are_refused(estimator, words):
    with pytest.raises(ex.InputError, match=words):
        ex.Ensemble.from_sklearn(estimator)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_samme_r_adds_logarithms_of_shares(n_classes):
    # scikit-learn 1.5: softmax of the mean over the trees of ln p_k − mean_j ln p_j, with p at least the float's ε
    rng = np.random.default_rng(n_classes)
    rows, goal = rng.normal(size=(60, 2)).round(1), rng.integers(0, n_classes, 60)
    model = ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3, random_state=0)
    model.fit(rows, goal)
    model.algorithm, model.estimator_weights_ = "SAMME.R", np.ones(3)
    shares = [np.clip(tree.predict_proba(rows), np.finfo(float).eps, None) for tree in model.estimators_]
    scores = sum(np.log(p) - np.log(p).mean(axis=1, keepdims=True) for p in shares) / 3
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    read = ex.Ensemble.from_sklearn(model)
    frame = pd.DataFrame(rows, columns=["x0", "x1"])
    assert read.predict_proba(frame) == pytest.approx(expected, abs=1e-12)
    assert read.predict(frame).tolist() == expected.argmax(axis=1).tolist()


def of_categories():
    """A forest that says that its feature is a category."""
    model = ensemble.RandomForestClassifier(2, random_state=0).fit([[1.0], [2.0]], [0, 1])
    for tree in model.estimators_:
        tree.is_categorical_ = np.array([True])
    return model


def test_a_forest_that_splits_on_categories_is_refused():
    with pytest.raises(ex.InputError, match="splits on categories"):
        ex.Ensemble.from_sklearn(of_categories())


@pytest.mark.parametrize("name", ["random forest", "extra trees", "bagging", "gradient boosting", "balanced"])
def test_scikit_learn_s_class_is_predicted_at_ties(name):
    few = {"n_estimators": 8, "random_state": 0}
    model = {
        "random forest": ensemble.RandomForestClassifier(10, max_depth=3, random_state=0),
        "extra trees": ensemble.ExtraTreesClassifier(max_depth=2, **few),
        "bagging": ensemble.BaggingClassifier(**few),
        "gradient boosting": ensemble.GradientBoostingClassifier(n_estimators=3, random_state=0),
        "balanced": ensemble.RandomForestClassifier(max_depth=3, class_weight="balanced", **few),
    }[name]
    grid = np.array([(a, b) for a in range(5) for b in range(5)], dtype=float)
    for seed in (1, 10, 19, 24):  # rounding decides in the last three, for bagging or the forest
        rng = np.random.default_rng(seed)
        model.fit(rng.integers(0, 5, size=(40, 2)).astype(float), rng.integers(0, 2 + seed % 2, size=40))
        read = ex.Ensemble.from_sklearn(model)
        assert read.predict(pd.DataFrame(grid, columns=["x0", "x1"])).tolist() == model.predict(grid).tolist()


def arrays_of(tree):
    """A tree of the reference as the arrays of `save_model`, leaves with their value as condition."""
    names = ("left_children", "right_children", "split_indices", "split_conditions", "default_left", "sum_hessian")
    arrays = {name: [] for name in names}

    def add(node):
        number = len(arrays["left_children"])
        is_leaf = "leaf" in node
        threshold = node["leaf"] if is_leaf else node["threshold"]
        values = (-1, -1, node.get("feature", 0), -3.4028235e38 if threshold is None else threshold)
        for name, value in zip(names, (*values, int(node.get("default") != "right"), node["H"]), strict=True):
            arrays[name].append(value)
        if not is_leaf:
            arrays["left_children"][number] = add(node["left"])
            arrays["right_children"][number] = add(node["right"])
        return number

    add(tree)
    return arrays


def model_of(trees, objective="reg:squarederror", base_score="0E0", n_classes=0, tree_info=None, **changes):
    """The text of `save_model` with these trees."""
    learner = {
        "feature_names": [],
        "feature_types": [],
        "learner_model_param": {"base_score": base_score, "num_class": str(n_classes), "num_feature": "1"},
        "objective": {"name": objective},
        "gradient_booster": {
            "name": "gbtree",
            "model": {
                "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
                "tree_info": tree_info or [0] * len(trees),
                "trees": trees,
            },
        },
    }
    return json.dumps({"learner": learner | changes, "version": [3, 2, 0]})


def dump_of(node, ids):
    """A tree of the reference as `get_dump` nests it."""
    number = next(ids)
    if "leaf" in node:
        return {"nodeid": number, "leaf": node["leaf"], "cover": node["H"]}
    yes, no = dump_of(node["left"], ids), dump_of(node["right"], ids)
    missing = no["nodeid"] if node["default"] == "right" else yes["nodeid"]
    ends = {"yes": yes["nodeid"], "no": no["nodeid"], "missing": missing}
    return {"nodeid": number, "split": "f0", "split_condition": node["threshold"], **ends, "children": [no, yes]}


def walk(node, x):
    """XGBoost's own rule: x < t in 32 bits goes left, a missing x the default way."""
    if "leaf" in node:
        return node["leaf"]
    goes_left = node["default"] != "right"
    if not np.isnan(x):
        goes_left = node["threshold"] is not None and np.float32(x) < np.float32(node["threshold"])
    return walk(node["left" if goes_left else "right"], x)


RUNS = [
    pytest.param(run, id=f"{section}, {name}")
    for section in ("x8", "post_pruning", "missing8")
    for name, run in GOLDEN[section]["runs"].items()
] + [pytest.param(GOLDEN["missing_against_present"]["run"], id="missing against present")]


@pytest.mark.parametrize("run", RUNS)
def test_xgboost_predicts_the_same(run):
    trees, given = run["trees"], run["parameters"]
    below = np.nextafter(np.float32(3.5), np.float32(0))
    x = np.array([*np.arange(0, 9.25, 0.25), 3.5 - 1e-9, 3.5 + 1e-9, float(below), float(below) + 1e-9, np.nan])
    sums = np.array([sum(walk(tree, value) for tree in trees) for value in x])
    logistic = given["objective"] == "binary:logistic"
    models = [model_of([arrays_of(tree) for tree in trees], given["objective"], f"{given['base_score']}")]
    models.append(model_of([arrays_of(tree) for tree in trees], given["objective"], f"[{given['base_score']}E0]"))
    read = [ex.Ensemble.from_xgboost_json(model) for model in models]
    if run is not GOLDEN["missing_against_present"]["run"]:
        dumps = [json.dumps(dump_of(tree, iter(range(99)))) for tree in trees]
        options = {"objective": given["objective"], "base_score": given["base_score"]}
        read += [ex.Ensemble.from_xgboost_json(d, **options) for d in (dumps, "[" + ",".join(dumps) + "]")]
    for one in read:
        assert one.n_stages == len(trees)
        if logistic:
            assert one.predict_proba(pd.DataFrame({"f0": x}))[:, 1] == pytest.approx(1 / (1 + np.exp(-sums)), rel=1e-12)
        else:
            assert one.predict(pd.DataFrame({"f0": x})) == pytest.approx(sums + given["base_score"], rel=1e-12)
        again = [ex.Tree.from_dict(json.loads(json.dumps(m.tree.to_dict()))) for m in one.members]
        assert again[0].predict(pd.DataFrame({"f0": x})) == pytest.approx([walk(trees[0], v) for v in x], rel=1e-12)


def test_three_classes_of_xgboost_add_up_by_class():
    leaves = [0.5, -0.25, 1.0, 0.125, 0.0, -1.0]
    model = model_of([arrays_of({"leaf": v, "H": 1.0}) for v in leaves], "multi:softprob", "0.5", 3, [0, 1, 2, 0, 1, 2])
    read = ex.Ensemble.from_xgboost_json(model)
    assert (read.n_stages, read.classes) == (2, (0, 1, 2))
    scores = np.exp([0.625, -0.25, 0.0])
    assert read.predict_proba(pd.DataFrame([{}]))[0] == pytest.approx(scores / scores.sum())


LEAF = {"leaf": 1.0, "H": 1.0}
STUMP = {"feature": 0, "threshold": 1.0, "default": "left", "H": 2.0, "left": LEAF, "right": LEAF}


def broken(**changes):
    return model_of([arrays_of(STUMP) | changes])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        ("{}", "base score"),
        ('{"learner": 3}', "'learner' is not a record"),
        (broken(left_children=[0, -1, -1]), "do not form a tree"),
        (broken(left_children=[1, -1, 2]), "one child"),
        (broken(right_children=[1, -1, -1]), "do not form a tree"),
        (broken(right_children=[7, -1, -1]), "do not form a tree"),
        (broken(left_children=[1.5, -1, -1]), "'left_children' is not a list of whole numbers"),
        (broken(split_indices=[-1, 0, 0]), "feature -1"),
        (broken(split_conditions=[1.0, float("nan"), 2.0]), "'split_conditions' is not a list of finite numbers"),
        (broken(split_conditions=[1.0, 1e300, 2.0]), "'split_conditions' is not a list of finite numbers"),
        (broken(split_conditions=[1.0, "<b>", 2.0]), "'split_conditions' is not a list of finite numbers"),
        (broken(split_conditions=[1.0]), "'split_conditions' is not a list of the right length"),
        (broken(split_type=[1, 0, 0]), "'categories_nodes' is not a list"),
        (model_of([arrays_of(STUMP)], feature_types=["c"]), "no threshold, or one on categories"),
        (model_of([arrays_of(STUMP) | {"split_indices": [1, 0, 0]}], feature_names=["a"]), "too few"),
        (model_of([arrays_of(STUMP)], feature_names=["a", "a"]), "two of them"),
        (model_of([]), "no trees"),
        (model_of([arrays_of(STUMP)], "binary:hinge"), "objective is 'binary:hinge'"),
        (model_of([arrays_of(STUMP)], "binary:logistic", "1.5"), "no probability"),
        (model_of([arrays_of(STUMP)], base_score="[]"), "'base_score'"),
        (model_of([arrays_of(STUMP)], base_score="1e999"), "'base_score'"),
        (model_of([arrays_of(STUMP)], n_classes="9" * 50), "'num_class'"),
        (model_of([arrays_of(STUMP)], "multi:softmax", "0", 3, [5]), "class that is not there"),
        (model_of([arrays_of(STUMP)], gradient_booster={"name": "gblinear"}), "booster is 'gblinear'"),
    ],
)  # fmt: skip
def test_other_texts_are_refused(text, words):
    with pytest.raises(ex.InputError, match=words):
        ex.Ensemble.from_xgboost_json(text)


@pytest.mark.parametrize(
    "node",
    [
        {"nodeid": 0, "split": "a", "split_condition": 1, "yes": 1, "no": 2, "children": [{"nodeid": 1, "leaf": 1}]},
        {"nodeid": 0, "split": "a", "split_condition": 1, "yes": 1, "no": 3,
         "children": [{"nodeid": 1, "leaf": 1}, {"nodeid": 2, "leaf": 1}]},
        {"nodeid": 0, "split": "a", "split_condition": 1, "yes": 1, "no": 1,
         "children": [{"nodeid": 1, "leaf": 1}, {"nodeid": 2, "leaf": 1}]},
        {"nodeid": 0, "split": "a", "split_condition": 1, "yes": [1], "no": 2,
         "children": [{"nodeid": [1], "leaf": 1}, {"nodeid": 2, "leaf": 1}]},
        {"nodeid": 0, "leaf": None},
        {"nodeid": 0, "leaf": 1, "cover": "much"},
        [1, 2],
    ],
)  # fmt: skip
def test_broken_dumps_are_refused(node):
    with pytest.raises(ex.InputError, match="not a model of XGBoost"):
        ex.Ensemble.from_xgboost_json(json.dumps([node]), base_score=0.0)
