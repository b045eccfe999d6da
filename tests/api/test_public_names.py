"""The public names: each is imported when it is first used."""

import subprocess
import sys

import pytest

import explorer as ex
from tests.folders import ROOT

IMPORT_NAMES = """import explorer
for name in explorer.__all__:
    if name not in ("TreeClassifier", "TreeRegressor"):
        getattr(explorer, name)"""
"""All names but those that are scikit-learn's estimators."""


@pytest.mark.parametrize(
    ("program", "packages"),
    [("import explorer", "numpy pandas numba sklearn scipy"), (IMPORT_NAMES, "sklearn scipy.special openpyxl")],
    ids=["the package", "all its names"],
)
def test_importing_loads_no_package_that_is_not_needed_yet(program, packages):
    program += "\nimport sys; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(result.stdout.split()) & set(packages.split()) == set()


def test_every_public_name_is_there_and_named_once():
    assert sorted(set(ex.__all__)) == sorted(ex.__all__)
    found = {name: getattr(ex, name) for name in ex.__all__}
    assert [name for name, value in found.items() if getattr(value, "__name__", name) != name] == []
    assert set(ex.__all__) == set(ex._modules())


def test_the_functions_of_registered_pruning_methods_are_public():
    for method in ex.PRUNING_METHODS.values():
        assert getattr(ex, method.prune.__name__) is method.prune


def test_other_names_are_refused_in_words():
    assert not hasattr(ex, "nothing_of_that_name")
    assert not hasattr(ex, "__wrapped__")
