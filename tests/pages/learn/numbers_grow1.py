"""Numbers of textbooks in the scenes on attributes, thresholds, gain ratio and missing values.

Each row has the source, the path in the golden files (a fraction there is text), the scene, the step and its number.
"""

_MITCHELL = "Mitchell, Machine Learning (1997), chapter 3"
_QUINLAN = "Quinlan, C4.5: Programs for Machine Learning (1993)"
_ANIMALS = "The table of 14 animals"
_WEATHER = ("Outlook", "Temperature", "Humidity", "Wind")
_TRAITS = ("饮食习性", "胎生动物", "水生动物", "会飞")
_TENNIS_TREE = ("play_tennis", "id3_tree", "children")
_ANIMAL_NODE = ("mammals", "c45_tree_gain_ge_average", "children", "否")
_MISSING = ("golf_missing", "outlook")
_LEAVES = (
    "sunny,humidity<=75",
    "sunny,humidity>75",
    "overcast",
    "rain,windy=true",
    "rain,windy=false",
)

_TENNIS = (
    ("days", "entropy", ("play_tennis", "entropy")),
    ("first question", "gain", ("play_tennis", "gain", "Outlook")),
    *(
        ("first question", f"entropy {value}", (*_TENNIS_TREE, value, "entropy"))
        for value in ("Sunny", "Overcast", "Rain")
    ),
    *(("gains", f"gain {feature}", ("play_tennis", "gain", feature)) for feature in _WEATHER),
    *(
        (value.lower(), f"gain {feature}", ("play_tennis", f"node Outlook={value}", "gain", feature))
        for value in ("Sunny", "Rain")
        for feature in _WEATHER[1:]
    ),
    ("sunny", "entropy", (*_TENNIS_TREE, "Sunny", "entropy")),
    ("rain", "entropy", (*_TENNIS_TREE, "Rain", "entropy")),
)
_DAY = (
    ("gain", "gain Day", ("play_tennis", "with Day as a feature", "gain_Day")),
    ("gain", "entropy", ("play_tennis", "entropy")),
    ("split information", "split information Day", ("play_tennis", "with Day as a feature", "split_info_Day")),
    ("ratio", "gain ratio Day", ("play_tennis", "with Day as a feature", "gain_ratio_Day")),
    *(
        ("split information", f"split information {feature}", ("play_tennis", "split_info", feature))
        for feature in _WEATHER
    ),
    *(("ratio", f"gain ratio {feature}", ("play_tennis", "gain_ratio", feature)) for feature in _WEATHER),
    *(
        ("by chance", f"p {feature}", ("adjusted_p", "play_tennis_root", feature, "p"))
        for feature in ("Day", *_WEATHER)
    ),
    ("by chance", "chi2 Day", ("adjusted_p", "play_tennis_root", "Day", "chi2")),
    ("by chance", "df Day", ("adjusted_p", "play_tennis_root", "Day", "df")),
    *(("mean gain", f"gain {feature}", ("play_tennis", "gain", feature)) for feature in _WEATHER),
)
_SIX = (
    ("best threshold", "entropy", ("temperature6", "entropy")),
    ("best threshold", "best", ("temperature6", "best")),
    *(
        ("midpoints", f"threshold {threshold}", ("temperature6", "thresholds", at, "t"))
        for at, threshold in enumerate((44, 54, 66, 76, 85))
    ),
    *(
        ("best threshold", f"gain {threshold}", ("temperature6", "thresholds", at, "gain"))
        for at, threshold in enumerate((44, 54, 66, 76, 85))
    ),
    ("class changes", "second change", ("temperature6", "thresholds", 4, "t")),
    ("class changes", "gain of the second change", ("temperature6", "thresholds", 4, "gain")),
)
_HUMIDITY = (
    ("fourteen days", "entropy", ("golf", "entropy")),
    ("fourteen days", "gain outlook", ("golf", "outlook", "gain")),
    *(
        ("fourteen days", f"gain {threshold}", ("golf", "humidity", "thresholds", at, "gain"))
        for at, threshold in enumerate(("67.5", "72.5", "76.5", "79", "82.5", "87.5", "92.5", "95.5"))
    ),
    ("placement", "gain", ("golf", "id3_gain_tree", "children", "sunny", "gains", "humidity <= 77.5")),
)
_RATIO = (
    ("diet", "entropy", ("mammals", "entropy")),
    ("diet", "gain", ("mammals", "gain", "饮食习性")),
    *(
        ("diet", f"entropy {value}", ("mammals", "published", "branch entropies 饮食习性", value))
        for value in ("肉食动物", "草食动物", "杂食动物")
    ),
    *(("gains", f"gain {trait}", ("mammals", "gain", trait)) for trait in _TRAITS),
    ("split information", "split information diet", ("mammals", "split_info", "饮食习性")),
    ("split information", "gain ratio diet", ("mammals", "gain_ratio", "饮食习性")),
    ("ratios", "mean gain", ("mammals", "average_gain")),
    *(("ratios", f"gain ratio {trait}", ("mammals", "gain_ratio", trait)) for trait in _TRAITS),
    *(("ratios", f"split information {trait}", ("mammals", "split_info", trait)) for trait in _TRAITS),
    ("below the root", "entropy", (*_ANIMAL_NODE, "entropy")),
    ("below the root", "mean gain", (*_ANIMAL_NODE, "avg_gain")),
    *(
        ("below the root", f"{name} {trait}", (*_ANIMAL_NODE, key, trait))
        for name, key in (("gain", "gains"), ("gain ratio", "ratios"))
        for trait in ("饮食习性", "水生动物", "会飞")
    ),
)
_FILTER = (
    ("lone row", "threshold", ("golf", "temperature", "thresholds", 10, "t")),
    ("lone row", "gain temperature", ("golf", "temperature", "thresholds", 10, "gain")),
    ("lone row", "ratio outlook", ("golf", "outlook", "gain_ratio")),
    *(
        ("filter", f"{name} {feature}", ("golf", feature, key))
        for feature in ("outlook", "windy")
        for name, key in (("gain", "gain"), ("split information", "split_info"), ("ratio", "gain_ratio"))
    ),
)
_CELLS = (
    *(("parts", f"part {at + 1}", ("seed_004_fractional_weights", "weights", at)) for at in range(3)),
    ("gain", "entropy of known rows", (*_MISSING, "entropy_known")),
    ("gain", "entropy after the split", (*_MISSING, "info_after_split_known")),
    ("gain", "gain", (*_MISSING, "gain = known_fraction * gain(known)")),
    ("gain", "gain without missing values", ("golf", "outlook", "gain")),
    (
        "split information",
        "split information",
        (*_MISSING, "split_info_with_unknown_as_extra_group (Quinlan)"),
    ),
    ("split information", "gain ratio", (*_MISSING, "gain_ratio (Quinlan)")),
    ("split information", "split information of known rows", (*_MISSING, "split_info_known_only")),
    (
        "split information",
        "gain ratio of known rows",
        (*_MISSING, "known_fraction * ratio(known) (seed 004 reading)"),
    ),
    *(("row 6", value, ("golf_missing", "branch_weights_of_row_6", value)) for value in ("sunny", "overcast", "rain")),
    *(
        ("leaves", f"leaf {number}, {name}", ("golf_missing", "exact_leaf_weights", leaf, name))
        for number, leaf in enumerate(_LEAVES, 1)
        for name in ("Play", "Don't Play")
    ),
    ("prediction", "P(Play)", ("golf_missing", "prediction", "P(Play)_exact")),
)

NUMBERS = tuple(
    (source, path, scene, step, number)
    for source, scene, rows in (
        (_MITCHELL, "which_attribute", _TENNIS),
        (_MITCHELL, "day_column", _DAY),
        (_MITCHELL, "thresholds", _SIX),
        (_QUINLAN, "thresholds", _HUMIDITY),
        (_ANIMALS, "gain_ratio", _RATIO),
        (_QUINLAN, "gain_ratio", _FILTER),
        (_QUINLAN, "missing_cells", _CELLS),
    )
    for step, number, path in rows
)
