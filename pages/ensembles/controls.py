"""The rail: the method, how many members, how large each is, and the options of the method."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.recipe.class_weights import Costs
from pages.ensembles import presets
from pages.grow.of_columns import cost_tables
from pages.results import ensembles, trees
from pages.settings import session
from pages.settings.ensemble_settings import (
    CRITERIA,
    FEATURE_DRAWS,
    LOSSES,
    METHODS,
    MOST_MEMBERS,
    UPDATES,
    VOTES,
    EnsembleSettings,
)
from pages.settings.growing_options import BY_FIELD
from pages.settings.labels import Names
from pages.settings.settings import Settings, changed
from pages.widgets.controls import feed

_MOST_SEED = 2**31 - 1
_MOST_DRAWN = 12
"""So many whole numbers of features are offered."""


def show(settings: Settings) -> None:
    """Everything that decides how the ensemble is grown."""
    asked, train = ensembles.explicit(settings), trees.parts(settings).train
    presets.show(settings)
    st.selectbox(
        message("Method"),
        ensembles.methods(train.is_regression),
        key=feed("en.method", asked.method),
        format_func=METHODS.__getitem__,
        on_change=_method_changed,
        help=message("How trees are grown: each on its own, or each on what those before it got wrong."),
    )
    _size(asked)
    with st.expander(message("Options of the method"), expanded=True):
        _options(asked, ensembles.losses(train), len(train.features))
    if asked.method in ensembles.WITH_COSTS and train.classes:
        _cost_table(asked.costs, train.classes)
    if settings.ensembles != EnsembleSettings():
        st.button(message("Reset"), key="en.reset", on_click=presets.reset, width="stretch")


def _size(asked: EnsembleSettings) -> None:
    """How many members there are, and how large each may be."""
    if asked.method in ("forest", "bagging", "extra_trees"):
        label, meaning = message("Trees"), message("How many trees vote.")
    else:
        label = message("Rounds")
        meaning = message(
            "Each round grows one tree; gradient and Newton boosting of more than two classes grow one for each class."
        )
    _whole("members", label, asked.members or 1, 1, MOST_MEMBERS, meaning)
    st.number_input(
        message("Max. depth"),
        min_value=1,
        step=1,
        value=None,
        placeholder=message("no limit"),
        key=feed("en.depth", asked.depth or None),
        on_change=_depth_changed,
        help=message("Of each tree. Boosting uses small trees, a forest full-grown ones."),
    )
    if asked.method != "newton_boosting":
        label = message("Min. samples per leaf")
        _whole("leaf", label, asked.leaf or 1, 1, 10_000, message("Rows in each leaf at least."))
    else:
        help_text = message("Sum of second derivatives h in each branch at least; for squared error, rows.")
        _broken("min_child_weight", message("Min. child weight"), asked.min_child_weight, (0.0, 1e9), 0.5, help_text)


def _options(asked: EnsembleSettings, losses: Sequence[str], n_features: int) -> None:
    """What only this method has."""
    if asked.method in ("forest", "extra_trees"):
        _draws(asked, n_features)
    if asked.method == "forest":
        st.toggle(
            message("Bootstrap"),
            key=feed("en.bootstrap", asked.bootstrap),
            on_change=_take,
            args=("bootstrap",),
            help=message("Each tree is grown on n rows drawn with replacement. Rows not drawn are out of bag."),
        )
    if asked.method == "gradient_boosting":
        _gradient(asked, losses)
    if asked.method == "adaboost":
        _choice("criterion", message("Splits compete by"), CRITERIA, tuple(CRITERIA), asked.criterion)
        _choice("vote", message("Vote α"), VOTES, tuple(VOTES), asked.vote, _about_votes())
        _rate(asked)
    if asked.method == "c50":
        _choice("update", message("Update of the weights"), UPDATES, tuple(UPDATES), asked.update)
    if asked.method == "newton_boosting":
        _newton(asked, losses)
    if asked.method not in ("adaboost", "c50", "newton_boosting"):
        help_text = message("The same seed gives the same ensemble, on any computer.")
        _whole("seed", message("Seed"), asked.seed, 0, _MOST_SEED, help_text)


def _gradient(asked: EnsembleSettings, losses: Sequence[str]) -> None:
    _choice("loss", message("Loss"), LOSSES, losses, asked.loss)
    _start(asked, losses)
    if asked.loss == "huber":
        st.number_input(
            message("δ"),
            min_value=0.0,
            value=None,
            placeholder=message("α-quantile of |r|, anew each round"),
            key=feed("en.delta", asked.delta),
            on_change=_take,
            args=("delta",),
            help=message("Residuals up to δ count as squares, larger ones by their size."),
        )
    if asked.loss in ("huber", "quantile"):
        _broken("alpha", message("α"), asked.alpha, (0.001, 0.999), 0.05, message("The quantile: 0.5 is the median."))
    _rate(asked)
    help_text = message("Share of the rows drawn for each round, without replacement.")
    _broken("subsample", message("Subsample"), asked.subsample, (0.01, 1.0), 0.1, help_text)


def _start(asked: EnsembleSettings, losses: Sequence[str]) -> None:
    """F₀, where the target is a number."""
    if "squared_error" in losses:
        st.number_input(
            message("Start F₀"),
            value=None,
            placeholder=message("best constant"),
            key=feed("en.start", asked.start),
            on_change=_take,
            args=("start",),
            help=message("The prediction before the first round. Li Hang starts at 0."),
        )


def _newton(asked: EnsembleSettings, losses: Sequence[str]) -> None:
    _start(asked, losses)
    _rate(asked)
    help_text = message("λ in G²/(H + λ): it shrinks leaves with few rows.")
    _broken("reg_lambda", message("λ"), asked.reg_lambda, (0.0, 1e6), 0.5, help_text)
    help_text = message("Splits with a smaller gain are pruned afterwards. The library’s γ: twice that of the paper.")
    _broken("gamma", message("γ"), asked.gamma, (0.0, 1e12), 0.5, help_text)


def _rate(asked: EnsembleSettings) -> None:
    help_text = message("What each tree predicts is multiplied by ν.")
    _broken("rate", message("Learning rate ν"), asked.rate or 0.0, (0.001, 10.0), 0.1, help_text)


def _draws(asked: EnsembleSettings, n_features: int) -> None:
    """How many features are drawn at a node."""
    numbers = [str(count) for count in range(1, min(n_features, _MOST_DRAWN) + 1)]
    offered = [*FEATURE_DRAWS, *numbers, *([] if asked.draws in (*FEATURE_DRAWS, *numbers) else [asked.draws])]
    st.selectbox(
        message("Features per split"),
        offered,
        key=feed("en.draws", asked.draws),
        format_func=lambda name: FEATURE_DRAWS.get(name, name),
        on_change=_take,
        args=("draws",),
        help=message("So many are drawn at each node; the others are listed as “not drawn”, with their gain."),
    )


def _cost_table(costs: Costs, classes: Sequence[object]) -> None:
    """The table, once it is wanted: it loads much; costs name classes by their codes."""
    with st.expander(BY_FIELD["costs"].label, expanded=bool(costs), key="en.cost_table", on_change="rerun") as opened:
        if opened.open:
            frame = cost_tables.frame_of_costs(costs, range(len(classes)), classes)
            cost_tables.editor("en", BY_FIELD["costs"], frame, _costs_typed)


def _costs_typed(_: str, field: str, key: str) -> None:
    """Take what was typed if an ensemble can be grown by it; else say why, and leave it in the table."""
    settings = session.read()
    asked, classes = ensembles.explicit(settings), trees.parts(settings).train.classes
    codes = list(range(len(classes)))
    frame = cost_tables.typed_into(cost_tables.frame_of_costs(asked.costs, codes, classes), key)
    try:
        costs = cost_tables.value_of(frame, field, codes)
    except ex.InputError as error:
        session.notify("error", message("{error} Nothing was changed.", error=error))
        return
    session.attempt(ensembles.check, ensembles=ensembles.with_option(settings, costs=costs or ()))


def _about_votes() -> str:
    return message("SAMME: α = ln((1 − ε)/ε) + ln(K − 1) for K classes. M1: α = ½ ln((1 − ε)/ε), as in Li Hang.")


def _choice(field: str, label: str, names: Names, offered: Sequence[str], value: str, about: str | None = None) -> None:
    st.selectbox(
        label,
        offered,
        key=feed(f"en.{field}", value),
        format_func=names.__getitem__,
        on_change=_take,
        args=(field,),
        help=about,
    )


def _whole(field: str, label: str, value: int, least: int, most: int, help_text: str) -> None:
    st.number_input(
        label,
        min_value=least,
        max_value=most,
        step=1,
        key=feed(f"en.{field}", min(max(value, least), most)),
        on_change=_take,
        args=(field,),
        help=help_text,
    )


def _broken(field: str, label: str, value: float, bounds: tuple[float, float], step: float, help_text: str) -> None:
    st.number_input(
        label,
        min_value=bounds[0],
        max_value=bounds[1],
        step=step,
        format="%.4g",
        key=feed(f"en.{field}", min(max(float(value), bounds[0]), bounds[1])),
        on_change=_take,
        args=(field,),
        help=help_text,
    )


def _take(field: str) -> None:
    """Take an option if an ensemble can be grown with it; else the old one stays and a message says why."""
    _attempt(**{field: st.session_state[f"en.{field}"]})


def _depth_changed() -> None:
    _attempt(depth=st.session_state["en.depth"] or 0)


def _method_changed() -> None:
    """Another method begins with its own options; seed and row stay."""
    before = session.read().ensembles
    method = EnsembleSettings(method=st.session_state["en.method"], seed=before.seed, row=before.row)
    session.attempt(ensembles.check, ensembles=method)


def _attempt(**changes: object) -> None:
    session.attempt(ensembles.check, ensembles=ensembles.with_option(session.read(), **changes))


def switch_losses() -> None:
    """Show three losses side by side, or one."""
    settings = session.read()
    chosen = ensembles.with_option(settings, losses=not settings.ensembles.losses)
    session.keep(changed(settings, ensembles=chosen))
