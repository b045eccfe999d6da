"""The tree or ensemble in a folder of Spark ML, or in a zip of it: a model alone, or a pipeline that ends with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.limits import MOST_CLASSES, MOST_FEATURES, check_members_and_features
from explorer.foreign.record import Model, ReadEnsemble, ReadMember, averaged
from explorer.foreign.spark_files.pipeline import UNKNOWN, Columns, Slot, flattened
from explorer.foreign.spark_files.stored import Stage, no_model, refuse
from explorer.foreign.spark_files.trees import OF_NUMBERS, Nodes, model_nodes, nodes_of
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree
from explorer.values import Value

Array = NDArray[Any]
METHODS = {
    "DecisionTreeClassificationModel": "tree",
    "DecisionTreeRegressionModel": "tree",
    "RandomForestClassificationModel": "forest",
    "RandomForestRegressionModel": "forest",
    "GBTClassificationModel": "gradient_boosting",
    "GBTRegressionModel": "gradient_boosting",
}
AFTER = ("IndexToString",)
"""Stages behind the trees that only name what these predict."""


@dataclass(frozen=True, eq=False)
class Found:
    """The stage with the trees, what each number of its vector means, and the classes: none for a number."""

    stage: Stage
    method: str
    slots: tuple[Slot, ...]
    classes: tuple[Value, ...]
    target: str

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What the trees leave out, and what Spark refuses to answer."""
        told = self.stage.parameters()
        merges = (
            bool(self.classes) and self.method != "gradient_boosting" and told.content.get("pruneTree") is not False
        )
        refused = tuple(dict.fromkeys(slot.name for slot in self.slots if slot.refuses))[:5]
        return (Remark("from_spark_merged"),) * merges + ((Remark("from_spark_refused", refused),) if refused else ())


def is_spark(content: Content) -> bool:
    """Whether a folder, or a zip, has the metadata of Spark ML at its top."""
    if not content.folder and not (content.data.startswith(b"PK\x03\x04") and b"metadata/part-" in content.data):
        return False
    tops = [data for name, data in content.files.items() if name.startswith("metadata/part-")]
    return any(b"spark.ml." in data[:200] for data in tops)


def model_from_spark(content: Content, target: str) -> Tree | ReadEnsemble:
    """The tree or ensemble; InputError for anything else."""
    root = Stage(content.files)
    found = _found(root, target)
    version = root.metadata.content.get("sparkVersion")
    return _read(found, str(version)[:20] if isinstance(version, str) else "")


def _found(root: Stage, target: str) -> Found:
    """Follow the stages up to the trees."""
    columns, stages = Columns(), flattened(root)
    places = [place for place, stage in enumerate(stages) if stage.kind in METHODS]
    if len(places) != 1:
        raise InputError(
            message(
                "The folder of Spark holds {type} with {n} models of trees: save one of {types}, or its pipeline.",
                type=root.kind,
                n=len(places),
                types=listing(METHODS),
            )
        )
    model = stages[places[0]]
    for number, stage in enumerate(stages):
        if number < places[0]:
            columns.add(stage)
        elif number > places[0] and stage.kind not in AFTER:
            raise InputError(
                message(
                    "The pipeline of Spark has the stage {stage} after its trees: save it without.", stage=stage.kind
                )
            )
    told, n_features = model.parameters(), model.metadata.whole("numFeatures", 0, MOST_FEATURES)
    vector = told.text("featuresCol")
    slots = columns.made.get(vector) or tuple(Slot(f"x{number}") for number in range(n_features))
    if len(slots) != n_features or len({slot.name for slot in slots}) < n_features:
        refuse(message("its feature names are too few, or two of them are the same"))
    classes, target = _classes(model, columns.made.get(told.text("labelCol"), ()), told, target)
    return Found(model, METHODS[model.kind], slots, classes, target)


def _classes(model: Stage, label: tuple[Slot, ...], told: Fields, target: str) -> tuple[tuple[Value, ...], str]:
    """The classes by the labels of their column, or as numbers; and what the column is called."""
    own = model.metadata.record("paramMap").content.get("labelCol") if model.metadata.has("paramMap") else None
    target = label[0].name if label else str(own)[:200] if isinstance(own, str) else target
    if not model.kind.endswith("ClassificationModel"):
        return (), target
    n_classes = 2 if model.kind.startswith("GBT") else model.metadata.whole("numClasses", 1, MOST_CLASSES)
    limits = told.content.get("thresholds")
    if isinstance(limits, list) and any(limit != limits[0] for limit in limits):
        raise InputError(
            message(
                "The model of Spark divides probabilities by thresholds, which is not done here: save it after "
                "model.clear(model.thresholds)."
            )
        )
    names: tuple[Value, ...] = tuple(label[0].codes or ()) if label else ()
    if label and len(names) == n_classes - 1 and label[0].kept is not None and UNKNOWN not in names:
        names = (*names, UNKNOWN)
    if names and len(names) < n_classes:
        refuse(message("its number of trees does not fit its classes"))
    names = names[:n_classes] or tuple(range(n_classes))
    if n_classes < 2:
        refuse(message("its classes are not different"))
    return names, target


def _read(found: Found, version: str) -> Tree | ReadEnsemble:
    boosts = found.method == "gradient_boosting"
    is_of_numbers = boosts or not found.classes
    nodes = nodes_of(found.stage.table("data"), OF_NUMBERS if is_of_numbers else len(found.classes), is_of_numbers)
    slots = _with_codes(found.slots, nodes)
    features = tuple(
        FeatureEncoding(slot.name, "numeric", "threshold")
        if slot.codes is None
        else FeatureEncoding(slot.name, "categorical", "subset", tuple(slot.codes))
        for slot in slots
    )
    check_members_and_features(int(nodes.tree[-1]) + 1, len(features))
    counts = nodes.n_rows is None or np.array_equal(nodes.n_rows, nodes.weight)
    shares = impurity = None
    if is_of_numbers:
        mean = nodes.stats[:, 1] / np.where(nodes.weight > 0, nodes.weight, 1.0)
        impurity = np.maximum(nodes.stats[:, 2] / np.where(nodes.weight > 0, nodes.weight, 1.0) - mean**2, 0.0)
        if not (nodes.weight > 0).all() or not (impurity <= LARGEST_SUMMED).all():
            refuse(message("the value of a leaf is no finite number"))
    else:
        shares = nodes.stats
    model = Model(
        f"Spark {version}".strip(),
        features,
        found.target,
        () if is_of_numbers else found.classes,
        counts_rows=counts and bool((nodes.weight == np.rint(nodes.weight)).all()),
        further=found.remarks,
    )
    trees = trees_of(model_nodes(nodes, slots, shares, impurity), model, refuse)
    if found.method == "tree":
        if len(trees) > 1:
            refuse(message("the children of a tree do not form a tree"))
        return trees[0]
    return _ensemble(found, trees, _votes(found.stage, len(trees)), version)


def _with_codes(slots: tuple[Slot, ...], nodes: Nodes) -> tuple[Slot, ...]:
    """The same with the codes themselves as labels where a split is on categories that no stage names."""
    listed = list(slots)
    for feature in np.unique(nodes.feature[(nodes.feature >= 0) & (nodes.arity >= 0)]).tolist():
        if feature < len(slots) and slots[feature].codes is None:
            arity = int(nodes.arity[nodes.feature == feature].max())
            if arity > MOST_FEATURES:
                refuse(message("its categories do not belong to its nodes"))
            listed[feature] = Slot(slots[feature].name, {code: code for code in range(arity)})
    return tuple(listed)


def _votes(stage: Stage, n_trees: int) -> Array:
    """What every tree is multiplied by."""
    table = stage.table("treesMetadata")
    if not {"_1", "_3"} <= set(table.column_names) or len(table) != n_trees:
        refuse(message("a file of numbers is missing"))
    told = Fields({"weights": table["_3"].to_pylist(), "trees": table["_1"].to_pylist()}, no_model)
    order = told.whole_numbers("trees", n_trees, 0, n_trees - 1)
    votes = np.zeros(n_trees)
    votes[order] = told.numbers("weights", n_trees, -LARGEST_SUMMED, LARGEST_SUMMED)
    return votes


def _ensemble(found: Found, trees: list[Tree], votes: Array, version: str) -> ReadEnsemble:
    if found.method == "forest":
        if (votes <= 0).any():
            refuse(message("the weights of its trees are not positive"))
        return averaged(trees, "Spark", found.target, trees[0].features, votes, version)
    return ReadEnsemble(
        origin="Spark",
        method=found.method,
        combination="sum_sigmoid_of_double" if found.classes else "sum",
        members=tuple(
            ReadMember(tree, n, vote) for n, (tree, vote) in enumerate(zip(trees, votes.tolist(), strict=True), 1)
        ),
        start=np.zeros(1),
        constant=None,
        target=found.target,
        classes=found.classes,
        features=trees[0].features,
        version=version,
    )
