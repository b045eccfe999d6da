"""The tree or ensemble in a PMML file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.limits import MOST_NODES_IN_ALL, MOST_TREES, check_members_and_features
from explorer.foreign.pmml_files.columns import Dictionary
from explorer.foreign.pmml_files.document import Element, document, refuse
from explorer.foreign.pmml_files.found import Steps
from explorer.foreign.pmml_files.predicates import Predicates
from explorer.foreign.pmml_files.segments import Plan, plan_of
from explorer.foreign.pmml_files.trees import ReadTree, read_tree, scores_of, tests_of, told_tree
from explorer.foreign.record import Model, ReadEnsemble, ReadMember, averaged
from explorer.messages import message
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree
from explorer.values import Value

STEPS_OF_A_PREDICATE, FREE_STEPS = 300, 1_000_000
UNREAD = ("Header", "DataDictionary", "TransformationDictionary", "MiningBuildTask")


def model_from_pmml(content: Content, target: str) -> Tree | ReadEnsemble:
    """The tree or ensemble in the file; InputError for anything else."""
    root = document(content)
    models = [each for each in root.children if each.tag not in UNREAD]
    if len(models) != 1:
        refuse(message("it holds {n} models", n=len(models)))
    plan = plan_of(models[0])
    dictionary = Dictionary(root, models[0])
    for each in plan.inner:
        dictionary.enter(each)
    is_of_classes = models[0].need("functionName") == "classification"
    read, told = _nodes(plan, dictionary, is_of_classes and not plan.classes)
    by_text = dictionary.classes(plan.classes) if plan.classes else {}
    classes = tuple(by_text[text] for text in plan.classes) or told
    described = Model(
        "PMML",
        tuple(column.encoding() for column in dictionary.columns),
        dictionary.target or target,
        told,
        counts_rows=all(tree.counts_rows for tree in read),
        further=(Remark("pmml_ties"),) if plan.combination == "votes" else (),
    )
    trees = _trees(read, described, source_of(root))
    return _ensemble(plan, trees, described, classes) if plan.combination else trees[0]


def _nodes(plan: Plan, dictionary: Dictionary, of_classes: bool) -> tuple[list[ReadTree], tuple[Value, ...]]:
    """The nodes of all trees, and the classes that they tell."""
    elements, predicates = plan.trees, Predicates(dictionary)
    if not 1 <= len(elements) <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(elements), most=MOST_TREES))
    check_members_and_features(len(elements), len(dictionary.columns))
    for each in elements:
        predicates.survey(tests_of(each))
    told = [told_tree(each, predicates) for each in elements]
    classes = dictionary.classes(scores_of(told)) if of_classes else {}
    steps = Steps(FREE_STEPS + STEPS_OF_A_PREDICATE * len(predicates.table))
    read, n_nodes = list[ReadTree](), 0
    for tree in told:
        read.append(read_tree(tree, classes, predicates.table, dictionary.columns, steps))
        n_nodes += len(read[-1].nodes.weight)
        if n_nodes > MOST_NODES_IN_ALL:
            refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    return read, tuple(classes.values())


def _trees(read: Sequence[ReadTree], described: Model, source: str) -> list[Tree]:
    """The trees, each with what is said of its own nodes."""
    code = "from_pmml" if described.counts_rows else "from_pmml_without_counts"
    return [
        replace(tree, remarks=(Remark(code, (source, each.n_null)), *described.further))
        for tree, each in zip(trees_of([each.nodes for each in read], described, refuse), read, strict=True)
    ]


def _ensemble(plan: Plan, trees: Sequence[Tree], described: Model, classes: tuple[Value, ...]) -> ReadEnsemble:
    """The trees as members: round after round, one of each class."""
    group = plan.groups[0]
    votes = np.array(group.votes)
    if plan.combination in ("votes", "mean_of_shares"):
        found = averaged(trees, "PMML", described.target, described.features, votes if votes.std() else None)
        return replace(found, combination=plan.combination)
    if plan.combination == "sum" and len(plan.groups) == 1 and not group.constant and abs(votes.sum() - 1.0) < 1e-12:
        return averaged(trees, "PMML", described.target, described.features, votes if votes.std() else None)
    rest, members = iter(trees), list[ReadMember]()
    for each in plan.groups:
        for stage, vote in enumerate(each.votes, 1):
            members.append(ReadMember(next(rest), stage, vote, of_class=each.of_class))
    return ReadEnsemble(
        origin="PMML",
        method="gradient_boosting",
        combination=plan.combination,
        members=tuple(sorted(members, key=lambda member: (member.stage, member.of_class or 0))),
        start=np.array([each.constant for each in plan.groups]),
        constant=None,
        target=described.target,
        classes=classes,
        features=described.features,
    )


def source_of(root: Element) -> str:
    """The program that wrote the file, with its version, as far as the file says."""
    told = root.within("Header", "Application")
    words = f"{told[0].get('name')} {told[0].get('version')}" if told else ""
    return re.sub(r"[^\w .+-]", "", words).strip()[:40]
