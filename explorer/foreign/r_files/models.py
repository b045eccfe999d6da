"""The door for models of R, which name the function that fitted them."""

from __future__ import annotations

from collections.abc import Callable

from explorer.errors import InputError
from explorer.foreign.content import Content
from explorer.foreign.r_files.fields import no_model, word_of
from explorer.foreign.r_files.forests import forest_from_random_forest, forest_from_ranger
from explorer.foreign.r_files.rpart import tree_from_rpart
from explorer.foreign.record import ReadEnsemble
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.tree.tree import Tree

READERS: dict[str, Callable[[Fields, str], Tree | ReadEnsemble]] = {
    "rpart": tree_from_rpart,
    "randomForest": forest_from_random_forest,
    "ranger": forest_from_ranger,
}


def is_r(content: Content) -> bool:
    """Whether a file is a model that the lines of R wrote."""
    return "r_model" in content.names()


def model_from_r(content: Content, target: str) -> Tree | ReadEnsemble:
    """The model behind the file; InputError for anything else."""
    fields = Fields(content.plain, no_model)
    kind = word_of(fields, "r_model")
    if kind not in READERS:
        raise InputError(
            message(
                "The model of R is of class '{kind}', which cannot be read. Readable: {kinds}.",
                kind=kind[:40],
                kinds=listing(READERS),
            )
        )
    return READERS[kind](fields, target)
