"""Numbers of textbooks in the scenes on impurity: source, path in golden.json, scene, step, and the step's number."""

_MITCHELL = "Mitchell, Machine Learning (1997), chapter 3"
_LECTURE = "A bag of 6 and 4, as lectures work it out"

NUMBERS = (
    (_MITCHELL, ("play_tennis", "entropy"), "mixed", "bags", "entropy all"),
    (_MITCHELL, ("play_tennis", "id3_tree", "children", "Sunny", "entropy"), "mixed", "bags", "entropy Sunny"),
    (_MITCHELL, ("play_tennis", "entropy"), "mixed", "play", "entropy"),
    ("Breiman et al. (1984), section 4.3", ("play_tennis", "gini", "value"), "mixed", "play", "gini"),
    ("Fisher's irises", ("larger_samples", "iris", "entropy"), "mixed", "triangle", "largest entropy"),
    (_MITCHELL, ("play_tennis", "entropy"), "mixed", "units", "14 days in bits"),
    (_LECTURE, ("seed_004_entropy_6_4", "entropy(6,4)"), "mixed", "units", "6 of 10 in bits"),
    (
        _MITCHELL,
        ("play_tennis", "id3_tree", "children", "Sunny", "entropy"),
        "information",
        "branches",
        "entropy Sunny",
    ),
    (_MITCHELL, ("play_tennis", "entropy"), "information", "gain", "entropy"),
    (_MITCHELL, ("play_tennis", "gain", "Outlook"), "information", "gain", "gain Outlook"),
    (_MITCHELL, ("play_tennis", "entropy"), "information", "coin", "entropy"),
    (_MITCHELL, ("play_tennis", "gain", "Outlook"), "information", "mutual", "mutual information Outlook"),
    ("Quinlan (1986)", ("play_tennis", "split_info", "Outlook"), "information", "mutual", "entropy of Outlook"),
    (_MITCHELL, ("play_tennis", "gain", "Wind"), "information", "chords", "gain Wind"),
)
