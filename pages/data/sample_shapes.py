"""The shape of the first tree of every sample, for its icon (see `explorer.drawing.tree_icon`).

They are written down so that the page opens without growing a tree for each; a test compares them with the grown ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "play_tennis": "((01)1(10))",
        "play_tennis_noise15": "((0(01)1)1(10))",
        "golf": "((0101)0(10))",
        "golf_missing": "((0(01)01)0(10))",
        "loan_lihang": "((01)1)",
        "loan_a1a2a3": "((0(10)0)(0(101)))",
        "mammals": "(0(11))",
        "watermelon_2_0": "((0(0(01)0)1)(10)1)",
        "watermelon_3_0": "((0(0001)1)(10)1)",
        "temperature6": "(0110)",
        "lihang_8_1": "(0100)",
        "lihang_8_2_regression": "((((00)1)(2(34)))((98)(99)))",
        "iris": "(0(1110)(11(21(2111)1)2)2)",
        "penguins": "((0011)(0011)(2001)2)",
        "titanic": "((((11)(00))((00)(10)))(((11)(11))((10)(00))))",
        "vote": "(((0(00))((01)1))(((11)(11))1))",
        "car": "(0(0(((00)(11))((11)(12)))))",
        "mushroom": "(0(((1(11))(10))0))",
        "credit_g": "((((00)(11))((01)1))(((00)(01))((00)(10))))",
        "auto_mpg": "((((55)(68))((43)(64)))(((22)(53))((12)(01))))",
        "outlier8": "(((0((00)0))(12))(91))",
        "seed004_random": "((0100)(1110)(1101)(0100))",
        "xor_six_rows": "((0(10))(10))",
        "depth_against_size": "(0(1((10)(01))))",
        "fixed_alpha": "((01)1)",
    }
)
