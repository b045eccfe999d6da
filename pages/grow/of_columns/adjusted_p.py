"""The columns of a candidate's χ² test: the statistic, the ways of cutting the feature, the adjusted p and LogWorth."""

from __future__ import annotations

import explorer as ex

CHI2, WAYS, ADJUSTED, LOG_WORTH = "χ²", "ways of cutting", "adjusted p", "LogWorth"


def columns(candidate: ex.Candidate) -> dict[str, object]:
    """The numbers of a test on classes; none for a numeric target."""
    test = candidate.significance
    if test is None:
        return {}
    return {CHI2: test.chi2, WAYS: test.ways, ADJUSTED: test.within, LOG_WORTH: test.log_worth}
