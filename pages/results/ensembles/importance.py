"""The importance of the features: by impurity, by permutation, and beside a column of random numbers."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.ensembles.sample import with_random_column
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


def permuted(settings: Settings, made: Ensemble, is_yardstick: bool) -> Mapping[str, ex.PermutationImportance]:
    """By how much the error rises when a feature is permuted among out-of-bag rows, over the members."""
    return _permuted(grown.key_of(settings), made.n_stages, is_yardstick, made)


@kept()
def _permuted(key: str, n_stages: int, is_yardstick: bool, _made: Ensemble) -> Mapping[str, ex.PermutationImportance]:
    by_feature = _made.permutation_importance()
    return {name: ex.PermutationImportance(found.losses) for name, found in by_feature.items()}
