"""Words of ordered levels, lowest first, in the languages that tables come in; folded as `folded` does."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.data.suggestions.cells import folded

_SCALES = (
    "very low/verylow/vlow/v.low, low/lo, lower medium, "
    "medium/med/mid/middle/moderate/average/normal, upper medium, "
    "high/hi, very high/vhigh/v.high, extremely high",
    "xxs, xs/x-small, s, m, l, xl/x-large, xxl, xxxl",
    "tiny, very small, small/sm, medium/med/mid, big/large/lg, very large/x-large, huge",
    "short, medium/average, tall",
    "young, middle-aged/middle aged/adult, old/elderly/senior",
    "strongly disagree/totally disagree/completely disagree, disagree, somewhat disagree/slightly disagree, "
    "neutral/neither agree nor disagree/undecided/neither/not sure, somewhat agree/slightly agree, agree, "
    "strongly agree/totally agree/completely agree",
    "very dissatisfied/very unsatisfied, dissatisfied/unsatisfied, somewhat dissatisfied, "
    "neutral/neither/neither satisfied nor dissatisfied, somewhat satisfied, satisfied, very satisfied",
    "never, almost never/hardly ever, rarely/seldom, sometimes/occasionally, often/frequently, "
    "usually/very often, always",
    "very poor/very bad/terrible, poor/bad, fair/ok/acceptable, average/satisfactory, good, very "
    "good, excellent/outstanding",
    "none, very mild, mild, moderate, severe, very severe, critical",
    "not at all, slightly/a little, somewhat/moderately, very/very much, extremely",
    "very unlikely, unlikely, neutral/neither, likely, very likely",
    "no schooling/no education, preschool, primary/primary school/elementary/elementary school, "
    "middle school/lower secondary, "
    "secondary/secondary school/high school/highschool/hs/hs-grad/upper secondary, "
    "some college/some-college/vocational/diploma, associate/associate's/associate degree/assoc, "
    "bachelor/bachelor's/bachelors/undergraduate/bachelor degree/bachelor's degree/bsc/ba/college/university, "
    "master/master's/masters/graduate/master degree/master's degree/msc/ma, doctorate/phd/ph.d./doctoral/doctor",
    "beginner/novice, intermediate, advanced, expert",
    "junior, mid/mid-level/middle, senior, lead/principal",
    "bronze, silver, gold, platinum, diamond",
    "minor, major, critical, blocker",
    "sehr niedrig/sehr gering, niedrig/gering/tief, mittel, hoch, sehr hoch",
    "klein, mittel/mittelgroß, groß/gross, sehr groß",
    "nie/niemals, selten, manchmal/gelegentlich, oft/häufig, meistens, immer",
    "trifft nicht zu, trifft eher nicht zu, teils teils/teils/teils, trifft eher zu, trifft zu",
    "stimme gar nicht zu/stimme überhaupt nicht zu, stimme nicht zu, stimme eher nicht zu, "
    "neutral/teils teils/weder noch, "
    "stimme eher zu, stimme zu, stimme voll zu/stimme völlig zu",
    "ungenügend, mangelhaft, ausreichend, befriedigend, gut, sehr gut",
    "très faible, faible/bas, moyen/moyenne, élevé/élevée/haut/fort, très élevé/très élevée",
    "petit/petite, moyen/moyenne, grand/grande, très grand/très grande",
    "jamais, rarement, parfois/quelquefois, souvent, toujours",
    "pas du tout d'accord, pas d'accord/plutôt pas d'accord, neutre/ni d'accord ni pas d'accord, "
    "d'accord/plutôt d'accord, "
    "tout à fait d'accord",
    "muy bajo/muy baja, bajo/baja, medio/media, alto/alta, muy alto/muy alta",
    "pequeño/pequeña, mediano/mediana, grande",
    "nunca, raramente/rara vez, a veces, a menudo/frecuentemente, siempre",
    "很低/非常低/极低, 低/较低, 中/中等, 高/较高, 很高/非常高/极高",
    "很小, 小, 中/中等, 大, 很大/特大",
    "非常不同意/强烈反对, 不同意/反对, 一般/中立/不确定, 同意/赞成, 非常同意/强烈同意",
    "非常不满意/很不满意, 不满意, 一般/中立, 满意/比较满意, 非常满意/很满意",
    "从不/从来不, 很少, 有时/偶尔, 经常/常常, 总是/一直",
    "小学, 初中, 高中/中专, 大专/专科, 本科/大学, 硕士/研究生, 博士",
)


def _levels(scale: str) -> Mapping[str, int]:
    """The level of each word of a scale."""
    return {folded(word): level for level, words in enumerate(scale.split(", ")) for word in words.split("/")}


SCALES: tuple[Mapping[str, int], ...] = tuple(map(_levels, _SCALES))
"""Scales: the level of each folded word, ascending."""
