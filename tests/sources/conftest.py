"""The Spark session that tests share."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.oracles.spark import new_session


@pytest.fixture(scope="session")
def _stopped_at_the_end() -> Iterator[None]:
    """Stop whatever session runs when the tests are done; its Java process ends with this one."""
    yield
    new_session().stop()


@pytest.fixture
def spark(_stopped_at_the_end: None) -> Any:
    """Spark on two threads: the session that runs, or a new one where a test has stopped it.

    Java's quick compiler alone: on tables so small the other one costs more time than it saves.
    """
    return new_session(**{"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1"})
