"""The tables of docs/performance.md, made from what the benchmarks wrote: no figure is copied by hand.

`figures/NAME.json` holds the date and machine of a table, and the rows of each run as the benchmark wrote them (where
only the extremes of several runs were kept: those of the least and of the largest, and how many runs there were).
Run `python -m tests.benchmarks.performance_tables` to write the tables into the document, or first give the files of
new runs: `python -m tests.benchmarks.performance_tables drag --date 2026-11-29 --machine "two cores" run.json …`.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import median

from tests.benchmarks.prune import RAISING
from tests.folders import ROOT

FOLDER = Path(__file__).parent / "figures"
DOCUMENT = ROOT / "docs" / "performance.md"
_TABLE = re.compile(r"(<!-- figures of (\w+) -->\n)(.*?)(<!-- end of figures -->)", re.DOTALL)
Rows = list[dict]
PARTS = {"grow": "grow", "missing": "missing", "stages": "tables"}
"""The part of a benchmark's file that holds the rows of a table, where it is not the whole of it."""
CENSUS = "census-like"


def figures(name: str) -> dict:
    """What is kept of a table's runs."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def spread(values: Iterable[float], form: str, between: str = " to ") -> str:
    """The least and the largest value, or one where they read the same.

    >>> spread([3.96, 3.7, 3.8], "{:.1f}"), spread([2.11, 2.08], "{:.1f}")
    ('3.7 to 4.0', '2.1')
    """
    given = list(values)
    return between.join(dict.fromkeys([form.format(min(given)), form.format(max(given))]))


def _cell(runs: list[Rows], field: str, form: str, **wanted: str) -> str:
    """The field of the rows that agree with what is wanted, over all runs."""
    rows = [row for run in runs for row in run if all(row[key] == value for key, value in wanted.items())]
    return spread([row[field] for row in rows], form)


def _grow(runs: list[Rows]) -> Iterable[str]:
    def of(*names: str) -> str:
        first, *others = (_cell(runs, "ratio", "{:.1f}", row=name) for name in names)
        return first + "".join(f" ({other})" for other in others)

    yield "| table | 1,000 rows | 10,000 rows | 100,000 rows |"
    yield "|---|---|---|---|"
    two = (of(f"{rows} two classes") for rows in ("1,000", "10,000", "100,000"))
    yield f"| 10 numbers, two classes | {' | '.join(two)} |"
    yield f"| 10 numbers, five classes | | | {of('100,000 five classes')} |"
    yield f"| 10 numbers, numeric target | | {of('10,000 regression')} | {of('100,000 regression')} |"
    few = of("100,000 few values", "100,000 few values, regression")
    yield f"| 14 numbers of 30 values, two classes (numeric target) | | | {few} |"
    census = f"{of(f'10,000 {CENSUS}')} | {of(f'100,000 {CENSUS}')}"
    yield f"| 14 columns like a census (categories here, integer codes in scikit-learn) | | {census} |"


def _drag(runs: list[Rows]) -> Iterable[str]:
    yield "| nodes | frames over 20 ms | script per frame, 95th percentile | slider released → page updated |"
    yield "|---|---|---|---|"
    for row in runs[-1]:
        late, script = f"{100 * row['slow_share']:.1f} %", f"{row['script_p95']:.1f} ms"
        yield f"| {row['nodes']:,} | {late} | {script} | {row['release_ms']:.0f} ms |"


def _evidence(runs: list[Rows]) -> Iterable[str]:
    yield "| rows | click → candidates shown, median of 5 | slowest |"
    yield "|---|---|---|"
    for row in runs[-1]:
        yield f"| {row['rows']:,} | {median(row['clicks']):,.0f} ms | {max(row['clicks']):,.0f} ms |"


def _missing(runs: list[Rows]) -> Iterable[str]:
    yield "| policy for missing values | 10 numbers, two classes | 14 columns like a census |"
    yield "|---|---|---|"
    for recipe, words in {
        "C4.5 fractional": "fractional instances (C4.5, a row in several branches)",
        "CART surrogate": "surrogate splits (CART)",
        "CART most_common": "most common value (CART)",
    }.items():
        cells = (_cell(runs, "ratio", "{:.1f}", table=table, recipe=recipe) for table in ("two classes", CENSUS))
        yield f"| {words} | {' | '.join(cells)} |"


def _prune(runs: list[Rows]) -> Iterable[str]:
    about = "three runs of `.venv/bin/python -m tests.benchmarks.prune`"
    yield f"| pruning a full tree on 100,000 rows, two classes; {about} | share of the time to grow it |"
    yield "|---|---|"
    words = {
        "reduced error, best first; reduced error, bottom-up": "reduced error, 42,857 validation rows",
        "pessimistic, release8; pessimistic, binomial; pessimistic, normal": "pessimistic, all three limits",
        "description length": "description length",
        RAISING: "pessimistic, with subtree raising (rows are divided again for each try)",
    }
    tables = {"five classes": "five classes", "regression": "numeric target", CENSUS: "like a census"}
    for names, text in words.items():
        of: dict[str, list[float]] = {}
        for row in (row for run in runs for row in run if row["pruning"] in names.split("; ")):
            of.setdefault(row["table"], []).append(100 * row["share"])
        others = [f"{name} {spread(of[table], '{:.0f}')} %" for table, name in tables.items() if table in of]
        behind = f" ({', '.join(others)})" if others else ""
        yield f"| {text} | {spread(of['two classes'], '{:.0f}')} %{behind} |"


def _load(runs: list[Rows]) -> Iterable[str]:
    rows = [row for run in runs for row in run]

    def of(names: tuple[str, ...], field: str, form: str) -> str:
        cells = []
        for name in names:
            found = [row for row in rows if row["name"] == name]
            between = " and " if found[0]["runs"] == 2 else " to "
            cells.append(spread([row[field] for row in found], form, between) + " s")
        return ", ".join(cells)

    yield "| what | 95th percentile | processor time each |"
    yield "|---|---|---|"
    for words, names in {
        "50 first openings at once": ("first opening",),
        "another algorithm": ("another algorithm",),
        "20 first openings at once (`--sessions 20`)": ("first opening of 20",),
        "50 first openings of one link (`--same-link --changes alpha`)": ("first opening of one link",),
        "all to Prune at once, a seed each, and by one link": ("to Prune", "to Prune by one link"),
        "50 first openings with `--processes 2 --proxy`": ("first opening, two processes",),
    }.items():
        digits = "{:.2f}" if words == "another algorithm" else "{:.1f}"
        yield f"| {words} | {of(names, 'p95', digits)} | {of(names, 'processor', '{:.3f}')} |"


def _stages(runs: list[Rows]) -> Iterable[str]:
    """Milliseconds, and in brackets how many times the bound; nodes of several sizes are added up."""
    heads = "encode | sort | search of the root | nodes of 100 rows or more, but the root's search"
    yield f"| table | {heads} | nodes below 100 rows | record and units | all |"
    yield "|---|---|---|---|---|---|---|---|"
    for table in runs[-1]:
        of: dict[str, list[float]] = {}
        for stage in table["stages"]:
            size = re.match(r"nodes of ([\d,]+)", stage["name"])
            small = size is not None and int(size[1].replace(",", "")) < 100
            column = stage["name"].split()[0] + (" below" if small else "")
            sums = of.setdefault(column, [0.0, 0.0])
            sums[:] = [sums[0] + 1e3 * stage["seconds"], sums[1] + 1e3 * stage["bound"]]
        whole = sum(ms for ms, _ in of.values())
        cells = [f"{_short(ms, 2)} ({_short(ms / bound, 1)})" for ms, bound in list(of.values())[:-1]]
        cells = [f"{table['rows']:,} {table['table']}", *cells, _short(of["record"][0], 2), f"{whole:.1f}"]
        yield f"| {' | '.join(cells)} |"


def _short(value: float, digits: int) -> str:
    """One decimal less from 10 on.

    >>> _short(9.94, 1), _short(22.3, 1), _short(0.4, 2), _short(15.36, 2)
    ('9.9', '22', '0.40', '15.4')
    """
    return f"{value:.{digits - (round(value, digits) >= 10)}f}"


TABLES: Mapping[str, Callable[[list[Rows]], Iterable[str]]] = {
    "grow": _grow,
    "drag": _drag,
    "evidence": _evidence,
    "missing": _missing,
    "prune": _prune,
    "load": _load,
    "stages": _stages,
}


def written(document: str) -> str:
    """The document with every table as its figures make it."""
    return _TABLE.sub(
        lambda found: found[1] + "\n".join(TABLES[found[2]](figures(found[2])["runs"])) + "\n" + found[4], document
    )


def main() -> None:
    """Take in new runs, if any are given, and write the document."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.performance_tables", description=__doc__)
    parser.add_argument("table", nargs="?", choices=TABLES)
    parser.add_argument("runs", nargs="*", type=Path, metavar="FILE", help="what --json of the benchmark wrote")
    parser.add_argument("--date", help="of the runs, YYYY-MM-DD")
    parser.add_argument("--machine", help="what they ran on")
    options = parser.parse_args()
    if options.table:
        if not (options.runs and options.date and options.machine):
            parser.error("give the files of the runs, --date and --machine")
        runs = [json.loads(file.read_text("utf-8")) for file in options.runs]
        kept = [run[PARTS[options.table]] if isinstance(run, dict) else run for run in runs]
        about = {"date": options.date, "machine": options.machine, "runs": kept}
        (FOLDER / f"{options.table}.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    DOCUMENT.write_text(written(DOCUMENT.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
