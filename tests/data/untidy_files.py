"""Forty untidy files as people have them, each with what a person would make of it.

An `Untidy` has the file's name and bytes, the kinds of repair that it needs, the shape of the table after all of them,
and one cell: (row from 0, column, value). `python -m tests.data.untidy_files FOLDER` writes them all.
"""

import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Untidy:
    name: str
    raw: bytes
    kinds: tuple[str, ...]
    shape: tuple[int, int]
    cell: tuple[int, str, object]


def text_file(name, lines, kinds, shape, cell, encoding="utf-8"):
    return Untidy(name, ("\n".join(lines) + "\n").encode(encoding), tuple(kinds.split()), shape, cell)


def column(head, cells):
    """A file with one untidy column and a number beside it."""
    return [f"{head};n", *(f"{cell};{i}" for i, cell in enumerate(cells))]


DAYS = [f"{day:02d}" for day in range(1, 29)]


def money():
    loans = [f'"${1000 * i + 160:,}",{5 + i / 10}%,{"paid" if i % 3 else "default"}' for i in range(1, 41)]
    yield text_file("loans.csv", ["amount,rate,state", *loans], "money per_cent", (40, 3), (39, "amount", 40160.0))
    bank = [f"{day}.03.2024;Buchung {day};{'-' if int(day) % 2 else ''}1.{day}0,50 €" for day in DAYS]
    yield text_file(
        "kontoauszug.csv", ["Datum;Text;Betrag", *bank], "dates money", (28, 4), (0, "Betrag", -1010.5), "cp1252"
    )
    ledger = [f'{i},"{f"({i},200)" if i % 2 else f"{i},200"}"' for i in range(1, 31)]
    yield text_file("ledger.csv", ["id,change", *ledger], "numbers", (30, 2), (0, "change", -1200.0))
    sap = [f"{i};{i}.200,00{'-' if i % 3 == 0 else ''}" for i in range(1, 31)]
    yield text_file("sap.csv", ["nr;saldo", *sap], "numbers", (30, 2), (2, "saldo", -3200.0))
    french = [f"article {i};{i}\u202f234,50 €" for i in range(1, 31)]
    yield text_file("articles.csv", ["article;prix", *french], "money", (30, 2), (1, "prix", 2234.5))
    swiss = [f"{i},CHF {i}'234.50" for i in range(1, 31)]
    yield text_file("schweiz.csv", ["nr,preis", *swiss], "money", (30, 2), (4, "preis", 5234.5))
    indian = [f'{i},"₹{i},23,456"' for i in range(1, 31)]
    yield text_file("rupees.csv", ["id,price", *indian], "money", (30, 2), (0, "price", 123456.0))
    yuan = [f"{i},¥{i}00.5" for i in range(1, 31)]
    yield text_file("订单.csv", ["编号,金额", *yuan], "money", (30, 2), (8, "金额", 900.5), "gb18030")


def numbers():
    full = [f"{i},１２{i % 10}" for i in range(30)]
    full = [line.translate({ord(str(d)): chr(0xFF10 + d) for d in range(10)}).replace("，", ",") for line in full]
    full = [f"{i},{line.split(',')[1]}" for i, line in enumerate(full)]
    yield text_file("全角.csv", ["id,数", *full], "numbers", (30, 2), (3, "数", 123.0))
    minus = [f"{i},\u2212{i}.5" for i in range(1, 31)]
    yield text_file("unicode_minus.csv", ["id,change", *minus], "numbers", (30, 2), (4, "change", -5.5))
    mixed = [f'{i},{i}.25,"{i},75"' for i in range(1, 31)]
    yield text_file("two_decimals.csv", ["id,a,b", *mixed], "numbers", (30, 3), (2, "b", 3.75))
    grouped = [f'{i},"{i},234,567"' for i in range(1, 31)]
    yield text_file("population.csv", ["id,people", *grouped], "numbers", (30, 2), (1, "people", 2234567.0))
    spaces = [f"{i};{i}\u00a0234" for i in range(1, 31)]
    yield text_file("communes.csv", ["id;habitants", *spaces], "numbers", (30, 2), (1, "habitants", 2234.0))
    yield text_file(
        "one_typo.csv", column("speed", [*map(str, range(40)), "4o"]), "numbers", (41, 2), (7, "speed", 7.0)
    )
    yield text_file(
        "share.csv", column("Anteil", [f"{i},5 %" for i in range(30)]), "per_cent", (30, 2), (3, "Anteil", 3.5)
    )


def units():
    yield text_file(
        "weights.csv", column("weight", [f"{i} kg" for i in range(50, 90)]), "units", (40, 2), (0, "weight", 50.0)
    )
    mixed = [f"{i} kg" if i % 3 else f"{1000 * i} g" for i in range(1, 31)]
    yield text_file("parcels.csv", column("parcel", mixed), "units", (30, 2), (2, "parcel", 3.0))
    yield text_file(
        "terms.csv",
        column("term", [f" {36 + 24 * (i % 2)} months" for i in range(30)]),
        "units",
        (30, 2),
        (1, "term", 60.0),
    )
    followers = [f"{i}.5K" if i % 2 else f"{i}.5M" for i in range(1, 31)]
    yield text_file("followers.csv", column("followers", followers), "units", (30, 2), (1, "followers", 2500000.0))


def dates():
    iso = [f"2024-{month:02d}-{day},{month}" for month in (1, 2, 3) for day in DAYS]
    yield text_file("visits.csv", ["visit,room", *iso], "dates", (84, 4), (28, "visit", 31.0))
    us = [f"{month}/{day}/2023,{i}" for i, (month, day) in enumerate((m, d) for m in (1, 2) for d in range(1, 29))]
    yield text_file("orders_us.csv", ["ordered,n", *us], "dates", (56, 4), (28, "ordered", 31.0))
    german = [f"{day}.1{month}.2023 14:30;{month}" for month in (1, 2) for day in DAYS]
    yield text_file("termine.csv", ["Termin;n", *german], "dates", (56, 4), (1, "Termin (weekday)", 4.0))
    words = [f'"March {day}, 2024",{day}' for day in range(1, 31)]
    yield text_file("press.csv", ["published,n", *words], "dates", (30, 3), (3, "published", 3.0))
    compact = [f"202401{day},{day}" for day in DAYS]
    yield text_file("compact.csv", ["booked,n", *compact], "dates", (28, 3), (7, "booked", 7.0))
    open_order = [f"{i % 12 + 1:02d}/{(i * 7) % 12 + 1:02d}/2024,{i}" for i in range(36)]
    yield text_file("unclear.csv", ["seen,n", *open_order], "dates", (36, 4), (1, "seen", 38.0))
    clock = [f"{hour}:{minute:02d}" for hour in range(6, 22) for minute in (0, 30)]
    yield text_file("arrivals.csv", column("arrival", clock), "times", (32, 2), (1, "arrival", 6.5))
    feet = [f"{4 + i // 12}'{i % 12}" for i in range(30)]
    yield text_file("players.csv", column("height", feet), "feet", (30, 2), (1, "height", 49.0))
    chinese = [f"2024年3月{day}日,{day}" for day in range(1, 31)]
    yield text_file("日期.csv", ["日期,n", *chinese], "dates", (30, 3), (2, "日期", 2.0), "gb18030")


def words():
    yes = ["yes", "Yes", "YES ", "y", "no", "No", "n", "TRUE", "false"] * 4
    yield text_file("survey_yes.csv", column("smoker", yes), "yes_no", (36, 2), (3, "smoker", "yes"))
    cities = ["Berlin", "berlin", "BERLIN", "München", "Mu\u0308nchen", "New York", "New  York ", "Köln"] * 4
    yield text_file("shops.csv", column("city", cities), "spellings", (32, 2), (4, "city", "München"))
    codes = [3, 1, 2, 12] * 8
    yield text_file("wards.csv", column("ward", codes), "codes", (32, 2), (3, "ward", "12"))
    blanks = ["red ", "green", " blue", "red "] * 8
    yield text_file("colours.csv", column('"colour"', blanks), "blanks", (32, 2), (0, "colour", "red"))
    sizes = ["small", "Medium", "large", "medium "] * 8
    yield text_file("shirts.csv", column("size", sizes), "levels", (32, 2), (1, "size", "Medium"))
    stars = ["1 star", "2 stars", "3 stars", "5 stars"] * 8
    yield text_file("reviews.csv", column("rating", stars), "units", (32, 2), (3, "rating", 5.0))
    ages = ["18-25", "26-35", "36-50", "51+", "under 18"] * 8
    yield text_file("ages.csv", column("age", ages), "levels", (40, 2), (4, "age", "under 18"))
    agree = ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"] * 8
    yield text_file("likert.csv", column("q1", agree), "levels", (40, 2), (4, "q1", "Strongly agree"))
    school = ["High school", "Bachelor's", "Master's", "PhD"] * 8
    yield text_file("staff.csv", column("education", school), "levels", (32, 2), (3, "education", "PhD"))


def missing():
    sensor = [str(20 + i % 7 / 2) if i % 9 else "-999" for i in range(1, 60)]
    yield text_file("sensor.csv", column("temperature", sensor), "missing_codes", (59, 2), (8, "temperature", None))
    clinic = [f"{i},{'unknown' if i % 8 == 3 else 60 + i},{'-' if i % 7 == 2 else 'AB'[i % 2]}" for i in range(40)]
    yield text_file(
        "clinic.csv", ["id,pulse,group", *clinic], "missing_codes missing_codes", (40, 3), (3, "pulse", None)
    )
    census = [str(9999 if i % 10 == 5 else 18 + i % 50) for i in range(100)]
    yield text_file("census.csv", column("age", census), "missing_codes", (100, 2), (5, "age", None))
    prices = ["n/a " if i % 10 == 5 else f"${i}.50" for i in range(40)]
    yield text_file("prices.csv", column("price", prices), "missing_codes money", (40, 2), (5, "price", None))


def rows():
    pages = []
    for page in range(3):
        pages += ["name,amount", *(f"p{page}{i},{page * 10 + i}.5" for i in range(10))]
    yield text_file("printed.csv", pages, "headers", (30, 2), (10, "amount", 10.5))
    sales = [f"shop {i},{i * 10}" for i in range(1, 21)]
    total = [f"Total,{sum(10 * i for i in range(1, 21))}"]
    yield text_file("sales.csv", ["shop,sales", *sales, *total], "totals", (20, 2), (19, "sales", 200))
    source = ["Source: the tax office, tables 3, 4, 5 and 6"]
    areas = [f"{i},north,{i * 10}" for i in range(1, 21)]
    yield text_file("areas.csv", ["area,part,sales", *areas, *source], "footers", (20, 3), (19, "area", 20))
    report = [f'shop {i},"${i},000.00"' for i in range(1, 21)]
    last = ['Total,"$210,000.00"', 'Average,"$10,500.00"']
    yield text_file("report.csv", ["shop,sales", *report, *last], "totals money", (20, 2), (0, "sales", 1000.0))


def counts():
    """R's table UCBAdmissions of one department, as a table of counts."""
    cells = ["Male,Admitted,512", "Male,Rejected,313", "Female,Admitted,89", "Female,Rejected,19"]
    lines = ["Gender,Admit,Freq", *cells]
    yield text_file("admissions.csv", lines, "one_row_per_case", (933, 2), (511, "Admit", "Admitted"))


FILES = tuple(one for make in (money, numbers, units, dates, words, missing, rows, counts) for one in make())


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for one in FILES:
        folder.joinpath(one.name).write_bytes(one.raw)
