#!/usr/bin/env bash
# JPMML-Evaluator 0.16.0 and PyPMML 1.5.8 (both need Java): the same forest of votes, two different classes.
#
# Expected: a forest in PMML (multipleModelMethod="majorityVote") predicts the
# same class in every engine, since its trees and their order are in the file.
# Seen: where two classes have equally many votes, JPMML takes the class that the first trees voted for, PyPMML the one
# that the target declares first. The shares are the same, so that they do not give the difference away.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet jpmml-evaluator==0.16.0 jpype1==1.7.1 pypmml==1.5.8 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import pathlib

from jpmml_evaluator import make_evaluator
from pypmml import Model

TREE = """<Segment><True/><TreeModel functionName="classification"><MiningSchema><MiningField name="x"/></MiningSchema>
<Node><True/><Node score="%s"><True/></Node></Node></TreeModel></Segment>"""


def forest(votes):
    shares = "".join(
        f'<OutputField name="{name}" feature="probability" value="{name}" optype="continuous" dataType="double"/>'
        for name in ("no", "yes")
    )
    return f"""<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/><DataDictionary>
<DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>
<DataField name="x" optype="continuous" dataType="double"/></DataDictionary>
<MiningModel functionName="classification">
<MiningSchema><MiningField name="y" usageType="target"/><MiningField name="x"/></MiningSchema>
<Output><OutputField name="class" feature="predictedValue" optype="categorical" dataType="string"/>{shares}</Output>
<Segmentation multipleModelMethod="majorityVote">{"".join(TREE % vote for vote in votes)}</Segmentation>
</MiningModel></PMML>"""


for votes, jpmml, pypmml in ((["yes", "no"], "yes", "no"), (["no", "yes"], "no", "no")):
    pathlib.Path("forest.pmml").write_text(forest(votes))
    first = make_evaluator("forest.pmml").verify().evaluate({"x": 1.0})
    second = Model.fromString(forest(votes)).predict({"x": 1.0})
    print("votes", votes, "JPMML", first["class"], "PyPMML", second["class"], "shares", first["no"], second["no"])
    assert (first["class"], second["class"]) == (jpmml, pypmml)
    assert first["no"] == second["no"] == 0.5
PYTHON
