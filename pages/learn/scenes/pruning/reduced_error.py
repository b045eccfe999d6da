"""Prune with a validation set: Zhou's watermelons, pruned bottom-up and before growing, step by step."""

from __future__ import annotations

from explorer.drawing.pictures.pruning.lesson_tree import lesson_tree
from explorer.drawing.pictures.pruning.validation_rows import ValidationRow, ValidationRows
from explorer.explaining import reduced_error_formula
from explorer.formatting import percent
from explorer.messages import message, plural
from explorer.pruning import ReducedErrorStep
from pages.learn.scenes.melon_words import words
from pages.learn.scenes.pruning.exact import fraction
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.results.lessons import melons
from pages.results.lessons.melons import MelonTrees


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The full tree, two removals, ties, pre-pruning, and all trees compared."""
    trees = melons.trees()
    first, second = (index for index, step in enumerate(trees.kept_ties) if step.pruned)
    return (
        _full_tree(trees),
        _removal(trees, first, "first branch"),
        _removal(trees, second, "second branch"),
        _ties(trees, chosen.get("ties", "keep")),
        _pre_pruning(trees),
        _compared(trees, chosen.get("tree", "zhou")),
    )


def _book() -> str:
    return message("Zhou Zhihua, 机器学习 (Machine Learning, 2016), section 4.3")


def _of_seven(share: float, n: int) -> str:
    return message("{right} of {n}", right=round(share * n), n=n)


def _full_tree(trees: MelonTrees) -> Step:
    n, before = len(trees.names), trees.kept_ties[0].before
    options = (n, n - 2, round(before * n), 1)
    return Step(
        name="full tree",
        title=message("Seven melons judge the tree"),
        text=message(
            "Ten melons grew this tree, and it classifies all ten right. Seven other melons, the validation set, show "
            "how it does on new ones."
        ),
        picture=_picture(trees),
        before=_picture(trees, asks=True),
        question=Question(
            message("How many of the {n} validation melons are classified right?", n=n),
            tuple(str(option) for option in options),
            (2,),
            message("Validation accuracy is {percent}; training accuracy is 100 %.", percent=percent(before)),
        ),
        number=Number(message("Validation accuracy of the full tree, {share}", share=fraction(before)), before, 3),
        numbers={"validation": before, "training": trees.training, "leaves": float(trees.tree.n_leaves)},
        source=_book(),
    )


def _removal(trees: MelonTrees, index: int, name: str) -> Step:
    step, n = trees.kept_ties[index], len(trees.names)
    feature = words()[_feature(trees, step.node)]
    done = _pruned_before(trees.kept_ties, index)
    return Step(
        name=name,
        title=message("Is the split on {feature} worth its leaves?", feature=feature),
        text=message(
            "Bottom-up: decide children before their parent. As a leaf, the ringed node says “{label}” for every melon "
            "that reaches it.",
            label=words()[str(trees.tree.classes[trees.tree.labels[step.node]])],
        ),
        picture=_picture(trees, (*done, step.node), step.node),
        before=_picture(trees, done, step.node),
        question=Question(
            message(
                "{before} melons are classified right now. How many with a leaf here?", before=_of_seven(step.before, n)
            ),
            tuple(_of_seven(step.before + change / n, n) for change in (-1, 0, 1, 2)),
            (1 + round((step.after - step.before) * n),),
            message(
                "Validation accuracy rises from {old} to {new}, so the node is pruned.",
                old=percent(step.before),
                new=percent(step.after),
            ),
        ),
        number=Number(
            message("Validation accuracy after pruning, {share}", share=fraction(step.after)),
            step.after,
            3,
            derivation=reduced_error_formula(step),
        ),
        numbers={"before": step.before, "after": step.after},
        source=_book(),
    )


def _ties(trees: MelonTrees, ties: str) -> Step:
    removals = trees.kept_ties if ties == "keep" else trees.pruned_ties
    tied = [step for step in trees.kept_ties if step.before == step.after]
    done, root = _outermost(trees, _pruned_before(removals, len(removals))), removals[-1]
    leaves = trees.tree.with_pruned([node in done for node in range(trees.tree.n_nodes_grown)]).n_leaves
    return Step(
        name="ties",
        title=message("No difference: prune or keep?"),
        text=message(
            "For the next {n} nodes accuracy stays {share}. One rule found in print prunes only when accuracy rises "
            "(Zhou); Quinlan's rule prunes unless it falls.",
            n=len(tied),
            share=_of_seven(tied[0].after, len(trees.names)),
        ),
        picture=_picture(trees, done),
        number=Number(message("Leaves left"), leaves, 0, derivation=reduced_error_formula(root)),
        choices=(
            Choice(
                "ties",
                message("Ties"),
                {"keep": message("kept (Zhou)"), "prune": message("pruned (Quinlan)")},
                "keep",
            ),
        ),
        numbers={"leaves": float(leaves), "validation": root.before, "root as a leaf": root.after},
        source=_book(),
    )


def _pre_pruning(trees: MelonTrees) -> Step:
    n = len(trees.names)
    (_, at_root, after_root), *others = trees.pre_pruning
    refused = tuple(node for node, _, _ in others)
    gain = max(trees.root_gains.values())
    lines = [
        f"| {words()[_feature(trees, node)]} | {_share(before)} | {_share(after)} |"
        for node, before, after in trees.pre_pruning
    ]
    return Step(
        name="pre-pruning",
        title=message("Pre-pruning decides while it grows"),
        text=message(
            "A split stays only if it raises validation accuracy at once. {feature} has gain {gain}.",
            feature=words()[_feature(trees, 0)].capitalize(),
            gain=f"{gain:.4f}",
        )
        + "\n\n"
        + "\n".join([message("| split | without | with it |"), "|---|---|---|", *lines]),
        picture=_picture(trees, refused),
        before=_picture(trees, (0,)),
        question=Question(
            message(
                "The first split lifts accuracy from {before} to {after}. How many more splits stay?",
                before=_of_seven(at_root, n),
                after=_of_seven(after_root, n),
            ),
            ("0", "1", "2", "4"),
            (0,),
            message("One of them lowers accuracy, the other leaves it as it is."),
        ),
        number=Number(
            message("Validation accuracy after the first split, {share}", share=fraction(after_root)), after_root, 3
        ),
        numbers={
            "root gain": gain,
            **{f"before {k}": before for k, (_, before, _) in enumerate(trees.pre_pruning)},
            **{f"after {k}": after for k, (_, _, after) in enumerate(trees.pre_pruning)},
        },
        source=_book(),
    )


def _share(value: float) -> str:
    return f"{fraction(value)} = {percent(value)}"


def _compared(trees: MelonTrees, shown: str) -> Step:
    forms = {
        "full": (),
        "pre": tuple(node for node, _, _ in trees.pre_pruning[1:]),
        "zhou": _outermost(trees, _pruned_before(trees.kept_ties, len(trees.kept_ties))),
        "quinlan": _outermost(trees, _pruned_before(trees.pruned_ties, len(trees.pruned_ties))),
    }
    names = {
        "full": message("Full"),
        "pre": message("Pre-pruned"),
        "zhou": message("Post-pruned"),
        "quinlan": message("Ties pruned"),
    }
    nodes = range(trees.tree.n_nodes_grown)
    leaves = {key: trees.tree.with_pruned([node in form for node in nodes]).n_leaves for key, form in forms.items()}
    accuracy = {key: _accuracy(trees, form) for key, form in forms.items()}
    lines = [f"| {names[key]} | {leaves[key]} | {_share(accuracy[key])} |" for key in forms]
    shown = shown if shown in forms else "zhou"
    return Step(
        name="compared",
        title=message("Before or after growing?"),
        text=message(
            "Pre-pruning is quick but may stop above a good split; post-pruning sees the whole tree. Prune nodes "
            "yourself: pick them in the tree."
        )
        + "\n\n"
        + "\n".join([message("| tree | leaves | validation accuracy |"), "|---|---|---|", *lines]),
        picture=_picture(trees, forms[shown]),
        number=Number(message("Validation accuracy, {tree}", tree=names[shown]), accuracy[shown], 3),
        choices=(Choice("tree", message("Tree"), names, "zhou"),),
        numbers={
            **{f"leaves {key}": float(value) for key, value in leaves.items()},
            **{f"validation {key}": value for key, value in accuracy.items()},
        },
        source=_book(),
    )


def _accuracy(trees: MelonTrees, pruned: tuple[int, ...]) -> float:
    ends = (next((node for node in path if node in pruned), path[-1]) for path in trees.paths)
    right = [trees.tree.labels[end] == actual for end, actual in zip(ends, trees.actual, strict=True)]
    return sum(right) / len(right)


def _feature(trees: MelonTrees, node: int) -> str:
    condition = trees.tree.condition(node)
    assert condition is not None
    return condition.feature


def _pruned_before(removals: tuple[ReducedErrorStep, ...], index: int) -> tuple[int, ...]:
    return tuple(step.node for step in removals[:index] if step.pruned)


def _outermost(trees: MelonTrees, pruned: tuple[int, ...]) -> tuple[int, ...]:
    """The pruned nodes that no other one is above."""
    return tuple(node for node in pruned if not _above(trees, node) & set(pruned))


def _above(trees: MelonTrees, node: int) -> set[int]:
    above = set[int]()
    while node:
        node = int(trees.tree.parent[node])
        above.add(node)
    return above


def _picture(
    trees: MelonTrees, pruned: tuple[int, ...] = (), lit: int | None = None, asks: bool = False
) -> ValidationRows:
    rows = tuple(map(ValidationRow, trees.names, trees.actual, trees.paths))
    return ValidationRows(
        says=plural(
            len(rows),
            "A tree with {n} validation melon at its leaf.",
            "A tree with {n} validation melons at its leaves.",
        ),
        tree=lesson_tree(trees.tree, words()),
        rows=rows,
        pruned=pruned,
        lit=lit,
        asks=asks,
        can_prune=not asks and lit is None,
    )


SCENE = Scene(
    name="reduced_error",
    title=lambda: message("Prune with a validation set"),
    asks=lambda: message("Which branches help on rows that the tree has not seen?"),
    minutes=4,
    steps=steps,
    own_page="prune",
    sample=melons.SAMPLE,
    recipe="ID3",
)
