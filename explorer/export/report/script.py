"""A Python script that grows a tree again, from its table to its scores.

Every text from a table goes into it as a Python literal.
"""

from __future__ import annotations

import dataclasses
import pprint
from collections.abc import Iterator, Mapping
from textwrap import indent

from explorer.data.codes.scale import Ordered
from explorer.data.encode import Kind
from explorer.data.suggestions import Repair
from explorer.data.table import Table
from explorer.export.python import escape_unseen
from explorer.export.report.provenance import Provenance
from explorer.messages import message
from explorer.pruning.methods import NODE_METHODS
from explorer.recipe.recipe import C45, CART, ID3, Recipe

PRESETS = {"ID3": (ID3, "ex.ID3"), "C4.5": (C45, "ex.C45"), "CART": (CART, "ex.CART")}
"""The named recipes, and their names in a script."""
_BY_NAME = ("class_weights", "costs", "feature_costs", "monotone")
"""Fields that are stored as pairs and easier to read as mappings."""
_WIDTH = 100
_PART_VARIABLES = ("train", "valid", "test")


def to_script(provenance: Provenance) -> str:
    """The script; run where Python finds the package, it ends with the same `tree` and the same `scores`.

    It stops if the table differs. A file is read from the folder in which the script runs.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> table = load_sample("play_tennis")
    >>> data = Dataset.from_frame(table.frame, "PlayTennis")
    >>> tree = grow(data, ID3.replace(max_depth=1))
    >>> lines = to_script(Provenance(table, data, tree, (data,), sample="play_tennis")).splitlines()
    >>> [line for line in lines if line.startswith(("table", "recipe", "tree"))]
    ["table = ex.load_sample('play_tennis')", 'recipe = ex.ID3.replace(max_depth=1)', 'tree = ex.grow(train, recipe)']
    """
    steps = (_table, _rows, _growing, _pruning, _scores, _folds)
    return escape_unseen("\n".join(line for step in steps for line in step(provenance)) + "\n")


def data_lines(provenance: Provenance) -> Iterator[str]:
    """The lines that read the table, check it, and split it into `train`, `valid` and `test`."""
    yield from _table(provenance)
    yield from _rows(provenance)


def recipe_line(recipe: Recipe) -> str:
    """The line that names a recipe, with what differs from the named one.

    >>> recipe_line(CART.replace(max_depth=1))
    'recipe = ex.CART.replace(max_depth=1)'
    """
    _, changes = changed_fields(recipe)
    arguments = {name: _as_mapping(value) if name in _BY_NAME else value for name, value in changes.items()}
    preset = PRESETS[recipe.name][1] if recipe.name in PRESETS else ""
    named = f"{preset}.replace" if preset else "ex.Recipe"
    return f"recipe = {call_text(named, arguments) if arguments or not preset else preset}"


def changed_fields(recipe: Recipe) -> tuple[Recipe, dict[str, object]]:
    """The recipe that this one was derived from, and the fields that differ.

    >>> changed_fields(CART.replace(max_depth=3))[1]
    {'max_depth': 3}
    """
    base = PRESETS[recipe.name][0] if recipe.name in PRESETS else Recipe()
    names = [field.name for field in dataclasses.fields(Recipe)]
    return base, {name: getattr(recipe, name) for name in names if getattr(recipe, name) != getattr(base, name)}


def literal(value: object) -> str:
    """A value as Python writes it, long ones on several lines."""
    return pprint.pformat(value, width=_WIDTH, sort_dicts=False, compact=True)


def _table(provenance: Provenance) -> Iterator[str]:
    if provenance.sample is not None:
        yield f"# {message('Reproduces the report’s results. Python must find the package `explorer`.')}"
        read = f"ex.load_sample({literal(provenance.sample)})"
    else:
        comment = message(
            "Reproduces the report’s results. Python must find the package `explorer`, and the file in this folder."
        )
        yield f"# {comment}"
        read = call_text("ex.read_table", _reading(provenance.table), first=literal(provenance.table.name))
    yield from ("import explorer as ex", "", f"table = {read}")
    if provenance.table.repairs:
        yield "table = ex.apply_repairs("
        yield "    table,"
        yield from (
            "    [",
            *(f"{indent(_repair(repair), ' ' * 8)}," for repair in provenance.table.repairs),
            "    ],",
            ")",
        )


def _reading(table: Table) -> dict[str, object]:
    """Which of several sheets was read, from which line, where it is not the first, and what was set by hand."""
    sheet = {"sheet": table.sheet} if len(table.sheets) > 1 else {}
    line = {"header_line": table.header_line} if table.header_line > 1 else {}
    return {**sheet, **line, **table.options.given}


def _repair(repair: Repair) -> str:
    """A repair as a call with its kind, its column and its options."""
    arguments = ", ".join(literal(value) for value in (repair.kind, repair.column))
    return f"ex.Repair({arguments}, {literal(repair.settings)})"


def _rows(provenance: Provenance) -> Iterator[str]:
    """The columns, a check that they are the same, and the parts."""
    data = provenance.data
    arguments: dict[str, object] = {"target": data.target.name, "features": [feature.name for feature in data.features]}
    if provenance.kinds:
        arguments["kinds"] = {name: _plain_kind(kind) for name, kind in provenance.kinds.items()}
    if data.weight_column is not None:
        arguments["weights"] = data.weight_column
    if data.division is not None:
        arguments[data.division.kind] = data.division.column
    if data.days_since:
        arguments["days_since"] = data.days_since
    yield f"data = {call_text('ex.Dataset.from_frame', arguments, first='table.frame')}"
    if data.division is not None and (data.division.gap or data.division.max_train_size is not None):
        window = {"max_train_size": data.division.max_train_size, "gap": data.division.gap}
        yield f"data = {call_text('data.with_time', window, first=literal(data.division.column))}"
    if data.class_labels:
        yield f"data = {call_text('data.with_class_labels', {}, first=literal(dict(data.class_labels)))}"
    yield f'if data.fingerprint != "{data.fingerprint}":'
    yield '    raise SystemExit("This is not the table of the report: its rows or columns are others.")'
    yield f"{', '.join(_PART_VARIABLES[: len(provenance.parts)])} = {_split(provenance)}"


def _split(provenance: Provenance) -> str:
    """The call that gives the parts."""
    if provenance.split_values:
        return f"data.split_by({literal(provenance.split_column)}, {literal(list(provenance.split_values))})"
    if provenance.split_times:
        return f"data.split_at({', '.join(map(literal, provenance.split_times))})"
    if not provenance.shares:
        return "data"
    shares = ", ".join(repr(float(share)) for share in provenance.shares)
    return f"data.split({shares}, seed={int(provenance.seed)})"


class _Code(str):
    """A text that stands in the script without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _plain_kind(kind: Kind) -> object:
    if isinstance(kind, Ordered):
        return _Code(f"ex.Ordered({list(kind.levels)!r})")
    return kind if isinstance(kind, str) else list(kind)


def _growing(provenance: Provenance) -> Iterator[str]:
    yield ""
    yield recipe_line(provenance.tree.recipe)
    if provenance.tree.choices:
        yield provenance.tree.choices.to_code()
    yield f"tree = ex.grow({', '.join(['train', 'recipe', *_beside(provenance)])})"


def _beside(provenance: Provenance) -> Iterator[str]:
    """The arguments of growing beside rows and recipe."""
    if provenance.tree.recipe.prepruning:
        yield "validation=valid"
    if provenance.tree.choices:
        yield "choices=choices"


def _as_mapping(pairs: object) -> object:
    """Nested pairs as nested mappings.

    >>> _as_mapping((("ill", (("well", 5.0),)),))
    {'ill': {'well': 5.0}}
    """
    return {name: _as_mapping(value) for name, value in pairs} if isinstance(pairs, tuple) else pairs


def _pruning(provenance: Provenance) -> Iterator[str]:
    if provenance.alpha is not None:
        yield f"path = ex.cost_complexity_path(tree, risk={literal(provenance.risk)})"
        yield f"tree = tree.with_pruned(ex.pruned_at(path, path.position({float(provenance.alpha)!r})))"
    if provenance.method is not None:
        method = NODE_METHODS[provenance.method]
        yield f"tree = {call_text(f'ex.{method.prune.__name__}', provenance.options, first=method.arguments)}"
    if provenance.hand:
        steps = [(operation, int(node)) for operation, node in provenance.hand]
        yield f"tree = {call_text('ex.prune_by_hand', {'steps': steps}, first='tree')}"
    smoothing = provenance.tree.smoothing
    if smoothing is not None:
        yield f"tree = tree.with_smoothing({call_text('ex.Smoothing', smoothing.to_plain())})"
    decision = provenance.tree.decision
    if decision is not None:
        yield f"tree = tree.{decision.call}"
    if provenance.tree.actions:
        yield f"tree = tree.with_actions({dict(provenance.tree.actions)!r})"


def _scores(provenance: Provenance) -> Iterator[str]:
    parts = ", ".join(
        f'"{name}": {variable}' for name, variable in zip(provenance.scored_sets, _PART_VARIABLES, strict=False)
    )
    yield ""
    yield f"scores = {{name: ex.evaluate(tree, part).scores for name, part in {{{parts}}}.items()}}"
    yield 'print(f"{tree.n_leaves} leaves, depth {tree.max_depth}")'
    yield "for name, part_scores in scores.items():"
    yield "    for score in part_scores.values():"
    yield '        print(f"{name}: {score.name} {score.value:.6g} (baseline {score.baseline:.6g})")'


def _folds(provenance: Provenance) -> Iterator[str]:
    """The cross-validation again, with the same scores of the same sizes."""
    folded = provenance.folded
    if folded is None:
        return
    one_left_out = "range(train.n_rows)" if provenance.train.division is None else "train.division.codes"
    folds = one_left_out if provenance.fold_seed is None else str(folded.n_folds)
    seed = [] if provenance.fold_seed is None else [f"seed={int(provenance.fold_seed)}"]
    scoring = [f"risk={literal(provenance.risk)}", f"metric={literal(folded.metric)}"]
    arguments = ["train", "recipe", f"folds={folds}", *seed, *scoring, *_beside(provenance)]
    yield ""
    yield from ("folded = ex.cross_validate_path(", f"    {', '.join(arguments)}", ")")
    yield 'for name, position in {"best": folded.best, "1-SE": folded.one_se}.items():'
    yield "    score, error = folded.mean[position], folded.standard_error[position]"
    yield '    print(f"{name}: {folded.n_leaves[position]} leaves, {folded.metric} {score:.6g} ± {error:.6g}")'


def call_text(name: str, arguments: Mapping[str, object], first: str = "") -> str:
    """A call with its arguments, on one line if they are short."""
    listed = [*([first] if first else []), *(f"{key}={literal(value)}" for key, value in arguments.items())]
    line = f"{name}({', '.join(listed)})"
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    lines = "".join(f"{argument},\n" for argument in listed)
    return f"{name}(\n{indent(lines, '    ')})"
