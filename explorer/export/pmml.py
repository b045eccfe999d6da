"""A tree as a PMML file, which scoring engines read: each branch says for which cells it is taken, missing ones too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from explorer.errors import InputError
from explorer.export.python import code_notes
from explorer.formatting import visible
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import parts_no_numbers
from explorer.recipe.missing import POLICIES
from explorer.tree.branching import STAY, BranchingRule, BranchTest, branching_rules, has_spread_rows
from explorer.tree.tree import Tree
from explorer.values import Value

NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that an XML file cannot hold, not even escaped."""
NO_ARRAY = re.compile(r'["\\\t\n\r]')
"""What engines read differently in the texts of an array."""
LARGEST_INTEGER = 2**31
"""Engines hold whole numbers in 32 bits."""
DEEPEST_INDENT = 40
_NOTE = (
    "A decision tree, written by Decision Tree Explorer. Numbers are doubles, dates are days since 1970 (UTC). Leave "
    "missing cells out, or give null. A category that no test names is let through to the tests."
)


def to_pmml(tree: Tree) -> str:
    """The tree as the text of a PMML 4.4 file (`TreeModel`) that predicts every row as the (pruned) tree does.

    Fields are the columns that the tree tests. Missing cells, unseen categories and surrogate splits are part of the
    branches' predicates, so that no engine needs a strategy of its own; where the tree has no branch for a row, it gets
    the prediction of the node. Raises InputError for rows that follow several branches, and for names that XML cannot
    hold.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> text = to_pmml(grow(Dataset.from_frame(load_sample("iris").frame, "class"), CART))
    >>> '<SimplePredicate field="petalwidth" operator="lessOrEqual" value=' in text
    True
    """
    if why := pmml_refusal(tree):
        raise InputError(why)
    return "\n".join(_lines(tree, branching_rules(tree))) + "\n"


def pmml_refusal(tree: Tree) -> str:
    """Why the tree cannot be a PMML file; "" where it can."""
    if has_spread_rows(tree):
        policy = POLICIES["most_common"]
        return message(
            "The tree cannot be a PMML file: rows with a missing or unseen cell follow several branches. Take Python, "
            "JavaScript or C, or grow it with missing values as '{policy}' (missing='{name}').",
            policy=policy.label,
            name=policy.name,
        )
    tested = [tree.features[position] for position in tree.tested_features()]
    names = [tree.target, *(each.name for each in tested)]
    if not all(names):
        return _unnamed(message("a column has no name"))
    values = [label for each in tested for label in each.words or () if label is not None]
    for text in (*names, *map(str, tree.classes), *map(str, values)):
        if NO_XML.search(text):
            return _unnamed(message("'{text}' has a character that XML cannot hold", text=visible(text)[:40]))
    return ""


def _unnamed(why: str) -> str:
    return message("The tree cannot be a PMML file: {why}. Rename it in the table, or take Python.", why=why)


def _start(tag: str, /, **attributes: object) -> str:
    """The start of an element."""
    return f"<{tag}{''.join(f' {name}={quoteattr(str(value))}' for name, value in attributes.items())}>"


def _element(tag: str, /, **attributes: object) -> str:
    """An element without content."""
    return f"{_start(tag, **attributes)[:-1]}/>"


def _lines(tree: Tree, rules: dict[int, BranchingRule]) -> Iterator[str]:
    columns = {test.encoding.name: test.encoding for rule in rules.values() for test in (rule.test, *rule.surrogates)}
    function = "regression" if tree.is_regression else "classification"
    optype_of_target = "continuous" if tree.is_regression else "categorical"
    kind, labels = _typed(tree.classes)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">'
    yield _start("Header", description=" ".join([_NOTE, *code_notes(tree)]))
    yield _element("Application", name="Decision Tree Explorer")
    yield "</Header>"
    yield "<DataDictionary>"
    yield from _field(tree.target, optype_of_target, kind, labels)
    for name, column in columns.items():
        by_category = column.test not in ("threshold", "bins")
        optype = "categorical" if by_category else "continuous"
        yield from _field(name, optype, "double" if column.kind == "numeric" else "string")
    yield "</DataDictionary>"
    yield _start(
        "TreeModel",
        functionName=function,
        missingValueStrategy="none",
        noTrueChildStrategy="returnLastPrediction",
        splitCharacteristic="multiSplit",
    )
    yield "<MiningSchema>"
    yield _element("MiningField", name=tree.target, usageType="target")
    yield from (_element("MiningField", name=name, invalidValueTreatment="asIs") for name in columns)
    yield "</MiningSchema>"
    yield from _output([tree.target, *columns], optype_of_target, kind, labels)
    yield from _nodes(tree, rules, labels)
    yield "</TreeModel>"
    yield "</PMML>"


def _field(name: str, optype: str, kind: str, values: Sequence[str] = ()) -> Iterator[str]:
    yield (_start if values else _element)("DataField", name=name, optype=optype, dataType=kind)
    if values:
        yield from (_element("Value", value=value) for value in values)
        yield "</DataField>"


def _typed(classes: Sequence[Value]) -> tuple[str, list[str]]:
    """The type of all classes, text where they have several, and their texts; numbers have no classes."""
    if not classes or all(type(name) is float for name in classes):
        return "double", [repr(name) for name in classes]
    if all(type(name) is int and abs(name) < LARGEST_INTEGER for name in classes):
        return "integer", [str(name) for name in classes]
    if all(type(name) is bool for name in classes):
        return "boolean", [str(name).lower() for name in classes]
    return "string", [str(name) for name in classes]


def _output(taken: Sequence[str], optype: str, kind: str, labels: Sequence[str]) -> Iterator[str]:
    """The prediction and the probability of every class, under names that no column has."""

    def free(name: str) -> str:
        return free(f"{name}_") if name in taken else name

    share = {"optype": "continuous", "dataType": "double", "feature": "probability"}
    yield "<Output>"
    yield _element("OutputField", name=free("prediction"), optype=optype, dataType=kind, feature="predictedValue")
    for label in labels:
        yield _element("OutputField", name=free(f"probability({label})"), **share, value=label)
    yield "</Output>"


def _nodes(tree: Tree, rules: dict[int, BranchingRule], labels: Sequence[str]) -> Iterator[str]:
    """The nodes from the root down, each with its predicate and what it predicts."""
    waiting: list[tuple[int, int, str]] = [(0, 0, "<True/>")]  # node (−1: an end), depth, predicate
    while waiting:
        node, depth, predicate = waiting.pop()
        indent = " " * min(depth, DEEPEST_INDENT)
        if node < 0:
            yield f"{indent}</Node>"
            continue
        score = labels[tree.labels[node]] if labels else repr(float(tree.values[node]))
        rows = repr(float(tree.weight[node]))
        yield indent + _start("Node", id=node, score=score, recordCount=rows) + predicate
        shares = zip(tree.prior_stats[node].tolist(), tree.probabilities[node].tolist(), strict=True) if labels else ()
        for label, (count, share) in zip(labels, shares, strict=False):
            yield indent + _element("ScoreDistribution", value=label, recordCount=count, probability=share)
        waiting.append((-1, depth, ""))
        if node in rules:
            children = list(enumerate(rules[node].children))
            waiting += [(child, depth + 1, _predicate(rules[node], branch)) for branch, child in reversed(children)]


def _predicate(rule: BranchingRule, branch: int) -> str:
    """For which rows a branch is taken: a row without a value asks the surrogates in turn, then goes where such go."""
    parts = _values(rule.test, {branch, STAY} if rule.unseen == branch else {branch})
    passed = [_missing(rule.test)]
    for surrogate in rule.surrogates:
        parts += [_joined("and", [*passed, each]) for each in _values(surrogate, {branch})]
        passed.append(_joined("or", [_missing(surrogate), *_values(surrogate, {STAY})]))
    if rule.missing == branch:
        parts.append(_joined("and", passed))
    return _joined("or", parts)


def _values(test: BranchTest, branches: set[int]) -> list[str]:
    """Predicates of the known values that take one of these branches; STAY stands for values without a branch."""
    if test.cut is None and test.encoding.test != "bins":
        listed = {branch: codes for branch, codes in test.codes_of.items() if branch in branches}
        if STAY in branches:
            others = [code for branch, codes in test.codes_of.items() if branch not in branches for code in codes]
            return [_among(test.encoding, others, negated=True)]
        return [_among(test.encoding, codes) for codes in listed.values()]
    ends = list(test.encoding.edges) if test.cut is None else [test.cut]
    bins = range(len(ends) + 1)
    sides = list(test.sides) if test.cut is not None else [test.branch_of.get(one, STAY) for one in bins]
    if test.cut is not None and parts_no_numbers(test.cut):
        ends, bins, sides = [], range(1), [sides[test.cut < 0]]
    found, begin = [], None
    for one in bins:
        if sides[one] not in branches:
            continue
        begin = one if begin is None else begin
        if one == len(ends) or sides[one + 1] not in branches:
            above = [_simple(test.encoding, "greaterThan", ends[begin - 1])] if begin else []
            upto = [_simple(test.encoding, "lessOrEqual", ends[one])] if one < len(ends) else []
            found.append(_joined("and", above + upto) if above or upto else _simple(test.encoding, "isNotMissing"))
            begin = None
    return found


def _missing(test: BranchTest) -> str:
    return _simple(test.encoding, "isMissing")


def _simple(column: FeatureEncoding, operator: str, value: str | float | None = None) -> str:
    told = {} if value is None else {"value": value if isinstance(value, str) else repr(float(value))}
    return _element("SimplePredicate", field=column.name, operator=operator, **told)


def _among(column: FeatureEncoding, codes: Sequence[int], *, negated: bool = False) -> str:
    """Whether a cell is one of the values, or none of them."""
    if not codes:
        return _simple(column, "isNotMissing")
    is_number = column.kind == "numeric"
    texts = [repr(float(column.labels[code])) if is_number else str(column.labels[code]) for code in codes]  # type: ignore[arg-type]
    odd, parts = [text for text in texts if NO_ARRAY.search(text)], []
    if plain := [text if is_number else f'"{escape(text)}"' for text in texts if text not in odd]:
        array = _start("Array", n=len(plain), type="real" if is_number else "string")
        way = "isNotIn" if negated else "isIn"
        start = _start("SimpleSetPredicate", field=column.name, booleanOperator=way)
        parts.append(f"{start}{array}{' '.join(plain)}</Array></SimpleSetPredicate>")
    parts += [_simple(column, "notEqual" if negated else "equal", text) for text in odd]
    return _joined("and" if negated else "or", parts)


def _joined(operator: str, parts: Sequence[str]) -> str:
    """Several predicates as one; none as one that is never true."""
    if len(parts) < 2:
        return parts[0] if parts else "<False/>"
    start = _start("CompoundPredicate", booleanOperator=operator)
    return f"{start}{''.join(parts)}</CompoundPredicate>"
