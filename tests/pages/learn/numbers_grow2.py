"""Numbers of textbooks in the scenes on CART and overfitting: source, path in golden.json, scene, step, number."""

_CART = "15 loans rebuilt from printed counts, by the rule of Li Hang (2012), section 5.5"
_TABLE_8_2 = "Li Hang (2012), example 8.2"
_MITCHELL = "Mitchell (1997), section 3.7.1"
_BREIMAN = "Breiman et al. (1984), section 2.4, on PlayTennis"

_LOANS = ("loan_a1a2a3",)
_NUMBERS = ("lihang_8_2_regression",)
_STOPPED = (*_NUMBERS, "cart_delta_0.2 (seed 000: stop when SSE < delta)")
_SUBSETS = {
    "Outlook in {Sunny}": "Outlook: Overcast,Rain | Sunny",
    "Outlook in {Overcast,Sunny}": "Outlook: Overcast,Sunny | Rain",
    "Outlook in {Rain,Sunny}": "Outlook: Overcast | Rain,Sunny",
    "Temperature in {Hot}": "Temperature: Cool,Mild | Hot",
    "Temperature in {Hot,Mild}": "Temperature: Cool | Hot,Mild",
    "Temperature in {Cool,Hot}": "Temperature: Cool,Hot | Mild",
    "Humidity in {High}": "Humidity: High | Normal",
    "Wind in {Weak}": "Wind: Strong | Weak",
}

NUMBERS = (
    (_CART, (*_LOANS, "gini", "value"), "cart", "gini", "gini"),
    *(
        (_CART, (*_LOANS, "cart_candidates_eq", f"{feature} == {value}", "value"), "cart", "candidates", name)
        for feature, value, name in (
            ("A1", "1", "A1 = 1"),
            ("A2", "1", "A2 = 1"),
            ("A3", "D", "A3 = D"),
            ("A3", "S", "A3 = S"),
            ("A3", "T", "A3 = T"),
        )
    ),
    (_CART, (*_LOANS, "cart_eq", "tree", "yes", "gini"), "cart", "first split", "left gini"),
    (_CART, (*_LOANS, "cart_eq", "tree", "no", "gini"), "cart", "first split", "right gini"),
    (_CART, (*_LOANS, "cart_eq", "tree", "yes", "gini"), "cart", "node 1", "gini"),
    (_CART, (*_LOANS, "cart_eq", "tree", "yes", "yes", "gini"), "cart", "node 1", "A3 = S bag"),
    (_CART, (*_LOANS, "cart_eq", "tree", "no", "gini"), "cart", "node 2", "gini"),
    (_CART, (*_LOANS, "cart_eq", "tree", "no", "yes", "gini"), "cart", "node 2", "A2 = 0 bag"),
    (_CART, (*_LOANS, "cart_eq", "leaves"), "cart", "whole tree", "leaves"),
    *(
        (_BREIMAN, ("play_tennis", "cart_candidates_subset", golden, "value"), "subsets", "three values", name)
        for golden, name in _SUBSETS.items()
    ),
    (_TABLE_8_2, (*_NUMBERS, "cart", "tree", "mean"), "regression", "mean", "mean"),
    (_TABLE_8_2, (*_NUMBERS, "cart", "tree", "sse"), "regression", "mean", "squared error"),
    *(
        (_TABLE_8_2, (*_NUMBERS, "split_sse", f"x <= {s}", "sse_left+sse_right"), "regression", "cut", f"m({s})")
        for s in (1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5)
    ),
    (_TABLE_8_2, (*_NUMBERS, "best", "threshold"), "regression", "cut", "best cut"),
    (_TABLE_8_2, (*_NUMBERS, "cart", "tree", "yes", "mean"), "regression", "cut", "left mean"),
    (_TABLE_8_2, (*_NUMBERS, "cart", "tree", "no", "mean"), "regression", "cut", "right mean"),
    (_TABLE_8_2, (*_NUMBERS, "cart", "tree", "yes", "sse"), "regression", "next cut", "left squared error"),
    (_TABLE_8_2, (*_NUMBERS, "cart", "leaves"), "regression", "full tree", "leaves"),
    (_TABLE_8_2, (*_STOPPED, "yes", "yes", "mean"), "regression", "stop", "mean of leaf 1"),
    (_TABLE_8_2, (*_STOPPED, "yes", "no", "yes", "mean"), "regression", "stop", "mean of leaf 2"),
    (_TABLE_8_2, (*_STOPPED, "yes", "no", "no", "mean"), "regression", "stop", "mean of leaf 3"),
    (_TABLE_8_2, (*_STOPPED, "no", "mean"), "regression", "stop", "mean of leaf 4"),
    *(
        (
            _MITCHELL,
            ("play_tennis_noise15", "id3_tree", "children", "Sunny", "gains", feature),
            "overfitting",
            "noisy tree",
            f"gain {feature} below Sunny",
        )
        for feature in ("Temperature", "Humidity", "Wind")
    ),
)
