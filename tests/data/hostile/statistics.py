"""Hostile files of SPSS, Stata and SAS: cut, with counts that lie, and with wrong bytes all over."""

from importlib.util import find_spec

from tests.data.hostile.case import SMALL, Case
from tests.data.statistics.survey import FOLDER

PROGRAMS = {"survey.sav": "SPSS", "survey.zsav": "SPSS", "survey_15.dta": "Stata", "survey_5.xpt": "SAS"}
SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")


def content(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def with_bytes(name: str, place: int, new: bytes) -> bytes:
    """The file with other bytes at one place."""
    raw = content(name)
    return raw[:place] + new + raw[place + len(new) :]


def damaged(name: str, raw: bytes, program: str) -> Case:
    return Case(name, raw, said=f"damaged file of {program}", budget=SMALL)


MANY = (0x7FFFFFFF).to_bytes(4, "little")
N_ROWS = content("survey_15.dta").index(b"<N>") + 3
N_COLUMNS = content("survey_15.dta").index(b"<K>") + 3
CASES = [
    *(damaged(f"begin{len(magic)}.sav", magic, "SPSS") for magic in (b"$FL2", b"$FL3@(#)")),
    *(damaged(f"cut{size}.sav", content("survey.sav")[:size], "SPSS") for size in (100, 176, 200, 500, 900)),
    *(damaged(f"cut{size}.zsav", content("survey.zsav")[:size], "SPSS") for size in (176, 500)),
    *(damaged(f"cut{size}.dta", content("survey_15.dta")[:size], "Stata") for size in (11, 60, 300, 2000)),
    damaged("old.dta", b"\x73\x02\x01\x00" + b"\xff" * 300, "Stata"),
    damaged("order.dta", b"\x73\x01\x01\x00" + b"\x7f" * 3000, "Stata"),
    damaged("rows.dta", with_bytes("survey_15.dta", N_ROWS, b"\xff" * 8), "Stata"),
    damaged("columns.dta", with_bytes("survey_15.dta", N_COLUMNS, b"\xff\x7f"), "Stata"),
    damaged("header.sas7bdat", SAS, "SAS"),
    damaged("ones.sas7bdat", SAS + b"\xff" * 9000, "SAS"),
    damaged("zeros.sas7bdat", SAS + bytes(9000), "SAS"),
    *(damaged(f"cut{size}.xpt", content("survey_5.xpt")[:size], "SAS") for size in (80, 200, 500)),
    damaged("columns.xpt", with_bytes("survey_5.xpt", 614, b"9999"), "SAS"),
    Case("whole.sav", content("survey.sav"), (6, 7), (0, "trust", "high")),
    Case("many_rows.sav", with_bytes("survey.sav", 80, MANY), (6, 7), (4, "sex", "9")),
]
if find_spec("pyreadstat") is None:
    CASES = []
