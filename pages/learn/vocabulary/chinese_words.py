"""The features and values of the loans and the mammals, with their meaning in the reader's language."""

from __future__ import annotations

from dataclasses import replace

import explorer as ex
from explorer.messages import WordedTable, message
from explorer.values import Value

JOB, DIET, BIRTH, WATER = "有工作", "饮食习性", "胎生动物", "水生动物"
_MEANINGS = WordedTable(
    {
        "年龄": lambda: message("{name} (age)", name="年龄"),
        JOB: lambda: message("{name} (has a job)", name=JOB),
        "有自己的房子": lambda: message("{name} (owns a house)", name="有自己的房子"),
        "信贷情况": lambda: message("{name} (credit)", name="信贷情况"),
        "青年": lambda: message("{name} (young)", name="青年"),
        "中年": lambda: message("{name} (middle)", name="中年"),
        "老年": lambda: message("{name} (old)", name="老年"),
        "一般": lambda: message("{name} (fair)", name="一般"),
        "好": lambda: message("{name} (good)", name="好"),
        "非常好": lambda: message("{name} (excellent)", name="非常好"),
        DIET: lambda: message("{name} (diet)", name=DIET),
        BIRTH: lambda: message("{name} (live birth)", name=BIRTH),
        WATER: lambda: message("{name} (in water)", name=WATER),
        "会飞": lambda: message("{name} (flies)", name="会飞"),
        "哺乳动物": lambda: message("{name} (mammal)", name="哺乳动物"),
        "肉食动物": lambda: message("{name} (meat)", name="肉食动物"),
        "草食动物": lambda: message("{name} (plants)", name="草食动物"),
        "杂食动物": lambda: message("{name} (both)", name="杂食动物"),
        "是": lambda: message("{name} (yes)", name="是"),
        "否": lambda: message("{name} (no)", name="否"),
    }
)
"""The words of both tables with their English meaning in brackets; in Chinese they stand alone."""


def with_meaning(name: str) -> str:
    """A Chinese name with its meaning in brackets, or alone where the reader's language is Chinese."""
    return _MEANINGS.get(name, name)


def in_words(tree: ex.Tree) -> ex.Tree:
    """The same tree for a picture: its features, values and classes with their meanings."""
    features = tuple(
        replace(feature, name=with_meaning(feature.name), labels=tuple(map(_with_meaning, feature.labels)))
        for feature in tree.features
    )
    return replace(
        tree,
        features=features,
        target=with_meaning(tree.target),
        classes=tuple(with_meaning(str(name)) for name in tree.classes),
    )


def _with_meaning(label: Value | None) -> Value | None:
    return with_meaning(label) if isinstance(label, str) else label
