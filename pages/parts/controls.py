"""Pickers. Every widget is fed from the settings before it is drawn and changes them when it is used.

A widget's own value is never trusted over a page switch: `feed` writes the settings' value under the widget's key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import cached, options, state, weighing
from pages.parts.options import Context, Option
from pages.parts.state import Growing, Settings

_WIDTH = 150
_WIDE = 240
_CHOICE = 215
_FOLDS = (5, 10)
_FOLDS_HELP = "The rows are dealt into so many parts; each part judges trees grown on all the others."
_LIMITS = ("max_depth", "min_rows_split", "min_rows_leaf", "missing", "prepruning", "class_weights", "costs")
"""Options that stay when another algorithm is picked."""


def feed(key: str, value: object) -> str:
    """Write the value under the key of the widget that comes next; gives the key."""
    st.session_state[key] = value
    return key


def algorithm(slot: str, settings: Settings) -> None:
    """ID3, C4.5 or CART."""
    st.segmented_control(
        "Algorithm",
        list(options.RECIPES),
        key=feed(f"{slot}.recipe", cached.recipe(settings, slot).name),
        required=True,
        on_change=_algorithm_picked,
        args=(slot,),
        help="Three settings of one grower: what a test may ask, and how tests compete.",
    )


def growing_options(slot: str, settings: Settings) -> None:
    """The options of the recipe that apply; the main ones open, the rest folded away."""
    recipe = cached.recipe(settings, slot)
    context = Context.of(recipe, cached.data(settings), cached.parts(settings).valid is not None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for option in options.shown(context, main=True):
            _option(slot, option, context)
    for remark in options.remarks(context):
        st.caption(remark)
    with st.expander("More options"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for option in options.shown(context, main=False):
                _option(slot, option, context)
        growing = state.growing_of(settings, slot)
        if growing.changes:
            st.button(
                "Back to the book’s settings",
                key=f"{slot}.reset",
                on_click=_set_growing,
                args=(slot, Growing(growing.name)),
            )
        _absent(context)
    weighing.show(slot, settings, context)


def _absent(context: Context) -> None:
    """The options that mean nothing now, and what each of them needs."""
    with st.popover("Why is … not here?", help="Options that mean nothing for this table and these settings."):
        for option in options.absent(context):
            st.markdown(f"**{option.label}** needs {option.needs}.")
        for option in options.OPTIONS:
            if option.applies(context) and option.left_out(context):
                target = "classes" if context.is_regression else "a numeric target"
                st.markdown(f"**{option.label}**: {', '.join(option.left_out(context))}. This needs {target}.")


def _option(slot: str, option: Option, context: Context) -> None:
    """One option as the widget that suits it."""
    key = f"{slot}.{option.field}"
    value: options.Value = getattr(context.recipe, option.field)
    args = (slot, option.field, key)
    if option.kind == "choice":
        choices = option.choices_in(context)
        _choice(option, choices, feed(key, value if value is not None else choices[0]), args)
    elif option.kind == "switch":
        with st.container(width=_WIDE):
            st.toggle(option.label, key=feed(key, value), help=option.help, on_change=_option_set, args=args)
    else:
        _number(
            option, feed(key, int(value) if option.kind == "whole" and isinstance(value, (int, float)) else value), args
        )


def _choice(option: Option, choices: list[options.Value], key: str, args: tuple[str, str, str]) -> None:
    st.selectbox(
        option.label,
        choices,
        key=key,
        format_func=lambda choice: option.choices[choice],
        width=_CHOICE if option.is_main else _WIDE,
        help=option.help,
        on_change=_option_set,
        args=args,
    )


def _number(option: Option, key: str, args: tuple[str, str, str]) -> None:
    """A whole or a broken number; an option with a word for "none" may be empty."""
    broken: dict[str, Any] = {"min_value": 0.0, "max_value": option.most, "step": 0.01, "format": "%.4g"}
    whole: dict[str, Any] = {"min_value": 2 if option.field == "bins" else 0, "step": 1}
    st.number_input(
        option.label,
        **(whole if option.kind == "whole" else broken),
        value=None if option.blank else "min",
        key=key,
        placeholder=option.blank or None,
        width=_WIDTH if option.is_main else _CHOICE,
        help=option.help,
        on_change=_option_set,
        args=args,
    )


def _option_set(slot: str, field: str, key: str) -> None:
    growing = state.growing_of(state.read(), slot)
    default = cached.recipe(state.read(), slot)
    _set_growing(slot, growing.with_change(field, st.session_state[key]).consistent(default))


def _algorithm_picked(slot: str) -> None:
    growing = state.growing_of(state.read(), slot)
    kept = tuple(pair for pair in growing.changes if pair[0] in _LIMITS)
    _set_growing(slot, Growing(st.session_state[f"{slot}.recipe"], kept))


def _set_growing(slot: str, growing: Growing) -> None:
    """Take the new recipe if a tree can be grown by it; else the old one stays and a message says why."""
    state.attempt(lambda settings: cached.grown(settings, slot), **{slot: growing})


def choose(label: str, field: str, names: dict[str, str], settings: Settings, help_text: str) -> None:
    """A selectbox bound to one field of the settings; the choice is taken if the data allow it."""
    st.selectbox(
        label,
        list(names),
        key=feed(f"choose.{field}", getattr(settings, field)),
        format_func=lambda name: names[name],
        on_change=_field_set,
        args=(field, f"choose.{field}"),
        help=help_text,
        width=300,
    )


def count(
    label: str, field: str, bounds: tuple[int, int], settings: Settings, help_text: str, where: str = "count"
) -> None:
    """A whole number bound to one field of the settings; `where` tells two of the same field on a page apart."""
    st.number_input(
        label,
        min_value=bounds[0],
        max_value=bounds[1],
        step=1,
        key=feed(f"{where}.{field}", getattr(settings, field)),
        on_change=_field_set,
        args=(field, f"{where}.{field}"),
        help=help_text,
        width=_WIDTH,
    )


def folds(settings: Settings, help_text: str = _FOLDS_HELP, where: str = "") -> None:
    """Into how many folds rows are dealt, and the seed of the dealing; `where` as in `count`."""
    key = f"{where}.folds" if where else "folds"
    st.segmented_control(
        "Folds",
        sorted({*_FOLDS, settings.folds}),
        key=feed(key, settings.folds),
        required=True,
        on_change=taken,
        args=("folds", key),
        help=help_text,
    )
    seed_help = "The same seed deals the rows into the same folds."
    count("Seed of the folds", "fold_seed", (0, 2**31 - 1), settings, seed_help, where or "count")


def taken(field: str, key: str) -> None:
    """Take a widget's value into a field of the settings that suits any data."""
    state.keep(state.changed(state.read(), **{field: st.session_state[key]}))


def _field_set(field: str, key: str) -> None:
    state.attempt(cached.parts, **{field: st.session_state[key]})


def pick(label: str, names: Sequence[str], key: str, help_text: str) -> str:
    """A passing choice that no other page needs; begins with the first."""
    chosen: str = st.selectbox(label, names, key=key, help=help_text)
    return chosen
