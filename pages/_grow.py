"""The address /grow on a server that nobody has visited yet; see `pages/settings/first_visit.py`."""

from pages.settings import first_visit
from pages.widgets import page

page.begin_session()
first_visit.open_by_app("Grow")
