"""A node of your tree: how it was split, with the numbers of this table."""

from __future__ import annotations

import explorer as ex
from explorer.data.codes.scale import NUMBERS
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.curves import CurveLine, curves
from explorer.explaining import Derivation, Formula, candidate_formulas, reached_by
from explorer.explaining.formulas.impurity import of_rows
from explorer.formatting import class_counts, leaves, number_text, visible
from explorer.messages import message
from pages.grow.branches_table import branches_frame
from pages.grow.candidates_table import ranked
from pages.learn.scenes.step import (
    Choice,
    Chosen,
    Competition,
    Number,
    Question,
    Scene,
    Step,
    TablePicture,
    TreePicture,
)
from pages.results import trees
from pages.results.lessons.trees import split_nodes
from pages.settings import session
from pages.settings.learn_settings import OWN
from pages.settings.settings import Settings
from pages.text import escape_markdown, number, prediction_text
from pages.widgets import node_text

NODE = "node"
"""The name of the choice of the node."""
_MOST_BARS, _MOST_OPTIONS, _MOST_CUTS, _MOST_NODES = 10, 5, 300, 200


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The chosen node from its rows to its children and to the whole tree; of a leaf, why it is not split."""
    settings = session.read()
    if not trees.has_grown(settings):
        raise ex.InputError(
            message(
                "The tree of this table has not been grown yet: open the page Grow, and come back once it is there."
            )
        )
    tree = trees.grown(settings).tree
    node = _node(tree, chosen.get(NODE, str(settings.node)))
    walk = NodeWalk(settings, tree, node)
    if tree.feature[node] < 0:
        return walk.rows(), walk.leaf(), walk.whole()
    cuts = (walk.thresholds(),) if walk.winner.condition.threshold is not None else ()
    return walk.rows(), walk.competition(), *cuts, walk.branches(), walk.children(), walk.whole()


def _node(tree: ex.Tree, text: str) -> int:
    """The node of a link; the root where the tree has no such node."""
    return int(text) if text.isdecimal() and int(text) < tree.n_nodes_grown else 0


class NodeWalk:
    """The steps about one node of a tree."""

    def __init__(self, settings: Settings, tree: ex.Tree, node: int) -> None:
        """Look up the candidates of the node, and when it was split."""
        self.settings, self.tree, self.node = settings, tree, tree.node(node)
        self.decision = trees.decision(settings, node)
        splits = split_nodes(tree)
        self.position = splits.index(node) if node in splits else len(splits)
        self.name = message("node {node}", node=node)

    @property
    def winner(self) -> ex.Candidate:
        """The test of the node."""
        assert self.decision.chosen is not None, "a node that is split"
        return self.decision.chosen

    def rows(self) -> Step:
        """How mixed the node is."""
        tree, node = self.tree, self.node
        kind = tree.recipe.impurity_for(tree.is_regression)
        quantity = of_rows(kind, "D", "D", [float(value) for value in node.stats], tree.recipe.log_base)
        says = message("The tree until node {node} is to be split.", node=node.id)
        return Step(
            name="rows",
            title=message("How mixed is node {node}?", node=node.id),
            text=message(
                "{rows} reach {branch}: {content}. With {impurity} 0 nothing would be left to split.",
                rows=tree.rows_text(node.weight),
                branch=self._branch(),
                content=escape_markdown(self._content()),
                impurity=self._impurity_name(),
            ),
            picture=TreePicture(tree, says, selected=node.id, position=self.position),
            number=Number(
                message("{impurity} of {node}", impurity=_at_start(self._impurity_name()), node=self.name),
                node.impurity,
                _digits(node.impurity),
                Derivation((Formula(quantity, node.impurity),), (("D", message("the rows of the node")),)),
            ),
            choices=(self._choice(),),
            numbers={"impurity": node.impurity, "rows": node.weight},
        )

    def competition(self) -> Step:
        """Every feature's best split; the reader is asked first."""
        tree, decision, winner = self.tree, self.decision, self.winner
        column = node_text.score_column(tree.recipe, tree.is_regression)
        derivations = candidate_formulas(self.node, winner)
        return Step(
            name="candidates",
            title=message("Every feature offers its best split"),
            text=message(
                "{algorithm} compares the best split of every feature by its {score}. The largest wins.",
                algorithm=escape_markdown(tree.recipe.name),
                score=self._score_name(),
            ),
            picture=self._bars(),
            before=self._bars(is_asked=True),
            number=Number(
                message("{score} of {feature}", score=_at_start(self._score_name()), feature=visible(winner.feature)),
                winner.score or winner.gain,
                _digits(winner.score or winner.gain),
                derivations.get(column, derivations.get("score")),
            ),
            question=self._question(),
            competition=Competition(decision, tree),
            choices=(self._choice(),),
            numbers={feature: best.score for feature, best in decision.best.items() if best.score is not None},
        )

    def _is_winner(self, cut: ex.Candidate) -> bool:
        return cut.condition == self.winner.condition

    def thresholds(self) -> Step:
        """The thresholds of the winner's feature as a curve."""
        candidates = self.decision.candidates
        kept = [cut for cut in candidates.of_feature(self.winner.feature, _MOST_CUTS) if not self._is_winner(cut)]
        kept = sorted([*kept, self.winner], key=lambda cut: cut.condition.threshold or 0.0)
        feature, gain = visible(self.winner.feature), self._gain_name()
        threshold = _cut_text(self.winner)
        return Step(
            name="thresholds",
            title=message("Where to cut {feature}", feature=feature),
            text=message(
                "Of {n} thresholds between neighbouring values the one at {threshold} is the best. "
                "Move along the curve to see how sharp its top is.",
                n=f"{candidates.n_of_feature(self.winner.feature):,}",
                threshold=threshold,
            ),
            picture=curves(
                says=message("The {gain} of every threshold of {feature}.", gain=gain, feature=feature),
                title=message("{gain} by threshold of {feature}", gain=_at_start(gain), feature=feature),
                x=tuple(cut.condition.threshold or 0.0 for cut in kept),
                x_name=message("Threshold"),
                lines=(CurveLine("", tuple(cut.gain for cut in kept)),),
                least=0.0,
                most=max(cut.gain for cut in kept) or 1.0,
                readings=tuple(_reading(feature, cut) for cut in kept),
                shown=next(i for i, cut in enumerate(kept) if self._is_winner(cut)),
            ),
            number=Number(
                message("{gain} of {test}", gain=_at_start(gain), test=f"{feature} ≤ {threshold}"),
                self.winner.gain,
                _digits(self.winner.gain),
            ),
            numbers={"gain": self.winner.gain},
        )

    def branches(self) -> Step:
        """What the branches hold, and how mixed they are together."""
        frame, winner = branches_frame(self.tree, self.winner), self.winner
        after = sum(w * i for w, i in zip(winner.weights, winner.impurities, strict=True)) / sum(winner.weights)
        cells = [tuple(_cell(value) for value in line) for line in frame.itertuples(index=False)]
        return Step(
            name="branches",
            title=message("What the branches hold"),
            text=message(
                "Each branch is weighed by its rows. The mean {impurity} falls from {before} to {after}.",
                impurity=self._impurity_name(),
                before=number(self.node.impurity),
                after=number(after),
            ),
            picture=TablePicture(
                says=message("The branches with their rows and how mixed they are."),
                columns=tuple(str(name) for name in frame.columns),
                rows=tuple(cells),
            ),
            number=Number(
                message("{score} of {feature}", score=_at_start(self._gain_name()), feature=visible(winner.feature)),
                winner.gain,
                _digits(winner.gain),
                candidate_formulas(self.node, winner).get(self._gain_column()),
            ),
            numbers={"before": self.node.impurity, "after": after, "gain": winner.gain},
        )

    def children(self) -> Step:
        """The tree once the node is split."""
        below = self.tree.children_of(self.node.id)
        pure = sum(self.tree.node(child).impurity <= 0.0 for child in below)
        return Step(
            name="children",
            title=message("{feature} splits {node}", feature=visible(self.winner.feature), node=self.name),
            text=message(
                "{pure} of {n} branches are pure. The others are split in the same way, unless a rule stops them.",
                pure=pure,
                n=len(below),
            ),
            picture=TreePicture(
                self.tree,
                message("The tree once node {node} is split.", node=self.node.id),
                selected=self.node.id,
                position=self.position + 1,
                marks={child: message("branch of the split") for child in below},
            ),
            number=Number(message("Pure branches"), pure, 0),
            numbers={"pure": float(pure)},
        )

    def leaf(self) -> Step:
        """Why a leaf is not split."""
        node = self.node
        return Step(
            name="leaf",
            title=message("Why it is a leaf"),
            text=node_text.stop_text(node, self.decision),
            picture=TreePicture(
                self.tree,
                message("The whole tree with the leaf selected."),
                selected=node.id,
                marks={node.id: self.name},
            ),
            number=Number(message("Rows of {node}", node=self.name), node.weight, 0),
            numbers={"rows": node.weight},
        )

    def whole(self) -> Step:
        """The whole tree."""
        tree = self.tree
        return Step(
            name="whole",
            title=message("The whole tree"),
            text=message(
                "The same step, repeated node by node, gives {leaves} at depth {depth} or less. "
                "Select a node to explain it instead.",
                leaves=leaves(tree.n_leaves),
                depth=tree.max_depth,
            ),
            picture=TreePicture(tree, message("The whole tree."), selected=self.node.id),
            number=Number(message("Leaves of the tree"), tree.n_leaves, 0),
            choices=(self._choice(),),
            numbers={"leaves": float(tree.n_leaves)},
        )

    def _branch(self) -> str:
        if self.node.id == 0:
            return message("the root")
        return escape_markdown(f"{self.name} ({visible(reached_by(self.tree, self.node.id))})")

    def _content(self) -> str:
        """The classes of the rows, or their mean."""
        if self.tree.is_regression:
            return message("mean {value}", value=prediction_text(self.node, True))
        return class_counts(self.node.stats, [visible(str(name)) for name in self.tree.classes], 24)

    def _impurity_name(self) -> str:
        return node_text.impurity_name(self.tree.recipe, self.tree.is_regression)

    def _gain_name(self) -> str:
        return node_text.gain_heading(self.tree.recipe, self.tree.is_regression)

    def _gain_column(self) -> str:
        return node_text.gain_name(self.tree.recipe, self.tree.is_regression)

    def _score_name(self) -> str:
        return node_text.score_heading(self.tree.recipe, self.tree.is_regression)

    def _bars(self, is_asked: bool = False) -> Bars:
        """The score of each feature's best split, the best first; while asked for, in the order of the table."""
        best = [candidate for candidate in ranked(self.decision) if candidate.score is not None]
        shown = best[:_MOST_BARS]
        if is_asked:
            names = list(self.decision.best)
            shown = sorted(shown, key=lambda candidate: names.index(candidate.feature))
        return Bars(
            says=message("Bars with the {score} of every feature's best split.", score=self._score_name()),
            title=_at_start(self._score_name()),
            bars=tuple(
                Bar(
                    visible(candidate.feature),
                    0.0 if is_asked else candidate.score or 0.0,
                    "?" if is_asked else number(candidate.score),
                    not is_asked and candidate is best[0],
                    candidate.rejected is not None,
                )
                for candidate in shown
            ),
            most=1.15 * max((candidate.score or 0.0 for candidate in shown), default=1.0) or 1.0,
        )

    def _question(self) -> Question | None:
        """Which feature wins, among the best few; none where there is nothing to choose or the reader chose it."""
        decision, names = self.decision, list(self.decision.best)
        first = [candidate.feature for candidate in ranked(decision) if candidate.score is not None][:_MOST_OPTIONS]
        options = sorted(set(first), key=names.index)
        if decision.by_hand or len(options) < 2 or self.winner.feature not in options:
            return None
        ways = {self.winner.feature, *decision.tied}
        return Question(
            message("Which feature splits {node}?", node=self.name),
            tuple(visible(feature) for feature in options),
            tuple(i for i, feature in enumerate(options) if feature in ways),
            message("Its best split has {score} {value}.", score=self._score_name(), value=number(self.winner.score)),
        )

    def _choice(self) -> Choice:
        """The node that is explained: the root, the nodes that split, and the one chosen."""
        nodes = sorted({0, *split_nodes(self.tree)[:_MOST_NODES], self.node.id})
        names = {str(node): _node_label(self.tree, node) for node in nodes}
        return Choice(NODE, message("Node"), names, str(self.node.id))


def _cut_text(cut: ex.Candidate) -> str:
    threshold, scale = cut.condition.threshold or 0.0, cut.condition.scale
    return number_text(threshold, 6) if scale == NUMBERS else scale.text(threshold)


def _reading(feature: str, cut: ex.Candidate) -> str:
    test = f"{feature} ≤ {_cut_text(cut)}"
    return message("{name}: {value}", name=test, value=number(cut.gain))


def _node_label(tree: ex.Tree, node: int) -> str:
    if node == 0:
        return message("Node 0 · all rows")
    return message("Node {node} · {branch}", node=node, branch=visible(reached_by(tree, node)))


def _at_start(word: str) -> str:
    """The word with a capital, as the first of a line."""
    return word[:1].upper() + word[1:]


def _cell(value: object) -> str:
    """A number with four digits, a text as it is; nothing for what is not there."""
    if isinstance(value, str):
        return visible(value)
    return "" if value != value else number(float(value))  # type: ignore[arg-type]


SCENE = Scene(
    name=OWN,
    title=lambda: message("A node of your tree"),
    asks=lambda: message("How was this node of my tree split?"),
    minutes=3,
    steps=steps,
)


def _digits(value: float) -> int:
    """Decimals by which a number reads as in its formula: three, and one more where it is small."""
    return 3 if abs(value) >= 0.1 else 4
