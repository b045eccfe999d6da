"""What a person would repair in the table: each suggestion with before → after and a button, and what was applied."""

from __future__ import annotations

import hashlib

import streamlit as st

import explorer as ex
from explorer.data.suggestions.apply import settled
from explorer.formatting import shortened
from explorer.messages import message, plural
from pages.data import guessed_target
from pages.results import trees
from pages.results.divided.division import changes, named
from pages.results.fit_to_target import fit_target
from pages.results.of_table import open_suggestions
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import page_frame
from pages.widgets.controls import quiet_button

PLACE = "suggestions"
"""Where messages about repairs are shown: above the list of suggestions."""
_MOST_LINES, _LONGEST_CELL, _ROUNDS = 60, 40, 6
_TREE_FIELDS = ("choices", "alpha", "manual_steps", "node", "test_set_uses")
"""What a reader has done with a tree, which another tree undoes."""


def show(settings: Settings) -> None:
    """The suggestions that are open, and folded below them the repairs in force; nothing where there are none."""
    found = open_suggestions.found(settings)
    notices = session.take_notices(PLACE)
    if not found and not settings.repairs and not notices:
        return
    with st.container(key="suggestions"):
        for notice in notices:
            page_frame.show_notice(notice.level, notice.text)
        if found:
            _head(found)
            with st.container(key="suggestion_lines"):
                for suggestion in found[:_MOST_LINES]:
                    _suggestion(suggestion)
                if len(found) > _MOST_LINES:
                    left = len(found) - _MOST_LINES
                    st.caption(plural(left, "{n:,} more suggestion", "{n:,} more suggestions"))
        if settings.repairs:
            done = plural(len(settings.repairs), "{n:,} repair applied", "{n:,} repairs applied")
            label = done if found else f"**{message('No suggestion is left')}** · {done}"
            with st.expander(label, key="repairs"):
                for repair in settings.repairs:
                    _applied(repair)


def _head(found: tuple[ex.Suggestion, ...]) -> None:
    """How much there is to look at, and the button that takes all that needs no answer."""
    with st.container(key="suggestions_head", horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{open_suggestions.words(found)}**", width="content")
        certain = sum(suggestion.is_certain for suggestion in found)
        if certain:
            st.button(
                message("Apply all suggestions") if certain == len(found) else message("Apply all but the questions"),
                key="suggestions.all",
                icon=":material/done_all:",
                on_click=_apply_all,
            )


def _suggestion(suggestion: ex.Suggestion) -> None:
    """One line: what was found, examples, and the button; where there are alternatives, a choice before it."""
    name = _name(suggestion.repair)
    with st.container(key=f"suggestion_line_{name}"):
        said = st.empty()  # the examples are those of the repair that is chosen below
        with st.container(key=f"suggestion_do_{name}"):
            chosen = _chosen(suggestion, name)
            is_open = chosen is None
            st.button(
                message("Apply"), key=f"suggestion.apply.{name}", on_click=_apply, args=(chosen,), disabled=is_open
            )
        said.markdown(_sentence(suggestion, chosen))


def _chosen(suggestion: ex.Suggestion, name: str) -> ex.Repair | None:
    """The repair to apply: where there are alternatives the one chosen; a question is answered by the reader alone."""
    if len(suggestion.alternatives) == 1:
        return suggestion.repair
    return st.selectbox(
        message("Repair"),
        suggestion.alternatives,
        index=None if suggestion.is_question else 0,
        placeholder=message("Choose …"),
        format_func=_choice,
        key=f"suggestion.choice.{name}",
        label_visibility="collapsed",
    )


def _choice(repair: ex.Repair) -> str:
    return _capitalised(repair.choice)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(suggestion: ex.Suggestion, chosen: ex.Repair | None) -> str:
    """What was found as Markdown, and what becomes of some cells that change, or these alone before a choice."""
    icon = ":material/auto_fix_high:" if suggestion.is_certain else ":material/help:"
    first = f"{icon} {escape_markdown(suggestion.sentence)}"
    if not suggestion.column:
        return first
    if chosen is None:
        examples = [f"“{_cell(before)}”" for before, _ in suggestion.examples]
    else:
        pairs = suggestion.examples_of(chosen)
        examples = [_example(before, after) for before, after in pairs if before != after]
    return f"{first} :gray[{' · '.join(examples)}]" if examples else first


def _example(before: str, after: str) -> str:
    return f"“{_cell(before)}” → {_cell(after) or message('missing')}"


def _cell(text: str) -> str:
    """A cell as Markdown, a long one shortened."""
    return escape_markdown(shortened(text, _LONGEST_CELL))


def _applied(repair: ex.Repair) -> None:
    """A repair in force, with the button that takes it back."""
    name = _name(repair)
    with st.container(key=f"suggestion_line_{name}"):
        column = f"**{escape_markdown(repair.column)}**: " if repair.column else ""
        label = repair.label if repair.column else _capitalised(repair.label)
        st.markdown(f":material/check: {column}{escape_markdown(label)}")
        with st.container(key=f"suggestion_do_{name}"):
            quiet_button(message("Undo"), f"suggestion.undo.{name}", "", _undo, repair)


def _name(repair: ex.Repair) -> str:
    """A short name of a repair for the keys of its line."""
    return hashlib.sha256(repr(repair).encode()).hexdigest()[:12]


def _apply(repair: ex.Repair) -> None:
    settings = session.read()
    take((*settings.repairs, *settled(trees.source(settings).table, [repair])))


def _undo(repair: ex.Repair) -> None:
    take(tuple(other for other in session.read().repairs if other != repair))


def _apply_all() -> None:
    """Apply what needs no answer, and what shows only then: a column has one suggestion at a time."""
    settings = session.read()
    repairs, table = settings.repairs, trees.source(settings).table
    for _ in range(_ROUNDS):
        certain = settled(table, [suggestion.repair for suggestion in table.suggestions if suggestion.is_certain])
        if not certain:
            break
        repairs = (*repairs, *certain)
        table = ex.apply_repairs(table, certain)
    take(repairs)


def take(repairs: tuple[ex.Repair, ...]) -> None:
    """Put these repairs in force if a tree can be grown then, with the target that follows from them, as one step.

    Choices about columns stay where the columns do.
    """
    with session.as_one_step():
        _take(repairs)


def _take(repairs: tuple[ex.Repair, ...]) -> None:
    before = session.read()
    proposed = changed(before, repairs=repairs)
    columns = {str(column) for column in trees.source(proposed).table.frame.columns}
    if session.attempt(trees.check, PLACE, repairs=repairs, **_about(before, columns, _gained(before, proposed))):
        fit_target()
        guessed_target.follow(before)
        if any(getattr(before, field) != getattr(session.read(), field) for field in _TREE_FIELDS):
            session.notify(
                "info",
                message(
                    "The tree is grown again on the table as it is now. Manual choices, pruning and the selected node "
                    "were reset."
                ),
                PLACE,
            )
        elif session.has_seen_tree():
            session.notify("info", message("The tree is grown again on the table as it is now."), PLACE)


def _gained(before: Settings, proposed: Settings) -> tuple[set[str], set[str]]:
    """The columns that become features of the table by repairs alone, and those that do so no longer by an undo."""
    if before.features is None:
        return set(), set()
    first, second = _features_of_table(before), _features_of_table(proposed)
    dates = trees.source(proposed).table.dates
    unused = first.difference(before.features)
    of_unused = {name for date in dates if date.column in unused for _, name in date.parts}
    return second - first - of_unused, first - second if len(proposed.repairs) < len(before.repairs) else set()


def _features_of_table(settings: Settings) -> set[str]:
    """The features that the table has where none are chosen; none where no tree can be grown so."""
    try:
        return {feature.name for feature in trees.data(changed(settings, features=None)).features}
    except ex.ExplorerError:
        return set()


def _about(
    settings: Settings, columns: set[str], gained: tuple[set[str], set[str]] = (set(), set())
) -> dict[str, object]:
    """Target, features and types as far as their columns are there, where that changes them.

    Columns that are features by a repair alone join a choice of features, and leave it where the repair is undone.
    """
    now: dict[str, object] = {}
    if settings.target and settings.target not in columns:
        now["target"] = ""
    if settings.weight and settings.weight not in columns:
        now["weight"] = ""
    kind, column, sets = named(settings)
    now |= changes(settings, *((kind, column) if column in columns else ("rows", "")), sets if sets in columns else "")
    if settings.features is not None:
        kept = [name for name in settings.features if name in columns - gained[1]]
        features = (*kept, *sorted(gained[0].difference(kept)))
        if features != settings.features:
            now["features"] = features or None
    if not columns.issuperset(name for name, _ in settings.kinds):
        now["kinds"] = tuple(pair for pair in settings.kinds if pair[0] in columns)
    return now
