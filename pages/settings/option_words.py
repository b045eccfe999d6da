"""The words of the options of growing: what each is called, what it does, what its values are called, what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from explorer.messages import current_catalogue, message
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.missing import POLICIES
from explorer.recipe.split_score import SCORES


@dataclass(frozen=True)
class OptionWords:
    """The words of one option."""

    label: str
    help: str
    needs: str = ""
    names: Mapping[object, str] = field(default_factory=dict)


def label(option: str) -> str:
    """What an option is called."""
    return _words()[option].label


def help_text(option: str) -> str:
    """What it does."""
    return _words()[option].help


def needs(option: str) -> str:
    """What it takes for the option to mean something; "" where it always does."""
    return _words()[option].needs


def names_of_values(option: str) -> Mapping[object, str]:
    """What the values of a choice are called."""
    registered = {"score": SCORES, "impurity": IMPURITIES, "missing": POLICIES}
    if option in registered:
        return {name: _capitalised(str(record.label)) for name, record in registered[option].items()}  # type: ignore[attr-defined]
    return _words()[option].names


def blank(field: str) -> str:
    """What an empty field means."""
    return message("not merged") if field == "merge_level" else message("no limit")


def _capitalised(text: str) -> str:
    """With a capital first letter; what begins with a sign or an abbreviation stays as it is."""
    return text[:1].upper() + text[1:]


def _words() -> dict[str, OptionWords]:
    return _words_in(current_catalogue().language)


@lru_cache(maxsize=8)
def _words_in(language: str) -> dict[str, OptionWords]:
    """All words in the language in force, which `language` names for the cache."""
    return {
        **_size_words(),
        **_score_words(),
        **_newton_words(),
        **_feature_words(),
        **_missing_words(),
        **_stopping_words(),
        **_tables(),
    }


def _size_words() -> dict[str, OptionWords]:
    return {
        "max_depth": OptionWords(
            message("Max. depth"), message("The largest number of splits between the root and a leaf.")
        ),
        "max_leaf_nodes": OptionWords(
            message("Max. leaves"),
            message(
                "Best-first growing, as max_leaf_nodes in scikit-learn: the split with the largest decrease of "
                "impurity (rows × decrease) is made first, until the leaves are used up."
            ),
        ),
        "min_rows_split": OptionWords(
            message("Min. samples to split"), message("A node with fewer training rows becomes a leaf.")
        ),
        "min_rows_leaf": OptionWords(
            message("Min. samples per leaf"),
            message("A split is admissible only if each branch keeps at least this many training rows."),
        ),
        "min_rows_in": OptionWords(
            message("Branches that need these samples"),
            message("Every branch, or two of them as in C4.5."),
            message("min. samples per leaf above 0"),
            {"every": message("Every branch"), "two": message("Two of them")},
        ),
    }


def _score_words() -> dict[str, OptionWords]:
    return {
        "score": OptionWords(
            message("Split criterion"),
            message(
                "The score by which the best splits of the features are compared. The criteria with a cost are for "
                "tables where a feature's value costs something to obtain (Tan and Schlimmer; Núñez)."
            ),
        ),
        "p_adjustment": OptionWords(
            message("Adjustment for the features"),
            message(
                "Many features are many chances of a small p. For m features, Šidák gives 1 − (1 − p)^m and Bonferroni "
                "m·p. The ways of cutting one feature count in any case."
            ),
            message("the split criterion adjusted p-value"),
            {"bonferroni": message("Bonferroni"), "sidak": message("Šidák"), "none": message("None")},
        ),
        "nunez_w": OptionWords(
            message("Weight of feature costs"),
            message("Núñez's w: 0 ignores the costs, 1 counts them fully."),
            message("the split criterion gain against cost"),
        ),
        "impurity": OptionWords(
            message("Impurity"),
            message("The impurity of a node, which a split is to decrease."),
            message("the decrease of impurity as split criterion"),
        ),
        "quantile": OptionWords(
            message("Quantile"),
            message("The share of a leaf's training rows that lies below what it predicts: 0.5 is the median."),
            message("a numeric target and the impurity quantile loss"),
        ),
        "mean_gain_filter": OptionWords(
            message("Features compared by gain ratio"),
            message(
                "C4.5 compares only features whose gain is at least the mean gain, so that a tiny gain with tiny split "
                "information cannot win."
            ),
            message("the gain ratio as split criterion"),
            {
                "at_least": message("Gain at least the mean"),
                "greater": message("Gain above the mean"),
                "off": message("All features"),
            },
        ),
        "release8_penalty": OptionWords(
            message("Threshold penalty (C4.5 release 8)"),
            message("The gain of a numeric feature is reduced by log2(number of thresholds) / rows."),
            message("classes, thresholds, and another split criterion than the plain decrease"),
        ),
        "log_base": OptionWords(
            message("Unit of entropy"),
            message("Bits use base-2 logarithms, nats natural ones. The tree is the same."),
            message("classes and the impurity entropy"),
            {2: message("bits"), "e": message("nats")},
        ),
    }


def _newton_words() -> dict[str, OptionWords]:
    needs = message("the split criterion Newton gain")
    return {
        "reg_lambda": OptionWords(
            message("λ (shrinks leaves)"),
            message("Leaves are −G/(H + λ) and gains compare G²/(H + λ): a larger λ holds small branches back."),
            needs,
        ),
        "gamma": OptionWords(
            message("γ (prunes small gains)"),
            message(
                "After growing, from the leaves up, a split goes if its gain is below γ. In units of XGBoost, twice "
                "the paper's."
            ),
            needs,
        ),
        "base_score": OptionWords(
            message("Base score"),
            message(
                "The prediction before the tree, from which gradients are measured. XGBoost estimates it: the mean of "
                "a numeric target, the share of the second class."
            ),
            needs,
            {None: message("0 (with two classes ½)"), "mean": message("The mean (the share)")},
        ),
    }


def _feature_words() -> dict[str, OptionWords]:
    return {
        "numeric": OptionWords(
            message("Numeric features"),
            message("ID3 has no numeric splits: values are cut into equal-frequency bins, or each one is a category."),
            message("a numeric feature"),
            {
                "bins": message("Equal-frequency bins"),
                "threshold": message("Threshold at each node"),
                "each_value": message("Each value a category"),
                "leave_out": message("Not used"),
            },
        ),
        "bins": OptionWords(
            message("Number of bins"),
            message("Equal-frequency bins of the training values, made once for the whole tree."),
            message("numeric features in bins"),
        ),
        "categorical": OptionWords(
            message("Categorical splits"),
            message("“Each value” makes one branch per category; the two others make two branches."),
            message("a categorical feature"),
            {
                "each_value": message("Each value"),
                "one_vs_rest": message("One value against the rest"),
                "subset": message("Best subset of values"),
            },
        ),
        "merge_level": OptionWords(
            message("Merge categories (CHAID)"),
            message(
                "The two groups of categories or neighbouring bins whose classes differ least are merged while the p "
                "of their χ² is above this level, usually 0.05; then each group has a branch (Kass 1980)."
            ),
            message("classes, and splits with one branch per value or interval"),
        ),
        "empty_branches": OptionWords(
            message("Keep empty branches"),
            message("A category or interval without rows at the node gets a leaf that predicts as its parent does."),
            message("splits with one branch per value or interval"),
        ),
        "threshold_at": OptionWords(
            message("Position of the threshold"),
            message(
                "Halfway between two neighbouring values, at the lower one, or as in C4.5 at the largest training "
                "value below the middle."
            ),
            message("numeric features split at thresholds"),
            {"midpoint": message("Midpoint"), "observed": message("Lower value"), "c45": message("As in C4.5")},
        ),
        "release8_numeric_minimum": OptionWords(
            message("Larger branches for thresholds (C4.5 release 8)"),
            message("Each side of a threshold needs a tenth of the rows per class, but at most 25."),
            message("classes, and numeric features split at thresholds"),
        ),
    }


def _missing_words() -> dict[str, OptionWords]:
    return {
        "missing": OptionWords(
            message("Missing values"),
            message(
                "Where a row goes if the feature of the split is missing. ID3 fills in the node's most common value or "
                "median. C4.5 sends the row down every branch with a fraction of its weight. CART uses surrogate "
                "splits, which divide the rows alike. XGBoost tries both sides of each threshold."
            ),
            message("a feature with missing values"),
        ),
        "missing_ratio": OptionWords(
            message("Missing values in split information"),
            message("C4.5 counts rows with a missing value as one more branch; the alternative leaves them out."),
            message("missing values sent down with fractions, and the gain ratio as split criterion"),
            {"quinlan": message("One more branch"), "known_rows_only": message("Known rows only")},
        ),
        "unseen": OptionWords(
            message("Unseen categories"),
            message("Where a row goes at prediction time if its category did not occur at the node."),
            message("a categorical feature, or missing values without a branch of their own"),
            {
                "node": message("Stop at the node"),
                "heaviest": message("Take the largest branch"),
                "fractional": message("Every branch, with fractions"),
                "random": message("A random branch (fixed by seed)"),
            },
        ),
    }


def _stopping_words() -> dict[str, OptionWords]:
    return {
        "min_score": OptionWords(
            message("Min. score"), message("The node becomes a leaf if its best score is below this number.")
        ),
        "min_impurity_decrease": OptionWords(
            message("Min. impurity decrease"),
            message("Share of the rows times the decrease, as min_impurity_decrease in scikit-learn."),
        ),
        "max_impurity": OptionWords(
            message("Stop below impurity"), message("A node with a lower impurity becomes a leaf.")
        ),
        "min_squared_error": OptionWords(
            message("Stop below squared error"),
            message("A node whose sum of squared errors is lower becomes a leaf."),
            message("a numeric target"),
        ),
        "chi2_level": OptionWords(
            message("χ² significance level"),
            message(
                "The node becomes a leaf if the p-value of the χ² test of its best split is above this level, that is "
                "if branches and classes may be independent (Quinlan 1986). Usual levels are 0.05 and 0.01. The split "
                "criterion adjusted p-value compares the adjusted p with it."
            ),
            message("classes"),
        ),
        "mdl_stop": OptionWords(
            message("MDL (description length)"),
            message(
                "The node becomes a leaf if leaf and exceptions take no more bits than its best split with its "
                "branches as leaves (Quinlan and Rivest 1989)."
            ),
            message("classes"),
        ),
        "prepruning": OptionWords(
            message("Pre-pruning"),
            message("The node becomes a leaf if its split does not improve the score on the validation set."),
            message("a validation set. Choose “Training and validation” on the Data page"),
        ),
        "stop_at_one_feature": OptionWords(
            message("Stop at the last feature"),
            message("The node becomes a leaf if only one feature is left on its path, as in some books."),
            message("splits with one branch per value or interval"),
        ),
    }


def _tables() -> dict[str, OptionWords]:
    return {
        "class_weights": OptionWords(
            message("Class weights"),
            message("The weight multiplies each row of the class; the prior is weight × rows of the class / all rows."),
            message("classes"),
        ),
        "costs": OptionWords(
            message("Misclassification costs"),
            message("The cost of each prediction for a row of the class on the left. Leaves predict at least cost."),
            message("classes"),
        ),
        "feature_costs": OptionWords(
            message("Feature costs"),
            message("What it costs to obtain a feature's value."),
            message("a split criterion with costs"),
        ),
        "monotone": OptionWords(
            message("Monotone constraints"),
            message(
                "Predictions may only increase, or only decrease, with a feature while the others stay as they are. A "
                "split that would break this is not admissible."
            ),
            message(
                "a numeric target or two classes, numeric features split at thresholds, categories in two branches, "
                "and missing values filled in or left out"
            ),
        ),
        "interactions": OptionWords(
            message("Interaction constraints"),
            message(
                "The path to a leaf tests features of one set only. Sets may share features; those of no set form one "
                "more. A branch then depends on features that you can name together."
            ),
            message("two features"),
        ),
    }
