"""Numbers of textbooks in the scenes on loans and melons: source, path in golden.json, scene, step, and number."""

_LIHANG = "Li Hang, examples 5.2 to 5.4"
_ZHOU = "Zhou, Machine Learning, sections 4.2 and 4.4"
_LOANS = ("年龄", "有工作", "有自己的房子", "信贷情况")
_MELONS = ("色泽", "根蒂", "敲声", "纹理", "脐部", "触感")
_VALUES = (
    ("年龄", "青年"),
    ("年龄", "中年"),
    ("年龄", "老年"),
    ("有工作", "是"),
    ("有自己的房子", "是"),
    ("信贷情况", "一般"),
    ("信贷情况", "好"),
    ("信贷情况", "非常好"),
)
_NO_HOUSE = ("loan_lihang", "id3_tree", "children", "否")
_CLEAR = ("watermelon_2_0", "id3_tree", "children", "清晰")
_UNKNOWN = "watermelon_2_0_alpha_missing"
_WEIGHTS = (_UNKNOWN, "published", "row 8 enters 清晰/稍糊/模糊 with weights")

_LOAN_ROWS = (
    ("gains", "entropy", ("loan_lihang", "entropy")),
    *(("gains", f"gain {feature}", ("loan_lihang", "gain", feature)) for feature in _LOANS),
    ("below the root", "entropy", (*_NO_HOUSE, "entropy")),
    *(
        ("below the root", f"gain {feature}", (*_NO_HOUSE, "gains", feature))
        for feature in ("年龄", "有工作", "信贷情况")
    ),
    ("gini", "gini", ("loan_lihang", "gini", "exact")),
    *(
        ("gini", f"{feature} = {value}", ("loan_lihang", "cart_candidates_eq", f"{feature} == {value}", "exact"))
        for feature, value in _VALUES
    ),
)
_MELON_ROWS = (
    ("gains", "entropy", ("watermelon_2_0", "entropy")),
    *(("gains", f"gain {feature}", ("watermelon_2_0", "gain", feature)) for feature in _MELONS),
    *(
        ("clear stripes", f"gain {feature}", (*_CLEAR, "gains", feature))
        for feature in ("色泽", "根蒂", "敲声", "脐部", "触感")
    ),
    *(
        ("split information", f"{name} {feature}", ("watermelon_2_0", key, feature))
        for name, key in (("split information", "split_info"), ("gain ratio", "gain_ratio"))
        for feature in _MELONS
    ),
    *(
        ("split information", f"{name} 编号", ("watermelon_2_0", "编号 as a feature", key))
        for name, key in (("gain", "gain"), ("split information", "split_info"), ("gain ratio", "gain_ratio"))
    ),
    *(
        ("numbers", f"{name} {word}", ("watermelon_3_0", "numeric", feature, *key))
        for feature, word in (("密度", "density"), ("含糖率", "sugar"))
        for name, key in (("gain", ("best_gain",)), ("threshold", ("best_threshold", 0)))
    ),
    *(
        ("missing values", f"gain {feature}", (_UNKNOWN, "root", feature, "gain = known_fraction * gain(known)"))
        for feature in _MELONS
    ),
    ("missing values", "known colour", (_UNKNOWN, "root", "色泽", "known_fraction")),
    ("missing values", "entropy of known colour", (_UNKNOWN, "root", "色泽", "entropy_known")),
    *(("missing values", f"part {branch + 1}", (*_WEIGHTS, branch)) for branch in range(3)),
)

NUMBERS = tuple(
    (source, path, scene, step, number)
    for source, scene, rows in ((_LIHANG, "loans", _LOAN_ROWS), (_ZHOU, "melons", _MELON_ROWS))
    for step, number, path in rows
)
