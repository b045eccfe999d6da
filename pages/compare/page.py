"""Trees side by side: grown by several algorithms, or another comparison that the reader chooses."""

from explorer.messages import message
from pages.compare import algorithms, optimal, several_targets, shortest
from pages.layout import shell
from pages.widgets import page_frame

# What shows each comparison of `labels.COMPARISONS`; a string here would be shown on the page.
SHOWN = {
    "algorithms": algorithms.show,
    "shortest": shortest.show,
    "optimal": optimal.show,
    "targets": several_targets.show,
}

settings = shell.start(message("Compare"))
with page_frame.errors_shown():
    SHOWN[settings.compare.mode](settings)
