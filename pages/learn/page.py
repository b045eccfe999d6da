"""Learn: the path of all scenes in the rail, and beside it a scene, the exercises, the glossary or a drawn table."""

from collections.abc import Callable
from functools import partial

from explorer.messages import message
from pages.layout import bar, shell, summary_line
from pages.learn import moves, overview, path, playing, rail
from pages.learn.drawn import section as drawn
from pages.learn.exercises import section as exercises
from pages.learn.glossary import section as glossary
from pages.settings import session
from pages.settings.settings import Settings
from pages.widgets import page_frame

SECTIONS: dict[str, Callable[[Settings], None]] = {
    "path": overview.show,
    "scene": playing.show,
    "exercises": exercises.show,
    "glossary": partial(glossary.show, scene_of=path.scene_of, go_to=moves.go_to),
    "draw": drawn.show,
}

settings = shell.start(message("Learn"), needs_table=lambda settings: settings.learn.uses_table)
with page_frame.errors_shown():
    bar.show(settings, has_lessons=True)
    if settings.learn.uses_table:
        with page_frame.errors_shown():
            summary_line.show_table(settings)
    with page_frame.errors_shown():
        SECTIONS.get(settings.learn.section, overview.show)(settings)
    with shell.rail(has_settings=False):  # last: it shows which scenes are finished
        rail.show(session.read(), SECTIONS)
