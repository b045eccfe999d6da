"""The lines that write a model of each library into a file that opens here, none of them by pickle."""

from __future__ import annotations

from explorer.foreign.scikit_learn_json import sklearn_ensemble_snippet
from explorer.messages import message
from explorer.tree.from_sklearn_json import sklearn_snippet

_SAVED_HERE = """\
import json, pathlib
pathlib.Path("tree.json").write_text(json.dumps(tree.to_dict()))
"""


def snippets() -> dict[str, str]:
    """Python to run after fitting, by the library and what of it is written.

    >>> list(snippets())[1:4], snippets()["LightGBM"].strip()
    (['XGBoost', 'LightGBM', 'CatBoost'], 'model.booster_.save_model("model.txt")')
    """
    return {
        message("A tree or an ensemble grown here"): _SAVED_HERE,
        "XGBoost": 'model.save_model("model.json")\n',
        "LightGBM": 'model.booster_.save_model("model.txt")\n',
        "CatBoost": 'model.save_model("model.json", format="json", pool=pool)\n',
        "ONNX": 'import skl2onnx\nfile = skl2onnx.to_onnx(clf, X[:1].astype("float32")).SerializeToString()\n'
        'open("model.onnx", "wb").write(file)\n',
        "skops": 'import skops.io\nskops.io.dump(clf, "model.skops")\n',
        message("scikit-learn, a tree"): sklearn_snippet(),
        message("scikit-learn, an ensemble"): sklearn_ensemble_snippet(),
    }
