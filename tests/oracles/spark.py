"""A Spark session for tests and benchmarks, and how many jobs it has run."""

import os
import sys
import tempfile
import time
import uuid
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

OPTIONS = {
    "spark.driver.memory": "1g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}
MOST_SECONDS = 30


@cache
def warehouse() -> str:
    """A folder for the tables that Spark may write."""
    return tempfile.mkdtemp(prefix="spark-of-tests-")


def new_session(**options: str) -> Any:
    """Spark on two threads of this machine, its workers with this Python; the one that runs where there is one."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = SparkSession.builder.master("local[2]")
        for name, value in (OPTIONS | {"spark.sql.warehouse.dir": warehouse()} | options).items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


class JobCount:
    """How many jobs have run, by Spark's status tracker: jobs are numbered, and a marker takes the next number."""

    def __init__(self, session: Any) -> None:
        self._context = session.sparkContext
        self._first = self._marker()

    def __call__(self) -> int:
        """Jobs since the last call."""
        marker = self._marker()
        count, self._first = marker - self._first - 1, marker
        return count

    def _marker(self) -> int:
        """The number of a job that is run now."""
        group, tracker = f"marker-{uuid.uuid4().hex}", self._context.statusTracker()

        def mark() -> None:
            self._context.setJobGroup(group, "marker")
            self._context.parallelize([0], 1).count()

        with ThreadPoolExecutor(1) as pool:  # a job group belongs to a thread
            pool.submit(mark).result()
        end = time.monotonic() + MOST_SECONDS
        while not (numbers := tracker.getJobIdsForGroup(group)) and time.monotonic() < end:  # it learns of jobs late
            time.sleep(0.01)
        (number,) = numbers
        return int(number)
