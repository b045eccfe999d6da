"""A tree with its provenance: as a report to read, and as a script that grows it again."""

from explorer.errors import InputError
from explorer.export.report.html import page
from explorer.export.report.markdown import markdown
from explorer.export.report.provenance import Provenance
from explorer.export.report.script import to_script
from explorer.export.report.sections import sections, title
from explorer.messages import listing, message

FORMS = {"html": page, "markdown": markdown}


def to_report(provenance: Provenance, form: str = "html", palette: str = "safe") -> str:
    """The report of a tree, as "html" (a self-contained page) or "markdown"; InputError for another form.

    It describes table, columns, rows, settings, pruning and scores, and has the tree and a script that grows it again.
    `palette` names the colours of the picture.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> table = load_sample("play_tennis")
    >>> data = Dataset.from_frame(table.frame, "PlayTennis")
    >>> provenance = Provenance(table, data, grow(data, ID3), (data,), sample="play_tennis")
    >>> print(to_report(provenance, "markdown").splitlines()[2])
    ID3: 5 leaves, depth 2. Training set: 14 rows of the built-in table “Play tennis?”.
    """
    if form not in FORMS:
        forms = listing(map(repr, FORMS))
        raise InputError(
            message("There is no report in the form {form!r}. Choose one of {forms}.", form=form, forms=forms)
        )
    return FORMS[form](title(provenance), sections(provenance, palette))


__all__ = ["Provenance", "to_report", "to_script"]
