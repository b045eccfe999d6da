"""Decision Tree Explorer: the server, and the navigation and theme of a page. Run it with `streamlit run app.py`."""

import streamlit as st

from explorer.messages import message
from pages.layout import ahead, logo
from pages.settings import language, url
from pages.widgets import tree_view

RAIL_WIDTH = 280  # pixels; a reader can draw it wider


def to_first_page() -> None:
    """The address /data: Streamlit gives its default page no address but the root."""
    st.switch_page("pages/data/page.py", query_params=url.address())


def show_page() -> None:
    """The page that a reader has asked for."""
    language.begin()
    st.set_page_config(page_title=logo.NAME, page_icon=logo.FAVICON, layout="wide", initial_sidebar_state=RAIL_WIDTH)
    logo.show()
    pages = [
        st.Page("pages/data/page.py", title=message("Data"), icon=":material/table_chart:", default=True),
        st.Page("pages/grow/page.py", title=message("Grow"), icon=":material/account_tree:", url_path="grow"),
        st.Page("pages/prune/page.py", title=message("Prune"), icon=":material/content_cut:", url_path="prune"),
        st.Page("pages/evaluate/page.py", title=message("Evaluate"), icon=":material/monitoring:", url_path="evaluate"),
        st.Page("pages/rules/page.py", title=message("Rules"), icon=":material/rule:", url_path="rules"),
        st.Page("pages/predict/page.py", title=message("Predict"), icon=":material/quiz:", url_path="predict"),
        st.Page(
            "pages/compare/page.py", title=message("Compare"), icon=":material/compare_arrows:", url_path="compare"
        ),
        st.Page("pages/ensembles/page.py", title=message("Ensembles"), icon=":material/forest:", url_path="ensembles"),
        st.Page("pages/learn/page.py", title=message("Learn"), icon=":material/school:", url_path="learn"),
        st.Page(to_first_page, title=message("Data"), url_path="data", visibility="hidden"),
    ]
    page = st.navigation(pages, position="top")
    url.begin_page(page.url_path)
    tree_view.mount_library()
    page.run()


if __name__ == "__main__":  # for every run of a page
    with ahead.page_runs.one():
        show_page()
else:  # once, by the server
    app = st.App(__file__, lifespan=ahead.lifespan)
