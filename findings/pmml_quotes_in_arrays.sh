#!/usr/bin/env bash
# JPMML-Evaluator 0.16.0 and PyPMML 1.5.8 (both need Java): quotation marks and backslashes in the arrays of PMML.
#
# Expected: in <Array type="string"> a backslash escapes, as in \"; so "C:\\temp" is C:\temp, and every engine reads
# the category  say "hi"  from "say \"hi\"".
# Seen: JPMML reads \" as a quotation mark, PyPMML does not find that category. In both, any other backslash stands for
# itself: C:\temp is told by "C:\temp", and not by "C:\\temp". A text that ends in one, as C:\ does, cannot be told.
# One SimplePredicate with operator="equal" for each such category is read alike.
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet jpmml-evaluator==0.16.0 jpype1==1.7.1 pypmml==1.5.8 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import pathlib
from xml.sax.saxutils import quoteattr

from jpmml_evaluator import make_evaluator
from pypmml import Model


def tree(test):
    return f"""<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/><DataDictionary>
<DataField name="y" optype="continuous" dataType="double"/>
<DataField name="k" optype="categorical" dataType="string"/></DataDictionary>
<TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction">
<MiningSchema><MiningField name="y" usageType="target"/><MiningField name="k" invalidValueTreatment="asIs"/>
</MiningSchema><Output><OutputField name="p" feature="predictedValue" optype="continuous" dataType="double"/></Output>
<Node score="0"><True/><Node score="1">{test}</Node></Node></TreeModel></PMML>"""


def found(test, category):
    """Whether each engine finds the category."""
    pathlib.Path("tree.pmml").write_text(tree(test))
    answers = []
    for predict in (
        lambda: make_evaluator("tree.pmml").evaluate({"k": category})["p"],
        lambda: Model.fromString(tree(test)).predict({"k": category})["p"],
    ):
        try:
            answers.append(predict() == 1.0)
        except Exception:
            answers.append("error")
    return answers


for item, category, expected in (
    (r'"say \"hi\""', 'say "hi"', [True, False]),
    (r'"C:\temp"', r"C:\temp", [True, True]),
    (r'"C:\\temp"', r"C:\temp", [False, False]),
    (r'"C:\\"', "C:\\", ["error", "error"]),
):
    array = f'<Array n="2" type="string">{item} other</Array>'
    by_array = found(f'<SimpleSetPredicate field="k" booleanOperator="isIn">{array}</SimpleSetPredicate>', category)
    by_equal = found(f'<SimplePredicate field="k" operator="equal" value={quoteattr(category)}/>', category)
    print(item, "is", category, "in an array: JPMML, PyPMML", by_array, "by equal:", by_equal)
    assert by_array == expected
    assert by_equal == [True, True]
PYTHON
