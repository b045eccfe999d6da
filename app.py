"""Decision Tree Explorer: navigation and theme. Run it with `streamlit run app.py`."""

import gc
import threading
import time

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.layout import ahead, logo
from pages.results.cache import results
from pages.settings import language
from pages.widgets import tree_view

# Seconds that compiling waits for the first page at most, and then for its browser. (Streamlit would show a docstring.)
MOST_SECONDS, TO_DRAW = 10, 1


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Event:
    """Once per server: say how much memory results may take, and compile the loops while the first page is read.

    Gives what says that this page has been sent: what compiles waits for it.
    """
    results()
    has_begun, is_sent = threading.Event(), threading.Event()
    threading.Thread(target=_compile, args=(has_begun, is_sent), name="warm-up", daemon=True).start()
    has_begun.wait()
    return is_sent


def _compile(has_begun: threading.Event, is_sent: threading.Event) -> None:
    """Compile and load, and leave what stays for good, such as modules, out of every later collection of garbage."""

    def first_page() -> None:
        has_begun.set()
        is_sent.wait(MOST_SECONDS)
        time.sleep(TO_DRAW)

    try:
        ex.warm_up(first=first_page)
        ahead.load()
    finally:
        has_begun.set()  # a page must not wait for what has failed
    gc.collect()
    gc.freeze()


def to_first_page() -> None:
    """The address /data: Streamlit gives its default page no address but the root."""
    st.switch_page("pages/data/page.py", query_params=st.query_params.to_dict())


language.begin()
st.set_page_config(page_title=logo.NAME, page_icon=logo.FAVICON, layout="wide")
logo.show()
is_sent = warm_up()
pages = [
    st.Page("pages/data/page.py", title=message("Data"), icon=":material/table_chart:", default=True),
    st.Page("pages/grow/page.py", title=message("Grow"), icon=":material/account_tree:", url_path="grow"),
    st.Page("pages/prune/page.py", title=message("Prune"), icon=":material/content_cut:", url_path="prune"),
    st.Page("pages/evaluate/page.py", title=message("Evaluate"), icon=":material/monitoring:", url_path="evaluate"),
    st.Page("pages/rules/page.py", title=message("Rules"), icon=":material/rule:", url_path="rules"),
    st.Page("pages/predict/page.py", title=message("Predict"), icon=":material/quiz:", url_path="predict"),
    st.Page("pages/compare/page.py", title=message("Compare"), icon=":material/compare_arrows:", url_path="compare"),
    st.Page("pages/ensembles/page.py", title=message("Ensembles"), icon=":material/forest:", url_path="ensembles"),
    st.Page("pages/learn/page.py", title=message("Learn"), icon=":material/school:", url_path="learn"),
    st.Page(to_first_page, title=message("Data"), url_path="data", visibility="hidden"),
]
page = st.navigation(pages, position="top")
tree_view.mount_library()
try:
    page.run()
finally:
    is_sent.set()
