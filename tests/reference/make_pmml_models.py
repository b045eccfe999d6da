"""Keep PMML files of scikit-learn, XGBoost and LightGBM, and some by hand, beside what JPMML-Evaluator predicts.

Run it from the top folder in an environment of its own, with Java; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install sklearn2pmml "scikit-learn==1.9.0" \
        jpmml-evaluator pandas xgboost==3.2.0 lightgbm==4.7.0
    /tmp/new/bin/python tests/reference/make_pmml_models.py
"""

from __future__ import annotations

import json
import math
import pathlib
import re
import tempfile
import warnings
from collections.abc import Iterator
from typing import Any

import jpmml_evaluator
import lightgbm
import numpy as np
import pandas as pd
import xgboost
from jpmml_evaluator import make_evaluator
from sklearn import ensemble, tree
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn2pmml import make_pmml_pipeline, sklearn2pmml
from sklearn2pmml.decoration import CategoricalDomain, ContinuousDomain
from sklearn2pmml.pipeline import PMMLPipeline
from sklearn2pmml.preprocessing import CastTransformer

N = 80
NAMES = ["width", "length", "rooms"]
FOLDER = pathlib.Path("tests/reference/foreign")
BY_HAND = pathlib.Path("tests/reference/pmml_by_hand")


def table() -> tuple[pd.DataFrame, pd.Series]:
    """80 rows of three numbers, one of them whole, and a score."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(2), "length": rng.normal(size=N).round(2)})
    frame["rooms"] = rng.integers(0, 9, N).astype(float)
    score = frame["width"] * 2 - frame["length"] ** 2 + (frame["rooms"] % 3 == 1) * 3 + rng.normal(size=N) / 4
    return frame, score.round(3).rename("y")


FRAME, SCORE = table()
TWO = (SCORE > 0).astype(int)
NAMED = pd.Series(
    np.array(["low", "middle", "very high"])[np.digitize(SCORE, np.quantile(SCORE, [0.4, 0.7]))], name="y"
)
GAPS = FRAME.copy()
GAPS.loc[::5, "length"] = np.nan


def by_columns(name: str, estimator: Any, encoder: Any, **options: Any) -> tuple[str, str]:
    """The same of rows with a column of names, which the encoder turns into what the estimator splits."""
    rng = np.random.default_rng(4)
    rows = GAPS.assign(city=rng.choice(["Rome", "Oslo", "New York", 'a "b"'], N))
    target = SCORE + (rows["city"] == "Oslo") * 4 + (rows["city"] == "Rome") * 2
    rows.loc[::7, "city"] = None
    domains = [("numbers", ContinuousDomain(invalid_value_treatment="as_is"), NAMES)]
    names = make_pipeline(CategoricalDomain(invalid_value_treatment="as_is"), encoder)
    columns = ColumnTransformer([*domains, ("names", names, ["city"])]).set_output(transform="pandas")
    pipeline = PMMLPipeline([("columns", columns), ("model", estimator)])
    pipeline.fit(rows, target.rename("y"), **options)
    with tempfile.NamedTemporaryFile(suffix=".pmml") as file:
        sklearn2pmml(pipeline, file.name)
        return name, pathlib.Path(file.name).read_text("utf-8")


def by_pipeline(name: str, estimator: Any, rows: pd.DataFrame, target: pd.Series, **options: Any) -> tuple[str, str]:
    """The file of sklearn2pmml."""
    pipeline = make_pmml_pipeline(estimator, active_fields=NAMES, target_fields=["y"])
    pipeline.fit(rows, target)
    if options:
        pipeline.configure(**options)
    with tempfile.NamedTemporaryFile(suffix=".pmml") as file:
        sklearn2pmml(pipeline, file.name)
        return name, pathlib.Path(file.name).read_text("utf-8")


def of_scikit_learn() -> Iterator[tuple[str, str]]:
    """Trees of scikit-learn."""
    one = {"max_depth": 4, "random_state": 0}
    yield by_pipeline("tree, two classes", tree.DecisionTreeClassifier(**one), FRAME, TWO)
    yield by_pipeline("tree, names", tree.DecisionTreeClassifier(**one), FRAME, NAMED)
    yield by_pipeline("tree, names, all nodes", tree.DecisionTreeClassifier(**one), FRAME, NAMED, compact=False)
    yield by_pipeline("tree, numbers", tree.DecisionTreeRegressor(**one), FRAME, SCORE)
    yield by_pipeline("tree, missing", tree.DecisionTreeClassifier(**one), GAPS, NAMED)


def of_ensembles() -> Iterator[tuple[str, str]]:
    """Forests and boosting of scikit-learn, XGBoost and LightGBM: sums, means, votes, and chains with a link."""
    small: dict[str, Any] = {"n_estimators": 5, "max_depth": 3, "random_state": 0}
    yield by_pipeline("forest, numbers", ensemble.RandomForestRegressor(**small), FRAME, SCORE)
    yield by_pipeline("forest, names", ensemble.RandomForestClassifier(**small), FRAME, NAMED)
    yield by_pipeline("boosting, numbers", ensemble.GradientBoostingRegressor(**small), FRAME, SCORE)
    yield by_pipeline("boosting, two classes", ensemble.GradientBoostingClassifier(**small), FRAME, TWO)
    yield by_pipeline("boosting, names", ensemble.GradientBoostingClassifier(**small), FRAME, NAMED)
    yield by_pipeline("AdaBoost", ensemble.AdaBoostClassifier(n_estimators=5, random_state=0), FRAME, TWO)
    voting = [(str(depth), tree.DecisionTreeClassifier(max_depth=depth, random_state=0)) for depth in (1, 2, 3)]
    yield by_pipeline("voting", ensemble.VotingClassifier(voting, weights=[2, 1, 2.5]), FRAME, NAMED)
    of_bins: dict[str, Any] = {"max_iter": 5, "max_depth": 3, "min_samples_leaf": 5}
    yield by_pipeline("bins, numbers", ensemble.HistGradientBoostingRegressor(**of_bins), GAPS, SCORE)
    yield by_pipeline("bins, names", ensemble.HistGradientBoostingClassifier(**of_bins), GAPS, NAMED)
    counted = ensemble.HistGradientBoostingRegressor(loss="poisson", **of_bins)
    yield by_pipeline("bins, poisson", counted, GAPS, SCORE.abs())
    codes = NAMED.astype("category").cat.codes.astype(int)
    yield by_pipeline("XGBoost, numbers", xgboost.XGBRegressor(**small), GAPS, SCORE)
    yield by_pipeline("XGBoost, two classes", xgboost.XGBClassifier(**small), GAPS, TWO)
    yield by_pipeline("XGBoost, three classes", xgboost.XGBClassifier(**small), GAPS, codes)
    yield by_pipeline("XGBoost, poisson", xgboost.XGBRegressor(objective="count:poisson", **small), GAPS, SCORE.abs())
    small |= {"verbose": -1, "min_child_samples": 5}
    yield by_pipeline("LightGBM, numbers", lightgbm.LGBMRegressor(**small), GAPS, SCORE)
    yield by_pipeline("LightGBM, two classes", lightgbm.LGBMClassifier(**small), GAPS, TWO)
    yield by_pipeline("LightGBM, names", lightgbm.LGBMClassifier(**small), GAPS, NAMED)
    forest = lightgbm.LGBMRegressor(boosting_type="rf", bagging_freq=1, bagging_fraction=0.6, **small)
    yield by_pipeline("LightGBM, forest", forest, GAPS, SCORE)
    few = {"cat_smooth": 1, "min_data_per_group": 1}
    yield by_columns("LightGBM, categories", lightgbm.LGBMRegressor(**small, **few), CastTransformer("category"))
    by_name = xgboost.XGBRegressor(n_estimators=5, max_depth=3, enable_categorical=True, tree_method="hist")
    yield by_columns("XGBoost, categories", by_name, CastTransformer("category"))
    of_bins["min_samples_leaf"] = 3
    by_code = ensemble.HistGradientBoostingRegressor(categorical_features=[3], **of_bins)
    yield by_columns("bins, categories", by_code, OrdinalEncoder())


def of_one_hot() -> Iterator[tuple[str, str]]:
    """What most people write: numbers as they are beside categories of 0 and 1, and numbers with missing cells.

    JPMML predicts nothing for a missing cell that is tested, and for a category that was not there unless the encoder
    ignores it.
    """
    one: dict[str, Any] = {"max_depth": 4, "random_state": 0}
    forest = {"n_estimators": 5, **one}
    yield one_hot("one-hot, tree", tree.DecisionTreeClassifier(**one), FRAME, NAMED)
    yield one_hot("one-hot, tree, missing", tree.DecisionTreeRegressor(**one), GAPS, SCORE)
    yield one_hot("one-hot, tree, unseen ignored", tree.DecisionTreeRegressor(**one), FRAME, SCORE, "ignore")
    yield one_hot("one-hot, forest, missing", ensemble.RandomForestClassifier(**forest), GAPS, TWO)
    yield one_hot("one-hot, forest, unseen ignored", ensemble.RandomForestClassifier(**forest), FRAME, NAMED, "ignore")
    yield one_hot("one-hot, boosting", ensemble.GradientBoostingClassifier(**forest), FRAME, NAMED)
    yield one_hot("one-hot, boosting, numbers", ensemble.GradientBoostingRegressor(**forest), FRAME, SCORE)
    known = SCORE + 9 * GAPS["length"].isna()
    yield by_pipeline("tree, known or missing", tree.DecisionTreeRegressor(**one), GAPS, known.rename("y"))
    yield by_pipeline("forest, known or missing", ensemble.RandomForestRegressor(**forest), GAPS, known.rename("y"))


def one_hot(
    name: str, estimator: Any, rows: pd.DataFrame, target: pd.Series, unknown: str = "error"
) -> tuple[str, str]:
    """The file of a pipeline that turns a column of names into columns of 0 and 1."""
    city = np.random.default_rng(4).choice(["Rome", "Oslo", "New York", 'a "b"'], N)
    encoder = OneHotEncoder(sparse_output=False, handle_unknown=unknown)
    columns = ColumnTransformer([("numbers", "passthrough", NAMES), ("names", encoder, ["city"])])
    pipeline = PMMLPipeline([("columns", columns), ("model", estimator)])
    turned = target.sort_values().to_numpy()[::-1]
    pipeline.fit(rows.assign(city=city), target.where(city != "Oslo", turned))
    with tempfile.NamedTemporaryFile(suffix=".pmml") as file:
        sklearn2pmml(pipeline, file.name)
        return name, pathlib.Path(file.name).read_text("utf-8")


def by_hand() -> Iterator[tuple[str, str]]:
    """What the format allows and those libraries do not write."""
    for path in sorted(BY_HAND.glob("*.pmml")):
        yield f"by hand, {path.stem}", path.read_text("utf-8")


def rows_to_predict(text: str) -> pd.DataFrame:
    """200 rows: those of the table, others with cells missing, and thresholds as 32-bit numbers round them."""
    rng = np.random.default_rng(5)
    rows = FRAME.iloc[rng.integers(0, N, 200)].reset_index(drop=True)
    for column in NAMES:
        rows.loc[rng.random(200) < 0.15, column] = np.nan
    rows.loc[rng.random(200) < 0.1, "rooms"] = 11.0
    told = re.findall(r'field="(?:float\()?(width|length|rooms)\)?" operator="\w+" value="([^"]+)"', text)
    told = [(column, threshold) for column, threshold in told if threshold not in ("Infinity", "INF")]
    for row in rng.permutation(200)[:60] if told else []:
        column, threshold = told[int(rng.integers(0, len(told)))]
        at = float(threshold)
        around = [at, np.nextafter(at, 9e9), float(np.nextafter(np.float32(at), np.float32(9e9))), at + 1e-9, at - 1e-9]
        rows.loc[row, column] = around[int(rng.integers(0, 5))]
    if 'name="city"' in text:
        rows["city"] = rng.choice(["Rome", "Oslo", "New York", 'a "b"', "Lima", None], 200)
    return rows


def outcomes(text: str, rows: pd.DataFrame) -> list[Any]:
    """What JPMML predicts for each row: a number, the label with class shares, None for nothing or an error."""
    with tempfile.NamedTemporaryFile(suffix=".pmml") as file:
        pathlib.Path(file.name).write_text(text, "utf-8")
        evaluator = make_evaluator(file.name).verify()
    target = evaluator.getTargetFields()[0].getName() if evaluator.getTargetFields() else "y"
    found = []
    for record in rows.to_dict("records"):
        cells = {name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in record.items()}
        try:
            result = evaluator.evaluate(cells)
        except jpmml_evaluator.JavaError:
            found.append(None)
            continue
        shares = {key: value for key, value in result.items() if key.startswith("probability")}
        answer = result.get(target, result.get("y"))
        found.append([answer, shares] if shares and answer is not None else answer)
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    cases = []
    for source in (by_hand, of_scikit_learn, of_ensembles, of_one_hot):
        for name, text in source():
            rows = rows_to_predict(text)
            predictions = outcomes(text, rows)
            told = {column: [None if cell != cell else cell for cell in rows[column].tolist()] for column in rows}
            cases.append({"name": name, "model": text, "rows": told, "predictions": predictions})
            print(name, len(text), predictions[:2], sum(each is None for each in predictions))
    path = FOLDER / f"jpmml-{jpmml_evaluator.__version__}.json"
    path.write_text(json.dumps(cases, separators=(",", ":"), ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
