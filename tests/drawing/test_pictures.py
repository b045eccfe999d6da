"""Pictures of lessons: the joined script is valid and draws every kind that has a record in Python."""

import importlib
import pkgutil

from explorer.drawing import pictures
from explorer.drawing.pictures.picture import Picture


def test_every_kind_of_picture_is_drawn():
    script = pictures.FILES.script
    records = [
        record
        for module in pkgutil.iter_modules(pictures.__path__)
        for record in vars(importlib.import_module(f"{pictures.__name__}.{module.name}")).values()
        if isinstance(record, type) and issubclass(record, Picture) and record is not Picture
    ]
    assert records
    assert [record.kind for record in records if f"  {record.kind}: draw" not in script] == []
