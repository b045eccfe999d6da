"""Settings ⇄ the query parameters of the web address, so that a link opens the same view.

Reading never fails: what cannot be used falls back to its default, and a sentence says so.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

import explorer as ex
from explorer.draw.palette import PALETTES
from explorer.names import shortened
from explorer.samples import SAMPLES
from pages.parts import options, state
from pages.parts.comparison import JUDGED, PAIRS, SIDES, Comparison
from pages.parts.judging import Judging
from pages.parts.openings import Opening
from pages.parts.prediction import Prediction
from pages.parts.ruling import Ruling
from pages.parts.state import FIRST_SAMPLE, Growing, Settings

T = TypeVar("T")


def start_from_address() -> None:
    """Begin a session with what the web address asks for."""
    settings, problems = from_address({key: st.query_params.get_all(key) for key in st.query_params})
    if settings.upload:
        state.await_file(settings)
        state.notify("info", _AWAITED)
        settings = Settings()
    state.keep(settings)
    for problem in problems:
        state.notify("warning", problem)


def write() -> None:
    """Write the settings into the web address again: navigation clears it."""
    if {key: st.query_params.get_all(key) for key in st.query_params} != wanted():
        st.query_params.from_dict(wanted())


def wanted() -> dict[str, list[str]]:
    """What the web address should ask for: the settings, or those held back until their file is there."""
    settings, held_back = state.read(), state.awaiting_file()
    return to_address(held_back if held_back is not None and settings == Settings() else settings)


_LONGEST = 100
"""Letters of a parameter that could not be used, as its refusal quotes it."""
_FILE_DIGITS = 16
"""An address names a file of one's own by so many digits of the hash of its content."""
_AWAITED = (
    "This link is about a file of one’s own, and files are not in links: load the same file on the Data page, under "
    "any name, and the view comes back as it was."
)
_PLAIN = {
    "target": "target",
    "split": "split",
    "pruning": "pruning",
    "risk": "risk",
    "metric": "metric",
    "method": "method",
    "order": "order",
    "ties": "ties",
    "limit": "limit",
    "book": "book",
    "palette": "palette",
}
_COUNTS = {
    "share": "train",
    "valid_share": "valid",
    "seed": "seed",
    "node": "node",
    "left_node": "a.node",
    "right_node": "b.node",
    "third_node": "c.node",
    "folds": "folds",
    "fold_seed": "fold_seed",
}
_BY_PACKAGE = {"C45": "C4.5"}
"""What the Python package calls a recipe, where the pages call it otherwise."""
_OPS = {"-": "collapse", "+": "restore"}
_SIGNS = {op: sign for sign, op in _OPS.items()}
_SLOTS = {"grow": "", **{slot: f"{letter.lower()}." for slot, letter in SIDES.items()}}


def to_address(settings: Settings) -> dict[str, list[str]]:
    """The settings that are not the default, as query parameters."""
    default = Settings()
    own = settings.upload[:_FILE_DIGITS]
    found: dict[str, list[str]] = {"file": [own]} if own else {"data": [settings.sample]}
    for field, key in (_PLAIN | _COUNTS).items():
        if getattr(settings, field) != getattr(default, field):
            found[key] = [str(getattr(settings, field))]
    if settings.alpha is not None:
        found["alpha"] = [repr(settings.alpha)]
    if settings.confidence != default.confidence:
        found["confidence"] = [repr(settings.confidence)]
    if settings.raising:
        found["raising"] = ["yes"]
    if settings.features is not None:
        found["feature"] = list(settings.features)
    if settings.kinds:
        found["kind"] = [f"{column}:{kind}" for column, kind in settings.kinds]
    if settings.hand:
        found["hand"] = ["".join(f"{_SIGNS[op]}{node}" for op, node in settings.hand)]
    if settings.choices:
        found["choice"] = [_as_json(one) for one in settings.choices.to_plain()]
    if settings.opened:
        found["opened"] = list(settings.opened)
    for page_s_own in (settings.compare, settings.judging, settings.ruling, settings.ask):
        found |= page_s_own.to_address()
    for slot, prefix in _SLOTS.items():
        found |= _growing_to_address(getattr(settings, slot), prefix)
    return found


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _growing_to_address(growing: Growing, prefix: str) -> dict[str, list[str]]:
    found = {prefix + "recipe": [growing.name]} if growing.name else {}
    return found | {prefix + field: [options.write(value)] for field, value in growing.changes}


def from_address(query: Mapping[str, Sequence[str]]) -> tuple[Settings, list[str]]:
    """Settings read from query parameters, and a sentence for each that could not be used."""
    reader = AddressReader(query)
    settings = Settings(
        sample=reader.choice("data", FIRST_SAMPLE, SAMPLES),
        upload=reader.file(),
        target=reader.last("target", ""),
        features=tuple(query["feature"]) if query.get("feature") else None,
        kinds=reader.kinds(),
        split=reader.choice("split", "auto", state.SPLITS),
        share=reader.whole("train", 70, 10, 90),
        valid_share=reader.whole("valid", 15, 5, 45),
        seed=reader.whole("seed", 0, 0, 2**31 - 1),
        node=reader.whole("node", 0, 0, 2**31 - 1),
        left_node=reader.whole("a.node", 0, 0, 2**31 - 1),
        right_node=reader.whole("b.node", 0, 0, 2**31 - 1),
        third_node=reader.whole("c.node", 0, 0, 2**31 - 1),
        pruning=reader.choice("pruning", "slide", state.PRUNING),
        risk=reader.choice("risk", "impurity", state.RISKS),
        metric=reader.choice("metric", "accuracy", state.METRICS),
        alpha=reader.alpha("alpha"),
        hand=reader.hand(),
        method=reader.choice("method", "unpruned", state.METHODS),
        order=reader.choice("order", "best_first", state.ORDERS),
        ties=reader.choice("ties", "prune", state.TIES),
        confidence=reader.confidence(),
        limit=reader.choice("limit", "release8", state.LIMITS),
        raising=reader.choice("raising", "no", {"yes": True}) == "yes",
        book=reader.choice("book", "", state.BOOK),
        folds=reader.whole("folds", 10, 2, 100),
        fold_seed=reader.whole("fold_seed", 0, 0, 2**31 - 1),
        opened=reader.opened(),
        choices=reader.choices(),
        palette=reader.choice("palette", "safe", PALETTES),
        grow=reader.growing(_SLOTS["grow"]),
        left=reader.growing(_SLOTS["left"]),
        right=reader.growing(_SLOTS["right"]),
        third=reader.growing(_SLOTS["third"]),
        compare=reader.comparison(),
        judging=Judging.from_address(reader),
        ruling=Ruling.from_address(reader),
        ask=Prediction.from_address(reader),
    )
    return settings, reader.problems


class AddressReader:
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
        default, (least, most) = Settings().confidence, state.CONFIDENCES
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

    def comparison(self) -> Comparison:
        """What was chosen on the Compare page."""
        return Comparison(
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
        if all(Opening.read(note) for note in notes):
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
        growing = Growing(named or self.choice(prefix + "recipe", "", options.RECIPES))
        for field, option in options.BY_FIELD.items():
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
