"""Columns that name a person or a thing which several rows are about, such as the patient of a visit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.repeated_units import may_be_unit, units_of

FEWEST_VALUES, LEAST_REPEATED = 20, 0.05
"""A column of fewer values is a plain category; of so small a share of repeated rows, the repeats may be mistakes."""
MOST_ROWS_OF_ID, MOST_ROWS_OF_PERSON = 20, 1000
"""Rows per value on average: codes of categories are called ids too ("region_id"), and have more rows for each."""
_NUMBERED = re.compile(r"ids?|u?uid|guid|no|nr|nbr|num|number|key|code")
_PERSON = re.compile(
    r"(patient|subject|participant|respondent|person|individual|customer|client|user|member|student|pupil|employee"
    r"|household|donor|contestant|competitor|athlete|applicant|borrower|policyholder|candidate|voter)s?"
    r"|player|runner|rider|driver|worker|teacher|passenger|visitor|tenant|subj"
)
_CHINESE = re.compile(
    r"(病人|患者|受试者|客户|顾客|用户|会员|学生|员工)(编号|序号|号|id)?|编号|学号|工号", re.IGNORECASE
)
_ENDS_AS_ID = re.compile(r"[a-z]+id|[A-Z]+ID")
"""Names such as townid, hhid and FAMID, but also grid: their rows must show that they are ids."""
_CODE = re.compile(
    r"(?:.*[\W_])?(?:(?:zip|postal|post|plz|fips|naics|sic|icd|gvkey|cusip|permno|ccode|[a-z]{2,}code)\d*"
    r"|(?:zip|postal|post|area|country|county|state|city|region|district|store|dept|product|unit|school|hospital)"
    r"[\W_]?(?:code|cd)\d*|code\d*|cd|邮编|代码)",
    re.IGNORECASE,
)
"""Names of codes of places, firms and other units."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class RepeatedId:
    """A column of ids with `n_values` different ones in `n_rows` rows; rows of one value belong together."""

    column: str
    n_values: int
    n_rows: int


def repeated_ids(features: Iterable[Feature], codes: Iterable[NDArray[np.int32]]) -> list[RepeatedId]:
    """The columns of ids whose values repeat, those of persons first, then those with the fewest values.

    Names of units, such as countries, come last: text that only other columns and the order of the rows show. A plain
    category is none of them: a column is called an id or a person, has 20 values or more, and few rows of each. One
    whose name only ends as an id does, such as townid, has the rows of each value one after another, and another
    column, such as the tax of a town, has one value in all of them.

    >>> import pandas as pd
    >>> from explorer.data.dataset import Dataset
    >>> visits = pd.DataFrame({"patient_id": [i // 3 for i in range(90)], "ward": [i % 30 for i in range(90)]})
    >>> visits["ill"] = visits["ward"] > 9
    >>> repeated_ids(*Dataset.from_frame(visits, "ill").encoded)
    [RepeatedId(column='patient_id', n_values=30, n_rows=90)]
    """
    found, columns = [], list(zip(features, codes, strict=True))
    units = units_of(columns)
    for feature, of_feature in columns:
        of_name = most_rows_of(feature.name) or _most_rows_together(feature, columns)
        most = of_name or units.get(feature.name, 0)
        if feature.n_values < FEWEST_VALUES or not most or not _is_discrete(feature):
            continue
        n_known = int(np.count_nonzero(of_feature < feature.n_values))
        if n_known - feature.n_values >= LEAST_REPEATED * n_known and n_known <= most * feature.n_values:
            found.append((-of_name, RepeatedId(feature.name, feature.n_values, n_known)))
    return [repeated for _, repeated in sorted(found, key=lambda pair: (pair[0], pair[1].n_values))]


def is_code_name(name: str) -> bool:
    """Whether a name is that of codes of places or units, such as zip, FIPS and cowcode2.

    >>> [is_code_name(name) for name in ("FIPS", "cowcode2", "zip_code", "dept_cd", "decode_time", "zipper", "cd4")]
    [True, True, True, True, False, False, False]
    """
    return _CODE.fullmatch(name.strip()) is not None


def most_rows_of(name: str) -> int:
    """The most rows per value of a column of ids with this name; 0 where it is no name of an id.

    >>> [most_rows_of(name) for name in ("PatientID", "customer", "visit_id", "unitid", "customer_type", "idea", "no")]
    [1000, 1000, 20, 20, 0, 0, 0]
    """
    words = {word.lower() for word in _WORD.findall(name)}
    others = {word for word in words if not _PERSON.fullmatch(word)}
    is_person = len(others) < len(words) and all(map(_NUMBERED.fullmatch, others))
    if is_person or words == {"id"} or _CHINESE.fullmatch(name.strip()):
        return MOST_ROWS_OF_PERSON
    return MOST_ROWS_OF_ID if words & {"id", "uuid", "guid", "unitid"} else 0


def needs_others(names: Iterable[str], features: Iterable[Feature]) -> bool:
    """Whether only other columns can show that one of these is an id; `features` are those of the names at hand."""
    return any(_ENDS_AS_ID.fullmatch(name) for name in names) or any(map(may_be_unit, features))


def _most_rows_together(feature: Feature, columns: list[tuple[Feature, NDArray[np.int32]]]) -> int:
    """The most rows per value of a column whose name ends as an id does; 0 where nothing else shows that it is one."""
    if not _ENDS_AS_ID.fullmatch(feature.name):
        return 0
    changes = {other.name: np.diff(codes) != 0 for other, codes in columns}
    own, n_values = changes.pop(feature.name), feature.n_values
    are_together = np.count_nonzero(own) == n_values - 1
    has_facts = any(other.any() and not (other & ~own).any() for other in changes.values())
    return MOST_ROWS_OF_PERSON if are_together and has_facts else 0


def _is_discrete(feature: Feature) -> bool:
    """Text or whole numbers."""
    return feature.kind == "categorical" or bool((feature.values == np.floor(feature.values)).all())
