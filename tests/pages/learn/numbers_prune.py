"""The numbers that textbooks print on pruning: the source, where golden.json has it, the scene, the step, the name."""

from __future__ import annotations

_LOANS = "15 loans rebuilt from printed counts: cost-complexity pruning by Gini"
_TENNIS = "PlayTennis: cost-complexity pruning by Gini"
_ZHOU = "Zhou, Machine Learning, section 4.3"
_QUINLAN = "Quinlan, C4.5 (1993), section 4.2"


def _sequence(table: str, position: int, field: str) -> tuple[object, ...]:
    return table, "cart_eq", "cost_complexity", "gini", "sequence", position, field


def _link(table: str, node: str) -> tuple[object, ...]:
    return table, "cart_eq", "cost_complexity", "gini", "g_of_full_tree", node


_STRICT = "bottom-up, prune only if validation accuracy strictly improves (seed 004, Zhou)"
_QUINLANS = "bottom-up, prune if not worse (Quinlan REP)"


def _melons(*path: object) -> tuple[object, ...]:
    return "watermelon_pruning", *path


NUMBERS = (
    *(
        (_LOANS, _sequence("loan_a1a2a3", k, golden), "cost_complexity", "sequence", f"{own} {k}")
        for k in range(4)
        for golden, own in (("alpha", "alpha"), ("leaves", "leaves"), ("total_risk", "risk"))
    ),
    *(
        (_LOANS, _sequence("loan_a1a2a3", k, "alpha"), scene, step, f"alpha {k}")
        for k in range(1, 4)
        for scene, step in (("cost_complexity", "envelope"), ("weakest_link", "to the root"))
    ),
    *(
        (_LOANS, _link("loan_a1a2a3", golden), "weakest_link", "first link", f"g(t{node})")
        for golden, node in (("root", 0), ("rootL", 1), ("rootR", 2), ("rootLL", 4), ("rootRL", 6))
    ),
    (_LOANS, ("loan_a1a2a3", "gini", "exact"), "cost_complexity", "two trees", "R(root)"),
    (_LOANS, _link("loan_a1a2a3", "root"), "cost_complexity", "two trees", "g(root)"),
    (
        "Losses divided by the node's rows",
        ("loan_a1a2a3", "cart_eq", "cost_complexity", "gini_local", "sequence", 1, "alpha"),
        "not_nested",
        "skipped",
        "alpha",
    ),
    *(
        (_TENNIS, _link("play_tennis", golden), "weakest_link", "ties", f"g(t{node})")
        for golden, node in (("root", 0), ("rootR", 1), ("rootRL", 3), ("rootRR", 4), ("rootRLR", 6), ("rootRRR", 8))
    ),
    (_TENNIS, _sequence("play_tennis", 2, "alpha"), "weakest_link", "ties", "last alpha"),
    (_ZHOU, _melons("train_gain_root", "脐部"), "reduced_error", "pre-pruning", "root gain"),
    (_ZHOU, _melons("unpruned", "valid_acc"), "reduced_error", "full tree", "validation"),
    (_ZHOU, _melons("unpruned", "train_acc"), "reduced_error", "full tree", "training"),
    (_ZHOU, _melons("unpruned", "leaves"), "reduced_error", "full tree", "leaves"),
    *(
        (_ZHOU, _melons(_STRICT, "log", index, field), "reduced_error", step, field)
        for index, step in enumerate(("first branch", "second branch"))
        for field in ("before", "after")
    ),
    (_ZHOU, _melons(_STRICT, "log", 4, "after"), "reduced_error", "ties", "root as a leaf"),
    (_ZHOU, _melons(_STRICT, "valid_acc"), "reduced_error", "ties", "validation"),
    (_ZHOU, _melons(_STRICT, "leaves"), "reduced_error", "ties", "leaves"),
    *(
        (_ZHOU, _melons("pre_pruning", "log", index, field), "reduced_error", "pre-pruning", f"{field} {index}")
        for index in range(3)
        for field in ("before", "after")
    ),
    (_ZHOU, _melons("unpruned", "valid_acc"), "reduced_error", "compared", "validation full"),
    (_ZHOU, _melons("pre_pruning", "valid_acc"), "reduced_error", "compared", "validation pre"),
    (_ZHOU, _melons(_STRICT, "valid_acc"), "reduced_error", "compared", "validation zhou"),
    (_ZHOU, _melons(_STRICT, "leaves"), "reduced_error", "compared", "leaves zhou"),
    (_ZHOU, _melons(_QUINLANS, "valid_acc"), "reduced_error", "compared", "validation quinlan"),
    (_ZHOU, _melons(_QUINLANS, "leaves"), "reduced_error", "compared", "leaves quinlan"),
    *(
        (_QUINLAN, ("pessimistic_error", "published", f"U({e},{n})"), "pessimistic", step, f"U({e}, {n})")
        for e, n, step in (
            (0, 6, "upper limit"),
            (0, 9, "upper limit"),
            (0, 1, "upper limit"),
            (1, 16, "decision"),
        )
    ),
    (
        _QUINLAN,
        ("pessimistic_error", "published", "6*U(0,6)+9*U(0,9)+1*U(0,1)"),
        "pessimistic",
        "subtree",
        "expected errors",
    ),
    (_QUINLAN, ("pessimistic_error", "published", "16*U(1,16)"), "pessimistic", "decision", "as a leaf, rounded"),
    *(
        (_QUINLAN, ("pessimistic_error", "values", 3, golden), "pessimistic", "variants", f"U(1, 16) {own}")
        for golden, own in (("U_c45_release8", "release8"), ("U_exact_binomial", "binomial"), ("U_weka", "normal"))
    ),
)
