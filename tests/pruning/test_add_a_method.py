"""CONTRIBUTING's walk for a new pruning method, carried out on a copy of the package and the pages."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.folders import ROOT

METHOD = '''"""Minimum support: an inner node with less weight than a minimum becomes a leaf."""

from dataclasses import dataclass

from explorer.pruning.cost_complexity.path_loops import outermost
from explorer.tree.tree import Tree, post_order


@dataclass(frozen=True)
class MinimumSupportStep:
    """The decision at one node."""

    node: int
    weight: float
    min_weight: float

    @property
    def pruned(self) -> bool:
        """Whether the node becomes a leaf."""
        return self.weight < self.min_weight

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        verdict = "pruned to a leaf" if self.pruned else "kept"
        return f"Node {self.node}: weight {self.weight:g} against a minimum of {self.min_weight:g}: {verdict}."


def minimum_support_prune(tree: Tree, min_weight: float = 5.5) -> Tree:
    """Prune every inner node with less weight than `min_weight`."""
    pruned = tree.is_inner & (tree.weight < min_weight)
    return tree.with_pruned(outermost(tree.parent, pruned | tree.is_pruned))


def minimum_support_steps(tree: Tree, min_weight: float = 5.5) -> list[MinimumSupportStep]:
    """The decisions behind `minimum_support_prune`, children before their parent."""
    return [MinimumSupportStep(node, float(tree.weight[node]), min_weight) for node, _ in post_order(tree)]
'''
RECORD = """    PruningMethod(
        key="minimum_support",
        label=lambda: message("Minimum support"),
        phrase=lambda: message("minimum support"),
        prune=minimum_support_prune,
        steps=minimum_support_steps,
        options=(MethodOption("min_weight", 5.5, lambda: message("Minimum support: weight")),),
        variants=(Variant("minimum support"),),
    ),
"""
FORMULA = """def _minimum_support(context: StepContext) -> Derivation:
    step = context.steps[context.index]
    weight = Quantity("W(t)", "W(t)", Number(step.weight))
    return Derivation((Formula(weight, step.weight),), (("t", f"node {step.node}"),))


"""
CHECKS = """
from pathlib import Path

import explorer as ex
from streamlit.testing.v1 import AppTest
from explorer.explaining import STEP_FORMULAS, step_formula
from explorer.export.report import to_report, to_script
from pages.settings import labels

assert Path(ex.__file__).parent == Path.cwd() / "explorer"
table = ex.load_sample("play_tennis")
data = ex.Dataset.from_frame(table.frame, "PlayTennis")
tree = ex.grow(data, ex.ID3)
pruned = ex.minimum_support_prune(tree)
assert (tree.n_leaves, pruned.n_leaves) == (5, 3)

assert {row.name: row.n_leaves for row in ex.prune_methods(tree, data, data)}["minimum support"] == 3

steps = ex.minimum_support_steps(tree)
assert [step.node for step in steps if not step.pruned] == [0]
derivation = step_formula("minimum_support", tree, steps, len(steps) - 1, data, {"min_weight": 5.5})
assert derivation.formulas[0].value == 14
assert set(STEP_FORMULAS) == {key for key, method in ex.PRUNING_METHODS.items() if method.steps}

provenance = ex.Provenance(
    table, data, pruned, (data,), sample="play_tennis", method="minimum_support", options={"min_weight": 5.5},
    steps=tuple(step.text for step in steps),
)
report, script = to_report(provenance, "markdown"), to_script(provenance)
assert "Pruned by minimum support." in report
assert "weight 14 against a minimum of 5.5: kept" in report
assert "tree = ex.minimum_support_prune(tree, min_weight=5.5)" in script
names = {}
exec(script, names)
assert names["tree"].n_leaves == 3

assert labels.METHODS["minimum_support"] == "Minimum support"
app = AppTest.from_file("app.py", default_timeout=300)
query = {"data": "play_tennis", "recipe": "ID3", "split": "all", "pruning": "methods", "method": "minimum_support"}
for key, value in query.items():
    app.query_params[key] = value
app.run()
app.switch_page("pages/prune/page.py").run()
assert not app.exception and not app.error, (app.exception, app.error)
listed = app.dataframe[0].value.set_index("method")
assert listed.loc["Minimum support", "leaves"] == 3
assert any("**Minimum support**" in element.value for element in app.markdown)
"""


def listed_files():
    """The files that the numbered steps of CONTRIBUTING's section name first, one a step."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = re.search(r"^## Add a pruning method\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return [path.replace("<method>", "minimum_support") for path in re.findall(r"^\d+\. `([^`]+)`", section[1], re.M)]


def with_entry(text, opening, entry, closing):
    """A text with an entry before the closing line of the list that begins with a line."""
    begin = text.index(f"\n{opening}")
    end = text.index(f"\n{closing}\n", begin) + 1
    return text[:end] + entry + text[end:]


def register(text):
    module = "from explorer.pruning.minimum_support import minimum_support_prune, minimum_support_steps\n"
    text = text.replace("from explorer.pruning.pessimistic import", f"{module}from explorer.pruning.pessimistic import")
    return with_entry(text, "_METHODS = (", RECORD, ")")


def formulate(text):
    imported = "from explorer.explaining.formulas.derivation import Derivation"
    names = f"{imported}, Formula\nfrom explorer.explaining.formulas.expression import Number, Quantity"
    text = text.replace(imported, names).replace("STEP_FORMULAS: ", f"{FORMULA}STEP_FORMULAS: ")
    return with_entry(text, "STEP_FORMULAS: ", '    "minimum_support": _minimum_support,\n', "}")


EDITS = {
    "explorer/pruning/minimum_support.py": lambda text: METHOD,
    "explorer/pruning/methods.py": register,
    "explorer/explaining/formulas/pruning_steps.py": formulate,
    "explorer/DEFINITIONS.md": lambda text: text.replace(
        "\n## 8. ", "\n### Minimum support\n\nAn inner node lighter than a minimum becomes a leaf.\n\n## 8. "
    ),
}


def contents(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.slow
def test_a_new_method_takes_the_four_files_of_the_walk_and_is_known_everywhere(tmp_path):
    files, copy = listed_files(), tmp_path / "copy"
    assert len(files) <= 4
    assert set(files) == set(EDITS)
    for folder in ("explorer", "pages", ".streamlit"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", copy)
    before = contents(copy)
    for path in files:
        old = before.get(path, b"").decode("utf-8")
        new = EDITS[path](old)
        assert new != old
        (copy / path).write_text(new, "utf-8")
    after = contents(copy)
    assert {path for path in after if after[path] != before.get(path)} == set(files)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(copy)}  # the loops are as they were
    done = subprocess.run(
        [sys.executable, "-c", CHECKS], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
