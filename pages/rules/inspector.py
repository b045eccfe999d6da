"""The inspector of the Rules page: the list with the rows of the rule selected, and how its rules were pruned."""

from __future__ import annotations

from functools import partial

import explorer as ex
from explorer.messages import message
from pages.results import rules
from pages.rules import post_pruning, rule_rows, rule_table
from pages.settings.settings import Settings
from pages.widgets import open_tabs, page_frame

_KEY, _LIST, _ROUNDS = "rules.tab", "list", "rounds"


def show(settings: Settings) -> None:
    """The list; of rules that are pruned one by one also the rounds and the comparison with the tree, as tabs."""
    rule_list = rules.in_force(settings)
    if rules.is_pruned(settings):
        page_frame.show_sample(settings)
    contents = (rule_table.show, rule_rows.show, post_pruning.rounds, post_pruning.compare_with_tree)
    shown = zip(_names(settings).items(), contents, strict=False)
    open_tabs.show({tab: (name, partial(content, settings, rule_list)) for (tab, name), content in shown}, _KEY)


def rule_shown(settings: Settings) -> ex.Rule | None:
    """The rule selected; with the rounds of pruning open, the one that is pruned there. Raises InputError."""
    rule_list = rules.in_force(settings)
    if rule_list.removals and open_tabs.current(_names(settings), _KEY, _LIST) == _ROUNDS:
        leaf = rule_list.removals[rules.round_shown(settings, rule_list)].leaf
        left_out = rules.left_out_of_node(rule_list, leaf)
        return left_out[0] if left_out else rules.of_node(rule_list, leaf)
    return rules.selected(settings, rule_list)


def _names(settings: Settings) -> dict[str, str]:
    """What the tabs are called."""
    names = {_LIST: message("List"), "rows": message("Rows of the rule")}
    of_pruned = {_ROUNDS: message("Pruning rounds"), "tree": message("Rules and tree")}
    return names | of_pruned if rules.is_pruned(settings) else names
