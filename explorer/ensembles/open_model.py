"""The one door for models: a file, whichever program wrote it, as a `Tree` or an `Ensemble`.

Each format is recognised from what a file holds, whatever its name, and read by its own reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.ensembles.members import Ensemble, ensemble_from_read
from explorer.errors import InputError
from explorer.foreign.catboost import ensemble_from_catboost
from explorer.foreign.content import Content
from explorer.foreign.h2o_files.ensemble import ensemble_from_h2o, is_h2o
from explorer.foreign.lightgbm import ensemble_from_lightgbm_dump, ensemble_from_lightgbm_text, is_lightgbm_text
from explorer.foreign.onnx_files.ensemble import is_onnx, model_from_onnx
from explorer.foreign.pmml_files.document import is_pmml
from explorer.foreign.pmml_files.model import model_from_pmml
from explorer.foreign.r_files.models import is_r, model_from_r
from explorer.foreign.record import ReadEnsemble
from explorer.foreign.scikit_learn_json import ensemble_from_sklearn_json
from explorer.foreign.skops import is_skops, model_from_skops
from explorer.foreign.spark_files.ensemble import is_spark, model_from_spark
from explorer.foreign.ubjson import parsed_ubjson
from explorer.foreign.weka_text.trees import is_weka, tree_from_weka
from explorer.foreign.xgboost_json import ensemble_from_xgboost
from explorer.foreign.ydf_files.ensemble import is_ydf, model_from_ydf
from explorer.messages import listing, message
from explorer.tree.tree import Tree

Read = Tree | ReadEnsemble
_BEGIN = 20_000
_SIGNS = re.compile(r'"(learner|tree_info|features_info|children_left|recipe)"\s*:|"ensemble"\s*:\s*"')
"""Names by which the JSON of a model is known in its first characters, also where it breaks off."""


@dataclass(frozen=True)
class Format:
    """One format: what it is called, whether some content is of it, and its reader.

    A reader gives the tree, or what an ensemble is made of, for the name of the target; it raises InputError for all
    that it cannot read.
    """

    name: str
    holds: Callable[[Content], bool]
    read: Callable[[Content, str], Read]


def _xgboost_ubjson(content: Content, target: str) -> Read:
    return ensemble_from_xgboost(parsed_ubjson(content.data), target)


FORMATS = (
    Format(
        "XGBoost (JSON)",
        lambda content: "learner" in content.names(),
        lambda content, target: ensemble_from_xgboost(content.plain, target),
    ),
    Format("XGBoost (UBJSON)", lambda content: content.data[:2] in (b"{L", b"{i", b"{U"), _xgboost_ubjson),
    Format("ONNX", is_onnx, model_from_onnx),
    Format("PMML", is_pmml, model_from_pmml),
    Format("scikit-learn (skops)", is_skops, model_from_skops),
    Format("Spark ML (folder or zip)", is_spark, model_from_spark),
    Format("H2O (by the snippet)", is_h2o, ensemble_from_h2o),
    Format("YDF (folder or zip)", is_ydf, model_from_ydf),
    Format("LightGBM (model text)", is_lightgbm_text, ensemble_from_lightgbm_text),
    Format("LightGBM (JSON)", lambda content: "tree_info" in content.names(), ensemble_from_lightgbm_dump),
    Format(
        "CatBoost (JSON)", lambda content: {"features_info", "model_info"} <= content.names(), ensemble_from_catboost
    ),
    Format("R (rpart, randomForest, ranger, by the snippet)", is_r, model_from_r),
    Format("Weka (text of J48 or REPTree)", is_weka, tree_from_weka),
    Format(
        "scikit-learn (ensemble, by the snippet)",
        lambda content: "ensemble" in content.names(),
        lambda content, target: ensemble_from_sklearn_json(content.plain, target),
    ),
    Format(
        "scikit-learn (tree, by the snippet)",
        lambda content: "children_left" in content.names(),
        lambda content, target: Tree.from_sklearn_json(content.plain, target),
    ),
)
"""All formats of other programs, the surest signs first."""


def open_model(path_or_bytes: str | Path | bytes, name: str | None = None, target: str = "target") -> Tree | Ensemble:
    """The model in a file or folder (also zipped), or behind the bytes of a file: of other libraries, or saved here.

    The format is recognised from the content; `name` is what errors call it, the file's own name if it is None.
    `target` names what the model predicts where the file does not. Predictions are the library's own; what a file does
    not hold, such as numbers of rows, is left out (`tree.notes`), and `source` names the library. The bytes may come
    from anybody: nothing is unpickled or run. Raises InputError for what cannot be read.

    >>> import json
    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> open_model(json.dumps(tree.to_dict()).encode())
    <Tree for 'PlayTennis' by ID3: 5 leaves, depth 2>
    """
    content = Content.of(path_or_bytes, name)
    if "format" in content.names():
        is_ensemble = "members" in content.names()
        return Ensemble.from_dict(content.plain) if is_ensemble else Tree.from_dict(content.plain)
    read = _read(content, target)
    return read if isinstance(read, Tree) else ensemble_from_read(read)


def _read(content: Content, target: str) -> Read:
    """The model in this content; InputError for a file of no format that can be read."""
    for known in FORMATS:
        if known.holds(content):
            return known.read(content, target)
    if _breaks_off(content):
        raise InputError(
            message(
                "'{name}' is the JSON of a model, but it breaks off or is damaged: save the model again, and copy the "
                "whole file.",
                name=content.name,
            )
        )
    raise InputError(
        message(
            "'{name}' holds no model that can be read. Readable: {formats}.",
            name=content.name,
            formats=listing([known.name for known in FORMATS]),
        )
    )


def is_model(content: bytes) -> bool:
    """Whether a file is meant as a model, damaged or not, rather than as a table: tables are written in JSON too.

    >>> is_model(b'{"format": 2, "recipe": {}, "target": "y"}'), is_model(b'{"format": ["a"], "recipe": ["b"]}')
    (True, False)
    >>> is_model(b'{"learner": {"attributes": {}, "feature_na'), is_model(b'{"recipe": "tea"}\\n{"recipe": ')
    (True, False)
    """
    try:
        given = Content.of(content)
        if _breaks_off(given):
            return True
        if given.names() and _is_table(given.plain):
            return False
        return {"format", "recipe"} <= given.names() or any(known.holds(given) for known in FORMATS)
    except InputError:  # a file larger than models may be, or a damaged zip: whoever reads tables says so
        return False


def _breaks_off(content: Content) -> bool:
    """Whether a file begins as the JSON record of a model, and is no JSON as a whole."""
    begin = (content.text or "")[:_BEGIN].lstrip()
    if not begin.startswith("{") or begin.partition("\n")[0].rstrip().endswith("}"):  # a record a line
        return False
    return bool(_SIGNS.search(begin)) and content.plain is None


def _is_table(record: Mapping[str, object]) -> bool:
    """Whether a record has a list, or a record, for every name: the columns of a table."""
    values = list(record.values())
    return any(all(isinstance(value, kind) for value in values) for kind in (list, Mapping))
