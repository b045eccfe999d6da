"""The ensemble as files to download: report, script, JSON, predictions and the picture as a web page."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.ensembles.report import EnsembleProvenance, ensemble_report, ensemble_script, predictions_frame
from explorer.export.plain_csv import plain_csv
from explorer.messages import message
from pages.results import class_colours, ensembles, provenance, trees
from pages.settings.settings import Settings, how_read
from pages.widgets.downloads import File, Files


def of_settings(settings: Settings) -> Files:
    """All files of the ensemble in use."""
    made = ensembles.ensemble(settings)
    about = partial(_about, settings, made)
    return {
        message("Report"): [
            _file("report.html", message("Report"), message("Data, method, scores, rounds."), lambda: _html(about())),
            _file("report.md", "Markdown", message("Data, method, scores, rounds."), lambda: _markdown(about())),
            _file(
                "again.py",
                message("Script"),
                message("Python code that grows this ensemble again."),
                lambda: ensemble_script(about()),
            ),
        ],
        message("Picture"): [
            _file(
                "ensemble.html",
                message("Web page"),
                message("Interactive with its slider, works offline."),
                partial(_page, settings),
            )
        ],
        message("Data"): [
            _file("ensemble.json", "JSON", message("Every tree, for programs."), partial(_json, made, settings)),
            _file(
                "predictions.csv", "CSV", message("What it predicts for every row."), partial(_predictions, settings)
            ),
        ],
    }


def _file(name: str, label: str, purpose: str, make: object) -> File:
    return File(label, name, purpose, make)  # type: ignore[arg-type]


def _about(settings: Settings, made: Ensemble) -> EnsembleProvenance:
    """The ensemble with its table, its rows and its peers."""
    rows = ensembles.row_set(settings, made)
    picture = ensembles.picture(settings)
    single = ex.grow(trees.parts(settings).train, ex.CART.replace(min_rows_leaf=ensembles.explicit(settings).leaf))
    return EnsembleProvenance(
        of_tree=provenance.of_tree(settings, single),
        ensemble=made,
        picture=picture,
        rows=rows,
        peers={baseline.of: baseline.value for baseline in picture.baselines},
        forced=settings.ensembles.forced,
    )


def _html(about: EnsembleProvenance) -> str:
    return ensemble_report(about, "html")


def _markdown(about: EnsembleProvenance) -> str:
    return ensemble_report(about, "markdown")


def _json(made: Ensemble, settings: Settings) -> str:
    saved = replace(made, table_settings=how_read(settings))
    return json.dumps(saved.to_dict(with_rows=False), ensure_ascii=False, allow_nan=False)


def _predictions(settings: Settings) -> str:
    """One line per row of the table, with the part that it is in."""
    parts = trees.parts(settings)
    named = {"training": parts.train, "validation": parts.valid, "test": parts.test}
    return plain_csv(predictions_frame(ensembles.ensemble(settings), named))


def _page(settings: Settings) -> str:
    from explorer.drawing.ensemble_view.html import to_html

    title = trees.source(settings).name
    return to_html(ensembles.picture(settings), title, palette=class_colours.palette(settings))
