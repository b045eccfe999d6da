"""An ensemble that another program fitted, opened from a file: its members on the same page, without rows."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.ensemble_view import colour_themes as ensemble_colours
from explorer.drawing.figures import score_figures
from explorer.drawing.tree_view import colour_themes
from explorer.ensembles.members import Ensemble
from explorer.ensembles.scores import shares_of_splits
from explorer.messages import message, paragraph, plural
from pages.ensembles import members_tab, summary
from pages.evaluate import errors, score_table
from pages.grow import growing_controls, opened_classes, opened_node, opened_page
from pages.layout import bar, growing, shell, summary_line
from pages.results import opened_tree, trees
from pages.results.ensembles import of_file
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.uploads import models
from pages.widgets import downloads, matrix, open_tabs, page_frame, row_table, tree_panels, tree_view
from pages.widgets.controls import feed
from pages.widgets.ensembles import view
from pages.widgets.ensembles.view import Shown
from pages.widgets.predicted_file import whole_file

_STATE, _NODE, _CELL = "opened ensemble.state", "opened ensemble.node", "opened ensemble.cell"


def show(settings: Settings) -> None:
    """The page of the open ensemble."""
    growing.wait(settings, (growing.ROWS,))
    bar.show(settings, files=None)
    with shell.rail():
        st.button(
            message("Close this ensemble"), key="en.close", icon=":material/close:", on_click=models.close_ensemble
        )
        st.caption(opened_node.what_competes())
        growing_controls.algorithm("grow", settings)
    summary_line.show_table(settings)
    _workbench()


@st.fragment
def _workbench() -> None:
    now, settings = models.ensemble(), session.read()
    if now is None:
        return
    alone = 0 if len(now.ensemble.members) == 1 else -1  # a single tree is shown at once
    state: Shown = st.session_state.setdefault(_STATE, Shown(now.ensemble.n_stages, alone))
    stage, panel = shell.workbench()
    is_member = 0 <= state.member < len(now.ensemble.members)
    with stage:
        if is_member:
            _member(now, state.member, settings)
        else:
            _ensemble(now, state, settings)
    with panel:
        _head(now, settings)
        if is_member:
            _node(now, state.member, settings)
        else:
            contents = {
                "members": (
                    message("Tree list"),
                    partial(members_tab.table, of_file.as_table(settings, now.ensemble), "en.opened_members", _open),
                ),
                "scores": (message("Scores"), partial(_scores, now, settings)),
                "importance": (message("Importance"), partial(_importance, now, settings)),
                "file": (message("Predict a file"), partial(_predict, now, settings)),
            }
            open_tabs.show(contents, "en.opened_tab")


def _predict(now: models.OpenedEnsemble, settings: Settings) -> None:
    """A file of one's own, predicted."""
    key = f"{now.key} {now.ensemble.n_stages} {trees.data(settings).fingerprint} {settings.model_classes}"
    whole_file.show(whole_file.Model(key, of_file.as_table(settings, now.ensemble)))


def _scores(now: models.OpenedEnsemble, settings: Settings) -> None:
    """The score by stage, all scores beside the baselines, the confusion matrix, and the rows in a cell of it."""
    with page_frame.errors_shown():
        result, predictions = of_file.evaluated(settings, now.key, now.ensemble)
        rows, which = of_file.scored_rows(settings)
        st.caption(message("On the {rows} rows.", rows=summary.row_names()[which]))
        view.part("opened_ensemble", "scores", "en.opened_scores")
        score_table.show(result, rows.weight_column is None, message("ensemble"))
        shown = predictions.worst
        if result.labels:
            table = errors.confusion_cells(result, predictions)
            cell = table.known(st.session_state.get(_CELL))
            matrix.show(table, cell, _take_cell)
            shown = shown if cell is None else predictions.rows(*cell)
            score_table.each_class(result, message("rows") if rows.weight_column is None else message("weight"))
        made = of_file.as_table(settings, now.ensemble)
        frame = errors.frame(rows, predictions, shown[: row_table.SHOWN_ROWS], made)
        st.dataframe(frame, key="en.opened_errors", hide_index=True, height=row_table.HEIGHT, placeholder="")
        if len(shown) > row_table.SHOWN_ROWS:
            st.caption(message("The first {shown:,} of {n:,} rows.", shown=row_table.SHOWN_ROWS, n=len(shown)))


def _take_cell(cell: matrix.Cell | None) -> None:
    st.session_state[_CELL] = cell


def _importance(now: models.OpenedEnsemble, settings: Settings) -> None:
    """How many of the splits are on each feature, and what the score loses when its column is shuffled."""
    made = of_file.as_table(settings, now.ensemble)
    named = message("increase of the MSE") if made.is_regression else message("increase of the error rate")
    try:
        losses = of_file.permuted(settings, now.key, now.ensemble)
    except ex.InputError as error:
        losses = None
        st.caption(message("No score on this table. {error}", error=escape_markdown(str(error))))
    shares, title = shares_of_splits(made), message("Share of the splits of all trees")
    figure = score_figures.importance_figure(shares, losses, named, page_frame.colours(), shares_name=title)
    st.plotly_chart(figure, key="en.opened_importance", config=page_frame.STILL)
    if losses is not None:
        st.caption(
            message(
                "Permutation importance: what the score on the {rows} rows loses when the feature’s column is shuffled "
                "among them, mean of 5 shuffles ± standard deviation.",
                rows=summary.row_names()[of_file.scored_rows(settings)[1]],
            )
        )


def _ensemble(now: models.OpenedEnsemble, state: Shown, settings: Settings) -> None:
    themes = ensemble_colours(len(now.ensemble.classes), settings.palette)
    pack = of_file.payload(settings, now.key, now.ensemble)
    view.view("opened_ensemble", pack, state, themes, _take, presenter=settings.view.presenter)


def _take(shown: Shown) -> None:
    st.session_state[_STATE], st.session_state[_NODE] = shown, 0


def _open(line: int | None) -> None:
    if line is not None:
        state: Shown = st.session_state[_STATE]
        _take(Shown(state.stage, line, -1, state.tab))


def _member(now: models.OpenedEnsemble, position: int, settings: Settings) -> None:
    """The member's tree, below the way back."""
    ensemble = now.ensemble
    tree = opened_tree.named(settings, ensemble.members[position].tree)
    pack, node = opened_tree.payload(settings, f"{now.key} {position}", tree), int(st.session_state.get(_NODE, 0))
    with st.container(key="member_stage"):
        with st.container(key="member_head", horizontal=True, vertical_alignment="center", gap="small"):
            back = partial(_take, Shown(ensemble.members[position].stage))
            st.button(message("Ensemble"), key="en.opened_back", icon=":material/arrow_back:", on_click=back)
            of = len(ensemble.members)
            st.markdown(message("**Tree {n:,}** of {of:,}", n=position + 1, of=of), width="content")
        themes = colour_themes(len(tree.classes), settings.palette)
        rule = tree_panels.rule(tree, node)
        tree_view.view("opened_member", pack, tree_view.Shown(node), themes, _select, rule=rule)


def _select(shown: tree_view.Shown) -> None:
    _select_node(max(shown.selected, 0))


def _select_node(node: int) -> None:
    st.session_state[_NODE] = node


def _head(now: models.OpenedEnsemble, settings: Settings) -> None:
    ensemble = now.ensemble
    st.subheader(escape_markdown(now.name), anchor=False)
    members = plural(len(ensemble.members), "{n:,} tree", "{n:,} trees")
    method = of_file.method_name(ensemble)
    about = [message("{method}, {members}.", method=method, members=members)]
    if ensemble.source:
        about = [message("{origin}: {method}, {members}.", method=method, origin=ensemble.source, members=members)]
    if of_file.has_rate_in_leaves(ensemble):
        about.append(message("The learning rate is inside the values of the leaves."))
    st.caption(escape_markdown(paragraph(about)))
    _rounds(now)
    opened_classes.choose(settings, ensemble.classes)
    _score(now, settings)


def _score(now: models.OpenedEnsemble, settings: Settings) -> None:
    """How well it predicts the rows of the table, or why it cannot."""
    try:
        score = of_file.score_on_table(settings, now.key, now.ensemble)
    except ex.InputError as error:
        st.caption(message("No score on this table. {error}", error=escape_markdown(str(error))))
        return
    st.markdown(summary_line.improvement_text(score, now.ensemble.is_regression))
    if opened_tree.has_its_split(settings, now.whole):
        st.caption(
            message("Its validation rows took no part in growing it, if this is the table that it was saved with.")
        )
        return
    st.caption(
        message(
            "Whether the ensemble was fitted to these rows its file does not say: if it was, the score is too good."
        )
    )


def _rounds(now: models.OpenedEnsemble) -> None:
    """The rounds to show, where early stopping has chosen one."""
    ended = now.whole.ended
    if ended is None or ended.code != "best_round":
        return
    best, rounds = ended.values
    texts = {
        True: message("Up to the best round, {best:,}", best=best),
        False: message("All {rounds:,} rounds", rounds=rounds),
    }
    st.segmented_control(
        message("Rounds"),
        list(texts),
        required=True,
        format_func=texts.__getitem__,
        key=feed("en.rounds", now.ensemble is not now.whole),
        help=escape_markdown(ended.text),
        on_change=_choose_rounds,
        width="stretch",
    )


def _choose_rounds() -> None:
    models.show_best_rounds(bool(st.session_state["en.rounds"]))


def _node(now: models.OpenedEnsemble, position: int, settings: Settings) -> None:
    """The selected node of the member with what competed there, and the member as files."""
    member = now.ensemble.members[position]
    node = min(int(st.session_state.get(_NODE, 0)), member.tree.n_nodes_grown - 1)
    more = {"file": (message("File"), partial(_file, now.ensemble, position, settings))}
    tree = of_file.member(settings, now.key, now.ensemble, position)
    difference = partial(opened_page.first_difference, settings, tree, _select_node)
    of_rows = {"difference": (message("First difference"), difference)}
    with page_frame.errors_shown():
        fitted_to = _fitted_to(of_file.as_table(settings, now.ensemble))
        opened_node.show(settings, tree, node, "en.opened_node_tab", of_rows, more, fitted_to)


def _fitted_to(made: Ensemble) -> str:
    """What a member was fitted to, where the contest on the reader's rows is about something else."""
    if of_file.adds_to_scores(made):
        return message(
            "This round fitted gradients, what the rounds before left over. The contest here is for {target} itself, "
            "so its winner need not be that of the round.",
            target=escape_markdown(made.target),
        )
    if made.method in ("adaboost", "c50"):
        return message(
            "This round weighed its rows by the errors of the rounds before. Here all rows weigh the same, so the "
            "winner need not be that of the round."
        )
    return ""


def _file(made: Ensemble, position: int, settings: Settings) -> None:
    """The member's vote, what its file says of amounts, and its tree in other forms."""
    member = made.members[position]
    if not of_file.adds_to_scores(made):
        st.markdown(message("Vote: {vote}", vote=number(member.vote)))
    page_frame.show_notes([("info", note) for note in member.tree.notes])
    downloads.of_tree(member.tree, settings.palette)
