"""The address /learn on a server that nobody has visited yet; see `pages/settings/first_visit.py`."""

from pages.settings import first_visit

first_visit.run_app()
