"""Pictures of ensembles that nobody grew: arrays made up by rules that a test can work out again."""

import numpy as np

import explorer as ex
from explorer.drawing.ensemble_view.records import (
    Baseline,
    Curve,
    EnsemblePicture,
    Margins,
    MemberPicture,
    Regions,
    RoundFacts,
    RowPicture,
    RowWeights,
    Scatter,
    VoteLine,
    Votes,
    Waterfall,
)
from explorer.drawing.thumbnail import Thumbnail, thumbnail

HOSTILE = "</script><img src=x onerror=alert(1)>"


def small_trees() -> list[Thumbnail]:
    """Thumbnails of three trees: of depth 2, of depth 3, and a single leaf."""
    iris = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    return [thumbnail(ex.grow(iris, ex.CART.replace(max_depth=depth))) for depth in (2, 3, 0)]


def fitted_at(stage: int, intervals: int) -> np.ndarray:
    """The fit of a stage: it nears j in interval j as the stages go on."""
    return np.arange(intervals) * (1 - 0.5**stage)


def regression(n_stages: int = 100, n: int = 40) -> EnsemblePicture:
    """One numeric feature: at stage k the fit in interval j is j · (1 − ½^k), and row i has y = i."""
    x = np.arange(n, dtype=float)
    edges = np.append(x - 0.5, n - 0.5)
    fitted = np.array([fitted_at(stage, n) for stage in range(n_stages + 1)])
    error = ((x - fitted) ** 2).mean(axis=1)
    trees = small_trees()
    return EnsemblePicture(
        method="Gradient boosting",
        n_stages=n_stages,
        classes=(),
        score_name="mean squared error",
        higher_is_better=False,
        curves=(Curve("training", error), Curve("validation", error + np.linspace(0, 3, n_stages + 1))),
        baselines=(Baseline("constant", error[0]), Baseline("tree", 5.0), Baseline("pruned_tree", 4.0)),
        facts=tuple(RoundFacts(k, {"error": f"{error[k]:.3f}", HOSTILE: "–"}) for k in range(1, n_stages + 1)),
        members=tuple(MemberPicture(trees[k % 2], k, 0.5, f"Tree {k} {HOSTILE}") for k in range(1, n_stages + 1)),
        scatter=Scatter("x", HOSTILE, x, x, edges, fitted, x - fitted, np.diff(fitted, axis=0), "residual"),
    )


def classes(n_stages: int = 5, n: int = 12) -> EnsemblePicture:
    """Three classes by turns: row i weighs i + k in round k, tree k misses the rows of class k mod 3."""
    rows = np.arange(n)
    codes = rows % 3
    rounds = np.arange(1, n_stages + 1)
    answers = np.tile(codes, (n_stages, 1))
    votes = np.array([[k * (codes == code) for code in range(3)] for k in range(n_stages + 1)], dtype=float)
    edges = np.append(rows - 0.5, n - 0.5)
    margin = np.linspace(0, 1, n_stages + 1)
    trees = small_trees()
    return EnsemblePicture(
        method="AdaBoost",
        n_stages=n_stages,
        classes=("a", HOSTILE, "c"),
        score_name="accuracy",
        higher_is_better=True,
        is_share=True,
        curves=(Curve("training", margin), Curve("oob", np.append(np.nan, margin[1:]))),
        members=tuple(MemberPicture(trees[k % 3], k, float(k), f"Tree {k}") for k in rounds.tolist()),
        votes=VoteLine("x", rows.astype(float), codes, edges, votes, answers),
        regions=Regions(
            *("x", "y", (0.0, 3.0), (0.0, 2.0), 3, 2),
            codes=np.array([[(cell + k) % 3 for cell in range(6)] for k in range(n_stages + 1)]),
            certainty=np.array([[40 * cell] * 6 for cell in range(n_stages + 1)]),
            x=np.linspace(0.2, 2.8, n),
            y=np.linspace(0.2, 1.8, n),
            values=codes,
        ),
        weights=RowWeights(
            rows + 100,
            [f"row {row}" for row in rows],
            np.array([rows + k for k in rounds]),
            np.array([codes == k % 3 for k in rounds]),
            codes,
        ),
        margins=Margins(np.linspace(-1, 1, 5), np.tile([1, 2, 3, 6], (n_stages + 1, 1)), np.append(np.nan, margin[1:])),
    )


def one_row(n_members: int = 5) -> RowPicture:
    """Row 103: it starts at 1, and member m adds m."""
    return RowPicture(
        103,
        f"Row 104 {HOSTILE}",
        Waterfall(1.0, np.arange(1.0, n_members + 1), "logistic", HOSTILE),
        Votes(
            np.arange(n_members) % 3, np.arange(n_members) % 2 == 0, np.append(np.nan, np.linspace(0, 1, n_members)), 1
        ),
    )
