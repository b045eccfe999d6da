"""The whole page once more, from inside of a script."""

from typing import NoReturn

import streamlit as st


def run_again() -> NoReturn:
    """Run the whole page once more, unless the reader has asked for something else since this run began.

    `st.rerun` alone would put this page in place of the one that a click asked for a moment ago (Streamlit 1.67). Any
    element before it lets the click be answered.
    """
    st.empty()
    st.rerun()
