"""Many trees on one table: the ensemble stage by stage on the stage, scores, rounds and members in the inspector."""

import streamlit as st

from explorer.messages import message
from pages.ensembles import controls, files, growing_members, inspector, member_view, opened, stage, summary
from pages.layout import bar, growing, shell
from pages.results import ensembles
from pages.settings import session, url
from pages.uploads import models
from pages.widgets import page_frame


@st.fragment
def show_workbench() -> None:
    """The ensemble, or the member opened, and what there is to know: a click runs only this again."""
    settings = session.read()
    url.write()
    growing_members.run_again_unless_there(settings)
    place, panel = shell.workbench()
    with place, page_frame.errors_shown():
        made = ensembles.ensemble(settings)
        member = ensembles.member_opened(settings, made)
        with place:
            if member is None:
                stage.show(settings, made)
            else:
                member_view.show(settings, made, member)
        with panel, page_frame.errors_shown():
            inspector.show(settings, made, member)


def show_own() -> None:
    """The ensemble of the table in use."""
    settings = session.read()
    growing.wait(settings, (growing.ROWS,))
    growing_members.wait(settings, rail=lambda: controls.show(settings))
    bar.show(settings, files=lambda: files.of_settings(settings))
    with shell.rail():
        controls.show(settings)
        st.page_link("pages/data/page.py", label=message("Open an ensemble"), icon=":material/folder_open:")
    line = st.container(key="summary_place")
    show_workbench()
    with line:
        summary.show(settings)


settings = shell.start(message("Ensembles"), views=(stage.NAME,))
with page_frame.errors_shown():
    if models.ensemble() is None:
        show_own()
    else:
        opened.show(settings)
