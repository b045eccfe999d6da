"""The lists of rules: the tree's own and those pruned one by one, kept under a text for all that they depend on."""

from __future__ import annotations

from functools import partial

import numpy as np

import explorer as ex
from explorer.evaluation.evaluation import Positions
from explorer.explaining.rules.filter import list_accuracy, pick_rules, rule_errors, rule_hits
from explorer.formatting import visible
from explorer.messages import message, plural
from explorer.tree import metrics
from pages.results import connected_table, evaluation, trees
from pages.results.cache import kept
from pages.results.of_tree.grown_on import grown_on
from pages.settings import session
from pages.settings.settings import Settings

MOST_CELLS = 5_000_000
"""Rules × rows of a list that is pruned and applied: more would take minutes."""


keep_changes = partial(session.keep_part, "rules")
"""Change what was chosen on the Rules page."""


def estimates(settings: Settings) -> dict[str, str]:
    """The estimates that there are rows for, and what they are called."""
    pessimistic = {"pessimistic": message("Pessimistic, on training rows")}
    return ({} if trees.parts(settings).valid is None else {"valid": message("On validation rows")}) | pessimistic


def lists() -> dict[str, str]:
    """The lists of rules, and what they are called."""
    return {"tree": message("Tree’s rules"), "pruned": message("Rules pruned one by one")}


def orders(settings: Settings) -> dict[str, str]:
    """The orders that rules can have, and what they are called; numbers have no share of correct predictions."""
    is_regression = trees.data(settings).is_regression
    of_classes = {} if is_regression else {"reliability": message("Most reliable")}
    names = {"support": message("Most rows"), "order": message("List order")}
    names |= {} if is_regression else {"confidence": message("Highest confidence")}
    of_validation = {"validation": message("Validation accuracy")} if hits(settings) else {}
    return of_classes | names | of_validation


def order(settings: Settings) -> str:
    """The order in force: the one chosen if the target allows it, else that of the list."""
    names = orders(settings)
    return settings.rules.sort if settings.rules.sort in names else "order"


def shown(settings: Settings, rule_list: ex.RuleList) -> tuple[ex.Rule, ...]:
    """The rules that the filters let through, in the order in force."""
    chosen = settings.rules
    least = chosen.min_percent / 100
    by = order(settings)
    counted = hits(settings) if by == "validation" else {}
    return pick_rules(rule_list, by, chosen.of_class, chosen.min_rows, least, chosen.search, counted)


def ordered(settings: Settings, rule_list: ex.RuleList) -> tuple[ex.Rule, ...]:
    """All rules, in the order in force."""
    by = order(settings)
    return pick_rules(rule_list, by, hits=hits(settings) if by == "validation" else {})


def selected(settings: Settings, rule_list: ex.RuleList) -> ex.Rule | None:
    """The rule of the node selected; None where it belongs to none but the default."""
    return of_node(rule_list, settings.node)


def round_shown(settings: Settings, rule_list: ex.RuleList) -> int:
    """The round of pruning in force: the one chosen, or the first of the rule whose node is selected since."""
    leaves = [removal.leaf for removal in rule_list.removals]
    step = min(settings.rules.step, len(leaves) - 1)
    return leaves.index(settings.node) if settings.node in leaves and leaves[step] != settings.node else step


def of_node(rule_list: ex.RuleList, node: int) -> ex.Rule | None:
    """The rule made from a node; None where it belongs to none but the default, or to one that is left out."""
    return next((rule for rule in rule_list.in_order[:-1] if node in rule.leaves), None)


def left_out_of_node(rule_list: ex.RuleList, node: int) -> tuple[ex.Rule, ex.Rule] | None:
    """The rule made from a node that can never decide, and the earlier rule that has all of its rows."""
    return next((pair for pair in rule_list.left_out if node in pair[0].leaves), None)


def estimate(settings: Settings) -> str:
    """The estimate in force: the one chosen if there are rows for it, else the first there is."""
    names = estimates(settings)
    return settings.rules.estimate if settings.rules.estimate in names else next(iter(names))


def is_pruned(settings: Settings) -> bool:
    """Whether the list in force is the one pruned rule by rule; that needs classes."""
    return settings.rules.kind == "pruned" and not trees.data(settings).is_regression


def own(settings: Settings) -> ex.RuleList:
    """The rules of the pruned tree."""
    return _own(evaluation.predicting_key(settings), evaluation.evaluated_tree(settings))


def pruned(settings: Settings) -> ex.RuleList:
    """These rules, each pruned by itself; raises InputError where that would take too long or needs rows."""
    if connected_table.sample_text(settings):
        raise ex.InputError(
            message(
                "Pruning rules one by one reads every training row, and the rows of a connected table are counted: "
                "take the tree’s rules, or prune the tree on the Prune page."
            )
        )
    subsets, tree, rows = trees.parts(settings), evaluation.evaluated_tree(settings), trees.parts(settings).train.n_rows
    if tree.n_leaves * rows > MOST_CELLS:
        raise ex.InputError(_too_many(tree.n_leaves, rows))
    valid = subsets.valid if estimate(settings) == "valid" else None
    return _pruned(pruned_key(settings), tree, valid, subsets.train, settings)


def _too_many(n_rules: int, n_rows: int) -> str:
    return plural(
        max(MOST_CELLS // n_rows, 1),
        "{rules:,} rules on {rows:,} rows are too many to prune one by one while you wait. Choose a tree of at most "
        "{n:,} leaf on the Prune page.",
        "{rules:,} rules on {rows:,} rows are too many to prune one by one while you wait. Choose a tree of at most "
        "{n:,} leaves on the Prune page.",
        rules=n_rules,
        rows=n_rows,
    )


def pruned_key(settings: Settings) -> str:
    """A text for everything that the pruned rules depend on."""
    subsets = trees.parts(settings)
    valid = subsets.valid.fingerprint if subsets.valid is not None else ""
    how = f"{estimate(settings)} {settings.rules.only_if_better} {settings.confidence} {settings.limit}"
    return f"{evaluation.predicting_key(settings)} {valid} {how}"


def in_force(settings: Settings) -> ex.RuleList:
    """The list that the page shows; raises InputError."""
    return pruned(settings) if is_pruned(settings) else own(settings)


def trained_on(settings: Settings) -> ex.Dataset:
    """The rows that the rules' tree was grown on."""
    return grown_on(trees.parts(settings).train, evaluation.evaluated_tree(settings).recipe)


def rows_of(settings: Settings, rule: ex.Rule) -> Positions:
    """Positions of the training rows that a rule predicts, among those that the tree was grown on."""
    train, tree = trained_on(settings), evaluation.evaluated_tree(settings)
    if not is_pruned(settings) and rule.stop is None:
        return np.asarray(tree.rows_at(train, rule.leaf), dtype=np.intp)
    rule_list = in_force(settings)
    key = pruned_key(settings) if is_pruned(settings) else evaluation.predicting_key(settings)
    return np.flatnonzero(_rule_positions(key, rule_list, train) == rule_list.in_order.index(rule))


def accuracies(settings: Settings) -> tuple[str, float, float, float]:
    """The rows evaluated on, and the accuracy there of the tree, of its pruned rules, and of the majority."""
    subsets, tree = trees.parts(settings), evaluation.evaluated_tree(settings)
    used = trained_on(settings)
    which, rows = ("training", used) if subsets.valid is None else ("validation", subsets.valid)
    of_rules = _list_accuracy(f"{pruned_key(settings)} {which}", pruned(settings), rows)
    return which, metrics.score(tree, rows), of_rules, metrics.baseline(used, rows)


def hits(settings: Settings) -> dict[ex.Rule, tuple[float, float]]:
    """Of each rule of the tree how many validation rows it predicts, and how many rightly.

    Empty for rules pruned one by one, whose other amounts may be validation rows; without validation rows in memory,
    for numbers, and where counting would take long.
    """
    if is_pruned(settings):
        return {}
    valid, rule_list = None if settings.connected else trees.parts(settings).valid, own(settings)
    if valid is None or rule_list.tree.is_regression or len(rule_list.in_order) * valid.n_rows > MOST_CELLS:
        return {}
    counted = _hits(f"{evaluation.predicting_key(settings)} {valid.fingerprint}", rule_list, valid).tolist()
    return {rule: (predicted, right) for rule, (predicted, right) in zip(rule_list.in_order, counted, strict=True)}


def errors(settings: Settings) -> dict[ex.Rule, tuple[float, float]]:
    """Of each rule for numbers how many validation rows it predicts, and its mean absolute error there.

    Empty for classes, without validation rows in memory, and where counting would take long.
    """
    valid, rule_list = None if settings.connected else trees.parts(settings).valid, own(settings)
    if valid is None or not rule_list.tree.is_regression or len(rule_list.in_order) * valid.n_rows > MOST_CELLS:
        return {}
    counted = _errors(f"{evaluation.predicting_key(settings)} {valid.fingerprint}", rule_list, valid).tolist()
    return {rule: (rows, error) for rule, (rows, error) in zip(rule_list.in_order, counted, strict=True)}


def decided(settings: Settings) -> dict[ex.Rule, float]:
    """Of each rule pruned how many of the rows that the list counts it decides: as the first that they fulfil."""
    rule_list = in_force(settings)
    if not is_pruned(settings):
        return {}
    rows = trees.parts(settings).valid if rule_list.on_validation else trained_on(settings)
    assert rows is not None, "the list counts validation rows"
    counted = _hits(f"{pruned_key(settings)} decided", rule_list, rows)[:, 0].tolist()
    return dict(zip(rule_list.in_order, counted, strict=True))


def improves_the_majority(settings: Settings) -> bool:
    """Whether the rules pruned predict more rows rightly than the majority does."""
    _, _, of_rules, baseline = accuracies(settings)
    return of_rules > baseline


@kept()
def _hits(key: str, _rule_list: ex.RuleList, _rows: ex.Dataset) -> np.ndarray:
    return rule_hits(_rule_list, _rows)


@kept()
def _errors(key: str, _rule_list: ex.RuleList, _rows: ex.Dataset) -> np.ndarray:
    return rule_errors(_rule_list, _rows)


@kept(by_language=True)
def _own(key: str, _tree: ex.Tree) -> ex.RuleList:
    return ex.rules(_tree)


@kept(by_language=True)
def _pruned(
    key: str, _tree: ex.Tree, _valid: ex.Dataset | None, _train: ex.Dataset, _settings: Settings
) -> ex.RuleList:
    better = _settings.rules.only_if_better
    return ex.post_prune_rules(_tree, _valid, _train, better, _settings.confidence, _settings.limit)


@kept()
def _rule_positions(key: str, _rule_list: ex.RuleList, _rows: ex.Dataset) -> np.ndarray:
    return _rule_list.apply(_rows)


@kept()
def _list_accuracy(key: str, _rule_list: ex.RuleList, _rows: ex.Dataset) -> float:
    return list_accuracy(_rule_list, _rows)


def query(tree: ex.Tree, dialect: str | None = None) -> str:
    """The query, or why there is none: names may hold what SQL cannot."""
    try:
        return ex.to_sql(tree, dialect=dialect)
    except ex.InputError as error:
        return message("-- There is no query for this tree. {error}", error=visible(str(error))) + "\n"
