"""The words of remarks on trees that a file of another library holds: how it compares, and what it does not tell."""

from __future__ import annotations

from collections.abc import Callable

from explorer.messages import listing, message, plural


def _from_lightgbm_zero(splits: int) -> str:
    return plural(
        splits,
        "Opened from a file of LightGBM fitted with zero_as_missing=True: at {n:,} split LightGBM sends 0 where it "
        "sends missing values, but here 0 is compared as a number. Leave such cells empty to predict as LightGBM does.",
        "Opened from a file of LightGBM fitted with zero_as_missing=True: at {n:,} splits LightGBM sends 0 where it "
        "sends missing values, but here 0 is compared as a number. Leave such cells empty to predict as LightGBM does.",
    )


def _rpart_rows_stay(use: int) -> str:
    if use == 0:
        return message(
            "rpart was told to use no surrogate splits (usesurrogate = 0): a row without a value ends at the node that "
            "asks for it, with the prediction of that node."
        )
    return message(
        "rpart was told not to send rows with the majority (usesurrogate = 1): a row that no surrogate split can send "
        "ends at the node, with the prediction of that node."
    )


def _rpart_levels(absent: int) -> str:
    new = message(
        "rpart refuses rows with a category that its table did not have; here they go where most rows of the node went."
    )
    if not absent:
        return new
    of_node = plural(
        absent,
        "At {n:,} split with surrogate splits, a category that the node had no row of goes there too, but rpart asks "
        "the surrogate splits first.",
        "At {n:,} splits with surrogate splits, a category that the node had no row of goes there too, but rpart asks "
        "the surrogate splits first.",
    )
    return f"{new} {of_node}"


def _from_weka_text(library: str, sign: str) -> str:
    return message(
        "Opened from the text that {library} prints, whose tests read x {sign} threshold. The text is rounded "
        "(thresholds to {decimals} decimals, rows to 2), so rows next to a threshold may take the other branch than in "
        "Weka; rows without a value take every branch in part, as in Weka.",
        library=library,
        sign=sign,
        decimals=2 if sign == "<" else 6,
    )


def _from_pmml(program: str, null: int) -> str:
    opened = message(
        "Opened from a PMML file{program}, which compares columns of type float in 32 bits and all others in 64.",
        program=f" ({program})" if program else "",
    )
    if not null:
        return opened
    return f"{opened} " + plural(
        null,
        "At {n:,} node the file predicts nothing for rows whose value is missing or fits no branch: here they end "
        "there, with what the node's rows have in common.",
        "At {n:,} nodes the file predicts nothing for rows whose value is missing or fits no branch: here they end "
        "there, with what the node's rows have in common.",
    )


def _from_pmml_without_counts(program: str, null: int) -> str:
    without = message("It does not tell how many training rows its nodes have, so no amount here is a number of rows.")
    return f"{_from_pmml(program, null)} {without}"


OF_OPENED_MODELS: dict[str, Callable[..., str]] = {
    "from_xgboost": lambda: message(
        "Imported from XGBoost, which compares 32-bit numbers; weights are sums of second derivatives, and nodes above "
        "leaves show their leaves' mean."
    ),
    "from_model": lambda library, sign: message(
        "Opened from a file of {library}, whose tests read x {sign} threshold; rows with a missing value take the "
        "branch that the library sends them to.",
        library=library,
        sign=sign,
    ),
    "from_model_without_counts": lambda library, sign: message(
        "Opened from a file of {library}, whose tests read x {sign} threshold; it does not tell how many training rows "
        "its nodes have, so no amount here is a number of rows, and nodes above leaves show their leaves' mean.",
        library=library,
        sign=sign,
    ),
    "from_catboost": lambda: message(
        "Opened from a file of CatBoost, which compares 32-bit numbers; amounts are sums of the weights of training "
        "rows (1 each unless given), leaves of a tree with an empty leaf count alike, and nodes above leaves show "
        "their leaves' mean. Categories that no split names answer each test with no."
    ),
    "from_onnx": lambda bits: message(
        "Opened from an ONNX file, which compares {bits}-bit numbers and holds no numbers of training rows: no amount "
        "here is one, and nodes above leaves show their leaves' mean. Rows with a missing value take the branch that "
        "the file names; the converter of scikit-learn always names the second. Numbers that a test lists are compared "
        "in all digits.",
        bits=bits,
    ),
    "from_lightgbm_zero": _from_lightgbm_zero,
    "from_weka_text": _from_weka_text,
    "from_r_forest": lambda library, sign: message(
        "Opened from a forest of R's {library}, whose tests read x {sign} threshold; it holds no numbers of rows, so "
        "nodes above leaves show their leaves' mean. R refuses rows without a value, or with a category of its own; "
        "here they end at the node that asks.",
        library=library,
        sign=sign,
    ),
    "weka_errors_shared": lambda: message(
        "The text tells how many rows of a leaf are of other classes, but not of which: here they count as shared "
        "equally among them, so class shares are rough."
    ),
    "rpart_rows_stay": _rpart_rows_stay,
    "rpart_levels": _rpart_levels,
    "from_spark_merged": lambda: message(
        "Spark has joined leaves below a node that predict the same class: fit with pruneTree=False to keep them apart."
    ),
    "from_spark_refused": lambda *columns: message(
        "Spark answers no row whose value of these columns is missing or unseen: {columns}. Here it stays at the node "
        "that asks. Use handleInvalid='keep' in the pipeline to get Spark's answer.",
        columns=listing(columns),
    ),
    "from_pmml": _from_pmml,
    "from_pmml_without_counts": _from_pmml_without_counts,
    "pmml_ties": lambda: message(
        "Where classes have equally many votes, the first class of the file is predicted; JPMML takes that of the "
        "first tree."
    ),
}
