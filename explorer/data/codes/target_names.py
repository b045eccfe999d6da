"""Words in names of columns for a target or against one, or for a follow-up, and for sets (DEFINITIONS section 1)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

SUREST, SURE, LIKELY, POSSIBLE = 14, 9, 7, 5
"""Points of a column that has such a word for its name."""
_WORDS: dict[int, str] = {
    SUREST: "target label y outcome survived response 目标 标签 结果 因变量",
    SURE: "status diagnosis churn churned class klasse species default defaulted attrition 类别 状态 分类",
    LIKELY: (
        "event death dead died cens censor censors censored censoring delta observed arrest arrested vote votes voted"
        " admit admitted approved purchase purchased bought fraud spam readmitted relapse relapsed recidivism failed"
        " failure fail win won deny denied decision choice exited left canceled cancelled depvar medv mv mpg disease"
        " chd stroke deposit subscribed dv satisfaction rejection improved recovered risk attack classification"
        " category paid repaid converted conversion clicked passed hired responded callback convicted conviction"
        " verdict released returned accepted acceptance accept approve support participated participation participate"
        " takeup switched enrolled graduated grad truth cured remission hospitalized readmission complication"
        " complications bleeding infection infected"
    ),
    POSSIBLE: (
        "result results price prices cost charges sales revenue salary wage wages earnings profit yield rating"
        " score grade grades rate strength consumption expenditure visits visit claims crime deaths mortality"
        " accidents strikes count counts cnt tip points performance prestige yes breaks reaction loss duration"
        " value val incidence volume quality growth ridership citations cites articles trips fatalities fatal incidents"
        " births gpa calories activity permeability solubility longevity lifespan bwt birthweight headache pain anxiety"
        " depression happy happiness trust attitude"
        " 类型 价格"
    ),
}
_POINTS = {word: points for points, words in _WORDS.items() for word in words.split()}
_OF_FEATURES = (
    "age ages sex gender geschlecht race ethnicity ethnic eth nationality country nation state region county district"
    " city town zip zipcode postcode suburb address location site place area lat latitude long longitude lon name"
    " names group groups cohort date dates year years yr month months day days week weeks weekday hour hours time"
    " times season quarter period minute timestamp height weight weights wt wgt wght bmi educ education edu school"
    " schooling degree marital married marriage mar children child kids family household famsize hhsize size"
    " union occupation job industry sector experience exper tenure black white hispanic foreign female male urban"
    " rural south north east west smsa population pop density temp temperature humidity wind rain pressure treatment"
    " treat treated trt rx arm dose block plot rep run replicate batch sample center centre hospital clinic litter"
    " mother father parent smoke smoker smoking alcohol owner length width depth diameter color colour model make brand"
    " manufacturer phase baseline base prior language religion student lag weather holiday employee customer subject"
    " patient person individual index code no nr number obs seqno unit firm company id ids key uid uuid guid pid"
    " male males female widowed divorced separated jan feb mar apr jun jul aug sep oct nov dec mon tue wed thu"
    " thurs fri sat sun emp employment series episode session wave round asa tat turnaround"
    " 性别 姓名 年龄 日期 年份 国家 地区 权重 编号"
)
_OF_ROWS = "id ids key uid uuid guid pid obs idno idnum pidnum seqn date dates airdate timestamp year 日期 年份 编号"
_AROUND = "is has was log ln no num number of n nb nr the final total median mean average avg"
_BESIDE, _ROWS, _WITHOUT_MEANING = (frozenset(words.split()) for words in (_OF_FEATURES, _OF_ROWS, _AROUND))
_YEAR_DUMMY = re.compile(r"[yd]r?_?(?:19|20)?\d\d|yr?\d\d?", re.IGNORECASE)
"""Names of columns that are 1 in one year, such as d87."""
_UNIT_ID = re.compile(
    r"(?:stud(?:ent|y)?|dist(?:rict)?|sch(?:ool)?|count(?:r)?y|subj(?:ect)?|pat(?:ient)?|pers(?:on)?|cust(?:omer)?|h?hh?"
    r"|house(?:hold)?|fam(?:ily)?|case|resp|obs|user|state|town|firm|plant|child|mother|emp|worker|ind(?:iv)?|item|order"
    r"|group|team|player|unit)s?[\W_]?id(?:num(?:ber)?|no)?|[a-z]{1,8}code",
    re.IGNORECASE,
)
"""Names of numbers of units, such as studyid and zipcode."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_FOLLOW_UP = re.compile(
    r"(?:f(?:ollow)?[\W_]?up|surv(?:ival)?|os|[dr]fs|event|recur(?:rence)?|relapse|death|[a-z]{1,2})?[\W_]?times?[\W_]?\d?"
    r"|futime|follow[\W_]?up|tte|duration|len[\W_]?fol|tenure|t?[\W_]?(?:start|stop)|t[\W_]?(?:enter|exit)"
    r"|(?:surv(?:ival)?|fu|follow[\W_]?up|os|[dr]fs)[\W_]?(?:days?|weeks?|months?|years?)"
    r"|(?:diff(?:erence)?|total|n)?[\W_]?(?:days|weeks|months)"
    r"|(?:time|days|weeks|months|years)[\W_]?to[\W_]?(?:death|event|relapse|recurrence|failure|progression)"
    r"|(?:rec|prog|death|relapse|last[\W_]?contact)[\W_]?(?:time|date|days?)"
    r"|date[\W_]?(?:of[\W_]?)?(?:death|event|relapse|last[\W_]?(?:follow[\W_]?up|contact|seen))",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?:vital|[a-z]{1,2})?[\W_]?stat(?:us)?|recur(?:rence|red)?|relapsed?|progress(?:ion|ed)"
    r"|cens(?:or(?:s|ed|ing)?)?|cens[\W_]?(?:dead|death|died|rec|relapse)|(?:event[\W_]?)?observed"
    r"|events?|deaths?|dead|died|churn(?:ed)?|delta"
    r"|(?:os|pfs|[dr]fs|death|recur(?:rence)?|relapse)[\W_]?(?:event|status|cens(?:or)?|ind(?:icator)?|flag)",
    re.IGNORECASE,
)
_CENSORING = re.compile(
    r"(?:(?:vital|fu)[\W_]?)?stat(?:us)?|cens(?:or(?:s|ed|ing)?)?|(?:event[\W_]?)?observed|events?|delta", re.IGNORECASE
)
"""Names that do not say which event they stand for."""
_UNTIL = re.compile(
    r"(?:time|days?|weeks?|months?|years?)[\W_]*(?P<to>to|until|till|before)?[\W_]*(?P<event>\w.*)", re.IGNORECASE
)
_STATE = re.compile(r"[\W_]?(?:status|stat|event|flag|indicator)$", re.IGNORECASE)
_OF_TARGET = re.compile(
    r"(?:f(?:ollow)?[\W_]?up|surv(?:ival)?|os|[dr]fs|event|[dr])?[\W_]?time|futime|tte|len[\W_]?fol"
    r"|(?:surv(?:ival)?|fu|follow[\W_]?up|os|[dr]fs)[\W_]?(?:days?|weeks?|months?|years?)",
    re.IGNORECASE,
)
"""Times that are a target themselves."""
_ROW_NAMES = re.compile(r"column[ _]?1|unnamed: ?0|row[ _.]?names?", re.IGNORECASE)
_SET = re.compile(
    r"(train|test)(?:ing)?(?:[\W_]*(?:set|data|sample))?"
    r"|(val)(?:id(?:at(?:e|ion))?)?(?:[\W_]*(?:set|data|sample))?|(训练|验证|测试|留出)集?|(hold)[\W_]?out(?:[\W_]*(?:set|data|sample))?",
    re.IGNORECASE,
)
_PREFIXES = ("ln", "log", "l", "n")


def points_of(name: str) -> int:
    """How much a name speaks for a target: most as a whole, less by its last word, least by its first one.

    >>> [points_of(name) for name in ("Status", "SalePrice", "lwage", "price.heinz", "marital_status", "age")]
    [9, 3, 3, 2, 0, 0]
    """
    whole = _POINTS.get(name.strip().casefold(), 0)
    if whole:
        return whole
    words = [word for word in _words(name) if word not in _WITHOUT_MEANING]
    of_words = [_of_word(word) if len(word) > 1 else 0 for word in words]
    if not of_words or max(of_words[0], of_words[-1]) >= SURE:  # such as marital_status and workclass
        return 0
    return {LIKELY: 4, POSSIBLE: 3}.get(of_words[-1], 2 if of_words[0] else 0)


def is_beside(name: str) -> bool:
    """Whether a name is one that features have, such as age, region or marital_status."""
    words = [word for word in _words(name) if word not in ("status", "type")]
    is_feature = name.strip().casefold() in _BESIDE or (bool(words) and _BESIDE.issuperset(words))
    return is_feature or _YEAR_DUMMY.fullmatch(name.strip()) is not None


def first_word(name: str) -> str:
    """The word that a name of several words begins with, else "".

    >>> first_word("paid_late_fees"), first_word("paid")
    ('paid', '')
    """
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return words[0].casefold() if len(words) > 1 else ""


def titled(title: str, name: str) -> int:
    """The points of a column that the title of its table, such as the name of a file, names too.

    >>> titled("house_prices.csv", "SalePrice"), titled("churn.csv", "churn"), titled("cars.csv", "price")
    (4, 5, 0)
    """
    of_title = [_stem(word) for word in _words(re.sub(r"\.\w{1,7}$", "", title)) if len(word) > 2]
    of_name = [_stem(word) for word in _words(name)]
    shared = [word for word in of_title if any(_is_same(word, other) for other in of_name)]
    if not shared or is_beside(name):
        return 0
    return 5 if len(of_name) == len(of_title) == len(shared) else 4 if of_title[-1] in shared else 3


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _is_same(word: str, other: str) -> bool:
    """Whether two words are one, or one begins with the other of at least four letters, as smoking and smoke do."""
    short, long = sorted((word.rstrip("e"), other.rstrip("e")), key=len)
    return word == other or (len(short) > 3 and long.startswith(short))


def names_rows(name: str) -> bool:
    """Whether a name ends as those of ids and dates do.

    >>> [name for name in ("student_id", "schid", "pidnum", "unitid", "zipcode", "paid", "covid") if names_rows(name)]
    ['student_id', 'schid', 'pidnum', 'unitid', 'zipcode']
    """
    return any(word in _ROWS for word in _words(name)[-1:]) or _UNIT_ID.fullmatch(name.strip()) is not None


def is_time_to(name: str, target: str) -> bool:
    """Whether a number of this name may be the time until an event, the target, is known.

    >>> is_time_to("futime", "death"), is_time_to("time.to.cmv", "cmv"), is_time_to("time", "price")
    (True, True, False)
    >>> is_time_to("daysanysub", "anysubstatus"), is_time_to("daytime", "price")
    (True, False)
    >>> is_time_to("days", "cens"), is_time_to("diff_days", "observed"), is_time_to("days", "rented")
    (True, True, False)
    """
    until, event = _UNTIL.fullmatch(name), _letters(_STATE.sub("", target.strip()))
    is_named = until is not None and len(event) > 2 and (until["to"] is not None or not is_beside(target))
    of_event = is_named and until is not None and _letters(until["event"]) in (event, _letters(target))
    return of_event or bool(_EVENT.fullmatch(target) and _FOLLOW_UP.fullmatch(name))


def is_censoring(name: str) -> bool:
    """Whether a column of this name may say which times of a follow-up are known, and which are censored.

    >>> [is_censoring(name) for name in ("status", "observed", "death", "churn")]
    [True, True, False, False]
    """
    return _CENSORING.fullmatch(name.strip()) is not None


def is_of_same_follow_up(name: str, target: str) -> bool:
    """Whether a column may be another event or time of the follow-up in which the target is observed.

    >>> [is_of_same_follow_up("recur", target) for target in ("death", "dtime", "grade")]
    [True, True, False]
    """
    until = _UNTIL.fullmatch(name)
    if until is not None and until["to"] and _EVENT.fullmatch(target):
        return True
    if _EVENT.fullmatch(name):
        return bool(_EVENT.fullmatch(target) or _OF_TARGET.fullmatch(target))
    return bool(_FOLLOW_UP.fullmatch(name) and _OF_TARGET.fullmatch(target))


def is_of_row_names(name: str, spread: float, n_rows: int) -> bool:
    """Whether different whole numbers name the rows: half of those in their range, in a first column without a heading.

    R and pandas write the names of rows so; a file without any headings has numbers with larger gaps there.

    >>> is_of_row_names("column 1", 226 - 4, 189), is_of_row_names("column 1", 90_000, 189), is_of_row_names("x", 4, 5)
    (True, False, False)
    """
    return _ROW_NAMES.fullmatch(name.strip()) is not None and spread < 2 * n_rows


def are_sets(values: Collection[object]) -> bool:
    """Whether two or three values are called training and other sets, each of them once.

    >>> are_sets(["Test", "Train"]), are_sets(["training", "validation", "holdout"]), are_sets(["train", "bus"])
    (True, True, False)
    """
    if len(values) not in (2, 3):
        return False
    found = [_SET.fullmatch(str(value).strip()) for value in values]
    named = [match[match.lastindex or 0].lower() for match in found if match]
    return len(named) == len(found) == len(set(named)) and not {"train", "训练"}.isdisjoint(named)


def _letters(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _words(name: str) -> Sequence[str]:
    return [word.casefold() for word in _PART.findall(name)]


def _of_word(word: str) -> int:
    """The points of a word as a whole name, also behind the signs of a logarithm or a number of."""
    shorter = (word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix) and len(word) > len(prefix) + 2)
    return _POINTS.get(word) or max((_POINTS.get(each, 0) for each in shorter), default=0)
