"""The palette in force, with the colours that the reader gave to classes."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.palette import with_own_colours
from pages.results import trees
from pages.settings.settings import Settings


def palette(settings: Settings) -> str:
    """The palette's name, and after it the reader's own colours of classes."""
    own = dict(settings.view.class_colours)
    if not own:
        return settings.palette
    try:
        names = trees.class_names(settings)
    except ex.ExplorerError:
        return settings.palette
    return with_own_colours(settings.palette, {code: own[name] for code, name in enumerate(names) if name in own})
