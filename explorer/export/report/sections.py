"""The sections of a report, as plain texts."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

import numpy as np

from explorer.data.division import TIME
from explorer.data.notes import ColumnInfo, grouped
from explorer.data.samples import SAMPLES
from explorer.data.suggestions import Repair
from explorer.drawing.svg.svg import MOST_SHOWN, in_theme
from explorer.evaluation.evaluation import evaluate
from explorer.export.report.blocks import SCORE_NAMES, Block, Grid, Listing, Paragraph, Picture, Points, Section, plain
from explorer.export.report.evaluated import prediction_sections
from explorer.export.report.held_out_leaves import held_out_leaves
from explorer.export.report.provenance import Provenance
from explorer.export.report.script import changed_fields, to_script
from explorer.export.report.tree_size import by_hand, cross_validation, size
from explorer.export.text import to_text
from explorer.formatting import leaves, number, rows, visible, with_percent_sign
from explorer.messages import listing, message, paragraph, plural
from explorer.tree.tree import Tree

MOST_LINES = 2000
"""Up to this many nodes, a report has the tree as text; of larger trees it has the upper levels."""
_PEERS = ("numpy", "pandas", "scikit-learn")
"""The packages that rows and their split depend on, beside this one."""
_COLUMN_WORDS: Mapping[str, Callable[[], str]] = {
    "feature": lambda: message("feature"),
    "target": lambda: message("target"),
    "weight": lambda: message("weight"),
    "groups": lambda: message("group"),
    "time": lambda: message("time"),
    "left out": lambda: message("left out"),
    "numeric": lambda: message("numeric"),
    "categorical": lambda: message("categorical"),
    "ordered": lambda: message("ordered"),
}
"""The roles and types of columns as a reader sees them."""
_SET_SIZES: Sequence[Callable[[int], str]] = (
    lambda n: message("training set ({rows})", rows=rows(n)),
    lambda n: message("validation set ({rows})", rows=rows(n)),
    lambda n: message("test set ({rows})", rows=rows(n)),
)
_SCORED: Sequence[Callable[[], tuple[str, str]]] = (
    lambda: (message("training: tree"), message("training: baseline")),
    lambda: (message("validation: tree"), message("validation: baseline")),
)
"""The two columns of scores of each set."""


def title(provenance: Provenance) -> str:
    """The title of the report."""
    return message("Decision tree for {target}", target=visible(provenance.tree.target))


def sections(provenance: Provenance, palette: str = "safe") -> list[Section]:
    """The whole report; `palette` names the colours of the picture."""
    return [
        Section("", [Paragraph(in_short(provenance))]),
        *data_sections(provenance),
        Section(message("Settings"), _settings(provenance)),
        Section(message("Pruning"), size(provenance)),
        *_cross_validation(provenance),
        Section(message("Manual changes"), by_hand(provenance)),
        Section(message("Scores"), [scores(provenance), *_probabilities(provenance), *_remarks(provenance)]),
        *prediction_sections(provenance, palette),
        Section(message("Tree"), _tree(provenance.tree, palette)),
        *held_out_leaves(provenance),
        *([Section(message("Pruning steps"), [Points(provenance.steps)])] if provenance.steps else []),
        Section(message("Reproduce this tree"), _again(provenance)),
    ]


def data_sections(provenance: Provenance) -> list[Section]:
    """The table, its repairs, its columns, and how its rows are shared out."""
    return [
        Section(message("Data"), _data(provenance)),
        *_repairs(provenance),
        Section(message("Columns"), [_columns(provenance.data.columns)]),
        Section(message("Rows"), [Paragraph(_rows(provenance))]),
    ]


def _cross_validation(provenance: Provenance) -> list[Section]:
    if provenance.folded is None:
        return []
    return [Section(message("Cross-validation"), cross_validation(provenance, provenance.folded))]


def in_short(provenance: Provenance) -> str:
    """The tree and its table in a sentence."""
    tree = provenance.tree
    return message(
        "{algorithm}: {leaves}, depth {depth}. Training set: {rows} of {table}.",
        algorithm=tree.recipe.name,
        leaves=leaves(tree.n_leaves),
        depth=tree.max_depth,
        rows=rows(provenance.train.n_rows),
        table=_table_name(provenance),
    )


def _table_name(provenance: Provenance) -> str:
    if provenance.sample is None:
        return message("the file {name}", name=visible(provenance.table.name))
    return message("the built-in table “{title}”", title=SAMPLES[provenance.sample].title)


def _data(provenance: Provenance) -> list[Block]:
    """The source of the table, its hash, and the notes on it."""
    data, facts = provenance.data, [message("Table: {table}", table=_table_name(provenance))]
    if provenance.sample is not None:
        sample = SAMPLES[provenance.sample]
        facts += [message("Source: {source}", source=sample.source)]
        facts += [message("Licence: {licence}", licence=sample.licence)]
    facts += [
        message(
            "{rows}, {features}",
            rows=rows(data.n_rows),
            features=plural(len(data.features), "{n:,} feature", "{n:,} features"),
        ),
        message("SHA-256 of the columns used: {fingerprint}", fingerprint=data.fingerprint),
        *provenance.table.notes,
        *(note.text for note in grouped(data.notes)),
    ]
    return [Points(facts)]


def _repairs(provenance: Provenance) -> list[Section]:
    """The repairs of the table, one point each, and what they mean for other tables."""
    repairs = provenance.table.repairs
    if not repairs:
        return []
    hint = message(
        "The script applies these repairs to the file. The tree as Python or as SQL does not: it expects the columns "
        "after the repairs."
    )
    return [Section(message("Repairs"), [Points([*map(_repair_text, repairs)]), Paragraph(hint)])]


def _repair_text(repair: Repair) -> str:
    if not repair.column:
        return message("Whole table: {repair}", repair=visible(repair.label))
    return message("Column '{column}': {repair}", column=visible(repair.column), repair=visible(repair.label))


def _columns(columns: Sequence[ColumnInfo]) -> Grid:
    """One line per column: its role and its type, and why it was left out."""
    lines = [
        [
            column.name,
            _column_word(column.role),
            _column_word(column.kind) or "–",
            str(column.n_values) if column.kind else "–",
            str(column.n_missing) if column.kind else "–",
            column.reason or "–",
        ]
        for column in columns
    ]
    head = [
        message("column"),
        message("role"),
        message("type"),
        message("values"),
        message("missing values"),
        message("remark"),
    ]
    return Grid(head, lines)


def _column_word(word: str) -> str:
    return _COLUMN_WORDS[word]() if word in _COLUMN_WORDS else word


def _rows(provenance: Provenance) -> str:
    all_rows = message("Training set: all {rows}.", rows=rows(provenance.train.n_rows))
    parts = all_rows if len(provenance.parts) == 1 else _parts(provenance)
    return paragraph([parts, *_kept_together(provenance)])


def _kept_together(provenance: Provenance) -> list[str]:
    """What folds and resamples keep to."""
    division = provenance.data.division
    if division is None:
        return []
    if division.kind == TIME:
        return [message("Every fold comes after the rows trained on, in the time of '{column}'.", column=division.name)]
    return [
        message("No group of '{column}' is in two sets, in two folds, or divided by a sample.", column=division.name)
    ]


def _parts(provenance: Provenance) -> str:
    """How the sets were made, and their sizes."""
    sizes = listing(named(part.n_rows) for named, part in zip(_SET_SIZES, provenance.parts, strict=False))
    if provenance.split_values:
        return message("Split by the values of '{column}': {sizes}.", column=provenance.split_column, sizes=sizes)
    division = provenance.data.division
    if provenance.split_times and division is not None:
        times = listing(provenance.split_times)
        return message(
            "Split in the time of '{column}' at {times}: {sizes}.", column=division.name, times=times, sizes=sizes
        )
    all_shares = (*provenance.shares, 1 - sum(provenance.shares))
    shares = listing(with_percent_sign(f"{100 * share:g}") for share in all_shares)
    if division is not None and division.kind == TIME:
        return message(
            "Split in the time of '{column}' into {shares} of the rows: {sizes}.",
            column=division.name,
            shares=shares,
            sizes=sizes,
        )
    return message(
        "Random split with seed {seed} into {shares} of the rows: {sizes}.",
        seed=provenance.seed,
        shares=shares,
        sizes=sizes,
    )


def _settings(provenance: Provenance) -> list[Block]:
    """The recipe, and its differences from the named one."""
    recipe = provenance.tree.recipe
    base, changes = changed_fields(recipe)
    if not changes:
        return [Paragraph(message("{algorithm} with its default settings.", algorithm=recipe.name))]
    lines = [[name, plain(getattr(base, name)), plain(value)] for name, value in changes.items()]
    is_named = base.name == recipe.name
    before = message("in {algorithm}", algorithm=base.name) if is_named else message("default")
    return [
        Paragraph(message("{algorithm} with these changes:", algorithm=recipe.name)),
        Grid([message("setting"), before, message("this tree")], lines),
    ]


def score_values(provenance: Provenance) -> tuple[list[str], list[list[object]]]:
    """Every score beside its baseline, on the training set and the validation set: head and lines; None without one."""
    scores_of = {name: evaluate(provenance.tree, part).scores for name, part in provenance.scored_sets.items()}
    head = [name for names, _ in zip(_SCORED, scores_of, strict=False) for name in names()]
    lines: list[list[object]] = []
    for score, called in SCORE_NAMES.items():
        by_set = [found.get(score) for found in scores_of.values()]
        if any(by_set):
            pairs = [(entry.value, entry.baseline) if entry else (None, None) for entry in by_set]
            lines.append([called(), *(value for pair in pairs for value in pair)])
    return [message("score"), *head], lines


def scores(provenance: Provenance) -> Grid:
    """The same as texts."""
    head, lines = score_values(provenance)
    return Grid(head, [[_cell(value) for value in line] for line in lines])


def _cell(value: object) -> str:
    if isinstance(value, float):
        return number(value)
    return "–" if value is None else str(value)


def _probabilities(provenance: Provenance) -> list[Block]:
    """How probabilities are smoothed, and from which on a class is predicted, where that was chosen."""
    rules = (provenance.tree.smoothing, provenance.tree.decision)
    return [Paragraph(rule.sentence) for rule in rules if rule is not None]


def _remarks(provenance: Provenance) -> list[Block]:
    baseline = message("The baseline predicts the same for every row: the prediction of the tree's root.")
    texts = [baseline, *provenance.remarks]
    return [Points([*texts, *provenance.tree.notes])]


def _tree(tree: Tree, palette: str) -> list[Block]:
    """The picture, if it is small enough, and the text."""
    shown: list[Block] = []
    if tree.n_nodes <= MOST_SHOWN:
        caption = message("The tree: {leaves}", leaves=leaves(tree.n_leaves))
        shown.append(Picture(in_theme(tree, palette), caption))
    else:
        shown.append(Paragraph(message("The tree has {n:,} nodes, too many for a picture.", n=tree.n_nodes)))
    levels = np.cumsum([int(tree.is_kept[level].sum()) for level in tree.levels])
    deepest = int(np.searchsorted(levels, MOST_LINES, side="right")) - 1
    return [*shown, Listing(to_text(tree, None if deepest >= tree.max_depth else deepest))]


def _again(provenance: Provenance) -> list[Block]:
    """The script, and the versions it was made with."""
    versions = listing(f"{name} {version(name)}" for name in _PEERS)
    return [
        Paragraph(
            message(
                "This Python script grows this tree and prints these scores. It needs the package “explorer” of "
                "Decision Tree Explorer and checks that the table is the same. Versions used: Python {python}, "
                "{packages}.",
                python=platform.python_version(),
                packages=versions,
            )
        ),
        Listing(to_script(provenance), "python"),
    ]
