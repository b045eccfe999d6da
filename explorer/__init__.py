"""Decision Tree Explorer: how a decision tree is grown, and how it is cut back.

>>> import explorer as ex
>>> data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, target="PlayTennis")
>>> tree = ex.grow(data, ex.ID3)
>>> round(ex.decide(tree, data, 0).chosen.gain, 3)
0.247
"""

from explorer.candidates import Candidate
from explorer.choices import Choice, Choices, Place, Question
from explorer.conditions import Condition
from explorer.dataset import Dataset
from explorer.decide import Decision, decide
from explorer.draw.svg import to_svg
from explorer.errors import ExplorerError, InputError, Stopped
from explorer.export import to_dot, to_text
from explorer.grow import grow
from explorer.node import Node
from explorer.parting import missing_ways
from explorer.prune import (
    Path,
    Pruned,
    closed_at,
    cost_complexity_path,
    description_bits,
    given_alpha_steps,
    mdl_prune,
    mdl_steps,
    pessimistic_prune,
    pessimistic_steps,
    prune_at_alpha,
    prune_by_hand,
    prune_methods,
    reduced_error_prune,
    reduced_error_steps,
    upper_error,
)
from explorer.read import Table, read_table
from explorer.recipe import C45, CART, ID3, Recipe
from explorer.resample import CrossValidation, cross_validate_path
from explorer.samples import SAMPLES, load_sample
from explorer.steering import Standing, standings
from explorer.tree import Tree
from explorer.warm import warm_up

__all__ = [
    "C45",
    "CART",
    "ID3",
    "SAMPLES",
    "Candidate",
    "Choice",
    "Choices",
    "Condition",
    "CrossValidation",
    "Dataset",
    "Decision",
    "ExplorerError",
    "InputError",
    "Node",
    "Path",
    "Place",
    "Pruned",
    "Question",
    "Recipe",
    "Standing",
    "Stopped",
    "Table",
    "Tree",
    "closed_at",
    "cost_complexity_path",
    "cross_validate_path",
    "decide",
    "description_bits",
    "given_alpha_steps",
    "grow",
    "load_sample",
    "mdl_prune",
    "mdl_steps",
    "missing_ways",
    "pessimistic_prune",
    "pessimistic_steps",
    "prune_at_alpha",
    "prune_by_hand",
    "prune_methods",
    "read_table",
    "reduced_error_prune",
    "reduced_error_steps",
    "standings",
    "to_dot",
    "to_svg",
    "to_text",
    "upper_error",
    "warm_up",
]
