"""The picture of an ensemble on a page."""
