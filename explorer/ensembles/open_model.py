"""The one door for models: a file, whichever program wrote it, as a `Tree` or an `Ensemble`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from explorer.ensembles.members import Ensemble, ensemble_from_read
from explorer.errors import InputError
from explorer.foreign.content import Content
from explorer.foreign.formats import FORMATS, read_model
from explorer.tree.tree import Tree


def open_model(path_or_bytes: str | Path | bytes, name: str | None = None, target: str = "target") -> Tree | Ensemble:
    """The model in a file or folder (also zipped), or behind the bytes of a file: of other libraries, or saved here.

    The format is recognised from the content; `name` is what errors call it, the file's own name if it is None.
    `target` names what the model predicts where the file does not. Predictions are the library's own; what a file does
    not hold, such as numbers of rows, is left out (`tree.notes`), and `source` names the library. The bytes may come
    from anybody: nothing is unpickled or run. Raises InputError for what cannot be read.

    >>> import json
    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> open_model(json.dumps(tree.to_dict()).encode())
    <Tree for 'PlayTennis' by ID3: 5 leaves, depth 2>
    """
    content = Content.of(path_or_bytes, name)
    if "format" in content.names():
        is_ensemble = "members" in content.names()
        return Ensemble.from_dict(content.plain) if is_ensemble else Tree.from_dict(content.plain)
    read = read_model(content, target)
    return read if isinstance(read, Tree) else ensemble_from_read(read)


def is_model(content: bytes) -> bool:
    """Whether a file is meant as a model, damaged or not, rather than as a table: tables are written in JSON too.

    >>> is_model(b'{"format": 2, "recipe": {}, "target": "y"}'), is_model(b'{"format": ["a"], "recipe": ["b"]}')
    (True, False)
    """
    try:
        given = Content.of(content)
        if given.names() and _is_table(given.plain):
            return False
        return {"format", "recipe"} <= given.names() or any(known.holds(given) for known in FORMATS)
    except InputError:  # a file larger than models may be, or a damaged zip: whoever reads tables says so
        return False


def _is_table(record: Mapping[str, object]) -> bool:
    """Whether a record has a list, or a record, for every name: the columns of a table."""
    values = list(record.values())
    return any(all(isinstance(value, kind) for value in values) for kind in (list, Mapping))
