"""Ordered levels (low < medium < high, ★ … ★★★★★, age bands) as a column with an order, each level in one spelling."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pandas as pd

from explorer.data.codes.scale import order_of
from explorer.data.suggestions.cells import LONGEST_WORD, Cells, cell_text, folded, is_text, plain_signs, without_blanks
from explorer.data.suggestions.kind import (
    Column,
    ColumnKind,
    Converted,
    Finding,
    Options,
    is_text_option,
    texts,
    tuple_of,
    with_misfits,
)
from explorer.data.suggestions.named_codes import is_named_code
from explorer.messages import message, plural, worded

_SCALES = (
    "very low/verylow/vlow/v.low, low/lo, fairly low/rather low, lower medium, "
    "medium/med/mid/middle/moderate/average/normal, upper medium, fairly high/rather high, "
    "high/hi, very high/vhigh/v.high, extremely high",
    "xxs, xs/x-small, s, m, l, xl/x-large, xxl, xxxl",
    "tiny, very small, small/sm, medium/med/mid, big/large/lg, very large/x-large, huge",
    "short, medium/average, tall",
    "young, middle-aged/middle aged/adult, old/elderly/senior",
    "strongly disagree/disagree strongly/totally disagree/completely disagree, disagree, "
    "somewhat disagree/slightly disagree, neutral/neither agree nor disagree/undecided/neither/not sure/uncertain, "
    "somewhat agree/slightly agree, agree, strongly agree/agree strongly/totally agree/completely agree",
    "very dissatisfied/very unsatisfied, dissatisfied/unsatisfied, somewhat dissatisfied, "
    "neutral/neither/neither satisfied nor dissatisfied, somewhat satisfied, satisfied, very satisfied",
    "never, almost never/hardly ever, rarely/seldom, sometimes/occasionally, often/frequently, "
    "usually/very often/mostly/most of the time/most of time, always/all of the time",
    "very poor/very bad/terrible, poor/bad, fair/ok/acceptable, average/satisfactory/medium/indifferent/neutral, "
    "good, very good, excellent/outstanding",
    "much worse, worse, somewhat worse/slightly worse/a little worse, "
    "same/the same/about the same/unchanged/no change/no different/average/neutral, "
    "somewhat better/slightly better/a little better, better, much better",
    "much less, less, somewhat less/slightly less, same/the same/about the same/unchanged/no change, "
    "somewhat more/slightly more, more, much more",
    "not at all important/not important/unimportant, not very important/slightly important, "
    "somewhat important/moderately important, important, very important, extremely important",
    "very unhappy, unhappy/not too happy/not happy, neutral/neither, happy/pretty happy/fairly happy, very happy",
    "never, less than monthly/less than once a month, yearly/annually/once a year, monthly/once a month, "
    "weekly/once a week, daily/every day",
    "underweight, normal/normal weight/healthy weight, overweight, obese/obesity, extremely obese/severely obese",
    "fair, good, very good, premium, ideal",
    "i3, i2, i1, si2, si1, vs2, vs1, vvs2, vvs1, if, fl",
    "asstprof/assistant professor/assistant prof, assocprof/associate professor/associate prof, "
    "prof/professor/full professor",
    "little, moderate, quite rich, rich",
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
    "monday/mon, tuesday/tue/tues, wednesday/wed, thursday/thu/thur/thurs, friday/fri, saturday/sat, sunday/sun",
    "montag/mo, dienstag/di, mittwoch/mi, donnerstag/do, freitag/fr, samstag/sa/sonnabend, sonntag/so",
    "lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    "星期一/周一, 星期二/周二, 星期三/周三, 星期四/周四, 星期五/周五, 星期六/周六, 星期日/星期天/周日",
    "january/jan, february/feb, march/mar, april/apr, may, june/jun, july/jul, august/aug, september/sep/sept, "
    "october/oct, november/nov, december/dec",
    "januar/jan, februar/feb, märz/mär, april/apr, mai, juni/jun, juli/jul, august/aug, september/sep, oktober/okt, "
    "november/nov, dezember/dez",
    "janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre",
    "一月/1月, 二月/2月, 三月/3月, 四月/4月, 五月/5月, 六月/6月, 七月/7月, 八月/8月, 九月/9月, 十月/10月, "
    "十一月/11月, 十二月/12月",
    "小学, 初中, 高中/中专, 大专/专科, 本科/大学, 硕士/研究生, 博士",
)
"""Words of ordered levels, the lowest first, in the languages that tables come in."""

_ASKED_SCALES = (
    "l, m, h",
    "none, some/slight, marked/freq/frequent/many/a lot",
    "never, occas/occasional/occasionally, regul/regular/regularly, heavy/heavily",
    "light, medium, strong",
)
"""The same of words that may be no levels: their order is only a question."""


def _levels(scale: str) -> Mapping[str, int]:
    """The level of each word of a scale."""
    return {folded(word): level for level, words in enumerate(scale.split(", ")) for word in words.split("/")}


_BY_WORD: tuple[Mapping[str, int], ...] = tuple(map(_levels, _SCALES))
"""The level of each folded word of each scale, ascending."""
_BY_ASKED_WORD: tuple[Mapping[str, int], ...] = tuple(map(_levels, _ASKED_SCALES))

_FEWEST, _MOST, _MOST_NUMBERS = 3, 40, 12
_NAMED = re.compile(
    r"(?:.*[\W_])?(?:educ(?:ation)?|edu|schooling|degree|stage|grade|level|severity|rating|income|satisf(?:action)?"
    r"|agegrp|agegroup|frequency|stufe|bildung|学历|等级|级别|程度)\d*",
    re.IGNORECASE,
)
"""Names of columns of levels."""
_NUMBER_IN, _WORD_IN = re.compile(r"\d+(?:[.,]\d+)*"), re.compile(r"[^\W_]+")
_NUMBERED = re.compile(
    r"(?:(?P<signs>[★⭐]{1,5})[☆✩]{0,5}"
    r"|(?:level|stage|grade|tier|phase|step|stufe|klasse|niveau|year|wave|round)[ -]?(?P<named>\d{1,2}|[ivx]{1,4})"
    r"|(?P<coded>\d{1,2})(?: ?[-=:.)]+ ?(?:[<>≤≥]=? ?)?[^\d\W]|_(?=.*[^\d\W_])).*)",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_AMOUNT = (
    r"[^\w<>=]?[ ]?(\d{1,3}(?:[,.' ]\d{3})+|\d+(?:\.\d+)?) ?(k|m|%|[^\W\d]{1,8}[²³]?(?:/[^\W\d]{1,8}[²³]?)?|[€$£¥])?"
)
_BETWEEN = re.compile(rf"{_AMOUNT} ?(?:-|to|bis|à|a|until|~|<=? ?x ?<=?|至|到) ?{_AMOUNT}", re.IGNORECASE)
_ALONE = re.compile(r"(\d{1,6}) ?([^\W\d]{1,8}(?:/[^\W\d]{1,8})?|%)?")
_BELOW = re.compile(
    rf"(?:<=?|≤|under|below|less than|up to|unter|bis(?: zu)?|moins de|menos de|不到) ?{_AMOUNT}"
    rf"|{_AMOUNT} ?(?:以下|and under|or less|or under|and below)",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    rf"(?:>=?|≥|over|above|more than|über|ab|plus de|más de|超过) ?{_AMOUNT}"
    rf"|{_AMOUNT} ?(?:\+|以上|and over|or more|and above|or older|and older|and more|or over|plus"
    rf"|et plus|und mehr|y más)",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:(?:do|does|did|was|were|has|have) not|(?:do|does|did|was|were|has|have)n['’]?t|not applicable"
    r"|never (?:had|did)|refused?|prefer not|rather not|no answer|no opinion|don['’]?t know|none of|keine angabe"
    r"|wei(?:ß|ss) nicht)\b"
    r"|不适用|拒绝|不知道",
    re.IGNORECASE,
)
"""Answers that are no level of an order that the other answers have."""
_PLUS_UNIT = re.compile(r"(\d)\+ ?([^\W\d]+)$")
"""10+ years, which is 10 years+."""

Place = tuple[float, float]
"""Where a level lies: by a number, or from one number to another."""


def _find(column: Column) -> Finding | None:
    """The levels that the type of a column puts in order, but by the alphabet, or three or more that their words do.

    Every cell is one. Words are of one scale, of one numbering, or bands that do not overlap.
    """
    if not is_text(column.values) or not _FEWEST <= len(column.cells.texts) <= _MOST:
        return None
    cells = column.cells
    declared = order_of(column.values)
    if declared and list(declared) != sorted(
        declared, key=cell_text
    ):  # programs code the labels of names by the alphabet
        by_rank = {cell_text(level): (float(rank), 0.0) for rank, level in enumerate(declared)}
        return replace(_finding(column, by_rank), is_question=True)  # programs put the labels of any codes in order
    if any(len(text) > LONGEST_WORD for text in cells.texts):
        return _of_codes(column)
    for places in _readings(cells.texts):
        if len(places) == len(cells.texts) and len(set(places.values())) >= _FEWEST:
            are_codes = all(map(_is_coded, cells.texts)) and not _NAMED.fullmatch(column.name)
            return replace(_finding(column, places), is_question=are_codes)
    for places in _by_scale(cells.texts, _BY_ASKED_WORD):
        if len(places) == len(cells.texts) and len(set(places.values())) >= _FEWEST:
            return replace(_finding(column, places), is_question=True)
    return _beside_an_answer(column) or _of_codes(column)


def _beside_an_answer(column: Column) -> Finding | None:
    """The question whether all answers but one are levels; that becomes missing or, by choice, the lowest level."""
    outside = [text for text in column.cells.texts if _OUTSIDE.search(text)]
    if len(outside) != 1:
        return None
    rest = column.without(outside)
    for places in _readings(rest.cells.texts):
        if len(places) == len(rest.cells.texts) and len(set(places.values())) >= _FEWEST:
            return _finding_beside(outside, column.cells.count(outside), _finding(rest, places))
    return None


def _finding_beside(outside: Sequence[str], n: int, found: Finding) -> Finding:
    (first,), lowest = found.options, (without_blanks(outside[0]),)
    return replace(
        found,
        options=[first, {"levels": (lowest, *_levels_of(first))}],
        sentence=lambda: with_misfits(worded(found.sentence), outside, n),
        is_question=True,
        n_lost=n,
    )


def _of_codes(column: Column) -> Finding | None:
    """The question whether the order of the file is one of levels."""
    order = _order_of_codes(column.name, column.values)
    by_rank = {cell_text(level): (float(rank), 0.0) for rank, level in enumerate(order)}
    return replace(_finding(column, by_rank), is_question=True) if order else None


def _order_of_codes(column: str, values: pd.Series) -> tuple[object, ...]:
    """The categories in the order of the file, such as that of SPSS's codes, where they may be levels; () else.

    Numbers are so unless the column is named like a category of codes. Words are so where the file does not have them
    by the alphabet, and the column is named like levels, or half of them hold ascending numbers or words of a scale.
    """
    dtype = values.dtype
    if not isinstance(dtype, pd.CategoricalDtype) or not _FEWEST <= len(dtype.categories) <= _MOST:
        return ()
    categories = tuple(dtype.categories)
    texts = [str(category).strip() for category in categories]
    numbers = pd.to_numeric(pd.Series(texts), errors="coerce")
    if numbers.notna().all():
        is_level = len(texts) <= _MOST_NUMBERS and not is_named_code(column)
        return tuple(categories[i] for i in numbers.argsort()) if is_level else ()
    if texts == sorted(texts, key=str.casefold):
        return ()
    places = [[_first_number(text) for text in texts], *([_level(text, scale) for text in texts] for scale in _BY_WORD)]
    return categories if _NAMED.fullmatch(column) or any(map(_ascend, places)) else ()


def _ascend(places: Sequence[float | None]) -> bool:
    """Whether half of the places or more are known, and they go up or down, but not both."""
    known = [place for place in places if place is not None]
    steps = [second - first for first, second in pairwise(known)]
    return 2 * len(known) >= len(places) and any(steps) and (min(steps) >= 0 or max(steps) <= 0)


def _first_number(text: str) -> float | None:
    found = _NUMBER_IN.search(text)
    return float(re.sub(r"[.,](?=\d{3})", "", found.group()).replace(",", ".")) if found else None


def _level(text: str, scale: Mapping[str, int]) -> float | None:
    """The level of the first words of a text that a scale has, the longest of them."""
    words = _WORD_IN.findall(text)
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            level = scale.get(folded(" ".join(words[start:end])))
            if level is not None:
                return float(level)
    return None


def _readings(found: Sequence[str]) -> list[Mapping[str, Place]]:
    """The places of the texts by each scale, by their numbers, and as bands."""
    return [*_by_scale(found, _BY_WORD), _numbered(found), _roman(found), _bands(found)]


def _by_scale(found: Sequence[str], scales: Sequence[Mapping[str, int]]) -> list[Mapping[str, Place]]:
    words = {text: folded(text.replace("_", " ")) for text in found}
    return [{text: (float(scale[word]), 0.0) for text, word in words.items() if word in scale} for scale in scales]


def _numbered(found: Sequence[str]) -> Mapping[str, Place]:
    """Levels by the number in their text; empty where two different texts have one number."""
    places = {text: (number, 0.0) for text in found if (number := _number(text)) is not None}
    by_number: dict[Place, set[str]] = {}
    for text, place in places.items():
        by_number.setdefault(place, set()).add(folded(text).rstrip("s"))
    return places if all(len(spellings) == 1 for spellings in by_number.values()) else {}


def _is_coded(text: str) -> bool:
    """Whether a number stands before the words, which programs also do with codes of no order: 2. Black."""
    match = _NUMBERED.fullmatch(plain_signs(text))
    return match is not None and match["coded"] is not None


def _number(text: str) -> float | None:
    match = _NUMBERED.fullmatch(plain_signs(text))
    if match is None:
        return None
    part = match.groupdict()
    if part["signs"]:
        return float(len(part["signs"]))
    digits = part["coded"] or part["named"]
    return float(digits) if digits.isdigit() else _ROMAN.get(digits.casefold())


def _roman(found: Sequence[str]) -> Mapping[str, Place]:
    """Bare Roman numbers from I on without a gap, as the grades of tumours are; empty for any others."""
    numbers = [_ROMAN.get(text.lower(), 0) if text.isupper() else 0 for text in map(plain_signs, found)]
    places = {text: (float(number), 0.0) for text, number in zip(found, numbers, strict=True)}
    return places if sorted(numbers) == list(range(1, len(numbers) + 1)) else {}


def _bands(found: Sequence[str]) -> Mapping[str, Place]:
    """Bands by their ends, and numbers between them; empty where they overlap or where no band has two ends.

    One end is enough where every text names a unit: < 1 year, 1 year, 2 years, 10+ years.
    """
    places = {text: place for text in found if (place := _band(plain_signs(text))) is not None}
    ordered = sorted(set(places.values()))
    is_apart = all(first[1] <= second[0] for first, second in pairwise(ordered))
    widths = [high - low for low, high in ordered if low < high]
    is_band = any(map(math.isfinite, widths)) or (bool(widths) and all(any(map(str.isalpha, text)) for text in places))
    return places if is_apart and (is_band or _are_counted(ordered)) else {}


def _are_counted(places: Sequence[Place]) -> bool:
    """Whether whole numbers without a gap stand between two open ends that they touch: < 1, 1, 2, 3, 4, 5+."""
    (first, *numbers, last) = places if len(places) > 3 else [(0.0, 0.0)] * 4
    if first[0] != -math.inf or last[1] != math.inf:
        return False
    ends = [first[1], *(low for low, _ in numbers), last[0]]
    inner = [second - first for first, second in pairwise(ends)]
    return all(step == 1 for step in inner[1:-1]) and {inner[0], inner[-1]} <= {0, 1} and ends[1] == int(ends[1])


def _band(text: str) -> Place | None:
    text = _PLUS_UNIT.sub(r"\1 \2+", text)
    between = _BETWEEN.fullmatch(text)
    if between is not None:
        first, first_unit, second, second_unit = between.groups()
        low, high = _amount(first, first_unit or second_unit), _amount(second, second_unit)
        return (low, high) if low < high else None
    for pattern, place in ((_BELOW, _from_nothing), (_ABOVE, _to_infinity)):
        match = pattern.fullmatch(text)
        if match is not None:
            first, first_unit, second, second_unit = match.groups()
            return place(_amount(first or second, first_unit or second_unit))
    alone = _ALONE.fullmatch(text)
    return (_amount(*alone.groups()),) * 2 if alone is not None else None


def _from_nothing(high: float) -> Place:
    return (-math.inf, high)


def _to_infinity(low: float) -> Place:
    return (low, math.inf)


def _amount(digits: str, unit: str | None) -> float:
    plain = re.sub(r"[,' ](?=\d{3})|\.(?=\d{3}$)", "", digits)
    return float(plain) * {"k": 1e3, "m": 1e6}.get((unit or "").casefold(), 1.0)


def _finding(column: Column, places: Mapping[str, Place]) -> Finding:
    order = _order(column.cells, places)
    n = column.cells.n_known
    level_of = _level_of({"levels": order})
    respelled = [(text, level) for text in places if (level := level_of(text)) is not None]
    return Finding(
        options=[{"levels": order}],
        sentence=lambda: _sentence(column.name, n, order),
        examples=sorted(respelled, key=lambda pair: pair[0] == pair[1])[:3],
        n_cells=n,
    )


def _order(cells: Cells, places: Mapping[str, Place]) -> tuple[tuple[str, ...], ...]:
    """The levels in ascending order, each with all its spellings, the most frequent first."""
    counts = dict(zip(cells.texts, cells.counts, strict=True))
    levels: dict[Place, dict[str, str]] = {}
    for text in sorted(places, key=lambda text: -int(counts.get(text, 0))):
        levels.setdefault(places[text], {}).setdefault(folded(text), without_blanks(text))
    return tuple(tuple(levels[place].values()) for place in sorted(levels))


def _sentence(column: str, n: int, order: Sequence[Sequence[str]]) -> str:
    return plural(
        n,
        "'{column}' holds ordered levels: {levels} ({n:,} value). Split it by this order?",
        "'{column}' holds ordered levels: {levels} ({n:,} values). Split them by this order?",
        column=column,
        levels=_in_order([level[0] for level in order]),
    )


def _in_order(levels: Sequence[str]) -> str:
    """The levels with a sign between them that none of them has: < 12 years → 12 years."""
    return (" → " if any(set(level) & set("<>≤≥") for level in levels) else " < ").join(levels)


def _levels_of(options: Options) -> tuple[tuple[str, ...], ...]:
    """The spellings of each level, the lowest first."""
    return tuple(tuple(texts(level)) for level in options["levels"]) if isinstance(options["levels"], tuple) else ()


def _level_of(options: Options) -> Callable[[str], str | None]:
    names = {folded(text): level[0] for level in reversed(_levels_of(options)) for text in level}
    return lambda text: names.get(folded(text))


def _convert(column: pd.Series, options: Options) -> Converted:
    if not is_text(column):
        return Converted({"": column})
    cells, level_of = Cells.of(column), _level_of(options)
    order = pd.CategoricalDtype(list(dict.fromkeys(filter(None, map(level_of, _firsts(options))))), ordered=True)
    words = cells.mapped(level_of, column.index).astype(order)
    return Converted({"": words}, [text for text in cells.texts if level_of(text) is None])


def _firsts(options: Options) -> list[str]:
    return [level[0] for level in _levels_of(options)]


def _label(options: Options) -> str:
    return message("in the order {levels}", levels=_in_order(_firsts(options)))


def _is_level(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(map(is_text_option, value))


LEVELS = ColumnKind("levels", _find, _convert, _label, {"levels": tuple_of(_is_level)})
