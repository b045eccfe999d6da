"""CONTRIBUTING's walks for a new impurity and a new split score, carried out word for word on a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from explorer.explaining.formulas.candidate import SCORE_FORMULAS
from explorer.explaining.formulas.impurity import FORMULAS
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.missing import POLICIES
from explorer.recipe.split_score import OWN_SCORE, SCORES
from tests.folders import ROOT

MOST_FILES = {"Add an impurity": 5, "Add a split score": 6}
STEP = re.compile(
    r"^\d+\. `(?P<file>[^`]+)`, (?P<where>after|before|at the end of) `(?P<anchor>[^`]+)`:"
    r".*?\n```python\n(?P<code>.*?)^```",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Step:
    """One step of a walk: text to be inserted in a file after, before or at the end of something."""

    file: str
    where: str
    anchor: str
    code: str


def section(title: str) -> str:
    """The section of CONTRIBUTING with its code blocks moved to the left edge."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    body = text.split(f"## {title}\n")[1].split("\n## ")[0]
    return "\n".join(line.removeprefix("   ") for line in body.splitlines()) + "\n"


def steps(title: str) -> list[Step]:
    return [Step(*match.group("file", "where", "anchor", "code")) for match in STEP.finditer(section(title))]


def files_named(title: str) -> set[str]:
    return set(re.findall(r"`(explorer/[^`]+\.py|pages/[^`]+\.py)`", section(title)))


def position(lines: list[str], step: Step) -> int:
    """Before which line a step's text belongs; the anchor must be there exactly once."""
    starts = [i for i, line in enumerate(lines) if line.strip().startswith(step.anchor)]
    if step.where != "after" or not step.anchor.startswith("def "):
        starts = [i for i in starts if step.where == "at the end of" or lines[i].strip() == step.anchor]
    if step.where == "at the end of":
        starts = [i for i in starts if re.match(rf"{step.anchor}(:.*)? = ", lines[i])]
    assert len(starts) == 1, f"{step.file} has {len(starts)} places for: {step.where} {step.anchor}"
    start = starts[0]
    if step.where == "before":
        return start
    if step.where == "at the end of":
        return next(i for i in range(start + 1, len(lines)) if lines[i] in ("    )", "}"))
    return next((i for i in range(start + 1, len(lines)) if lines[i][:1].strip() and lines[i] != "):"), len(lines))


def carry_out(step: Step, folder: Path) -> None:
    """Insert a step's text, indented as what is beside it; an entry of a table ends with a comma."""
    path = folder / step.file
    lines = path.read_text("utf-8").splitlines()
    at = position(lines, step)
    code, indent = textwrap.dedent(step.code).rstrip(), ""
    if step.where != "after":
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    if step.where == "at the end of":
        code, indent = code.rstrip(",") + ",", indent + "    "
    inserted = textwrap.indent(code, indent).splitlines()
    if re.match("@|def ", code):
        inserted = ["", "", *inserted, "", ""]
    path.write_text("\n".join([*lines[:at], *inserted, *lines[at:]]) + "\n", "utf-8")


COMPILED = textwrap.dedent("""
    import json
    import numpy as np
    from explorer.recipe.impurity import impurity_of
    from explorer.recipe.split_score import SCORES, scores_of

    scores = scores_of(np.array([0.5]), np.array([0.25]), 1.0, SCORES["soft_ratio"].number, 0.0)
    impurity = impurity_of("tsallis", [9, 5])
    print(json.dumps({"impurity": impurity, "score": scores[0], "code": len(scores_of.overloads)}))
""")
GROWN_BY_THEM = textwrap.dedent('''
    import json
    import numpy as np
    import pandas as pd
    import explorer as ex
    from explorer.explaining import candidate_formulas
    from explorer.recipe.impurity import impurity_of
    from pages.settings import growing_options

    rng = np.random.default_rng(3)
    rows = 90
    frame = pd.DataFrame({"real": rng.normal(size=rows).round(2), "few": rng.integers(0, 5, rows).astype(float)})
    for size in (2, 5, 12):
        frame[f"c{size}"] = pd.Series(rng.choice([f"v{i:02d}" for i in range(size)], rows), dtype=object)
    signal = frame["real"] + frame["few"] / 3 + (frame["c5"] > "v01") + rng.normal(scale=0.7, size=rows)
    frame["two"] = np.where(signal > 1.2, "yes", "no")
    frame["four"] = pd.cut(signal, 4, labels=["w", "x", "y", "z"]).astype(object)
    frame["fractions"] = rng.choice([0.25, 0.7, 1.0, 2.5], rows)
    holes = frame.copy()
    for name in ("real", "few", "c2", "c5", "c12"):
        holes.loc[rng.random(rows) < 0.1, name] = None
    FEATURES = ["real", "few", "c2", "c5", "c12"]

    def agree(tree, data):
        """How many best candidates engine and definition share; every one of them is compared."""
        shared = 0
        for number in range(tree.n_nodes_grown):
            if tree.node(number).is_empty:
                continue
            decision = ex.decide(tree, data, number)
            for position, feature in enumerate(FEATURES):
                best, gain = decision.best.get(feature), tree.evidence.gain[number, position]
                if np.isnan(gain):
                    assert best is None or best.rejected or tree.node(number).is_leaf
                    continue
                np.testing.assert_allclose(gain, best.gain, rtol=1e-9, atol=1e-11)
                info = tree.evidence.split_info[number, position]
                assert not info or abs(info - best.split_info) < 1e-9
                threshold = best.condition.threshold
                np.testing.assert_equal(tree.evidence.cut[number, position], np.nan if threshold is None else threshold)
                shared += 1
            chosen = None if decision.chosen is None else decision.chosen.condition
            assert tree.node(number).is_leaf or chosen == tree.node(number).condition
        return shared

    def grown(recipe):
        """Best candidates shared over targets, weights, missing values and kinds of tests."""
        shared = []
        for target in ("two", "four"):
            for table, weights in ((frame, None), (holes, None), (frame, "fractions")):
                kinds = dict.fromkeys([*FEATURES[2:], target], "categorical")
                data = ex.Dataset.from_frame(table, target, FEATURES, kinds, weights)
                for categorical in ("subset", "each_value"):
                    own = recipe.replace(categorical=categorical, min_rows_leaf=3.0)
                    shared.append(agree(ex.grow(data, own, keep_candidates=True), data))
        return shared

    def formula(recipe, name):
        """What the formula of a number of play tennis says, what it comes to, and the candidate's record."""
        data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
        tree = ex.grow(data, recipe)
        candidate = ex.decide(tree, data, 0).chosen
        derivation = candidate_formulas(tree.node(0), candidate)[name]
        result = derivation.result
        return {"text": result.text, "first": derivation.formulas[0].text, "value": result.quantity.value,
                "gain": candidate.gain, "score": candidate.score, "split_info": candidate.split_info}

    tsallis, soft = ex.CART.replace(impurity="tsallis"), ex.C45.replace(score="soft_ratio")
    print(json.dumps({
        "shared by impurity": grown(tsallis),
        "shared by score": grown(soft),
        "impurity": impurity_of("tsallis", [9, 5]),
        "impurity formula": formula(tsallis, "Tsallis decrease"),
        "score formula": formula(soft, "score"),
        "impurities offered": growing_options.BY_FIELD["impurity"].choices,
        "scores offered": growing_options.BY_FIELD["score"].choices,
    }))
''')


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package after both walks."""
    folder = tmp_path_factory.mktemp("copy")
    without = shutil.ignore_patterns("__pycache__")
    for package in ("explorer", "pages"):
        shutil.copytree(ROOT / package, folder / package, ignore=without)
    for title in MOST_FILES:
        for step in steps(title):
            carry_out(step, folder)
    return folder


def said(copy, program, *quiet, **environment):
    """What a program prints that runs in an interpreter of its own with the copy."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(copy / "numba"), **environment}
    command = [sys.executable, "-W", "error", *quiet, "-c", program]
    run = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, encoding="utf-8", timeout=1500, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def grown_by_them(copy):
    """What the copy says where Python runs the engine's text, which `test_jit.py` holds against its code."""
    of_overflows = ["-W", "ignore::RuntimeWarning"]  # which compiled code is silent about
    return said(copy, GROWN_BY_THEM, *of_overflows, NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize("title", MOST_FILES)
def test_a_walk_needs_few_files_and_edits_all_that_it_names(title):
    assert len(steps(title)) >= 4
    assert {step.file for step in steps(title)} == files_named(title)
    assert len(files_named(title)) <= MOST_FILES[title]


def test_every_choice_of_a_table_has_a_number_of_its_own_and_its_formula():
    for table in (IMPURITIES, SCORES, POLICIES):
        assert len({record.number for record in table.values()}) == len(table)
        assert all(record.name == name and record.label for name, record in table.items())
    assert set(FORMULAS) == {impurity.name for impurity in IMPURITIES.values() if impurity.needs_classes}
    assert set(SCORE_FORMULAS) == {score.name for score in SCORES.values() if score.compares == OWN_SCORE}


@pytest.mark.slow
def test_a_new_impurity_and_a_new_score_are_compiled(copy):
    told = said(copy, COMPILED)
    assert told["code"] == 1
    assert told["impurity"] == pytest.approx((1 - (9 / 14) ** 1.5 - (5 / 14) ** 1.5) / 0.5, rel=1e-12)
    assert told["score"] == 1.0  # 0.5 / √0.25


@pytest.mark.slow
def test_engine_and_definition_agree_on_trees_of_a_new_impurity(grown_by_them):
    assert min(grown_by_them["shared by impurity"]) > 5
    assert grown_by_them["impurity"] == pytest.approx((1 - (9 / 14) ** 1.5 - (5 / 14) ** 1.5) / 0.5, rel=1e-12)
    assert grown_by_them["impurities offered"]["tsallis"] == "Tsallis entropy"


@pytest.mark.slow
def test_a_candidate_gets_the_formula_of_a_new_impurity(grown_by_them):
    told = grown_by_them["impurity formula"]
    assert told["first"].startswith("T(D) = (1 − (5/14)^1.5 − (9/14)^1.5)/0.5")
    assert told["text"].startswith("ΔT(A) = T(D) − ")
    assert told["value"] == pytest.approx(told["gain"], rel=1e-9)


@pytest.mark.slow
def test_engine_and_definition_agree_on_trees_of_a_new_score(grown_by_them):
    assert min(grown_by_them["shared by score"]) > 5
    assert grown_by_them["scores offered"]["soft_ratio"] == "Gain / √split information"


@pytest.mark.slow
def test_a_candidate_gets_the_formula_of_a_new_score(grown_by_them):
    told = grown_by_them["score formula"]
    assert told["text"].startswith("score(A) = gain(A)/SI(A)^0.5")
    assert told["value"] == pytest.approx(told["score"], rel=1e-9)
    assert told["score"] == pytest.approx(told["gain"] / told["split_info"] ** 0.5, rel=1e-9)
