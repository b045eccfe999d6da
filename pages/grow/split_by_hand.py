"""Splitting by hand: a split of one's own with its numbers, a leaf, a feature excluded. All numbers are fields."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.candidates.custom_split import Profile
from explorer.data.codes.dates import days_to, has_times, moment_of
from explorer.data.codes.scale import Dates, Ordered
from explorer.drawing.figures.split_chart import category_chart, round_step, threshold_chart
from explorer.formatting import number_text, shortened, value_text, visible
from explorer.messages import message
from explorer.recipe.columns import USED_UP
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.split_score import SCORES
from pages.grow import branches_table, timeline
from pages.results import trees
from pages.settings import session
from pages.settings.labels import Names
from pages.settings.settings import Settings, changed
from pages.text import ALL_DIGITS, escape_markdown
from pages.widgets import node_text, page_frame, tables

_KINDS = Names(
    lambda: {
        "best": message("Best split"),
        "each_value": message("Each value"),
        "one_vs_rest": message("One against the rest"),
        "threshold": message("Threshold"),
        "grouping": message("Grouping"),
    }
)
_LONGEST = 30
"""Letters of a feature's name in the table of numbers."""
_STEPS = 400
"""Positions of the slider over thresholds, at most."""


@st.fragment
def show(settings: Settings, node_id: int) -> None:
    """What to do with the node; a slider moved runs only this again."""
    tree, decision = trees.grown(settings).tree, trees.decision(settings, node_id)
    request, tried = choose(tree, decision, node_id)
    _buttons(settings, tree.place(node_id), request, tried)


def choose(tree: ex.Tree, decision: ex.Decision, node_id: int) -> tuple[ex.SplitRequest | None, ex.Candidate | None]:
    """The split that the reader puts together, with its picture and its numbers; None where there is none."""
    request = _request(decision, node_id) if decision.best or decision.candidates else None
    tried = None
    if request is None:
        st.markdown(message("No feature can split the rows here."))
    else:
        try:
            tried = decision.try_split(request)
        except ex.InputError as error:
            page_frame.show_notice("warning", str(error))
    if request is not None and tried is not None:
        _picture(tree, decision.profile(request.feature), tried)
        _numbers(tree, decision, tried)
    return request, tried


def _request(decision: ex.Decision, node_id: int) -> ex.SplitRequest:
    """The split that the reader puts together; begins with the node's own feature, or else the best one."""
    names = list(dict.fromkeys([candidate.feature for candidate in decision.best.values()]))
    names = names or list(dict.fromkeys(candidate.feature for candidate in decision.candidates))
    own = (
        decision.chosen.feature
        if decision.chosen is not None and decision.chosen.feature in names
        else _best_feature(decision, names)
    )
    feature = st.selectbox(message("Feature"), names, index=names.index(own), key=f"decide.feature.{node_id}")
    profile = decision.profile(feature)
    kinds = ["best", "threshold"] if profile.is_numeric else ["best", "each_value", "one_vs_rest", "grouping"]
    if not profile.is_numeric and feature in decision.best and decision.best[feature].condition.tests_missing:
        kinds = ["best"]
    now = _forced_condition(decision, feature)
    own_kind = "threshold" if profile.is_numeric else "grouping"
    is_own = now is not None and own_kind in kinds and ex.SplitRequest.of(now).test == own_kind
    kind = st.segmented_control(
        message("Split"),
        kinds,
        key=f"decide.test.{node_id}.{own_kind}",
        format_func=_KINDS.__getitem__,
        default=own_kind if is_own else "best",
        required=True,
    )
    key, best = f"decide.{kind}.{node_id}.{feature}", now or decision.try_split(ex.SplitRequest(feature)).condition
    if kind == "threshold":
        assert best.threshold is not None, "a numeric feature has thresholds"
        threshold = float(profile.thresholds[0]) if best.tests_missing else best.threshold
        return ex.SplitRequest(feature, "threshold", _threshold(profile, threshold, key))
    if kind == "grouping":
        return _grouping(feature, profile, best, key)
    return ex.SplitRequest(feature, kind)


def _best_feature(decision: ex.Decision, names: Sequence[str]) -> str:
    """The feature whose best split has the highest score, where the node itself was not split."""
    scored = [candidate for candidate in decision.best.values() if candidate.score is not None]
    return max(scored, key=lambda candidate: candidate.score or 0.0).feature if scored else names[0]


def _forced_condition(decision: ex.Decision, feature: str) -> ex.Condition | None:
    """The test of the feature that the reader's choice put at the node."""
    own = decision.chosen if decision.by_hand else None
    return own.condition if own is not None and own.feature == feature else None


def _threshold(profile: Profile, best: float, key: str) -> float:
    """A slider over the admissible thresholds and a field for the exact one; both show the same number."""
    low, above = float(profile.values[0]), float(profile.values[-1])  # type: ignore[arg-type]
    high = float(np.nextafter(above, -np.inf))
    last = max(float(profile.thresholds[-1]), best)
    st.session_state.setdefault(key, best)
    now = min(max(float(st.session_state[key]), low), high)
    if isinstance(profile.scale, Ordered):
        return _level(profile.scale, low, high, now, key)
    if isinstance(profile.scale, Dates) and not has_times(profile.scale.since):
        return _date(profile, profile.scale.since, now, key)
    slide, typed = st.columns([2, 1], vertical_alignment="bottom")
    if low < last:
        with slide:
            at = f"{key}.slider"
            st.session_state[at] = min(now, last)
            step = round_step(last - low, _STEPS)
            st.slider(
                message("Threshold"), low, last, step=step, format=ALL_DIGITS, key=at, on_change=_moved, args=(key, at)
            )
    with typed:
        at = f"{key}.typed"
        st.session_state[at] = now
        help_text = message(
            "From {low} to below {high}: both branches then have rows.",
            low=number_text(low),
            high=number_text(above),
        )
        st.number_input(
            message("Value"), low, high, format=ALL_DIGITS, key=at, on_change=_moved, args=(key, at), help=help_text
        )
    return now


def _level(scale: Ordered, low: float, high: float, now: float, key: str) -> float:
    """A list of the levels that may be the last of the first branch."""
    ranks = list(map(float, range(int(low), int(high) + 1)))
    at = f"{key}.level"
    st.session_state[at] = float(int(now))
    st.selectbox(
        message("Threshold"),
        ranks,
        format_func=lambda rank: visible(str(scale.level(rank))),
        key=at,
        on_change=_moved,
        args=(key, at),
        help=message("Rows up to this level go down the first branch."),
    )
    return now


def _date(profile: Profile, since: str, now: float, key: str) -> float:
    """A field for the last date of the first branch."""
    numbers = np.array(profile.values, dtype=np.float64)
    first, last = (moment_of(float(days), since) for days in (numbers[0], numbers[-1]))
    shown, at = moment_of(now, since), f"{key}.date"
    if first is None or last is None or shown is None:
        return now
    st.session_state[at] = shown.date()
    st.date_input(
        message("Threshold"),
        min_value=first.date(),
        max_value=last.date() - datetime.timedelta(days=1),
        format="YYYY-MM-DD",
        key=at,
        on_change=_date_chosen,
        args=(key, at, since),
        help=message("Rows up to this date go down the first branch."),
    )
    return now


def _date_chosen(key: str, widget: str, since: str) -> None:
    if st.session_state[widget] is not None:
        st.session_state[key] = days_to(st.session_state[widget], since)


def _moved(key: str, widget: str) -> None:
    st.session_state[key] = st.session_state[widget]


def _grouping(feature: str, profile: Profile, best: ex.Condition, key: str) -> ex.SplitRequest:
    """The categories of one branch; all others go down the other."""
    first = [value for value in profile.values if value in best.branches[0]]
    default = first if 0 < len(first) < len(profile.values) else list(profile.values[:1])
    named = st.multiselect(
        message("Categories of one branch"),
        range(len(profile.values)),
        default=[profile.values.index(value) for value in default],
        format_func=lambda i: value_text(profile.values[i]),
        key=key,
        help=message("These categories go down one branch, all others down the other."),
    )
    chosen = tuple(profile.values[i] for i in named) or profile.values
    return ex.SplitRequest(feature, "grouping", categories=chosen)


def _picture(tree: ex.Tree, profile: Profile, tried: ex.Candidate) -> None:
    """The feature's values by class, and where the test splits them."""
    label, theme = node_text.gain_heading(tree.recipe, tree.is_regression), page_frame.colours()
    if tried.condition.tests_missing:
        return
    if tried.condition.threshold is not None:
        figure = threshold_chart(profile, tree, tried.condition.threshold, (tried.feature, label), theme)
    else:
        is_of_two = tried.condition.kind not in USED_UP and not tried.condition.has_groups
        first = tried.condition.branches[0] if is_of_two else ()
        figure = category_chart(profile, tree, first, theme)
    st.plotly_chart(figure, key="decide.chart", config=page_frame.STILL)


def _numbers(tree: ex.Tree, decision: ex.Decision, tried: ex.Candidate) -> None:
    """The test's numbers beside those of the feature's best and of the node's present split."""
    lines = {
        message("this split"): tried,
        message("best of the feature"): decision.best.get(tried.feature),
        message("current split"): decision.chosen,
    }
    compared = [_line(tree, name, candidate) for name, candidate in lines.items() if candidate is not None]
    tables.numbers_table(pd.DataFrame(compared), [i == 0 for i in range(len(compared))], key="decide.numbers")
    branches_table.show_branches(tree, tried, "decide.branches")
    if tried.rejected:
        st.caption(
            message(
                "The algorithm would reject this split: {reason}. A split by hand overrules it.",
                reason=escape_markdown(tried.rejected),
            )
        )


def _line(tree: ex.Tree, name: str, candidate: ex.Candidate) -> dict[str, object]:
    shown = replace(candidate.condition, feature=shortened(candidate.feature, _LONGEST))
    line: dict[str, object] = {"": name, "split": shown.title}
    line[node_text.gain_name(tree.recipe, tree.is_regression)] = candidate.gain
    if IMPURITIES[tree.recipe.impurity_for(tree.is_regression)].in_bits:
        line |= {"split information": candidate.split_info, "gain ratio": candidate.gain_ratio}
    return line | ({"cost": candidate.cost, "score": candidate.score} if SCORES[tree.recipe.score].uses_costs else {})


def _buttons(
    settings: Settings, node_path: ex.NodePath, request: ex.SplitRequest | None, tried: ex.Candidate | None
) -> None:
    """What can be decided; each grows the tree anew, or is refused right here."""
    choices, new_choices = settings.choices, None
    with st.container(horizontal=True):
        if (
            st.button(message("Split here"), key="decide.force", type="primary", disabled=tried is None)
            and request is not None
        ):
            new_choices = choices.force(node_path, request)
        if st.button(message("Make leaf"), key="decide.lock"):
            new_choices = choices.lock(node_path)
        if request is not None:
            label = message("Exclude {feature} from here down", feature=escape_markdown(request.feature))
            if st.button(label, key="decide.forbid"):
                new_choices = choices.forbid(node_path, request.feature)
    if new_choices is None:
        return
    try:
        take(settings, new_choices)
    except ex.ExplorerError as error:
        page_frame.show_notice("error", message("{error} Nothing was changed.", error=error))
    else:
        st.rerun()


def take(settings: Settings, choices: ex.Choices) -> None:
    """Grow by these choices and stay at the node where it still is; InputError if the newest is not possible."""
    path, proposed = _path(settings), changed(settings, choices=choices)
    _checked(proposed, len(settings.choices))
    session.keep(changed(proposed, timeline=timeline.carried(settings, proposed)))
    _stay(path)


def take_saved(settings: Settings, choices: ex.Choices) -> None:
    """Grow by saved choices in place of those made so far; InputError if none of them is possible here."""
    path, proposed = _path(settings), changed(settings, choices=choices)
    statuses = ex.constraint_statuses(trees.grown(proposed).tree)
    if not statuses:
        raise ex.InputError(message("The file has no manual choices."))
    if not any(status.is_in_force for status in statuses):
        raise ex.InputError(
            message("None of its choices is possible in this tree. The first one: {reason}.", reason=statuses[0].reason)
        )
    session.keep(proposed)
    _stay(path)


def _path(settings: Settings) -> tuple[int, ...]:
    """The path to the selected node."""
    tree = trees.grown(settings).tree
    return tree.place(min(max(settings.node, 0), tree.n_nodes_grown - 1)).path


def _stay(path: Sequence[int]) -> None:
    """Select the node at the end of a path in the new tree, or the last one that there still is on it."""
    after = trees.grown(session.read()).tree
    session.keep(changed(session.read(), node=timeline.nodes_along(after, path)[-1]))


def _checked(settings: Settings, n_before: int) -> None:
    """InputError where the newest choice cannot be carried out."""
    statuses = ex.constraint_statuses(trees.grown(settings).tree)
    if len(statuses) > n_before and not statuses[-1].is_in_force:
        raise ex.InputError(message("This is not possible here: {reason}.", reason=statuses[-1].reason))
