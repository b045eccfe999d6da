"""What it takes to find suggestions in a table of a million rows, as a share of the time that pandas reads it in.

`python -m tests.benchmarks.suggestions [ROWS]` prints a line for each sort of table, in processor time of one run.
"""

import io
import sys
import time

import numpy as np
import pandas as pd

import explorer as ex

COLUMNS = 20


def timed(work):
    """The result of a function and its processor time in seconds."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def numbers(rng, n):
    return {f"x{i}": rng.normal(size=n).round(3) for i in range(COLUMNS)}


def categories(rng, n):
    return numbers(rng, n) | {f"x{i}": rng.choice(["red", "green", "blue"], n) for i in range(5)}


def names(rng, n):
    return numbers(rng, n) | {f"x{i}": np.char.add("name ", rng.integers(0, 10**9, n).astype(str)) for i in range(3)}


def money_and_dates(rng, n):
    seconds = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**8, n), unit="s"))
    money = {f"x{i}": [f"${amount:,.2f}" for amount in rng.uniform(0, 1e6, n)] for i in range(2)}
    dates = {"x2": seconds.dt.strftime("%d/%m/%Y"), "x3": seconds.dt.strftime("%Y-%m-%d %H:%M:%S")}
    return numbers(rng, n) | money | dates


def main(n=1_000_000):
    for make in (numbers, categories, names, money_and_dates):
        raw = pd.DataFrame(make(np.random.default_rng(0), n)).to_csv(index=False).encode()
        frame, reading = timed(lambda raw=raw: pd.read_csv(io.BytesIO(raw)))
        table = ex.Table(frame, (), "t.csv")
        suggestions, finding = timed(lambda table=table: table.suggestions)
        repairs = [suggestion.repair for suggestion in suggestions]
        _, applying = timed(lambda table=table, repairs=repairs: ex.apply_repairs(table, repairs))
        print(
            f"{make.__name__}: {len(raw) / 1e6:.0f} MB, pandas reads {reading:.2f} s; {len(suggestions)} suggestions "
            f"in {finding:.2f} s ({finding / reading:.2f} of it), all applied in {applying:.2f} s"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
