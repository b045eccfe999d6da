"""A Spark session of its own beside the user's: queries that can be stopped, errors in words, nothing left behind."""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from explorer.errors import EngineError, InputError
from explorer.messages import Words, message
from explorer.sources.query_steps import QueryStep, check_in_force, note

POLL_SECONDS = 0.1
STOP_SECONDS = 30.0
"""So long a query that was stopped is waited for: Java may be gone, or stuck."""
ROWS_IN_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
OWN_SETTINGS = {"spark.sql.ansi.enabled": "true", "spark.sql.caseSensitive": "true", ROWS_IN_BATCH: "10000"}
"""What the queries rely on: errors instead of NULL, names as they are, and batches that fit into memory."""


class SparkQueries:
    """Queries on a Spark DataFrame in a session of their own, in which the view `origin` is that DataFrame.

    The session shares the user's Spark context, so the rows stay where they are. Its settings are copies of the
    user's, and its temporary views are invisible to the user's session. `steps` is the list to which every query is
    appended. Closed when it is no longer used.
    """

    def __init__(self, frame: Any, names: list[str], steps: list[QueryStep]) -> None:
        self.steps, self._name = steps, f"decision-tree-explorer-{uuid.uuid4().hex}"
        self._persisted: list[Any] = []
        with words_for_errors():
            self._context = _context_of(frame)
            self.session = _own_session(frame.sparkSession)
            _show(frame.toDF(*names), self.session, self._name)
        self.close = weakref.finalize(self, _close, self.session, self._persisted)

    def run(self, what: Words, query: str) -> pa.Table:
        """Run a query that is for what the words say; returns its rows. Raises EngineError, and what a check raises."""
        return self._step(what, query, lambda: self.session.sql(query).toArrow())

    @property
    def n_cores(self) -> int:
        """How many tasks Spark runs at once."""
        return int(self._context.defaultParallelism)

    def keep_blocks(self, what: Words, query: str, encode: Callable[..., Any], schema: str) -> pa.Table:
        """Pass the rows of a query through `encode`, and keep the blocks that it makes; returns the facts of each part.

        Spark keeps them in its own memory and local folders until `close`.
        """
        from pyspark import StorageLevel

        def kept() -> pa.Table:
            rows = self.session.sql(query).mapInArrow(encode, schema).persist(StorageLevel.MEMORY_AND_DISK)
            self._persisted.append(rows)
            return rows.select("facts").where("facts IS NOT NULL").toArrow()

        facts = self._step(what, query, kept)
        with words_for_errors():
            self.session.conf.set(ROWS_IN_BATCH, "1")  # a block has many rows of the table
        return facts

    def fetch_blocks(self, what: Words, query: str, encode: Callable[..., Any], schema: str) -> pa.Table:
        """Pass the rows of a query through `encode`; returns the blocks that it makes, and the facts of each part."""
        return self._step(what, query, lambda: self.session.sql(query).mapInArrow(encode, schema).toArrow())

    def over_blocks(
        self, what: Words, text: str, arrays: Sequence[str], answer: Callable[..., Any], n_parts: int
    ) -> list[bytes]:
        """Hand some arrays of all blocks to `answer`, in so many parts at most; returns its bytes of each part."""

        def answers() -> pa.Table:
            rows = self._persisted[-1].select(*arrays).coalesce(n_parts)
            return rows.mapInArrow(answer, "found binary").toArrow()

        found: list[bytes] = self._step(what, text, answers).column("found").to_pylist()
        return found

    def _step(self, what: Words, query: str, work: Callable[[], pa.Table]) -> pa.Table:
        start = time.perf_counter()
        with words_for_errors():
            table = self._stopped_by_check(work)
        note(self.steps, QueryStep.of(what, query, time.perf_counter() - start, table.num_rows))
        return table

    def _stopped_by_check(self, work: Callable[[], pa.Table]) -> pa.Table:
        """Do the work in a thread whose jobs are a group, and cancel the group when the check in force raises.

        Each piece of work has a group of its own, as other threads may ask at the same time.
        """
        check, group = check_in_force(), f"{self._name}-{uuid.uuid4().hex}"
        result: list[pa.Table] = []
        errors: list[BaseException] = []

        def worker() -> None:
            try:
                self._context.setJobGroup(group, "decision tree explorer", interruptOnCancel=True)
                result.append(work())
            except BaseException as error:  # noqa: BLE001 - handed to the waiting thread
                errors.append(error)

        thread = threading.Thread(target=worker, daemon=True)  # a job group belongs to a thread: the user's stays
        thread.start()
        try:
            while thread.is_alive():
                thread.join(POLL_SECONDS)
                if check is not None:
                    check()
        except BaseException:
            end = time.monotonic() + STOP_SECONDS
            while thread.is_alive() and time.monotonic() < end:  # jobs that have not begun are not cancelled: ask again
                with contextlib.suppress(*connection_errors()):
                    self._context.cancelJobGroup(group)
                thread.join(POLL_SECONDS)
            raise
        if errors:
            raise errors[0]
        return result[0]


def connection_errors() -> tuple[type[Exception], ...]:
    """What pyspark raises: for a query, for a Java machine that is gone, and for a session that was stopped."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return PySparkException, Py4JError, OSError, EOFError, AttributeError


@contextlib.contextmanager
def words_for_errors() -> Iterator[None]:
    """Turn errors of Spark into sentences."""
    try:
        yield
    except connection_errors() as error:
        raise EngineError(_words_of(error)) from error


def _words_of(error: Exception) -> str:
    text = _first_line(error)
    if isinstance(error, (OSError, EOFError, AttributeError)) or not _is_running():
        return message(
            "The Spark session was stopped, or its Java process has ended ({error}): start a session and connect the "
            "table again.",
            error=text,
        )
    if "ModuleNotFoundError" in str(error):
        return message(
            "The Python of Spark's workers has no pyarrow or numpy ({error}): install them there, or set "
            "{variable} to a Python that has them before the session starts.",
            error=text,
            variable="PYSPARK_PYTHON",
        )
    return message("Spark could not finish a query ({error}): connect the table again.", error=text)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).strip().split("\n") if line.strip()]
    return (lines[-1] if "Traceback" in str(error) else lines[0] if lines else type(error).__name__)[:300]


def _is_running() -> bool:
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return context is not None and context._jsc is not None


def _context_of(frame: Any) -> Any:
    """The Spark context; InputError for Spark Connect, which has none, and for streams."""
    if "connect" in type(frame).__module__.split("."):
        raise InputError(
            message("A DataFrame of Spark Connect cannot be connected: use a session on the driver, or write Parquet.")
        )
    if frame.isStreaming:
        raise InputError(message("A streaming DataFrame cannot be connected: write it to a table first."))
    return frame.sparkSession.sparkContext


def _own_session(users: Any) -> Any:
    """A new session with the settings of the user's."""
    session = users.newSession()
    given = dict(users.conf.getAll)
    for name, value in (given | OWN_SETTINGS).items():
        if name.startswith("spark.sql.") and users.conf.isModifiable(name):
            session.conf.set(name, value)
    return session


def _show(frame: Any, session: Any, name: str) -> None:
    """Make a DataFrame the view `origin` of another session, by a global view that is dropped at once."""
    view = name.replace("-", "_")
    database = session.conf.get("spark.sql.globalTempDatabase")
    frame.createGlobalTempView(view)
    try:
        session.table(f"{database}.{view}").createOrReplaceTempView("origin")
    finally:
        frame.sparkSession.catalog.dropGlobalTempView(view)


def _close(session: Any, persisted: list[Any]) -> None:
    """Give back what Spark keeps; a session that is gone keeps nothing."""
    with contextlib.suppress(*connection_errors()):
        while persisted:
            persisted.pop().unpersist()
        session.catalog.dropTempView("origin")
