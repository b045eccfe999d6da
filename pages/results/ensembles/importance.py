"""The importance of the features: by impurity, by permutation, and beside a column of random numbers."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.ensembles.sample import with_random_column
from explorer.ensembles.scores import shuffled_importance
from pages.results import trees
from pages.results.cache import kept
from pages.results.ensembles import grown
from pages.settings.settings import Settings


def with_yardstick(settings: Settings) -> tuple[Ensemble, str]:
    """The same ensemble grown with one more feature of random numbers, and the name of that feature."""
    return _with_yardstick(grown.key_of(settings), settings)


@kept(by_language=True)
def _with_yardstick(key: str, _settings: Settings) -> tuple[Ensemble, str]:
    data, name = with_random_column(trees.parts(_settings).train, _settings.ensembles.seed)
    return grown.grown_on(_settings, data), name


def permuted(settings: Settings, made: Ensemble, is_yardstick: bool) -> Mapping[str, ex.PermutationImportance] | None:
    """By how much the error rises when a feature is permuted, among each tree's out-of-bag rows or validation rows.

    None where validation rows of one class cannot get the random column.
    """
    valid = None if made.has_oob else trees.parts(settings).valid
    if valid is not None and is_yardstick:
        try:
            valid = with_random_column(valid, settings.ensembles.seed + 1)[0]
        except ex.InputError:
            return None
    key = f"{grown.key_of(settings)} {'' if valid is None else valid.fingerprint}"
    return _permuted(key, made.n_stages, is_yardstick, made, valid)


@kept()
def _permuted(
    key: str, n_stages: int, is_yardstick: bool, _made: Ensemble, _valid: ex.Dataset | None
) -> Mapping[str, ex.PermutationImportance]:
    if _valid is not None:
        return shuffled_importance(_made, _valid)
    by_feature = _made.permutation_importance()
    return {name: ex.PermutationImportance(found.losses) for name, found in by_feature.items()}
