"""A Python script that grows an ensemble again, from its table to its scores."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.ensembles.report.provenance import EnsembleProvenance
from explorer.export.python import escape_unseen
from explorer.export.report.script import call_text, data_lines, recipe_line

FUNCTIONS = {"gradient_boosting": "gradient_boost", "newton_boosting": "newton_boost"}
"""The functions of the package where they are not called as the method is."""


def ensemble_script(provenance: EnsembleProvenance) -> str:
    """The script; run where Python finds the package, it ends with the same `ensemble` and the same scores."""
    steps = (_growing, _regrowing, _scores)
    lines = [*data_lines(provenance.of_tree), *(line for step in steps for line in step(provenance))]
    return escape_unseen("\n".join(lines) + "\n")


def _growing(provenance: EnsembleProvenance) -> Iterator[str]:
    ensemble = provenance.ensemble
    arguments = {name: value for name, value in ensemble.options.items() if value is not None}
    yield ""
    first = "train"
    if ensemble.method != "newton_boosting":
        yield recipe_line(ensemble.recipe)
        first = "train, recipe"
    function = FUNCTIONS.get(ensemble.method, ensemble.method)
    yield f"ensemble = {call_text(f'ex.{function}', arguments, first=first)}"


def _regrowing(provenance: EnsembleProvenance) -> Iterator[str]:
    """Members that were grown again with splits chosen by hand."""
    for member, choices in provenance.forced:
        yield choices.to_code()
        yield f"ensemble = ex.regrown(ensemble, {member}, choices)"


def _scores(provenance: EnsembleProvenance) -> Iterator[str]:
    named = ["train", "valid"][: len(provenance.of_tree.scored_sets)]
    yield ""
    yield 'print(f"{len(ensemble.members)} members, {ensemble.n_stages} stages")'
    for name in named:
        yield f'print(f"{name}: {{ensemble.staged_scores({name})[-1]:.6g}}")'
