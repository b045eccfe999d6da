"""Numbers of textbooks in the scene on the rules of pruning: source, path in golden.json, scene, step, number."""

_BOOK = "Breiman et al. (1984), chapter 3, on 15 loans rebuilt from printed counts"
_SEQUENCE = ("loan_a1a2a3", "cart_subset", "cost_complexity")
_ANIMALS = ("mammals", "cart_subset", "cost_complexity", "misclass", "sequence")

NUMBERS = (
    (_BOOK, (*_SEQUENCE, "gini", "sequence", 1, "alpha"), "pruning_rules", "inequality", "g"),
    (_BOOK, (*_SEQUENCE, "gini", "sequence", 1, "alpha"), "pruning_rules", "which risk", "gini 1"),
    (_BOOK, (*_SEQUENCE, "gini", "sequence", 2, "alpha"), "pruning_rules", "which risk", "gini 2"),
    (_BOOK, (*_SEQUENCE, "gini", "sequence", 3, "alpha"), "pruning_rules", "which risk", "gini 3"),
    (_BOOK, (*_SEQUENCE, "misclass", "sequence", 1, "alpha"), "pruning_rules", "which risk", "error 1"),
    (_BOOK, (*_SEQUENCE, "misclass", "sequence", 2, "alpha"), "pruning_rules", "which risk", "error 2"),
    (_BOOK, (*_SEQUENCE, "misclass", "sequence", 3, "alpha"), "pruning_rules", "which risk", "error 3"),
    (
        "Random digits of a lecture",
        ("seed004_random", "tree", "gini"),
        "pruning_rules",
        "to the root",
        "Gini index of the root",
    ),
    (_BOOK, (*_ANIMALS, 0, "total_risk"), "pruning_rules", "no cost", "risk of the full tree"),
    (_BOOK, (*_ANIMALS, 1, "total_risk"), "pruning_rules", "no cost", "risk of T1"),
)
