"""Packages that only some exports need."""

from __future__ import annotations

from importlib.util import find_spec

from explorer.errors import InputError
from explorer.messages import message

COMMAND = "pip install typst python-pptx"
_MODULES = {"PDF": ("typst",), "PNG": ("typst",), "PPTX": ("pptx", "typst")}


def is_there(form: str) -> bool:
    """Whether the packages are installed that a file of this form needs."""
    return all(find_spec(module) is not None for module in _MODULES.get(form, ()))


def refuse_without(form: str) -> None:
    """Raise InputError with the command that installs what a file of this form needs, where it is not there."""
    if not is_there(form):
        raise InputError(message("{form} needs more packages: run '{command}'.", form=form, command=COMMAND))
