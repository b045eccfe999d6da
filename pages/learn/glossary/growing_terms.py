"""Terms of trees, impurity, splits and missing values."""

from __future__ import annotations

from explorer.messages import message
from pages.learn.glossary.term import Term
from pages.widgets import terms

TREES = (
    Term(
        name=lambda: message("decision tree"),
        symbol="T",
        definition=lambda: message(
            "A tree of tests: each row follows one branch per test down to a leaf, which predicts."
        ),
        links=("which_attribute/whole tree", "grow"),
    ),
    Term(
        name=lambda: message("node"),
        symbol="t",
        definition=lambda: message("A set of rows: the root has all of them, every other node those of one branch."),
        links=("grow",),
    ),
    Term(
        name=lambda: message("root"),
        symbol="",
        definition=lambda: message("The first node, which holds all training rows."),
        links=("which_attribute/gains", "grow"),
    ),
    Term(
        name=lambda: message("internal node"),
        symbol="",
        definition=lambda: message("A node with a test and branches below it."),
        links=("grow",),
    ),
    Term(
        name=lambda: message("leaf"),
        symbol="l",
        definition=lambda: message("A node without a test; it predicts its majority class or its mean."),
        links=("which_attribute/whole tree",),
    ),
    Term(
        name=lambda: message("branch"),
        symbol="Dᵢ",
        definition=lambda: message("One outcome of a test, with the rows that have it."),
        links=("which_attribute/first split",),
    ),
    Term(
        name=lambda: message("subtree"),
        symbol="Tₜ",
        definition=lambda: message("A node with everything below it."),
        links=("cost_complexity/all subtrees", "prune"),
    ),
    Term(
        name=lambda: message("depth"),
        symbol="",
        definition=lambda: message("The number of tests between the root and a node."),
        links=("shortest/depth two",),
    ),
    Term(
        name=lambda: message("inductive bias"),
        symbol="",
        definition=lambda: message(
            "What a learner assumes to choose among the trees that fit: ID3 prefers short trees, with large gains "
            "at the top."
        ),
        links=("shortest/greedy",),
    ),
    Term(
        name=lambda: message("Occam's razor"),
        symbol="",
        definition=lambda: message("Of the trees that fit the rows, the shortest is to be preferred."),
        links=("shortest/why",),
    ),
    Term(
        name=lambda: message("version space"),
        symbol="",
        definition=lambda: message("All trees that fit every training row."),
        links=("shortest/depth two",),
    ),
    Term(
        name=lambda: message("disjunction of conjunctions"),
        symbol="",
        definition=lambda: message(
            "A tree as a formula: each path is a conjunction of tests, and a class is the disjunction of its paths."
        ),
        links=("rules",),
    ),
    Term(
        name=lambda: message("stump"),
        symbol="",
        definition=lambda: message("A tree with one test only."),
        links=("boosting/first stump", "residuals/first stump"),
    ),
    Term(
        name=lambda: message("regression tree"),
        symbol="",
        definition=lambda: message("A tree that predicts a number: the mean of the leaf."),
        links=("regression/mean",),
    ),
    Term(
        name=lambda: message("feature"),
        symbol="A",
        definition=lambda: message("A column that a test may ask about."),
        links=("data",),
    ),
    Term(
        name=lambda: message("attribute"),
        symbol="A",
        definition=lambda: message("Another name for a feature, common for columns of categories."),
        links=("which_attribute/gains",),
    ),
    Term(
        name=lambda: message("target"),
        symbol="y",
        definition=lambda: message("The column to predict."),
        links=("data",),
    ),
    Term(
        name=lambda: message("class"),
        symbol="k",
        definition=lambda: message("A value of a categorical target."),
        links=("data",),
    ),
    Term(
        name=lambda: message("majority class"),
        symbol="",
        definition=lambda: message("The class with the most rows at a node."),
        links=("overfitting/curve", "evaluate"),
    ),
    Term(
        name=lambda: message("training set"),
        symbol="D",
        definition=lambda: message("The rows from which the tree is grown."),
        links=("overfitting/learning curve", "data"),
    ),
    Term(
        name=lambda: message("validation set"),
        symbol="",
        definition=lambda: message("Rows kept aside to choose the size of the tree."),
        links=("reduced_error/ties", "data"),
    ),
    Term(
        name=lambda: message("test set"),
        symbol="",
        definition=lambda: message("Rows used once, at the end, to judge the chosen tree."),
        links=("evaluate",),
    ),
)

IMPURITY = (
    Term(
        name=lambda: message("impurity"),
        symbol="",
        definition=lambda: message("How mixed the classes of a node are; 0 where all rows have one class."),
        links=("mixed/curves",),
    ),
    Term(
        name=lambda: message("entropy"),
        symbol="H(D)",
        definition=lambda: message(
            "−Σ p·log₂ p over the classes: the bits needed on average to name the class of a row."
        ),
        links=("mixed/curves", "information/remaining"),
    ),
    Term(
        name=lambda: message("empirical entropy"),
        symbol="",
        definition=lambda: message(
            "The entropy of the shares that the training rows have, in place of the unknown probabilities."
        ),
        links=("mixed/curves", "information/remaining"),
    ),
    Term(
        name=lambda: message("bit"),
        symbol="",
        definition=lambda: message("The unit of entropy with logarithms to base 2: one fair yes-or-no answer."),
        links=("mixed/units",),
    ),
    Term(
        name=lambda: message("nat"),
        symbol="",
        definition=lambda: message("The unit of entropy with natural logarithms: 1.443 bits."),
        links=("mixed/units",),
    ),
    Term(
        name=lambda: message("conditional entropy"),
        symbol="H(D|A)",
        definition=lambda: message(
            "The entropy that remains once the feature is known: the branches' mean, weighted by their rows."
        ),
        links=("information/remaining",),
    ),
    Term(
        name=lambda: message("mutual information"),
        symbol="I",
        definition=lambda: message("What two columns tell about each other; the information gain is one."),
        links=("information/mutual",),
    ),
    Term(
        name=lambda: message("Gini index"),
        symbol="Gini(D)",
        definition=lambda: message("1 − Σ p²: how often two rows drawn with replacement differ in class."),
        links=("cart/gini", "mixed/curves"),
    ),
    Term(
        name=lambda: message("error rate"),
        symbol="",
        definition=lambda: message("The share of rows that the prediction gets wrong."),
        links=("mixed/curves",),
    ),
    Term(
        name=lambda: message("variance"),
        symbol="Var",
        definition=lambda: message("The mean squared deviation from the mean: the impurity of a numeric target."),
        links=("regression/mean",),
    ),
    Term(
        name=lambda: message("squared error"),
        symbol="SSE",
        definition=lambda: message("The sum of the squared deviations from the mean of the node."),
        links=("regression/cut",),
    ),
)

SPLITS = (
    Term(
        name=lambda: message("split"),
        symbol="",
        definition=lambda: message("To divide the rows of a node by a test; also the test itself."),
        links=("which_attribute/first split", "grow"),
    ),
    Term(
        name=lambda: message("candidate split"),
        symbol="",
        definition=lambda: message("A test that a node could use, with its numbers, whether it wins or not."),
        links=("cart/candidates", "grow"),
    ),
    Term(
        name=lambda: message("information gain"),
        symbol="g(D, A)",
        definition=lambda: message("How much a split lowers the entropy: H(D) − H(D|A)."),
        links=("which_attribute/gains", "information/gain"),
    ),
    Term(
        name=lambda: message("split information"),
        symbol="SI(A)",
        definition=lambda: message("The entropy of the branch sizes; it grows with the number of branches."),
        links=("gain_ratio/split information", "day_column/split information"),
    ),
    Term(
        name=lambda: message("gain ratio"),
        symbol="g_R(D, A)",
        definition=lambda: message("Information gain divided by split information."),
        links=("gain_ratio/ratios", "day_column/ratio"),
    ),
    Term(
        name=lambda: message("mean-gain filter"),
        symbol="",
        definition=lambda: message("C4.5 lets only features of at least mean gain compete by their ratio."),
        links=("gain_ratio/filter", "day_column/mean gain"),
    ),
    Term(
        name=lambda: message("threshold"),
        symbol="t",
        definition=lambda: message("The number t of a test “≤ t”."),
        links=("thresholds/midpoints",),
    ),
    Term(
        name=lambda: message("midpoint"),
        symbol="",
        definition=lambda: message("The number halfway between two adjacent values; the usual threshold."),
        links=("thresholds/midpoints",),
    ),
    Term(
        name=lambda: message("subset of values"),
        symbol="",
        definition=lambda: message("CART's test of categories: some go left, all others right."),
        links=("subsets/three values",),
    ),
    Term(
        name=lambda: message("one against the rest"),
        symbol="",
        definition=lambda: message("A test that sets one category apart from all others."),
        links=("subsets/three values",),
    ),
    Term(
        name=lambda: message("bins"),
        symbol="",
        definition=lambda: message("Intervals into which a numeric column is cut before ID3 grows a tree."),
        links=("grow",),
    ),
    Term(
        name=lambda: message("tie"),
        symbol="",
        definition=lambda: message("Two candidates with the same score; the first in order wins."),
        links=("weakest_link/ties", "grow"),
    ),
    Term(
        name=lambda: message("margin"),
        symbol="",
        definition=lambda: terms.MEANINGS[terms.MARGIN],
        links=("grow",),
    ),
    Term(
        name=lambda: message("near tie"),
        symbol=terms.NEAR_TIE,
        definition=lambda: terms.MEANINGS[terms.NEAR_TIE],
        links=("grow",),
    ),
    Term(
        name=lambda: message("chi-squared test"),
        symbol=terms.CHI2,
        definition=lambda: terms.MEANINGS[terms.CHI2],
        links=("day_column/by chance", "grow"),
    ),
    Term(
        name=lambda: message("LogWorth"),
        symbol="",
        definition=lambda: terms.MEANINGS[terms.LOG_WORTH],
        links=("grow",),
    ),
    Term(
        name=lambda: message("stopping rule"),
        symbol="",
        definition=lambda: message("What makes a node a leaf although it could be split."),
        links=("regression/stop", "grow"),
    ),
    Term(
        name=lambda: message("significance"),
        symbol="p",
        definition=lambda: message("Whether a gain is larger than chance alone would often give."),
        links=("day_column/by chance",),
    ),
    Term(
        name=lambda: message("id-like column"),
        symbol="",
        definition=lambda: message("A column with a value of its own in nearly every row: a high gain and no use."),
        links=("day_column/gain",),
    ),
)

MISSING = (
    Term(
        name=lambda: message("missing value"),
        symbol="",
        definition=lambda: message("An empty cell: the value is not known."),
        links=("missing_cells/parts", "data"),
    ),
    Term(
        name=lambda: message("fractional instances"),
        symbol="",
        definition=lambda: message("C4.5 sends a row with a missing value down every branch, in parts."),
        links=("missing_cells/row 6",),
    ),
    Term(
        name=lambda: message("surrogate split"),
        symbol="",
        definition=lambda: message("CART's second choice: a test on another feature that sorts the rows alike."),
        links=("grow",),
    ),
    Term(
        name=lambda: message("unseen category"),
        symbol="",
        definition=lambda: message("A category that the node had no training row of."),
        links=("predict",),
    ),
)
