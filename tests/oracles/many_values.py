"""What is done with trees whose features have many values: rules, predictions and exports."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

import explorer as ex

WORK: dict[str, Callable[[ex.Tree, ex.Dataset], object]] = {
    "predict": lambda tree, data: tree.predict(data.frame),
    "rules": lambda tree, data: ex.rules(tree),
    "rules.predict": lambda tree, data: ex.rules(tree).predict(data.frame),
    "rules.to_frame": lambda tree, data: ex.rules(tree).to_frame(),
    "rules.to_text": lambda tree, data: ex.rules(tree).to_text(),
    "post_prune_rules": lambda tree, data: ex.post_prune_rules(tree, train=data),
    "row_path": lambda tree, data: ex.row_path(tree, data, 3),
    "row_path of a row without values": lambda tree, data: ex.row_path(tree, NO_VALUES, 0),
    "to_text": lambda tree, data: ex.to_text(tree),
    "to_listing": lambda tree, data: ex.to_listing(tree),
    "to_dot": lambda tree, data: ex.to_dot(tree),
    "to_python": lambda tree, data: ex.to_python(tree),
    "to_sql": lambda tree, data: ex.to_sql(tree),
    "to_svg": lambda tree, data: ex.to_svg(tree),
    "to_html": lambda tree, data: ex.to_html(tree),
}
NO_VALUES = pd.DataFrame({"code": [None], "x": [None]})
