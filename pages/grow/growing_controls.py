"""Pickers of the Grow page: the algorithm and the options of growing."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.messages import listing, message
from pages.grow.of_columns import cost_tables, interaction_sets, monotone_table
from pages.results import connected_table, trees
from pages.settings import growing_options, session
from pages.settings.growing_options import Context, Option
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, growing_of
from pages.widgets.controls import feed

_LIMITS = (
    "max_depth",
    "max_leaf_nodes",
    "min_rows_split",
    "min_rows_leaf",
    "missing",
    "prepruning",
    "class_weights",
    "costs",
)
"""Options that stay when another algorithm is picked."""
_NONE = ""
"""Stands for None in a selectbox, which would show None as nothing chosen."""


def show(slot: str, settings: Settings) -> None:
    """The algorithm, its main settings, and the others folded away."""
    algorithm(slot, settings)
    option_widgets(slot, settings)


def algorithm(slot: str, settings: Settings) -> None:
    """ID3, C4.5 or CART."""
    st.segmented_control(
        message("Algorithm"),
        list(growing_options.RECIPES),
        key=feed(f"{slot}.recipe", trees.recipe(settings, slot).name),
        required=True,
        on_change=_algorithm_changed,
        args=(slot,),
        help=message("The algorithm sets which splits are tried and how they are compared."),
        width="stretch",
    )


def option_widgets(slot: str, settings: Settings) -> None:
    """The options of the recipe that apply; the main ones open, the rest folded away."""
    recipe = trees.recipe(settings, slot)
    context = Context.of(recipe, trees.data(settings), trees.parts(settings).valid is not None)
    for option in growing_options.shown(context, main=True):
        _option(slot, option, context)
    for remark in growing_options.remarks(context):
        st.caption(remark)
    with st.expander(message("More settings"), key=f"{slot}.more", on_change="rerun") as more:
        if more.open:  # a class that opens the page together opens few of them
            _further(slot, settings, context)
    monotone_table.show(slot, settings, context)
    interaction_sets.show(slot, settings, context)
    cost_tables.show(slot, settings, context)


def _further(slot: str, settings: Settings, context: Context) -> None:
    """The options that are folded away, the way back to the algorithm as it is, and what has no effect now."""
    for option in growing_options.shown(context, main=False):
        _option(slot, option, context)
    growing = growing_of(settings, slot)
    if growing.changes:
        st.button(
            message("Reset to {algorithm}", algorithm=growing.name or context.recipe.name),
            key=f"{slot}.reset",
            on_click=_reset,
            args=(slot, growing.name),
            width="stretch",
        )
    _absent(context)


def _absent(context: Context) -> None:
    """The options that mean nothing now, and what each of them needs."""
    with st.popover(message("Settings not shown"), width="stretch"):
        st.caption(message("These settings have no effect on this table with this algorithm."))
        lines = [
            message("**{option}** needs {condition}.", option=option.label, condition=option.needs)
            for option in growing_options.absent(context)
        ]
        for option in growing_options.OPTIONS:
            if option.applies(context) and option.left_out(context):
                target = message("classes") if context.is_regression else message("a numeric target")
                names = listing(option.left_out(context))
                lines.append(
                    message(
                        "**{option}**: {values} needs {condition}.", option=option.label, values=names, condition=target
                    )
                )
        st.markdown("\n\n".join(lines))  # one element: each costs the server as much as a short page's arithmetic


def _option(slot: str, option: Option, context: Context) -> None:
    """One option as the widget that suits it."""
    key = f"{slot}.{option.field}"
    value: growing_options.Value = getattr(context.recipe, option.field)
    args = (slot, option.field, key)
    if option.kind == "choice":
        choices = option.choices_in(context)
        shown = choices[0] if value is None else value
        _choice(option, choices, feed(key, _NONE if shown is None else shown), args)
    elif option.kind == "switch":
        st.toggle(option.label, key=feed(key, value), help=option.help, on_change=_option_set, args=args)
    else:
        _number(
            option, feed(key, int(value) if option.kind == "whole" and isinstance(value, (int, float)) else value), args
        )


def _choice(option: Option, choices: list[growing_options.Value], key: str, args: tuple[str, str, str]) -> None:
    st.selectbox(
        option.label,
        [_NONE if choice is None else choice for choice in choices],
        key=key,
        format_func=lambda choice: option.choices[None if choice == _NONE else choice],
        help=option.help,
        on_change=_option_set,
        args=args,
    )


def _number(option: Option, key: str, args: tuple[str, str, str]) -> None:
    """A whole or a broken number; an option with a word for "none" may be empty."""
    broken: dict[str, Any] = {"min_value": 0.0, "max_value": option.most, "step": 0.01, "format": "%.4g"}
    whole: dict[str, Any] = {"min_value": option.least, "step": 1}
    st.number_input(
        option.label,
        **(whole if option.kind == "whole" else broken),
        value=None if option.has_blank else "min",
        key=key,
        placeholder=option.blank or None,
        help=option.help,
        on_change=_option_set,
        args=args,
    )


def _option_set(slot: str, field: str, key: str) -> None:
    growing, default = trees.explicit(session.read(), slot), trees.recipe(session.read(), slot)
    value = st.session_state[key]
    _set_growing(slot, growing.with_change(field, None if value == _NONE else value).consistent(default))


def _algorithm_changed(slot: str) -> None:
    settings = session.read()
    changes = tuple(pair for pair in growing_of(settings, slot).changes if pair[0] in _LIMITS)
    growing = GrowSettings(st.session_state[f"{slot}.recipe"], changes)
    _set_growing(slot, connected_table.grown_from_counts(settings, growing))


def _reset(slot: str, name: str) -> None:
    """An algorithm as it is; without a name the first one of the slot."""
    growing = GrowSettings(name)
    _set_growing(slot, connected_table.grown_from_counts(session.read(), growing) if name else growing)


def _set_growing(slot: str, growing: GrowSettings) -> None:
    """Take the new recipe if a tree can be grown by it; else the old one stays and a message says why."""
    session.attempt(lambda settings: trees.check(settings, slot), **{slot: growing})
