"""The sections of a report on an ensemble, and the whole document."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture.of_ensemble import headings
from explorer.ensembles.report.provenance import EnsembleProvenance
from explorer.ensembles.report.script import ensemble_script
from explorer.errors import InputError
from explorer.export.report import FORMS
from explorer.export.report.blocks import Block, Grid, Listing, Paragraph, Points, Section, plain
from explorer.export.report.script import changed_fields
from explorer.export.report.sections import data_sections
from explorer.export.text import to_text
from explorer.formatting import number, visible
from explorer.messages import listing, message, plural

MOST_ROUNDS, MOST_TREES, MOST_NODES = 200, 3, 60
"""A report lists so many rounds, and shows the first trees, each up to so many nodes, as text."""
_PEERS: Mapping[str, Callable[[], str]] = {
    "constant": lambda: message("baseline"),
    "tree": lambda: message("single tree"),
    "pruned_tree": lambda: message("single tree, pruned by cross-validation"),
}
_ROWS: Mapping[str, Callable[[], str]] = {
    "training": lambda: message("training rows"),
    "validation": lambda: message("validation rows"),
    "oob": lambda: message("out-of-bag rows"),
}


def ensemble_report(provenance: EnsembleProvenance, form: str = "html") -> str:
    """The report of an ensemble, as "html" (a self-contained page) or "markdown"; InputError for another form."""
    if form not in FORMS:
        forms = listing(map(repr, FORMS))
        raise InputError(
            message("There is no report in the form {form!r}. Choose one of {forms}.", form=form, forms=forms)
        )
    title = message("Ensemble for {target}", target=visible(provenance.ensemble.target))
    return FORMS[form](title, ensemble_sections(provenance))


def ensemble_sections(provenance: EnsembleProvenance) -> list[Section]:
    """The whole report: data, method, scores beside the peers, rounds, the first trees, and the script."""
    ensemble = provenance.ensemble
    return [
        Section("", [Paragraph(_in_short(provenance))]),
        *data_sections(provenance.of_tree),
        Section(message("Method"), _method(provenance)),
        Section(message("Scores"), _scores(provenance)),
        Section(message("Rounds"), _rounds(provenance)),
        Section(message("First trees"), _trees(ensemble)),
        Section(message("Reproduce this ensemble"), [Listing(ensemble_script(provenance), "python")]),
    ]


def _in_short(provenance: EnsembleProvenance) -> str:
    ensemble = provenance.ensemble
    members = plural(len(ensemble.members), "{n:,} tree", "{n:,} trees")
    return message(
        "{method}: {members}, {stages} stages.",
        method=provenance.picture.method,
        members=members,
        stages=ensemble.n_stages,
    )


def _method(provenance: EnsembleProvenance) -> list[Block]:
    ensemble = provenance.ensemble
    lines = [[name, plain(value)] for name, value in _options(ensemble).items()]
    blocks: list[Block] = [Grid([message("option"), message("value")], lines)]
    remarks = [] if ensemble.ended is None else [ensemble.ended.text]
    remarks += [
        message("Tree {n} was grown again with splits chosen by hand.", n=member + 1) for member, _ in provenance.forced
    ]
    return [*blocks, Points(remarks)] if remarks else blocks


def _options(ensemble: Ensemble) -> dict[str, object]:
    """The options of the method, and the settings in which its trees differ from the named ones."""
    _, changes = changed_fields(ensemble.recipe)
    return {message("trees"): ensemble.recipe.name, **changes, **ensemble.options}


def _scores(provenance: EnsembleProvenance) -> list[Block]:
    """The score after the last stage on every set, and the peers on one of them."""
    picture = provenance.picture
    own = [[message("ensemble"), _ROWS[curve.of](), number(float(curve.values[-1]))] for curve in picture.curves]
    peers = [
        [_PEERS[name](), _ROWS[provenance.rows](), number(float(value))] for name, value in provenance.peers.items()
    ]
    head = [message("what"), message("rows"), picture.score_name]
    blocks: list[Block] = [Grid(head, [*own, *peers])]
    if provenance.rows == "oob":
        blocks.append(Paragraph(message("Beside out-of-bag scores stand cross-validated scores of the single trees.")))
    return blocks


def _rounds(provenance: EnsembleProvenance) -> list[Block]:
    facts = provenance.picture.facts
    names = headings(facts)
    shown = facts[:MOST_ROUNDS]
    lines = [[str(line.stage), *(line.texts.get(name, "–") for name in names)] for line in shown]
    blocks: list[Block] = [Grid([message("stage"), *names], lines)]
    if len(shown) < len(facts):
        blocks.append(Paragraph(message("The first {shown} of {n} stages.", shown=len(shown), n=len(facts))))
    return blocks


def _trees(ensemble: Ensemble) -> list[Block]:
    """The first trees as text, those of a readable size."""
    blocks: list[Block] = []
    for position, member in enumerate(ensemble.members[:MOST_TREES], 1):
        blocks.append(Paragraph(message("Tree {n}, vote {vote}:", n=position, vote=number(member.vote))))
        if member.tree.n_nodes <= MOST_NODES:
            blocks.append(Listing(to_text(member.tree)))
        else:
            blocks.append(Paragraph(message("{n:,} nodes, too many to print.", n=member.tree.n_nodes)))
    return blocks
