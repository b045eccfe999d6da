"""The errors this package raises on purpose: one base class, which is all that a page needs to catch."""

from __future__ import annotations

from collections.abc import Callable


class ExplorerError(Exception):
    """Base of every deliberate error; `str(error)` is a sentence for the reader."""


class InputError(ExplorerError, ValueError):
    """Something given by the user cannot be used: the message names the fact, the culprit and the remedy.

    It is a ValueError too, which is what scikit-learn's tools expect of an estimator.
    """


class ColumnError(InputError):
    """A column cannot become what was asked: text in a numeric column, a category outside the given order, a weight.

    `column` is its name. `cells` are the first offending cells, at most 20, as (row in the table from 1 on, text).
    `finding` is what is wrong without the remedy, for who finds another one; "" where that is not kept.

    >>> error = ColumnError("Column 'rate' holds text.", "rate", ((3, "11.4%"),))
    >>> str(error), error.column, error.cells
    ("Column 'rate' holds text.", 'rate', ((3, '11.4%'),))
    """

    def __init__(
        self, text: str = "", column: str = "", cells: tuple[tuple[int, str], ...] = (), finding: str = ""
    ) -> None:
        """Keep the column and its cells; an error read back by pickle is made from the text alone, then filled."""
        super().__init__(text)
        self.column, self.cells, self.finding = column, cells, finding


class NeedsRowsError(InputError, AttributeError):
    """A function that reads rows was given a connected table, which is only counted: take a sample of it.

    It is an AttributeError too, so that `hasattr(source, "codes")` is False.
    """


class EngineError(ExplorerError):
    """An engine that counts a connected table could not go on: out of memory or disk, gone, or refused a query."""


class SourceChangedError(EngineError):
    """A connected table is no longer what the tree was grown on: connect it again, and grow again."""


class TreeTooLargeError(InputError):
    """A tree would have more nodes than there is room for: `most` of them, or of a kind that memory does not hold.

    `column` is the feature with the most branches, "" where that is not known.
    """

    def __init__(self, most: int, column: str = "", words: Callable[[], str] = str) -> None:
        """Keep the bound, the column, and the function that words the sentence in the language in force."""
        super().__init__(words())
        self.most, self.column, self.words = most, column, words

    def again(self) -> TreeTooLargeError:
        """The same error in the language in force, without what it was raised from."""
        return TreeTooLargeError(self.most, self.column, self.words)


class Stopped(ExplorerError):  # noqa: N818 - a request, not a failure: the name is part of the public interface
    """Raised by a progress callback to end long work early."""
