"""A member opened: its tree as the view reads it, its rows, and the candidates of its nodes."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.tree_view.payload import tree_payload
from explorer.ensembles.members import Ensemble
from pages.results import trees
from pages.results.cache import kept
from pages.results.ensembles import grown, pictures
from pages.settings.memo import remembered
from pages.settings.settings import Settings


def member_opened(settings: Settings, made: Ensemble) -> int | None:
    """The position of the member opened; None where the ensemble is shown, or has no such member."""
    position = settings.ensembles.member
    return position if position is not None and position < len(made.members) else None


def member_node(settings: Settings, made: Ensemble, position: int) -> int:
    """The node selected in a member; the root where the member has no such node."""
    node = settings.ensembles.node
    return node if node < made.members[position].tree.n_nodes_grown else 0


def _key(settings: Settings, made: Ensemble, position: int) -> str:
    return f"{grown.key_of(settings)} {made.n_stages} {position}"


def member_payload(settings: Settings, made: Ensemble, position: int) -> bytes:
    """The tree of a member as the view reads it."""
    return _payload(_key(settings, made, position), made.members[position].tree)


@kept(by_language=True)
def _payload(key: str, _tree: ex.Tree) -> bytes:
    return tree_payload(_tree)


@remembered
def member_data(settings: Settings, position: int) -> ex.Dataset:
    """The rows that a member was grown on, with their weights and targets."""
    made = grown.ensemble(settings)
    return _data(_key(settings, made, position), made, position, trees.parts(settings).train)


@kept()
def _data(key: str, _made: Ensemble, _position: int, _train: ex.Dataset) -> ex.Dataset:
    return _made.members[_position].data(_train)


def decision(settings: Settings, position: int, node: int) -> ex.Decision:
    """All candidates of a node of a member, those that were not drawn too; raises InputError."""
    made = grown.ensemble(settings)
    tree, data = made.members[position].tree, member_data(settings, position)
    return _decision(_key(settings, made, position), node, tree, data)


@kept()
def _decision(key: str, node: int, _tree: ex.Tree, _data: ex.Dataset) -> ex.Decision:
    return ex.decide(_tree, _data, node)


def path_of_row(settings: Settings, made: Ensemble, position: int) -> list[tuple[int, float]]:
    """The path of the row chosen through a member."""
    row = pictures.row_rows(settings)
    if row is None:
        return []
    return [(visit.node, visit.part) for visit in ex.row_path(made.members[position].tree, row).visits]
