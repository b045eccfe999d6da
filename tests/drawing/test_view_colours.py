"""The view gets the colours with which its JavaScript tests measure contrast (one golden file for both)."""

import json

from explorer.drawing import tree_view
from explorer.drawing.palette import DARK, LIGHT, PALETTES
from tests.folders import GOLDEN_FOLDER


def test_the_contrast_of_every_palette_is_measured_with_its_own_colours() -> None:
    golden = json.loads((GOLDEN_FOLDER / "colours.json").read_text("utf-8"))
    assert golden["palettes"] == {name: tree_view.colour_themes(15, name) for name in PALETTES}
    grounds = {theme.name: {"background": theme.background, "text": theme.text} for theme in (LIGHT, DARK)}
    assert golden["grounds"] == grounds
