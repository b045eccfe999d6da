"""The values that settings can take, with the words that pages show for them."""

from __future__ import annotations

from explorer.pruning.methods import PRUNING_METHODS

SPLITS = {"auto": "Automatic", "all": "All rows", "two": "Training and validation", "three": "With a test part"}
PRUNING = {
    "slide": "Slide α",
    "given": "A given α, step by step",
    "methods": "Methods side by side",
    "per_node": "Loss per node: a demonstration",
}
RISKS = {
    "impurity": "Impurity (default)",
    "error": "Share of wrong rows",
    "unnormalised": "Impurity × rows (Li Hang)",
    "per_node": "Per node (a demonstration)",
}
METRICS = {
    "accuracy": "Accuracy",
    "auc": "AUC",
    "log_loss": "Log loss",
    "expected_cost": "Expected cost",
}
ROW_SETS = {"valid": "Validation rows", "train": "Training rows"}
METHODS = {"unpruned": "Unpruned", **{key: method.label for key, method in PRUNING_METHODS.items()}}
ORDERS = PRUNING_METHODS["reduced_error"].values_of("order")
TIES = PRUNING_METHODS["reduced_error"].values_of("ties")
CONFIDENCES = (0.001, 0.5)
LIMITS = PRUNING_METHODS["pessimistic"].values_of("limit")
BOOK = {
    "unpruned": "Unpruned",
    "pre": "Pre-pruned",
    "zhou": "Post-pruned, only if better (Zhou)",
    "quinlan": "Post-pruned, bottom-up (Quinlan)",
    "mitchell": "Post-pruned, best first (Mitchell)",
}
"""The trees of the example from Zhou's book."""
RULE_LISTS = ("tree", "pruned")
"""The tree's own rules, or each pruned by itself."""
RULE_ORDERS = ("reliability", "order", "support", "confidence")
RULE_ESTIMATES = ("valid", "pessimistic")
"""A rule's accuracy on validation rows, or a pessimistic one on training rows."""
