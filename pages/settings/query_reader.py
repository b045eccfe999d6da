"""Reads the parameters of a web address one at a time, and collects what could not be used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import explorer as ex
from explorer.formatting import shortened
from pages.settings import growing_options, labels
from pages.settings.page_settings import JUDGED, PAIRS, CompareSettings
from pages.settings.settings import Growing, Settings
from pages.settings.test_set_log import NotedTestScore

T = TypeVar("T")
_LONGEST = 100
"""Letters of a parameter that could not be used, as its refusal quotes it."""
_FILE_DIGITS = 16
"""An address names a file of one's own by so many digits of the hash of its content."""
_BY_PACKAGE = {"C45": "C4.5"}
"""What the Python package calls a recipe, where the pages call it otherwise."""
_OPS = {"-": "collapse", "+": "restore"}
_SIGNS = {op: sign for sign, op in _OPS.items()}


class QueryReader:
    """Reads one parameter at a time and collects what could not be used."""

    def __init__(self, query: Mapping[str, Sequence[str]]) -> None:
        self.query = query
        self.problems: list[str] = []

    def last(self, key: str, default: str) -> str:
        """The parameter as written last, or the default."""
        return self.query[key][-1] if self.query.get(key) else default

    def _refuse(self, key: str, default: object, why: str = "") -> None:
        """Note that a parameter was not used; `why` is what a deliberate error says of it."""
        asked = shortened(self.last(key, ""), _LONGEST)
        self.problems.append(
            f"The web address asks for {key} = “{asked}”, which is not possible here: "
            f"{f'{why} So ' if why else ''}{default if default not in ('', None) else 'the default'} is used instead."
        )

    def choice(self, key: str, default: str, allowed: Mapping[str, object]) -> str:
        """One of the allowed words."""
        text = self.last(key, default)
        if text in allowed or text == default:
            return text
        self._refuse(key, default)
        return default

    def file(self) -> str:
        """The beginning of the hash of a file of one's own."""
        text = self.last("file", "")
        if re.fullmatch(r"[0-9a-f]*", text, re.ASCII):
            return text
        self._refuse("file", None)
        return ""

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number between two bounds."""
        text = self.last(key, str(default))
        if text.isascii() and text.isdigit() and len(text) <= 12 and least <= int(text) <= most:
            return int(text)
        self._refuse(key, default)
        return default

    def _number(self, key: str) -> float:
        """A number, or NaN for a text that is none."""
        try:
            return float(self.last(key, ""))
        except ValueError:
            return math.nan

    def alpha(self, key: str) -> float | None:
        """The price of a leaf, or None for the unpruned tree."""
        if not self.query.get(key):
            return None
        alpha = self._number(key)
        if math.isfinite(alpha) and alpha >= 0:
            return alpha
        self._refuse(key, None)
        return None

    def confidence(self) -> float:
        """The confidence of pessimistic pruning."""
        default, (least, most) = Settings().confidence, labels.CONFIDENCES
        if not self.query.get("confidence"):
            return default
        if least <= self._number("confidence") <= most:
            return self._number("confidence")
        self._refuse("confidence", default)
        return default

    def hand(self) -> tuple[tuple[str, int], ...]:
        """Steps of pruning by hand, written -4+7: collapse node 4, restore node 7."""
        text = self.last("hand", "")
        if re.fullmatch(r"([+-]\d{1,9}){0,200}", text, re.ASCII):
            return tuple((_OPS[sign], int(node)) for sign, node in re.findall(r"([+-])(\d+)", text))
        self._refuse("hand", None)
        return ()

    def choices(self) -> ex.Choices:
        """What the reader decided about the tree, one choice per parameter."""
        try:
            return ex.Choices.from_plain([json.loads(text) for text in self.query.get("choice", ())])
        except ex.InputError as error:
            self._refuse("choice", None, str(error))
        except (ValueError, RecursionError):
            self._refuse("choice", None)
        return ex.Choices()

    def comparison(self) -> CompareSettings:
        """What was chosen on the Compare page."""
        return CompareSettings(
            has_third=self.choice("third", "no", {"yes": True}) == "yes",
            moves_together=self.choice("together", "yes", {"no": True}) == "yes",
            pair=self.choice("pair", "AB", PAIRS),
            judged=self.choice("judged", "", JUDGED),
            cell=self._cell(),
            row=next(iter(self.numbers("row", 1)), None),
            across=self.last("across", ""),
            up=self.last("up", ""),
            alphas=(self.alpha("a.alpha"), self.alpha("b.alpha"), self.alpha("c.alpha")),
        )

    def read_by(self, read: Callable[[str], T | None], key: str, default: T) -> T:
        """What a reading function makes of the parameter; the default where that is None."""
        found = read(self.last(key, ""))
        if found is not None:
            return found
        self._refuse(key, default or None)
        return default

    def _cell(self) -> tuple[int, int] | None:
        """Two class codes, written 0-2."""
        found = self.numbers("cell", 2)
        return (found[0], found[1]) if found else None

    def numbers(self, key: str, count: int) -> list[int]:
        """So many whole numbers joined by a minus sign, or none."""
        text = self.last(key, "")
        if not text:
            return []
        if re.fullmatch(r"-".join([r"\d{1,9}"] * count), text, re.ASCII):
            return [int(digits) for digits in text.split("-")]
        self._refuse(key, None)
        return []

    def opened(self) -> tuple[str, ...]:
        """Notes of openings of the test part."""
        notes = tuple(self.query.get("opened", ()))
        if all(NotedTestScore.read(note) for note in notes):
            return notes
        self._refuse("opened", None)
        return ()

    def kinds(self) -> tuple[tuple[str, str], ...]:
        """Pairs of column and kind, written column:kind."""
        pairs = [text.rpartition(":")[::2] for text in self.query.get("kind", ())]
        if all(kind in ("numeric", "categorical") for _, kind in pairs):
            return tuple((column, kind) for column, kind in pairs)
        self._refuse("kind", None)
        return ()

    def growing(self, prefix: str) -> Growing:
        """A recipe and its changed fields."""
        named = _BY_PACKAGE.get(self.last(prefix + "recipe", ""))
        growing = Growing(named or self.choice(prefix + "recipe", "", growing_options.RECIPES))
        for field, option in growing_options.BY_FIELD.items():
            if not self.query.get(prefix + field):
                continue
            try:
                changed_growing = growing.with_change(field, option.read(self.last(prefix + field, "")))
                changed_growing.recipe(ex.CART)
                if changed_growing.consistent(ex.CART) != changed_growing and field == "impurity":
                    raise ValueError(field)  # gain and gain ratio are defined by entropy
            except ex.InputError as error:
                self._refuse(prefix + field, None, str(error))
            except (ValueError, KeyError):
                self._refuse(prefix + field, None)
            else:
                growing = changed_growing
        return growing
