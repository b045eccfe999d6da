"""How the tree on a page came about, for its report."""

from __future__ import annotations

import explorer as ex
from explorer.names import METRIC_NAMES
from pages.parts import cached, choosing, films, pruners, reasons, scored, state, trees
from pages.parts.openings import Opening
from pages.parts.state import Settings
from pages.parts.words import score_name, score_text

_RAISED = "Raising has hung rows elsewhere: the steps name nodes of the tree as it was grown, the tree has its own."


def of_grown(settings: Settings) -> ex.Provenance:
    """The tree as it was grown."""
    return _provenance(settings, cached.grown(settings).tree)


def of_pruned(settings: Settings, pruned: ex.Tree) -> ex.Provenance:
    """The tree at the settings' α with what was decided by hand, and why it has its size."""
    why = reasons.sentences(settings, pruned, choosing.known_folds(settings))
    hand, alpha = trees.known_hand(settings, pruned), settings.alpha
    return _provenance(settings, pruned, alpha=alpha, hand=hand, why=why, **_judged(settings))


def of_method(settings: Settings, method: str) -> ex.Provenance:
    """The tree that one of the methods side by side leaves, with the method’s options and its steps."""
    steps, remark = films.sentences(settings, method)
    tree = pruners.cut(settings, method).tree
    if tree.n_grown != cached.grown(settings).tree.n_grown:
        remark = f"{_RAISED} {remark}".strip()
    told: dict[str, object] = {"steps": steps, "why": f"Picked among the methods side by side. {remark}".strip()}
    if method in ("cost_complexity", "one_se"):
        return _by_alpha(settings, method, told)
    if method != "unpruned":
        told |= {"method": method, "options": pruners.options(settings, method)}
    return _provenance(settings, tree, **told)


def _by_alpha(settings: Settings, method: str, told: dict[str, object]) -> ex.Provenance:
    """The tree at the α that held-out rows have chosen."""
    path, place = cached.path(settings), pruners.position(settings, method)
    score, rows = METRIC_NAMES[cached.metric(settings)], pruners.judged_by(settings)
    why = f"{state.METHODS[method]}: α was chosen by {rows}, which judged the sequence by {score}. {told['why']}"
    tree = path.tree.with_closed(ex.closed_at(path, place))
    return _provenance(settings, tree, alpha=trees.alpha_at(path, place), **{**told, "why": why}, **_judged(settings))


def _judged(settings: Settings) -> dict[str, object]:
    """The risk of the sequence, and the cross-validation that judged it: the one asked for, else row by row."""
    asked = choosing.known_folds(settings)
    if asked is not None:
        return {"risk": settings.risk, "folded": asked, "fold_seed": settings.fold_seed}
    return {"risk": settings.risk, "folded": cached.curves(settings).left_out}


def _provenance(settings: Settings, tree: ex.Tree, **pruning: object) -> ex.Provenance:
    found = cached.parts(settings)
    own = state.upload() if settings.upload else None
    return ex.Provenance(
        table=cached.source(settings).table,
        data=cached.data(settings),
        tree=tree,
        parts=tuple(part for part in (found.train, found.valid, found.test) if part is not None),
        shares=cached.shares(settings),
        seed=settings.seed,
        kinds=dict(cached.kinds(settings)),
        sample=None if own else settings.sample,
        remarks=(*_left_out(settings), *_test_part(settings)),
        **pruning,  # type: ignore[arg-type]
    )


def _left_out(settings: Settings) -> list[str]:
    """What the unpruned tree of a small table scores where each row is left out once."""
    regression = cached.data(settings).is_regression
    return [
        f"Each row left out once, the unpruned tree has the {score_name(regression)} "
        f"{score_text(score.value, regression)}, and without a tree it is {score_text(score.baseline, regression)}."
        + (" What was decided by hand was decided with all rows in view, which flatters it." * bool(settings.choices))
        for score in scored.scores(settings)
        if score.rows == "Leave-one-out"
    ]


def _test_part(settings: Settings) -> list[str]:
    """Whether the test part is sealed, and what was seen when it was opened."""
    if cached.parts(settings).test is None:
        return []
    regression = cached.data(settings).is_regression
    opened = [opening.text(regression) for note in settings.opened if (opening := Opening.read(note))]
    return opened or ["The test part is sealed: no score on it is known yet."]
