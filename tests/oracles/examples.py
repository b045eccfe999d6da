"""How much a test tries: a law's random examples, a tenth of them in the fast profile, and cases for slow runs."""

from typing import Any

import pytest
from hypothesis import settings


def examples(full: int, **more) -> settings:
    """Settings for so many random examples."""
    is_fast = settings.get_current_profile_name() == "fast"
    return settings(max_examples=max(5, full // 10) if is_fast else full, deadline=None, **more)


def law(full: int) -> settings:
    """Settings for so many examples that are the same in every run."""
    return examples(full, derandomize=True, database=None)


def journey(*values: Any, **more: Any) -> Any:
    """Values of a parametrised test in Chromium that run with the fast tests, as one for their page."""
    return pytest.param(*values, marks=pytest.mark.journey, **more)


def slow(*values: Any, **more: Any) -> Any:
    """Values of a parametrised test that run only with the slow tests, since others are like them."""
    return pytest.param(*values, marks=pytest.mark.slow, **more)
