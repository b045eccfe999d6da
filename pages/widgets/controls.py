"""Pickers. Every widget is fed from the settings before it is drawn and changes them when it is used.

A widget's own value is never trusted over a page switch: `feed` writes the settings' value under the widget's key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

import explorer as ex
from explorer.evaluation.folds import folds_for, most_folds
from explorer.messages import message, plural
from explorer.tree.base_tree import MOST_LETTERS, is_action
from pages.results import trees
from pages.results.cross_validation import n_folds
from pages.settings import labels, session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown

_WIDTH = 150
_FOLDS = (5, 10)


def feed(key: str, value: object) -> str:
    """Write the value under the key of the widget that comes next; gives the key."""
    st.session_state[key] = value
    return key


def lasting(key: str, first: object = None) -> str:
    """The key of the widget that comes next, whose value outlives a visit to another tab or page of the session.

    `first` is the value to begin with.
    """
    kept = f"{key}.kept"
    if key in st.session_state:
        st.session_state[kept] = st.session_state[key]
    else:
        st.session_state[key] = st.session_state.get(kept, first)
    return key


def feed_typed(key: str, value: object) -> str:
    """As `feed`, for a field into which one types: what is not yet sent stays, unless the value has to be another.

    The key alone identifies the widget, also under another label.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return key


def quiet_button(
    label: str, key: str, icon: str, on_click: Callable[..., None], *args: object, about: str | None = None
) -> None:
    """A button without a frame, with the Material icon of a name; "" is none."""
    sign = f":material/{icon}:" if icon else None
    st.button(label, key=key, icon=sign, type="tertiary", on_click=on_click, args=args, help=about)


def choose(label: str, field: str, names: dict[str, str], settings: Settings, help_text: str) -> None:
    """A selectbox bound to one field of the settings; the choice is taken if the data allow it."""
    st.selectbox(
        label,
        list(names),
        key=feed(f"choose.{field}", getattr(settings, field)),
        format_func=lambda name: names[name],
        on_change=_keep_allowed_value,
        args=(field, f"choose.{field}"),
        help=help_text,
        width=300,
    )


def count(
    label: str, field: str, bounds: tuple[int, int], settings: Settings, help_text: str, where: str = "count"
) -> None:
    """A whole number bound to one field of the settings; `where` distinguishes two controls of one field."""
    st.number_input(
        label,
        min_value=bounds[0],
        max_value=bounds[1],
        step=1,
        key=feed(f"{where}.{field}", getattr(settings, field)),
        on_change=_keep_allowed_value,
        args=(field, f"{where}.{field}"),
        help=help_text,
        width=_WIDTH,
    )


def folds(settings: Settings, where: str = "") -> None:
    """The number of folds, and the seed of their assignment; `where` as in `count`."""
    key, in_force = f"{where}.folds" if where else "folds", n_folds(settings)
    most = most_folds(trees.parts(settings).train)
    st.segmented_control(
        message("Folds"),
        sorted({*(few for few in _FOLDS if few <= most), in_force}),
        key=feed(key, in_force),
        required=True,
        on_change=keep_value,
        args=("folds", key),
        help=_about_folds(settings),
    )
    seed_help = message("The same seed gives the same folds.")
    count(message("Seed of the folds"), "fold_seed", (0, 2**31 - 1), settings, seed_help, where or "count")
    division = trees.parts(settings).train.division
    if division is not None and division.kind == "time":
        _window(settings, where or "count")


def _window(settings: Settings, where: str) -> None:
    """Of folds in the order of time, how many rows before a fold its tree does not grow on, and on how many it does."""
    most = trees.parts(settings).train.n_rows
    gap_help = message("So many rows right before a fold are left out of its training rows: gap of TimeSeriesSplit.")
    size_help = message(
        "The tree of a fold grows on at most so many rows before it, 0 for all: max_train_size of TimeSeriesSplit."
    )
    for label, field, about in (
        (message("Gap before a fold, rows"), "fold_gap", gap_help),
        (message("Most rows to grow on"), "fold_rows", size_help),
    ):
        st.number_input(
            label,
            min_value=0,
            max_value=max(most, getattr(settings, field)),
            step=1,
            key=feed(f"{where}.{field}", getattr(settings, field)),
            on_change=_keep_window,
            args=(field, f"{where}.{field}"),
            help=about,
            width=_WIDTH,
        )


def _keep_window(field: str, key: str) -> None:
    session.attempt(_check_folds, **{field: st.session_state[key]})


def _check_folds(settings: Settings) -> None:
    """Raise InputError where a fold has no rows to grow on."""
    train = trees.parts(settings).train
    for _ in folds_for(train, n_folds(settings), settings.fold_seed).subsets():
        pass


def _about_folds(settings: Settings) -> str:
    division = trees.parts(settings).train.division
    if division is None:
        return message("The rows are divided into this many folds; each fold evaluates trees grown on the others.")
    column = escape_markdown(division.name)
    if division.kind == "time":
        return message(
            "The later rows are cut into this many folds in the order of {column}; each fold evaluates trees grown on "
            "earlier rows.",
            column=column,
        )
    return plural(
        len(division.counts),
        "The {n:,} value of {column} is dealt out to this many folds; each fold evaluates trees grown on the others.",
        "The {n:,} values of {column} are dealt out to this many folds; each fold evaluates trees grown on the others.",
        column=column,
    )


def keep_value(field: str, key: str) -> None:
    """Take a widget's value into a field of the settings that suits any data."""
    session.keep(changed(session.read(), **{field: st.session_state[key]}))


def _keep_allowed_value(field: str, key: str) -> None:
    session.attempt(trees.check_rows, **{field: st.session_state[key]})


def pick(label: str, names: Sequence[str], key: str, help_text: str) -> str:
    """A passing choice that no other page needs; begins with the first."""
    chosen: str = st.selectbox(label, names, key=key, help=help_text)
    return chosen


def confidence(settings: Settings, label: str, where: str, help_text: str) -> None:
    """The confidence, bound to the settings; `where` keeps its key apart from that of another section."""
    least, most = labels.CONFIDENCES
    key = f"{where}.confidence"
    st.number_input(
        label,
        min_value=least,
        max_value=most,
        step=0.05,
        format="%.3g",
        key=feed(key, settings.confidence),
        on_change=keep_value,
        args=("confidence", key),
        help=help_text,
    )


def limit(settings: Settings, label: str, where: str) -> None:
    """The upper limit, bound to the settings."""
    key = f"{where}.limit"
    st.selectbox(
        label,
        list(labels.LIMITS),
        key=feed(key, settings.limit),
        format_func=lambda name: labels.LIMITS[name],
        on_change=keep_value,
        args=("limit", key),
        help=message("How the upper confidence limit of the error rate is computed."),
    )


def smoothing(settings: Settings, tree: ex.Tree) -> None:
    """How class probabilities are smoothed, one choice for all pages; nothing for a tree that predicts numbers."""
    if tree.is_regression:
        return
    st.selectbox(
        message("Probabilities"),
        list(labels.SMOOTHINGS),
        key=feed("smoothing", settings.smoothing),
        format_func=lambda name: labels.SMOOTHINGS[name],
        on_change=_take_smoothing,
        args=("smoothing",),
        help=message(
            "Laplace adds one row of every class to a leaf; the m-estimate adds m rows with the class shares of the "
            "root (C5.0 predicts with m = 1). Small leaves then claim less certainty. Predictions stay the same; log "
            "loss, AUC and calibration change."
        ),
    )
    if settings.smoothing == "m_estimate":
        least, most = labels.SMOOTHING_ROWS
        st.number_input(
            message("m, rows added"),
            min_value=least,
            max_value=most,
            step=1.0,
            format="%g",
            key=feed("smoothing_m", settings.smoothing_m),
            on_change=_take_smoothing,
            args=("smoothing_m",),
        )

    decision(tree)


def decision(tree: ex.Tree) -> None:
    """From which probability on a class is predicted, where the reader chose one, and the way back."""
    if tree.decision is None:
        return
    st.caption(escape_markdown(tree.decision.sentence))
    st.button(
        message("Predict the likelier class"),
        key="decide.off",
        on_click=lambda: session.keep(changed(session.read(), decide=())),
    )


def leaf_action(tree: ex.Tree, nodes: Sequence[int], key: str) -> None:
    """What to do with the rows of nodes, a text for all of them; it begins with the one that they have in common."""
    texts = {str(tree.node_actions[node]) for node in nodes}
    st.text_input(
        message("Action for this leaf") if len(nodes) == 1 else message("Action for these leaves"),
        key=feed(f"action.{key}", texts.pop() if len(texts) == 1 else ""),
        max_chars=MOST_LETTERS,
        on_change=_take_action,
        args=(tuple(nodes), f"action.{key}"),
        help=message("What to do with such rows. Rules, predictions, the saved tree and the exports say it."),
    )


def _take_action(nodes: Sequence[int], key: str) -> None:
    settings, text = session.read(), str(st.session_state[key] or "").strip()
    actions = {node: each for node, each in settings.actions if node not in nodes}
    if is_action(text):
        actions |= dict.fromkeys(nodes, text)
    session.keep(changed(settings, actions=tuple(sorted(actions.items()))))


def _take_smoothing(field: str) -> None:
    session.keep(changed(session.read(), **{field: st.session_state[field]}))
