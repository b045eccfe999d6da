"""Trees side by side: grown by several algorithms, or another comparison that the reader chooses."""

from explorer.messages import message
from pages.compare import algorithms
from pages.layout import shell
from pages.widgets import page_frame

SHOWN = {"algorithms": algorithms.show}
"""What shows each comparison of `labels.COMPARISONS`."""

settings = shell.start(message("Compare"))
with page_frame.errors_shown():
    SHOWN[settings.compare.mode](settings)
