"""The threads of a table kept in files: an error is told when none of them works any more."""

import time

import pytest

from explorer.sources.mapped.workers import Workers


def test_an_error_waits_for_the_other_threads():
    """Otherwise they would go on writing into a folder that the error has removed."""
    workers, ended = Workers(2), []

    def work(task):
        if task == 0:
            raise ValueError("full")
        time.sleep(0.2)
        ended.append(task)

    with pytest.raises(ValueError, match="full"):
        workers.each(work, [0, 1])
    assert ended == [1]
    assert workers.each(lambda task: task * task, [1, 2, 3]) == [1, 4, 9]
    workers.close()
