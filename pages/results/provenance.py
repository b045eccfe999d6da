"""How the tree on a page came about, for its report."""

from __future__ import annotations

from dataclasses import dataclass

import explorer as ex
from explorer.formatting import METRIC_NAMES
from explorer.messages import message
from pages.results import cross_validation, evaluation, pruned_tree, pruning, pruning_steps, tree_size, trees
from pages.settings import labels, session
from pages.settings.kept.test_set_log import NotedTestScore
from pages.settings.settings import Settings
from pages.text import score_name, score_text


@dataclass(frozen=True)
class Slider:
    """A tree, the payload of its sequence or steps, the slider's position, and the manual steps since."""

    tree: ex.Tree
    content: bytes
    position: int
    manual_steps: tuple[tuple[str, int], ...] = ()

    def page(self, palette: str) -> str:
        """The tree with this slider as a page that stands alone."""
        return ex.to_html(self.tree, self.content, palette, self.position, self.manual_steps)


def alpha_slider(settings: Settings) -> Slider:
    """α with its curves, where the settings have it."""
    path = trees.path(settings)
    content = trees.sequence_payload(settings, cross_validation.known_folds(settings))
    return Slider(
        path.tree, content, pruned_tree.position(settings, path), pruned_tree.known_manual_steps(settings, path.tree)
    )


def method_slider(settings: Settings, method: str) -> Slider:
    """The steps of a method, at their end."""
    sequence = pruning_steps.step_sequence(settings, method)
    return Slider(sequence.tree, sequence.content, sequence.begin)


def of_grown(settings: Settings) -> ex.Provenance:
    """The tree as it was grown."""
    return _provenance(settings, trees.grown(settings).tree)


def of_pruned(settings: Settings, pruned: ex.Tree) -> ex.Provenance:
    """The tree at the settings' α with the manual steps, and why it has its size."""
    why = tree_size.sentences(settings, pruned, cross_validation.known_folds(settings))
    manual_steps, alpha = pruned_tree.known_manual_steps(settings, pruned), settings.alpha
    return _provenance(settings, pruned, alpha=alpha, hand=manual_steps, why=why, **_evaluated(settings))


def of_method(settings: Settings, method: str) -> ex.Provenance:
    """The tree that one of the methods side by side leaves, with the method’s options and its steps."""
    steps, remark = pruning_steps.sentences(settings, method)
    tree = pruning.result(settings, method).tree
    if tree.n_nodes_grown != trees.grown(settings).tree.n_nodes_grown:
        raised = message("Subtree raising moved rows: the steps use the node numbers of the grown tree.")
        remark = f"{raised} {remark}".strip()
    why = message("Chosen from the pruning methods side by side.")
    details: dict[str, object] = {"steps": steps, "why": f"{why} {remark}".strip()}
    if pruning.has_chosen_alpha(method):
        return _by_alpha(settings, method, details)
    if method != "unpruned":
        details |= {"method": method, "options": pruning.options(settings, method)}
    return _provenance(settings, tree, **details)


def _by_alpha(settings: Settings, method: str, details: dict[str, object]) -> ex.Provenance:
    """The tree at the α that held-out rows have chosen."""
    path, position = trees.path(settings), pruning.position(settings, method)
    score, rows = METRIC_NAMES[trees.metric(settings)], pruning.selected_on(settings)
    chosen = message(
        "{method}: α was chosen by the {score} on {rows}.", method=labels.METHODS[method], score=score, rows=rows
    )
    why = f"{chosen} {details['why']}"
    tree = path.tree.with_pruned(ex.pruned_at(path, position))
    return _provenance(
        settings, tree, alpha=pruned_tree.alpha_at(path, position), **{**details, "why": why}, **_evaluated(settings)
    )


def _evaluated(settings: Settings) -> dict[str, object]:
    """The risk of the sequence, and the cross-validation that scored it: the reader's, else leave-one-out."""
    folded = cross_validation.known_folds(settings)
    if folded is not None:
        return {"risk": settings.risk, "folded": folded, "fold_seed": settings.fold_seed}
    return {"risk": settings.risk, "folded": trees.curves(settings).left_out}


def of_tree(settings: Settings, tree: ex.Tree) -> ex.Provenance:
    """Any tree that was grown on the training set of the settings."""
    return _provenance(settings, tree)


def _provenance(settings: Settings, tree: ex.Tree, **pruning: object) -> ex.Provenance:
    subsets, division = trees.parts(settings), trees.division(settings)
    own = session.upload() if settings.upload else None
    return ex.Provenance(
        table=trees.source(settings).table,
        data=trees.data(settings),
        tree=pruned_tree.predicting(settings, tree),
        parts=tuple(part for part in (subsets.train, subsets.valid, subsets.test) if part is not None),
        shares=division.shares,
        seed=division.seed,
        split_times=division.times,
        split_column=division.sets,
        split_values=division.values,
        kinds=dict(trees.kinds(settings)),
        sample=None if own else settings.sample,
        remarks=(*_left_out(settings), *_test_part(settings)),
        **pruning,  # type: ignore[arg-type]
    )


def _left_out(settings: Settings) -> list[str]:
    """What the unpruned tree of a small table scores where each row is left out once."""
    regression = trees.data(settings).is_regression
    return [
        _left_out_text(settings, score, regression)
        for score in evaluation.scores(settings)
        if score.rows not in ("training", "validation")
    ]


def _left_out_text(settings: Settings, score: evaluation.Score, regression: bool) -> str:
    shown = {
        "name": score_name(regression),
        "value": score_text(score.value, regression),
        "baseline": score_text(score.baseline, regression),
    }
    text = {
        "leave_groups_out": message(
            "Leave-one-group-out {name} of the unpruned tree: {value}, baseline {baseline}.", **shown
        ),
        "leave_time_out": message("Rolling {name} of the unpruned tree: {value}, baseline {baseline}.", **shown),
    }.get(score.rows, message("Leave-one-out {name} of the unpruned tree: {value}, baseline {baseline}.", **shown))
    if not settings.choices:
        return text
    return f"{text} {message('The manual choices were made with all rows in view, so this score is optimistic.')}"


def _test_part(settings: Settings) -> list[str]:
    """Whether the test set was used, and the scores of its uses."""
    if trees.parts(settings).test is None:
        return []
    regression = trees.data(settings).is_regression
    opened = [opening.text(regression) for note in settings.test_set_uses if (opening := NotedTestScore.read(note))]
    return opened or [message("The test set is not used yet: its score is unknown.")]
