"""The command `python -m explorer`: grow a tree on a file, prune it, print it, and write files of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import explorer as ex
from explorer.data.codes.likely_target import likely_targets
from explorer.data.division import in_order_of_sets, way_of_folds, way_text
from explorer.export.plain_csv import rules_csv
from explorer.formatting import leaves, number, percent, rows
from explorer.messages import listing, message
from explorer.tree.metrics import baseline, score

RECIPES = {"id3": ex.ID3, "c45": ex.C45, "cart": ex.CART}
WRITERS: dict[str, Callable[[ex.Tree], str | bytes]] = {
    ".txt": ex.to_text,
    ".csv": lambda tree: rules_csv(ex.rules(tree)),
    ".svg": ex.to_svg,
    ".dot": ex.to_dot,
    ".html": ex.to_html,
    ".py": ex.to_python,
    ".js": ex.to_javascript,
    ".h": ex.to_c,
    ".sql": ex.to_sql,
    ".onnx": ex.to_onnx,
    ".pmml": ex.to_pmml,
    ".xlsx": ex.to_spreadsheet,
    ".json": lambda tree: json.dumps(tree.to_dict(), ensure_ascii=False, allow_nan=False),
}
"""What a file of each ending holds of a tree."""
REPORTS = {".html": "html", ".md": "markdown"}
EXAMPLES = """examples:
  python -m explorer titanic --prune 1-se
  python -m explorer loans.csv --target paid --min-leaf 20 --prune 1-se --rules
  python -m explorer loans.csv --target paid --write tree.svg tree.sql rules.csv --report report.html
"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    given = argparse.ArgumentParser(
        "python -m explorer",
        description="Grow a decision tree on a table, prune it, print it, and write files of it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    given.add_argument("table", help="a file (CSV, Excel, Parquet, …), or the name of a built-in table")
    given.add_argument("--target", help="the column to predict (default: the likeliest by its name, else the last one)")
    given.add_argument("--weight", help="a column of row weights")
    divided = given.add_mutually_exclusive_group()
    divided.add_argument(
        "--groups", metavar="COLUMN", help="no value of this column is in two folds: customer, patient"
    )
    divided.add_argument("--time", metavar="COLUMN", help="folds come later than the rows trained on: date, year")
    parts = given.add_mutually_exclusive_group()
    parts.add_argument(
        "--split-at", nargs="+", metavar="TIME", help="train on rows before it; two: train, validation and test set"
    )
    parts.add_argument(
        "--split-by", nargs="+", metavar=("COLUMN", "VALUE"), help="a column that names the sets, and their order"
    )
    given.add_argument("--repair", action="store_true", help="apply every repair that the app would suggest")
    growing = given.add_argument_group("growing")
    growing.add_argument("--algorithm", choices=RECIPES, default="cart", help="default: cart")
    growing.add_argument("--min-leaf", type=float, default=0.0, metavar="N", help="row weight that every leaf needs")
    growing.add_argument("--max-depth", type=int, metavar="N", help="the most tests on a path")
    growing.add_argument("--max-leaves", type=int, metavar="N", help="the most leaves, the largest decreases first")
    pruning = given.add_argument_group("pruning, by α of cost-complexity pruning").add_mutually_exclusive_group()
    pruning.add_argument("--prune", choices=("best", "1-se"), help="α by cross-validation: the best, or the 1-SE rule")
    pruning.add_argument("--alpha", type=float, metavar="A", help="this α")
    given.add_argument("--folds", type=int, default=10, metavar="N", help="folds of the cross-validation (default: 10)")
    given.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of its folds (default: 0)")
    output = given.add_argument_group("output")
    output.add_argument("--rules", action="store_true", help="print rules in place of the tree")
    output.add_argument("--write", nargs="+", default=[], metavar="FILE", help=f"by its ending: {', '.join(WRITERS)}")
    output.add_argument("--report", metavar="FILE", help="a report on data, settings, pruning and scores (.html, .md)")
    output.add_argument("--script", metavar="FILE", help="a script that grows the same tree again (.py)")
    return given


@dataclass(frozen=True)
class _Given:
    """The table as read, the key of a built-in one, its rows encoded, and the sets with how they were made."""

    table: ex.Table
    sample: str | None
    data: ex.Dataset
    kinds: dict[str, ex.Kind]
    parts: tuple[ex.Dataset, ...]
    split: dict[str, object]

    @property
    def train(self) -> ex.Dataset:
        """The training set."""
        return self.parts[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 after an error, which is printed in one line."""
    asked = parser().parse_args(arguments)
    try:
        _check_endings(asked)
        given = _read(asked)
        tree, how = _pruned(asked, given, _recipe(asked))
        sys.stdout.write(f"{_summary(given, tree, how)}\n\n")
        sys.stdout.write((ex.rules(tree).to_text() if asked.rules else ex.to_text(tree)).rstrip() + "\n")
        _write_files(asked, given, tree, how)
    except (ex.ExplorerError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _check_endings(asked: argparse.Namespace) -> None:
    """Refuse a file of an unknown kind before anything is grown."""
    for names, known in ((asked.write, WRITERS), ([asked.report] * bool(asked.report), REPORTS)):
        for name in names:
            if Path(name).suffix.lower() not in known:
                raise ex.InputError(
                    message(
                        "'{name}' ends in none of {endings}: the ending says what to write.",
                        name=name,
                        endings=listing(known),
                    )
                )


def read(name: str, repair: bool = False) -> tuple[ex.Table, str | None]:
    """A table from a file, or a built-in one with its key; InputError where there is neither."""
    path = Path(name)
    if not path.exists() and name not in ex.SAMPLES:
        raise ex.InputError(
            message(
                "There is no file '{name}', and no built-in table of that name: choose one of {names}.",
                name=name,
                names=listing(ex.SAMPLES),
            )
        )
    sample = None if path.exists() else name
    table = ex.load_sample(name) if sample else ex.read_table(path)
    for note in table.notes:
        sys.stderr.write(f"note: {note}\n")
    if repair:
        for suggestion in table.suggestions:
            sys.stderr.write(f"repaired: {suggestion.sentence}\n")
        table = ex.apply_repairs(table, [suggestion.repair for suggestion in table.suggestions])
    return table, sample


def _read(asked: argparse.Namespace) -> _Given:
    table, key = read(asked.table, asked.repair)
    sample = ex.SAMPLES[key] if key else None
    weight = asked.weight or table.weight_column or None
    split_by = asked.split_by[0] if asked.split_by else None
    others = [name for name in (weight, asked.groups, asked.time, split_by) if name]
    own = sample.target if sample else table.target_column
    target = asked.target or own or likely_targets(table.frame, others, table.described, table.name)[0]
    kinds = {**(sample.kinds if sample else {}), **table.kinds}
    encoded = partial(
        ex.Dataset.from_frame,
        table.frame,
        target,
        kinds=kinds,
        weights=weight,
        groups=asked.groups,
        time=asked.time,
        days_since=table.days_since,
    )
    data = encoded(features=sample.features if sample else None)
    if table.aside:
        names = [feature.name for feature in data.features if feature.name not in table.aside]
        data = encoded(features=names or None)
    for note in data.notes:
        sys.stderr.write(f"note: {note.text}\n")
    return _Given(table, key, data, kinds, *_parts(asked, data))


def _parts(asked: argparse.Namespace, data: ex.Dataset) -> tuple[tuple[ex.Dataset, ...], dict[str, object]]:
    """The sets, and how they were made in the words of `Provenance`."""
    if asked.split_at:
        return data.split_at(*asked.split_at), {"split_times": tuple(asked.split_at)}
    if asked.split_by:
        column, *first = asked.split_by
        cells = data.frame[column].dropna().unique().tolist() if column in data.frame else []
        values = tuple(in_order_of_sets(cells, first))
        return data.split_by(column, values), {"split_column": column, "split_values": values}
    return (data,), {}


def _recipe(asked: argparse.Namespace) -> ex.Recipe:
    return RECIPES[asked.algorithm].replace(
        min_rows_leaf=asked.min_leaf, max_depth=asked.max_depth, max_leaf_nodes=asked.max_leaves
    )


def _pruned(asked: argparse.Namespace, given: _Given, recipe: ex.Recipe) -> tuple[ex.Tree, dict[str, object]]:
    """The tree, and how it was pruned in the words of `Provenance`."""
    if asked.prune:
        folded = ex.cross_validate_path(given.train, recipe, asked.folds, asked.seed)
        position = folded.best if asked.prune == "best" else folded.one_se
        how = {"alpha": float(folded.alphas[position]), "folded": folded, "fold_seed": asked.seed}
        return folded.path.subtree(position=position), how
    tree = ex.grow(given.train, recipe)
    if asked.alpha is None:
        return tree, {}
    return ex.prune_at_alpha(tree, asked.alpha), {"alpha": asked.alpha}


def _summary(given: _Given, tree: ex.Tree, how: dict[str, object]) -> str:
    """Rows, target, size and scores in one line."""
    sizes = " + ".join(f"{part.n_rows:,}" for part in given.parts[:-1])
    last = rows(given.parts[-1].n_rows)
    table = f"{f'{sizes} + {last}' if sizes else last}, target '{given.data.target.name}'"
    said = [f"{table}, {tree.recipe.name}: {leaves(tree.n_leaves)}"]
    shown = partial(number, digits=4) if given.data.is_regression else percent
    name = "mean squared error" if given.data.is_regression else "accuracy"
    for words, part in zip(("training", "validation"), given.parts, strict=False):
        scored, constant = score(tree, part), baseline(given.train, part)
        said.append(f"{words} {name} {shown(scored)} (baseline {shown(constant)})")
    folded = how.get("folded")
    if isinstance(folded, ex.CrossValidation):
        position = folded.path.position(how["alpha"])  # type: ignore[arg-type]
        way = way_of_folds(given.train.division, folded.n_folds)
        mean, error = folded.mean[position], folded.standard_error[position]
        said.append(f"{name} in {way_text(way, folded.n_folds)} {shown(mean)} ± {shown(error)}")
    return ", ".join(said) + "."


def _write_files(asked: argparse.Namespace, given: _Given, tree: ex.Tree, how: dict[str, object]) -> None:
    for name in asked.write:
        _write(name, WRITERS[Path(name).suffix.lower()](tree))
    if not (asked.report or asked.script):
        return
    provenance = ex.Provenance(
        given.table,
        given.data,
        tree,
        given.parts,
        kinds=given.kinds,
        sample=given.sample,
        **given.split,  # type: ignore[arg-type]
        **how,  # type: ignore[arg-type]
    )
    if asked.report:
        _write(asked.report, ex.to_report(provenance, REPORTS[Path(asked.report).suffix.lower()]))
    if asked.script:
        _write(asked.script, ex.to_script(provenance))


def _write(name: str, content: str | bytes) -> None:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    sys.stderr.write(f"wrote {name}\n")
