"""Every public function that reads rows refuses a connected table in clear words, or scores it by its counts."""

import copy
import inspect
import pickle

import pytest

import explorer as ex
from explorer.errors import NeedsRowsError
from tests.oracles.counting_engine import array_source, same_data
from tests.oracles.tables import mixed_frame

FRAME = mixed_frame(60, seed=1)[["real", "few", "c2", "two"]]
ROWS, SOURCE = same_data(FRAME, "two"), array_source(FRAME, "two")
TREE = ex.grow(ROWS, ex.CART.replace(max_depth=3))
GIVEN = {
    **dict.fromkeys(("tree", "tree_a", "tree_b", "a", "b"), TREE),
    **dict.fromkeys(("data", "train", "valid", "rows", "before"), ROWS),
    "now": FRAME,
    "recipe": ex.CART.replace(max_depth=2),
    "recipes": [ex.CART, ex.C45],
    "path": ex.cost_complexity_path(TREE),
    "node": 0,
    "row": 0,
    "feature": "real",
    "column": "real",
    "name": "yes",
    "raising": True,
    "depth": 2,
    "share": 0.5,
    "certificate": ex.best_subtree(ROWS, 1).certificate,
}
BAGGED = ex.bagging(ROWS, n_estimators=2)
RECORDS = {"Tree": TREE, "Path": GIVEN["path"], "RuleList": ex.rules(TREE), "Ensemble": BAGGED}


def functions():
    """Every public function and method by its qualified name."""
    for name in ex.__all__:
        public = getattr(ex, name)
        if inspect.isfunction(public):
            yield name, public
        for method in vars(public) if name in RECORDS else ():
            if not method.startswith("_") and inspect.isfunction(vars(public)[method]):
                yield f"{name}.{method}", getattr(RECORDS[name], method)


def uses(is_counted: bool):
    """Functions and the parameters that take rows, of those that also take a connected table, or of the others."""
    for name, function in functions():
        for parameter, details in inspect.signature(function).parameters.items():
            annotation = str(details.annotation)
            if "Dataset" in annotation and ("Source" in annotation) == is_counted:
                yield pytest.param(function, parameter, id=f"{name}-{parameter}")


def call(function, parameter):
    required = {
        name: GIVEN[name]
        for name, details in inspect.signature(function).parameters.items()
        if details.default is inspect.Parameter.empty or name == "raising"
    }
    if "recipe" in required:
        required["recipe"] = required["recipe"].replace(prepruning=parameter == "validation")
    return function(**{**required, parameter: SOURCE})


@pytest.mark.parametrize(("function", "parameter"), [*uses(is_counted=False)])
def test_a_function_that_reads_rows_names_itself_and_the_way_out(function, parameter):
    with pytest.raises(NeedsRowsError) as error:
        call(function, parameter)
    assert str(error.value).startswith(f"{function.__qualname__} reads the table row by row")
    assert "source.sample(100_000)" in str(error.value)


@pytest.mark.parametrize(("function", "parameter"), [*uses(is_counted=True)])
def test_a_function_that_needs_only_counts_takes_a_connected_table(function, parameter):
    call(function, parameter)


def test_what_only_rows_have_is_not_there():
    assert not hasattr(SOURCE, "codes")
    assert not hasattr(SOURCE, "__array__")
    assert getattr(SOURCE, "weights", "none") == "none"
    with pytest.raises(NeedsRowsError, match=r"has no 'take': take rows into memory, such as source\.sample"):
        SOURCE.take([0])
    with pytest.raises(AttributeError, match="nonsense"):
        SOURCE.nonsense()


def test_a_source_is_copied_as_any_record():
    assert copy.copy(SOURCE).workspace is SOURCE.workspace
    assert pickle.loads(pickle.dumps(SOURCE)).n_rows == SOURCE.n_rows
