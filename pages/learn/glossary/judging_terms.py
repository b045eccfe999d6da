"""Terms of pruning, evaluation and ensembles."""

from __future__ import annotations

from explorer.messages import message
from pages.learn.glossary.term import Term

PRUNING = (
    Term(
        name=lambda: message("overfitting"),
        symbol="",
        definition=lambda: message("The tree fits noise of the training rows and predicts new rows worse."),
        links=("overfitting/curve",),
    ),
    Term(
        name=lambda: message("underfitting"),
        symbol="",
        definition=lambda: message(
            "The tree is too small to follow the rows: it errs on training rows and new rows alike."
        ),
        links=("overfitting/curve",),
    ),
    Term(
        name=lambda: message("regularised maximum likelihood"),
        symbol="",
        definition=lambda: message(
            "Growing by entropy raises the likelihood of the training rows; pruning takes a penalty for each leaf "
            "from it."
        ),
        links=("cost_complexity/two trees",),
    ),
    Term(
        name=lambda: message("pruning"),
        symbol="",
        definition=lambda: message("To replace subtrees by leaves."),
        links=("cost_complexity/two trees", "prune"),
    ),
    Term(
        name=lambda: message("pre-pruning"),
        symbol="",
        definition=lambda: message("To stop growing early."),
        links=("reduced_error/compared", "grow"),
    ),
    Term(
        name=lambda: message("post-pruning"),
        symbol="",
        definition=lambda: message("To grow the whole tree first and prune it then."),
        links=("reduced_error/compared", "prune"),
    ),
    Term(
        name=lambda: message("risk"),
        symbol="R(t)",
        definition=lambda: message("The loss of a node as a leaf, as a share of all rows."),
        links=("weakest_link/first link",),
    ),
    Term(
        name=lambda: message("cost-complexity pruning"),
        symbol="R(T) + α·|T|",
        definition=lambda: message("Breiman's pruning: the least risk plus α for every leaf."),
        links=("cost_complexity/envelope", "prune"),
    ),
    Term(
        name=lambda: message("complexity parameter"),
        symbol="α",
        definition=lambda: message("The price of one leaf."),
        links=("cost_complexity/two trees",),
    ),
    Term(
        name=lambda: message("weakest link"),
        symbol="g(t)",
        definition=lambda: message("The node whose subtree saves the least risk per leaf; it is pruned next."),
        links=("weakest_link/first link",),
    ),
    Term(
        name=lambda: message("subtree sequence"),
        symbol="T₀ ⊃ T₁ ⊃ …",
        definition=lambda: message("The nested trees that pruning with a growing α passes through."),
        links=("cost_complexity/sequence", "weakest_link/to the root"),
    ),
    Term(
        name=lambda: message("reduced-error pruning"),
        symbol="REP",
        definition=lambda: message("Prunes a subtree where that does not lower the accuracy on validation rows."),
        links=("reduced_error/ties", "prune"),
    ),
    Term(
        name=lambda: message("pessimistic pruning"),
        symbol="U(E, N)",
        definition=lambda: message("C4.5's pruning: compares upper limits of the error rates seen in training."),
        links=("pessimistic/upper limit", "prune"),
    ),
    Term(
        name=lambda: message("confidence factor"),
        symbol="CF",
        definition=lambda: message("How cautious pessimistic pruning is; a smaller one prunes more."),
        links=("pessimistic/confidence",),
    ),
    Term(
        name=lambda: message("subtree raising"),
        symbol="",
        definition=lambda: message("C4.5 may replace a node by its largest branch."),
        links=("prune",),
    ),
    Term(
        name=lambda: message("description length"),
        symbol="MDL",
        definition=lambda: message("The bits needed to write down a tree and its errors; the shortest wins."),
        links=("prune",),
    ),
    Term(
        name=lambda: message("rule post-pruning"),
        symbol="",
        definition=lambda: message("Turns every leaf into a rule and removes conditions that do not help."),
        links=("rules",),
    ),
)

EVALUATION = (
    Term(
        name=lambda: message("accuracy"),
        symbol="",
        definition=lambda: message("The share of rows predicted correctly."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("baseline"),
        symbol="",
        definition=lambda: message("What predicting the majority class, or the mean, for every row achieves."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("confusion matrix"),
        symbol="",
        definition=lambda: message("Counts of rows by true and predicted class."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("precision"),
        symbol="",
        definition=lambda: message("Of the rows predicted to be in a class, the share that are."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("recall"),
        symbol="",
        definition=lambda: message("Of the rows of a class, the share that are predicted to be."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("AUC"),
        symbol="",
        definition=lambda: message("The chance that a row of the class gets a higher probability than another row."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("log loss"),
        symbol="",
        definition=lambda: message("The mean of −ln of the probability predicted for the true class."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("cross-validation"),
        symbol="",
        definition=lambda: message("Each fold of rows judges a tree grown on the others."),
        links=("choose_size/other folds", "prune"),
    ),
    Term(
        name=lambda: message("standard error"),
        symbol="SE",
        definition=lambda: message("How far a mean over rows is likely to be off by chance."),
        links=("choose_size/one standard error",),
    ),
    Term(
        name=lambda: message("one-SE rule"),
        symbol="",
        definition=lambda: message("Takes the smallest tree whose loss is within one standard error of the best."),
        links=("choose_size/one standard error",),
    ),
    Term(
        name=lambda: message("learning curve"),
        symbol="",
        definition=lambda: message("The score against the number of training rows."),
        links=("overfitting/learning curve", "evaluate"),
    ),
    Term(
        name=lambda: message("calibration"),
        symbol="",
        definition=lambda: message("Whether of the rows predicted with 80 %, about 80 % have the class."),
        links=("evaluate",),
    ),
    Term(
        name=lambda: message("predicted probability"),
        symbol="",
        definition=lambda: message("The share of the class among the training rows of the leaf."),
        links=("missing_cells/prediction", "predict"),
    ),
    Term(
        name=lambda: message("decision path"),
        symbol="",
        definition=lambda: message("The tests that a row passes from the root to its leaf."),
        links=("predict",),
    ),
    Term(
        name=lambda: message("rule"),
        symbol="",
        definition=lambda: message("The tests on the way to a leaf, joined by “and”."),
        links=("rules",),
    ),
    Term(
        name=lambda: message("counterfactual"),
        symbol="",
        definition=lambda: message("The least change of a row that changes its prediction."),
        links=("predict",),
    ),
)

ENSEMBLES = (
    Term(
        name=lambda: message("stability"),
        symbol="",
        definition=lambda: message("How often the same tree grows when the rows change a little."),
        links=("stability/leave one out", "grow"),
    ),
    Term(
        name=lambda: message("bootstrap"),
        symbol="",
        definition=lambda: message("Drawing as many rows as there are, with replacement."),
        links=("bagging/draws",),
    ),
    Term(
        name=lambda: message("ensemble"),
        symbol="",
        definition=lambda: message("Several trees that predict together."),
        links=("ensembles",),
    ),
    Term(
        name=lambda: message("bagging"),
        symbol="",
        definition=lambda: message("Trees grown on bootstrap samples vote."),
        links=("bagging/helps", "ensembles"),
    ),
    Term(
        name=lambda: message("out-of-bag"),
        symbol="",
        definition=lambda: message("The rows that a bootstrap sample left out; they judge its tree."),
        links=("bagging/out of bag",),
    ),
    Term(
        name=lambda: message("random forest"),
        symbol="",
        definition=lambda: message("Bagging in which each node may choose among a few random features only."),
        links=("ensembles",),
    ),
    Term(
        name=lambda: message("boosting"),
        symbol="",
        definition=lambda: message("Trees grown one after another, each for what the earlier ones got wrong."),
        links=("boosting/first stump", "ensembles"),
    ),
    Term(
        name=lambda: message("gradient boosting"),
        symbol="",
        definition=lambda: message(
            "Each tree is fitted to the negative gradient of the loss: for squared error, the residuals."
        ),
        links=("residuals/residuals", "ensembles"),
    ),
    Term(
        name=lambda: message("residual"),
        symbol="r",
        definition=lambda: message("The true value minus the prediction."),
        links=("residuals/residuals",),
    ),
    Term(
        name=lambda: message("learning rate"),
        symbol="ν",
        definition=lambda: message("The share of each tree that boosting adds."),
        links=("residuals/learning rate",),
    ),
)
