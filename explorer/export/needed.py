"""Packages that only some exports need."""

from __future__ import annotations

from importlib.util import find_spec

from explorer.errors import InputError
from explorer.messages import message

_OFFICE = "pip install typst python-pptx"
_NEEDS = {
    "PDF": (("typst",), _OFFICE),
    "PNG": (("typst",), _OFFICE),
    "PPTX": (("pptx", "typst"), _OFFICE),
    "ONNX": (("onnx",), "pip install onnx"),
}
"""The modules that a form needs, and what installs them."""


def missing_for(form: str) -> str:
    """The command that installs what a file of this form needs; "" where all of it is there."""
    modules, command = _NEEDS.get(form, ((), ""))
    return "" if all(find_spec(module) is not None for module in modules) else command


def refuse_without(form: str) -> None:
    """Raise InputError with the command that installs what a file of this form needs, where it is not there."""
    if command := missing_for(form):
        raise InputError(message("{form} needs more packages: run '{command}'.", form=form, command=command))
