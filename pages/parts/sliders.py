"""The slider of a page, for the web page that is taken away of it."""

from __future__ import annotations

from dataclasses import dataclass

import explorer as ex
from pages.parts import cached, choosing, films, trees
from pages.parts.state import Settings


@dataclass(frozen=True)
class Slider:
    """A tree, the pack of its sequence or film, where the slider stands, and what was done by hand since."""

    tree: ex.Tree
    content: bytes
    position: int
    hand: tuple[tuple[str, int], ...] = ()

    def page(self, palette: str) -> str:
        """The tree with this slider as a page that stands alone."""
        return ex.to_html(self.tree, self.content, palette, self.position, self.hand)


def alpha_slider(settings: Settings) -> Slider:
    """α with its curves, where the settings have it."""
    path = cached.path(settings)
    content = cached.sequence_pack(settings, choosing.known_folds(settings))
    return Slider(path.tree, content, trees.position(settings, path), trees.known_hand(settings, path.tree))


def method_slider(settings: Settings, method: str) -> Slider:
    """The steps of a method, at their end."""
    film = films.film(settings, method)
    return Slider(film.tree, film.content, film.begin)
