"""Numbers of textbooks in the scenes on several trees and on textbooks' rules.

Each row has the source, the path in the golden files, the scene, the step and its number.
"""

_MITCHELL = "Mitchell, Machine Learning (1997), section 3.6"
_LIHANG_81 = "Li Hang (2019), example 8.1"
_LIHANG_82 = "Li Hang (2019), example 8.2"
_QUINLAN = "Quinlan, C4.5: Programs for Machine Learning (1993)"
_BREIMAN = "Breiman, Bagging predictors (1996), worked out exactly"
_BOOTSTRAPS = "Breiman, Random forests (2001), three stumps by hand"

_TENNIS = ("stability", "play_tennis")
_LOANS = ("stability", "loan_lihang")
_SHORTEST = ("bfs_id3", "play_tennis")
_SIX = ("bfs_id3", "smallest_table_where_id3_is_not_shortest", "example")
_SEVEN = ("bfs_id3", "depth_against_size")
_ROUNDS = ("boosting_of_classifiers", "lihang_8_1", "rounds")
_STAGES = ("gradient_boosting", "lihang_8_2", "stages")
_HAND = ("forest", "play_tennis_three_stumps_by_hand")
_ERRORS = ("bias_variance", "by_depth")
_BAGGED = "bagged_over_all_256_bootstraps"
_FEATURES = ("Outlook", "Temperature", "Humidity", "Wind")
_SECOND = "root_without_two_rows(all pairs)"

_STABILITY = (
    *(
        ("root of 14 days", ("play_tennis", "gain", feature), "leave one out", f"gain {feature}")
        for feature in _FEATURES
    ),
    *(
        ("14 days but one", (*_TENNIS, "root_without_one_row", feature), "each day", f"root {feature}")
        for feature in ("Outlook", "Humidity")
    ),
    *(("14 days but two", (*_TENNIS, _SECOND, feature), "two days", f"root {feature}") for feature in _FEATURES),
    *(
        (
            "Li Hang, table 5.1, but one row",
            (*_LOANS, "root_without_one_row", feature),
            "another table",
            f"root {feature}",
        )
        for feature in ("有自己的房子", "信贷情况", "有工作")
    ),
    ("Li Hang, table 5.1, but one row", (*_LOANS, "ties_without_one_row"), "another table", "ties"),
    *(
        (
            "Rand (1971), on 14 days",
            ("stability", "partition_distance_outlook_stump_humidity_stump", key),
            "distance",
            name,
        )
        for key, name in (("pairs_treated_differently", "pairs parted"), ("pairs", "pairs"), ("distance", "distance"))
    ),
)
_SHORT = (
    *(
        (f"depth {name}", (*_SHORTEST, "trees_by_depth_allowed", level), "trees")
        for level, name in ((1, "one"), (2, "two"))
    ),
    *(
        (f"depth {name}", (*_SHORTEST, "consistent_trees_by_depth_allowed", level), "consistent")
        for level, name in ((1, "one"), (2, "two"))
    ),
    ("greedy", (*_SHORTEST, "tests_at_least_depth"), "tests"),
    ("greedy", (*_SHORTEST, "least_depth"), "depth"),
    ("fooled", (*_SIX, "id3", "tests"), "ID3 tests"),
    ("fooled", (*_SIX, "id3", "depth"), "ID3 depth"),
    ("fooled", (*_SIX, "tests_at_least_depth"), "tests"),
    ("fooled", (*_SIX, "least_depth"), "depth"),
    ("fooled", (*_SIX, "trees_by_depth_allowed", 2), "trees of depth 2"),
    ("fooled", (*_SIX, "consistent_trees_by_depth_allowed", 2), "consistent of depth 2"),
    ("why", (*_SIX, "id3", "least_margin"), "lead"),
    ("two meanings", (*_SEVEN, "least_depth"), "least depth"),
    ("two meanings", (*_SEVEN, "tests_at_least_depth"), "tests at least depth"),
    ("two meanings", (*_SEVEN, "fewest_tests"), "fewest tests"),
    ("two meanings", (*_SEVEN, "depth_of_fewest_tests"), "depth of fewest tests"),
)
_VOTES = (
    *(
        (step, (*_ROUNDS, stage, key), f"{name} {stage + 1}")
        for stage, step in enumerate(("vote", "second round", "third round"))
        for key, name in (("weighted_error", "error"), ("alpha_half_ln", "alpha"))
    ),
    ("third round", ("boosting_of_classifiers", "lihang_8_1", "published", "alpha", 2), "printed alpha 3"),
    ("new weights", (*_ROUNDS, 1, "weights_before", 6), "weight of wrong"),
    ("new weights", (*_ROUNDS, 1, "weights_before", 0), "weight of right"),
    *(
        (
            "sum of votes",
            ("boosting_of_classifiers", "lihang_8_1", "published", "training_errors", stage),
            f"errors {stage + 1}",
        )
        for stage in range(3)
    ),
)
_RESIDUALS = (
    *(
        (step, (*_STAGES, stage, key), f"{name} {stage + 1}")
        for stage, step in enumerate(("first stump", "second stump"))
        for key, name in (("threshold", "threshold"), ("left", "left"), ("right", "right"), ("sse", "loss"))
    ),
    ("residuals", (*_STAGES, 1, "residuals_before", 0), "first residual"),
    ("second stump", ("gradient_boosting", "lihang_8_2", "published", "squared_losses", 1), "printed loss 2"),
    *(("six stages", (*_STAGES, stage, "sse"), f"loss {stage + 1}") for stage in range(6)),
)
_BAGS = (
    ("chance out", ("forest", "bootstrap_facts", "P(row is out of bag), n=14"), "chance out"),
    ("chance out", ("forest", "bootstrap_facts", "limit"), "limit"),
    *(
        ("stumps", (*_HAND, "trees", member, "gains_bits", feature), f"gain {member + 1} {feature}")
        for member, features in enumerate((("Outlook", "Wind"), ("Temperature", "Humidity"), ("Humidity", "Wind")))
        for feature in features
    ),
    *(
        ("out of bag", (*_HAND, "oob", day, "Yes"), f"share of Yes D{day}")
        for day in ["1", "3", "6", "7", "11", "12", "14"]
    ),
    ("out of bag", (*_HAND, "oob_error"), "out-of-bag error"),
)
_SPREAD = (
    *(
        ("one tree", (*_ERRORS, depth, f"mean_{key}"), f"{name} {depth}")
        for depth in "0123"
        for key, name in (("bias2", "bias"), ("variance", "variance"))
    ),
    *(
        (step, (*_ERRORS, depth, _BAGGED, f"mean_{key}"), f"bagged {name} {depth}")
        for step, depth in (("helps", "1"), ("harms", "3"))
        for key, name in (("bias2", "bias"), ("variance", "variance"))
    ),
)
_MISSING = ("golf_missing", "outlook")
_COSTS = ("play_tennis", "attribute_costs")
_LIMITS = ("pessimistic_error", "values", 3)
_TEXTBOOKS = (
    (_QUINLAN, ("golf", "outlook", "gain_ratio"), "growing_rules", "ratio alone", "ratio outlook"),
    (_QUINLAN, ("golf", "outlook", "gain"), "growing_rules", "ratio alone", "gain outlook"),
    (_QUINLAN, ("golf", "humidity", "thresholds", 4, "gain"), "growing_rules", "which threshold", "largest gain"),
    (_QUINLAN, ("golf", "humidity", "thresholds", 0, "gain"), "growing_rules", "which threshold", "its gain"),
    (_QUINLAN, ("golf", "humidity", "thresholds", 0, "t"), "growing_rules", "which threshold", "threshold by ratio"),
    (_QUINLAN, ("golf", "temperature", "thresholds", 10, "gain"), "growing_rules", "ratio alone", "gain temperature"),
    (_MITCHELL, ("temperature6", "best"), "growing_rules", "threshold place", "threshold midpoint"),
    (
        _QUINLAN,
        (*_MISSING, "gain_ratio (Quinlan)"),
        "missing_and_costs",
        "ratio",
        "ratio Quinlan",
    ),
    (
        _QUINLAN,
        (*_MISSING, "known_fraction * ratio(known) (seed 004 reading)"),
        "missing_and_costs",
        "ratio",
        "ratio known",
    ),
    (
        _QUINLAN,
        (*_MISSING, "gain = known_fraction * gain(known)"),
        "missing_and_costs",
        "strategies",
        "gain fractional",
    ),
    *(
        (
            "Tan and Schlimmer (1990)",
            (*_COSTS, "gain^2/cost (Tan & Schlimmer 1990)", name),
            "missing_and_costs",
            "costs",
            f"Tan-Schlimmer {name}",
        )
        for name in _FEATURES
    ),
    *(
        (
            "Núñez (1988)",
            (*_COSTS, "(2^gain-1)/(cost+1)^w (Nunez 1988), w=1", name),
            "missing_and_costs",
            "costs",
            f"Núñez {name}",
        )
        for name in _FEATURES
    ),
    (
        "The table of 14 animals",
        ("mammals", "published", "branch entropies 饮食习性", "肉食动物"),
        "missing_and_costs",
        "printed entropy",
        "entropy",
    ),
    ("The table of 14 animals", ("mammals", "gain", "胎生动物"), "missing_and_costs", "printed entropy", "gain"),
    *(
        (_QUINLAN, (*_LIMITS, key), "missing_and_costs", "upper limits", f"U {name}")
        for key, name in (("U_c45_release8", "release8"), ("U_exact_binomial", "binomial"), ("U_weka", "normal"))
    ),
)

NUMBERS = (
    *((source, path, "stability", step, name) for source, path, step, name in _STABILITY),
    *((_MITCHELL, path, "shortest", step, name) for step, path, name in _SHORT),
    *((_LIHANG_81, path, "boosting", step, name) for step, path, name in _VOTES),
    *((_LIHANG_82, path, "residuals", step, name) for step, path, name in _RESIDUALS),
    *((_BOOTSTRAPS, path, "bagging", step, name) for step, path, name in _BAGS),
    *((_BREIMAN, path, "bagging", step, name) for step, path, name in _SPREAD),
    *_TEXTBOOKS,
)
