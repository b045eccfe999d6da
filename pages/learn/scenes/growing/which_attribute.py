"""Which attribute is best? The gains of the 14 days side by side, then the tree step by step."""

from __future__ import annotations

import numpy as np

import explorer as ex
from explorer.drawing.pictures.row_groups import Division, RowGroups
from explorer.explaining import Derivation, candidate_formulas, margin_formula
from explorer.messages import message
from pages.learn.scenes import branches
from pages.learn.scenes.feature_bars import feature_bars
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import trees

_TABLE, _RECIPE = "play_tennis", "ID3"


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From the 14 days to the whole tree."""
    return _days(), _first_question(), _gains(), _first_split(), _sunny(), _rain(), _whole()


def _source() -> str:
    return message("Mitchell, Machine Learning (1997), chapter 3")


def _days() -> Step:
    tree, decision = trees.grown(_TABLE, _RECIPE), trees.decision(_TABLE, _RECIPE)
    entropy = decision.impurity
    data = trees.rows(_TABLE)
    whole = branches.together(data, message("all days"), (message("entropy {value}", value=f"{entropy:.3f}"),))
    divisions = [whole, *(branches.divided(data, candidate) for candidate in decision.best.values())]
    return Step(
        name="days",
        title=message("14 days, and one question at a time"),
        text=message(
            "On 9 of 14 days somebody plays tennis, on 5 days not. "
            "The buttons let the days fall into branches by an attribute, a column of the table: look for branches of "
            "one colour."
        ),
        picture=_balls(tuple(divisions), message("The 14 days as balls, coloured by whether tennis is played.")),
        number=Number(message("Entropy of all days, in bits"), entropy, derivation=_entropy_derivation(tree, decision)),
        numbers={"entropy": entropy},
        source=_source(),
    )


def _entropy_derivation(tree: ex.Tree, decision: ex.Decision) -> Derivation:
    """The first line of every gain is the entropy of the node."""
    whole = candidate_formulas(tree.node(0), next(iter(decision.best.values())))["gain"]
    return Derivation(whole.formulas[:1])


def _balls(divisions: tuple[Division, ...], says: str, shown: int = 0, state: str = "", value: str = "") -> RowGroups:
    """The days as balls in the branches of attributes: all of them, or those with this value of Outlook."""
    data, days = _days_with(value)
    return RowGroups(
        says=says,
        rows=days,
        codes=tuple(data.y.tolist()),
        details=branches.details(data),
        classes=tuple(map(str, data.classes)),
        divisions=divisions,
        shown=shown,
        state=state,
    )


def _days_with(value: str) -> tuple[ex.Dataset, tuple[str, ...]]:
    """The rows with this value of Outlook (all without a value), and the names of their days."""
    data, days = trees.rows(_TABLE), ex.load_sample(_TABLE).frame["Day"]
    rows = np.flatnonzero((data.frame["Outlook"] == value) | (value == ""))
    return data.take(rows), tuple(map(str, days.iloc[rows]))


def _first_question() -> Step:
    tree, decision, data = trees.grown(_TABLE, _RECIPE), trees.decision(_TABLE, _RECIPE), trees.rows(_TABLE)
    candidates, entropy = tuple(decision.best.values()), decision.impurity
    features = tuple(candidate.feature for candidate in candidates)
    best = max(candidates, key=lambda candidate: candidate.gain)
    shown = features.index(best.feature)
    says = message("The days in the branches of an attribute.")
    worked_out = tuple(branches.divided(data, each, branches.gain_text(each, entropy)) for each in candidates)
    numbers = {f"entropy {name}": value for name, value in _branch_entropies(best).items()}
    return Step(
        name="first question",
        title=message("Which attribute divides the days best?"),
        text=message(
            "Information gain is the entropy before a split less the mean entropy of its branches, weighted by their "
            "days. The algorithm ID3 splits on the attribute with the largest gain."
        ),
        picture=_balls(worked_out, says, shown, "answered"),
        before=_balls(tuple(branches.divided(data, each) for each in candidates), says, 0, "asked"),
        number=Number(
            message("Gain({feature})", feature=best.feature),
            best.gain,
            derivation=candidate_formulas(tree.node(0), best)["gain"],
        ),
        question=Question(
            message("Which attribute does ID3 split on first?"),
            features,
            (shown,),
            message("All Overcast days have Yes, so the branches of Outlook have the lowest mean entropy."),
        ),
        numbers=numbers | {"gain": best.gain, "entropy after": entropy - best.gain},
        source=_source(),
    )


def _branch_entropies(candidate: ex.Candidate) -> dict[str, float]:
    labels = [str(group[0]) for group in candidate.condition.branches]
    return dict(zip(labels, candidate.impurities, strict=True))


def _gains() -> Step:
    tree, decision = trees.grown(_TABLE, _RECIPE), trees.decision(_TABLE, _RECIPE)
    gains = {feature: candidate.gain for feature, candidate in decision.best.items()}
    return Step(
        name="gains",
        title=message("Four attributes compete"),
        text=message(
            "Outlook gains most, Humidity comes second. Temperature says almost nothing about the game: its branches "
            "are as mixed as all days together."
        ),
        picture=feature_bars(
            gains,
            says=message("Bars with the information gain of every feature."),
            title=message("Information gain, in bits"),
        ),
        number=Number(
            message("Lead of Outlook over Humidity, in bits"),
            float(decision.margin or 0.0),
            derivation=margin_formula(tree.node(0), decision),
        ),
        competition=Competition(decision, tree),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()} | {"margin": float(decision.margin or 0)},
        source=_source(),
    )


def _first_split() -> Step:
    tree = trees.grown(_TABLE, _RECIPE)
    done = _node_at(tree, "Overcast")
    return Step(
        name="first split",
        title=message("Outlook splits the root"),
        text=message(
            "Every value of Outlook becomes a branch with its own days. "
            "ID3 now repeats the search in each branch, with the days and attributes that are left."
        ),
        picture=TreePicture(
            tree, message("The tree after its first split."), position=1, marks={done: message("pure: a leaf")}
        ),
        before=TreePicture(tree, message("The tree after its first split."), position=1),
        number=Number(message("Days with Outlook = Overcast"), tree.node(done).weight, 0),
        question=Question(
            message("Which branch needs no further split?"),
            ("Sunny", "Overcast", "Rain"),
            (1,),
            message("All four Overcast days have Yes: the branch is pure and becomes a leaf."),
        ),
        numbers={"overcast days": tree.node(done).weight},
        source=_source(),
    )


def _node_at(tree: ex.Tree, value: str) -> int:
    """The child of the root for this value of Outlook."""
    condition = tree.condition(0)
    assert condition is not None, "the root is split"
    return int(tree.children_of(0)[condition.branches.index((value,))])


def _sunny() -> Step:
    return _branch(
        name="sunny",
        value="Sunny",
        position=2,
        title=message("The Sunny branch"),
        text=message(
            "Five sunny days are left: two with tennis, three without. "
            "Try the attributes that are left, as on all days."
        ),
        because=message("Both branches of Humidity are pure, so its gain is the whole entropy of the sunny days."),
    )


def _rain() -> Step:
    return _branch(
        name="rain",
        value="Rain",
        position=3,
        title=message("The Rain branch"),
        text=message(
            "Five rainy days are left: three with tennis, two without. "
            "ID3 searches again, whatever it chose for the sunny days."
        ),
        because=message(
            "With weak wind they play on all rainy days, with strong wind on none. Each branch has its own question."
        ),
    )


def _branch(*, name: str, value: str, position: int, title: str, text: str, because: str) -> Step:
    """The search in one branch: asked on its days as balls, answered by the tree after the split."""
    tree = trees.grown(_TABLE, _RECIPE)
    node = _node_at(tree, value)
    decision = trees.decision(_TABLE, _RECIPE, node)
    gains = {feature: candidate.gain for feature, candidate in decision.best.items()}
    best = max(gains, key=lambda feature: gains[feature])
    features = tuple(gains)
    says = message("The tree before and after the split of the branch {value}.", value=value)
    return Step(
        name=name,
        title=title,
        text=text,
        picture=TreePicture(tree, says, selected=node, position=position),
        before=_balls(
            tuple(branches.divided(_days_with(value)[0], each) for each in decision.best.values()),
            message("The days in the branches of an attribute."),
            state="asked",
            value=value,
        ),
        number=Number(
            message("Gain({feature}) on days with Outlook = {value}", feature=best, value=value),
            gains[best],
            derivation=candidate_formulas(tree.node(node), decision.best[best])["gain"],
        ),
        question=Question(message("Which attribute splits this branch?"), features, (features.index(best),), because),
        competition=Competition(decision, tree),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()} | {"entropy": decision.impurity},
        source=_source(),
    )


def _whole() -> Step:
    tree = trees.grown(_TABLE, _RECIPE)
    leaves = [node for node in tree.preorder() if tree.node(node).is_leaf]
    return Step(
        name="whole tree",
        title=message("Five leaves explain 14 days"),
        text=message(
            "All leaves are pure, so ID3 stops. Temperature is in no test: with the other three known, "
            "it has nothing to add on these days."
        ),
        picture=TreePicture(tree, message("The whole tree of the 14 days."), position=3),
        number=Number(message("Leaves of the tree"), len(leaves), 0),
        numbers={"leaves": float(len(leaves))},
        source=_source(),
    )


SCENE = Scene(
    name="which_attribute",
    title=lambda: message("Which attribute is best?"),
    asks=lambda: message("Why does the tree ask about Outlook first?"),
    minutes=4,
    steps=steps,
    on_short_path=True,
    sample=_TABLE,
    recipe=_RECIPE,
)
