"""The tree or ensemble in a PMML file."""

from __future__ import annotations

import re

from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.pmml_files.columns import Dictionary
from explorer.foreign.pmml_files.document import Element, document, refuse
from explorer.foreign.pmml_files.predicates import Predicates
from explorer.foreign.pmml_files.routes import Steps
from explorer.foreign.pmml_files.trees import read_tree, scores_of, tests_of, told_tree
from explorer.foreign.record import Model, ReadEnsemble
from explorer.messages import message
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

STEPS_OF_A_PREDICATE, FREE_STEPS = 300, 1_000_000
UNREAD = ("Header", "DataDictionary", "TransformationDictionary", "MiningBuildTask")


def model_from_pmml(content: Content, target: str) -> Tree | ReadEnsemble:
    """The tree or ensemble in the file; InputError for anything else."""
    root = document(content)
    models = [each for each in root.children if each.tag not in UNREAD]
    if len(models) != 1:
        refuse(message("it holds {n} models", n=len(models)))
    model = models[0]
    if model.tag != "TreeModel":
        refuse(message("its model is a '{element}'", element=model.tag[:40]))
    return _tree(root, model, target)


def _tree(root: Element, model: Element, target: str) -> Tree:
    """The tree of a `TreeModel` that stands alone."""
    dictionary = Dictionary(root, model)
    predicates = Predicates(dictionary)
    predicates.survey(tests_of(model))
    told = told_tree(model, dictionary, predicates)
    model.refuse_other("functionName", "regression", "classification")
    classes = dictionary.classes(scores_of([told])) if model.need("functionName") == "classification" else {}
    steps = Steps(FREE_STEPS + STEPS_OF_A_PREDICATE * len(predicates.table))
    read = read_tree(told, classes, predicates.table, dictionary.columns, steps)
    features = tuple(column.encoding() for column in dictionary.columns)
    remark = Remark("from_pmml" if read.counts_rows else "from_pmml_without_counts", (source_of(root), read.n_null))
    described = Model(
        "PMML",
        features,
        dictionary.target or target,
        tuple(classes.values()),
        counts_rows=read.counts_rows,
        remark=remark,
    )
    return trees_of([read.nodes], described, refuse)[0]


def source_of(root: Element) -> str:
    """The program that wrote the file, with its version, as far as the file says."""
    told = root.within("Header", "Application")
    words = f"{told[0].get('name')} {told[0].get('version')}" if told else ""
    return re.sub(r"[^\w .+-]", "", words).strip()[:40]
