"""The features and values of the loans, with their meaning in the reader's language."""

from __future__ import annotations

from explorer.messages import WordedTable, message

JOB = "有工作"
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
        "是": lambda: message("{name} (yes)", name="是"),
        "否": lambda: message("{name} (no)", name="否"),
    }
)
"""The words of the table with their English meaning in brackets; in Chinese they stand alone."""


def with_meaning(name: str) -> str:
    """A Chinese name with its meaning in brackets, or alone where the reader's language is Chinese."""
    return _MEANINGS.get(name, name)
