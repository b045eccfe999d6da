"""How the trees of a `MiningModel` add up: its segments in order, what each counts, and the link behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from explorer.foreign.limits import MOST_CLASSES, MOST_TREES
from explorer.foreign.pmml_files.document import Element, refuse
from explorer.foreign.pmml_files.predicates import TAGS
from explorer.messages import listing, message

OF_NUMBERS = ("sum", "weightedSum", "average", "weightedAverage")
OF_CLASSES = ("average", "weightedAverage", "majorityVote", "weightedMajorityVote")
CHAIN = "modelChain"
LINKS = {
    ("regression", "none"): "sum",
    ("regression", "exp"): "sum_exponential",
    ("regression", "logit"): "sum_to_share",
    ("classification", "logit"): "sum_sigmoid",
    ("classification", "softmax"): "sum_softmax",
}
"""How a score becomes the prediction, by function and normalisation of the `RegressionModel` at the end of a chain."""


@dataclass(frozen=True)
class Group:
    """Trees whose answers are combined, and what each is multiplied by; then comes a constant.

    `of_class` is the class whose score they make, None where there is one score.
    """

    trees: list[Element]
    votes: list[float]
    method: str
    constant: float
    of_class: int | None = None


@dataclass(frozen=True)
class Plan:
    """The groups, the name of their combination, classes as texts, and all elements that define fields.

    `combination` is "" for a single tree. `classes` is empty where the target and the trees tell them.
    """

    combination: str
    groups: list[Group]
    inner: list[Element]
    classes: list[str] = field(default_factory=list)

    @property
    def trees(self) -> list[Element]:
        """All trees, group after group."""
        return [tree for group in self.groups for tree in group.trees]


def plan_of(model: Element) -> Plan:
    """How the trees of a model add up; InputError where they do not add up to an ensemble."""
    model.refuse_other("functionName", "regression", "classification")
    if model.tag == "TreeModel":
        return Plan("", [_group(model)], [model])
    if model.tag != "MiningModel":
        refuse(message("its model is a '{element}'", element=model.tag[:40]))
    if _segmentation(model).need("multipleModelMethod") == CHAIN:
        return _chain(model)
    group = _group(model)
    is_vote = group.method.endswith("Vote")
    combination = "votes" if is_vote else "sum" if model.need("functionName") == "regression" else "mean_of_shares"
    return Plan(combination, [group], [model, *group.trees])


def rescaled(model: Element) -> tuple[float, float]:
    """The factor and the constant of a model's numbers; InputError for other changes of them."""
    factor, constant = 1.0, 0.0
    for target in model.within("Targets", "Target"):
        for name in ("min", "max", "castInteger"):
            if target.get(name):
                _refuse_value(name, target.get(name))
        if target.first("TargetValue") is not None:
            refuse(message("'{element}' stands for rows without a prediction", element="TargetValue"))
        factor, constant = target.number("rescaleFactor", 1.0), target.number("rescaleConstant", 0.0)
    return factor, constant


def _refuse_value(name: str, value: str) -> NoReturn:
    refuse(message("it has {name}='{value}'", name=name, value=value[:40]))


def _segmentation(model: Element) -> Element:
    found = model.first("Segmentation")
    if found is None:
        refuse(message("'{element}' has no '{name}'", element=model.tag, name="Segmentation"))
    return found


def _segments(model: Element) -> list[tuple[Element, float]]:
    """The model in every segment, and its weight; InputError for segments that some rows pass by."""
    found = []
    for segment in _segmentation(model).all("Segment"):
        inner = [each for each in segment.children if each.tag not in TAGS]
        tests = [each.tag for each in segment.all(*TAGS)]
        if tests != ["True"]:
            refuse(message("segment '{id}' is not for every row", id=segment.get("id")[:40]))
        if len(inner) != 1:
            refuse(message("it holds {n} models", n=len(inner)))
        weight = segment.number("weight", 1.0)
        if weight < 0:
            _refuse_value("weight", segment.get("weight"))
        found.append((inner[0], weight))
    if not 1 <= len(found) <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(found), most=MOST_TREES))
    return found


def _group(model: Element, of_class: int | None = None) -> Group:
    """The trees of a `MiningModel`, or of a `TreeModel`, which applies its own factor and constant."""
    if model.tag == "TreeModel":
        return Group([model], [1.0], "sum", 0.0, of_class=of_class)
    if model.tag != "MiningModel":
        refuse(message("a segment holds a '{element}'", element=model.tag[:40]))
    function, method = model.need("functionName"), _segmentation(model).need("multipleModelMethod")
    readable = OF_NUMBERS if function == "regression" else OF_CLASSES
    if method not in readable:
        way = listing([f"'{each}'" for each in (*readable, CHAIN)])
        refuse(
            message(
                "its trees are combined by '{method}', of which there is no ensemble here, but of {way}",
                method=method[:40],
                way=way,
            )
        )
    segments, (factor, constant) = _segments(model), rescaled(model)
    for inner, _ in segments:
        if inner.tag != "TreeModel":
            refuse(message("a segment holds a '{element}'", element=inner.tag[:40]))
        inner.refuse_other("functionName", function)
    weights = [weight if method.startswith("weighted") else 1.0 for _, weight in segments]
    total = sum(weights)
    if not total > 0:
        refuse(message("all its trees have the weight 0"))
    if function == "regression":
        share = factor if method.lower().endswith("sum") else factor / total
        weights = [weight * share for weight in weights]
    elif (factor, constant) != (1.0, 0.0):
        _refuse_value("rescaleFactor", str(factor))
    return Group([inner for inner, _ in segments], weights, method, constant, of_class)


def _chain(model: Element) -> Plan:
    """Sums of trees that a `RegressionModel` takes for scores: one, or one for each class."""
    *summed, last = [inner for inner, _ in _segments(model)]
    if last.tag != "RegressionModel":
        refuse(message("a segment holds a '{element}'", element=last.tag[:40]))
    function, normalised = last.need("functionName"), last.get("normalizationMethod", "none")
    tables = list(last.all("RegressionTable"))
    combination = LINKS.get((function, normalised), "")
    n_scores = {"sum_softmax": len(tables), "sum_sigmoid": 2}.get(combination, 1)
    if not combination or model.need("functionName") != function or not 1 <= len(tables) == n_scores <= MOST_CLASSES:
        _refuse_value("normalizationMethod", normalised)
    for each in (model, last):
        if rescaled(each) != (1.0, 0.0):
            refuse(message("'{element}' changes what a link has made", element="Targets"))
    if combination == "sum_sigmoid":
        second = tables.pop()
        if second.number("intercept", 0.0) or second.children:
            _refuse_value("normalizationMethod", normalised)
        classes = [second.need("targetCategory"), tables[0].need("targetCategory")]
    else:
        classes = [each.need("targetCategory") for each in tables] if function == "classification" else []
    scores = {name: each for each in summed for name in _outputs(each)}
    groups = [
        _scored(table, scores, place if combination == "sum_softmax" else None) for place, table in enumerate(tables)
    ]
    inner = [model, last, *summed, *(tree for group in groups for tree in group.trees)]
    if not len({id(group.trees[0]) for group in groups if group.trees}) == len(summed) == len(scores):
        refuse(message("a segment is not used, or twice"))
    return Plan(combination, groups, inner, classes)


def _outputs(model: Element) -> Sequence[str]:
    """The names under which a segment hands on its prediction."""
    model.refuse_other("functionName", "regression")
    fields = model.within("Output", "OutputField")
    return [each.need("name") for each in fields if each.get("feature", "predictedValue") == "predictedValue"]


def _scored(table: Element, scores: dict[str, Element], of_class: int | None) -> Group:
    """The trees of the score that a table takes, times its coefficient, with its intercept as a further constant."""
    predictors = table.children
    intercept = table.number("intercept", 0.0)
    if not predictors:
        return Group([], [], "sum", intercept, of_class=of_class)
    first = predictors[0]
    if len(predictors) > 1 or first.tag != "NumericPredictor" or first.number("exponent", 1.0) != 1.0:
        refuse(message("its last segment asks for more than a sum of trees"))
    name, coefficient = first.need("name"), first.number("coefficient", 1.0)
    if name not in scores:
        refuse(message("column '{name}' is not declared", name=name[:40]))
    group = _group(scores[name], of_class)
    votes = [vote * coefficient for vote in group.votes]
    return Group(group.trees, votes, group.method, coefficient * group.constant + intercept, of_class)
