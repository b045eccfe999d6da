"""Gini index or entropy? They choose the same first split on nearly every built-in table, and where they do not."""

from __future__ import annotations

from explorer.data.samples import SAMPLES
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.explaining import candidate_formulas
from explorer.formatting import shortened
from explorer.messages import message
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step, TablePicture, TreePicture
from pages.results.lessons import trees

_MEASURES = ("gini", "entropy")
_TABLES = (
    *("play_tennis", "golf", "loan_lihang", "mammals", "watermelon_2_0", "watermelon_3_0"),
    *("iris", "titanic", "car", "credit_g"),
)
_DIFFERS = "watermelon_3_0"
_WIDEST = 24
"""Letters of a table's title: three columns fit into 500 pixels."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """All tables, the one on which the measures differ, and its two trees."""
    measure = chosen.get("measure", "gini")
    measure = measure if measure in _MEASURES else "gini"
    return _all_tables(), _one_table(measure), _two_trees(measure)


def _changes(measure: str) -> tuple[tuple[str, object], ...]:
    return (("impurity", measure),)


def _root(table: str, measure: str) -> str:
    """The feature that CART splits first with this measure."""
    condition = trees.grown(table, "CART", _changes(measure)).condition(0)
    assert condition is not None
    return condition.feature


def _names() -> dict[str, str]:
    return {"gini": message("Gini index"), "entropy": message("Entropy")}


def _measure_choice() -> Choice:
    return Choice("measure", message("Measure"), _names(), "gini")


def _all_tables() -> Step:
    roots = [tuple(_root(table, measure) for measure in _MEASURES) for table in _TABLES]
    differing = tuple(row for row, (first, second) in enumerate(roots) if first != second)
    columns = (message("Table"), *_names().values())
    rows = tuple((shortened(SAMPLES[table].title, _WIDEST), *root) for table, root in zip(_TABLES, roots, strict=True))
    says = message("The first feature on every table by Gini index and by entropy.")
    options = (len(differing), 4, 8)
    return Step(
        name="all tables",
        title=message("Two measures, mostly one tree"),
        text=message(
            "CART grows on {n} built-in tables, once by the Gini index and once by entropy. "
            "The table shows the feature that each tree splits first.",
            n=len(_TABLES),
        ),
        picture=TablePicture(says, columns, rows, lit=differing),
        before=TablePicture(says, columns, tuple((title, first, "?") for title, first, _ in rows)),
        number=Number(message("Tables with another first feature"), len(differing), 0),
        question=Question(
            message("On how many of the {n} tables does entropy choose another first feature?", n=len(_TABLES)),
            tuple(str(option) for option in options),
            (0,),
            message("The measures differ on {table} only.", table=SAMPLES[_TABLES[differing[0]]].title),
        ),
        numbers={"tables": float(len(_TABLES)), "differing": float(len(differing))},
        source=message(
            "Raileanu and Stoffel, Theoretical Comparison between the Gini Index and Information Gain Criteria (2004)"
        ),
    )


def _one_table(measure: str) -> Step:
    decision = trees.decision(_DIFFERS, "CART", 0, _changes(measure))
    tree = trees.grown(_DIFFERS, "CART", _changes(measure))
    gains = {candidate.condition.text: candidate.gain for candidate in decision.best.values()}
    ordered = sorted(gains, key=lambda name: -gains[name])[:5]
    chosen = decision.chosen
    assert chosen is not None
    assert decision.margin is not None
    formulas = candidate_formulas(tree.node(0), chosen)
    return Step(
        name="one table",
        title=message("Where they part"),
        text=message(
            "On {table}, the Gini index finds texture and a sugar threshold equal, and texture comes first. "
            "Entropy prefers a lower threshold: switch the measure.",
            table=SAMPLES[_DIFFERS].title,
        ),
        picture=Bars(
            says=message("Bars with the decrease of the chosen measure for the five best features."),
            title=message("Decrease of impurity: {measure}", measure=_names()[measure]),
            bars=tuple(Bar(name, gains[name], f"{gains[name]:.4f}", name == chosen.condition.text) for name in ordered),
            most=max(gains.values()) * 1.15,
        ),
        number=Number(
            message("Decrease by {test}", test=chosen.condition.text),
            chosen.gain,
            4,
            derivation=formulas["gain" if measure == "entropy" else "Gini decrease"],
        ),
        choices=(_measure_choice(),),
        numbers={f"decrease {name}": gains[name] for name in ordered},
        source=message("Zhou Zhihua, Machine Learning, table 4.3"),
    )


def _two_trees(measure: str) -> Step:
    tree = trees.grown(_DIFFERS, "CART", _changes(measure))
    return Step(
        name="two trees",
        title=message("Another root, as many leaves"),
        text=message(
            "The two trees ask in another order, and both fit the 17 melons with {n} leaves. "
            "How far one prunes matters more than the measure.",
            n=tree.n_leaves,
        ),
        picture=TreePicture(tree, message("The tree that CART grows by the chosen measure.")),
        number=Number(message("Leaves"), tree.n_leaves, 0),
        choices=(_measure_choice(),),
        numbers={"leaves": float(tree.n_leaves)},
        source=message("Breiman et al., Classification and Regression Trees (1984), section 4.3"),
    )


SCENE = Scene(
    name="gini_or_entropy",
    title=lambda: message("Gini index or entropy?"),
    asks=lambda: message("Does it matter by which measure a tree is grown?"),
    minutes=2,
    steps=steps,
    sample=_DIFFERS,
    recipe="CART",
)
