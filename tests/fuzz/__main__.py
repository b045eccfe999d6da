"""Run cases until their number or the time is over; each failure is printed with the command that replays it."""

import argparse
import itertools
import sys
import time

from tests.fuzz.watch import TARGETS, Report, watch


def main() -> int:
    """Parse the arguments, run, and say how many cases failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "target", nargs="?", choices=TARGETS, default="files", help="what is damaged: files of tables, or models"
    )
    parser.add_argument("--cases", type=int, default=20_000, help="how many cases (20,000 unless --hours is given)")
    parser.add_argument("--hours", type=float, help="run for so many hours instead")
    parser.add_argument("--seed", type=int, default=0, help="the seed of all cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--case", type=int, help="replay this case alone")
    chosen = parser.parse_args()
    report, end = Report(), time.monotonic() + 3600 * (chosen.hours or 0)
    cases = range(chosen.first, chosen.first + chosen.cases)
    if chosen.case is not None:
        cases = range(chosen.case, chosen.case + 1)
    numbers = (
        cases if chosen.hours is None else itertools.takewhile(lambda _: time.monotonic() < end, itertools.count())
    )
    for failure in watch(chosen.seed, numbers, report, chosen.target):
        print(failure, flush=True)
    print("\n".join(report.lines()))
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
