"""C4.5's pessimistic estimate: the upper limit of a leaf's error rate, and when a subtree is no better than a leaf."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.pruning.lesson_tree import lesson_tree
from explorer.drawing.pictures.pruning.upper_limits import CountedLeaf, ExpectedErrors, UpperLimits
from explorer.explaining import Derivation, pessimistic_formula
from explorer.messages import listing, message, plural
from explorer.pruning import upper_error
from explorer.pruning.pessimistic_step import SLACK
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import pruning, trees

_CONFIDENCE = 0.25
_STRICTER = 0.1
_NOISY, _RECIPE = "play_tennis_noise15", "C4.5"


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From one leaf's upper limit to the subtree, the decision, the confidence, three variants and a whole tree."""
    tree = pruning.education_spending()
    return _limits(tree), _subtree(tree), _decision(tree), _confidence(tree), _variants(), _whole_tree()


def _book() -> str:
    return message("Quinlan, C4.5: Programs for Machine Learning (1993), section 4.2")


def _counted(tree: ex.Tree, node: int) -> CountedLeaf:
    rows = int(tree.weight[node])
    errors = rows - int(tree.stats[node].max())
    return CountedLeaf(f"U({errors}, {rows})", errors, rows)


def _leaves(tree: ex.Tree) -> list[int]:
    return tree.leaves().tolist()


def _limit_of(leaf: CountedLeaf, confidence: float = _CONFIDENCE, limit: str = "release8") -> float:
    return upper_error(leaf.errors, leaf.rows, confidence, limit)


def _limits(tree: ex.Tree) -> Step:
    leaves = [_counted(tree, node) for node in _leaves(tree)]
    limits = {leaf.text: _limit_of(leaf) for leaf in leaves}
    most = max(limits, key=lambda text: limits[text])
    first = leaves[0]
    return Step(
        name="upper limit",
        title=message("No error seen is not no error"),
        text=message(
            "A leaf with no error in {rows} rows may still err on new ones. U(E, N) is the error rate at which so few "
            "errors happen with probability CF, 25 %.",
            rows=first.rows,
        ),
        picture=_curves(leaves),
        before=_curves(leaves, shows=False),
        question=Question(
            message("Three pure leaves. Which one gets the highest estimate?"),
            tuple(plural(leaf.rows, "{n} row", "{n} rows") for leaf in leaves),
            (next(index for index, leaf in enumerate(leaves) if leaf.text == most),),
            message("One row proves least. Without an error, (1 − U) to the power N is 0.25."),
        ),
        number=Number(first.text, limits[first.text]),
        numbers=dict(limits),
        source=_book(),
    )


def _curves(leaves: list[CountedLeaf], shows: bool = True) -> UpperLimits:
    return UpperLimits(
        says=message("Upper limit of the error rate against the rows of a leaf, a curve each for 0, 1 and 2 errors."),
        leaves=tuple(leaves),
        errors=(0, 1, 2),
        shows_limits=shows,
    )


def _subtree(tree: ex.Tree) -> Step:
    leaves = [_counted(tree, node) for node in _leaves(tree)]
    parts = [leaf.rows * _limit_of(leaf) for leaf in leaves]
    total = sum(parts)
    terms = " + ".join(f"{leaf.rows}·{_limit_of(leaf):.3f}" for leaf in leaves)
    return Step(
        name="subtree",
        title=message("A subtree's expected errors add up"),
        text=message(
            "N·U(E, N) is how many errors C4.5 expects in a leaf. The three leaves together: {terms} = {total}.",
            terms=terms,
            total=f"{total:.3f}",
        ),
        picture=_errors(tree, asks=True),
        number=Number(message("Expected errors of the subtree"), total, derivation=_formula(tree)),
        numbers={
            "expected errors": total,
            **{f"part {leaf.text}": part for leaf, part in zip(leaves, parts, strict=True)},
        },
        source=_book(),
    )


def _formula(tree: ex.Tree) -> Derivation:
    return pessimistic_formula(tree, ex.pessimistic_steps(tree), 0, _CONFIDENCE, "release8")


def _decision(tree: ex.Tree) -> Step:
    (step,) = ex.pessimistic_steps(tree)
    leaf = _counted(tree, 0)
    limit = _limit_of(leaf)
    rounded = leaf.rows * round(limit, 3)
    return Step(
        name="decision",
        title=message("One leaf in its place"),
        text=message(
            "As one leaf the node makes 1 error in {rows} rows: {rows}·{limit} = {rounded} with the rounded limit, "
            "{exact} without rounding.",
            rows=leaf.rows,
            limit=f"{limit:.3f}",
            rounded=f"{rounded:.3f}",
            exact=f"{step.upper_as_leaf:.3f}",
        ),
        picture=_errors(tree, is_pruned=step.pruned),
        before=_errors(tree, asks=True),
        question=Question(
            message("The subtree makes no training error, the leaf one. From which does C4.5 expect fewer errors?"),
            (message("the subtree"), message("the leaf")),
            (1,),
            message(
                "{leaf} is less than {subtree}, so C4.5 prunes.",
                leaf=f"{rounded:.3f}",
                subtree=f"{step.upper_below:.3f}",
            ),
        ),
        number=Number(leaf.text, limit, derivation=_formula(tree)),
        numbers={
            leaf.text: limit,
            "as a leaf": step.upper_as_leaf,
            "as a leaf, rounded": rounded,
            "subtree": step.upper_below,
        },
        source=_book(),
    )


def _errors(tree: ex.Tree, asks: bool = False, can_drag: bool = False, is_pruned: bool = False) -> ExpectedErrors:
    nodes = tuple(_leaves(tree))
    return ExpectedErrors(
        says=message("Expected errors of three leaves, end to end, against those of one leaf."),
        tree=lesson_tree(tree),
        nodes=nodes,
        leaves=tuple(_counted(tree, node) for node in nodes),
        leaf=_counted(tree, 0),
        slack=SLACK,
        asks=asks,
        can_drag=can_drag,
        is_pruned=is_pruned,
        confidence=_STRICTER if can_drag else _CONFIDENCE,
    )


def _confidence(tree: ex.Tree) -> Step:
    (step,) = ex.pessimistic_steps(tree, _STRICTER)
    return Step(
        name="confidence",
        title=message("CF sets how pessimistic"),
        text=message(
            "A smaller CF raises every limit, most of all in small leaves, so C4.5 prunes more. Drag CF until C4.5 "
            "keeps the subtree."
        ),
        picture=_errors(tree, can_drag=True),
        number=Number(message("Expected errors of the subtree, CF = 10 %"), step.upper_below),
        numbers={"subtree": step.upper_below, "leaf": step.upper_as_leaf},
        source=_book(),
    )


def _variants() -> Step:
    names = {"release8": message("C4.5's table"), "binomial": message("exact binomial"), "normal": message("Weka")}
    leaf = CountedLeaf("U(1, 16)", 1, 16)
    limits = {limit: _limit_of(leaf, limit=limit) for limit in names}
    bars = tuple(Bar(names[limit], value, f"{value:.4f}", limit == "release8") for limit, value in limits.items())
    most = 1.2 * max(limits.values())
    return Step(
        name="variants",
        title=message("Three formulas for one limit"),
        text=message(
            "The definition is the binomial limit. C4.5's program approximates it with a table, Weka with the normal "
            "distribution.",
        ),
        picture=Bars(says=message("Three upper limits as bars."), title=leaf.text, bars=bars, most=most),
        question=Question(
            message("Which of the three is Quinlan's printed {value}?", value=f"{limits['release8']:.3f}"),
            tuple(names.values()),
            (0,),
            message("Rounded, they are {values}.", values=listing(f"{value:.3f}" for value in limits.values())),
        ),
        before=Bars(
            says=message("Three bars, still without numbers."),
            title=leaf.text,
            bars=tuple(Bar(name, 0.0, "?") for name in names.values()),
            most=most,
        ),
        number=Number(message("Exact binomial {limit}", limit=leaf.text), limits["binomial"], 4),
        numbers={f"{leaf.text} {limit}": value for limit, value in limits.items()},
        source=_book(),
    )


def _whole_tree() -> Step:
    tree = trees.grown(_NOISY, _RECIPE)
    decided = ex.pessimistic_steps(tree)
    index = next(index for index, step in enumerate(decided) if step.pruned)
    step, pruned = decided[index], ex.pessimistic_prune(tree)
    nodes = tuple(node for node in pruned.leaves().tolist() if tree.child_count[node])
    return Step(
        name="whole tree",
        title=message("From the leaves up to the root"),
        text=message(
            "The tree of 15 days, one of them noise, has {leaves} leaves. C4.5 decides children first, and prunes "
            "where a leaf expects at most {slack} errors more than the subtree.",
            leaves=tree.n_leaves,
            slack=f"{SLACK:g}",
        ),
        picture=TreePicture(
            tree,
            message("The tree of 15 days after pessimistic pruning."),
            pruned=nodes,
            marks={node: message("pruned") for node in nodes},
        ),
        before=TreePicture(tree, message("The tree of 15 days, unpruned.")),
        question=Question(
            message("How many of the {leaves} leaves are left?", leaves=tree.n_leaves),
            tuple(str(n) for n in (tree.n_leaves, pruned.n_leaves, pruned.n_leaves - 2, 1)),
            (1,),
            message(
                "Node {node}: {leaf} expected errors as a leaf, {subtree} as a subtree.",
                node=step.node,
                leaf=f"{step.upper_as_leaf:.3f}",
                subtree=f"{step.upper_below:.3f}",
            ),
        ),
        number=Number(
            message("Expected errors of node {node} as a leaf", node=step.node),
            step.upper_as_leaf,
            derivation=pessimistic_formula(tree, decided, index, _CONFIDENCE, "release8"),
        ),
        numbers={"as a leaf": step.upper_as_leaf, "as a subtree": step.upper_below, "leaves": float(pruned.n_leaves)},
        source=_book(),
    )


SCENE = Scene(
    name="pessimistic",
    title=lambda: message("C4.5's pessimistic estimate"),
    asks=lambda: message("How does C4.5 prune without a validation set?"),
    minutes=4,
    steps=steps,
    own_page="prune",
    sample=_NOISY,
    recipe=_RECIPE,
)
