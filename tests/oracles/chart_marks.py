"""The marks of a chart of a lesson, as tests look at them."""

from explorer.drawing.pictures.chart import Chart


def marks_of(chart: Chart, place: int | None = None, panel: int = 0) -> dict:
    """What a panel of the first column shows at a place (None: the one shown at first), by the keys of the marks."""
    at = chart.places[chart.shown if place is None else place]
    own = at.marks[panel] if panel < len(at.marks) else ()
    return {mark["key"]: mark for mark in (*chart.columns[0][panel].marks, *own)}


def named(marks: dict, prefix: str) -> list:
    """The marks whose keys begin so, in order."""
    return [mark for key, mark in marks.items() if key.startswith(prefix)]
