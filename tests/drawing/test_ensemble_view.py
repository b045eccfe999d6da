"""The picture of an ensemble: what Python packs is what the view reads, and the page that stands alone is safe."""

import dataclasses
import json
import subprocess
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from explorer.drawing.ensemble_view.html import to_html
from explorer.drawing.ensemble_view.payload import picture_payload, row_payload
from explorer.drawing.ensemble_view.records import Curve
from explorer.drawing.palette import DARK, LIGHT, contrast, root_colours
from tests.folders import ROOT
from tests.oracles import made_up_ensembles as made_up
from tests.oracles.made_up_ensembles import HOSTILE

READ = """import { readFileSync } from "node:fs";
import { openRecord } from "MODEL";
const record = openRecord(new Uint8Array(readFileSync(process.argv[2])));
const listed = (numbers) => Array.from(numbers, (number) => (Number.isNaN(number) ? "NaN" : number));
const plain = (_, value) => (ArrayBuffer.isView(value) ? listed(value) : value);
console.log(JSON.stringify(EXPRESSION, plain));
"""


def read(node: str, folder: Any, content: bytes, expression: str) -> Any:
    """What the view's own reader makes of a payload: the value of an expression of `record`."""
    model = (ROOT / "explorer/drawing/ensemble_view/model/picture.js").as_uri()
    script, file = folder / "read.mjs", folder / "payload.bin"
    script.write_text(READ.replace("MODEL", model).replace("EXPRESSION", expression), "utf-8")
    file.write_bytes(content)
    done = subprocess.run([node, script, file], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_the_view_reads_the_fit_of_every_stage(node, tmp_path):
    picture = made_up.regression(n_stages=4, n=6)
    found = read(
        *(node, tmp_path, picture_payload(picture)),
        "[record.nStages, record.scatter.edges, [0, 3, 4].map((k) => record.scatter.fitted(k)), "
        "record.scatter.targets(1), record.scatter.answers(3), record.baselines, record.best, record.facts.rounds[2]]",
    )
    stages, edges, fits, residuals, answers, baselines, best, facts = found
    assert stages == 4
    assert edges == [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert fits == [made_up.fitted_at(stage, 6).tolist() for stage in (0, 3, 4)], "halves are exact in 32 bits"
    assert residuals == [0, 0.5, 1, 1.5, 2, 2.5]
    assert answers == (np.arange(6) / 16).tolist(), "tree 4 adds what stage 4 has more than stage 3"
    assert [line["of"] for line in baselines] == ["constant", "tree", "pruned_tree"]
    assert best == int(np.argmin(picture.curves[1].values))
    assert facts == [3, f"{picture.curves[0].values[3]:.3f}", "–"]


def test_the_view_reads_votes_weights_regions_and_margins(node, tmp_path):
    found = read(
        *(node, tmp_path, picture_payload(made_up.classes())),
        "[record.voteLine.votes(2, 1), record.weights.weights(0), record.weights.weights(3), record.weights.wrong(0), "
        "record.weights.wrong(4), record.weights.rows, record.regions.codes(1), record.regions.certainty(5), "
        "record.margins.counts(5), record.margins.mean, record.best, record.curves[1].values]",
    )
    votes, first, third, none, wrong, rows, codes, certainty, counts, mean, best, oob = found
    assert votes == [2 * (row % 3 == 1) for row in range(12)]
    assert first == [row + 1 for row in range(12)], "before any tree: the weights that tree 1 will see"
    assert third == [row + 3 for row in range(12)]
    assert none is None
    assert wrong == [int(row % 3 == 4 % 3) for row in range(12)]
    assert rows == list(range(100, 112))
    assert codes == [(cell + 1) % 3 for cell in range(6)]
    assert certainty == [200] * 6
    assert counts == [1, 2, 3, 6]
    assert (mean[0], oob[0]) == ("NaN", "NaN"), "stage 0 has no margin and no out-of-bag score"
    assert best == -1, "only validation rows choose a best stage"


def test_the_view_reads_the_members_with_their_small_trees(node, tmp_path):
    picture = made_up.classes()
    found = read(node, tmp_path, picture_payload(picture), "record.members")
    trees = [member.thumbnail for member in picture.members]
    assert found["first"] == np.append(0, np.cumsum([len(tree.x) for tree in trees])).tolist()
    assert [found["roots"][root] for root in found["root"]] == [tree.root_feature for tree in trees]
    assert found["code"] == np.concatenate([tree.code for tree in trees]).tolist()
    assert found["leaves"] == [tree.n_leaves for tree in trees]
    assert np.allclose(np.array(found["x"]) / 255, np.concatenate([tree.x for tree in trees]), atol=1 / 255)
    assert (found["stage"], found["vote"]) == ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])


def test_one_row_is_a_message_of_its_own(node, tmp_path):
    content = row_payload(made_up.one_row())
    found = read(node, tmp_path, content, "[record.row, record.label, record.waterfall, record.votes]")
    assert found[:2] == [103, f"Row 104 {HOSTILE}"]
    assert found[2] == {
        "start": 1,
        "link": "logistic",
        "of_class": HOSTILE,
        "actual": None,
        "values": [1, 2, 3, 4, 5],
    }
    assert found[3]["outOfBag"] == [1, 0, 1, 0, 1]
    assert len(content) < 2000


def test_arrays_of_another_shape_are_refused():
    picture = made_up.regression(n_stages=3)
    with pytest.raises(ValueError, match="curve training: 4 numbers, not 3"):
        picture_payload(dataclasses.replace(picture, curves=(Curve("training", np.zeros(3)),)))
    with pytest.raises(ValueError, match="fitted"):
        picture_payload(dataclasses.replace(picture, n_stages=2, curves=(), facts=()))
    votes = made_up.classes()
    with pytest.raises(ValueError, match="votes: needs the weights"):
        picture_payload(dataclasses.replace(votes, weights=None))


def test_a_hundred_stages_are_a_small_message():
    assert len(picture_payload(made_up.regression(n_stages=100, n=200))) < 400_000


def test_names_stay_text_on_a_page_of_its_own():
    page = to_html(made_up.classes(), f"Title {HOSTILE}", made_up.one_row())
    assert page.count("<script") == 2
    assert "<img" not in page
    assert "default-src 'none'" in page


@pytest.mark.parametrize("ground", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_of_roots_are_seen_and_apart_from_the_first_classes(ground):
    roots = root_colours(ground.name)
    assert min(contrast(colour, ground.background) for colour in roots) >= 3
    channels = [tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)) for colour in (*roots, *ground.classes[:3])]
    pairs = [*combinations(channels[: len(roots)], 2), *product(channels[: len(roots)], channels[len(roots) :])]
    assert min(sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) for one, two in pairs) > 40**2
