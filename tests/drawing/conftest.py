"""What the tests of drawings share: the program that runs JavaScript."""

import os
import shutil

import pytest


@pytest.fixture
def node() -> str:
    """Where Node is; without it the tests are skipped on a desk and fail in continuous integration."""
    executable = shutil.which("node")
    if executable is None and os.environ.get("CI") == "true":
        pytest.fail("Node is not installed: apt-get install nodejs")
    if executable is None:
        pytest.skip("Node is not installed; get it with: apt-get install nodejs")
    return executable
