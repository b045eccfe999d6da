"""The errors this package raises on purpose: one base class, which is all that a page needs to catch."""


class ExplorerError(Exception):
    """Base of every deliberate error; `str(error)` is a sentence for the reader."""


class InputError(ExplorerError, ValueError):
    """Something given by the user cannot be used: the message names the fact, the culprit and the remedy.

    It is a ValueError too, which is what scikit-learn's tools expect of an estimator.
    """


class Stopped(ExplorerError):  # noqa: N818 - a request, not a failure: the name is part of the public interface
    """Raised by a progress callback to end long work early."""
