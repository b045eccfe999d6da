"""Decision Tree Explorer: navigation and theme. Run it with `streamlit run app.py`."""

import gc
import threading

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.layout import logo
from pages.results.cache import results
from pages.settings import language
from pages.widgets import tree_view


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Once per server: say how much memory results may take, and compile the loops while the first page is read."""
    results()
    thread = threading.Thread(target=_compile, name="warm-up", daemon=True)
    thread.start()
    return thread


def _compile() -> None:
    """Compile, and leave what stays for good, such as modules, out of every later collection of garbage."""
    ex.warm_up()
    gc.collect()
    gc.freeze()


def to_first_page() -> None:
    """The address /data: Streamlit gives its default page no address but the root."""
    st.switch_page("pages/data/page.py", query_params=st.query_params.to_dict())


language.begin()
st.set_page_config(page_title=logo.NAME, page_icon=logo.FAVICON, layout="wide")
logo.show()
warm_up()
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
page.run()
