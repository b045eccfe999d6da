"""The features and values of the watermelons in the reader's language."""

from __future__ import annotations

from explorer.messages import message


def words() -> dict[str, str]:
    """Every Chinese name of the table, and what is shown for it."""
    return {
        "脐部": message("navel"),
        "凹陷": message("sunken"),
        "稍凹": message("slightly sunken"),
        "平坦": message("flat"),
        "色泽": message("colour"),
        "青绿": message("green"),
        "乌黑": message("black"),
        "浅白": message("pale"),
        "根蒂": message("stalk"),
        "蜷缩": message("curled"),
        "稍蜷": message("slightly curled"),
        "硬挺": message("stiff"),
        "纹理": message("stripes"),
        "清晰": message("clear"),
        "稍糊": message("slightly blurred"),
        "模糊": message("blurred"),
        "敲声": message("sound"),
        "触感": message("touch"),
        "密度": message("density"),
        "含糖率": message("sugar"),
        "编号": message("melon number"),
        "是": message("ripe"),
        "否": message("unripe"),
    }


def with_meaning(name: str) -> str:
    """A Chinese name with its meaning in brackets, or alone where the reader's language is Chinese."""
    word = words().get(name, name)
    return name if word == name else f"{name} ({word})"
